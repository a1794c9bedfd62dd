"""Lets devices in and serves them, whatever carries their line."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from clarion.base.ids import new_id
from clarion.doors.devices.ports import Doorman, Guest, Newcomers, Visit, Wire
from clarion.doors.devices.session.session import Session
from clarion.doors.devices.wire.line import DeviceLine, LineServices
from clarion.doors.devices.wire.newcomer import NewcomerLine
from clarion.doors.devices.wire.presence import Presence
from clarion.doors.devices.wire.registry import Registry


@dataclass(frozen=True, slots=True)
class Reception:
    house: LineServices
    doorman: Doorman
    registry: Registry
    presence: Presence
    newcomers: Newcomers | None = None
    language: str = "zh"
    """What is spoken to a device that is nobody's yet."""

    def refusal(self, caller: str) -> HTTPStatus | None:
        """Why nobody is let in now, before anything is asked."""
        if self.registry.is_full:
            return HTTPStatus.SERVICE_UNAVAILABLE
        if not self.registry.callers.may_call(caller, self.house.clock.monotonic()):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None

    async def code_for(self, visit: Visit, address: str) -> str | None:
        """What a device that is nobody's yet has to show; None: it is refused."""
        return await self.newcomers.code(visit, address) if self.newcomers else None

    async def tell_code(self, wire: Wire, incoming: AsyncIterator[str | bytes], code: str) -> None:
        house = self.house
        session_id = new_id("ses", house.clock.now())
        line = NewcomerLine(house.voice, house.settings, self.language, session_id)
        await line.serve(wire, incoming, code)

    async def serve(
        self,
        guest: Guest,
        wire: Wire,
        incoming: AsyncIterator[str | bytes],
        *,
        udp: dict[str, Any] | None = None,
    ) -> None:
        """One session from its first message to its end."""
        house = self.house
        now = house.clock.monotonic()
        session = Session(
            house.settings,
            now,
            language=guest.language,
            tools=guest.tools,
            volume=guest.volume,
            udp=udp,
        )
        line = DeviceLine(house, guest, wire, new_id("ses", house.clock.now()), session)
        line.on_open = self._opened
        if lost := self.registry.get(guest.device_id):
            self._hand_over(lost)
        line.inherit(self.registry.leftovers.take(guest.device_id, house.clock.now()))
        self.registry.add(line)
        try:
            await line.serve(self._until_lost(line, incoming))
        finally:
            if self.registry.remove(line):
                await self.presence.left(guest.device_id, line.door)

    async def _until_lost(
        self, line: DeviceLine, incoming: AsyncIterator[str | bytes]
    ) -> AsyncIterator[str | bytes]:
        """Hand over as soon as the line is lost: the device may be back before all is reported."""
        try:
            async for frame in incoming:
                yield frame
        finally:
            self._hand_over(line)

    def _hand_over(self, line: DeviceLine) -> None:
        self.registry.leftovers.keep(line.guest.device_id, line.hand_over())

    async def _opened(self, line: DeviceLine) -> None:
        self.registry.opened(line)
        await self.presence.came(line.guest.device_id, line.door)
