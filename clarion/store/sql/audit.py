"""Queries about who changed what."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select

from clarion.access.audit import Deed
from clarion.store.sql.engine.database import Database, Prepared
from clarion.store.sql.tables.access import audit

KEPT = tuple(column.name for column in audit.c if column.name != "sequence")
_ADD = Prepared(insert(audit).values({name: bindparam(name) for name in KEPT}))


def add(conn: Connection, deeds: Sequence[Deed]) -> None:
    _ADD.run_all(conn, [{name: getattr(deed, name) for name in KEPT} for deed in deeds])


def page(
    conn: Connection,
    user_id: str | None,
    token_id: str | None,
    since: datetime | None,
    until: datetime | None,
    before: int | None,
    limit: int,
) -> list[Deed]:
    query = select(audit).order_by(audit.c.sequence.desc()).limit(limit)
    for given, is_wanted in (
        (user_id, audit.c.user_id.__eq__),
        (token_id, audit.c.token_id.__eq__),
        (since, audit.c.at.__ge__),
        (until, audit.c.at.__lt__),
        (before, audit.c.sequence.__lt__),
    ):
        if given is not None:
            query = query.where(is_wanted(given))
    rows = conn.execute(query)
    return [Deed(**row._mapping) for row in rows]


def forget(conn: Connection, before: datetime) -> int:
    return conn.execute(delete(audit).where(audit.c.at < before)).rowcount


class SqlAudit:
    """`AuditStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, deeds: Sequence[Deed]) -> None:
        await self._db.write(add, deeds)

    async def page(self, **wanted: Any) -> list[Deed]:
        names = ("user_id", "token_id", "since", "until", "before", "limit")
        return await self._db.read(page, *(wanted[name] for name in names))

    async def forget(self, before: datetime) -> int:
        return await self._db.write(forget, before)
