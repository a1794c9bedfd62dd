"""The last hour in numbers, for small charts: what waits, how long, and what happened.

Kept in memory: a restart begins with an empty hour. For longer, let Prometheus read /metrics.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from fastapi import APIRouter, Response

from clarion.base.clock import Clock
from clarion.base.events import StoredEvent
from clarion.doors.http.auth import Admin
from clarion.doors.http.conventions import PREFIX, Shape, answer_json, said
from clarion.tasks.model import Level
from clarion.tasks.records import Count, Longest, TaskStatus

EVERY = timedelta(seconds=5)
KEPT = 720  # one hour
COUNTED = {
    "reminder.triggered": "rung",
    "reminder.confirmed": "confirmed",
    "reminder.timeout": "timeout",
    "reminder.failed": "failed",
    "reminder.escalated": "escalated",
}


class Numbers(Protocol):
    async def counts(self) -> list[Count]: ...
    async def longest_waiting(self, now: datetime) -> list[Longest]: ...


@dataclass(frozen=True, slots=True)
class Slots:
    """One kind of worker slots in this server."""

    name: str
    slots: int
    busy: int


@dataclass(frozen=True, slots=True)
class Sample:
    at: datetime
    waiting: dict[str, int]
    age: dict[str, float]
    """Seconds by which the task that waits longest is late."""
    dead: int
    running: int
    happened: dict[str, int] = field(default_factory=dict)


class Trends:
    """A pass that looks every few seconds. `heard` is told every event."""

    name = "trends"

    def __init__(
        self, numbers: Numbers, clock: Clock, slots: Callable[[], Sequence[Slots]] = lambda: ()
    ) -> None:
        self._numbers = numbers
        self._clock = clock
        self._happened: Counter[str] = Counter()
        self.slots = slots
        self.samples: deque[Sample] = deque(maxlen=KEPT)

    def heard(self, event: StoredEvent) -> None:
        if name := COUNTED.get(event.kind):
            self._happened[name] += 1

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        self.samples.append(await self.look(now))
        return now + EVERY

    async def look(self, now: datetime) -> Sample:
        counts = await self._numbers.counts()
        longest = await self._numbers.longest_waiting(now)
        happened, self._happened = dict(self._happened), Counter()
        return Sample(
            at=now,
            waiting=waiting(counts),
            age={name_of(one.level): (now - one.due_at).total_seconds() for one in longest},
            dead=sum(one.tasks for one in counts if one.status is TaskStatus.DEAD),
            running=sum(one.tasks for one in counts if one.status is TaskStatus.RUNNING),
            happened=happened,
        )


def waiting(counts: Sequence[Count]) -> dict[str, int]:
    """Due and not begun, by level. Tasks that are due later are not counted."""
    ready = (one for one in counts if one.status is TaskStatus.READY)
    return {name_of(one.level): one.tasks for one in ready}


def name_of(level: Level) -> str:
    return level.name.lower()


class SlotsOut(Shape):
    name: str
    slots: int
    busy: int


class TrendsOut(Shape):
    every: float
    slots: list[SlotsOut]
    items: list[dict[str, Any]]


def trend_routes(trends: Trends) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/trends", tags=["health"])

    @router.get("", response_model=TrendsOut, summary="The last hour in numbers, of this server")
    async def read(_: Admin) -> Response:
        return answer_json(
            {
                "every": EVERY.total_seconds(),
                "slots": [
                    {"name": one.name, "slots": one.slots, "busy": one.busy}
                    for one in trends.slots()
                ],
                "items": [sample_out(one) for one in trends.samples],
            }
        )

    return router


def sample_out(one: Sample) -> dict[str, Any]:
    return {
        "at": said(one.at),
        "waiting": one.waiting,
        "age": {level: round(seconds, 1) for level, seconds in one.age.items()},
        "dead": one.dead,
        "running": one.running,
        **one.happened,
    }
