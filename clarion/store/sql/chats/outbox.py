"""Messages to send to chats: in order within each chat, at most as fast as the platform allows."""

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)

from clarion.chats.events import ChatDied, ChatMessageSent, ChatMoved, ChatReturned
from clarion.chats.marks import moved, units
from clarion.chats.model import Chat, ChatId, ChatKind
from clarion.chats.ports import ChatTurn, Outgoing, Sent, ToSend
from clarion.store.sql import events
from clarion.store.sql.chats import lanes
from clarion.store.sql.chats import rules as chat_rules
from clarion.store.sql.chats.lanes import DEAD, DONE, IN, OUT, REFUSED, UNSENT, WAITING, WITHDRAWN
from clarion.store.sql.engine.database import MICROSECOND, Database, to_micros
from clarion.store.sql.people import store as people
from clarion.store.sql.tables.chats import chats, outbox, rules
from clarion.store.sql.tables.people import devices
from clarion.store.sql.tasks import rows as tasks

FIELDS = frozenset(each.name for each in fields(Outgoing))
AT_ONCE_MAX = 1_000


def queue(conn: Connection, outgoing: Sequence[Outgoing], now: datetime) -> int:
    """Returns how many were queued: not those with a known key, nor those for dead chats."""
    # Sorted, so that two writers to the same chats cannot deadlock.
    for chat_id in sorted({each.chat_id for each in outgoing}):
        lanes.share(conn, OUT, chat_id)
    return sum(_queue_one(conn, each, now) for each in outgoing)


def _queue_one(conn: Connection, outgoing: Outgoing, now: datetime) -> bool:
    chat = chat_rules.chat_row(conn, outgoing.chat_id)
    if chat is None:
        chat_rules.keep_chat(conn, Chat(id=outgoing.chat_id, kind=ChatKind.PRIVATE), now)
    elif chat.moved_to:
        lanes.share(conn, OUT, chat.moved_to)
        return _queue_one(conn, replace(outgoing, chat_id=chat.moved_to), now)
    if (
        outgoing.key
        and conn.execute(select(outbox.c.sequence).where(outbox.c.key == outgoing.key)).first()
    ):
        return False
    dead = chat is not None and chat.dead_at is not None
    if dead and _is_of_its_moment(outgoing):
        return False
    row = {"key": outgoing.key or None, "chat_id": outgoing.chat_id, "base": outgoing.base}
    row["place"] = _place(conn, outgoing, now)
    state = {"state": DONE, "outcome": DEAD} if dead else {"state": WAITING}
    body = {"since": now, "fence": 0, "message": asdict(outgoing), "source": outgoing.source}
    conn.execute(insert(outbox).values(**row, **body, **state))
    if dead:
        return False
    if outgoing.deletes_of:
        withdraw(conn, outgoing.deletes_of)
    lanes.wake(conn, OUT, outgoing.chat_id, now, None if chat is None else chat.paused_until)
    return True


_OPEN = outbox.c.state != literal_column(f"'{DONE}'")
_SENT_NEXT = select(func.min(outbox.c.place)).where(
    outbox.c.chat_id == bindparam("chat"), outbox.c.base == bindparam("level"), _OPEN
)
_OWN_LAST = select(func.max(outbox.c.place)).where(
    outbox.c.source == bindparam("from_chat"),
    outbox.c.chat_id == bindparam("chat"),
    outbox.c.base == bindparam("level"),
    _OPEN,
)


def _place(conn: Connection, outgoing: Outgoing, now: datetime) -> int:
    """Its order among the waiting messages of the same chat and level, a number like an instant.

    One step behind each message that its source has waiting there, and never before the next
    message: a chat that floods a target delays only itself and keeps its own order.
    """
    there = {"chat": outgoing.chat_id, "level": outgoing.base}
    first = conn.execute(_SENT_NEXT, there).scalar()
    begin: int = to_micros(now) if first is None else first
    if outgoing.source is None:
        return begin
    last = conn.execute(_OWN_LAST, {**there, "from_chat": outgoing.source}).scalar()
    if last is None:
        return begin
    _, weight = chat_rules.share_of(conn, outgoing.source)
    step = tasks.shares_of(conn).step(outgoing.base, weight) // MICROSECOND
    return max(begin, int(last) + step)


def begin_sending(conn: Connection, turn: ChatTurn, now: datetime) -> ToSend | None:
    chat_id = turn.chat_id
    lanes.lock(conn, OUT, chat_id)
    chat = chat_rules.chat_row(conn, chat_id)
    if chat is None:
        return None
    if chat.paused_until is not None and chat.paused_until > now:
        lanes.wake(conn, OUT, chat_id, now, chat.paused_until)
        return None
    row = lanes.begin(conn, OUT, turn, now)
    if row is None:
        return None
    outgoing = _outgoing(row.message, chat_id)
    if changed := outgoing.edits_of or outgoing.deletes_of:
        outgoing = _changing(outgoing, _under(conn, changed))
    if outgoing.reply_of:
        outgoing = replace(outgoing, reply_to=_remote_id(_under(conn, outgoing.reply_of)))
    return ToSend(row.sequence, outgoing, chat_rules.chat_of(chat), row.fence + 1)


def _changing(outgoing: Outgoing, shown: Row[Any] | None) -> Outgoing:
    """The edit, without its heading if the message has none (a later picture of an album)."""
    if shown is not None and not shown.message.get("head", outgoing.head):
        head, text = outgoing.text[: outgoing.head], outgoing.text[outgoing.head :]
        outgoing = replace(outgoing, text=text, marks=moved(outgoing.marks, -units(head)))
    return replace(outgoing, edits=_remote_id(shown))


def _under(conn: Connection, key: str) -> Row[Any] | None:
    """The message queued under this key; None when there is none or it will never be sent."""
    row = conn.execute(select(outbox).where(outbox.c.key == key)).first()
    return None if row is None or row.outcome.startswith(UNSENT) else row


def _remote_id(row: Row[Any] | None) -> str:
    """The platform's id of it; empty when it was not sent."""
    return row.outcome if row is not None and row.state == DONE else ""


def sent(conn: Connection, to_send: ToSend, remote_id: str, now: datetime, rest: timedelta) -> None:
    lanes.lock(conn, OUT, to_send.chat.id)
    outgoing = to_send.outgoing
    # Where the platform gives no id, as in the console, ours is used.
    name = remote_id or f"out{to_send.sequence}"
    here, others = _by_part(outgoing, name)
    if lanes.end(conn, OUT, to_send.sequence, to_send.fence, here):
        said = ChatMessageSent(subject=to_send.chat.id, text=outgoing.text)
        events.append(conn, [said], now)
        for part in others:
            _keep_part(conn, outgoing, *part, now)
        if outgoing.edits_of:
            original = update(outbox).where(outbox.c.key == outgoing.edits_of)
            conn.execute(original.values(outcome=name))
    if rest:
        _pause_until(conn, to_send.chat.id, now + rest)
    lanes.wake(conn, OUT, to_send.chat.id, now, now + rest)


def _by_part(outgoing: Outgoing, name: str) -> tuple[str, list[tuple[str, str]]]:
    """The ids of the album's part with the text and what follows; and (key, id) of the others."""
    known = name.split(",")
    if not outgoing.parts or len(known) < len(outgoing.parts):
        return name, []
    pairs = list(zip(outgoing.parts, known, strict=False))
    worded = [one for key, one in pairs if key == outgoing.key]
    rest = known[len(outgoing.parts) :]
    return ",".join([*worded, *rest]), [pair for pair in pairs if pair[0] != outgoing.key]


def _keep_part(conn: Connection, outgoing: Outgoing, key: str, name: str, now: datetime) -> None:
    """Keep it as if the picture had been sent alone: an edit or a reply will look for it."""
    alone = asdict(replace(outgoing, key=key, text="", marks=(), head=0, parts=()))
    row = {"key": key, "chat_id": outgoing.chat_id, "source": outgoing.source, "place": 0}
    done = {"state": DONE, "outcome": name, "since": now, "fence": 0, "base": outgoing.base}
    conn.execute(insert(outbox).values(message=alone, **row, **done))


def pause(conn: Connection, to_send: ToSend, now: datetime, until: datetime) -> None:
    """The platform asks us to wait with this chat."""
    _pause_until(conn, to_send.chat.id, until)
    put_back(conn, to_send, now, until)


def put_back(conn: Connection, to_send: ToSend, now: datetime, until: datetime) -> None:
    lanes.lock(conn, OUT, to_send.chat.id)
    lanes.put_back(conn, OUT, to_send.sequence, to_send.fence)
    lanes.wake(conn, OUT, to_send.chat.id, now, until)


def failed(conn: Connection, to_send: ToSend, reason: str, now: datetime) -> None:
    lanes.lock(conn, OUT, to_send.chat.id)
    lanes.fail(conn, OUT, to_send.sequence, to_send.fence, reason, now)
    lanes.wake(conn, OUT, to_send.chat.id, now, lanes.later(now, to_send.fence))


def refuse(conn: Connection, to_send: ToSend, reason: str, now: datetime) -> None:
    lanes.lock(conn, OUT, to_send.chat.id)
    ours = (outbox.c.sequence == to_send.sequence) & (outbox.c.fence == to_send.fence)
    row = conn.execute(select(outbox).where(ours, outbox.c.state != DONE)).first()
    if row is not None:
        lanes.lose(conn, OUT, row, REFUSED, reason, now)


def waiting_in(conn: Connection, chat_id: ChatId) -> list[Outgoing]:
    """All that waits to be sent there, and what is just being sent."""
    waits = select(outbox.c.message).where(outbox.c.chat_id == chat_id, outbox.c.state != DONE)
    found = conn.execute(waits.order_by(outbox.c.sequence).limit(AT_ONCE_MAX))
    return [_outgoing(message, chat_id) for message in found.scalars()]


def _is_of_its_moment(outgoing: Outgoing) -> bool:
    """A ring or a change to one: sent much later, it would only confuse people."""
    return bool(outgoing.buttons or outgoing.edits)


def bury(conn: Connection, chat_id: ChatId, reason: str, now: datetime) -> None:
    lanes.lock(conn, OUT, chat_id)
    conn.execute(update(chats).where(chats.c.id == chat_id).values(dead_at=now))
    waiting = (outbox.c.chat_id == chat_id) & (outbox.c.state != DONE)
    ended = conn.execute(select(outbox.c.sequence, outbox.c.message).where(waiting)).all()
    for sequence, message in ended:
        how = WITHDRAWN if _is_of_its_moment(_outgoing(message, chat_id)) else DEAD
        end = update(outbox).where(outbox.c.sequence == sequence)
        conn.execute(end.values(state=DONE, outcome=how, lease_by=None))
    task = lanes.bury(conn, OUT, chat_id, 0, reason, now)
    died = ChatDied(subject=chat_id, reason=reason, unsent=len(ended), task=task)
    events.append(conn, [died], now)


def revive(conn: Connection, chat_id: ChatId, now: datetime) -> None:
    """The bot may write there again. A chat that was not dead is not changed."""
    dead = chat_rules.in_group(chats.c.id, chat_id) & chats.c.dead_at.is_not(None)
    back = update(chats).where(dead).values(dead_at=None).returning(chats.c.id)
    returned = sorted(conn.execute(back).scalars())
    events.append(conn, [ChatReturned(subject=one) for one in returned], now)


def move(conn: Connection, chat_id: ChatId, to: ChatId, now: datetime) -> None:
    """Moves rules, messages and the queue too; doing it twice changes nothing."""
    for lane in (IN, OUT):
        for each in sorted((chat_id, to)):
            lanes.lock(conn, lane, each)
    old = chat_rules.chat_row(conn, chat_id)
    if old is None or old.moved_to:
        return
    chat_rules.keep_chat(conn, replace(chat_rules.chat_of(old), id=to), now)
    conn.execute(update(chats).where(chats.c.id == chat_id).values(moved_to=to))
    # The device of that chat stays the same: only its address changes.
    conn.execute(update(devices).where(devices.c.address == chat_id).values(address=to))
    people.move_address(conn, f"chat:{chat_id}", f"chat:{to}")
    _move_targets(conn, chat_id, to)
    taken = select(rules.c.id).where(rules.c.chat_id == to)
    if conn.execute(taken).first() is None:
        conn.execute(update(rules).where(rules.c.chat_id == chat_id).values(chat_id=to))
    for lane in (IN, OUT):
        c = lane.table.c
        back = {"chat_id": to, "state": WAITING, "lease_by": None}
        open_there = (c.chat_id == chat_id) & (c.state != DONE)
        conn.execute(update(lane.table).where(open_there).values(**back))
        lanes.wake(conn, lane, to, now)
    events.append(conn, [ChatMoved(subject=chat_id, to=to)], now)


def _move_targets(conn: Connection, chat_id: ChatId, to: ChatId) -> None:
    for rule_id, targets in conn.execute(select(rules.c.id, rules.c.targets)).all():
        if chat_id in targets:
            moved = [to if target == chat_id else target for target in targets]
            conn.execute(update(rules).where(rules.c.id == rule_id).values(targets=moved))


def sent_as(conn: Connection, key: str) -> Sent | None:
    row = _under(conn, key)
    if row is None:
        return None
    buttons = tuple((label, data) for label, data in row.message["buttons"])
    return Sent(row.message["text"], _remote_id(row), buttons)


def withdraw(conn: Connection, key: str) -> None:
    """A worker that is sending it right now succeeds; if that worker died, it is not sent again."""
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

    async def begin_sending(self, turn: ChatTurn, now: datetime) -> ToSend | None:
        return await self._database.write(begin_sending, turn, now)

    async def sent(self, to_send: ToSend, remote_id: str, now: datetime, rest: timedelta) -> None:
        await self._database.write(sent, to_send, remote_id, now, rest)

    async def pause(self, to_send: ToSend, now: datetime, until: datetime) -> None:
        await self._database.write(pause, to_send, now, until)

    async def put_back(self, to_send: ToSend, now: datetime, until: datetime) -> None:
        await self._database.write(put_back, to_send, now, until)

    async def failed(self, to_send: ToSend, reason: str, now: datetime) -> None:
        await self._database.write(failed, to_send, reason, now)

    async def refuse(self, to_send: ToSend, reason: str, now: datetime) -> None:
        await self._database.write(refuse, to_send, reason, now)

    async def reopen(self, chat_id: ChatId, sequence: int, now: datetime) -> bool:
        return await self._database.write(_reopen, chat_id, sequence, now)

    async def waiting_in(self, chat_id: ChatId) -> list[Outgoing]:
        return await self._database.read(waiting_in, chat_id)

    async def bury(self, chat_id: ChatId, reason: str, now: datetime) -> None:
        await self._database.write(bury, chat_id, reason, now)

    async def revive(self, chat_id: ChatId, now: datetime) -> None:
        await self._database.write(revive, chat_id, now)

    async def move(self, chat_id: ChatId, to: ChatId, now: datetime) -> None:
        await self._database.write(move, chat_id, to, now)


def _reopen(conn: Connection, chat_id: ChatId, sequence: int, now: datetime) -> bool:
    revive(conn, chat_id, now)
    return lanes.reopen(conn, OUT, chat_id, sequence, now)


def _pause_until(conn: Connection, chat_id: ChatId, until: datetime) -> None:
    conn.execute(update(chats).where(chats.c.id == chat_id).values(paused_until=until))


def _outgoing(kept: dict[str, Any], chat_id: ChatId) -> Outgoing:
    """Addressed to the chat's present name: it may have moved since."""
    known = {
        "chat_id": chat_id,
        "buttons": tuple(tuple(each) for each in kept["buttons"]),
        "marks": tuple(kept.get("marks", ())),
        "parts": tuple(kept.get("parts", ())),
    }
    # A server of another version may have written it.
    return Outgoing(**{name: each for name, each in kept.items() if name in FIELDS} | known)
