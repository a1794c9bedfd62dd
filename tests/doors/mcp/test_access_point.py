"""Paste an address of xiaozhi: a line goes out, and the device's model has Clarion's tools."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.access.xiaozhi import wait_before
from clarion.base.ids import UserId
from clarion.people.model import CLARION
from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.xiaozhi_double import ANSWER_BYTES_MAX, TOKEN, Cloud, SelfHosted, speaking

PATH = "/api/v1/xiaozhi"
WORDS = "明天早上8点提醒我吃药"
PATIENCE = 30.0


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, private_targets=True, zone=None) as opened:
        yield opened


async def paste(doors: Doors, address: str) -> dict[str, Any]:
    async with doors.client("ana") as ana:
        made = await ana.post(PATH, json={"address": address})
        assert made.status_code == 201, made.text
        told: dict[str, Any] = made.json()
        return told


async def until(doors: Doors, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE), doors.client("ana") as ana:
        while True:
            [one] = (await ana.get(PATH)).json()["items"]
            if fits(one):
                found: dict[str, Any] = one
                return found


async def test_the_cloud_gets_six_tools_sets_lists_and_confirms(
    doors: Doors, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with speaking(Cloud()) as cloud:
        made = await paste(doors, cloud.address)
        await cloud.next_line()
        shown = await until(doors, lambda one: one["state"] == "connected")
        await cloud.ping()
        said = await cloud.said("reminder_create_natural", text=WORDS)
        sentence, told = said.split("\n")
        listed = await cloud.said("reminder_list", status=["pending"])
        done = await cloud.said("reminder_confirm", reminder_id=json.loads(told)["id"])

    assert len(cloud.tools) == 6
    assert all("提醒" in tool["description"] for tool in cloud.tools)
    assert sentence.startswith("明天早上8点提醒：吃药")
    assert json.loads(told)["id"] in listed
    assert done.startswith("已确认")
    assert cloud.largest <= ANSWER_BYTES_MAX
    assert made["address"].endswith("/mcp/?…")
    assert TOKEN not in json.dumps(shown)
    ours = [one for one in caplog.records if one.name != "websockets.server"]  # the double's own
    assert TOKEN not in " ".join(one.getMessage() for one in ours)


async def test_a_server_of_ones_own_hears_refusals_as_words(doors: Doors) -> None:
    """Its ids are strings, and of an error it would read nothing."""
    async with speaking(SelfHosted()) as server:
        await paste(doors, server.address)
        await server.next_line()
        missing = await server.said("reminder_create_natural", text="提醒我吃药")
        unknown = await server.said("reminder_confirm", reminder_id="rem_none")
        bad = await server.said("reminder_snooze", reminder_id="x", duration="soon")
        none = await server.said("task_list")

    assert all("{" not in said for said in (missing, unknown, bad, none))
    assert "时候" in missing or "几点" in missing or "time" in missing
    assert none == "没有这个工具。"


async def test_a_long_list_fits_the_frame(doors: Doors) -> None:
    async with doors.client("ana") as ana, speaking(Cloud()) as cloud:
        for n in range(60):
            at = (doors.clock.now() + timedelta(hours=n + 1)).isoformat()
            body = {"content": f"吃药“{n}”" + "，饭后半小时" * 20, "trigger_at": at}
            assert (await ana.post("/api/v1/reminders", json=body)).status_code == 201
        await paste(doors, cloud.address)
        await cloud.next_line()
        said = await cloud.said("reminder_list")

    assert cloud.largest <= ANSWER_BYTES_MAX
    assert "吃药" in said


async def test_who_is_replaced_stops_and_says_so(doors: Doors) -> None:
    async with speaking(SelfHosted()) as server, doors.client("ana") as ana:
        made = await paste(doors, server.address)
        line = await server.next_line()
        await until(doors, lambda one: one["state"] == "connected")
        await line.close(1000, "新连接替换")
        over = await until(doors, lambda one: one["state"] == "taken_over")
        doors.clock.advance(timedelta(hours=1))
        still = await until(doors, lambda one: True)
        again = await ana.post(f"{PATH}/{made['id']}/connect")
        await server.next_line()
        back = await until(doors, lambda one: one["state"] == "connected")

    assert over["error"] == "taken_over"
    assert "Another program" in over["detail"]
    assert (still["state"], still["next_at"]) == ("taken_over", None)
    assert (again.status_code, back["error"]) == (200, "")


async def test_a_close_is_tried_again_a_little_later_each_time(doors: Doors) -> None:
    async with speaking(Cloud()) as cloud:
        cloud.close_at_once = (4004, "internal error")
        await paste(doors, cloud.address)
        waits = []
        for _ in range(3):
            await cloud.next_line()
            one = await until(doors, lambda one: wait_of(doors, one) > 0)
            assert one["error"] == "server_error"
            waits.append(wait_of(doors, one))
            doors.clock.advance(timedelta(seconds=waits[-1]))
        cloud.close_at_once = None
        await cloud.next_line()
        back = await until(doors, lambda one: one["state"] == "connected")

    assert waits == [1, 2, 4]
    assert back["error"] == ""


def wait_of(doors: Doors, point: dict[str, Any]) -> float:
    """Seconds until the next try, as far as it is planned."""
    if not point["next_at"]:
        return 0
    left: timedelta = datetime.fromisoformat(point["next_at"]) - doors.clock.now()
    return left.total_seconds()


def test_waits_go_from_a_second_to_ten_minutes() -> None:
    waits = [wait_before(tries).total_seconds() for tries in range(12)]

    assert waits[:4] == [1, 2, 4, 8]
    assert waits[-1] == 600


async def test_a_wrong_token_is_said(doors: Doors) -> None:
    async with speaking(SelfHosted()) as server:
        await paste(doors, server.address.replace(TOKEN, "wrong"))
        one = await until(doors, lambda one: one["error"] != "")

    assert one["error"] == "refused"


async def test_what_is_removed_is_hung_up(doors: Doors) -> None:
    async with speaking(Cloud()) as cloud, doors.client("ana") as ana:
        made = await paste(doors, cloud.address)
        line = await cloud.next_line()
        gone = await ana.delete(f"{PATH}/{made['id']}")
        async with asyncio.timeout(PATIENCE):
            await line.wait_closed()
        left = (await ana.get(PATH)).json()["items"]

    assert (gone.status_code, left) == (204, [])


async def test_a_person_who_goes_takes_their_line_along(doors: Doors) -> None:
    async with speaking(Cloud()) as cloud:
        await paste(doors, cloud.address)
        line = await cloud.next_line()
        await doors.people.remove_user(CLARION, UserId("ana"))
        async with asyncio.timeout(PATIENCE):
            await line.wait_closed()


@pytest.mark.parametrize(
    "address", ["https://api.xiaozhi.me/mcp/", "xiaozhi", "ws://", "wss://é.example/mcp"]
)
async def test_what_is_no_address_is_refused(doors: Doors, address: str) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(PATH, json={"address": address})

    assert refused.status_code == 400


async def test_bo_sees_nothing_of_anas_and_an_address_is_pasted_once(doors: Doors) -> None:
    async with speaking(Cloud()) as cloud, doors.client("bo") as bo:
        made = await paste(doors, cloud.address)
        twice = await bo.post(PATH, json={"address": cloud.address})
        listed = (await bo.get(PATH)).json()["items"]
        removed = await bo.delete(f"{PATH}/{made['id']}")
        retried = await bo.post(f"{PATH}/{made['id']}/connect")

    assert twice.status_code == 409
    assert listed == []
    assert (removed.status_code, retried.status_code) == (404, 404)


async def test_private_addresses_are_called_only_if_the_operator_says_so(
    tmp_path: Path, clock: ManualClock
) -> None:
    async with open_doors(tmp_path, clock) as doors, doors.client("ana") as ana:
        refused = await ana.post(PATH, json={"address": "ws://192.168.1.5:8004/mcp_endpoint/mcp/"})

    assert refused.json()["code"] == "private_address"


async def test_the_context_says_what_waits_and_what_comes_today(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("bo") as bo, doors.client("admin") as root:
        soon = (doors.clock.now() + timedelta(hours=1)).isoformat()
        later = (doors.clock.now() + timedelta(days=3)).isoformat()
        for content, at in (("吃药", soon), ("看牙", later)):
            await ana.post("/api/v1/reminders", json={"content": content, "trigger_at": at})
        hers = await ana.get("/xiaozhi/context", headers={"device-id": "KITCHEN"})
        by_admin = await root.get("/xiaozhi/context", headers={"device-id": "kitchen"})
        without = await ana.get("/xiaozhi/context")
        foreign = await bo.get("/xiaozhi/context", headers={"device-id": "kitchen"})
        nobody = await root.get("/xiaozhi/context", headers={"device-id": "aa:bb"})

    assert hers.json()["code"] == 0
    [line] = hers.json()["data"]
    assert line.startswith("今天 17:00：吃药（编号 rem_")
    assert by_admin.json() == without.json() == hers.json()
    assert (foreign.status_code, nobody.status_code) == (404, 404)
