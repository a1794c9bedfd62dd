"""How well it went of late: the specification's rates, from following the event log.

Every server follows the whole log, so they all come to the same numbers; a restart begins with
an empty window.
"""

from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from clarion.base.clock import Clock
from clarion.base.events import StoredEvent

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KEPT_MAX = 200_000  # facts; beyond that the oldest are let go
CONFIRMED, UNCONFIRMED = "reminder.confirmed", ("reminder.timeout", "reminder.failed")
ENDED = frozenset({CONFIRMED, *UNCONFIRMED})
TRIGGERED, MOVED = "reminder.triggered", "ring.moved"
TAKEN = frozenset({"ring.sent", "ring.delivered", "ring.heard", "ring.answered"})
WATCHED = frozenset({TRIGGERED, MOVED, *TAKEN, *ENDED})


class Fact(NamedTuple):
    at: datetime
    kind: str
    subject: str
    data: Mapping[str, Any]


class Window:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._facts: deque[Fact] = deque(maxlen=KEPT_MAX)

    def heard(self, event: StoredEvent) -> None:
        if event.kind in WATCHED:
            self._facts.append(Fact(event.at, event.kind, event.subject, event.data))

    def success_rate(self) -> float | None:
        """Calls that some device or messenger took, of those begun; None while none was.

        A call is one attempt of one reminder, on however many devices it was tried.
        """
        calls: dict[str, tuple[str, int]] = {}
        begun, taken = set[tuple[str, int]](), set[tuple[str, int]]()
        for fact in self._since(HOUR):
            ring = str(fact.data.get("ring", ""))
            if fact.kind in (TRIGGERED, MOVED):
                calls[ring] = fact.subject, int(fact.data.get("attempt", 0))
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
            for fact in self._since(DAY)
            if fact.kind in ENDED and fact.data.get("confirm", True)
        }
        said_yes = sum(kind == CONFIRMED for kind in last.values())
        return said_yes / len(last) if last else None

    def retries_most(self) -> float:
        attempts = (one.data.get("attempt") for one in self._since(HOUR) if one.kind in ENDED)
        return max((float(n) for n in attempts if n), default=0.0)

    def latency(self) -> float | None:
        """Seconds, the 95th of a hundred."""
        rung = (one for one in self._since(HOUR) if one.kind == TRIGGERED)
        late = sorted(float(one.data.get("late") or 0) for one in rung)
        return late[int(0.95 * (len(late) - 1))] if late else None

    def _since(self, within: timedelta) -> list[Fact]:
        since = self._clock.now() - within
        return [fact for fact in self._facts if fact.at >= since]
