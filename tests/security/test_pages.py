"""What a browser is allowed to do with our pages, and what a page makes of a stranger's words."""

import base64
import hashlib
import re
from datetime import timedelta

import pytest

from clarion.base.ids import ContactId, ReminderId
from clarion.doors.http.middleware import safe_path
from clarion.doors.http.pages.console import FILES, files_in
from clarion.reminders.links import Grant
from tests.support.doors import ANA, Doors

NAMES = [str(path.relative_to(FILES)) for path in files_in(FILES)]
WANTED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


@pytest.mark.parametrize("policy", ["default-src 'none'", "frame-ancestors 'none'"])
async def test_every_file_of_the_console_carries_the_policy(doors: Doors, policy: str) -> None:
    async with doors.client() as client:
        answers = [await client.get(f"/console/{name}") for name in NAMES]

    assert len(answers) > 10
    assert all(policy in one.headers["content-security-policy"] for one in answers)
    assert all(one.headers[name] == value for one in answers for name, value in WANTED.items())


async def test_words_of_a_reminder_stay_words_on_the_page_of_a_link(doors: Doors) -> None:
    async with doors.client("ana") as client:
        made = await client.post(
            "/api/v1/reminders",
            json={
                "user_id": ANA,
                "content": "<script>alert(1)</script>\"'",
                "trigger_at": (doors.clock.now() + timedelta(hours=1)).isoformat(),
            },
        )
        grant = Grant(made.json()["id"], ContactId("kitchen"))
        token = doors.links.token(grant, doors.clock.now() + timedelta(hours=2))
        page = await client.get(f"/c/{token}")

    policy = page.headers["content-security-policy"]
    [ours] = re.findall(r"<script[^>]*>(.*?)</script", page.text, re.DOTALL)
    named = base64.b64encode(hashlib.sha256(ours.encode()).digest()).decode()
    assert page.status_code == 200
    assert "alert(1)" not in ours
    assert "&lt;script&gt;" in page.text
    assert re.findall(r"script-src ([^;]*)", policy) == [f"'sha256-{named}'"]


async def test_a_link_that_was_tampered_with_opens_nothing(doors: Doors) -> None:
    grant = Grant(ReminderId("rem_1"), ContactId("con_1"))
    token = doors.links.token(grant, doors.clock.now() + timedelta(hours=1))

    async with doors.client() as client:
        answer = await client.post(f"/c/{token[:-4]}AAAA")

    assert answer.status_code == 404
    assert "not valid" in answer.text


async def test_an_answer_of_the_api_is_never_taken_for_a_page(doors: Doors) -> None:
    async with doors.client("ana") as client:
        answer = await client.get("/api/v1/<script>alert(1)</script>")

    assert answer.headers["content-type"].startswith("application/problem+json")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "logged"),
    [("/c/secret", "/c/…"), ("/i/secret", "/i/…"), ("/q/secret", "/q/…"), ("/api/v1/me",) * 2],
)
def test_no_token_of_a_link_is_written_into_a_log(path: str, logged: str) -> None:
    assert safe_path(path) == logged
