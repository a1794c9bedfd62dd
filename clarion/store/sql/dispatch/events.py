"""Events that teams are sent to: their records, and what follows from their end."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, update

from clarion.base.errors import Stale
from clarion.dispatch.errors import DispatchIdTaken, EventNotFound
from clarion.dispatch.events import EventChanged, EventReported
from clarion.dispatch.model import BASE, DispatchEvent, EventId, EventStatus
from clarion.store.sql import events
from clarion.store.sql.dispatch import rows
from clarion.store.sql.tables.dispatch import dispatch_events as table
from clarion.store.sql.tasks import rows as tasks


def add(conn: Connection, event: DispatchEvent, now: datetime) -> DispatchEvent:
    facts = {
        "id": event.id,
        "reported_at": event.reported_at,
        "status": event.status.value,
        **rows.event_facts(event),
    }
    if not rows.added(conn, table, facts):
        raise DispatchIdTaken("event", event.id)
    entry = EventReported(
        subject=event.id, type=event.type, severity=event.severity.value, title=event.title
    )
    events.append(conn, [entry], now)
    return event


def get(conn: Connection, event_id: EventId) -> DispatchEvent | None:
    row = conn.execute(select(table).where(table.c.id == event_id)).one_or_none()
    return None if row is None else rows.event(row)


def locked(conn: Connection, event_id: EventId) -> DispatchEvent | None:
    """Lock order: the event first, then teams."""
    query = select(table).where(table.c.id == event_id).with_for_update()
    row = conn.execute(query).one_or_none()
    return None if row is None else rows.event(row)


def existing(conn: Connection, event_id: EventId) -> DispatchEvent:
    found = locked(conn, event_id)
    if found is None:
        raise EventNotFound(event_id)
    return found


def listed(conn: Connection, status: Sequence[EventStatus], limit: int) -> list[DispatchEvent]:
    query = select(table).order_by(table.c.reported_at.desc(), table.c.id.desc()).limit(limit)
    if status:
        query = query.where(table.c.status.in_([one.value for one in status]))
    return [rows.event(row) for row in conn.execute(query)]


def change(
    conn: Connection, event: DispatchEvent, version: int | None, now: datetime
) -> DispatchEvent:
    """Its facts, not its status."""
    found = existing(conn, event.id)
    if version is not None and version != found.version:
        raise Stale("The event was changed since you looked.", details={"version": found.version})
    conn.execute(
        update(table)
        .where(table.c.id == event.id)
        .values(version=table.c.version + 1, **rows.event_facts(event))
    )
    if event.severity is not found.severity:
        # A waiting plan gets the event's present gravity.
        tasks.reprioritise_source(conn, event.id, BASE[event.severity], now)
    _tell(conn, event, found.status, now)
    return existing(conn, event.id)


def move(
    conn: Connection, event: DispatchEvent, to: EventStatus, now: datetime, *, read: bool = False
) -> bool:
    """Compare-and-set on the version that was seen. `read`: also store how the report was read."""
    values = rows.event_facts(event) if read else {}
    moved = conn.execute(
        update(table)
        .where(
            table.c.id == event.id,
            table.c.version == event.version,
            table.c.status.not_in([EventStatus.CLOSED.value, EventStatus.CANCELLED.value]),
        )
        .values(status=to.value, version=table.c.version + 1, **values)
    )
    if moved.rowcount:
        _tell(conn, event, to, now)
    return moved.rowcount == 1


def _tell(conn: Connection, event: DispatchEvent, status: EventStatus, now: datetime) -> None:
    entry = EventChanged(subject=event.id, status=status.value, severity=event.severity.value)
    events.append(conn, [entry], now)
