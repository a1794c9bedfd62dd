"""Admits devices and serves them over any transport. One connection per device: the newest."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from clarion.base.clock import Clock
from clarion.base.ids import DeviceId, new_id
from clarion.doors.devices.ports import Directory, Doorman, Guest, Newcomers, Visit, Wire
from clarion.doors.devices.session.leftovers import Leftovers
from clarion.doors.devices.session.limits import Callers
from clarion.doors.devices.session.session import Session
from clarion.doors.devices.wire.line import DeviceLine, LineServices
from clarion.doors.devices.wire.newcomer import NewcomerLine
from clarion.doors.devices.wire.presence import Presence


class Registry:
    """Open connections, how many there may be, and how often one caller may connect."""

    def __init__(self, lines_max: int = 5_000) -> None:
        self._lines_max = lines_max
        self._lines: dict[DeviceId, DeviceLine] = {}
        self.callers = Callers()
        self.leftovers = Leftovers()
        self._listeners: list[Callable[[DeviceLine], None]] = []

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[DeviceLine]:
        return iter(tuple(self._lines.values()))

    @property
    def is_full(self) -> bool:
        return len(self._lines) >= self._lines_max

    def on_open(self, listener: Callable[[DeviceLine], None]) -> None:
        """Told when a device has said hello."""
        self._listeners.append(listener)

    def get(self, device_id: DeviceId) -> DeviceLine | None:
        return self._lines.get(device_id)

    def add(self, line: DeviceLine) -> None:
        before = self._lines.get(line.guest.device_id)
        self._lines[line.guest.device_id] = line
        if before is not None:
            # The old connection is dead, and one of the two sides has not noticed yet.
            before.close("replaced by a newer line")

    def opened(self, line: DeviceLine) -> None:
        for listener in self._listeners:
            listener(line)

    def remove(self, line: DeviceLine) -> bool:
        """True when this was the device's line, and now it has none."""
        if self._lines.get(line.guest.device_id) is not line:
            return False
        del self._lines[line.guest.device_id]
        return True

    def close_all(self, reason: str) -> None:
        for line in self:
            line.close(reason)


LOOK_EVERY = timedelta(seconds=30)


class ConnectionReports:
    """A `Pass`. Devices that were admitted long ago are checked again now and then."""

    name = "device connections"

    def __init__(self, registry: Registry, directory: Directory, clock: Clock) -> None:
        self._registry = registry
        self._directory = directory
        self._clock = clock

    async def run_once(self) -> datetime | None:
        for line in self._registry:
            device = await self._directory.device(line.guest.device_id)
            if device is None or not device.enabled or device.user_id != line.guest.user_id:
                line.close("this device is not let in any more")
        return self._clock.now() + LOOK_EVERY


@dataclass(frozen=True, slots=True)
class Reception:
    services: LineServices
    doorman: Doorman
    registry: Registry
    presence: Presence
    newcomers: Newcomers | None = None
    language: str = "zh"
    """What is spoken to a device that is nobody's yet."""

    def refusal(self, caller: str) -> HTTPStatus | None:
        """Why no device is admitted now, checked before anything else."""
        if self.registry.is_full:
            return HTTPStatus.SERVICE_UNAVAILABLE
        if not self.registry.callers.may_call(caller, self.services.clock.monotonic()):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None

    async def code_for(self, visit: Visit, address: str) -> str | None:
        """The code that a device without an owner has to show; None: it is refused."""
        return await self.newcomers.code(visit, address) if self.newcomers else None

    async def tell_code(self, wire: Wire, incoming: AsyncIterator[str | bytes], code: str) -> None:
        services = self.services
        session_id = new_id("ses", services.clock.now())
        line = NewcomerLine(services.voice, services.settings, self.language, session_id)
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
        services = self.services
        now = services.clock.monotonic()
        session = Session(
            services.settings,
            now,
            language=guest.language,
            tools=guest.tools,
            volume=guest.volume,
            udp=udp,
        )
        line = DeviceLine(services, guest, wire, new_id("ses", services.clock.now()), session)
        line.on_open = self._opened
        if lost := self.registry.get(guest.device_id):
            self._hand_over(lost)
        line.inherit(self.registry.leftovers.take(guest.device_id, services.clock.now()))
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
        await self.presence.came(line.guest.device_id, line.door, line.counted.set)
