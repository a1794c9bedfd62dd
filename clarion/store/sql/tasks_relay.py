"""What a broker in front of the queue has to be told: tasks that it does not know as they are.

Marked first, told afterwards: a crash in between is mended by whoever finds the task overdue.
Only PostgreSQL has brokers in front of it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection, text

from clarion.base.ids import TaskId
from clarion.store.sql import tasks, tasks_claims
from clarion.store.sql.database import Database
from clarion.store.sql.postgres import PostgresDatabase
from clarion.store.sql.statement import Statement, packed
from clarion.store.sql.types import from_micros, to_micros
from clarion.tasks.broker import Delivered, Telling
from clarion.tasks.ports import Claim, Done, Outcome, Wanted

_TAKE = Statement(
    """
    UPDATE tasks SET sent_at = :now, sends = sends + 1
    WHERE sequence IN (
        SELECT sequence FROM tasks WHERE sent_at IS NULL AND rank < :until
        AND (status IN ('scheduled', 'ready') OR (status = 'cancelled' AND sends > 0))
        ORDER BY rank LIMIT :most {skip_locked}
    )
    RETURNING id, queue, kind, base, due_at, rank, status, attempt, sends
    """
)
_FORGET = Statement(
    """
    UPDATE tasks SET sent_at = NULL WHERE id IN (SELECT value ->> 0 FROM {rows})
    AND status IN ('scheduled', 'ready', 'cancelled')
    """
)
# Page by page along the primary key: each page costs the same, however many were told.
_FORGET_PAGE = Statement(
    """
    UPDATE tasks SET sent_at = NULL WHERE sequence IN (
        SELECT sequence FROM tasks WHERE sequence > :after
        AND status IN ('scheduled', 'ready') AND sent_at < :before
        ORDER BY sequence LIMIT :most {skip_locked}
    )
    RETURNING sequence
    """
)
_STILL_DUE = Statement(
    """
    SELECT id FROM tasks WHERE id IN (SELECT value ->> 0 FROM {rows})
    AND status IN ('scheduled', 'ready') AND due_at <= :now
    """
)
# All that an ordinary turn does, in one trip. `mine` and `ended` are different rows: what is
# running does not wait. The last lines see the rows as they were before.
_TURN = text(
    """
    WITH ended AS (
        UPDATE tasks SET status = 'done', ended_at = :now, error = NULL
        FROM (SELECT CAST(value ->> 0 AS BIGINT) AS sequence, CAST(value ->> 1 AS BIGINT) AS fence
              FROM jsonb_array_elements(CAST(:done AS jsonb))) AS done
        WHERE tasks.sequence = done.sequence AND tasks.fence = done.fence
        AND tasks.status = 'running'
    ), mine AS MATERIALIZED (
        SELECT sequence FROM tasks
        WHERE id IN (SELECT value ->> 0 FROM jsonb_array_elements(CAST(:ids AS jsonb)))
        AND status IN ('scheduled', 'ready') AND due_at <= :now FOR UPDATE SKIP LOCKED
    ), claimed AS (
        UPDATE tasks SET status = 'running', attempt = attempt + 1, fence = fence + 1,
                         worker = :worker, leased_until = :leased_until, started_at = :now
        WHERE sequence IN (SELECT sequence FROM mine)
        RETURNING rank, sequence, fence, attempt, id, kind, due_at, payload, base, queue, key,
                  source
    )
    SELECT claimed.*, next.due_at AS next_due FROM (
        SELECT (SELECT due_at FROM tasks WHERE status = 'scheduled'
                AND sequence NOT IN (SELECT sequence FROM mine) ORDER BY due_at LIMIT 1) AS due_at
    ) AS next LEFT JOIN claimed ON true
    """
)


def take_unsent(conn: Connection, until: datetime, most: int, now: datetime) -> list[Telling]:
    rows = _TAKE.all(conn, now=to_micros(now), until=to_micros(until), most=most)
    return [_telling(*row) for row in sorted(rows, key=lambda row: row[5])]


def _telling(
    id_: str,
    queue: str,
    kind: str,
    base: int,
    due_at: int,
    rank: int,
    status: str,
    attempt: int,
    sends: int,
) -> Telling:
    return Telling(
        *(TaskId(id_), queue, kind, base, from_micros(due_at), from_micros(rank)),
        *(status == "cancelled", attempt, sends),
    )


def forget(conn: Connection, ids: Sequence[TaskId]) -> int:
    return _FORGET.run(conn, rows=packed([id_] for id_ in ids))


def forget_page(conn: Connection, after: int, before: datetime, most: int) -> int | None:
    rows = _FORGET_PAGE.all(conn, after=after, before=to_micros(before), most=most)
    return max((row[0] for row in rows), default=None)


def claim_delivered(
    conn: Connection,
    outcomes: Sequence[Outcome],
    ids: Sequence[TaskId],
    wanted: Wanted,
    now: datetime,
) -> Delivered:
    tasks_claims.settle(conn, outcomes, now)
    claims = tasks_claims.claim(conn, ids, wanted, now) if ids else []
    refused = set(ids) - {claim.task.id for claim in claims}
    look_at = tasks_claims.next_due(conn)
    busy: frozenset[TaskId] = still_due(conn, list(refused), now) if refused else frozenset()
    return Delivered(claims, busy, look_at)


def turn(
    conn: Connection,
    done: Sequence[Claim],
    ids: Sequence[TaskId],
    wanted: Wanted,
    now: datetime,
) -> tuple[list[Claim], datetime | None]:
    """What was claimed, and when the next one falls due. A single statement."""
    rows = conn.execute(
        _TURN,
        {
            "done": packed(claim.ticket for claim in done),
            "ids": packed([id_] for id_ in ids),
            **tasks_claims.lease(wanted, now),
        },
    ).all()
    next_due = rows[0][-1]
    claims = tasks_claims.claims(row[:-1] for row in rows if row[0] is not None)
    return claims, None if next_due is None else from_micros(next_due)


def still_due(conn: Connection, ids: Sequence[TaskId], now: datetime) -> frozenset[TaskId]:
    rows = _STILL_DUE.all(conn, rows=packed([id_] for id_ in ids), now=to_micros(now))
    return frozenset(TaskId(row[0]) for row in rows)


class SqlOutbox:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_unsent(self, until: datetime, most: int, now: datetime) -> list[Telling]:
        return await self._database.write(take_unsent, until, most, now)

    async def forget(self, ids: Sequence[TaskId]) -> int:
        return await self._database.write(forget, ids)

    async def forget_page(self, after: int, before: datetime, most: int) -> int | None:
        return await self._database.write(forget_page, after, before, most)

    async def claim_delivered(
        self, outcomes: Sequence[Outcome], ids: Sequence[TaskId], wanted: Wanted, now: datetime
    ) -> Delivered:
        database, done = self._database, [each.claim for each in outcomes if type(each) is Done]
        if len(done) < len(outcomes) or not isinstance(database, PostgresDatabase):
            return await database.write(claim_delivered, outcomes, ids, wanted, now)
        claims, look_at = await database.write_at_once(turn, done, ids, wanted, now)
        refused = set(ids) - {claim.task.id for claim in claims}
        busy = await database.read(still_due, list(refused), now) if refused else frozenset()
        return Delivered(claims, busy, look_at)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Be told when this process has added or moved tasks."""
        return self._database.listen(tasks.MOVED_HERE, lambda _: wake())
