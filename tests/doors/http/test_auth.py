"""Who is let in: tokens, cookies, hosts, origins, limits."""

import re

import pytest

from clarion.doors.http.auth import FAILURES_MAX
from tests.support.doors import Doors

ME = "/api/v1/me"


async def test_a_token_says_who_is_asking(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("kitchen") as device:
        hers = (await ana.get(ME)).json()
        its = (await device.get(ME)).json()

    assert (hers["kind"], hers["user_id"]) == ("user", "ana")
    assert (its["kind"], its["device_id"]) == ("device", "kitchen")


async def test_without_a_token_one_is_asked_for(doors: Doors) -> None:
    async with doors.client() as nobody:
        refused = await nobody.get(ME)

    where = f"{doors.url}/.well-known/oauth-protected-resource"
    asked = f'Bearer resource_metadata="{where}", scope="read set confirm"'
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, asked)
    assert refused.json()["code"] == "unauthorised"


async def test_a_revoked_token_is_out_at_once(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        name = (await ana.get(ME)).json()["token_id"]
        revoked = await ana.delete(f"/api/v1/tokens/{name}")
        after = await ana.get(ME)

    assert (revoked.status_code, after.status_code) == (204, 401)


async def test_an_admin_makes_a_token_that_works_and_is_shown_once(doors: Doors) -> None:
    async with doors.client("admin") as admin:
        made = (await admin.post("/api/v1/tokens", json={"user_id": "ana", "name": "tv"})).json()
        listed = (await admin.get("/api/v1/tokens", params={"limit": 100})).json()
    async with doors.client(headers={"Authorization": f"Bearer {made['token']}"}) as tv:
        who = await tv.get(ME)

    assert who.json()["user_id"] == "ana"
    assert made["token"] not in str(listed)


@pytest.mark.parametrize(
    "body",
    [{"kind": "user"}, {"kind": "device"}, {"kind": "admin", "user_id": "ana"}],
    ids=["a user's without a user", "a device's without a device", "an admin's with a user"],
)
async def test_a_token_speaks_for_the_right_kind_of_owner(
    doors: Doors, body: dict[str, str]
) -> None:
    async with doors.client("admin") as admin:
        refused = await admin.post("/api/v1/tokens", json=body)

    assert refused.status_code == 400


async def test_a_code_logs_in_once_and_the_cookie_is_out_of_reach_of_scripts(doors: Doors) -> None:
    async with doors.client("admin") as admin:
        code = (await admin.post("/api/v1/login-codes", json={})).json()["code"]
    async with doors.client() as browser:
        entered = await browser.post("/api/v1/session", json={"code": code})
        again = await browser.post("/api/v1/session", json={"code": code})
        who = await browser.get(ME)
        left = await browser.delete("/api/v1/session")
        after = await browser.get(ME)

    cookie = entered.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(re.split("; ", cookie))
    assert again.status_code == 401
    assert who.json()["kind"] == "admin"
    assert (left.status_code, after.status_code) == (204, 401)


async def test_the_login_page_carries_no_code_to_the_server(doors: Doors) -> None:
    async with doors.client() as browser:
        page = await browser.get("/login")

    assert page.status_code == 200
    assert "location.hash" in page.text
    assert "'sha256-" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:1", 200),
        ("localhost", 200),
        ("[::1]:8520", 200),
        ("192.168.1.20:8520", 200),
        ("clarion.lan", 421),
        ("evil.example:8520", 421),
        ("", 421),
    ],
)
async def test_it_answers_only_under_its_own_names(doors: Doors, host: str, status: int) -> None:
    async with doors.client() as browser:
        answer = await browser.get("/health/live", headers={"Host": host})

    assert answer.status_code == status


async def test_a_foreign_page_is_turned_away(doors: Doors) -> None:
    own = doors.url
    async with doors.client("ana") as ana:
        foreign = await ana.get(ME, headers={"Origin": "https://evil.example"})
        nowhere = await ana.get(ME, headers={"Origin": "null"})
        ours = await ana.get(ME, headers={"Origin": own})

    assert (foreign.status_code, foreign.json()["code"]) == (403, "foreign_origin")
    assert nowhere.status_code == 403
    assert ours.status_code == 200


async def test_guessing_ends_and_known_tokens_still_work(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as guesser:
        await ana.get(ME)
        wrong = {"Authorization": "Bearer tok_x.y"}
        tries = [(await guesser.get(ME, headers=wrong)).status_code for _ in range(FAILURES_MAX)]
        over = await guesser.get(ME, headers=wrong)
        hers = await ana.get(ME)

    assert set(tries) == {401}
    assert (over.status_code, int(over.headers["retry-after"])) == (429, 60)
    assert hers.status_code == 200
