"""The event log as doors read it: in commit order, or the newest first."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, cast, or_, select

from clarion.base.events import StoredEvent
from clarion.store.sql import events as queries
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.events import events

SEARCHED_MAX = 50_000  # events in which words are looked for: some weeks of a household


def search(
    conn: Connection,
    *,
    after: int,
    user: str | None,
    subject: str | None,
    kinds: Sequence[str],
    words: str,
    newest_first: bool,
    limit: int,
) -> list[StoredEvent]:
    query = _beyond(after, newest_first=newest_first)
    if user is not None:
        query = query.where(events.c.user == user)
    if subject is not None:
        query = query.where(events.c.subject == subject)
    if kinds:
        query = query.where(events.c.kind.in_(kinds))
    if words:
        query = query.where(_says(words)).where(
            events.c.sequence > queries.latest(conn) - SEARCHED_MAX
        )
    return queries._read(conn, queries._settled(conn, query).limit(limit))


def _says(words: str) -> ColumnElement[bool]:
    """Whether these words stand anywhere in an event, in small letters or capitals."""
    said = cast(events.c.data, Text)
    # SQLite keeps JSON in ASCII, PostgreSQL as it is written.
    escaped = json.dumps(words)[1:-1]
    places = (events.c.subject, events.c.kind, said)
    found = [place.icontains(words, autoescape=True) for place in places]
    return or_(*found, said.icontains(escaped, autoescape=True))


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
        kinds: Sequence[str],
        words: str,
        newest_first: bool,
        limit: int,
    ) -> list[StoredEvent]:
        return await self._db.read(
            search,
            after=after,
            user=user,
            subject=subject,
            kinds=kinds,
            words=words,
            newest_first=newest_first,
            limit=limit,
        )

    async def latest(self) -> int:
        return await self._db.read(queries.latest)

    async def oldest(self) -> int:
        return await self._db.read(queries.oldest)
