"""The event log: append inside a transaction, read in commit order or the newest first."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Row,
    Select,
    Text,
    bindparam,
    cast,
    func,
    insert,
    or_,
    select,
    text,
)

from clarion.base.events import Event, StoredEvent
from clarion.store.sql.engine.database import (
    Database,
    Prepared,
    brief,
    from_micros,
    send_signal,
    send_signal_here,
)
from clarion.store.sql.tables.events import events

CHANNEL = "clarion_events"
HAPPENED = "happened"
"""Heard in the process that wrote them: the kinds of what it wrote, for those who count."""
KEPT = ("at", "kind", "version", "subject", "user", "data")
_INSERT = insert(events)
_ADD = Prepared(_INSERT.values({name: bindparam(name) for name in KEPT}))
_ABOUT = Prepared(
    select(*(events.c[name] for name in ("sequence", *KEPT)))
    .where(events.c.subject == bindparam("subject"))
    .order_by(events.c.sequence)
    .limit(bindparam("most", type_=Integer))
)
SETTLED = text("xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
"""On PostgreSQL: no older transaction can still commit before it."""


def append(conn: Connection, happened: Iterable[Event], now: datetime) -> None:
    """Write events in the transaction of the change they describe."""
    rows = [
        {
            "at": now,
            "kind": each.kind,
            "version": each.version,
            "subject": each.subject,
            "user": each.user,
            "data": data_of(each),
        }
        for each in happened
    ]
    if not rows:
        return
    if conn.dialect.name == "postgresql":
        current = text("pg_current_xact_id()::text::bigint")
        conn.execute(_INSERT.values(xact=current), rows)
    else:
        _ADD.run_all(conn, rows)
    send_signal(conn, CHANNEL)
    send_signal_here(conn, HAPPENED, " ".join(map(_in_short, rows)))


def data_of(event: Event) -> dict[str, Any]:
    """The fields of its kind as JSON values."""
    return {
        field.name: _plain(getattr(event, field.name))
        for field in fields(event)
        if field.name not in ("subject", "user")
    }


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _in_short(row: dict[str, Any]) -> str:
    """`reminder.triggered=0.4`, `reminder.confirmed=done`: the kind, and how late it was or which
    yes it was, where that is known.
    """
    late, yes = row["data"].get("late"), row["data"].get("yes")
    if yes is not None:
        return f"{row['kind']}={yes}"
    return f"{row['kind']}={late}" if isinstance(late, float) else str(row["kind"])


def after(
    conn: Connection, sequence: int, *, user: str | None = None, limit: int = 200
) -> list[StoredEvent]:
    """What happened after `sequence`, the oldest first; only `user`'s when one is named.

    On PostgreSQL an event is returned only when no older transaction can still commit before it:
    a reader who resumes from the last number seen misses nothing.
    """
    query = select(events).where(events.c.sequence > sequence).order_by(events.c.sequence)
    if user is not None:
        query = query.where(events.c.user == user)
    return _read(conn, _settled(conn, query).limit(limit))


@brief
def last_at(conn: Connection) -> datetime | None:
    """When the newest event happened, by the clock of that time."""
    newest = select(events.c.at).order_by(events.c.sequence.desc()).limit(1)
    return conn.execute(newest).scalar_one_or_none()


def about(conn: Connection, subject: str, limit: int = 500) -> list[StoredEvent]:
    """The life of one thing, the oldest first."""
    return _ABOUT.values(conn, {"subject": subject, "most": limit}, _read_event, _read_raw_event)


def latest(conn: Connection) -> int:
    """The newest number that is settled; 0 when nothing has happened yet."""
    query = _settled(conn, select(func.max(events.c.sequence)))
    return int(conn.execute(query).scalar() or 0)


def oldest(conn: Connection) -> int:
    """The first number still kept; 0 when there is none."""
    return int(conn.execute(select(func.min(events.c.sequence))).scalar() or 0)


def _settled(conn: Connection, query: Select[Any]) -> Select[Any]:
    return query.where(SETTLED) if conn.dialect.name == "postgresql" else query


def _read(conn: Connection, query: Select[Any]) -> list[StoredEvent]:
    return [_stored(row) for row in conn.execute(query)]


def _read_event(facts: Mapping[Any, Any]) -> StoredEvent:
    return StoredEvent(**facts)


def _read_raw_event(row: Sequence[Any]) -> StoredEvent:
    """A row of `_ABOUT` as SQLite keeps it."""
    sequence, at, kind, version, subject, user, data = row
    return StoredEvent(
        sequence=sequence,
        at=from_micros(at),
        kind=kind,
        version=version,
        subject=subject,
        user=user,
        data=json.loads(data),
    )


def _stored(row: Row[Any]) -> StoredEvent:
    return StoredEvent(
        sequence=row.sequence,
        at=row.at,
        kind=row.kind,
        version=row.version,
        subject=row.subject,
        user=row.user,
        data=row.data,
    )


SEARCHED_MAX = 50_000  # events that are searched: some weeks of a household


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
        query = query.where(_says(words)).where(events.c.sequence > latest(conn) - SEARCHED_MAX)
    return _read(conn, _settled(conn, query).limit(limit))


def _says(words: str) -> ColumnElement[bool]:
    """Whether these words occur anywhere in an event, whatever their case."""
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
        return await self._db.read(after, sequence, user=user, limit=limit)

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
        return await self._db.read(latest)

    async def oldest(self) -> int:
        return await self._db.read(oldest)
