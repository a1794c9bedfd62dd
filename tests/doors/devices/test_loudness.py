"""What must not be missed is said loudly, and the device is as loud as before afterwards."""

import json
from typing import Any

import pytest

from clarion.doors.devices.session.tools import LOUD, volume_in
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from tests.support.devices import TOKEN, ShortVoice, a_ring, devices_door

SHOWN = SimulatedIdentity(token=TOKEN, mcp=True)


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
