"""One message after the other in each chat, however many workers there are.

A lane is the inbox or the outbox of one chat. It has one task, found by its key: the task takes the
lane's next message, and the transaction that ends the message adds the task for the next one.
Adding a message to a lane adds the task too, unless a message of the lane is being worked on: the
end of that one then finds the new one. A task that was interrupted goes on with its own message.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Table,
    bindparam,
    func,
    literal_column,
    select,
    text,
    union_all,
    update,
)

from clarion.base.ids import TaskId, new_id
from clarion.chats.events import ChatMessageLost
from clarion.chats.model import ChatId
from clarion.chats.ports import HANDLE, SEND, ChatTurn
from clarion.store.sql import events
from clarion.store.sql.engine.database import Instant, Statement, to_micros
from clarion.store.sql.tables.chats import inbox, outbox
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Level, Queue, Task

WAITING, UNDER_WAY, DONE = "waiting", "under_way", "done"
WITHDRAWN, GIVEN_UP, REFUSED, DEAD = "withdrawn", "given up", "refused", "chat is dead"
UNSENT = (WITHDRAWN, GIVEN_UP, REFUSED, DEAD)
TRIES_MAX = 5  # a message that keeps failing by our own fault must not block its chat for ever
CONTROL = Level.CRITICAL + 1  # a command about the queue overtakes all other messages of its chat
WOKEN_AT_ONCE = 1_000


# Two queries, because waiting and running tasks have different indexes.
_FORSAKEN = """
    SELECT chat_id FROM (
        SELECT DISTINCT chat_id FROM {table} WHERE state != 'done'
    ) AS waiting
    WHERE NOT EXISTS (
        SELECT 1 FROM tasks WHERE key = :prefix || chat_id AND status IN ('scheduled', 'ready')
    ) AND NOT EXISTS (
        SELECT 1 FROM tasks WHERE status = 'running' AND key = :prefix || chat_id
    )
    LIMIT :most
"""


class ChatLane:
    """The statements of one lane, built once: building them costs as much as running them."""

    def __init__(self, name: str, table: Table, kind: str) -> None:
        self.name, self.table, self.kind = name, table, kind
        c = table.c
        chat = c.chat_id == bindparam("chat")
        ours = (c.sequence == bindparam("number")) & (c.fence == bindparam("held"))
        self.open = (
            select(table)
            .where(chat, c.state != literal_column(f"'{DONE}'"))  # literal: for the partial index
            # By priority, then by fair share where that is used, then by arrival.
            .order_by(c.base.desc(), *([c.place] if "place" in c else []), c.sequence)
            .limit(1)
        )
        busy = select(table).where(
            chat,
            c.state == literal_column(f"'{UNDER_WAY}'"),
            c.lease_by > bindparam("now", type_=Instant),
        )
        # Both in one query: one round trip less for every message.
        either = union_all(
            select(busy.limit(1).subquery(), literal_column("1").label("is_busy")),
            select(self.open.subquery(), literal_column("0").label("is_busy")),
        ).subquery()
        self.next = select(either).order_by(either.c.is_busy.desc()).limit(1)
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
        self.forsaken = Statement(_FORSAKEN.format(table=table.name))
        self.back = (
            update(table)
            .where(ours, c.state == UNDER_WAY)
            .values(state=WAITING, lease_by=None, fence=bindparam("fence_after"))
        )

    def key(self, chat_id: ChatId) -> str:
        return f"{self.name}:{chat_id}"


IN = ChatLane("in", inbox, HANDLE)
OUT = ChatLane("out", outbox, SEND)

_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
_SHARE = text("SELECT pg_advisory_xact_lock_shared(hashtextextended(:key, 0))")
_HASTEN = Statement(
    """
    UPDATE tasks SET
        base = CASE WHEN base < :base THEN :base ELSE base END,
        rank = CASE WHEN rank > :rank THEN :rank ELSE rank END,
        due_at = CASE WHEN due_at > :due_at THEN :due_at ELSE due_at END,
        control = CASE WHEN control < :control THEN :control ELSE control END,
        start_at = CASE WHEN CAST(:due_at AS BIGINT) <= CAST(:now AS BIGINT)
                        AND (start_at IS NULL OR start_at > :start_at) THEN :start_at
                        ELSE start_at END,
        status = CASE WHEN CAST(:due_at AS BIGINT) <= CAST(:now AS BIGINT) THEN 'ready'
                      ELSE status END
    WHERE key = :key AND status IN ('scheduled', 'ready')
    AND (base < :base OR rank > :rank OR due_at > :due_at OR control < :control)
    """
)
_RERANK = Statement(
    """
    UPDATE tasks SET base = :base, rank = COALESCE(start_at, due_at) - :head_start
    WHERE key = :key AND status IN ('scheduled', 'ready')
    """
)


def lock(conn: Connection, lane: ChatLane, chat_id: ChatId) -> None:
    """Lock the lane until the commit. SQLite has one writer and needs no lock."""
    if conn.dialect.name == "postgresql":
        conn.execute(_LOCK, {"key": lane.key(chat_id)})


def share(conn: Connection, lane: ChatLane, chat_id: ChatId) -> None:
    """Until the commit, no message of the lane is begun or ended; others may still add some."""
    if conn.dialect.name == "postgresql":
        conn.execute(_SHARE, {"key": lane.key(chat_id)})


def begin(conn: Connection, lane: ChatLane, turn: ChatTurn, now: datetime) -> Row[Any] | None:
    """The next message of the lane, ours until the lease ends; its fence rises.

    None when nothing waits, or another worker has it: then the task runs again later, in case
    that worker died.
    """
    chat_id = turn.chat_id
    lock(conn, lane, chat_id)
    row = conn.execute(lane.next, {"chat": chat_id, "now": now}).first()
    if row is not None and row.is_busy and row.holder != turn.holder:
        _add_task(conn, lane, row, chat_id, row.lease_by, now)
        return None
    while row is not None and row.outcome == WITHDRAWN:
        _close(conn, lane, row, WITHDRAWN)
        row = conn.execute(lane.open, {"chat": chat_id}).first()
    if row is not None and row.fence >= TRIES_MAX:
        lose(conn, lane, row, GIVEN_UP, "It was tried too often.", now)
        return None
    if row is not None:
        ours = {"until": now + turn.lease, "holder": turn.holder}
        conn.execute(lane.take, {"number": row.sequence, **ours})
    return row


def end(conn: Connection, lane: ChatLane, sequence: int, fence: int, outcome: str) -> bool:
    """Mark it done. False, with nothing changed, when it is no longer ours."""
    which = {"number": sequence, "held": fence, "how": outcome}
    return conn.execute(lane.end, which).rowcount == 1


def put_back(conn: Connection, lane: ChatLane, sequence: int, fence: int) -> None:
    """Let it wait in its old place again, without using up a try."""
    values = {"number": sequence, "held": fence, "fence_after": fence - 1}
    conn.execute(lane.back, values)


def fail(
    conn: Connection, lane: ChatLane, sequence: int, fence: int, reason: str, now: datetime
) -> None:
    """Let it wait in its old place again with one try less; after the last try it is given up."""
    back = {"number": sequence, "held": fence, "fence_after": fence}
    if conn.execute(lane.back, back).rowcount and fence >= TRIES_MAX:
        row = conn.execute(select(lane.table).where(lane.table.c.sequence == sequence)).one()
        lose(conn, lane, row, GIVEN_UP, reason, now)


def lose(
    conn: Connection, lane: ChatLane, row: Row[Any], how: str, reason: str, now: datetime
) -> None:
    """End it without success: this writes an event, and a dead task that can be replayed."""
    _close(conn, lane, row, f"{how}: {reason}")
    task_id = bury(conn, lane, row.chat_id, row.sequence, reason, now)
    lost = ChatMessageLost(
        subject=row.chat_id,
        direction=lane.name,
        text=row.message["text"],
        reason=reason,
        task=task_id,
    )
    events.append(conn, [lost], now)
    wake(conn, lane, row.chat_id, now)


def bury(
    conn: Connection, lane: ChatLane, chat_id: ChatId, number: int, reason: str, now: datetime
) -> TaskId:
    """Add a dead task; replaying it reopens the message. 0: all messages of a dead chat."""
    task = Task(
        id=TaskId(new_id("tsk", now)),
        kind=lane.kind,
        due_at=now,
        payload={"chat": chat_id, "message": number},
        queue=Queue.MESSAGES,
        source=chat_id,
    )
    tasks.add_dead(conn, task, reason, now)
    return task.id


def reopen(conn: Connection, lane: ChatLane, chat_id: ChatId, sequence: int, now: datetime) -> bool:
    """Let what ended without success wait again in its old place. May be repeated."""
    c = lane.table.c
    ended = c.outcome.startswith(GIVEN_UP) | c.outcome.startswith(REFUSED)
    which = (c.sequence == sequence) & ended if sequence else c.outcome == DEAD
    reopened = update(lane.table).where(c.chat_id == chat_id, c.state == DONE, which)
    lock(conn, lane, chat_id)
    changed = conn.execute(reopened.values(state=WAITING, fence=0, outcome="", lease_by=None))
    wake(conn, lane, chat_id, now)
    return changed.rowcount > 0


def wake(
    conn: Connection,
    lane: ChatLane,
    chat_id: ChatId,
    now: datetime,
    not_before: datetime | None = None,
) -> None:
    """Add the lane's task if messages wait and none is being worked on."""
    row = conn.execute(lane.next, {"chat": chat_id, "now": now}).first()
    if row is not None and not row.is_busy:
        due_at = max(row.since, not_before) if not_before is not None else row.since
        _add_task(conn, lane, row, chat_id, due_at, now)


def rerank(conn: Connection, lane: ChatLane, chat_id: ChatId, now: datetime) -> None:
    """Give the lane's task the priority of the next message."""
    row = conn.execute(lane.open, {"chat": chat_id}).first()
    if row is None:
        return
    base = min(row.base, int(Level.CRITICAL))
    head_start = base * tasks.A_POINT_MICROS
    if _RERANK.run(conn, key=lane.key(chat_id), base=base, head_start=head_start):
        tasks.tell(conn, due_at=to_micros(now), rank=0, critical=base >= Level.CRITICAL)


def forsaken(conn: Connection, lane: ChatLane) -> list[ChatId]:
    """Chats whose lane has waiting messages but no task."""
    found = lane.forsaken.all(conn, prefix=f"{lane.name}:", most=WOKEN_AT_ONCE)
    return [ChatId(row[0]) for row in found]


def _close(conn: Connection, lane: ChatLane, row: Row[Any], outcome: str) -> None:
    which = lane.table.c.sequence == row.sequence
    done = {"state": DONE, "outcome": outcome, "lease_by": None}
    conn.execute(update(lane.table).where(which).values(**done))


def _add_task(
    conn: Connection,
    lane: ChatLane,
    row: Row[Any],
    chat_id: ChatId,
    due_at: datetime,
    now: datetime,
) -> None:
    """Add the task for this message, or move the waiting task of the lane forward."""
    start_at = max(due_at, row.start_at or due_at) if lane is IN else due_at
    task = Task(
        id=TaskId(new_id("tsk", now)),
        kind=lane.kind,
        due_at=due_at,
        payload={"chat": chat_id},
        base=min(row.base, int(Level.CRITICAL)),
        queue=Queue.MESSAGES,
        key=lane.key(chat_id),
        source=chat_id if lane is IN else f"out:{chat_id}",
        control=row.base >= CONTROL,
        start_at=start_at,
    )
    if tasks.add(conn, [task], now):
        return
    due, rank = to_micros(due_at), to_micros(task.rank)
    place = {"base": int(task.base), "rank": rank, "due_at": due, "now": to_micros(now)}
    place["start_at"] = to_micros(start_at)
    if _HASTEN.run(conn, key=task.key, control=int(task.control), **place):
        urgent = task.base >= Level.CRITICAL
        tasks.tell(conn, due_at=due, rank=rank, critical=urgent, control=task.control)


def starts(
    conn: Connection, chat_id: ChatId, base: int, weight: float | None, now: datetime
) -> Iterator[datetime]:
    """The instants from which the ranks of new messages of a chat count: see `Shares`.

    Messages wait here and not as tasks, so each gets its place when it arrives.
    """
    shares = tasks.shares_of(conn)
    last = conn.execute(_LAST_WAITING, {"chat": chat_id, "level": base}).scalar()
    step = shares.step(base, weight)
    first = now if last is None else max(now, last + step)
    return (first + step * number for number in count())


_LAST_WAITING = (
    select(func.coalesce(inbox.c.start_at, inbox.c.since))
    .where(
        inbox.c.chat_id == bindparam("chat"),
        inbox.c.base == bindparam("level"),
        inbox.c.state != literal_column(f"'{DONE}'"),  # for the partial index
        inbox.c.state == WAITING,
    )
    .order_by(inbox.c.sequence.desc())
    .limit(1)
)


def later(now: datetime, tries: int) -> datetime:
    """When a message that failed by our own fault is tried again: 1 s, 2 s, 4 s …"""
    return now + timedelta(seconds=1 << min(tries - 1, 6))
