"""Tasks translated to BullMQ jobs, so that bull-board and Node can show them. Pure.

BullMQ's priorities are whole numbers from 1 to 2 097 151, the smaller the sooner. A rank is shown
in whole minutes (half a point of priority), counted from an epoch that moves every two years.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from clarion.base.errors import BadInput
from clarion.base.ids import TaskId
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.records import ShownTask, TaskStatus

PRIORITY_MAX = 2_097_151  # above 2 ** 21 BullMQ accepts it silently and loses the order
ERA = 1 << 20  # minutes: half of all priorities are for the past, half for the future
COMPLETED_KEPT = 100
FAILED_KEPT = 1_000
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MILLISECOND = timedelta(milliseconds=1)

QUEUES = tuple(queue.value for queue in Queue)
"""The BullMQ queues of this name show Clarion's tasks."""
OURS = "tsk_"
"""So begins the id of every job that shows a task; jobs of others must not."""
SORTED = ("prioritized", "delayed", "completed", "failed")


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it stands in Redis: `state` is the name of BullMQ's list or sorted set."""

    queue: str
    id: str
    state: str
    score: float
    fields: tuple[tuple[str, str], ...]

    @property
    def place(self) -> tuple[str, str]:
        return self.queue, self.id


def shown(tasks: Iterable[ShownTask], now: datetime) -> dict[tuple[str, str], Job]:
    """All jobs that Redis should contain, by queue and id. Cancelled tasks are not shown."""
    return {job.place: job for task in tasks for job in _jobs(task, now)}


def _jobs(task: ShownTask, now: datetime) -> Iterator[Job]:
    queue = task.queue if task.queue in QUEUES else Queue.CHORES.value
    match task.status:
        case TaskStatus.SCHEDULED:
            yield _job(task, queue, "delayed", float(millis(task.due_at) * 0x1000), now)
        case TaskStatus.READY:
            waits_in = Queue.RETRIES if queue == Queue.REMINDERS and task.attempt else queue
            yield _job(task, waits_in, "prioritized", _prioritized(task.rank, now), now)
        case TaskStatus.RUNNING:
            yield _job(task, queue, "active", 0.0, now)
        case TaskStatus.DONE:
            yield _job(task, queue, "completed", float(millis(task.ended_at or now)), now)
        case TaskStatus.DEAD:
            yield _job(task, queue, "failed", float(millis(task.ended_at or now)), now)
            if queue in (Queue.REMINDERS, Queue.RETRIES):
                yield _job(task, Queue.DEAD, "prioritized", _prioritized(task.rank, now), now)
        case TaskStatus.CANCELLED:
            pass


def _job(task: ShownTask, queue: str, state: str, score: float, now: datetime) -> Job:
    added = millis(task.created_at)
    delay = max(0, millis(task.due_at) - added)
    said = {"task_id": task.id, "due_at": task.due_at.isoformat(), "base": task.base}
    fields = {
        "name": task.kind,
        "data": json.dumps(said),
        "opts": json.dumps({"jobId": task.id, "delay": delay, "attempts": 1}),
        "timestamp": str(added),
        "delay": str(delay),
        "priority": str(priority(task.rank, now)),
        "atm": str(task.attempt),
        "ats": str(task.attempt),
    }
    if task.started_at is not None:
        fields["processedOn"] = str(millis(task.started_at))
    if task.ended_at is not None:
        fields["finishedOn"] = str(millis(task.ended_at))
    if state == "completed":
        fields["returnvalue"] = task.result or "null"
    if task.error:
        fields["failedReason"] = task.error.strip().rpartition("\n")[2]
        fields["stacktrace"] = json.dumps([task.error])
    return Job(str(queue), task.id, state, score, tuple(fields.items()))


def millis(instant: datetime) -> int:
    """Rounded up: no task is shown as due too early."""
    return -((BEGINNING - instant) // MILLISECOND)


def epoch(now: datetime) -> int:
    """The minute from which priorities are counted at present."""
    return ((now - BEGINNING) // MINUTE // ERA - 1) * ERA


def priority(rank: datetime, now: datetime) -> int:
    return min(PRIORITY_MAX, max(1, (rank - BEGINNING) // MINUTE - epoch(now)))


def _prioritized(rank: datetime, now: datetime) -> float:
    """BullMQ's score. Within one priority it counts arrivals; here it is the part of the minute."""
    within = ((rank - BEGINNING) % MINUTE) // MILLISECOND
    return float((priority(rank, now) << 32) + within)


@dataclass(frozen=True, slots=True)
class ForeignJob:
    """A job that another service has added. Its name is the kind of the task it asks for; its
    data may have `payload`, `base` and `due_at`.
    """

    queue: str
    id: str
    name: str
    stamp: str
    data: Mapping[str, Any]
    opts: Mapping[str, Any]
    adopted: bool
    """Whether its task has been made."""

    @property
    def task_id(self) -> str:
        """Always the same for one job; different when its id is used for another job."""
        return f"tsk_bull_{self.queue}_{self.id}_{self.stamp}"

    def task(self, now: datetime) -> Task:
        """Raises BadInput for an instant that cannot be read."""
        return Task(
            TaskId(self.task_id),
            self.name,
            _instant(self.data.get("due_at"), now),
            self.data.get("payload") or {},
            _base(self.data.get("base")),
            Queue(self.queue),
        )


def _base(said: object) -> int:
    return min(Level.CRITICAL, max(0, said)) if isinstance(said, int) else Level.NORMAL


def _instant(said: object, now: datetime) -> datetime:
    if said is None:
        return now
    try:
        found = datetime.fromisoformat(str(said))
    except ValueError:
        raise BadInput(f"{said!r} is no instant.") from None
    if found.tzinfo is None:
        raise BadInput(f"{said!r} has no zone.")
    return found


def is_shown(task_id: str) -> bool:
    """A task made from another service's job is not shown: that job is there already."""
    return not task_id.startswith("tsk_bull_")


def read(queue: str, id_: str, said: Mapping[str, str]) -> ForeignJob:
    """From a job's hash. Data that is not an object counts as empty."""
    data = json.loads(said.get("data") or "{}")
    opts = json.loads(said.get("opts") or "{}")
    return ForeignJob(
        *(queue, id_, said.get("name") or "", said.get("timestamp") or "0"),
        data if isinstance(data, dict) else {},
        opts if isinstance(opts, dict) else {},
        "clarion" in said,
    )
