"""How many reminders wait, for those who watch the whole."""

from sqlalchemy import Connection, func, select

from clarion.reminders.model import ReminderStatus
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.reminders import reminders


def pending(conn: Connection) -> int:
    waits = reminders.c.status == ReminderStatus.PENDING
    return int(conn.execute(select(func.count()).select_from(reminders).where(waits)).scalar_one())


class SqlCensus:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def pending(self) -> int:
        return await self._database.read(pending)
