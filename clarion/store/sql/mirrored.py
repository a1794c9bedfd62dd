"""Rows for the Redis mirror as plain JSON values: those that the log names, or page by page."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, select

from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.people import devices
from clarion.store.sql.tables.reminders import reminders, series

SHOWN: dict[str, tuple[str, ...]] = {
    "reminders": (
        *("id", "user_id", "device_id", "content", "trigger_at", "confirmation", "status"),
        *("attempt", "created_at", "ended_at", "series_id"),
    ),
    "series": ("id", "user_id", "pattern", "zone", "content", "next_at", "enabled", "ended_at"),
    "devices": ("id", "user_id", "kind", "online", "last_seen"),
}
NAMES = {"next_at": "next_trigger"}  # as the mirror's readers know them
TABLES: dict[str, Table] = {"reminders": reminders, "series": series, "devices": devices}
BY_KIND = {"reminder": "reminders", "series": "series", "device": "devices"}


class ChangedRows(NamedTuple):
    rows: dict[str, list[Mapping[str, Any]]]
    gone: list[str]
    upto: int


def changed(conn: Connection, after: int, most: int) -> ChangedRows:
    happened = events.after(conn, after, limit=most)
    about: dict[str, dict[str, None]] = {kind: {} for kind in TABLES}
    for event in happened:
        kind = BY_KIND.get(event.kind.partition(".")[0])
        if kind is not None:
            about[kind][event.subject] = None
    rows = {kind: _rows(conn, kind, TABLES[kind].c.id.in_(ids)) for kind, ids in about.items()}
    found = {row["id"] for kind in rows.values() for row in kind}
    gone = [id_ for ids in about.values() for id_ in ids if id_ not in found]
    return ChangedRows(rows, gone, happened[-1].sequence if happened else after)


def page(conn: Connection, kind: str, after: str, most: int) -> list[Mapping[str, Any]]:
    table = TABLES[kind]
    wanted = [table.c.id > after]
    if kind == "reminders":
        wanted.append(table.c.ended_at.is_(None))
    if kind == "devices":
        wanted.append(table.c.online.is_(True))
    return _rows(conn, kind, *wanted, most=most)


def _rows(
    conn: Connection, kind: str, *wanted: ColumnElement[bool], most: int | None = None
) -> list[Mapping[str, Any]]:
    table = TABLES[kind]
    query = select(*(table.c[name] for name in SHOWN[kind])).where(*wanted)
    found = conn.execute(query.order_by(table.c.id).limit(most)).mappings()
    return [_plain(row.items()) for row in found]


def _plain(items: Iterable[tuple[Any, Any]]) -> Mapping[str, Any]:
    return {
        NAMES.get(name, name): value.isoformat() if isinstance(value, datetime) else value
        for name, value in items
    }


class SqlMirrored:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self) -> int:
        return await self._database.read(events.latest)

    async def changed(self, after: int, most: int) -> ChangedRows:
        return await self._database.read(changed, after, most)

    async def page(self, kind: str, after: str, most: int) -> list[Mapping[str, Any]]:
        return await self._database.read(page, kind, after, most)
