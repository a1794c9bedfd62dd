"""What people see of the queue: counts by level, who waits longest, pages of tasks. Values."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from clarion.base.ids import TaskId
from clarion.tasks.model import Level, Queue, Task


class TaskStatus(StrEnum):
    SCHEDULED = "scheduled"
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRecord:
    """A task and all that is known of it."""

    task: Task
    sequence: int
    status: TaskStatus
    attempt: int
    created_at: datetime
    started_at: datetime | None
    """When it was claimed last."""
    ended_at: datetime | None
    worker: str | None
    error: str | None
    """What went wrong in the last try that failed."""
    start_at: datetime | None = None
    """What its rank counts from since it became ready."""
    result: str | None = None
    """JSON that its handler returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Why a task has not begun yet: its place, who is before it, and when it may begin."""

    record: TaskRecord
    rank: datetime
    ahead: int
    """How many of those that are ready begin before it; `AHEAD_MAX` stands for all beyond."""
    ahead_of: tuple[tuple[str | None, int], ...] = ()
    """Whose they are, those with the most first."""
    same_source: int = 0
    """How many of its own source are ready."""
    per_second: float = 0.0
    """How many were done a second in the last minute."""
    held: bool = False
    """Whether its queue or kind is paused, or as many of its kind run as may."""

    @property
    def behind(self) -> timedelta:
        """By how much the backlog of its own source delays it."""
        start_at = self.record.start_at
        return timedelta(0) if start_at is None else start_at - self.record.task.due_at

    def expected_at(self, now: datetime) -> datetime | None:
        """When it may begin; None when nothing tells."""
        match self.record.status:
            case TaskStatus.SCHEDULED:
                return max(now, self.record.task.due_at)
            case TaskStatus.READY if self.held:
                return None
            case TaskStatus.READY if self.ahead == 0:
                return now
            case TaskStatus.READY if self.per_second:
                return now + timedelta(seconds=self.ahead / self.per_second)
            case TaskStatus.RUNNING:
                return self.record.started_at
            case _:
                return None


AHEAD_MAX = 10_000  # a larger number would not help a reader


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as services beside Clarion see it: without its payload, which may be private."""

    id: TaskId
    queue: str
    kind: str
    base: int
    due_at: datetime
    rank: datetime
    status: TaskStatus
    attempt: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    result: str | None
    """JSON that its handler returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFilter:
    """None means all. A level is the range from its number up to the next level."""

    status: TaskStatus | None = None
    level: Level | None = None
    kind: str | None = None
    source: str | None = None
    queue: Queue | None = None


@dataclass(frozen=True, slots=True)
class TaskPage:
    """`cursor` leads to the next page; None when this is the last."""

    records: tuple[TaskRecord, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Count:
    status: TaskStatus
    level: Level
    tasks: int


@dataclass(frozen=True, slots=True)
class Longest:
    """The task of a level that has been due for the longest time and has not begun."""

    level: Level
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepEnded:
    """How many of each queue's ended tasks are kept, the newest, and how long at most."""

    completed: int = 100
    failed: int = 1_000
    completed_for: timedelta = timedelta(days=7)
    failed_for: timedelta = timedelta(days=30)


def level_of(base: int) -> Level:
    """The named level that a priority belongs to: 60 is high, 9 is bulk."""
    return max(level for level in Level if level <= base)


def bases_of(level: Level) -> range:
    """All priorities of a level."""
    above = [one for one in Level if one > level]
    return range(level, min(above) if above else level + 1)
