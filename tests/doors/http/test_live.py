"""Events as they happen: to those who may see them, resumable, and ended in time."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from clarion.doors.http.api import live
from clarion.store.sql.events import after
from clarion.store.sql.tables.events import events
from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors

PATH = "/api/v1/events"


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock, database_url: str) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, database_url=database_url) as opened:
        yield opened


class Heard:
    """A stream, one event at a time."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next(self) -> dict[str, Any]:
        """The next event, comments and pauses left out."""
        found: dict[str, Any] = {}
        async for line in self._lines:
            if not line and "event" in found:
                return found
            name, _, value = line.partition(": ")
            if name in ("id", "event"):
                found[name] = value
            elif name == "data":
                found["data"] = json.loads(value)
        raise EOFError

    async def rest(self) -> list[str]:
        return [line async for line in self._lines]


@asynccontextmanager
async def stream(client: httpx.AsyncClient, last: str | None = None) -> AsyncIterator[Heard]:
    headers = {"Last-Event-ID": last} if last is not None else {}
    async with client.stream("GET", PATH, headers=headers) as response:
        assert response.status_code == 200
        yield Heard(response)


def forget(conn: Connection, before: datetime) -> None:
    conn.execute(events.delete().where(events.c.at < before))


async def remind(client: httpx.AsyncClient, content: str) -> str:
    at = (START + timedelta(hours=1)).isoformat()
    body = {"content": content, "trigger_at": at}
    name: str = (await client.post("/api/v1/reminders", json=body)).json()["id"]
    return name


async def test_what_happens_is_heard_as_it_happens(doors: Doors) -> None:
    async with doors.client("ana") as ana, stream(ana) as heard:
        name = await remind(ana, "吃药")
        event = await heard.next()

    assert heard.response.headers["content-type"].startswith("text/event-stream")
    assert (event["event"], event["data"]["subject"]) == ("reminder.created", name)
    assert event["data"]["data"]["content"] == "吃药"


async def test_ana_hears_of_her_own_and_an_admin_of_all(doors: Doors) -> None:
    async with (
        doors.client("ana") as ana,
        doors.client("bo") as bo,
        doors.client("admin") as admin,
        stream(ana) as hers,
        stream(admin) as everybodys,
    ):
        his = await remind(bo, "bo's secret")
        own = await remind(ana, "ana's own")
        heard = await hers.next()
        both = [await everybodys.next(), await everybodys.next()]

    assert heard["data"]["subject"] == own
    assert [one["data"]["subject"] for one in both] == [his, own]


async def test_a_device_hears_nothing_here(doors: Doors) -> None:
    async with doors.client("kitchen") as device:
        refused = await device.get(PATH)

    assert refused.status_code == 403


async def test_a_stream_resumes_where_it_stopped(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        async with stream(ana) as heard:
            await remind(ana, "first")
            seen = await heard.next()
        missed = [await remind(ana, "second"), await remind(ana, "third")]
        async with stream(ana, seen["id"]) as heard:
            again = [await heard.next(), await heard.next()]
            live_one = await remind(ana, "fourth")
            after = await heard.next()

    assert [one["data"]["subject"] for one in again] == missed
    assert after["data"]["subject"] == live_one


@pytest.mark.parametrize("last", ["999999", "nonsense", "-1"])
async def test_a_number_that_is_none_of_ours_is_reset(doors: Doors, last: str) -> None:
    async with doors.client("ana") as ana, stream(ana, last) as heard:
        first = await heard.next()

    assert first["event"] == "reset"


async def test_who_was_away_too_long_is_told_to_start_over(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        await remind(ana, "old")
        doors.clock.advance(timedelta(minutes=5))
        await remind(ana, "new")
        await doors.parts.database.write(forget, doors.clock.now())
        async with stream(ana, "1") as heard:
            first = await heard.next()

    assert first["event"] == "reset"


async def test_a_stream_says_goodbye_when_the_server_stops(doors: Doors) -> None:
    async with doors.client("ana") as ana, stream(ana) as heard:
        await remind(ana, "吃药")
        await heard.next()
        doors.parts.stopping.set()
        left = await heard.rest()

    assert [line for line in left if line] == []


async def test_silence_is_filled_and_a_revoked_token_ends_its_stream(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "COMMENT_EVERY", 0.05)
    async with doors.client("ana") as ana, doors.client("admin") as admin, stream(ana) as heard:
        first = await anext(heard._lines)
        name = (await ana.get("/api/v1/me")).json()["token_id"]
        comment = [await anext(heard._lines) for _ in range(3)]
        await admin.delete(f"/api/v1/tokens/{name}")
        async with asyncio.timeout(30):
            await heard.rest()

    assert first == "retry: 2000"
    assert ": still here" in comment


async def test_a_slow_reader_ends_and_loses_nothing(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = live.EventStream(await doors.access.recognise(doors.tokens["admin"]))
    monkeypatch.setattr(slow, "_waiting", asyncio.Queue(2))
    async with doors.client("ana") as ana:
        for n in range(3):
            await remind(ana, str(n))
    for event in await doors.parts.database.read(after, 0):
        slow.offer(event, live.spoken(event))

    async def good() -> bool:
        return True

    texts = [text async for text in slow.texts(doors.parts.stopping, good)]

    assert b"".join(texts).count(b"id: ") == 2


async def test_the_log_is_read_backwards_page_by_page(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("bo") as bo:
        names = [await remind(ana, str(n)) for n in range(3)]
        await remind(bo, "his")
        first = (await ana.get(f"{PATH}/log", params={"limit": 2})).json()
        after = {"limit": 2, "cursor": first["next_cursor"]}
        second = (await ana.get(f"{PATH}/log", params=after)).json()
        one = (await ana.get(f"{PATH}/log", params={"subject": names[0]})).json()

    found = [item["subject"] for item in first["items"] + second["items"]]
    assert [name for name in found if name in names] == names[::-1]
    assert {item["user_id"] for item in first["items"] + second["items"]} == {"ana"}
    assert [item["kind"] for item in one["items"]] == ["reminder.created"]
