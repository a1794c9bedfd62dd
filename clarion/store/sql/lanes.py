"""One message after the other in each chat, however many workers there are.

A lane is the inbox or the outbox of one chat. The number of tasks for a lane equals the number
of messages that wait in it: a task that finds the lane busy ends and is counted as spare, and
the task that was under way takes a spare for another round. One of those turned away looks again
when the lease of the busy one ends, in case its process died. Nothing spins, nothing is lost.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, select, update

from clarion.chats.model import ChatId
from clarion.chats.ports import Busy, Next, Resting
from clarion.store.sql.tables.chats import chats

WAITING, UNDER_WAY, DONE = "waiting", "under_way", "done"
TRIES_MAX = 5  # a message that fails so often must not hold up its chat for ever


@dataclass(frozen=True, slots=True)
class Lane:
    table: Table
    spare: Column[int]
    rests: Column[datetime]

    def open(self, chat_id: ChatId) -> Any:
        """In order: what matters more first, then as it came."""
        table = self.table
        return (
            select(table)
            .where(table.c.chat_id == chat_id, table.c.state != DONE)
            .order_by(table.c.base.desc(), table.c.sequence)
        )


def begin(
    conn: Connection, lane: Lane, chat_id: ChatId, now: datetime, lease: timedelta
) -> Row[Any] | Busy | Resting | None:
    """The next message of the lane, ours until the lease ends; raise its fence."""
    lock(conn, chat_id)
    busy_until = _busy_until(conn, lane, chat_id, now)
    if busy_until is not None:
        return turn_away(conn, lane, chat_id, busy_until)
    for row in conn.execute(lane.open(chat_id).limit(TRIES_MAX * 4)).all():
        if row.fence >= TRIES_MAX:
            _close(conn, lane, row.sequence, "given up")
            continue
        table = lane.table
        taken = {"state": UNDER_WAY, "fence": row.fence + 1, "lease_by": now + lease}
        conn.execute(update(table).where(table.c.sequence == row.sequence).values(**taken))
        return row
    return None


def end(conn: Connection, lane: Lane, sequence: int, fence: int, outcome: str) -> bool:
    """Mark it done; False, and nothing changed, when it is not ours any more."""
    table = lane.table
    ours = (table.c.sequence == sequence) & (table.c.fence == fence) & (table.c.state == UNDER_WAY)
    done = {"state": DONE, "outcome": outcome, "lease_by": None}
    return conn.execute(update(table).where(ours).values(**done)).rowcount == 1


def put_back(
    conn: Connection, lane: Lane, sequence: int, fence: int, *, counts: bool = False
) -> None:
    """It waits in its old place again. `counts`: it failed, and that try is counted."""
    table = lane.table
    ours = (table.c.sequence == sequence) & (table.c.fence == fence) & (table.c.state == UNDER_WAY)
    back = {"state": WAITING, "lease_by": None, "fence": fence if counts else fence - 1}
    conn.execute(update(table).where(ours).values(**back))


def turn_away(conn: Connection, lane: Lane, chat_id: ChatId, until: datetime) -> Busy | Resting:
    """Nothing can be done before `until`: one task comes back then, the others need not."""
    promised = conn.execute(select(lane.rests).where(chats.c.id == chat_id)).scalar()
    count_spare(conn, lane, chat_id, +1)
    if promised == until:
        return Busy()
    rests = {lane.rests.name: until}
    conn.execute(update(chats).where(chats.c.id == chat_id).values(**rests))
    return Resting(until)


def go_on(conn: Connection, lane: Lane, chat_id: ChatId) -> Next | None:
    """Take a spare task for the next message, when there are both."""
    spare = conn.execute(select(lane.spare).where(chats.c.id == chat_id)).scalar() or 0
    if not spare:
        return None
    row = conn.execute(lane.open(chat_id).limit(1)).first()
    if row is None:
        count_spare(conn, lane, chat_id, -spare)
        return None
    count_spare(conn, lane, chat_id, -1)
    return Next(row.since)


def lock(conn: Connection, chat_id: ChatId) -> Row[Any] | None:
    """The chat's row. On PostgreSQL its lane is ours until the commit; SQLite has one writer."""
    return conn.execute(select(chats).where(chats.c.id == chat_id).with_for_update()).first()


def _busy_until(conn: Connection, lane: Lane, chat_id: ChatId, now: datetime) -> datetime | None:
    table = lane.table
    held = (
        select(table.c.lease_by)
        .where(table.c.chat_id == chat_id, table.c.state == UNDER_WAY, table.c.lease_by > now)
        .limit(1)
    )
    return conn.execute(held).scalar()


def count_spare(conn: Connection, lane: Lane, chat_id: ChatId, by: int) -> None:
    counted = {lane.spare.name: lane.spare + by}
    conn.execute(update(chats).where(chats.c.id == chat_id).values(**counted))


def _close(conn: Connection, lane: Lane, sequence: int, outcome: str) -> None:
    table = lane.table
    closed = {"state": DONE, "outcome": outcome, "lease_by": None}
    conn.execute(update(table).where(table.c.sequence == sequence).values(**closed))
