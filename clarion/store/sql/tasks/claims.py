"""Claims: due tasks become ready, and the best ready ones are claimed.

What happens to a claim afterwards is in `store`.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection

from clarion.base.clock import Clock
from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import (
    Statement,
    Then,
    after_commit,
    from_micros,
    joined_write,
    packed,
    single,
    to_micros,
    together,
)
from clarion.store.sql.tasks import gates
from clarion.store.sql.tasks.rows import (
    A_POINT_MICROS,
    CHANNEL,
    HELD,
    LANE,
    PLACED,
    QUEUES,
    SAID,
    add,
    add_for_all,
    added_together,
    cost_of,
    forget_news_here,
    read_news,
    rows_of,
    shares_of,
    tell_added,
    with_places,
)
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.ports import Claim, News, TakenClaims, Wanted

NOBODY = Wanted("", timedelta(0))
_load = json.JSONDecoder().raw_decode  # a quarter of the time of `loads`, for what we have written
PROMOTED_AT_ONCE = 20_000  # a burst of them takes a tenth of a second; the rest comes next

CLAIMED = """rank, sequence, fence, attempt, id, kind, due_at, payload, base, queue, key, source,
              control, start_at, trace"""
# What is claimed without having been ready has its place as well, should it have to wait again.
TAKE = f"""
    UPDATE tasks SET status = 'running', attempt = attempt + 1, fence = fence + 1,
                     worker = :worker, leased_until = :leased_until, started_at = :now,
                     start_at = COALESCE(start_at, due_at)
    WHERE sequence IN (SELECT sequence FROM mine) RETURNING {CLAIMED}
"""  # noqa: S608  constants
BEST = f"""
    ready AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'ready' AND rank < :before
        ORDER BY rank, sequence LIMIT :any {{skip_locked}}
    ), urgent AS MATERIALIZED (
        SELECT sequence FROM tasks {{by_index}} WHERE status = 'ready' AND base >= 100
        AND rank < {HELD}
        ORDER BY rank, sequence LIMIT :critical {{skip_locked}}
    ), said AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'ready' AND control > 0 AND rank < {HELD}
        ORDER BY rank, sequence LIMIT :control {{skip_locked}}
    ), best AS (
        SELECT sequence FROM ready UNION SELECT sequence FROM urgent
        UNION SELECT sequence FROM said
    )
"""  # noqa: S608  constants
_CLAIM_NEXT = Statement(
    f"WITH {BEST}, mine AS (SELECT sequence FROM best) {TAKE}",  # noqa: S608  constants
    index="ix_tasks_critical",
)
_CLAIM_IDS = Statement(
    """
    WITH mine AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE id IN (SELECT value ->> 0 FROM {rows})
        AND status IN ('scheduled', 'ready') AND due_at <= :now {skip_locked}
    )
    """  # noqa: S608  constants
    + TAKE
)
DUE = "SELECT min(due_at) AS due_at FROM tasks WHERE status = 'scheduled'"
_NEXT_DUE = Statement(DUE)
_PROMOTE = Statement(
    """
    WITH due AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'scheduled' AND due_at <= :now
        ORDER BY due_at LIMIT :most {skip_locked}
    )
    UPDATE tasks SET status = 'ready', start_at = due_at
    WHERE sequence IN (SELECT sequence FROM due)
    """
)
_PROMOTE_SHARED = Statement(
    """
    WITH due AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'scheduled' AND due_at <= :now
        ORDER BY due_at LIMIT :most {skip_locked}
    ), mine AS MATERIALIZED (
        SELECT sequence, sequence AS place, due_at, base, {lane}
        FROM tasks WHERE sequence IN (SELECT sequence FROM due)
    ), {placed}
    UPDATE tasks SET status = 'ready', start_at = placed.start_at,
                     rank = placed.start_at - CAST(placed.base AS BIGINT) * :a_point
    FROM placed WHERE tasks.sequence = placed.sequence
    """,
    placed=PLACED,
    lane=LANE,
)


# The new task begins at once, unless one that ranks better waits, or has just fallen due.
_ADD_RUNNING = Statement(
    SAID  # noqa: S608  constants
    + """
    , ranked AS (
        SELECT placed.*, start_at - base * :a_point AS own_rank FROM placed
    ), judged AS MATERIALIZED (
        SELECT ranked.*, NOT EXISTS (
            SELECT 1 FROM tasks WHERE tasks.status = 'ready' AND tasks.rank <= ranked.own_rank
        ) AND NOT EXISTS (
            SELECT 1 FROM tasks WHERE tasks.status = 'scheduled' AND tasks.due_at <= :now
        ) AS is_next
        FROM ranked
    )
    INSERT INTO tasks (id, queue, kind, payload, base, due_at, rank, key, source, status,
                       start_at, weight, control, trace, created_at, attempt, fence, worker,
                       leased_until, started_at)
    SELECT id, queue, kind, payload, base, falls_due_at, own_rank, key, source,
           CASE WHEN is_next THEN 'running' ELSE 'ready' END,
           start_at, weight, control, trace, CAST(:now AS BIGINT),
           CASE WHEN is_next THEN 1 ELSE 0 END, CASE WHEN is_next THEN 1 ELSE 0 END,
           CASE WHEN is_next THEN CAST(:worker AS TEXT) END,
           CASE WHEN is_next THEN CAST(:leased_until AS BIGINT) END,
           CASE WHEN is_next THEN CAST(:now AS BIGINT) END
    FROM judged WHERE true ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING {claimed}, status
    """,
    placed=PLACED,
    claimed=CLAIMED,
)


@single
def promote_due(conn: Connection, now: datetime) -> int:
    return promote(conn, to_micros(now))


def promote(conn: Connection, now: int) -> int:
    """Make due tasks ready, each behind the waiting tasks of its source. Returns how many."""
    if cost := cost_of(conn):
        bounds = {"most": PROMOTED_AT_ONCE, "a_point": A_POINT_MICROS}
        return _PROMOTE_SHARED.run(conn, now=now, cost=cost, **bounds)
    return _PROMOTE.run(conn, now=now, most=PROMOTED_AT_ONCE)


def next_due(conn: Connection) -> datetime | None:
    found = _NEXT_DUE.one(conn)
    return None if found is None else from_micros(found)


def claim_next(conn: Connection, wanted: Wanted, now: datetime) -> TakenClaims:
    """Claim the best of the ready tasks that may begin."""
    if not wanted.gates:
        return TakenClaims(_claim_best(conn, wanted, now), None)
    instant = to_micros(now)
    gates.free_held(conn, wanted.gates, instant)
    found = _claim_best(conn, wanted, now)
    may = gates.hold_back(conn, found, wanted.gates, instant)
    if len(may) < len(found):
        return TakenClaims(may, now)  # there may be others behind those that are held now
    return TakenClaims(may, gates.next_free(conn, wanted.gates, instant))


def _claim_best(conn: Connection, wanted: Wanted, now: datetime) -> list[Claim]:
    return claims(_CLAIM_NEXT.all(conn, **bounds(wanted, now)))


def bounds(wanted: Wanted, now: datetime) -> dict[str, Any]:
    return {
        "any": wanted.any,
        "critical": wanted.critical,
        "control": wanted.control,
        "before": HELD if wanted.before is None else to_micros(wanted.before),
        **lease(wanted, now),
    }


def claim(conn: Connection, ids: Sequence[TaskId], wanted: Wanted, now: datetime) -> list[Claim]:
    """Claim exactly these, except those that are not due or that another worker has."""
    rows = packed([id_] for id_ in ids)
    taken = _CLAIM_IDS.all(conn, rows=rows, **lease(wanted, now))
    return claims(taken)


class ClaimNew:
    """Claims new tasks in the transaction that adds them: a `JoinedWrite`."""

    def __init__(
        self,
        wanted: Callable[[News], Wanted | None],
        accept: Callable[[list[Claim]], None],
        clock: Clock,
    ) -> None:
        self._wanted = wanted
        self._accept = accept
        self._clock = clock

    def __call__(self, conn: Connection, payload: str) -> Then | None:
        shared = conn.dialect.name == "postgresql"
        wish = self._wanted(read_news(payload))
        if wish is None or (shared and not wish.at_once):
            return None  # another server may have a free slot
        forget_news_here(conn, payload)
        return partial(self._accept, claim_next(conn, wish, self._clock.now()).claims)

    def add(self, conn: Connection, new: Sequence[Task], now: datetime) -> list[TaskId] | None:
        """Add and claim them in one statement; None, and nothing done, when that may not be."""
        wish = self.wish(new, now)
        if wish is None:
            return None
        instant, shares = to_micros(now), shares_of(conn)
        rows = rows_of(new, instant, shares)
        places, bound = packed(with_places(rows, new, shares)), lease(wish, now)
        added = _ADD_RUNNING.all(conn, rows=places, a_point=A_POINT_MICROS, **bound)
        ours = [row[:-1] for row in added if row[-1] == "running"]
        if ours:
            after_commit(conn, partial(self._accept, claims(ours)))
        if len(ours) < len(added):
            tell_added(conn, rows)
        return [TaskId(row[4]) for row in added]

    def wish(self, new: Sequence[Task], now: datetime) -> Wanted | None:
        """What to claim together with these; None when they are not all urgent and due.

        Asked in the event loop, it makes ordinary tasks give way to them.
        """
        if any(task.base < Level.HIGH and not task.control for task in new):
            return None
        if any(task.due_at > now for task in new):
            return None
        news = News(
            min(task.due_at for task in new),
            min(task.rank for task in new),
            critical=all(task.base >= Level.CRITICAL for task in new),
            control=all(task.control for task in new),
        )
        wish = self._wanted(news)
        return wish if wish and len(new) <= wish.at_once else None


def rehearse(conn: Connection, now: datetime) -> None:
    """Add no task, as if it were claimed with that."""
    _ADD_RUNNING.run(conn, rows="[]", a_point=A_POINT_MICROS, **lease(NOBODY, now))


@together(add_for_all, added_together)
@single
def add_at_once(conn: Connection, new: Sequence[Task], now: datetime) -> list[TaskId]:
    """`add` as a transaction of its own, without `unique_for`; urgent ones are claimed with it."""
    joined = joined_write(conn, CHANNEL)
    added = joined.add(conn, new, now) if new and isinstance(joined, ClaimNew) else None
    return add(conn, new, now) if added is None else added


def claims(rows: Iterable[Any]) -> list[Claim]:
    """Claims from the returned rows, in the order of their ranks."""
    return [claim_of(row) for row in sorted(rows, key=_order)]


def lease(wanted: Wanted, now: datetime) -> dict[str, Any]:
    return {
        "worker": wanted.worker,
        "leased_until": to_micros(now + wanted.lease),
        "now": to_micros(now),
    }


def _order(row: Any) -> tuple[int, int]:
    return row[0], row[1]


def claim_of(row: Any) -> Claim:
    _, sequence, fence, attempt, id_, kind, due_at, payload, base, queue, key, source, *more = row
    control, start_at, trace = more
    said, _ = _load(payload)
    task = Task(
        *(id_, kind, from_micros(due_at), said, base, QUEUES.get(queue, Queue.CHORES), key, source),
        control=control > 0,
        trace=trace,
    )
    is_plain = start_at is None or start_at == due_at
    return Claim(task, attempt, fence, sequence, None if is_plain else from_micros(start_at))
