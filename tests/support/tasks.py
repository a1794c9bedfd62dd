"""Builders and short verbs for tests about the queue."""

import itertools
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from clarion.base.ids import TaskId
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import OPEN, Gates, Level, Queue, Task
from clarion.tasks.ports import Claim, Outcome, Wanted
from clarion.tasks.records import TaskStatus
from tests.support.clock import START

LEASE = timedelta(seconds=15)
_numbers = itertools.count(1)


def a_task(
    name: str = "",
    *,
    due_at: datetime = START,
    base: int = Level.NORMAL,
    kind: str = "noop",
    key: str | None = None,
    source: str | None = None,
    queue: Queue = Queue.REMINDERS,
    weight: float | None = None,
    control: bool = False,
    unique_for: timedelta | None = None,
    **payload: Any,
) -> Task:
    id_ = TaskId(f"tsk_{name or next(_numbers)}")
    return Task(
        *(id_, kind, due_at, payload, base, queue, key, source, weight, control, unique_for)
    )


def names(claims: Sequence[Claim]) -> list[str]:
    return [claim.task.id.removeprefix("tsk_") for claim in claims]


async def take(
    store: SqlTasks,
    now: datetime = START,
    *,
    any: int = 100,  # noqa: A002  as in Wanted
    critical: int = 0,
    control: int = 0,
    before: datetime | None = None,
    worker: str = "ana",
    outcomes: Sequence[Outcome] = (),
    gates: Gates = OPEN,
) -> list[Claim]:
    wanted = Wanted(worker, LEASE, any, critical, control, before, gates)
    return (await store.turn(outcomes, wanted, now)).claims


async def take_one(store: SqlTasks, now: datetime = START, worker: str = "ana") -> Claim:
    (claim,) = await take(store, now, any=1, worker=worker)
    return claim


async def settle(store: SqlTasks, *outcomes: Outcome, now: datetime = START) -> None:
    await take(store, now, any=0, outcomes=outcomes)


async def status_of(store: SqlTasks, name: str) -> TaskStatus:
    record = await store.get(TaskId(f"tsk_{name}"))
    assert record is not None
    return record.status
