"""What dialogues remember: the queries, and `DialogueStore` over one database."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.ids import UserId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.dialogues import dialogues


def recall(conn: Connection, place: str, since: datetime) -> dict[str, Any] | None:
    query = select(dialogues.c.memory).where(dialogues.c.place == place, dialogues.c.at > since)
    return conn.execute(query).scalar()


def remember(
    conn: Connection, place: str, user_id: str, memory: dict[str, Any], now: datetime
) -> None:
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    kept = {"user_id": user_id, "memory": memory, "at": now}
    query = dialect.insert(dialogues).values(place=place, **kept)
    conn.execute(query.on_conflict_do_update(index_elements=[dialogues.c.place], set_=kept))


def forget(conn: Connection, before: datetime) -> int:
    return conn.execute(delete(dialogues).where(dialogues.c.at < before)).rowcount


class SqlDialogues:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def recall(self, place: str, since: datetime) -> dict[str, Any] | None:
        return await self._db.read(recall, place, since)

    async def remember(
        self, place: str, user_id: UserId, memory: dict[str, Any], now: datetime
    ) -> None:
        await self._db.write(remember, place, user_id, memory, now)

    async def forget(self, before: datetime) -> int:
        return await self._db.write(forget, before)
