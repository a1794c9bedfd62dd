"""What is to be sent to chats: in order for each, and no faster than the platform allows."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from clarion.base.ids import TaskId, new_id
from clarion.chats.events import ChatDied, ChatMessageSent, ChatMoved
from clarion.chats.model import Chat, ChatId, ChatKind
from clarion.chats.ports import HANDLE, SEND, Busy, Next, Outgoing, Resting, Sent, ToSend, Turn
from clarion.store.sql import chat_rules, events, lanes, tasks
from clarion.store.sql.database import Database
from clarion.store.sql.lanes import DONE, WAITING, WITHDRAWN, Lane
from clarion.store.sql.tables.chats import chats, inbox, outbox, rules
from clarion.tasks.model import Queue, Task

DEAD = "chat is dead"
LANE = Lane(outbox, chats.c.spare_out, chats.c.rests_out)


def queue(conn: Connection, outgoing: Sequence[Outgoing], now: datetime) -> int:
    """How many were queued: what has a key that was used before, or goes to the dead, is not."""
    return sum(_queue_one(conn, each, now) for each in outgoing)


def _queue_one(conn: Connection, outgoing: Outgoing, now: datetime) -> bool:
    chat = lanes.lock(conn, outgoing.chat_id)
    if chat is None:
        chat_rules.keep_chat(conn, Chat(id=outgoing.chat_id, kind=ChatKind.PRIVATE))
    elif chat.moved_to:
        return _queue_one(conn, replace(outgoing, chat_id=chat.moved_to), now)
    elif chat.dead_at is not None:
        return False
    if (
        outgoing.key
        and conn.execute(select(outbox.c.sequence).where(outbox.c.key == outgoing.key)).first()
    ):
        return False
    row = {"key": outgoing.key or None, "chat_id": outgoing.chat_id, "base": outgoing.base}
    body = {"since": now, "state": WAITING, "fence": 0, "message": asdict(outgoing)}
    conn.execute(insert(outbox).values(**row, **body))
    task = Task(
        id=TaskId(new_id("tsk", now)),
        kind=SEND,
        due_at=now,
        payload={"chat": outgoing.chat_id},
        base=outgoing.base,
        queue=Queue.MESSAGES,
        source=f"out:{outgoing.chat_id}",
    )
    tasks.add(conn, [task], now)
    return True


def begin_sending(conn: Connection, turn: Turn, now: datetime) -> ToSend | Busy | Resting | None:
    chat_id = turn.chat_id
    chat = lanes.lock(conn, chat_id)
    if chat is None:
        return None
    if chat.paused_until is not None and chat.paused_until > now:
        return lanes.turn_away(conn, LANE, chat_id, chat.paused_until)
    row = lanes.begin(conn, LANE, turn, now)
    if row is None or isinstance(row, Busy | Resting):
        return row
    return ToSend(
        row.sequence, _outgoing(row.message, chat_id), chat_rules.chat_of(chat), row.fence + 1
    )


def sent(
    conn: Connection, to_send: ToSend, remote_id: str, now: datetime, rest: timedelta
) -> Next | None:
    # Where the platform has no name for it, as in the console, ours will do.
    name = remote_id or f"out{to_send.sequence}"
    if lanes.end(conn, LANE, to_send.sequence, to_send.fence, name):
        said = ChatMessageSent(subject=to_send.chat.id, text=to_send.outgoing.text)
        events.append(conn, [said], now)
    if rest:
        _pause_until(conn, to_send.chat.id, now + rest)
    return lanes.go_on(conn, LANE, to_send.chat.id)


def pause(conn: Connection, to_send: ToSend, until: datetime) -> None:
    lanes.put_back(conn, LANE, to_send.sequence, to_send.fence)
    _pause_until(conn, to_send.chat.id, until)


def failed(conn: Connection, to_send: ToSend) -> None:
    lanes.put_back(conn, LANE, to_send.sequence, to_send.fence, counts=True)


def refuse(conn: Connection, to_send: ToSend, reason: str, _now: datetime) -> Next | None:
    lanes.end(conn, LANE, to_send.sequence, to_send.fence, f"refused: {reason}")
    return lanes.go_on(conn, LANE, to_send.chat.id)


def bury(conn: Connection, to_send: ToSend, reason: str, now: datetime) -> None:
    chat_id = to_send.chat.id
    conn.execute(update(chats).where(chats.c.id == chat_id).values(dead_at=now, spare_out=0))
    waiting = (outbox.c.chat_id == chat_id) & (outbox.c.state != DONE)
    dead = {"state": DONE, "outcome": DEAD, "lease_by": None}
    conn.execute(update(outbox).where(waiting).values(**dead))
    events.append(conn, [ChatDied(subject=chat_id, reason=reason)], now)


def move(conn: Connection, chat_id: ChatId, to: ChatId, now: datetime) -> None:
    """Rules, messages and what waits go along; doing it twice changes nothing."""
    old = lanes.lock(conn, chat_id)
    if old is None or old.moved_to:
        return
    chat_rules.keep_chat(conn, replace(chat_rules.chat_of(old), id=to))
    conn.execute(update(chats).where(chats.c.id == chat_id).values(moved_to=to))
    taken = select(rules.c.id).where(rules.c.chat_id == to)
    if conn.execute(taken).first() is None:
        conn.execute(update(rules).where(rules.c.chat_id == chat_id).values(chat_id=to))
    for table in (inbox, outbox):
        open_there = (table.c.chat_id == chat_id) & (table.c.state != DONE)
        sequences = list(conn.execute(select(table.c.sequence).where(open_there)).scalars())
        back = {"chat_id": to, "state": WAITING, "lease_by": None}
        conn.execute(update(table).where(table.c.sequence.in_(sequences)).values(**back))
        _new_tasks(conn, table.name, to, len(sequences), now)
    events.append(conn, [ChatMoved(subject=chat_id, to=to)], now)


def _new_tasks(conn: Connection, lane: str, to: ChatId, count: int, now: datetime) -> None:
    """The old tasks will find nothing under the old name; these find it under the new one."""
    incoming = lane == inbox.name
    moved = [
        Task(
            id=TaskId(new_id("tsk", now)),
            kind=HANDLE if incoming else SEND,
            due_at=now,
            payload={"chat": to},
            base=chat_rules.priority_of(conn, to),
            queue=Queue.MESSAGES,
            source=to if incoming else f"out:{to}",
        )
        for _ in range(count)
    ]
    tasks.add(conn, moved, now)


def sent_as(conn: Connection, key: str) -> Sent | None:
    row = conn.execute(select(outbox).where(outbox.c.key == key)).first()
    if row is None or row.outcome in (DEAD, WITHDRAWN):
        return None
    return Sent(row.message["text"], row.outcome if row.state == DONE else "")


def withdraw(conn: Connection, key: str) -> None:
    """Whoever sends it just now succeeds; if they have died, nobody sends it after them."""
    on_its_way = (outbox.c.key == key) & (outbox.c.state != DONE)
    conn.execute(update(outbox).where(on_its_way).values(outcome=WITHDRAWN))


def prune(conn: Connection, before: datetime) -> int:
    old = (outbox.c.state == DONE) & (outbox.c.since < before)
    return conn.execute(delete(outbox).where(old)).rowcount


class SqlOutbox:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def queue(self, outgoing: Sequence[Outgoing], now: datetime) -> int:
        return await self._database.write(queue, outgoing, now)

    async def sent_as(self, key: str) -> Sent | None:
        return await self._database.read(sent_as, key)

    async def withdraw(self, key: str) -> None:
        await self._database.write(withdraw, key)

    async def begin_sending(self, turn: Turn, now: datetime) -> ToSend | Busy | Resting | None:
        return await self._database.write(begin_sending, turn, now)

    async def sent(
        self, to_send: ToSend, remote_id: str, now: datetime, rest: timedelta
    ) -> Next | None:
        return await self._database.write(sent, to_send, remote_id, now, rest)

    async def pause(self, to_send: ToSend, until: datetime) -> None:
        await self._database.write(pause, to_send, until)

    async def failed(self, to_send: ToSend) -> None:
        await self._database.write(failed, to_send)

    async def bury(self, to_send: ToSend, reason: str, now: datetime) -> None:
        await self._database.write(bury, to_send, reason, now)

    async def refuse(self, to_send: ToSend, reason: str, now: datetime) -> Next | None:
        return await self._database.write(refuse, to_send, reason, now)

    async def move(self, chat_id: ChatId, to: ChatId, now: datetime) -> None:
        await self._database.write(move, chat_id, to, now)


def _pause_until(conn: Connection, chat_id: ChatId, until: datetime) -> None:
    conn.execute(update(chats).where(chats.c.id == chat_id).values(paused_until=until))


def _outgoing(kept: dict[str, Any], chat_id: ChatId) -> Outgoing:
    """To the chat as it is called now: it may have moved since."""
    buttons = tuple(tuple(each) for each in kept["buttons"])
    return Outgoing(**{**kept, "chat_id": chat_id, "buttons": buttons})
