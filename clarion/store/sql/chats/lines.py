"""A chat as the console shows it: received and sent messages in their latest version."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from clarion.chats.model import ChatId
from clarion.chats.ports import ChatLine
from clarion.store.sql.chats import inbox as chat_inbox
from clarion.store.sql.chats import lanes
from clarion.store.sql.chats import outbox as chat_outbox
from clarion.store.sql.chats.lanes import DONE, IN, OUT, ChatLane
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.chats import inbox, outbox


def lines(conn: Connection, chat_id: ChatId, limit: int) -> list[ChatLine]:
    """The newest `limit` of both, the oldest first."""
    said = [_said(row) for row in _last(conn, inbox, chat_id, limit) if row.message["text"]]
    answered: dict[str, ChatLine] = {}
    for row in _last(conn, outbox, chat_id, limit):
        if not row.message["text"]:  # a picture
            continue
        line = _answered(row)
        edited = row.message["edits"]
        # The console names a message by its number in the outbox.
        if edited in answered:
            answered[edited] = ChatLine(
                **_fields(answered[edited]) | _fields(line, "text", "buttons")
            )
        elif not edited:
            answered[line.id] = line
    together = [*said, *answered.values()]
    return sorted(together, key=lambda line: (line.at, not line.incoming))[-limit:]


def _last(conn: Connection, table: Any, chat_id: ChatId, limit: int) -> list[Row[Any]]:
    query = select(table).where(table.c.chat_id == chat_id)
    return list(conn.execute(query.order_by(table.c.sequence.desc()).limit(limit)))[::-1]


def _said(row: Row[Any]) -> ChatLine:
    message = row.message
    name = message["sender"]["name"]
    return ChatLine(f"in{row.sequence}", row.since, True, name, message["text"], (), row.state)


def _answered(row: Row[Any]) -> ChatLine:
    buttons = tuple((label, data) for label, data in row.message["buttons"])
    text = row.message["text"]
    return ChatLine(f"out{row.sequence}", row.since, False, "Clarion", text, buttons, row.state)


def _fields(line: ChatLine, *names: str) -> dict[str, Any]:
    every = ("id", "at", "incoming", "sender", "text", "buttons", "state")
    return {name: getattr(line, name) for name in names or every}


class SqlTranscript:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def lines(self, chat_id: ChatId, limit: int) -> list[ChatLine]:
        return await self._database.read(lines, chat_id, limit)

    async def backlog(self, platform: str = "") -> Mapping[str, int]:
        """How many messages wait to be handled (`in`) and sent (`out`), in one chat or in all."""
        return await self._database.read(_backlog, platform)

    async def wake(self, now: datetime) -> int:
        found = await self._database.read(_forsaken)
        if found:
            await self._database.write(_wake, found, now)
        return len(found)

    async def forget(self, before: datetime) -> int:
        return await self._database.write(_forget, before)


def _forget(conn: Connection, before: datetime) -> int:
    return chat_inbox.prune(conn, before) + chat_outbox.prune(conn, before)


def _backlog(conn: Connection, platform: str) -> dict[str, int]:
    found = {}
    for lane in (IN, OUT):
        waiting = select(func.count()).select_from(lane.table).where(lane.table.c.state != DONE)
        if platform:
            waiting = waiting.where(lane.table.c.chat_id.startswith(f"{platform}:"))
        found[lane.name] = conn.execute(waiting).scalar_one()
    return found


def _forsaken(conn: Connection) -> list[tuple[ChatLane, ChatId]]:
    return [(lane, chat_id) for lane in (IN, OUT) for chat_id in lanes.forsaken(conn, lane)]


def _wake(conn: Connection, found: list[tuple[ChatLane, ChatId]], now: datetime) -> None:
    for lane, chat_id in found:
        lanes.wake(conn, lane, chat_id, now)
