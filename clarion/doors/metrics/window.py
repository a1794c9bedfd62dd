"""Recent success: the specification's rates, computed from the event log.

Every server follows the whole log, so they all come to the same numbers; a restart begins with
an empty window.
"""

from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from clarion.base.clock import Clock
from clarion.base.events import StoredEvent
from clarion.reminders.model import TEST

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KEPT_MAX = 200_000  # facts; with more, the oldest are dropped
CONFIRMED, UNCONFIRMED = "reminder.confirmed", ("reminder.timeout", "reminder.failed")
ENDED = frozenset({CONFIRMED, *UNCONFIRMED})
TRIGGERED, MOVED = "reminder.triggered", "ring.moved"
TAKEN = frozenset({"ring.sent", "ring.delivered", "ring.heard", "ring.answered"})
WATCHED = frozenset({TRIGGERED, MOVED, *TAKEN, *ENDED})


def is_test(subject: str) -> bool:
    """Tests of a device do not count: nobody has to do anything."""
    return subject.startswith(TEST)


class Fact(NamedTuple):
    at: datetime
    kind: str
    subject: str
    data: Mapping[str, Any]


class Window:
    def __init__(self, clock: Clock, *, rings: timedelta = HOUR, ends: timedelta = DAY) -> None:
        """How far back rings and ends are looked at."""
        self._clock = clock
        self._rings = rings
        self._ends = ends
        self._facts: deque[Fact] = deque(maxlen=KEPT_MAX)

    def heard(self, event: StoredEvent) -> None:
        if event.kind in WATCHED:
            self._facts.append(Fact(event.at, event.kind, event.subject, event.data))

    def success_rate(self) -> float | None:
        """Calls that some device or messenger took, of those begun; None while none was.

        A call is one attempt of one reminder, on however many devices it was tried. After a
        snooze its attempts begin with one again, and are calls of their own.
        """
        latest: dict[str, str] = {}
        calls: dict[str, str] = {}
        begun, taken = set[str](), set[str]()
        for fact in self._since(self._rings):
            ring = str(fact.data.get("ring", ""))
            if fact.kind == TRIGGERED:
                latest[fact.subject] = calls[ring] = ring
                begun.add(ring)
            elif fact.kind == MOVED:
                calls[ring] = latest.setdefault(fact.subject, ring)
                begun.add(calls[ring])
            elif fact.kind in TAKEN and ring in calls:
                taken.add(calls[ring])
        return len(taken) / len(begun) if begun else None

    def confirm_rate(self) -> float | None:
        """Of the reminders that somebody had to confirm and that ended: how many were.

        One that was confirmed after it had been given up counts once, as confirmed.
        """
        last = {
            fact.subject: fact.kind
            for fact in self._since(self._ends)
            if fact.kind in ENDED and fact.data.get("confirm", True) and not is_test(fact.subject)
        }
        said_yes = sum(kind == CONFIRMED for kind in last.values())
        return said_yes / len(last) if last else None

    def retries_most(self) -> float:
        ended = (one for one in self._since(self._rings) if one.kind in ENDED)
        attempts = (one.data.get("attempt") for one in ended)
        return max((float(n) for n in attempts if n), default=0.0)

    def latency(self) -> float | None:
        """Seconds, the 95th of a hundred."""
        calls = (one for one in self._since(self._rings) if one.kind == TRIGGERED)
        late = sorted(float(one.data.get("late") or 0) for one in calls)
        return late[int(0.95 * (len(late) - 1))] if late else None

    def _since(self, within: timedelta) -> list[Fact]:
        since = self._clock.now() - within
        return [fact for fact in self._facts if fact.at >= since]
