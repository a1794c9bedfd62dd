"""Verbs of the queue that any transaction may use: add, cancel, move and re-rank tasks.

What workers do with tasks is in `store`, what people see is in `views`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from sqlalchemy import Connection

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import (
    MICROSECOND,
    Statement,
    ValuesStatement,
    forget_signal_here,
    from_micros,
    packed,
    send_signal,
    send_signal_here,
    to_micros,
)
from clarion.tasks.model import A_POINT, DEFAULT_SHARES, SHARES, Level, Queue, Shares, Task
from clarion.tasks.ports import News, QueueFull

CHANNEL = "clarion_tasks"
MOVED_HERE = "tasks_moved_here"
"""Heard in the process that added or moved tasks, to pass it on where there is a quicker way."""
A_POINT_MICROS = A_POINT // MICROSECOND
HELD = 1 << 56  # microseconds, 2 283 years: added to the rank of held tasks, see `gates`
RETRY_AFTER = 5.0  # seconds; a worker does thousands of tasks in that time

# Of rows that are named by their number. So written that PostgreSQL does not find them by the index
# of what runs: it believes that few do, and would read all that ran since the last vacuum.
STILL_RUNS = "tasks.status || '' = 'running'"

Row: TypeAlias = tuple[Any, ...]

QUEUES = {queue.value: queue for queue in Queue}
"""A name that a later version wrote is not in here; its tasks are carried out all the same."""

_dump = json.JSONEncoder(separators=(",", ":")).encode

# The instant from which the rank of each of `mine` counts: behind the waiting tasks of its lane,
# one behind the other, and never before it is due. With `step` zero: when it is due.
PLACED = """
    walked AS (
        SELECT mine.*, CAST(sum(step) OVER (PARTITION BY lane ORDER BY due_at, place) AS BIGINT)
            AS way FROM mine
    ), stood AS (
        SELECT walked.*,
            way + max(due_at - way) OVER (PARTITION BY lane ORDER BY due_at, place) AS alone_at,
            CASE WHEN step > 0 THEN way + (
                SELECT max(ahead.start_at) FROM tasks AS ahead WHERE ahead.source = walked.lane
                AND ahead.status = 'ready' AND ahead.source IS NOT NULL AND ahead.control = 0
            ) END AS behind_at
        FROM walked
    ), placed AS (
        SELECT stood.*, CASE WHEN behind_at > alone_at THEN behind_at ELSE alone_at END AS start_at
        FROM stood
    )
"""
_ADD = ValuesStatement(
    """
    INSERT INTO tasks (id, queue, kind, payload, base, due_at, rank, key, source, status,
                       start_at, weight, control, trace, created_at, attempt, fence)
    SELECT column1, column2, column3, column4, column5, column6, column7, column8, column9,
           column10, CASE WHEN column10 = 'ready' THEN column6 END, column11, column12, column13,
           column14, 0, 0
    FROM {rows} AS given WHERE true
    ON CONFLICT DO NOTHING
    RETURNING id
    """,
    *("TEXT", "TEXT", "TEXT", "TEXT", "BIGINT", "BIGINT", "BIGINT", "TEXT", "TEXT", "TEXT"),
    *("BIGINT", "BIGINT", "TEXT", "BIGINT"),
)
# For a batch with shares: a task that is known already must not delay the others.
SAID = """
    WITH said AS MATERIALIZED (
        SELECT value ->> 0 AS id, value ->> 1 AS queue, value ->> 2 AS kind,
               value ->> 3 AS payload, CAST(value ->> 4 AS BIGINT) AS base,
               CAST(value ->> 5 AS BIGINT) AS falls_due_at, CAST(value ->> 6 AS BIGINT) AS rank,
               value ->> 7 AS key, value ->> 8 AS source, value ->> 9 AS status,
               CAST(value ->> 10 AS BIGINT) AS weight, CAST(value ->> 11 AS BIGINT) AS control,
               value ->> 12 AS trace,
               CAST(value ->> 14 AS BIGINT) AS place, CAST(value ->> 15 AS BIGINT) AS step,
               value ->> 16 AS lane, CAST(value ->> 17 AS BIGINT) AS due_at,
               row_number() OVER (PARTITION BY COALESCE(value ->> 7, value ->> 0)
                                  ORDER BY CAST(value ->> 14 AS BIGINT)) AS nth
        FROM {rows}
        WHERE NOT EXISTS (SELECT 1 FROM tasks AS old WHERE old.id = value ->> 0 {lookup})
        AND NOT EXISTS (SELECT 1 FROM tasks AS old WHERE old.key = value ->> 7
                        AND old.status IN ('scheduled', 'ready') {lookup})
    ), mine AS (
        SELECT * FROM said WHERE nth = 1
    ), {placed}
"""
_ADD_SHARED = Statement(
    SAID  # noqa: S608  constants
    + """
    INSERT INTO tasks (id, queue, kind, payload, base, due_at, rank, key, source, status,
                       start_at, weight, control, trace, created_at, attempt, fence)
    SELECT id, queue, kind, payload, base, falls_due_at,
           CASE WHEN status = 'ready' THEN start_at - base * :a_point ELSE rank END, key, source,
           status, CASE WHEN status = 'ready' THEN start_at END, weight, control, trace,
           CAST(:now AS BIGINT), 0, 0
    FROM placed WHERE true ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id
    """,
    placed=PLACED,
)
# The lane and the step of a row of the table: see `Shares`.
LANE = """
    CASE WHEN source IS NULL OR control > 0 THEN id ELSE source END AS lane,
    CASE WHEN source IS NULL OR control > 0 THEN 0
         ELSE CAST(:cost AS BIGINT) * 100 / weight END AS step
"""
_START = Statement(
    """
    WITH mine AS MATERIALIZED (
        SELECT sequence, sequence AS place, due_at, base, {lane}
        FROM tasks WHERE sequence IN (SELECT CAST(value ->> 0 AS BIGINT) FROM {rows})
        AND status = 'ready' AND start_at IS NULL
    ), {placed}
    UPDATE tasks SET start_at = placed.start_at,
                     rank = placed.start_at - CAST(placed.base AS BIGINT) * :a_point
    FROM placed WHERE tasks.sequence = placed.sequence
    """,
    placed=PLACED,
    lane=LANE,
)
_ADD_DEAD = Statement(
    """
    INSERT INTO tasks (id, queue, kind, payload, base, due_at, rank, key, source, status,
                       created_at, ended_at, attempt, fence, error)
    VALUES (:id, :queue, :kind, :payload, :base, :due_at, :rank, NULL, :source, 'dead',
            :now, :now, 1, 0, :error)
    """
)
_SEE_KEYS = Statement(
    """
    INSERT INTO task_keys (key, task_id, until)
    SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS BIGINT) FROM {rows}
    WHERE NOT EXISTS (SELECT 1 FROM tasks AS old WHERE old.key = value ->> 0
                      AND old.status IN ('scheduled', 'ready'))
    ON CONFLICT (key) DO UPDATE SET task_id = excluded.task_id, until = excluded.until
    WHERE task_keys.until <= :now
    RETURNING task_id
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
# Two halves, because waiting and running tasks have different indexes.
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
_CANCEL_WAITING_KEYS = Statement(
    """
    UPDATE tasks SET status = 'cancelled', ended_at = :now
    WHERE key IN (SELECT value ->> 0 FROM {rows}) AND status IN ('scheduled', 'ready')
    """
)
_RESCHEDULE = Statement(
    """
    UPDATE tasks SET due_at = :due_at, rank = :due_at - CAST(base AS BIGINT) * :a_point,
                     status = :status, start_at = NULL
    WHERE key = :key AND status IN ('scheduled', 'ready')
    RETURNING rank, base, sequence
    """
)
# Found by the index of waiting keys; alone, the status would lead through all that is scheduled.
_MOVE = Statement(
    """
    UPDATE tasks SET key = :new_key, base = :base, due_at = :due_at, rank = :rank, attempt = 0,
                     start_at = NULL, error = NULL
    WHERE key = :key AND status IN ('scheduled', 'ready') AND status || '' = 'scheduled'
    AND NOT EXISTS (
        SELECT 1 FROM tasks AS other WHERE other.key = :new_key
        AND other.status IN ('scheduled', 'ready')
    )
    """
)
_REPRIORITISE = Statement(
    """
    UPDATE tasks SET base = :base, rank = COALESCE(start_at, due_at) - :head_start
    WHERE id IN (SELECT value ->> 0 FROM {rows})
    AND status IN ('scheduled', 'ready', 'running')
    """
)
_REPRIORITISE_SOURCE = Statement(
    """
    UPDATE tasks SET base = :base, rank = COALESCE(start_at, due_at) - :head_start
    WHERE source = :source AND status IN ('scheduled', 'ready', 'running')
    """
)
_REPLAY = Statement(
    """
    UPDATE tasks SET status = 'ready', attempt = 0, due_at = :now,
                     rank = :now - CAST(base AS BIGINT) * :a_point, ended_at = NULL,
                     start_at = NULL
    WHERE id = :id AND status = 'dead' AND NOT EXISTS (
        SELECT 1 FROM tasks AS other WHERE other.key = tasks.key
        AND other.status IN ('scheduled', 'ready')
    )
    RETURNING sequence
    """
)
_DROP = Statement(
    "DELETE FROM tasks WHERE id IN (SELECT value ->> 0 FROM {rows}) AND status = 'dead'"
)


def add(
    conn: Connection, tasks: Sequence[Task], now: datetime, *, backlog_max: int | None = None
) -> list[TaskId]:
    """Returns the added tasks: one whose id is known or whose key already waits changes nothing.

    Raises `QueueFull`, and adds none, when a source would have more than `backlog_max` open
    tasks.
    """
    if not tasks:
        return []
    if backlog_max is not None:
        _check_backlog(conn, tasks, backlog_max)
    instant, shares = to_micros(now), shares_of(conn)
    if any(task.unique_for for task in tasks):
        tasks = _first_in_window(conn, tasks, now)
        if not tasks:
            return []
    rows = rows_of(tasks, instant, shares)
    if any(
        row[9] == "ready" and shares.shares(task) for row, task in zip(rows, tasks, strict=True)
    ):
        places = with_places(rows, tasks, shares)
        answer = _ADD_SHARED.all(conn, rows=packed(places), now=instant, a_point=A_POINT_MICROS)
    else:
        answer = _ADD.all(conn, rows)
    tell_added(conn, rows)
    return [TaskId(row[0]) for row in answer]


def added_together(new: Sequence[Task], now: datetime) -> int:
    """How many rows `add_for_all` writes for these; 0 when it must not.

    What waits behind others of its source has its place from the adds before it.
    """
    waits = any(task.source is not None and not task.control and task.due_at <= now for task in new)
    return 0 if waits else len(new)


def add_for_all(
    conn: Connection, calls: Sequence[tuple[Sequence[Task], datetime]]
) -> list[list[TaskId]]:
    """`add` of many callers, without `unique_for`, for whom `added_together` allows it.

    Of a task that two of them add, the first hears.
    """
    shares, rows = shares_of(conn), list[Row]()
    for new, now in calls:
        rows += rows_of(new, to_micros(now), shares)
    left = {row[0] for row in _ADD.all(conn, rows)}
    tell_added(conn, rows)
    return [[task.id for task in new if _take(left, task.id)] for new, _ in calls]


def _take(ids: set[str], id_: TaskId) -> bool:
    """Whether it was among them; it is no more."""
    found = id_ in ids
    ids.discard(id_)
    return found


def rows_of(tasks: Sequence[Task], now: int, shares: Shares) -> list[Row]:
    return [_row(task, now, shares) for task in tasks]


def tell_added(conn: Connection, rows: Sequence[Row]) -> None:
    """Signal urgent tasks separately: the worker that claims them at once ignores the others."""
    groups: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        groups[row[4] < Level.HIGH and not row[11]].append(row)
    for some in groups:
        if some:
            tell(
                conn,
                due_at=min(row[5] for row in some),
                rank=min(row[6] for row in some),
                critical=any(row[4] >= Level.CRITICAL for row in some),
                control=any(row[11] for row in some),
            )


def shares_of(conn: Connection) -> Shares:
    """The shares with which the database was opened."""
    found = conn.get_execution_options().get(SHARES)
    return found if isinstance(found, Shares) else DEFAULT_SHARES


def cost_of(conn: Connection) -> int:
    """In microseconds."""
    return shares_of(conn).cost // MICROSECOND


def start(conn: Connection, sequences: Iterable[int]) -> None:
    """Give the new ready tasks the instant from which their rank counts."""
    rows = packed([sequence] for sequence in sequences)
    _START.run(conn, rows=rows, cost=cost_of(conn), a_point=A_POINT_MICROS)


def with_places(rows: Sequence[Row], tasks: Sequence[Task], shares: Shares) -> list[Row]:
    """Each task with its number in the batch, its step, its lane and its earliest instant."""
    cost, placed = shares.cost // MICROSECOND, list[Row]()
    for place, (row, task) in enumerate(zip(rows, tasks, strict=True)):
        is_shared = row[9] == "ready" and shares.shares(task)
        step, lane = (cost * 100 // row[10], row[8]) if is_shared else (0, row[0])
        begin = row[5] if task.start_at is None else max(row[5], to_micros(task.start_at))
        placed.append((*row, place, step, lane, begin))
    return placed


def add_dead(conn: Connection, task: Task, error: str, now: datetime) -> None:
    """Keep work that failed before it became a task: shown as dead, can be replayed."""
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


def _row(task: Task, now: int, shares: Shares) -> Row:
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
        shares.weight(task.base, task.weight),
        int(task.control),
        task.trace,
        now,
    )


def _first_in_window(conn: Connection, tasks: Sequence[Task], now: datetime) -> list[Task]:
    """Without those whose key was seen less than `unique_for` ago."""
    unique = {task.key: task for task in reversed(tasks) if task.unique_for and task.key}
    rows = [
        [key, task.id, to_micros(now + task.unique_for)]
        for key, task in unique.items()
        if task.unique_for
    ]
    seen = _SEE_KEYS.all(conn, rows=packed(rows), now=to_micros(now))
    first = {row[0] for row in seen}
    return [task for task in tasks if not (task.unique_for and task.key) or task.id in first]


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
    """Returns how many were open. A running handler may finish, but its result is ignored."""
    return _CANCEL.run(conn, rows=packed([id_] for id_ in ids), now=to_micros(now))


def cancel_keys(
    conn: Connection, keys: Sequence[str], now: datetime, *, running: bool = True
) -> int:
    """Cancel the open tasks with these keys, by default also running ones."""
    cancel = _CANCEL_KEYS if running else _CANCEL_WAITING_KEYS
    return cancel.run(conn, rows=packed([key] for key in keys), now=to_micros(now))


def reschedule(conn: Connection, key: str, due_at: datetime, now: datetime) -> bool:
    """False when no task with this key waits (it may be running: then add a new one)."""
    moved = _RESCHEDULE.all(
        conn,
        key=key,
        due_at=to_micros(due_at),
        a_point=A_POINT_MICROS,
        status="ready" if due_at <= now else "scheduled",
    )
    if due_at <= now:
        start(conn, [row[2] for row in moved])
    for rank, base, _ in moved:
        tell(conn, due_at=to_micros(due_at), rank=rank, critical=base >= Level.CRITICAL)
    return bool(moved)


def move(conn: Connection, key: str, task: Task, now: datetime) -> None:
    """Cancel the open tasks with this key, and add another one of the same work.

    Mostly one waits for its time, and is given the time and the key of the other instead: that
    takes half as long, and nothing is left that was cancelled.
    """
    if task.due_at > now:
        due_at, rank, base = to_micros(task.due_at), to_micros(task.rank), int(task.base)
        new = {"new_key": task.key, "base": base, "due_at": due_at, "rank": rank}
        if _MOVE.run(conn, key=key, **new):
            tell(conn, due_at=due_at, rank=rank, critical=base >= Level.CRITICAL)
            return
    cancel_keys(conn, [key], now)
    add(conn, [task], now)


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
        # It is not known here which of them is due: "now, and better than all" makes workers look.
        tell(conn, due_at=to_micros(now), rank=0, critical=base >= Level.CRITICAL)
    return changed


def replay(conn: Connection, ids: Sequence[TaskId], now: datetime) -> list[TaskId]:
    """Dead tasks wait again, due now, with all their attempts. Returns which did.

    One whose key waits already stays dead: a newer task does the same work.
    """
    instant = to_micros(now)
    replayed: list[TaskId] = []
    for id_ in ids:
        if found := _REPLAY.all(conn, id=id_, now=instant, a_point=A_POINT_MICROS):
            start(conn, [found[0][0]])
            replayed.append(id_)
    _tell_ranked(conn, len(replayed), Level.CRITICAL, now)
    return replayed


def drop(conn: Connection, ids: Sequence[TaskId]) -> int:
    return _DROP.run(conn, rows=packed([id_] for id_ in ids))


def tell(
    conn: Connection, *, due_at: int, rank: int, critical: bool, control: bool = False
) -> None:
    """Let every server's workers know, once this is committed. Instants in microseconds."""
    news = f"{due_at} {rank} {int(critical)} {int(control)}"
    send_signal(conn, CHANNEL, news)
    if conn.dialect.name == "postgresql":
        send_signal_here(conn, MOVED_HERE, news)


def forget_news_here(conn: Connection, news: str) -> None:
    """Take back what `tell` would say in this process, for who has seen to it already."""
    forget_signal_here(conn, MOVED_HERE, news)


@lru_cache(maxsize=64)  # the thread that writes reads it, and then the loop that is told
def read_news(payload: str) -> News:
    """Read the payload of `tell`; an empty one means that a signal may have been lost."""
    # A server of the version before sends three words.
    due_at, rank, critical, *more = payload.split() if payload else ("0", "0", "1", "1")
    return News(from_micros(int(due_at)), from_micros(int(rank)), critical == "1", more == ["1"])
