"""One message after the other in each chat, however many workers there are.

A lane is the inbox or the outbox of one chat. The number of tasks for a lane equals the number
of messages that wait in it: a task that finds the lane busy ends and is counted as spare, and
the task that was under way takes a spare for another round. One of those turned away looks again
when the lease of the busy one ends, in case its process died. The task that holds the lane and is
tried again, because its process died or lost the database, goes on where it was. Nothing spins,
nothing is lost.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, bindparam, select, update

from clarion.chats.model import ChatId
from clarion.chats.ports import Busy, Next, Resting, Turn
from clarion.store.sql.tables.chats import chats
from clarion.store.sql.types import Instant

WAITING, UNDER_WAY, DONE = "waiting", "under_way", "done"
WITHDRAWN, GIVEN_UP = "withdrawn", "given up"
TRIES_MAX = 5  # a message that fails so often must not hold up its chat for ever


class Lane:
    """The statements of one lane, made once: making them anew costs as much as running them."""

    def __init__(self, table: Table, spare: Column[int], rests: Column[datetime]) -> None:
        c = table.c
        chat = c.chat_id == bindparam("chat")
        ours = (c.sequence == bindparam("number")) & (c.fence == bindparam("held"))
        self.open = (
            select(table)
            .where(chat, c.state != DONE)
            .order_by(c.base.desc(), c.sequence)  # what matters more first, then as it came
            .limit(1)
        )
        self.busy = select(table).where(
            chat, c.state == UNDER_WAY, c.lease_by > bindparam("now", type_=Instant)
        )
        self.take = (
            update(table)
            .where(c.sequence == bindparam("number"))
            .values(
                state=UNDER_WAY,
                fence=c.fence + 1,
                lease_by=bindparam("until", type_=Instant),
                holder=bindparam("holder"),
            )
        )
        self.end = (
            update(table)
            .where(ours, c.state == UNDER_WAY)
            .values(state=DONE, outcome=bindparam("how"), lease_by=None)
        )
        self.give_up = (
            update(table)
            .where(c.sequence == bindparam("number"))
            .values(state=DONE, outcome=bindparam("how"), lease_by=None)
        )
        self.back = (
            update(table)
            .where(ours, c.state == UNDER_WAY)
            .values(state=WAITING, lease_by=None, fence=bindparam("fence_after"))
        )
        self.spares = select(spare, rests).where(chats.c.id == bindparam("chat"))
        self.count = (
            update(chats)
            .where(chats.c.id == bindparam("chat"))
            .values({spare.name: spare + bindparam("by")})
        )
        self.promise = (
            update(chats)
            .where(chats.c.id == bindparam("chat"))
            .values({rests.name: bindparam("until", type_=Instant)})
        )


_LOCK = select(chats).where(chats.c.id == bindparam("chat")).with_for_update()


def begin(
    conn: Connection, lane: Lane, turn: Turn, now: datetime
) -> Row[Any] | Busy | Resting | None:
    """The next message of the lane, ours until the lease ends; its fence rises."""
    chat_id = turn.chat_id
    lock(conn, chat_id)
    row = conn.execute(lane.busy, {"chat": chat_id, "now": now}).first()
    if row is not None and row.holder != turn.holder:
        return turn_away(conn, lane, chat_id, row.lease_by)
    if row is None:
        row = conn.execute(lane.open, {"chat": chat_id}).first()
    while row is not None and (row.fence >= TRIES_MAX or row.outcome == WITHDRAWN):
        conn.execute(lane.give_up, {"number": row.sequence, "how": row.outcome or GIVEN_UP})
        row = conn.execute(lane.open, {"chat": chat_id}).first()
    if row is not None:
        ours = {"until": now + turn.lease, "holder": turn.holder}
        conn.execute(lane.take, {"number": row.sequence, **ours})
    return row


def end(conn: Connection, lane: Lane, sequence: int, fence: int, outcome: str) -> bool:
    """Mark it done; False, and nothing changed, when it is not ours any more."""
    which = {"number": sequence, "held": fence, "how": outcome}
    return conn.execute(lane.end, which).rowcount == 1


def put_back(
    conn: Connection, lane: Lane, sequence: int, fence: int, *, counts: bool = False
) -> None:
    """It waits in its old place again. `counts`: it failed, and that try is counted."""
    after = fence if counts else fence - 1
    conn.execute(lane.back, {"number": sequence, "held": fence, "fence_after": after})


def turn_away(conn: Connection, lane: Lane, chat_id: ChatId, until: datetime) -> Busy | Resting:
    """Nothing can be done before `until`: one task comes back then, the others need not."""
    _spares, promised = conn.execute(lane.spares, {"chat": chat_id}).one()
    _count(conn, lane, chat_id, +1)
    if promised == until:
        return Busy()
    conn.execute(lane.promise, {"chat": chat_id, "until": until})
    return Resting(until)


def go_on(conn: Connection, lane: Lane, chat_id: ChatId) -> Next | None:
    """Take a spare task for the next message, when there are both."""
    found = conn.execute(lane.spares, {"chat": chat_id}).first()
    if found is None or not found[0]:
        return None
    row = conn.execute(lane.open, {"chat": chat_id}).first()
    if row is None:
        _count(conn, lane, chat_id, -found[0])
        return None
    _count(conn, lane, chat_id, -1)
    return Next(row.since)


def lock(conn: Connection, chat_id: ChatId) -> Row[Any] | None:
    """The chat's row. On PostgreSQL its lane is ours until the commit; SQLite has one writer."""
    return conn.execute(_LOCK, {"chat": chat_id}).first()


def _count(conn: Connection, lane: Lane, chat_id: ChatId, by: int) -> None:
    conn.execute(lane.count, {"chat": chat_id, "by": by})
