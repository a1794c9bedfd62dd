"""What must not be missed is said loudly, and the device is as loud as before afterwards."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from clarion.doors.devices.session.codec import Hello
from clarion.doors.devices.session.session import Session
from clarion.doors.devices.session.tools import LOUD, RAISE_SECONDS_MAX, volume_in
from clarion.doors.devices.simulator import TOOLS, SimulatedDevice, SimulatedIdentity
from tests.support.devices import TOKEN, ShortVoice, a_ring, devices_door
from tests.support.sessions import MANNER, spoken_texts

SHOWN = SimulatedIdentity(token=TOKEN, mcp=True)


def noted(frames: list[int], device: Callable[[], SimulatedDevice]) -> Callable[[Any], None]:
    """Notes how many frames had come when the volume was raised."""

    def note(message: dict[str, Any]) -> None:
        params = message.get("payload", {}).get("params", {})
        if params.get("arguments") == {"volume": LOUD}:
            frames.append(len(device().firmware.packets) + device().firmware.dropped)

    return note


async def told(ring: Any, volume: int = 40) -> SimulatedDevice:
    async with (
        devices_door(voice=ShortVoice(10)) as door,
        SimulatedDevice(door.url, SHOWN) as device,
    ):
        device.firmware.volume = volume
        await device.until(lambda it: any("tools/list" in str(one) for one in it.messages))
        await device.send({"type": "ping"})
        await device.until(lambda it: it.messages[-1]["type"] == "pong")
        await door.ring(ring)
        await device.until(lambda it: it.said != [] and it.state == "idle")
        await device.send({"type": "ping"})
        await device.until(lambda it: it.messages[-1]["type"] == "pong")
        return device


@pytest.mark.parametrize(
    "ring", [a_ring(critical=True), a_ring(attempt=3)], ids=["critical", "the third time"]
)
async def test_what_must_not_be_missed_is_loud_and_then_it_is_as_before(ring: Any) -> None:
    device = await told(ring)

    assert device.firmware.volumes == [LOUD, 40]


async def test_an_ordinary_ring_is_as_loud_as_the_person_likes_it() -> None:
    device = await told(a_ring())

    assert device.firmware.volumes == []


async def test_a_device_that_is_loud_is_left_alone() -> None:
    device = await told(a_ring(critical=True), volume=95)

    assert device.firmware.volumes == []


async def test_a_word_in_between_puts_the_volume_back() -> None:
    async with (
        devices_door(voice=ShortVoice(100)) as door,
        SimulatedDevice(door.url, SHOWN) as device,
    ):
        await device.until(lambda it: any("tools/list" in str(one) for one in it.messages))
        await device.send({"type": "ping"})
        await device.until(lambda it: it.messages[-1]["type"] == "pong")
        await door.ring(a_ring(critical=True))
        await device.until(lambda it: it.volumes == [LOUD])

        await device.abort()
        await device.until(lambda it: it.volumes == [LOUD, 70])


@pytest.mark.parametrize("attempt", range(5))
async def test_a_woken_device_is_loud_before_the_first_frame(attempt: int) -> None:
    """What it can do is known from its last session: nobody waits for its list of tools."""
    heard_before: list[int] = []
    async with devices_door(voice=ShortVoice(10)) as door:
        door.guest = replace(door.guest, tools=frozenset(TOOLS))
        await door.wait_for(a_ring(critical=True))
        device = SimulatedDevice(door.url, SHOWN, on_message=noted(heard_before, lambda: device))
        async with device:
            await device.until(lambda it: it.said != [] and it.state == "idle")
            await device.send({"type": "ping"})
            await device.until(lambda it: it.messages[-1]["type"] == "pong")

    assert heard_before == [0], "the volume was set before any frame came"
    assert device.firmware.volumes == [LOUD, 70]
    assert {"volume_before": None} in door.directory.learnt


async def test_a_device_that_never_says_how_loud_it_is_speaks_all_the_same() -> None:
    session = Session(MANNER, 0, tools=frozenset(TOOLS))
    session.heard(Hello(has_mcp=True), 0)
    first = session.take([a_ring(critical=True)], 0)

    assert spoken_texts(first) == []
    assert session.next_tick() == RAISE_SECONDS_MAX
    assert spoken_texts(session.tick(RAISE_SECONDS_MAX)) == [a_ring().text]


async def test_a_session_that_was_cut_while_it_was_loud_is_put_right_by_the_next() -> None:
    async with devices_door(voice=ShortVoice(200)) as door:
        door.guest = replace(door.guest, tools=frozenset(TOOLS))
        async with SimulatedDevice(door.url, SHOWN) as device:
            await door.ring(a_ring(critical=True))
            await device.until(lambda it: it.volumes == [LOUD])
            await device.until(lambda it: it.packets != [])
            device.cut()
        kept = [one for one in door.directory.learnt if "volume_before" in one]
        assert kept == [{"volume_before": 70}]

        door.guest = replace(door.guest, volume=70)
        async with SimulatedDevice(door.url, SHOWN) as device:
            await device.until(lambda it: it.volumes[:1] == [70])


@pytest.mark.parametrize(
    "status",
    [
        None,
        {"content": []},
        {"content": ["x"]},
        {"content": [{"type": "text"}]},
        {"content": [{"type": "text", "text": "{"}]},
        {"content": [{"type": "text", "text": "[]"}]},
        {"content": [{"type": "text", "text": json.dumps({"audio_speaker": 3})}]},
        {"content": [{"type": "text", "text": json.dumps({"audio_speaker": {"volume": True}})}]},
        {"content": [{"type": "text", "text": json.dumps({"audio_speaker": {"volume": 200}})}]},
    ],
)
def test_a_status_that_says_nothing_of_it_is_no_volume(status: dict[str, Any] | None) -> None:
    assert volume_in(status or {}) is None
