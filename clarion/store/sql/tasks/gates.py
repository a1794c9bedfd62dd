"""Pauses, limits and remote kinds in the database: a task that may not begin is held.

A held task stays `ready`; its rank is moved so far behind all others that no claim reaches it. Its
place is not lost: the rank is restored when the gate opens. The row of a kind in `task_gates` is
locked while its tasks are counted, so a limit holds for all servers together.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from clarion.store.sql.engine.database import (
    MICROSECOND,
    Statement,
    from_micros,
    packed,
    send_signal,
    to_micros,
)
from clarion.store.sql.tables.tasks import task_kinds
from clarion.store.sql.tasks.rows import HELD, STILL_RUNS, tell
from clarion.tasks.kinds import KIND, RemoteKind, Target
from clarion.tasks.model import Gates, KindLimit, Rate
from clarion.tasks.ports import Claim

CHANNEL = "clarion_gates"
SLACK = timedelta(milliseconds=20) // MICROSECOND  # a fast rate may catch up after a late look
FREED_AT_ONCE = 20_000

_HELD = f"status = 'ready' AND rank >= {HELD}"
_KINDS_HELD = Statement(
    f"""
    SELECT value ->> 0 FROM {{rows}} WHERE EXISTS (
        SELECT 1 FROM tasks WHERE {_HELD} AND kind = value ->> 0
    )
    """  # noqa: S608  constants
)
_KNOW = Statement(
    "INSERT INTO task_gates (name) SELECT value ->> 0 FROM {rows} WHERE true ON CONFLICT DO NOTHING"
)
_LOCK = Statement(
    "SELECT name, next_at FROM task_gates WHERE name IN (SELECT value ->> 0 FROM {rows})"
    " ORDER BY name {lock}"
)
_RUNNING = Statement(
    """
    SELECT kind, count(*) FROM tasks WHERE status = 'running'
    AND kind IN (SELECT value ->> 0 FROM {rows}) GROUP BY kind
    """
)
_MOVE_ON = Statement("UPDATE task_gates SET next_at = :until WHERE name = :key")
_FREE = Statement(
    f"""
    UPDATE tasks SET rank = rank - {HELD} WHERE sequence IN (
        SELECT sequence FROM tasks WHERE {_HELD} AND kind = :kind
        AND queue NOT IN (SELECT value ->> 0 FROM {{rows}})
        ORDER BY rank LIMIT :most {{skip_locked}}
    )
    """  # noqa: S608  constants
)
_HOLD_BACK = Statement(
    f"""
    UPDATE tasks SET status = 'ready', rank = rank + {HELD}, attempt = attempt - 1
    FROM (SELECT CAST(value ->> 0 AS BIGINT) AS sequence, CAST(value ->> 1 AS BIGINT) AS fence
          FROM {{rows}} {{few}}) AS mine
    WHERE tasks.sequence = mine.sequence AND tasks.fence = mine.fence
    AND {STILL_RUNS}
    """  # noqa: S608  constants
)
_HELD_NOW = Statement(f"SELECT DISTINCT kind, queue FROM tasks WHERE {_HELD}")  # noqa: S608  constants
_PAUSED = Statement("SELECT name FROM task_gates WHERE paused_at IS NOT NULL")
_PAUSE = Statement(
    """
    INSERT INTO task_gates (name, paused_at) VALUES (:key, CAST(:now AS BIGINT))
    ON CONFLICT (name) DO UPDATE SET paused_at = COALESCE(task_gates.paused_at, excluded.paused_at)
    """
)
_RESUME = Statement(
    "UPDATE task_gates SET paused_at = NULL WHERE name = :key AND paused_at IS NOT NULL"
)


def free_held(conn: Connection, gates: Gates, now: int) -> None:
    """Before a claim: free as many held tasks as may begin now."""
    limited = sorted(set(gates.limits) - gates.paused_kinds)
    waiting = [row[0] for row in _KINDS_HELD.all(conn, rows=packed([kind] for kind in limited))]
    if not waiting:
        return
    next_at, running = _locked(conn, waiting)
    closed = packed([queue] for queue in gates.paused_queues)
    for kind in waiting:
        room = _room(gates.limits[kind], running[kind], next_at[kind], now)
        if room > 0:
            _FREE.run(conn, kind=kind, most=room, rows=closed)


def hold_back(conn: Connection, claims: Sequence[Claim], gates: Gates, now: int) -> list[Claim]:
    """Returns the claims that may begin; the others are held."""
    held = {claim.ticket for claim in claims if gates.stops(claim.task)}
    of_kind: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.ticket not in held and claim.task.kind in gates.limits:
            of_kind[claim.task.kind].append(claim)
    if of_kind:
        next_at, running = _locked(conn, of_kind)
        for kind, mine in of_kind.items():
            limit, others = gates.limits[kind], running[kind] - len(mine)
            room = max(0, _room(limit, others, next_at[kind], now))
            held.update(claim.ticket for claim in mine[room:])
            _move_on(conn, kind, limit, next_at[kind], min(room, len(mine)), now)
    if held:
        _HOLD_BACK.run(conn, rows=packed(held))
    return [claim for claim in claims if claim.ticket not in held]


def next_free(conn: Connection, gates: Gates, now: int) -> datetime | None:
    """When the next task may begin by its rate. One that waits for another's end needs no look."""
    rated = [kind for kind, limit in gates.limits.items() if limit.rate]
    waiting = _KINDS_HELD.all(conn, rows=packed([kind] for kind in rated)) if rated else []
    rows = _LOCK.all(conn, rows=packed([KIND + row[0]] for row in waiting)) if waiting else []
    later = [row[1] for row in rows if row[1] is not None and row[1] > now]
    return from_micros(min(later)) if later else None


def _locked(conn: Connection, kinds: Iterable[str]) -> tuple[dict[str, int], dict[str, int]]:
    """When each kind may begin, and how many of it run. Locks these rows until the commit."""
    rows = packed([KIND + kind] for kind in kinds)
    found = _LOCK.all(conn, rows=rows)
    if len(found) < len(list(kinds)):
        _KNOW.run(conn, rows=rows)
        found = _LOCK.all(conn, rows=rows)
    next_at = {row[0].removeprefix(KIND): row[1] or 0 for row in found}
    counted = dict(map(tuple, _RUNNING.all(conn, rows=packed([kind] for kind in kinds))))
    return next_at, {kind: counted.get(kind, 0) for kind in kinds}


def _room(limit: KindLimit, running: int, next_at: int, now: int) -> int:
    rooms = [] if limit.concurrency is None else [limit.concurrency - running]
    if limit.rate is not None:
        apart, begins = _pace(limit.rate, next_at, now)
        rooms.append((now - begins) // apart + 1)
    return min(rooms)


def _move_on(
    conn: Connection, kind: str, limit: KindLimit, next_at: int, begun: int, now: int
) -> None:
    if limit.rate is not None and begun:
        apart, begins = _pace(limit.rate, next_at, now)
        _MOVE_ON.run(conn, key=KIND + kind, until=begins + begun * apart)


def _pace(rate: Rate, next_at: int, now: int) -> tuple[int, int]:
    """How far apart they begin, and from when on. Capacity that was not used is not saved up."""
    apart = rate.apart // MICROSECOND
    return apart, max(next_at, now - (SLACK if apart < SLACK else 0))


def pause(conn: Connection, name: str, now: datetime) -> None:
    """`queue:…` or `kind:…`. Running tasks finish; pausing twice changes nothing."""
    _PAUSE.run(conn, key=name, now=to_micros(now))
    send_signal(conn, CHANNEL)


def resume(conn: Connection, name: str) -> bool:
    """False when it was not paused. A server that gets the signal frees the held tasks."""
    resumed = _RESUME.run(conn, key=name)
    send_signal(conn, CHANNEL)
    return resumed > 0


def paused(conn: Connection) -> list[str]:
    return sorted(row[0] for row in _PAUSED.all(conn))


def free_forgotten(conn: Connection, gates: Gates, now: datetime) -> int:
    """Free tasks that no gate holds any more: it was resumed, or its limit was removed."""
    closed, freed = packed([queue] for queue in gates.paused_queues), 0
    for kind, queue in _HELD_NOW.all(conn):
        is_free = kind not in gates.paused_kinds and kind not in gates.limits
        if is_free and queue not in gates.paused_queues:
            freed += _FREE.run(conn, kind=kind, most=FREED_AT_ONCE, rows=closed)
    if freed:
        tell(conn, due_at=to_micros(now), rank=0, critical=True)
    return freed


def remote_kinds(conn: Connection) -> list[RemoteKind]:
    return [_kind(row) for row in conn.execute(select(task_kinds).order_by(task_kinds.c.name))]


def put_kind(conn: Connection, kind: RemoteKind) -> None:
    """Replaces the kind of the same name."""
    place = task_kinds.c.name == kind.name
    values = _values(kind)
    if not conn.execute(update(task_kinds).where(place).values(values)).rowcount:
        conn.execute(insert(task_kinds).values(values))
    send_signal(conn, CHANNEL)


def remove_kind(conn: Connection, name: str) -> bool:
    removed = conn.execute(delete(task_kinds).where(task_kinds.c.name == name)).rowcount
    send_signal(conn, CHANNEL)
    return removed > 0


def _values(kind: RemoteKind) -> dict[str, Any]:
    rate = kind.bounds.rate
    options = {
        "limit": kind.limit.total_seconds(),
        "retries": kind.retries,
        "concurrency": kind.bounds.concurrency,
        "rate": None if rate is None else [rate.number, rate.per.total_seconds()],
    }
    return {
        "name": kind.name,
        "target": kind.target.value,
        "address": kind.address,
        "secret": kind.secret,
        "options": options,
        "created_at": kind.created_at,
    }


def _kind(row: Row[Any]) -> RemoteKind:
    said = row.options
    rate = said.get("rate")
    return RemoteKind(
        name=row.name,
        target=Target(row.target),
        address=row.address,
        secret=row.secret,
        limit=timedelta(seconds=said["limit"]),
        retries=said["retries"],
        bounds=KindLimit(
            said.get("concurrency"),
            None if rate is None else Rate(rate[0], timedelta(seconds=rate[1])),
        ),
        created_at=row.created_at,
    )
