"""Assignments: a team's part in an event, from its call to its return."""

from datetime import datetime

from sqlalchemy import Connection, select, update

from clarion.dispatch.errors import RETRY_AFTER
from clarion.dispatch.events import TeamCalled, TeamProgressed, TeamReturned
from clarion.dispatch.model import (
    Assignment,
    AssignmentId,
    Blocker,
    CallStatus,
    DispatchEvent,
    EventId,
    EventStatus,
    Progressed,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import Ending
from clarion.store.sql import events
from clarion.store.sql.dispatch import calls as dispatch_calls
from clarion.store.sql.dispatch import events as dispatch_events
from clarion.store.sql.dispatch import rows
from clarion.store.sql.dispatch import runs as dispatch_runs
from clarion.store.sql.dispatch import teams as dispatch_teams
from clarion.store.sql.dispatch.teams import Blocked
from clarion.store.sql.tables.dispatch import assignments
from clarion.store.sql.tables.events import events as log

REASSIGNED = Ending(outcome="reassigned", team_status=TeamStatus.STANDBY)
LISTED_MAX = 500
MOVES_THE_EVENT = (CallStatus.UNCALLED, CallStatus.ACCEPTED)


def get(conn: Connection, assignment_id: AssignmentId) -> Assignment | None:
    query = select(assignments).where(assignments.c.id == assignment_id)
    row = conn.execute(query).one_or_none()
    return None if row is None else rows.assignment(row)


def listed(
    conn: Connection,
    *,
    event_id: EventId | None = None,
    team_id: TeamId | None = None,
    is_open: bool = False,
) -> list[Assignment]:
    """The latest 500; with `is_open` all that are open."""
    query = select(assignments).order_by(
        assignments.c.closed_at.is_not(None), assignments.c.opened_at.desc(), assignments.c.id
    )
    if event_id is not None:
        query = query.where(assignments.c.event_id == event_id)
    if team_id is not None:
        query = query.where(assignments.c.team_id == team_id)
    query = query.where(assignments.c.closed_at.is_(None)) if is_open else query.limit(LISTED_MAX)
    return [rows.assignment(row) for row in conn.execute(query)]


def note_call(
    conn: Connection,
    assignment_id: AssignmentId,
    call: CallStatus,
    reminder_id: str | None,
    now: datetime,
) -> bool:
    values: dict[str, object] = {"call": call.value}
    if reminder_id is not None:
        values["reminder_id"] = reminder_id
    elif call is CallStatus.CALLING:
        values["called_at"] = now
    before = get(conn, assignment_id)
    if before is not None and call in MOVES_THE_EVENT:
        dispatch_events.existing(conn, before.event_id)  # events are locked before assignments
    noted = conn.execute(
        update(assignments)
        .where(assignments.c.id == assignment_id, assignments.c.closed_at.is_(None))
        .values(**values)
    )
    found = get(conn, assignment_id)
    if noted.rowcount == 0 or found is None or before is None:
        return False
    if call is CallStatus.UNCALLED and before.call is not call:
        event = dispatch_events.existing(conn, found.event_id)
        dispatch_calls.tell_officer(conn, event, "uncalled", found.team_id, now)
    if call is CallStatus.ACCEPTED:
        settle(conn, dispatch_events.existing(conn, found.event_id), now)
    if "called_at" in values or before.call is call is CallStatus.ACCEPTED:
        return True  # only the intent, or a second yes; the call itself has its own event
    entry = TeamCalled(
        subject=found.team_id,
        event=found.event_id,
        call=call.value,
        reminder=found.reminder_id or "",
    )
    events.append(conn, [entry], now)
    return True


def progressed(
    conn: Connection, assignment_id: AssignmentId, step: Progressed, now: datetime
) -> bool:
    before = get(conn, assignment_id)
    if before is None:
        return False
    event = dispatch_events.existing(conn, before.event_id)
    values: dict[str, object] = {"call": CallStatus.ACCEPTED.value}
    if step is not Progressed.ACCEPTED:
        column = f"{step.value}_at"
        values[column] = getattr(before, column) or now
    noted = conn.execute(
        update(assignments)
        .where(assignments.c.id == assignment_id, assignments.c.closed_at.is_(None))
        .values(**values)
    )
    if noted.rowcount == 0:
        return False
    settle(conn, event, now)
    dispatch_calls.check_call_now(conn, assignment_id, now)  # a call that still rings is stopped
    entry = TeamProgressed(subject=before.team_id, event=before.event_id, step=step.value)
    events.append(conn, [entry], now)
    return True


def end(conn: Connection, assignment_id: AssignmentId, how: Ending, now: datetime) -> bool:
    """Close it, free the team, and check what the event lacks now."""
    found = get(conn, assignment_id)
    if found is None:
        return False
    event = dispatch_events.existing(conn, found.event_id)
    if not close(conn, found, how, now):
        return False
    if how.replans:
        dispatch_events.move(conn, event, EventStatus.SHORT, now)
        seen = dispatch_events.existing(conn, event.id)
        dispatch_runs.plan_again(conn, seen, how.outcome, now, approval=how.approval)
        dispatch_calls.tell_officer(conn, event, how.outcome, found.team_id, now)
    else:
        settle(conn, event, now)
    if how.rest is not None:
        dispatch_calls.rest(conn, dispatch_teams.existing(conn, found.team_id), how.rest, now)
    if how.team_status is TeamStatus.STANDBY:
        dispatch_runs.plan_for_gravest(conn, now, approval=how.approval)
    return True


def close(conn: Connection, found: Assignment, how: Ending, now: datetime) -> bool:
    """False when it was closed before."""
    values = {"closed_at": now, "outcome": how.outcome}
    closed = conn.execute(
        update(assignments)
        .where(assignments.c.id == found.id, assignments.c.closed_at.is_(None))
        .values(values | ({"call": how.call.value} if how.call else {}))
    )
    if closed.rowcount == 0:
        return False
    reason = how.outcome if how.team_status is TeamStatus.UNAVAILABLE else ""
    freed = dispatch_teams.free(conn, found.team_id, found.fence, how.team_status, reason, now)
    assert freed, "an open assignment and its deployed team change together"
    if how.outcome == "completed":
        dispatch_teams.rests(conn, found.team_id, now)
    dispatch_calls.check_call_now(conn, found.id, now)  # a call that still rings is stopped
    entry = TeamReturned(
        subject=found.team_id,
        event=found.event_id,
        status=how.team_status.value,
        outcome=how.outcome,
    )
    events.append(conn, [entry], now)
    return True


def reassign(conn: Connection, team_id: TeamId, fence: int, now: datetime) -> None:
    """The team leaves an event before it arrives there; that event lacks it and is planned again.

    The team is on standby until the end of this transaction. Raises Blocked if it has arrived.
    """
    query = select(assignments).where(
        assignments.c.team_id == team_id, assignments.c.closed_at.is_(None)
    )
    row = conn.execute(query).one_or_none()
    part = None if row is None else rows.assignment(row)
    if part is None or part.fence != fence or not part.may_leave(now):
        where = team_id if part is None else part.event_id
        raise Blocked([Blocker(team_id, where, RETRY_AFTER)])
    event = dispatch_events.existing(conn, part.event_id)
    close(conn, part, REASSIGNED, now)
    dispatch_events.move(conn, event, EventStatus.SHORT, now)
    seen = dispatch_events.existing(conn, event.id)
    approval = dispatch_runs.waits_for_a_person(conn, event.id)
    dispatch_runs.plan_again(conn, seen, "reassigned", now, approval=approval)
    dispatch_calls.tell_officer(conn, event, "reassigned", team_id, now)


def end_rest(
    conn: Connection, team_id: TeamId, fence: int, now: datetime, *, approval: bool
) -> bool:
    """The team's resting time is over: plan it again, for the gravest event first."""
    if not dispatch_teams.end_rest(conn, team_id, fence, now):
        return False
    dispatch_runs.plan_for_gravest(conn, now, approval=approval)
    return True


def settle(conn: Connection, event: DispatchEvent, now: datetime) -> None:
    """The event is covered when all teams have said yes, and over when the last one is done."""
    if event.status not in (EventStatus.SENT, EventStatus.COVERED):
        return
    parts = listed(conn, event_id=event.id)
    left = [one for one in parts if one.closed_at is None]
    if not left and parts:
        dispatch_events.move(conn, event, EventStatus.CLOSED, now)
        return
    agreed = all(one.call is CallStatus.ACCEPTED for one in left)
    status = EventStatus.COVERED if agreed else EventStatus.SENT
    if status is not event.status:
        dispatch_events.move(conn, event, status, now)


def end_event(
    conn: Connection, event: DispatchEvent, to: EventStatus, how: Ending, now: datetime
) -> None:
    """Close or cancel it, and end all its assignments. Team rows are locked in id order."""
    left = [one for one in listed(conn, event_id=event.id) if one.closed_at is None]
    dispatch_teams.locked(conn, [one.team_id for one in left])
    for one in left:
        close(conn, one, how, now)
    dispatch_events.move(conn, event, to, now)
    if left:
        dispatch_runs.plan_for_gravest(conn, now, approval=how.approval)


def hear(conn: Connection, after: int, now: datetime) -> int:
    """Read the answers since event number `after`; returns the number to continue from."""
    latest = dispatch_calls.wake(conn, after, now)
    if latest > after:
        _hear_late(conn, after, latest, now)
    return latest


def _hear_late(conn: Connection, after: int, latest: int, now: datetime) -> None:
    """A late yes of a team that counted as silent: it is not sent, but can be planned again."""
    confirmed = select(log.c.subject).where(
        log.c.sequence > after,
        log.c.sequence <= latest,
        log.c.kind == "reminder.confirmed",
    )
    calls = conn.execute(confirmed.distinct().limit(dispatch_calls.BATCH)).scalars().all()
    given_up = (
        select(assignments)
        .where(assignments.c.reminder_id.in_(calls), assignments.c.outcome == "unanswered")
        .order_by(assignments.c.team_id)
    )
    for row in conn.execute(given_up).all() if calls else ():
        part = rows.assignment(row)
        conn.execute(
            update(assignments).where(assignments.c.id == part.id).values(outcome="answered_late")
        )
        # Its return has raised the fence: a team that was moved since is not changed.
        dispatch_teams.end_rest(conn, part.team_id, part.fence + 1, now)
        event = dispatch_events.get(conn, part.event_id)
        if event is not None:
            dispatch_calls.tell_officer(conn, event, "stand_by", part.team_id, now)
            dispatch_calls.tell_officer(conn, event, "answered_late", part.team_id, now)
