"""What a broker in front of the queue has to be told: tasks that it does not know as they are.

Marked first, told afterwards: a crash in between is mended by whoever finds the task overdue.
Only PostgreSQL has brokers in front of it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection

from clarion.base.ids import TaskId
from clarion.store.sql import tasks, tasks_claims
from clarion.store.sql.database import Database
from clarion.store.sql.statement import Statement, packed
from clarion.store.sql.types import from_micros, to_micros
from clarion.tasks.broker import Delivered, Telling
from clarion.tasks.ports import Outcome, Wanted

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
    if not refused:
        return Delivered(claims, frozenset(), look_at)
    rows = _STILL_DUE.all(conn, rows=packed([id_] for id_ in refused), now=to_micros(now))
    return Delivered(claims, frozenset(TaskId(row[0]) for row in rows), look_at)


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
        return await self._database.write(claim_delivered, outcomes, ids, wanted, now)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Be told when this process has added or moved tasks."""
        return self._database.listen(tasks.MOVED_HERE, lambda _: wake())
