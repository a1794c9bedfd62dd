"""What arrived in chats: kept before it is acknowledged, handled once, in order."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from clarion.base.ids import TaskId, new_id
from clarion.base.urgency import ORDINARY, URGENT, urgency
from clarion.chats.events import ChatMessageReceived
from clarion.chats.model import Chat, ChatKind, Message, Sender
from clarion.chats.ports import (
    HANDLE,
    Busy,
    Kept,
    Next,
    Outgoing,
    Promotion,
    Resting,
    RuleDraft,
    Turn,
)
from clarion.store.sql import chat_outbox, chat_rules, events, lanes, tasks
from clarion.store.sql.database import Database
from clarion.store.sql.lanes import DONE, WAITING, Lane
from clarion.store.sql.tables.chats import chats, inbox
from clarion.tasks.model import Level, Queue, Task

FEW = 10  # more than that at once is a flood, and waits like everybody
LANE = Lane(inbox, chats.c.spare_in, chats.c.rests_in)


def take_in(
    conn: Connection, messages: Sequence[Message], now: datetime, backlog_max: int | None = None
) -> int:
    """Keep what is new, each with a task in its chat's priority.

    Raises `QueueFull`, and keeps nothing, when more than `backlog_max` would wait in a chat.
    """
    seen = select(inbox.c.update).where(inbox.c.update.in_([each.update for each in messages]))
    known = set(conn.execute(seen).scalars())
    fresh: dict[str, Message] = {}
    for each in messages:
        if each.update not in known:
            fresh.setdefault(each.update, each)
    for message in fresh.values():
        _take_in_one(conn, message, now, backlog_max)
    return len(fresh)


def _take_in_one(
    conn: Connection, message: Message, now: datetime, backlog_max: int | None
) -> None:
    chat = message.chat
    chat_rules.keep_chat(conn, chat)
    base = int(Level.BULK) if message.is_history else chat_rules.priority_of(conn, chat.id)
    row = {"update": message.update, "chat_id": chat.id, "base": base, "since": now}
    body = {"state": WAITING, "fence": 0, "message": dump(message)}
    conn.execute(insert(inbox).values(**row, **body))
    task = Task(
        id=TaskId(new_id("tsk", now)),
        kind=HANDLE,
        due_at=now,
        payload={"chat": chat.id},
        base=base,
        queue=Queue.MESSAGES,
        # History keeps its place when the chat is promoted.
        source=f"history:{chat.id}" if message.is_history else chat.id,
    )
    tasks.add(conn, [task], now, backlog_max=backlog_max)
    if not message.is_history:
        said = ChatMessageReceived(subject=chat.id, sender=message.sender.name, text=message.text)
        events.append(conn, [said], now)


def begin(conn: Connection, turn: Turn, now: datetime) -> Kept | Busy | Resting | None:
    row = lanes.begin(conn, LANE, turn, now)
    if row is None or isinstance(row, Busy | Resting):
        return row
    message = load(row.message)
    here = replace(message.chat, id=turn.chat_id)  # it may have moved since
    return Kept(row.sequence, replace(message, chat=here), row.fence + 1)


def finish(
    conn: Connection,
    kept: Kept,
    now: datetime,
    outgoing: Sequence[Outgoing],
    promotion: Promotion | None,
    handled_as: str,
) -> Next | None:
    chat_id = kept.message.chat.id
    lanes.lock(conn, chat_id)
    if lanes.end(conn, LANE, kept.sequence, kept.fence, handled_as):
        chat_outbox.queue(conn, outgoing, now)
        if promotion is not None:
            _promote(conn, kept.message, promotion, now)
    return lanes.go_on(conn, LANE, chat_id)


def failed(conn: Connection, kept: Kept) -> None:
    lanes.put_back(conn, LANE, kept.sequence, kept.fence, counts=True)


def _promote(conn: Connection, message: Message, promotion: Promotion, now: datetime) -> None:
    before = chat_rules.priority_of(conn, promotion.chat_id)
    draft = RuleDraft(priority=promotion.priority)
    rule = chat_rules.save(conn, promotion.chat_id, draft, promotion.by, now)
    text = promotion.say(rule.chat_title or rule.chat_id, before, rule.priority)
    reply = Outgoing(chat_id=message.chat.id, text=text, reply_to=message.message_id)
    chat_outbox.queue(conn, [reply], now)


def prune(conn: Connection, before: datetime) -> int:
    """Forget handled messages; their update names with them, so keep them for some days."""
    old = (inbox.c.state == DONE) & (inbox.c.since < before)
    return conn.execute(delete(inbox).where(old)).rowcount


class SqlInbox:
    """`backlog_max`: how much may wait in one chat. None where refusing would lose it."""

    def __init__(self, database: Database, *, backlog_max: int | None = None) -> None:
        self._database = database
        self._backlog_max = backlog_max

    async def take_in(self, messages: Sequence[Message], now: datetime) -> int:
        # Whoever speaks waits for our answer, and their chat may be a VIP's.
        live = not all(message.is_history for message in messages)
        with urgency(URGENT if live and len(messages) <= FEW else ORDINARY):
            return await self._database.write(take_in, messages, now, self._backlog_max)

    async def begin(self, turn: Turn, now: datetime) -> Kept | Busy | Resting | None:
        return await self._database.write(begin, turn, now)

    async def failed(self, kept: Kept) -> None:
        await self._database.write(failed, kept)

    async def finish(
        self,
        kept: Kept,
        now: datetime,
        *,
        outgoing: Sequence[Outgoing] = (),
        promotion: Promotion | None = None,
        handled_as: str = "",
    ) -> Next | None:
        return await self._database.write(finish, kept, now, outgoing, promotion, handled_as)


def dump(message: Message) -> dict[str, Any]:
    kept = asdict(message)
    kept["sent_at"] = message.sent_at.isoformat()
    kept["chat"] = {
        name: getattr(message.chat, name) for name in ("id", "kind", "title", "language")
    }
    return kept


def load(kept: dict[str, Any]) -> Message:
    chat = kept["chat"]
    known: dict[str, Any] = {
        "chat": Chat(**{**chat, "kind": ChatKind(chat["kind"])}),
        "sender": Sender(**kept["sender"]),
        "sent_at": datetime.fromisoformat(kept["sent_at"]),
    }
    return Message(**{**kept, **known})
