"""How well it went of late: the specification's rates, from following the event log.

Every server follows the whole log, so they all come to the same numbers; a restart begins with
an empty window.
"""

from collections import deque
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.events import StoredEvent

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KEPT_MAX = 200_000  # facts; beyond that the oldest are let go
CONFIRMED, UNCONFIRMED = "reminder.confirmed", ("reminder.timeout", "reminder.failed")
WATCHED = frozenset({"reminder.triggered", "ring.delivered", CONFIRMED, *UNCONFIRMED})


class Window:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._facts: deque[tuple[datetime, str, float]] = deque(maxlen=KEPT_MAX)

    def heard(self, event: StoredEvent) -> None:
        if event.kind in WATCHED:
            value = event.data.get("late" if event.kind == "reminder.triggered" else "attempt", 0)
            self._facts.append((event.at, event.kind, float(value or 0)))

    def success_rate(self) -> float | None:
        """Rings that a device took, of those that fired; None while none has."""
        fired, taken = self._count("reminder.triggered", HOUR), self._count("ring.delivered", HOUR)
        return min(1.0, taken / fired) if fired else None

    def confirm_rate(self) -> float | None:
        said_yes = self._count(CONFIRMED, DAY)
        nobody_did = sum(self._count(kind, DAY) for kind in UNCONFIRMED)
        return said_yes / (said_yes + nobody_did) if said_yes + nobody_did else None

    def retries_most(self) -> float:
        ended = (CONFIRMED, *UNCONFIRMED)
        return max((n for kind in ended for n in self._values(kind, HOUR)), default=0.0)

    def latency(self) -> float | None:
        """Seconds, the 95th of a hundred."""
        late = sorted(self._values("reminder.triggered", HOUR))
        return late[int(0.95 * (len(late) - 1))] if late else None

    def _count(self, kind: str, within: timedelta) -> int:
        return len(self._values(kind, within))

    def _values(self, kind: str, within: timedelta) -> list[float]:
        since = self._clock.now() - within
        return [value for at, each, value in self._facts if each == kind and at >= since]
