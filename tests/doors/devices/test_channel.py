"""The way out: into an open session, through a wake-up, or to the server that has the line."""

import asyncio

import pytest

from clarion.base.clock import ManualClock, SystemClock
from clarion.base.ids import DeviceId
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.doors.devices.wake.channel import DeviceChannel
from clarion.doors.devices.wake.neighbours import Neighbours
from clarion.doors.devices.wake.wake import Wakes
from clarion.doors.devices.wire.presence import SILENT_AFTER, Absence, Presence
from clarion.doors.devices.wire.registry import ConnectionReports, Registry
from clarion.people.model import Device
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import Ring, RingId
from tests.support.devices import (
    SPEAKER,
    TOKEN,
    Door,
    MemoryFacts,
    a_device,
    a_ring,
    devices_door,
)

SHOWN = SimulatedIdentity(token=TOKEN)


class Doorbell:
    """A driver that notes what it was asked, and wakes or does not."""

    def __init__(self, name: str, *, works: bool = True) -> None:
        self.name = name
        self.works = works
        self.woken: list[str] = []
        self.asked = asyncio.Event()

    def reaches(self, device: Device) -> bool:
        return True

    async def wake(self, ring: Ring) -> bool:
        self.woken.append(ring.id)
        self.asked.set()
        return self.works

    async def tell(self, device: Device, text: str) -> bool:
        self.woken.append(text)
        return self.works

    async def hush(self, device: Device, ring_id: RingId) -> None:
        self.woken.append(f"hush {ring_id}")


async def test_a_device_without_a_line_and_without_a_way_is_unreachable() -> None:
    async with devices_door() as door:
        with pytest.raises(Unreachable):
            await door.channel.ring(a_ring())
        with pytest.raises(Unreachable):
            await door.channel.say(a_device(), "你好")


async def test_the_next_way_is_tried_when_one_fails() -> None:
    first, second = Doorbell("first", works=False), Doorbell("second")
    async with devices_door(drivers=[first, second]) as door:
        await door.ring(a_ring())
        await second.asked.wait()
        async with SimulatedDevice(door.url, SHOWN) as device:
            await device.until(lambda it: it.said != [])

        assert (first.woken, second.woken) == (["rem_1:1"], ["rem_1:1"])
        assert len(door.wakes) == 0


async def test_ringing_twice_wakes_once() -> None:
    bell = Doorbell("bell")
    async with devices_door(drivers=[bell]) as door:
        await door.ring(a_ring())
        await door.ring(a_ring())
        await bell.asked.wait()

        assert bell.woken == ["rem_1:1"]


async def test_only_a_session_counts_as_woken() -> None:
    async with devices_door(drivers=[Doorbell("bell")], patience=0.05) as door:
        await door.ring(a_ring())

        await door.facts.until(("unreachable", "rem_1:1 not_woken"))


async def test_what_was_settled_while_waking_is_not_told() -> None:
    bell = Doorbell("bell")
    async with devices_door(drivers=[bell], patience=0.3) as door:
        await door.ring(a_ring())
        await bell.asked.wait()
        del door.facts.waiting[a_ring().id]

        await door.channel.hush(a_device(), a_ring().id)
        async with SimulatedDevice(door.url, SHOWN) as device:
            await device.type("你好")
            firmware = await device.until(lambda it: it.said != [])

        assert firmware.said == ["你说了你好"]
        assert bell.woken == ["rem_1:1", "hush rem_1:1"]


async def test_hush_silences_a_device_in_the_middle_of_a_word() -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        await door.ring(a_ring(text="很长的一句话。" * 100))
        await device.until(lambda it: it.packets != [])

        await door.channel.hush(a_device(), a_ring().id)
        firmware = await device.until(lambda it: it.state == "idle")

        assert len(firmware.said) < 100


async def test_a_remark_is_said_or_shown() -> None:
    bell = Doorbell("bell")
    async with devices_door(drivers=[bell]) as door:
        await door.channel.say(a_device(), "药盒快空了")
        async with SimulatedDevice(door.url, SHOWN) as device:
            await door.channel.say(a_device(), "记得买药")
            await device.until(lambda it: it.said == ["记得买药"])

        assert bell.woken == ["药盒快空了"]


def towards(door: Door) -> Neighbours:
    """Of a server without lines, next to the one that has this door; each word comes twice."""
    there = Neighbours(door.registry, door.wakes, nothing)

    async def send(text: str) -> None:
        there.hear(text)
        there.hear(text)

    return Neighbours(Registry(), Wakes(), send)


async def nothing(_text: str) -> None:
    raise AssertionError("nobody was to be told")


async def test_a_remark_finds_the_server_that_has_the_line_and_is_said_once() -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        here = DeviceChannel(Registry(), Wakes(), towards(door))

        await here.say(a_device(), "记得买药")
        await here.say(a_device(), "早点休息")
        firmware = await device.until(lambda it: "早点休息" in it.said)

        assert firmware.said == ["记得买药", "早点休息"]


async def test_a_ring_that_was_settled_is_hushed_at_the_server_that_has_the_line() -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        here = DeviceChannel(Registry(), Wakes(), towards(door))
        await door.ring(a_ring(text="很长的一句话。" * 100))
        await device.until(lambda it: it.packets != [])

        await here.hush(a_device(), a_ring().id)
        firmware = await device.until(lambda it: it.state == "idle")

        assert len(firmware.said) < 100


async def test_a_device_that_is_nowhere_is_unreachable_for_all() -> None:
    async with devices_door() as door:
        here = DeviceChannel(Registry(), Wakes(), towards(door))

        with pytest.raises(Unreachable):
            await here.say(a_device(online=False), "记得买药")


@pytest.mark.parametrize("text", ["", "{", "[]", "[1,2,3,4]", '["a","look"]', '["a","b","c","d"]'])
async def test_words_of_other_versions_are_ignored(text: str) -> None:
    Neighbours(Registry(), Wakes(), nothing).hear(text)


async def test_a_ring_finds_the_server_that_has_the_line() -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        here = DeviceChannel(Registry(), Wakes(), towards(door))
        ring = a_ring()
        door.facts.waiting[ring.id] = ring

        await here.ring(ring)
        firmware = await device.until(lambda it: it.said != [])

        assert firmware.said == [ring.text]


async def test_presence_is_refreshed_and_told_only_when_it_changes(clock: ManualClock) -> None:
    facts = MemoryFacts()
    presence = Presence(facts, clock)

    await presence.came(SPEAKER, "websocket")
    await presence.came(SPEAKER, "mqtt")
    await presence.left(SPEAKER, "websocket")
    await presence.left(SPEAKER, "websocket")
    clock.advance(SILENT_AFTER)
    await presence.run_once()
    await presence.left(SPEAKER, "mqtt")

    assert facts.happened == [
        ("online", f"{SPEAKER} websocket"),
        ("online", f"{SPEAKER} mqtt"),
        ("online", f"{SPEAKER} mqtt"),
        ("offline", f"{SPEAKER} mqtt"),
    ]


async def test_devices_of_a_server_that_died_are_noticed(clock: ManualClock) -> None:
    facts = MemoryFacts()
    presence = Presence(facts, clock)
    await presence.came(DeviceId("dev_here"), "websocket")

    async def silent_since(_before: object) -> list[DeviceId]:
        return [SPEAKER, DeviceId("dev_here")]

    await Absence(silent_since, presence, facts, clock).run_once()

    assert facts.online == {DeviceId("dev_here"): True, SPEAKER: False}


@pytest.mark.parametrize(
    "known",
    [[], [a_device(enabled=False)], [a_device(user_id="boris")]],
    ids=["removed", "switched off", "given away"],
)
async def test_a_device_that_may_not_stay_is_sent_away(known: list[Device]) -> None:
    async with devices_door() as door, SimulatedDevice(door.url, SHOWN) as device:
        standing = ConnectionReports(door.registry, door.directory, SystemClock())
        await standing.run_once()
        assert not device.closed.is_set()

        door.directory.devices = {one.id: one for one in known}
        await standing.run_once()
        await device.closed.wait()

        assert device.close_reason == "this device is not let in any more"
