"""Which devices have a line open to this server. One line a device: the newest counts."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.ids import DeviceId
from clarion.doors.devices.ports import Directory
from clarion.doors.devices.session.leftovers import Leftovers
from clarion.doors.devices.session.limits import Callers
from clarion.doors.devices.wire.line import DeviceLine


class Registry:
    """Open lines, how many there may be, and how often one caller may ring the bell."""

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
            # Its device has lost that line and does not know, or we do not know yet.
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
    """A `Pass`. Whoever was let in long ago is asked for again now and then."""

    name = "device standing"

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
