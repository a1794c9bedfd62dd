"""The demo's simulated devices, connected to the real door: they ring and answer."""

import asyncio
import itertools
import logging
from datetime import timedelta

from clarion.access.tokens import TokenKind
from clarion.app.demo.household import ANA, ANSWERS, GRANDMOTHER
from clarion.app.running import Clarion
from clarion.base.ids import DeviceId, UserId
from clarion.doors.devices.simulator import (
    Firmware,
    NoChannel,
    SimulatedDevice,
    SimulatedIdentity,
)

log = logging.getLogger(__name__)

ROOMS = (
    (DeviceId("kitchen-speaker"), GRANDMOTHER, "zh"),
    (DeviceId("bedroom-speaker"), GRANDMOTHER, "zh"),
    (DeviceId("ana-desk"), ANA, "en"),
)
TOKEN_LIFE = timedelta(days=1)
A_LONG_TIME = 10 * 365 * 86_400.0  # seconds: until the demo ends
PATH = "/xiaozhi/v1/"


class Residents:
    """Somebody sits beside each device, hears what it says to the end, and answers."""

    name = "demo-residents"

    def __init__(self, clarion: Clarion) -> None:
        self._clarion = clarion

    async def run(self) -> None:
        await self._clarion.listening()
        async with asyncio.TaskGroup() as group:
            for device_id, user_id, language in ROOMS:
                group.create_task(self._sit(device_id, user_id, language), name=device_id)

    async def _sit(self, device_id: DeviceId, user_id: UserId, language: str) -> None:
        access = self._clarion.parts.access
        assert access is not None, "a Clarion that listens knows who asks"
        made = await access.issue(
            TokenKind.DEVICE, user_id=user_id, device_id=device_id, name="demo", life=TOKEN_LIFE
        )
        identity = SimulatedIdentity(token=made.text, device_id=device_id)
        url = self._clarion.url.replace("http", "ws", 1) + PATH
        try:
            async with SimulatedDevice(url, identity, auto_listen=True) as device:
                await answer(device, ANSWERS[language])
        except (NoChannel, OSError) as error:
            # A demo with a silent room is better to look at than none.
            log.info("a device of the demo went away: %s", error, extra={"device": device_id})


async def answer(device: SimulatedDevice, words: tuple[str, ...]) -> None:
    """Until the line is closed: wait for a question, say yes."""
    for said in itertools.cycle(words):
        await device.until(is_asked, A_LONG_TIME)
        if device.closed.is_set():
            return
        await device.type(said)
        await device.until(lambda firmware: not is_asked(firmware), A_LONG_TIME)


def is_asked(firmware: Firmware) -> bool:
    """It has spoken and listens; or there is no line any more."""
    return firmware.state in ("listening", "closed")
