"""What a unit of durable work is, and what its priority is worth. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any

from clarion.base.ids import TaskId
from clarion.base.trace import traceparent

SHARES = "clarion_shares"
"""The name under which a connection to the database carries its `Shares`."""
A_POINT = timedelta(seconds=120)  # Base + WaitMinutes × 0.5: one point is two minutes of waiting


class Level(IntEnum):
    """The named priorities; any whole number from 0 to 100 is a priority."""

    BULK = 0
    NORMAL = 10
    HIGH = 50
    CRITICAL = 100


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
    `source`: the chat, user or token it belongs to. Who has many waiting waits behind itself: see
    `Shares`. Their waiting tasks can be re-ranked together.
    `weight`: how large a share its source has; None: as its level says.
    `control`: what a person does just now, a command, a button, an answer. It has slots of its
    own and waits behind no backlog, not even its source's.
    `unique_for`: so long after one with this key was added, another one changes nothing, even if
    the first has ended.
    `trace`: the trace it belongs to, that of whoever makes it unless it is said.
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
    """How far each waiting task of a source puts the next one of that source back.

    When a task becomes ready, its rank counts from
    `start = max(due_at, start of the source's last ready task that still waits + cost / weight)`.
    It is written once, so the order stays a plain index. A cost of zero: from `due_at` always.
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
        """Whether it waits behind those of its source."""
        return bool(self.cost) and task.source is not None and not task.control


DEFAULT_SHARES = Shares()


def rank(due_at: datetime, base: int) -> datetime:
    """The smaller, the sooner. All waiting tasks age alike, so it never changes:

    normal, due at 12:00           11:40
    vip, due at 12:59              11:19    overtakes the normal one
    normal, due at 10:59           10:39    has waited so long that no vip of 12:00 does
    """
    return due_at - A_POINT * base
