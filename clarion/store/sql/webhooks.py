"""Queries about subscriptions, and the one transaction that turns events into deliveries.

The cursor moves in the transaction that adds the delivery tasks: a crash before the commit loses
both, a crash after it neither, and of two servers one waits for the other.
"""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.errors import Stale
from clarion.base.events import StoredEvent
from clarion.base.ids import TaskId, UserId, new_id
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.tasks import tasks as rows
from clarion.store.sql.tables.webhooks import cursors, webhooks
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Level, Queue, Task
from clarion.webhooks.events import WebhookSwitchedOff, WebhookTest
from clarion.webhooks.model import DELIVER, Delivery, Format, Hook, HookId

CURSOR = "webhooks"
BATCH = 200
LOOKED_THROUGH = 50_000  # tasks; the last hours of a busy server


def add(conn: Connection, hook: Hook) -> None:
    _begin_if_first(conn)
    conn.execute(insert(webhooks).values(_values(hook)))


def get(conn: Connection, hook_id: str) -> Hook | None:
    row = conn.execute(select(webhooks).where(webhooks.c.id == hook_id)).one_or_none()
    return _hook(row) if row else None


def page(conn: Connection, user_id: str | None, after: str, limit: int) -> list[Hook]:
    query = select(webhooks).where(webhooks.c.id > after).order_by(webhooks.c.id).limit(limit)
    if user_id is not None:
        query = query.where(webhooks.c.user_id == user_id)
    return [_hook(row) for row in conn.execute(query)]


def save(conn: Connection, hook: Hook) -> None:
    if hook.enabled:
        _begin_if_first(conn)
    before = webhooks.c.id == hook.id, webhooks.c.version == hook.version - 1
    if not conn.execute(update(webhooks).where(*before).values(_values(hook))).rowcount:
        raise Stale("Somebody changed this webhook since you looked.", hint="Read it again.")


def remove(conn: Connection, hook_id: str) -> None:
    conn.execute(delete(webhooks).where(webhooks.c.id == hook_id))


def one_event(conn: Connection, sequence: int) -> StoredEvent | None:
    found = events.after(conn, sequence - 1, limit=1)
    return found[0] if found and found[0].sequence == sequence else None


def note_result(conn: Connection, hook_id: str, ok: bool, failures_max: int, now: datetime) -> None:
    place = webhooks.c.id == hook_id
    failures = 0 if ok else webhooks.c.failures + 1
    conn.execute(update(webhooks).where(place).values(failures=failures))
    count = conn.execute(select(webhooks.c.failures).where(place)).scalar()
    if count is not None and count >= failures_max:
        switch_off(conn, hook_id, "failing", now)


def switch_off(conn: Connection, hook_id: str, reason: str, now: datetime) -> None:
    on = webhooks.c.id == hook_id, webhooks.c.enabled.is_(True)
    values = {"enabled": False, "reason": reason, "version": webhooks.c.version + 1}
    if conn.execute(update(webhooks).where(*on).values(values)).rowcount:
        hook = get(conn, hook_id)
        assert hook is not None
        off = WebhookSwitchedOff(subject=hook.id, user=hook.user_id, reason=reason)
        events.append(conn, [off], now)


def send_test(conn: Connection, hook: Hook, now: datetime) -> None:
    events.append(conn, [WebhookTest(subject=hook.id, user=hook.user_id)], now)


def enabled(conn: Connection) -> list[Hook]:
    return [_hook(row) for row in conn.execute(select(webhooks).where(webhooks.c.enabled))]


def fan_out(conn: Connection, now: datetime) -> bool:
    place = cursors.c.name == CURSOR
    query = select(cursors.c.sequence).where(place).with_for_update()
    seen = conn.execute(query).scalar()
    hooks = enabled(conn)
    if seen is None or not hooks:
        return False
    batch = events.after(conn, seen, limit=BATCH)
    if not batch:
        return False
    tasks.add(
        conn,
        [delivery(hook, event, now) for event in batch for hook in hooks if hook.wants(event)],
        now,
    )
    conn.execute(update(cursors).where(place).values(sequence=batch[-1].sequence))
    return len(batch) == BATCH


def deliveries(conn: Connection, hook_id: str, limit: int) -> list[Delivery]:
    """Searches only the newest tasks: an index would make every task slower."""
    newest = conn.execute(select(func.max(rows.c.sequence))).scalar() or 0
    query = select(rows).where(
        rows.c.sequence > newest - LOOKED_THROUGH, rows.c.kind == DELIVER, rows.c.source == hook_id
    )
    return [
        Delivery(
            sequence=json.loads(row.payload)["sequence"],
            status=row.status,
            attempt=row.attempt,
            error=row.error or "",
            created_at=row.created_at,
            ended_at=row.ended_at,
        )
        for row in conn.execute(query.order_by(rows.c.sequence.desc()).limit(limit))
    ]


def send_again(conn: Connection, hook: Hook, event: StoredEvent, now: datetime) -> None:
    tasks.add(conn, [delivery(hook, event, now)], now)


def delivery(hook: Hook, event: StoredEvent, now: datetime) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=DELIVER,
        due_at=now,
        payload={"hook": hook.id, "sequence": event.sequence},
        base=Level.NORMAL,
        queue=Queue.CHORES,
        key=f"hook:{hook.id}:{event.sequence}",
        source=hook.id,
    )


def _begin_if_first(conn: Connection) -> None:
    """A new subscriber gets events from now on, not those of the past."""
    if enabled(conn):
        return
    latest = events.latest(conn)
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    row = dialect.insert(cursors).values(name=CURSOR, sequence=latest)
    conn.execute(
        row.on_conflict_do_update(index_elements=[cursors.c.name], set_={"sequence": latest})
    )


def _values(hook: Hook) -> dict[str, Any]:
    return {
        "id": hook.id,
        "user_id": hook.user_id,
        "name": hook.name,
        "url": hook.url,
        "secret": hook.secret,
        "old_secret": hook.old_secret,
        "old_secret_until": hook.old_secret_until,
        "kinds": list(hook.kinds),
        "format": hook.format.value,
        "enabled": hook.enabled,
        "failures": hook.failures,
        "reason": hook.reason,
        "created_at": hook.created_at,
        "version": hook.version,
    }


def _hook(row: Row[Any]) -> Hook:
    return Hook(
        id=HookId(row.id),
        url=row.url,
        secret=row.secret,
        created_at=row.created_at,
        user_id=UserId(row.user_id) if row.user_id else None,
        kinds=tuple(row.kinds),
        format=Format(row.format),
        name=row.name,
        enabled=row.enabled,
        old_secret=row.old_secret,
        old_secret_until=row.old_secret_until,
        failures=row.failures,
        reason=row.reason,
        version=row.version,
    )


class SqlWebhooks:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, hook: Hook) -> None:
        await self._db.write(add, hook)

    async def get(self, hook_id: HookId) -> Hook | None:
        return await self._db.read(get, hook_id)

    async def all(self, *, user_id: UserId | None, after: str, limit: int) -> list[Hook]:
        return await self._db.read(page, user_id, after, limit)

    async def save(self, hook: Hook) -> None:
        await self._db.write(save, hook)

    async def remove(self, hook_id: HookId) -> None:
        await self._db.write(remove, hook_id)

    async def event(self, sequence: int) -> StoredEvent | None:
        return await self._db.read(one_event, sequence)

    async def note_result(
        self, hook_id: HookId, *, ok: bool, failures_max: int, now: datetime
    ) -> None:
        await self._db.write(note_result, hook_id, ok, failures_max, now)

    async def switch_off(self, hook_id: HookId, reason: str, now: datetime) -> None:
        await self._db.write(switch_off, hook_id, reason, now)

    async def send_test(self, hook: Hook, now: datetime) -> None:
        await self._db.write(send_test, hook, now)

    async def deliveries(self, hook_id: HookId, limit: int) -> list[Delivery]:
        return await self._db.read(deliveries, hook_id, limit)

    async def send_again(self, hook: Hook, event: StoredEvent, now: datetime) -> None:
        await self._db.write(send_again, hook, event, now)

    async def fan_out(self, now: datetime) -> bool:
        if not await self._db.read(enabled):
            return False
        return await self._db.write(fan_out, now)
