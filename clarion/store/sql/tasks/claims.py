"""Claims: due tasks become ready, and the best ready ones are claimed.

What happens to a claim afterwards is in `store`.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Statement, packed, single
from clarion.store.sql.tasks import gates
from clarion.store.sql.tasks.rows import A_POINT_MICROS, HELD, LANE, PLACED, QUEUES, cost_of
from clarion.store.sql.types import from_micros, to_micros
from clarion.tasks.model import Queue, Task
from clarion.tasks.ports import Claim, TakenClaims, Wanted

PROMOTED_AT_ONCE = 20_000  # a burst of them takes a tenth of a second; the rest comes next

CLAIMED = """rank, sequence, fence, attempt, id, kind, due_at, payload, base, queue, key, source,
              control, start_at, trace"""
TAKE = f"""
    UPDATE tasks SET status = 'running', attempt = attempt + 1, fence = fence + 1,
                     worker = :worker, leased_until = :leased_until, started_at = :now
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


@single
def promote_due(conn: Connection, now: datetime) -> None:
    promote(conn, to_micros(now))


def promote(conn: Connection, now: int) -> None:
    """Make due tasks ready, each behind the waiting tasks of its source."""
    if cost := cost_of(conn):
        bounds = {"most": PROMOTED_AT_ONCE, "a_point": A_POINT_MICROS}
        _PROMOTE_SHARED.run(conn, now=now, cost=cost, **bounds)
    else:
        _PROMOTE.run(conn, now=now, most=PROMOTED_AT_ONCE)


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
    task = Task(
        *(TaskId(id_), kind, from_micros(due_at), json.loads(payload)),
        *(base, QUEUES.get(queue, Queue.CHORES), key, source),
        control=control > 0,
        trace=trace,
    )
    is_plain = start_at is None or start_at == due_at
    return Claim(task, attempt, fence, sequence, None if is_plain else from_micros(start_at))
