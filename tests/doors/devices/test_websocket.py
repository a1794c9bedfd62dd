import asyncio
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from clarion.base.clock import SystemClock
from clarion.base.ids import DeviceId
from clarion.doors.devices.session.limits import SessionLimits
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from tests.support.devices import SPEAKER, TOKEN, MemoryFacts, ShortVoice, a_ring, devices_door

SHOWN = SimulatedIdentity(token=TOKEN)


class SlowFacts(MemoryFacts):
    """Tells what it is about to keep, and keeps it when `goes_on` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def seen(
        self,
        device_id: DeviceId,
        *,
        online: bool,
        through: str,
        kept: Callable[[], None] = lambda: None,
    ) -> None:
        self.begun.set()
        await self.goes_on.wait()
        await super().seen(device_id, online=online, through=through, kept=kept)


async def test_a_reminder_is_told_and_its_answer_confirms_it() -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        await door.ring(a_ring())
        firmware = await device.until(lambda it: it.state == "idle" and it.said != [])
        await device.type("吃过了")
        await device.until(lambda it: "好的，记下了。" in it.said and it.state == "idle")

        assert firmware.said[0] == "该吃第1片药了"
        assert len(firmware.packets) == 6
        assert (firmware.dropped, firmware.overflowed, firmware.complaints) == (0, 0, [])
        assert door.facts.happened[1:] == [
            ("delivered", "rem_1:1"),
            ("heard", "rem_1:1"),
            ("answered", "rem_1:1 吃过了"),
        ]


async def test_what_waits_is_told_when_the_device_comes() -> None:
    async with devices_door() as door:
        door.facts.waiting = {ring.id: ring for ring in (a_ring(1), a_ring(2))}

        async with SimulatedDevice(door.url, SHOWN) as device:
            await device.until(lambda it: it.said == ["该吃第1片药了"] and it.state == "idle")
            await device.type("吃过了")
            firmware = await device.until(lambda it: "该吃第2片药了" in it.said)

        assert firmware.said == ["该吃第1片药了", "好的，记下了。", "该吃第2片药了"]


async def test_ringing_the_same_ring_twice_tells_it_once() -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        await door.ring(a_ring())
        await door.ring(a_ring())
        await door.facts.until(("heard", "rem_1:1"))
        await door.ring(a_ring())
        await device.type("你好")
        await device.until(lambda it: "吃了吗？" in it.said)

        assert device.firmware.said.count("该吃第1片药了") == 1


async def test_abort_stops_the_sound_at_once() -> None:
    async with (
        devices_door(voice=ShortVoice(250)) as door,
        SimulatedDevice(door.url, SHOWN) as device,
    ):
        await door.ring(a_ring())
        await device.until(lambda it: len(it.packets) >= 5)

        await device.abort()
        firmware = await device.until(lambda it: it.state == "idle")
        await device.send({"type": "ping"})
        await device.until(lambda it: it.messages[-1]["type"] == "pong")

        assert len(firmware.packets) < 250
        assert firmware.dropped == 0
        assert ("delivered", "rem_1:1") in door.facts.happened
        assert ("heard", "rem_1:1") not in door.facts.happened, "five packets of 250 are not most"


@pytest.mark.parametrize("version", [1, 2, 3], ids=["raw", "sixteen bytes", "four bytes"])
async def test_sound_comes_in_every_framing(version: int) -> None:
    identity = SimulatedIdentity(token=TOKEN, version=version)
    async with devices_door() as door, SimulatedDevice(door.url, identity) as device:
        await door.ring(a_ring())
        firmware = await device.until(lambda it: len(it.packets) == 3)

    assert [packet[0] for packet in firmware.packets] == [0, 1, 2]


async def test_a_gateway_speaks_the_second_framing() -> None:
    identity = SimulatedIdentity(token=TOKEN, version=2, query="from=mqtt_gateway")
    async with devices_door() as door, SimulatedDevice(door.url, identity) as device:
        await door.ring(a_ring())
        await device.until(lambda it: len(it.packets) == 3)

        assert ("online", f"{SPEAKER} gateway") in door.facts.happened


async def test_a_browser_shows_its_token_in_the_query() -> None:
    identity = SimulatedIdentity(token=TOKEN, by_query=True)
    async with devices_door() as door, SimulatedDevice(door.url, identity) as device:
        assert device.firmware.session_id.startswith("ses_")


async def test_a_stranger_is_refused_before_the_upgrade(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with devices_door() as door:
        with pytest.raises(InvalidStatus) as refused:
            await connect(door.url, additional_headers={"Authorization": "Bearer nonsense"})

    assert refused.value.response.status_code == 401
    assert [one.message for one in caplog.records if one.levelname == "ERROR"] == []


async def test_more_devices_than_allowed_are_told_to_come_back() -> None:
    async with devices_door(lines_max=1) as door, SimulatedDevice(door.url, SHOWN):
        with pytest.raises(InvalidStatus) as refused:
            await connect(door.url, additional_headers={"Authorization": "Bearer tok_speaker.2"})

    assert refused.value.response.status_code == 503


async def test_a_device_that_calls_again_and_again_is_slowed_down() -> None:
    async with devices_door() as door:
        seen = set()
        while 429 not in seen:
            with pytest.raises(InvalidStatus) as refused:
                await connect(door.url, additional_headers={"Device-Id": "02:00:00:00:00:99"})
            seen.add(refused.value.response.status_code)

    assert seen == {401, 429}


async def test_the_newest_line_of_a_device_counts() -> None:
    async with (
        devices_door() as door,
        SimulatedDevice(door.url, SHOWN) as first,
        SimulatedDevice(door.url, SHOWN) as second,
    ):
        await first.closed.wait()
        await door.ring(a_ring())
        await second.until(lambda it: it.said != [])

        assert first.close_reason == "replaced by a newer line"
        assert door.facts.online[SPEAKER]


async def test_a_newer_line_goes_on_with_what_the_old_one_was_saying() -> None:
    answer_by = SystemClock().now() + timedelta(minutes=5)
    async with (
        devices_door(voice=ShortVoice(100)) as door,
        SimulatedDevice(door.url, SHOWN) as first,
    ):
        door.facts.keeps_told = False
        await door.ring(a_ring(answer_by=answer_by))
        await first.until(lambda it: it.packets != [])

        async with SimulatedDevice(door.url, SHOWN) as second:
            firmware = await second.until(lambda it: it.packets != [])

        assert firmware.said == ["该吃第1片药了"]


async def test_presence_follows_the_line() -> None:
    async with devices_door() as door:
        async with SimulatedDevice(door.url, SHOWN):
            await door.facts.until(("online", f"{SPEAKER} websocket"))
        await door.facts.until_offline(SPEAKER)

        assert len(door.registry) == 0


async def test_a_device_is_greeted_once_it_counts_as_present() -> None:
    facts = SlowFacts()
    limits = SessionLimits(counted=30)
    async with (
        devices_door(facts=facts, limits=limits) as door,
        connect(door.url, additional_headers=SHOWN.headers()) as socket,
    ):
        await socket.send('{"type": "hello"}')
        greeted = asyncio.create_task(socket.recv())
        await facts.begun.wait()
        await (await socket.ping())  # what was written before has arrived
        before = greeted.done()
        facts.goes_on.set()

        assert json.loads(await greeted)["type"] == "hello"
        assert not before
        assert facts.online == {SPEAKER: True}


async def test_a_device_is_greeted_though_its_presence_cannot_be_kept() -> None:
    facts, limits = SlowFacts(), SessionLimits(counted=0.01)
    async with (
        devices_door(facts=facts, limits=limits) as door,
        SimulatedDevice(door.url, SHOWN) as device,
    ):
        before = dict(door.facts.online)
        facts.goes_on.set()

        assert device.firmware.session_id.startswith("ses_")
        assert before == {}


async def test_a_device_without_a_hello_is_sent_away() -> None:
    async with devices_door(limits=SessionLimits(hello=0.05)) as door:
        socket = await connect(door.url, additional_headers={"Authorization": f"Bearer {TOKEN}"})
        await socket.wait_closed()

    assert (socket.close_code, socket.close_reason) == (1002, "no hello")


async def test_a_message_that_is_too_large_ends_the_line() -> None:
    limits = SessionLimits(malformed=0)
    async with devices_door(limits=limits) as door, SimulatedDevice(door.url, SHOWN) as device:
        await device.send_raw("x" * 70_000)
        await device.closed.wait()

        assert device.close_reason == "not understood"


async def test_a_flood_of_messages_ends_the_line() -> None:
    limits = SessionLimits(messages_per_second=1, burst=50)
    async with devices_door(limits=limits) as door, SimulatedDevice(door.url, SHOWN) as device:
        for _ in range(60):
            await device.send({"type": "ping"})
        await device.closed.wait()

        assert device.close_reason == "too many messages"


async def test_tools_are_asked_for_with_numbers() -> None:
    identity = SimulatedIdentity(token=TOKEN, mcp=True)
    async with devices_door() as door, SimulatedDevice(door.url, identity) as device:
        await device.until(lambda it: len(it.messages) >= 3)
        async with asyncio.timeout(30):
            await door.facts.until(("online", f"{SPEAKER} websocket"))

        asked = [one["payload"] for one in device.firmware.messages if one["type"] == "mcp"]
        assert [one["method"] for one in asked] == [
            "initialize",
            "notifications/initialized",
            "tools/list",
        ]
        assert [one.get("id") for one in asked] == [1, None, 2]


async def test_the_next_session_takes_the_answer_to_what_the_last_one_told() -> None:
    async with devices_door() as door:
        door.facts.keeps_told = False
        answer_by = SystemClock().now() + timedelta(minutes=5)
        async with SimulatedDevice(door.url, SHOWN):
            await door.ring(a_ring(answer_by=answer_by))
            await door.facts.until(("heard", "rem_1:1"))
        await door.facts.until_offline(SPEAKER)

        async with SimulatedDevice(door.url, SHOWN) as second:
            await second.type("吃过了")
            await second.until(lambda it: "好的，记下了。" in it.said)

            assert second.firmware.said == ["好的，记下了。"]
            assert door.facts.waiting == {}
