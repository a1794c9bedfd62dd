"""What a unit of durable work is, and what its priority is worth. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any

from clarion.base.ids import TaskId

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
    `source`: the chat or user it belongs to; their waiting tasks can be re-ranked together.
    """

    id: TaskId
    kind: str
    due_at: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)
    base: int = Level.NORMAL
    queue: Queue = Queue.REMINDERS
    key: str | None = None
    source: str | None = None

    @property
    def rank(self) -> datetime:
        return rank(self.due_at, self.base)


def rank(due_at: datetime, base: int) -> datetime:
    """The smaller, the sooner. All waiting tasks age alike, so it never changes:

    normal, due at 12:00           11:40
    vip, due at 12:59              11:19    overtakes the normal one
    normal, due at 10:59           10:39    has waited so long that no vip of 12:00 does
    """
    return due_at - A_POINT * base
