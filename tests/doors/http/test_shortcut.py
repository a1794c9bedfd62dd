"""The short way answers exactly as the routes do, and leaves to them what it cannot read."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from clarion.doors.http.plain_reads import read_search
from tests.support.clock import START
from tests.support.doors import Doors

SAME = ("content-type", "etag", "content-length", "www-authenticate", "x-content-type-options")
UNKNOWN = "unheard_of=1"  # no route minds it, and nothing with it is read at sight


async def both_ways(client: httpx.AsyncClient, path: str, **headers: str) -> list[Any]:
    """What the short way says and what the route says, without what differs each time."""
    answers = []
    for asked in (path, f"{path}{'&' if '?' in path else '?'}{UNKNOWN}"):
        answer = await client.get(f"/api/v1{asked}", headers=headers)
        body = answer.json() if answer.content else None
        if isinstance(body, dict):
            body.pop("request_id", None)
        kept = {name: answer.headers.get(name) for name in SAME}
        if answer.is_error:
            kept.pop("content-length")
        answers.append((answer.status_code, body, kept))
    return answers


async def settle_in(doors: Doors) -> str:
    """Ana's reminders, one of them confirmed; the id of that one."""
    async with doors.client("ana") as ana:
        made = []
        for n in range(4):
            at = (START + timedelta(hours=n + 1)).isoformat()
            body = {"content": f"吃药 {n}", "trigger_at": at, "context": {"n": n}}
            made.append((await ana.post("/api/v1/reminders", json=body)).json()["id"])
        await ana.post(f"/api/v1/reminders/{made[0]}/confirm")
    return str(made[0])


@pytest.mark.parametrize("who", ["ana", "bo", "admin", "kitchen", None])
@pytest.mark.parametrize(
    "path",
    [
        "/me",
        "/reminders/{name}",
        "/reminders/{name}/history",
        "/reminders/none",
        "/reminders/none/history",
        "/reminders",
        "/reminders?limit=2",
        "/reminders?status=pending&status=confirmed",
        "/reminders?since=2026-01-01T00:00:00Z&until=2036-01-01T00:00:00%2B08:00",
        "/reminders?user_id=ana",
        "/reminders?cursor=nonsense",
        "/reminders?series_id=none",
    ],
)
async def test_both_ways_say_the_same(doors: Doors, who: str | None, path: str) -> None:
    name = await settle_in(doors)

    async with doors.client(who) as client:
        short, long = await both_ways(client, path.format(name=name))

    assert short == long


async def test_an_answer_that_is_known_is_not_sent_again(doors: Doors) -> None:
    name = await settle_in(doors)

    async with doors.client("ana") as ana:
        short, long = await both_ways(ana, f"/reminders/{name}", **{"If-None-Match": '"2"'})

    assert short == long
    assert short[0] == 304


async def test_the_pages_of_a_list_follow_one_another(doors: Doors) -> None:
    await settle_in(doors)

    async with doors.client("ana") as ana:
        first = (await ana.get("/api/v1/reminders?limit=3")).json()
        rest = await ana.get("/api/v1/reminders", params={"cursor": first["next_cursor"]})

    found = [one["content"] for one in first["items"] + rest.json()["items"]]
    assert found == [f"吃药 {n}" for n in range(4)]


async def test_a_token_that_was_revoked_is_refused_at_once(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("admin") as admin:
        name = (await ana.get("/api/v1/me")).json()["token_id"]
        await admin.delete(f"/api/v1/tokens/{name}")

        refused = await ana.get("/api/v1/me")

    assert refused.status_code == 401


@pytest.mark.parametrize(
    "pairs",
    [
        [("limit", "0")],
        [("limit", "101")],
        [("limit", "+5")],
        [("limit", "٣")],
        [("limit", "5"), ("limit", "6")],
        [("status", "sleeping")],
        [("status", "pending")] * 8,
        [("since", "2026-01-01T00:00:00")],
        [("since", "1767225600")],
        [("user_id", "")],
        [("user_id", "a" * 129)],
        [("anything", "else")],
    ],
)
def test_what_is_odd_is_left_to_the_routes(pairs: list[tuple[str, str]]) -> None:
    assert read_search(pairs) is None


async def test_a_change_is_seen_by_the_next_read(doors: Doors) -> None:
    name = await settle_in(doors)
    async with doors.client("ana") as ana:
        pending = (await ana.get("/api/v1/reminders?status=pending")).json()["items"][0]
        where = f"/api/v1/reminders/{pending['id']}"
        await ana.patch(where, json={"content": "喝水"}, headers={"If-Match": "*"})

        one = (await ana.get(where)).json()
        listed = (await ana.get("/api/v1/reminders?status=pending")).json()["items"][0]

    assert name != pending["id"]
    assert (one["content"], one["version"]) == ("喝水", pending["version"] + 1)
    assert listed == one
