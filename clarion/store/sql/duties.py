"""Duties: take free ones, renew ours. One statement each, so two servers cannot both win."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.tasks import duties


def take(
    conn: Connection, names: Sequence[str], holder: str, now: datetime, until: datetime
) -> set[str]:
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    for name in sorted(names):  # in one order, so that two servers cannot lock each other
        new = dialect.insert(duties).values(name=name, holder=holder, until=until)
        free = or_(duties.c.holder == holder, duties.c.until <= now)
        conn.execute(
            new.on_conflict_do_update(
                index_elements=[duties.c.name],
                set_={"holder": holder, "until": until},
                where=free,
            )
        )
    ours = select(duties.c.name).where(duties.c.holder == holder, duties.c.name.in_(names))
    return set(conn.execute(ours).scalars())


def resign(conn: Connection, holder: str) -> None:
    conn.execute(delete(duties).where(duties.c.holder == holder))


class SqlDuties:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(
        self, names: Sequence[str], holder: str, now: datetime, until: datetime
    ) -> set[str]:
        return await self._database.write(take, names, holder, now, until)

    async def resign(self, holder: str) -> None:
        await self._database.write(resign, holder)
