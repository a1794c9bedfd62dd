"""What a broker in front of the queue has to be told: tasks that it does not know as they are.

Marked first, told afterwards: a crash in between is mended by whoever finds the task overdue.
Only PostgreSQL has brokers in front of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from clarion.base.ids import TaskId
from clarion.store.sql.statement import Statement, packed
from clarion.store.sql.types import from_micros, to_micros

_TAKE = Statement(
    """
    UPDATE tasks SET sent_at = :now, sends = sends + 1
    WHERE sequence IN (
        SELECT sequence FROM tasks WHERE sent_at IS NULL
        AND (status IN ('scheduled', 'ready') OR (status = 'cancelled' AND sends > 0))
        ORDER BY rank LIMIT :most {skip_locked}
    )
    RETURNING id, queue, kind, base, due_at, rank, status, sends
    """
)
_FORGET = Statement(
    """
    UPDATE tasks SET sent_at = NULL WHERE id IN (SELECT value ->> 0 FROM {rows})
    AND status IN ('scheduled', 'ready', 'cancelled')
    """
)
_FORGET_ALL = Statement(
    """
    UPDATE tasks SET sent_at = NULL WHERE sequence IN (
        SELECT sequence FROM tasks WHERE status IN ('scheduled', 'ready')
        AND sent_at IS NOT NULL AND sent_at < :before ORDER BY rank LIMIT :most {skip_locked}
    )
    """
)
_OVERDUE = Statement(
    """
    SELECT 1 FROM tasks WHERE status IN ('scheduled', 'ready') AND due_at < :before LIMIT 1
    """
)


@dataclass(frozen=True, slots=True)
class Job:
    """A task as a broker sees it. `sends` counts: each telling has a name of its own."""

    task_id: TaskId
    queue: str
    kind: str
    base: int
    due_at: datetime
    rank: datetime
    cancelled: bool
    sends: int


def take_unsent(conn: Connection, most: int, now: datetime) -> list[Job]:
    """The next to be told, the most pressing first, marked as told."""
    rows = _TAKE.all(conn, now=to_micros(now), most=most)
    return [
        Job(
            TaskId(id_),
            queue,
            kind,
            base,
            from_micros(due),
            from_micros(rank),
            state == CANCELLED,
            n,
        )
        for id_, queue, kind, base, due, rank, state, n in rows
    ]


def forget(conn: Connection, ids: Sequence[TaskId]) -> int:
    """These could not be told."""
    return _FORGET.run(conn, rows=packed([id_] for id_ in ids))


def forget_all(conn: Connection, before: datetime, most: int) -> int:
    """The broker lost its memory: tell it everything again. How many this time."""
    return _FORGET_ALL.run(conn, before=to_micros(before), most=most)


def is_overdue(conn: Connection, before: datetime) -> bool:
    """Whether anything waits that was due before then."""
    return _OVERDUE.one(conn, before=to_micros(before)) is not None


CANCELLED = "cancelled"
