"""Messages that arrived in chats: stored before they are acknowledged, handled once, in order."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from clarion.chats.events import ChatMessageReceived
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message
from clarion.chats.ports import ChatTurn, InboxMessage, Outgoing, Promotion, RuleDraft
from clarion.store.sql import events
from clarion.store.sql.chats import lanes
from clarion.store.sql.chats import outbox as chat_outbox
from clarion.store.sql.chats import rules as chat_rules
from clarion.store.sql.chats.lanes import CONTROL, DONE, IN, WAITING
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.chats import inbox
from clarion.store.sql.tasks.rows import RETRY_AFTER
from clarion.tasks.model import Level, urgency
from clarion.tasks.ports import QueueFull

FIELDS = frozenset(each.name for each in fields(Message))
ALBUM_COMES_IN = timedelta(seconds=1)  # the parts arrive within a few tenths of a second
PART = "part of an album"
FEW = 10  # more at once is a flood and gets no preference


def take_in(
    conn: Connection,
    messages: Sequence[Message],
    now: datetime,
    is_control: Callable[[Message], bool],
    backlog_max: int | None = None,
) -> int:
    """Store the new messages of one chat, in its lane and with its priority.

    Raises `QueueFull`, and keeps nothing, when more than `backlog_max` would wait in a chat.
    """
    seen = select(inbox.c.update).where(inbox.c.update.in_([each.update for each in messages]))
    known = set(conn.execute(seen).scalars())
    fresh: dict[str, Message] = {}
    for each in messages:
        if each.update not in known:
            fresh.setdefault(each.update, each)
    if fresh:
        _take_in_new(conn, list(fresh.values()), now, is_control, backlog_max)
    return len(fresh)


def _by_chat(messages: Iterable[Message]) -> list[list[Message]]:
    chats: dict[ChatId, list[Message]] = {}
    for message in messages:
        chats.setdefault(message.chat.id, []).append(message)
    return list(chats.values())


def _take_in_new(
    conn: Connection,
    messages: Sequence[Message],
    now: datetime,
    is_control: Callable[[Message], bool],
    backlog_max: int | None,
) -> None:
    """In their order."""
    chat_id = chat_rules.keep_chat(conn, messages[-1].chat, now)
    lanes.share(conn, IN, chat_id)
    priority, weight = chat_rules.share_of(conn, chat_id)
    messages = _join_albums(conn, chat_id, messages, now)
    if not messages:
        return
    bases = [_base(message, priority, is_control) for message in messages]
    ordinary = sum(base < CONTROL for base in bases)
    if backlog_max is not None and ordinary:
        _check_backlog(conn, chat_id, backlog_max - ordinary)
    starts = {base: lanes.starts(conn, chat_id, base, weight, now) for base in set(bases)}
    same = {"chat_id": chat_id, "since": now, "state": WAITING, "fence": 0}
    rows = [
        {
            "update": message.update,
            "base": base,
            "message": dump(message),
            "start_at": now if base >= CONTROL else next(starts[base]),
            **same,
            "since": now + ALBUM_COMES_IN if message.album else now,
        }
        for message, base in zip(messages, bases, strict=True)
    ]
    conn.execute(insert(inbox), rows)
    said = [
        ChatMessageReceived(subject=chat_id, sender=message.sender.name, text=message.text)
        for message in messages
        if not message.is_history and not message.is_deletion
    ]
    events.append(conn, said, now)
    lanes.wake(conn, IN, chat_id, now)


def _join_albums(
    conn: Connection, chat_id: ChatId, messages: Sequence[Message], now: datetime
) -> list[Message]:
    """The messages to store, each album as one: platforms send its parts one after the other.

    A late part joins the first one if that has not been handled yet, and counts as known then.
    """
    kept, parts = list[Message](), list[Message]()
    first = messages[0]
    waits = _waiting_album(conn, chat_id, first.album) if first.album else None
    if waits is not None:
        kept.append(load(waits.message))
    for each in messages:
        last = kept[-1] if kept else None
        if last is not None and each.album and each.album == last.album:
            kept[-1] = _with_part(last, each)
            parts.append(each)
        else:
            kept.append(each)
    same = {"chat_id": chat_id, "since": now, "base": 0, "state": DONE, "fence": 0}
    for each in parts:
        known = {"update": each.update, "message": dump(each), "outcome": PART}
        conn.execute(insert(inbox).values(**same, **known))
    if waits is None:
        return kept
    whole = update(inbox).where(inbox.c.sequence == waits.sequence)
    conn.execute(whole.values(message=dump(kept[0])))
    return kept[1:]


def _with_part(album: Message, part: Message) -> Message:
    """Its text is the first caption that one of its parts has."""
    whole = replace(album, others=(*album.others, part.message_id))
    if album.text or not part.text:
        return whole
    return replace(whole, text=part.text, marks=part.marks, words_under=part.message_id)


def _waiting_album(conn: Connection, chat_id: ChatId, album: str) -> Row[Any] | None:
    """The chat's last message, if it belongs to this album and is not being handled yet."""
    last = select(inbox).where(inbox.c.chat_id == chat_id, inbox.c.state == WAITING)
    row = conn.execute(last.order_by(inbox.c.sequence.desc()).limit(1)).first()
    return row if row is not None and row.message.get("album") == album else None


def _base(message: Message, priority: int, is_control: Callable[[Message], bool]) -> int:
    if is_control(message):
        return int(CONTROL)
    return int(Level.BULK) if message.is_history else priority


def _check_backlog(conn: Connection, chat_id: ChatId, room_for: int) -> None:
    """`room_for`: how many may wait already; commands about the queue are always accepted."""
    waits = select(inbox.c.sequence).where(inbox.c.chat_id == chat_id, inbox.c.state != DONE)
    counted = select(func.count()).select_from(waits.limit(max(0, room_for) + 1).subquery())
    if (waiting := conn.execute(counted).scalar_one()) > room_for:
        raise QueueFull(
            f"{chat_id} has {waiting} messages waiting, and there is no room for more.",
            hint="Nothing was added. Wait until some are done, then try again.",
            details={"source": chat_id, "waiting": waiting},
            retry_after=RETRY_AFTER,
        )


def begin(conn: Connection, turn: ChatTurn, now: datetime) -> InboxMessage | None:
    row = lanes.begin(conn, IN, turn, now)
    if row is None:
        return None
    message = load(row.message)
    here = replace(message.chat, id=turn.chat_id)  # it may have moved since
    was = None if message.chat.id == here.id else message.chat.id
    message = replace(message, chat=here, said_in=was)
    rule = chat_rules.rule_of(conn, here.id)
    return InboxMessage(row.sequence, message, row.fence + 1, rule)


def finish(
    conn: Connection,
    kept: InboxMessage,
    now: datetime,
    outgoing: Sequence[Outgoing],
    promotion: Promotion | None,
    handled_as: str,
) -> None:
    chat_id = kept.message.chat.id
    lanes.lock(conn, IN, chat_id)
    if lanes.end(conn, IN, kept.sequence, kept.fence, handled_as):
        chat_outbox.queue(conn, outgoing, now)
        if promotion is not None:
            _promote(conn, kept.message, promotion, now)
    lanes.wake(conn, IN, chat_id, now)


def put_back(conn: Connection, kept: InboxMessage, now: datetime, until: datetime) -> None:
    lanes.lock(conn, IN, kept.message.chat.id)
    lanes.put_back(conn, IN, kept.sequence, kept.fence)
    lanes.wake(conn, IN, kept.message.chat.id, now, until)


def failed(conn: Connection, kept: InboxMessage, reason: str, now: datetime) -> None:
    lanes.lock(conn, IN, kept.message.chat.id)
    lanes.fail(conn, IN, kept.sequence, kept.fence, reason, now)
    lanes.wake(conn, IN, kept.message.chat.id, now, lanes.later(now, kept.fence))


def _promote(conn: Connection, message: Message, promotion: Promotion, now: datetime) -> None:
    before = chat_rules.priority_of(conn, promotion.chat_id)
    draft = RuleDraft(priority=promotion.priority)
    rule = chat_rules.save(conn, promotion.chat_id, draft, promotion.by, now)
    said = promotion.say(rule.chat_title or rule.chat_id, before, rule.priority)
    reply = Outgoing(
        chat_id=message.chat.id,
        text=said.text,
        marks=said.marks,
        reply_to=message.message_id,
        base=int(Level.CRITICAL),
    )
    chat_outbox.queue(conn, [reply], now)


def prune(conn: Connection, before: datetime) -> int:
    """Delete handled messages. Their update ids, which detect repeats, go too: keep some days."""
    old = (inbox.c.state == DONE) & (inbox.c.since < before)
    return conn.execute(delete(inbox).where(old)).rowcount


def nothing_overtakes(_message: Message) -> bool:
    return False


class SqlInbox:
    """`backlog_max`: how many may wait in one chat. None where a refused message would be lost.

    `is_control`: whether a message overtakes all others of its chat (a command about the queue).
    """

    def __init__(
        self,
        database: Database,
        *,
        backlog_max: int | None = None,
        is_control: Callable[[Message], bool] = nothing_overtakes,
    ) -> None:
        self._database = database
        self._backlog_max = backlog_max
        self._is_control = is_control

    async def take_in(self, messages: Sequence[Message], now: datetime) -> int:
        # A person waits for our answer, and the chat may be a VIP's.
        live = not all(message.is_history for message in messages)
        with urgency(Level.HIGH if live and len(messages) <= FEW else Level.NORMAL):
            # One transaction per chat, so that no chat waits until all others are stored.
            kept = await asyncio.gather(
                *(
                    self._database.write(take_in, heard, now, self._is_control, self._backlog_max)
                    for heard in _by_chat(messages)
                ),
                return_exceptions=True,
            )
        for each in kept:
            if isinstance(each, BaseException):
                raise each
        return sum(each for each in kept if isinstance(each, int))

    async def begin(self, turn: ChatTurn, now: datetime) -> InboxMessage | None:
        return await self._database.write(begin, turn, now)

    async def put_back(self, kept: InboxMessage, now: datetime, until: datetime) -> None:
        await self._database.write(put_back, kept, now, until)

    async def failed(self, kept: InboxMessage, reason: str, now: datetime) -> None:
        await self._database.write(failed, kept, reason, now)

    async def reopen(self, chat_id: ChatId, sequence: int, now: datetime) -> bool:
        return await self._database.write(_reopen, chat_id, sequence, now)

    async def finish(
        self,
        kept: InboxMessage,
        now: datetime,
        *,
        outgoing: Sequence[Outgoing] = (),
        promotion: Promotion | None = None,
        handled_as: str = "",
    ) -> None:
        await self._database.write(finish, kept, now, outgoing, promotion, handled_as)


def _reopen(conn: Connection, chat_id: ChatId, sequence: int, now: datetime) -> bool:
    return lanes.reopen(conn, IN, chat_id, sequence, now)


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
        "sender": ChatSender(**kept["sender"]),
        "sent_at": datetime.fromisoformat(kept["sent_at"]),
        "mentions": tuple(kept.get("mentions", ())),
        "marks": tuple(kept.get("marks", ())),
        "others": tuple(kept.get("others", ())),
    }
    # A server of another version may have written it.
    ours = {name: value for name, value in kept.items() if name in FIELDS}
    return Message(**{**ours, **known})
