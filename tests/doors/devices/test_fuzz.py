"""Fifty thousand frames that nobody should send: no crash, no leak, and the door stays open."""

import asyncio
import gc
import json
import logging
import random
import weakref
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from clarion.base.clock import SystemClock
from clarion.doors.devices.ports import Guest
from clarion.doors.devices.session import codec
from clarion.doors.devices.session.limits import DOWNLINK, SessionLimits, SessionSettings
from clarion.doors.devices.session.session import Session
from clarion.doors.devices.session.words import is_wake_word
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.doors.devices.wire.line import DeviceLine, LineServices
from tests.support.devices import (
    ANA,
    SPEAKER,
    TOKEN,
    Echo,
    MemoryDirectory,
    MemoryFacts,
    ShortVoice,
    a_ring,
    devices_door,
    says_yes,
)

GOOD: list[dict[str, Any]] = [
    {"type": "hello", "version": 1, "features": {"mcp": True}, "audio_params": {}},
    {"type": "listen", "state": "start", "mode": "auto"},
    {"type": "listen", "state": "stop"},
    {"type": "listen", "state": "detect", "text": "吃过了"},
    {"type": "abort", "reason": "wake_word_detected"},
    {"type": "mcp", "payload": {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}},
    {"type": "iot", "states": []},
    {"type": "ping"},
]
JUNK: list[Any] = [None, True, -1, 2**70, 1.5, "", "x" * 3_000, [], {}, [[]], {"id": "1"}, "\ud800"]
PATIENT = SessionLimits(malformed=10**9, messages_per_second=1e9, burst=1e9)
LINES, FRAMES = 100, 500


def mutated(dice: random.Random) -> str | bytes:
    """A good message with something wrong in it, or plain noise."""
    kind = dice.randrange(6)
    if kind == 0:
        return dice.randbytes(dice.randrange(5_000))
    if kind == 1:
        packet = dice.randbytes(dice.randrange(1, 300))
        return codec.audio_frame(packet, dice.choice((1, 2, 3)))[dice.randrange(3) :]
    message = dict(dice.choice(GOOD))
    if kind == 2:
        message[dice.choice([*message, "extra"])] = dice.choice(JUNK)
    text = json.dumps(message)
    if kind == 3:
        place = dice.randrange(len(text))
        return text[:place] + chr(dice.randrange(1, 0x3000)) + text[place + 1 :]
    return text[: dice.randrange(1, len(text) + 1)] if kind == 4 else text


async def noise(dice: random.Random, count: int) -> AsyncIterator[str | bytes]:
    yield json.dumps(GOOD[0])
    for number in range(count):
        if number % 50 == 0:
            await asyncio.to_thread(int)  # let the line report and speak
        yield mutated(dice)


class Sink:
    door = "test"
    lead = 0.0

    def __init__(self, version: int) -> None:
        self.version = version

    def agree(self, version: int) -> None:
        return None

    async def ready(self) -> bool:
        return True

    async def send(self, message: dict[str, Any]) -> None:
        json.dumps(message)

    async def send_audio(self, packet: bytes, at_ms: int) -> None:
        assert packet

    async def close(self, code: int, reason: str) -> None:
        return None


async def one_line(dice: random.Random, version: int) -> "weakref.ref[DeviceLine]":
    clock = SystemClock()
    facts = MemoryFacts()
    ring = a_ring()
    facts.waiting[ring.id] = ring
    settings = SessionSettings(PATIENT, DOWNLINK, "1", says_yes, is_wake_word)
    house = LineServices(facts, Echo(), MemoryDirectory(), clock, ShortVoice(), None, settings)
    session = Session(settings, clock.monotonic())
    line = DeviceLine(house, Guest(SPEAKER, ANA), Sink(version), "ses_1", session)
    await line.serve(noise(dice, FRAMES))
    return weakref.ref(line)


@pytest.mark.timeout(120)
async def test_fifty_thousand_broken_frames_break_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    dice = random.Random(20300107)
    await one_line(dice, 1)  # what is loaded once is no leak
    gc.collect()
    before = len(gc.get_objects())

    lines = [await one_line(dice, 1 + number % 3) for number in range(LINES)]
    await asyncio.to_thread(int)  # what was cancelled last ends
    gc.collect()
    grown = len(gc.get_objects()) - before

    assert [line for line in lines if line() is not None] == []
    assert len(asyncio.all_tasks()) == 1
    assert grown < 1_000
    assert [record.getMessage() for record in caplog.records] == []


async def test_the_door_stays_open_for_others_while_somebody_sends_noise() -> None:
    dice = random.Random(7)
    async with devices_door() as door:
        for number in range(30):
            with suppress(ConnectionClosed, InvalidStatus):
                identity = SimulatedIdentity(token=f"tok_speaker.{number}", device_id=f"m{number}")
                async with SimulatedDevice(door.url, identity) as rude:
                    for _ in range(60):
                        await rude.send_raw(mutated(dice))

        async with SimulatedDevice(door.url, SimulatedIdentity(token=TOKEN)) as device:
            await door.ring(a_ring())
            firmware = await device.until(lambda it: it.said != [])

        assert firmware.said == ["该吃第1片药了"]
        assert len(door.registry) <= 1
