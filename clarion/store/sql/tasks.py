"""The queue's verbs for everybody: add, cancel, move and re-rank, inside any transaction.

What workers do with tasks is in `tasks_claims`, what people look at is in `tasks_views`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection

from clarion.base.ids import TaskId
from clarion.store.sql import signals
from clarion.store.sql.statement import Statement, packed
from clarion.store.sql.types import MICROSECOND, from_micros, to_micros
from clarion.tasks.model import A_POINT, Level, Queue, Task
from clarion.tasks.ports import News, QueueFull

CHANNEL = "clarion_tasks"
MOVED_HERE = "tasks_moved_here"
"""Heard in the process that added or moved tasks, to pass it on where there is a quicker way."""
A_POINT_MICROS = A_POINT // MICROSECOND
RETRY_AFTER = 5.0  # seconds; a worker does thousands of tasks in that time

Row: TypeAlias = tuple[str, str, str, str, int, int, int, str | None, str | None, str]

QUEUES = {queue.value: queue for queue in Queue}
"""A name that a later version wrote is not in here; its tasks are carried out all the same."""

_dump = json.JSONEncoder(separators=(",", ":")).encode

_ADD = Statement(
    """
    INSERT INTO tasks (id, queue, kind, payload, base, due_at, rank, key, source, status,
                       created_at, attempt, fence)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, CAST(value ->> 4 AS BIGINT),
           CAST(value ->> 5 AS BIGINT), CAST(value ->> 6 AS BIGINT), value ->> 7, value ->> 8,
           value ->> 9, CAST(:now AS BIGINT), 0, 0
    FROM {rows} WHERE true
    ON CONFLICT DO NOTHING
    RETURNING id
    """
)
_ADD_DEAD = Statement(
    """
    INSERT INTO tasks (id, queue, kind, payload, base, due_at, rank, key, source, status,
                       created_at, ended_at, attempt, fence, error)
    VALUES (:id, :queue, :kind, :payload, :base, :due_at, :rank, NULL, :source, 'dead',
            :now, :now, 1, 0, :error)
    """
)
_BACKLOG = Statement(
    """
    SELECT count(*) FROM (
        SELECT 1 FROM tasks WHERE source = :source
        AND status IN ('scheduled', 'ready', 'running') LIMIT :most
    ) AS open
    """
)
_CANCEL = Statement(
    """
    UPDATE tasks SET status = 'cancelled', ended_at = :now
    WHERE id IN (SELECT value ->> 0 FROM {rows})
    AND status IN ('scheduled', 'ready', 'running')
    """
)
# Two halves, because waiting and running tasks are found by different indexes.
_CANCEL_KEYS = Statement(
    """
    UPDATE tasks SET status = 'cancelled', ended_at = :now WHERE sequence IN (
        SELECT sequence FROM tasks WHERE key IN (SELECT value ->> 0 FROM {rows})
        AND status IN ('scheduled', 'ready')
        UNION ALL
        SELECT sequence FROM tasks WHERE key IN (SELECT value ->> 0 FROM {rows})
        AND status = 'running'
    )
    """
)
_RESCHEDULE = Statement(
    """
    UPDATE tasks SET due_at = :due_at, rank = :due_at - CAST(base AS BIGINT) * :a_point,
                     status = :status
    WHERE key = :key AND status IN ('scheduled', 'ready')
    RETURNING rank, base
    """
)
_REPRIORITISE = Statement(
    """
    UPDATE tasks SET base = :base, rank = due_at - :head_start
    WHERE id IN (SELECT value ->> 0 FROM {rows})
    AND status IN ('scheduled', 'ready', 'running')
    """
)
_REPRIORITISE_SOURCE = Statement(
    """
    UPDATE tasks SET base = :base, rank = due_at - :head_start
    WHERE source = :source AND status IN ('scheduled', 'ready', 'running')
    """
)
_REPLAY = Statement(
    """
    UPDATE tasks SET status = 'ready', attempt = 0, due_at = :now,
                     rank = :now - CAST(base AS BIGINT) * :a_point, ended_at = NULL
    WHERE id = :id AND status = 'dead' AND NOT EXISTS (
        SELECT 1 FROM tasks AS other WHERE other.key = tasks.key
        AND other.status IN ('scheduled', 'ready')
    )
    """
)
_DROP = Statement(
    "DELETE FROM tasks WHERE id IN (SELECT value ->> 0 FROM {rows}) AND status = 'dead'"
)


def add(
    conn: Connection, tasks: Sequence[Task], now: datetime, *, backlog_max: int | None = None
) -> list[TaskId]:
    """Those that were added: one whose id is known or whose key already waits changes nothing.

    Raises `QueueFull`, and adds none, when a source would have more than `backlog_max` open
    tasks.
    """
    if not tasks:
        return []
    if backlog_max is not None:
        _check_backlog(conn, tasks, backlog_max)
    instant = to_micros(now)
    rows = [_row(task, instant) for task in tasks]
    added = [TaskId(row[0]) for row in _ADD.all(conn, rows=packed(rows), now=instant)]
    tell(
        conn,
        due_at=min(row[5] for row in rows),
        rank=min(row[6] for row in rows),
        critical=any(task.base >= Level.CRITICAL for task in tasks),
    )
    return added


def add_dead(conn: Connection, task: Task, error: str, now: datetime) -> None:
    """Work that failed before it became a task: shown among the dead, and can be replayed."""
    _ADD_DEAD.run(
        conn,
        id=task.id,
        queue=task.queue,
        kind=task.kind,
        payload=_dump(dict(task.payload)),
        base=int(task.base),
        due_at=to_micros(task.due_at),
        rank=to_micros(task.rank),
        source=task.source,
        error=error,
        now=to_micros(now),
    )


def _row(task: Task, now: int) -> Row:
    assert 0 <= task.base <= Level.CRITICAL, "priorities are capped at 100"
    due_at = to_micros(task.due_at)
    return (
        task.id,
        task.queue,
        task.kind,
        _dump(dict(task.payload)),
        int(task.base),
        due_at,
        due_at - task.base * A_POINT_MICROS,
        task.key,
        task.source,
        "ready" if due_at <= now else "scheduled",
    )


def _check_backlog(conn: Connection, tasks: Iterable[Task], most: int) -> None:
    for source, more in Counter(task.source for task in tasks if task.source is not None).items():
        waiting = _BACKLOG.one(conn, source=source, most=most)
        if waiting + more > most:
            raise QueueFull(
                f"{source} has {waiting} tasks waiting, and {most} is the most.",
                hint="Nothing was added. Wait until some are done, then try again.",
                details={"source": source, "waiting": waiting, "most": most},
                retry_after=RETRY_AFTER,
            )


def cancel(conn: Connection, ids: Sequence[TaskId], now: datetime) -> int:
    """How many were open. One that runs may finish its work, but not its task."""
    return _CANCEL.run(conn, rows=packed([id_] for id_ in ids), now=to_micros(now))


def cancel_keys(conn: Connection, keys: Sequence[str], now: datetime) -> int:
    """Drop the open tasks with these keys, also those that run just now."""
    return _CANCEL_KEYS.run(conn, rows=packed([key] for key in keys), now=to_micros(now))


def reschedule(conn: Connection, key: str, due_at: datetime, now: datetime) -> bool:
    """False when no task with this key waits (it may be running: then add a new one)."""
    moved = _RESCHEDULE.all(
        conn,
        key=key,
        due_at=to_micros(due_at),
        a_point=A_POINT_MICROS,
        status="ready" if due_at <= now else "scheduled",
    )
    for rank, base in moved:
        tell(conn, due_at=to_micros(due_at), rank=rank, critical=base >= Level.CRITICAL)
    return bool(moved)


def reprioritise(conn: Connection, ids: Sequence[TaskId], base: int, now: datetime) -> int:
    changed = _REPRIORITISE.run(
        conn, rows=packed([id_] for id_ in ids), base=base, head_start=base * A_POINT_MICROS
    )
    return _tell_ranked(conn, changed, base, now)


def reprioritise_source(conn: Connection, source: str, base: int, now: datetime) -> int:
    """Re-rank all open tasks of a chat or user at once; how many there were."""
    changed = _REPRIORITISE_SOURCE.run(
        conn, source=source, base=base, head_start=base * A_POINT_MICROS
    )
    return _tell_ranked(conn, changed, base, now)


def _tell_ranked(conn: Connection, changed: int, base: int, now: datetime) -> int:
    assert 0 <= base <= Level.CRITICAL, "priorities are capped at 100"
    if changed:
        # Which of them is due is not known here: "now, and better than all" makes workers look.
        tell(conn, due_at=to_micros(now), rank=0, critical=base >= Level.CRITICAL)
    return changed


def replay(conn: Connection, ids: Sequence[TaskId], now: datetime) -> list[TaskId]:
    """Dead tasks wait again, due now, with all their attempts. Answers which did.

    One whose key waits already stays dead: its successor is on the way.
    """
    instant = to_micros(now)
    replayed = [
        id_ for id_ in ids if _REPLAY.run(conn, id=id_, now=instant, a_point=A_POINT_MICROS)
    ]
    _tell_ranked(conn, len(replayed), Level.CRITICAL, now)
    return replayed


def drop(conn: Connection, ids: Sequence[TaskId]) -> int:
    return _DROP.run(conn, rows=packed([id_] for id_ in ids))


def tell(conn: Connection, *, due_at: int, rank: int, critical: bool) -> None:
    """Let every server's workers know, once this is committed. Instants in microseconds."""
    news = f"{due_at} {rank} {int(critical)}"
    signals.send(conn, CHANNEL, news)
    if conn.dialect.name == "postgresql":
        signals.here(conn, MOVED_HERE, news)


def read_news(payload: str) -> News:
    """What `tell` said; an empty payload means that something may have been missed."""
    due_at, rank, critical = payload.split() if payload else ("0", "0", "1")
    return News(from_micros(int(due_at)), from_micros(int(rank)), critical == "1")
