"""Which devices have a line open to this server. One line a device: the newest counts."""

from collections.abc import Callable, Iterator

from clarion.base.ids import DeviceId
from clarion.doors.devices.leftovers import Leftovers
from clarion.doors.devices.limits import Callers
from clarion.doors.devices.line import Line


class Registry:
    """Open lines, how many there may be, and how often one caller may ring the bell."""

    def __init__(self, lines_max: int = 5_000) -> None:
        self._lines_max = lines_max
        self._lines: dict[DeviceId, Line] = {}
        self.callers = Callers()
        self.leftovers = Leftovers()
        self._listeners: list[Callable[[Line], None]] = []

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Line]:
        return iter(tuple(self._lines.values()))

    @property
    def is_full(self) -> bool:
        return len(self._lines) >= self._lines_max

    def on_open(self, listener: Callable[[Line], None]) -> None:
        """Told when a device has said hello."""
        self._listeners.append(listener)

    def get(self, device_id: DeviceId) -> Line | None:
        return self._lines.get(device_id)

    def add(self, line: Line) -> None:
        before = self._lines.get(line.guest.device_id)
        self._lines[line.guest.device_id] = line
        if before is not None:
            # Its device has lost that line and does not know, or we do not know yet.
            before.close("replaced by a newer line")

    def opened(self, line: Line) -> None:
        for listener in self._listeners:
            listener(line)

    def remove(self, line: Line) -> bool:
        """True when this was the device's line, and now it has none."""
        if self._lines.get(line.guest.device_id) is not line:
            return False
        del self._lines[line.guest.device_id]
        return True

    def close_all(self, reason: str) -> None:
        for line in self:
            line.close(reason)
