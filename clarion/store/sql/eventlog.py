"""The event log as doors read it: in commit order, or the newest first."""

from typing import Any

from sqlalchemy import Connection, Select, select

from clarion.base.events import StoredEvent
from clarion.store.sql import events as queries
from clarion.store.sql.database import Database
from clarion.store.sql.tables.events import events


def search(
    conn: Connection,
    *,
    after: int,
    user: str | None,
    subject: str | None,
    kind: str | None,
    newest_first: bool,
    limit: int,
) -> list[StoredEvent]:
    query = _beyond(after, newest_first=newest_first)
    for column, wanted in (
        (events.c.user, user),
        (events.c.subject, subject),
        (events.c.kind, kind),
    ):
        if wanted is not None:
            query = query.where(column == wanted)
    return queries._read(conn, queries._settled(conn, query).limit(limit))


def _beyond(after: int, *, newest_first: bool) -> Select[Any]:
    if not newest_first:
        return select(events).where(events.c.sequence > after).order_by(events.c.sequence)
    query = select(events).order_by(events.c.sequence.desc())
    return query.where(events.c.sequence < after) if after else query


class SqlEventLog:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def after(
        self, sequence: int, *, user: str | None = None, limit: int = 200
    ) -> list[StoredEvent]:
        return await self._db.read(queries.after, sequence, user=user, limit=limit)

    async def search(
        self,
        *,
        after: int,
        user: str | None,
        subject: str | None,
        kind: str | None,
        newest_first: bool,
        limit: int,
    ) -> list[StoredEvent]:
        return await self._db.read(
            search,
            after=after,
            user=user,
            subject=subject,
            kind=kind,
            newest_first=newest_first,
            limit=limit,
        )

    async def latest(self) -> int:
        return await self._db.read(queries.latest)

    async def oldest(self) -> int:
        return await self._db.read(queries.oldest)
