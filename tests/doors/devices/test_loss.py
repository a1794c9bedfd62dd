"""The socket is lost at every message of a session: nothing is lost, nothing told twice in one."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from clarion.base.clock import SystemClock
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from tests.support.devices import SPEAKER, TOKEN, a_ring, devices_door

SHOWN = SimulatedIdentity(token=TOKEN, persistent=False)
MESSAGES = ["llm", "tts start", "tts sentence_start", "packet", "tts stop", "stt", "reply start"]


def name_of(message: dict[str, Any], replied: bool) -> str:
    kind = f"{message['type']} {message.get('state', '')}".strip()
    return "reply start" if replied and kind == "tts start" else kind


class Cutter:
    """Pulls the plug when the named message arrives."""

    def __init__(self, url: str, at: str) -> None:
        self._at = at
        self._answered = False
        self.device = SimulatedDevice(
            url, SHOWN, on_message=self._message, on_packet=lambda _packet: self._cut("packet")
        )

    def _message(self, message: dict[str, Any]) -> None:
        self._answered = self._answered or message["type"] == "stt"
        self._cut(name_of(message, self._answered))

    def _cut(self, name: str) -> None:
        if name == self._at:
            self.device.cut()

    async def live(self) -> None:
        """Hear the ring out and answer, as far as the line lives."""
        await self.device.open()
        until_told = self.device.until(
            lambda it: it.state == "closed" or (it.said != [] and it.state == "idle")
        )
        await until_told
        with suppress(ConnectionClosed):
            await self.device.type("吃过了")
        await self.device.closed.wait()


@pytest.mark.parametrize("keeps_told", [True, False], ids=["waits until answered", "told once"])
@pytest.mark.parametrize("at", MESSAGES)
async def test_a_lost_line_loses_no_reminder_and_tells_it_once_a_session(
    at: str, keeps_told: bool
) -> None:
    async with devices_door() as door:
        door.facts.keeps_told = keeps_told
        ring = a_ring(answer_by=SystemClock().now() + timedelta(minutes=5))
        door.facts.waiting[ring.id] = ring
        first = Cutter(door.url, at)
        await first.live()
        await door.facts.until_offline(SPEAKER)
        confirmed_in_first = ring.id not in door.facts.waiting

        async with SimulatedDevice(door.url, SHOWN) as second:
            if not confirmed_in_first:
                await second.type("吃过了")
                await second.until(lambda it: "好的，记下了。" in it.said)

        assert ring.id not in door.facts.waiting
        assert first.device.firmware.said.count(ring.text) <= 1
        assert second.firmware.said.count(ring.text) <= 1


@pytest.mark.parametrize("at", MESSAGES[:4])
async def test_what_was_cut_off_is_told_again_in_the_next_session(at: str) -> None:
    async with devices_door() as door:
        door.facts.keeps_told = False
        ring = a_ring(answer_by=SystemClock().now() + timedelta(minutes=5))
        door.facts.waiting[ring.id] = ring
        await Cutter(door.url, at).live()
        await door.facts.until_offline(SPEAKER)

        async with SimulatedDevice(door.url, SHOWN) as second:
            firmware = await second.until(lambda it: it.said != [] and it.state == "idle")

        assert firmware.said == [ring.text]
        assert ("heard", ring.id) in door.facts.happened


async def test_an_answer_that_was_on_its_way_counts_though_the_line_is_gone() -> None:
    async with devices_door() as door:
        async with SimulatedDevice(door.url, SHOWN) as device:
            await door.ring(a_ring())
            await device.until(lambda it: it.said != [] and it.state == "idle")
            await device.type("吃过了")
            device.cut()
        async with asyncio.timeout(30):
            await door.facts.until(("answered", "rem_1:1 吃过了"))

        assert door.facts.waiting == {}
