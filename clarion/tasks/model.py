"""What a unit of durable work is, what its priority is worth, what may begin. Plain values."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any

from clarion.base.ids import Belonging, TaskId, traceparent

SHARES = "clarion_shares"
"""The name under which a connection to the database carries its `Shares`."""
A_POINT = timedelta(seconds=120)  # Base + WaitMinutes × 0.5: one point is two minutes of waiting


class Level(IntEnum):
    """The named priorities; any whole number from 0 to 100 is a priority."""

    BULK = 0
    NORMAL = 10
    HIGH = 50
    CRITICAL = 100


_urgency: ContextVar[int] = ContextVar("urgency", default=Level.NORMAL)


def urgency(level: int) -> Belonging[int]:
    """The level of the work inside; the database serves what is urgent first."""
    return Belonging(_urgency, level)


def is_urgent() -> bool:
    return _urgency.get() >= Level.HIGH


class Queue(StrEnum):
    """Where a task waits. The names are those of the BullMQ queues in the cluster profile."""

    REMINDERS = "reminders"
    RETRIES = "reminders-retries"
    DEAD = "reminders-dead"
    MESSAGES = "messages"
    DISPATCH = "dispatch"
    CHORES = "chores"


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do at or after `due_at`.

    `key`: while a task with this key waits, adding another one changes nothing. Once it has
    begun, another one may be added, also by its own handler: a wake-up is never lost.
    `source`: the chat, user or token it belongs to. A source with many waiting tasks delays only
    its own: see `Shares`. The waiting tasks of one source can be re-ranked together.
    `weight`: how large a share its source has; None: the share of its level.
    `control`: something that a person does right now: a command, a button, an answer. It has
    slots of its own and waits behind no backlog, not even its source's.
    `unique_for`: for this long after a task with this key was added, adding another one changes
    nothing, even if the first has ended.
    `trace`: the trace it belongs to; by default the trace of the code that makes the task.
    """

    id: TaskId
    kind: str
    due_at: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)
    base: int = Level.NORMAL
    queue: Queue = Queue.REMINDERS
    key: str | None = None
    source: str | None = None
    weight: float | None = None
    control: bool = False
    unique_for: timedelta | None = None
    trace: str | None = field(default_factory=traceparent.get)
    start_at: datetime | None = None
    """What its rank counts from at the earliest, where its place is known already."""

    @property
    def rank(self) -> datetime:
        return rank(max(self.due_at, self.start_at or self.due_at), self.base)


@dataclass(frozen=True, slots=True)
class Shares:
    """By how much each waiting task of a source delays the next one of the same source.

    When a task becomes ready, its rank counts from
    `start = max(due_at, start of the source's last ready task that still waits + cost / weight)`.
    It is written once, so the order stays a plain index. With a cost of zero it is `due_at`.
    """

    cost: timedelta = timedelta(seconds=1)
    vip_weight: float = 4.0
    """The weight of tasks that are high or critical and name none."""

    def weight(self, base: int, given: float | None) -> int:
        """In hundredths, at least one."""
        own = self.vip_weight if base >= Level.HIGH else 1.0
        return max(1, round(100 * (own if given is None else given)))

    def step(self, base: int, given: float | None) -> timedelta:
        return self.cost * 100 // self.weight(base, given)

    def shares(self, task: Task) -> bool:
        """Whether it waits behind the other tasks of its source."""
        return bool(self.cost) and task.source is not None and not task.control


DEFAULT_SHARES = Shares()


def rank(due_at: datetime, base: int) -> datetime:
    """The smaller, the sooner. All waiting tasks age at the same speed, so a rank never changes:

    normal, due at 12:00           11:40
    vip, due at 12:59              11:19    overtakes the normal one
    normal, due at 10:59           10:39    has waited so long that no vip of 12:00 does
    """
    return due_at - A_POINT * base


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of tasks per period, evenly spread: each begins `apart` after the one before."""

    number: int
    per: timedelta = timedelta(seconds=1)

    @property
    def apart(self) -> timedelta:
        return self.per / self.number


@dataclass(frozen=True, slots=True)
class KindLimit:
    concurrency: int | None = None
    """How many run at a time, on all servers together; None: as many as there is room for."""
    rate: Rate | None = None

    def __bool__(self) -> bool:
        return self.concurrency is not None or self.rate is not None


@dataclass(frozen=True, slots=True)
class Gates:
    """What may begin: paused queues and kinds, how many of a kind run at a time, how fast.

    They hold for all servers together. A task that may not begin is *held*: it stays ready, with
    its place, and begins when its gate opens. What people do themselves passes every pause.
    False when everything may begin.
    """

    paused_queues: frozenset[str] = frozenset()
    paused_kinds: frozenset[str] = frozenset()
    limits: Mapping[str, KindLimit] = field(default_factory=dict)
    """By the name of the kind."""

    def __bool__(self) -> bool:
        return bool(self.paused_queues or self.paused_kinds or self.limits)

    def stops(self, task: Task) -> bool:
        is_paused = task.queue in self.paused_queues or task.kind in self.paused_kinds
        return is_paused and not task.control


OPEN = Gates()
UNLIMITED = KindLimit()
