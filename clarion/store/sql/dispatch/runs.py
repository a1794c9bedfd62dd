"""Runs of plans: requested once, carried out by one worker at a time, ended once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from clarion.base.ids import TaskId, new_id
from clarion.dispatch.errors import DispatchKeyReused, EventNotFound, MoveRefused
from clarion.dispatch.events import PlanFailed, PlanRequested, PlanStepped
from clarion.dispatch.model import (
    BASE,
    DispatchEvent,
    EventId,
    EventStatus,
    Run,
    RunStatus,
)
from clarion.store.sql import events
from clarion.store.sql.dispatch import calls as dispatch_calls
from clarion.store.sql.dispatch import events as dispatch_events
from clarion.store.sql.dispatch import lacks as dispatch_lacks
from clarion.store.sql.dispatch import rows
from clarion.store.sql.engine.database import send_signal
from clarion.store.sql.tables.dispatch import dispatch_events as event_table
from clarion.store.sql.tables.dispatch import runs
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Queue, Task

SETTLED = "clarion_dispatch_runs"
"""Told the id of every run that has ended."""


def request(conn: Connection, run: Run, now: datetime) -> Run:
    """The new run, or the existing one for the same request."""
    if (earlier := _same(conn, run)) is not None:
        return earlier
    event = dispatch_events.locked(conn, run.event_id)
    if event is None:
        raise EventNotFound(run.event_id)
    if event.is_over:
        raise MoveRefused(event.id, event.status, "planned")
    return open_run(conn, event.id) or _add(conn, run, event, now)


def _same(conn: Connection, run: Run) -> Run | None:
    """The run that was requested with the same key before."""
    earlier = None if run.key is None else _by_key(conn, run.key)
    if earlier and (earlier.event_id, earlier.team_ids) != (run.event_id, run.team_ids):
        raise DispatchKeyReused(earlier.key or "")
    return earlier


def _add(conn: Connection, run: Run, event: DispatchEvent, now: datetime) -> Run:
    # Two requests with one key for two events lock two events: the key decides who was first.
    if not rows.added(conn, runs, rows.run_facts(run)) and (earlier := _same(conn, run)):
        return earlier
    tasks.add(conn, [plan_task(run, event, now)], now)
    asked = PlanRequested(subject=run.id, event=event.id, reason=run.reason)
    events.append(conn, [asked], now)
    return run


def plan_task(run: Run, event: DispatchEvent, now: datetime) -> Task:
    return Task(
        id=run.id,
        kind="dispatch.plan",
        due_at=now,
        payload={"run_id": run.id},
        base=BASE[event.severity],
        queue=Queue.DISPATCH,
        key=f"dispatch.plan:{run.id}",
        source=event.id,
    )


def plan_again(
    conn: Connection, event: DispatchEvent, reason: str, now: datetime, *, approval: bool
) -> None:
    """Plan again for what is missing, unless such a plan runs already."""
    if open_run(conn, event.id) is None and not event.is_over:
        run = Run(
            id=TaskId(new_id("tsk", now)),
            event_id=event.id,
            created_at=now,
            needs_approval=approval,
            reason=reason,
        )
        _add(conn, run, event, now)


def waits_for_a_person(conn: Connection, event_id: EventId) -> bool:
    """Whether the last plan of this event had to be approved."""
    query = (
        select(runs.c.needs_approval)
        .where(runs.c.event_id == event_id)
        .order_by(runs.c.created_at.desc(), runs.c.id.desc())
        .limit(1)
    )
    return bool(conn.execute(query).scalar_one_or_none())


def look_at_needs(conn: Connection, event: DispatchEvent, now: datetime, *, approval: bool) -> None:
    """Its gravity or its needs have changed: plan it again.

    Until then nobody knows whether it has enough teams, so it counts as short: a plan that fails
    is repeated.
    """
    planned = select(runs.c.id).where(runs.c.event_id == event.id).limit(1)
    if conn.execute(planned).first() is None:
        return
    if event.status in (EventStatus.SENT, EventStatus.COVERED):
        dispatch_events.move(conn, event, EventStatus.SHORT, now)
    plan_again(conn, event, "changed", now, approval=approval)


def asked_since(conn: Connection, event_id: EventId, run_id: TaskId, since: datetime) -> bool:
    """Whether another plan was requested since then; plans for named teams do not count."""
    query = select(runs.c.team_ids).where(
        runs.c.event_id == event_id, runs.c.id != run_id, runs.c.created_at >= since
    )
    return any(not named for named in conn.execute(query).scalars())


def plan_for_gravest(conn: Connection, now: datetime, *, approval: bool) -> None:
    """A team is free again: plan again for the gravest event that lacks one.

    An event that another transaction has locked is skipped: that one will check it.
    """
    busy = select(runs.c.event_id).where(runs.c.finished_at.is_(None))
    query = (
        select(event_table)
        .where(event_table.c.status == EventStatus.SHORT.value, event_table.c.id.not_in(busy))
        .order_by(event_table.c.base.desc(), event_table.c.reported_at, event_table.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = conn.execute(query).one_or_none()
    if found is not None:
        plan_again(conn, rows.event(found), "freed", now, approval=approval)


def _by_key(conn: Connection, key: str) -> Run | None:
    row = conn.execute(select(runs).where(runs.c.key == key)).one_or_none()
    return None if row is None else rows.run(row)


def open_run(conn: Connection, event_id: EventId) -> Run | None:
    query = select(runs).where(runs.c.event_id == event_id, runs.c.finished_at.is_(None))
    row = conn.execute(query).one_or_none()
    return None if row is None else rows.run(row)


def get(conn: Connection, run_id: TaskId) -> Run | None:
    row = conn.execute(select(runs).where(runs.c.id == run_id)).one_or_none()
    return None if row is None else rows.run(row)


def listed(conn: Connection, status: Sequence[RunStatus], limit: int) -> list[Run]:
    query = select(runs).order_by(runs.c.created_at.desc(), runs.c.id.desc()).limit(limit)
    if status:
        query = query.where(runs.c.status.in_([one.value for one in status]))
    return [rows.run(row) for row in conn.execute(query)]


def begin(conn: Connection, run_id: TaskId, now: datetime) -> Run | None:
    """Take the run over: a worker that began it before can no longer end it."""
    conn.execute(
        update(runs)
        .where(runs.c.id == run_id, runs.c.finished_at.is_(None))
        .values(
            status=RunStatus.RUNNING.value, attempt=runs.c.attempt + 1, started_at=now, steps=[]
        )
    )
    found = get(conn, run_id)
    return None if found is None or found.is_over else found


def step(conn: Connection, run: Run, percent: int, now: datetime) -> bool:
    changed = conn.execute(
        update(runs)
        .where(runs.c.id == run.id, runs.c.attempt == run.attempt, runs.c.finished_at.is_(None))
        .values(node=run.node, steps=list(run.steps))
    )
    if changed.rowcount:
        entry = PlanStepped(subject=run.id, event=run.event_id, node=run.node, percent=percent)
        events.append(conn, [entry], now)
    return changed.rowcount == 1


def fail(conn: Connection, run: Run, error: Mapping[str, Any], now: datetime) -> bool:
    ended = end(conn, run, now, status=RunStatus.FAILED.value, error=dict(error))
    if ended:
        entry = PlanFailed(
            subject=run.id,
            event=run.event_id,
            error_code=error["error_code"],
            message=error["message"],
        )
        events.append(conn, [entry], now)
        event = dispatch_events.get(conn, run.event_id)
        if event is not None and not event.is_over and not _failed_before(conn, run, error):
            dispatch_calls.tell_officer(conn, event, "failed", error["error_code"], now)
    return ended


def _failed_before(conn: Connection, run: Run, error: Mapping[str, Any]) -> bool:
    """The plan before it failed for the same reason: the officer need not be told again."""
    query = (
        select(runs.c.error)
        .where(runs.c.event_id == run.event_id, runs.c.id != run.id)
        .order_by(runs.c.created_at.desc(), runs.c.id.desc())
        .limit(1)
    )
    before = conn.execute(query).scalar_one_or_none()
    return before is not None and before.get("error_code") == error["error_code"]


def end(conn: Connection, run: Run, now: datetime, **values: Any) -> bool:
    """Only the worker that began it last may end it, and only once."""
    if run.steps:
        values["steps"] = list(run.steps)
    ended = conn.execute(
        update(runs)
        .where(
            runs.c.id == run.id,
            runs.c.attempt == run.attempt,
            runs.c.status == RunStatus.RUNNING.value,
        )
        .values(finished_at=now, replans=run.replans, **values)
    )
    if ended.rowcount:
        send_signal(conn, SETTLED, run.id)
        dispatch_lacks.look(conn)
    return ended.rowcount == 1
