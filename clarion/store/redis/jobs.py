"""What a task is called and worth in BullMQ. Pure.

BullMQ's priorities are whole numbers from 1 to 2 097 151, the smaller the sooner, first come
first served inside one value. A rank is kept in whole minutes, half a point of priority,
counted from an epoch that moves every two years; then all that waits is told again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from clarion.base.ids import TaskId
from clarion.tasks.broker import Telling
from clarion.tasks.model import Level, Queue, rank

PRIORITY_MAX = 2_097_151  # above 2 ** 21 BullMQ takes it without a word and loses the order
ERA = 1 << 20  # minutes: half of all priorities lie behind the present, half before it
HORIZON = timedelta(days=1)  # what is due later waits in the database: half a KiB of Redis each
COMPLETED_KEPT = 100
FAILED_KEPT = 1000
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MILLISECOND = timedelta(milliseconds=1)


class Lane(StrEnum):
    """The BullMQ queues that workers listen to."""

    REMINDERS = Queue.REMINDERS.value
    RETRIES = Queue.RETRIES.value
    MESSAGES = Queue.MESSAGES.value
    DISPATCH = Queue.DISPATCH.value
    CHORES = Queue.CHORES.value
    CRITICAL = "critical"


DEAD = Queue.DEAD.value


@dataclass(frozen=True, slots=True)
class Job:
    """What a job says about its task."""

    task_id: TaskId
    due_at: datetime
    base: int

    @property
    def rank(self) -> datetime:
        return rank(self.due_at, self.base)

    @property
    def is_critical(self) -> bool:
        return self.base >= Level.CRITICAL


def minutes(instant: datetime) -> int:
    return (instant - BEGINNING) // MINUTE


def epoch(now: datetime) -> int:
    """The minute from which priorities are counted at present."""
    return (minutes(now) // ERA - 1) * ERA


def priority(at: datetime, since: int) -> int:
    """The priority of a task with this rank, counted from the epoch `since`."""
    return min(PRIORITY_MAX, max(1, minutes(at) - since))


def lane(telling: Telling) -> Lane:
    """Where it waits. A queue of a later version is worked off among the chores."""
    if telling.base >= Level.CRITICAL:
        return Lane.CRITICAL
    if telling.queue == Queue.REMINDERS and telling.attempt > 0:
        return Lane.RETRIES
    try:
        return Lane(telling.queue)
    except ValueError:
        return Lane.CHORES


def former_lanes(telling: Telling) -> set[Lane]:
    """Where an earlier telling of it may wait: its priority or its tries may have changed."""
    among = {lane(telling), Lane.CRITICAL}
    if telling.queue in (Queue.REMINDERS, Queue.RETRIES):
        among |= {Lane.REMINDERS, Lane.RETRIES}
    return among


def name(task_id: TaskId, sends: int) -> str:
    """A job id that was never used: BullMQ ignores one that it still keeps, without a word."""
    return task_id if sends <= 1 else f"{task_id}-{sends}"


def job(telling: Telling, now: datetime) -> dict[str, Any]:
    """As `Queue.addBulk` takes it."""
    stamp = (now - BEGINNING) // MILLISECOND
    due = -((BEGINNING - telling.due_at) // MILLISECOND)  # rounded up: never early
    return {
        "name": telling.kind,
        "data": {
            "task_id": telling.task_id,
            "due_at": telling.due_at.isoformat(),
            "base": telling.base,
        },
        "opts": {
            "jobId": name(telling.task_id, telling.sends),
            "timestamp": stamp,
            "delay": max(0, due - stamp),
            "priority": priority(telling.rank, epoch(now)),
            "attempts": 1,
            "removeOnComplete": COMPLETED_KEPT,
            "removeOnFail": FAILED_KEPT,
        },
    }


def read(data: Mapping[str, Any]) -> Job | None:
    """What `job` wrote; None for a job that somebody else has added."""
    try:
        due_at = datetime.fromisoformat(data["due_at"])
        return Job(TaskId(str(data["task_id"])), due_at.astimezone(UTC), int(data["base"]))
    except (KeyError, TypeError, ValueError):
        return None
