"""The queue as people see it, and its clean-up. Never blocks workers."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, literal, select, tuple_

from clarion.base.ids import TaskId
from clarion.base.paging import read_cursor, unwrap_cursor, wrap_cursor, write_cursor
from clarion.store.sql.engine.database import Statement, from_micros, packed, to_micros
from clarion.store.sql.tables.tasks import tasks
from clarion.store.sql.tasks.rows import A_POINT_MICROS, HELD, QUEUES
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.records import (
    AHEAD_MAX,
    Count,
    KeepEnded,
    Longest,
    Reasons,
    ShownTask,
    TaskFilter,
    TaskPage,
    TaskRecord,
    TaskStatus,
    bases_of,
)

SHOWN_LETTERS = 8_000  # of an error or a result that is shown
A_MINUTE = timedelta(minutes=1)

LEVELS = sorted(Level, reverse=True)


def _by_level(what: str, where: str, first: str = "") -> Statement:
    """One column a level: grouping by `base` would sort a million rows to count them."""
    columns = ", ".join(
        f"{what} FILTER (WHERE base BETWEEN {bases.start} AND {bases.stop - 1})"
        for bases in map(bases_of, LEVELS)
    )
    return Statement(f"SELECT {first}{columns} FROM tasks WHERE {where}")  # noqa: S608  constants


# One for each index: a single statement over all would read every row.
_COUNTS = {
    status: _by_level("count(*)", f"status = '{status}'")
    for status in (TaskStatus.SCHEDULED, TaskStatus.READY, TaskStatus.RUNNING)
}
_ENDED = _by_level(
    "count(*)", "status IN ('done', 'dead', 'cancelled') GROUP BY status", "status, "
)
# A held task keeps its place and its waiting time.
PLACE = f"rank % {HELD}"
_LONGEST = _by_level(f"min({PLACE} + CAST(base AS BIGINT) * :a_point)", "status = 'ready'")
_OVERDUE = _by_level("min(due_at)", "status = 'scheduled' AND due_at <= :now")
_LAST_KEPT = Statement(
    """
    SELECT ended_at, sequence FROM tasks WHERE queue = :queue AND status = :status
    AND status IN ('done', 'dead', 'cancelled')
    ORDER BY ended_at DESC, sequence DESC LIMIT 1 OFFSET :kept
    """
)
_FORGET = Statement(
    """
    DELETE FROM tasks WHERE sequence IN (
        SELECT sequence FROM tasks WHERE queue = :queue AND status = :status
        AND status IN ('done', 'dead', 'cancelled')
        AND (ended_at, sequence) <= (:ended_at, :sequence)
        ORDER BY ended_at LIMIT :most
    )
    """
)
_FORGET_KEYS = Statement("DELETE FROM task_keys WHERE until <= :now")

_SHOWN = (
    f"id, queue, kind, base, due_at, {PLACE}, status, attempt, created_at, started_at,"
    " CASE WHEN status IN ('done', 'dead', 'cancelled') THEN ended_at END,"
    f" substr(error, 1, {SHOWN_LETTERS}), substr(result, 1, {SHOWN_LETTERS})"
)
# A LIMIT that PostgreSQL does not know while it plans: before it has counted the rows it believes
# that those of a state are fewer, and would read and sort them all.
_MOST = "LIMIT (SELECT CAST(:most AS BIGINT))"
_SHOWN_PARTS = (
    f"status = 'ready' ORDER BY rank, sequence {_MOST}",
    f"status = 'scheduled' ORDER BY due_at {_MOST}",
    f"status = 'running' ORDER BY leased_until {_MOST}",
    *(
        f"queue = '{queue}' AND status = '{status}' AND status IN ('done', 'dead', 'cancelled')"
        f" ORDER BY ended_at DESC LIMIT :{status}"
        for queue in Queue
        for status in ("done", "dead")
    ),
)
_SHOWN_NOW = Statement(
    " UNION ALL ".join(
        f"SELECT * FROM (SELECT {_SHOWN} FROM tasks WHERE {where}) AS part"  # noqa: S608  constants
        for where in _SHOWN_PARTS
    )
)
_SHOWN_BY_ID = Statement(
    f"SELECT {_SHOWN} FROM tasks WHERE id IN (SELECT value ->> 0 FROM {{rows}})"  # noqa: S608  constants
)

# Those that are ready and begin before the one at this place, bounded.
_AHEAD = """
    SELECT source FROM tasks WHERE status = 'ready' AND (rank, sequence) < (:rank, :sequence)
    LIMIT :most
"""
_AHEAD_COUNT = Statement("SELECT count(*) FROM ({ahead}) AS before", ahead=_AHEAD)
_AHEAD_OF = Statement(
    """
    SELECT source, count(*) AS tasks FROM ({ahead}) AS before
    GROUP BY source ORDER BY tasks DESC, source LIMIT 5
    """,
    ahead=_AHEAD,
)
_SAME_SOURCE = Statement(
    """
    SELECT count(*) FROM (
        SELECT 1 FROM tasks WHERE source = :source AND status = 'ready' AND source IS NOT NULL
        LIMIT :most
    ) AS waiting
    """
)
_DONE_SINCE = Statement(
    """
    SELECT count(*) FROM tasks WHERE queue = :queue AND status = 'done'
    AND status IN ('done', 'dead', 'cancelled') AND ended_at > :now
    """
)


def why(conn: Connection, id_: TaskId, now: datetime) -> Reasons | None:
    """None when there is no such task."""
    row = conn.execute(select(tasks).where(tasks.c.id == id_)).one_or_none()
    if row is None:
        return None
    rank, is_held = to_micros(row.rank) % HELD, to_micros(row.rank) >= HELD
    place = {"rank": rank, "sequence": row.sequence, "most": AHEAD_MAX}
    is_ready = row.status == TaskStatus.READY
    return Reasons(
        record=_record(row),
        rank=from_micros(rank),
        held=is_held,
        ahead=_AHEAD_COUNT.one(conn, **place) if is_ready else 0,
        ahead_of=tuple((one[0], one[1]) for one in _AHEAD_OF.all(conn, **place))
        if is_ready
        else (),
        same_source=_SAME_SOURCE.one(conn, source=row.source, most=AHEAD_MAX),
        per_second=_per_second(conn, now),
    )


def ahead_of(conn: Connection, rank: datetime, now: datetime) -> tuple[int, float]:
    """How many ready tasks come before this rank, and how many are done per second."""
    place = {"rank": to_micros(rank), "sequence": 0, "most": AHEAD_MAX}
    return _AHEAD_COUNT.one(conn, **place), _per_second(conn, now)


def _per_second(conn: Connection, now: datetime) -> float:
    since = to_micros(now - A_MINUTE)
    done = sum(_DONE_SINCE.one(conn, queue=queue.value, now=since) for queue in Queue)
    return float(done / A_MINUTE.total_seconds())


def shown(conn: Connection, most: int, completed: int, failed: int) -> list[ShownTask]:
    """Waiting tasks, the next first, running ones, and those that ended last."""
    return [_shown(row) for row in _SHOWN_NOW.all(conn, most=most, done=completed, dead=failed)]


def shown_by_id(conn: Connection, ids: Sequence[TaskId]) -> dict[TaskId, ShownTask]:
    rows = _SHOWN_BY_ID.all(conn, rows=packed([id_] for id_ in ids))
    return {task.id: task for task in map(_shown, rows)}


def _shown(row: Any) -> ShownTask:
    id_, queue, kind, base, due_at, rank, status, attempt, created_at, *rest = row
    started_at, ended_at, error, result = rest
    return ShownTask(
        *(TaskId(id_), queue, kind, base, from_micros(due_at), from_micros(rank)),
        *(TaskStatus(status), attempt, from_micros(created_at)),
        None if started_at is None else from_micros(started_at),
        None if ended_at is None else from_micros(ended_at),
        *(error, result),
    )


def counts(conn: Connection) -> list[Count]:
    """Without lines that would be zero."""
    lines = [(status, statement.all(conn)[0]) for status, statement in _COUNTS.items()]
    lines += [(TaskStatus(row[0]), row[1:]) for row in _ENDED.all(conn)]
    found = [
        Count(status, level, number)
        for status, numbers in lines
        for level, number in zip(LEVELS, numbers, strict=True)
        if number
    ]
    return sorted(found, key=lambda count: (count.status, count.level))


def longest_waiting(conn: Connection, now: datetime) -> list[Longest]:
    """For each level that waits: its oldest task. The starvation alert watches this."""
    (ready,) = _LONGEST.all(conn, a_point=A_POINT_MICROS)
    (overdue,) = _OVERDUE.all(conn, now=to_micros(now))
    oldest = [
        (level, min(due_at for due_at in pair if due_at is not None))
        for level, *pair in zip(LEVELS, ready, overdue, strict=True)
        if any(due_at is not None for due_at in pair)
    ]
    return [Longest(level, from_micros(due_at)) for level, due_at in oldest]


def get(conn: Connection, id_: TaskId) -> TaskRecord | None:
    row = conn.execute(select(tasks).where(tasks.c.id == id_)).one_or_none()
    return None if row is None else _record(row)


def page(conn: Connection, wanted: TaskFilter, limit: int, cursor: str | None = None) -> TaskPage:
    """Waiting tasks in the order they will begin, all others the newest first."""
    order, forward = _order(wanted.status)
    query = select(tasks).where(*_conditions(wanted)).limit(limit + 1)
    if cursor is not None:
        place = tuple_(*order)
        after = tuple_(*_position(cursor, order))
        query = query.where(place > after if forward else place < after)
    query = query.order_by(*(column.asc() if forward else column.desc() for column in order))
    rows = conn.execute(query).all()
    more = rows[limit - 1] if len(rows) > limit else None
    return TaskPage(
        tuple(_record(row) for row in rows[:limit]),
        None if more is None else _cursor(more, order),
    )


def _order(status: TaskStatus | None) -> tuple[list[ColumnElement[Any]], bool]:
    match status:
        case TaskStatus.SCHEDULED:
            return [tasks.c.due_at, tasks.c.sequence], True
        case TaskStatus.READY:
            return [tasks.c.rank, tasks.c.sequence], True
        case _:
            return [tasks.c.sequence], False


def _conditions(wanted: TaskFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.status is not None:
        # Spelled out, not bound: SQLite must see it to choose the index of this status.
        yield tasks.c.status == bindparam(None, wanted.status.value, literal_execute=True)
    if wanted.level is not None:
        bases = bases_of(wanted.level)
        yield tasks.c.base.between(bases.start, bases.stop - 1)
    for column in ("kind", "source", "queue"):
        if (value := getattr(wanted, column)) is not None:
            yield tasks.c[column] == value


def _cursor(row: Row[Any], order: list[ColumnElement[Any]]) -> str:
    if len(order) == 1:
        return wrap_cursor(row.sequence)
    return write_cursor(getattr(row, order[0].name), row.sequence)


def _position(cursor: str, order: list[ColumnElement[Any]]) -> Iterator[ColumnElement[Any]]:
    by_number = len(order) == 1
    values = unwrap_cursor(cursor, int) if by_number else read_cursor(cursor, int)
    for column, value in zip(order, values, strict=True):
        yield literal(value, column.type)


def _record(row: Row[Any]) -> TaskRecord:
    status = TaskStatus(row.status)
    ended = status in {TaskStatus.DONE, TaskStatus.DEAD, TaskStatus.CANCELLED}
    queue = QUEUES.get(row.queue, Queue.CHORES)
    return TaskRecord(
        task=Task(
            *(TaskId(row.id), row.kind, row.due_at, json.loads(row.payload)),
            *(row.base, queue, row.key, row.source),
            control=row.control > 0,
            trace=row.trace,
        ),
        sequence=row.sequence,
        status=status,
        attempt=row.attempt,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at if ended else None,
        worker=row.worker if status is TaskStatus.RUNNING else None,
        error=row.error,
        start_at=row.start_at,
        result=row.result,
    )


def clean(conn: Connection, kept: KeepEnded, now: datetime, most: int) -> int:
    """Delete tasks that ended long ago, at most `most` rows; returns how many."""
    _FORGET_KEYS.run(conn, now=to_micros(now))
    removed = 0
    for queue in Queue:
        for status in (TaskStatus.DONE, TaskStatus.CANCELLED, TaskStatus.DEAD):
            removed += _clean_one(conn, queue, status, kept, now, most - removed)
    return removed


def _clean_one(
    conn: Connection, queue: Queue, status: TaskStatus, kept: KeepEnded, now: datetime, most: int
) -> int:
    is_dead = status is TaskStatus.DEAD
    number, age = (
        (kept.failed, kept.failed_for) if is_dead else (kept.completed, kept.completed_for)
    )
    place = {"queue": queue.value, "status": status.value}
    too_old = (to_micros(now - age), 0)
    too_many = _LAST_KEPT.all(conn, **place, kept=number)
    ended_at, sequence = max([too_old, *(tuple(row) for row in too_many)])
    return _FORGET.run(conn, **place, ended_at=ended_at, sequence=sequence, most=most)
