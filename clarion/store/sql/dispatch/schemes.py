"""How schemes are carried out and end: each function makes one whole change or none.

Locks are taken in one order everywhere: the run, the event, then the teams by id.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from clarion.base.events import Event
from clarion.dispatch.errors import MoveRefused
from clarion.dispatch.events import (
    SchemeCommitted,
    SchemeDropped,
    SchemeProposed,
    TeamDeployed,
    TeamReassigned,
)
from clarion.dispatch.model import (
    EventId,
    EventStatus,
    RunStatus,
    Scheme,
    SchemeId,
    SchemeStatus,
    TeamId,
)
from clarion.dispatch.ports import DispatchDecision
from clarion.store.sql import events
from clarion.store.sql.dispatch import assignments as dispatch_assignments
from clarion.store.sql.dispatch import calls as dispatch_calls
from clarion.store.sql.dispatch import events as dispatch_events
from clarion.store.sql.dispatch import rows
from clarion.store.sql.dispatch import runs as dispatch_runs
from clarion.store.sql.dispatch import teams as dispatch_teams
from clarion.store.sql.dispatch.teams import Blocked
from clarion.store.sql.tables.dispatch import assignments, schemes
from clarion.store.sql.tasks import rows as tasks


class Replaced(Exception):
    """Rolls the transaction back: another worker has the run now, or it has ended."""


def commit(conn: Connection, decision: DispatchDecision, now: datetime) -> None:
    """Raises Blocked or Replaced, and then nothing has happened."""
    _end_run(conn, decision, now)
    _lock_events(conn, decision)
    _move_event(conn, decision, now)
    drop_proposed(conn, decision.event.id, "replaced", now)
    _save(conn, decision.scheme)
    _deploy(conn, decision, now)
    if not decision.assignments and decision.event_status is EventStatus.SENT:
        # No more teams are needed: whether it is covered depends on those sent before.
        dispatch_assignments.settle(conn, dispatch_events.existing(conn, decision.event.id), now)
    if decision.event_status is EventStatus.SHORT:
        dispatch_calls.tell_officer(conn, decision.event, "short", decision.scheme.id, now)


def propose(conn: Connection, decision: DispatchDecision, until: datetime, now: datetime) -> Scheme:
    """Returns the fences that an approval has to find unchanged."""
    _end_run(conn, decision, now)
    _move_event(conn, decision, now)
    drop_proposed(conn, decision.event.id, "replaced", now)
    seen = decision.scheme
    free = {one: fence for one, fence in seen.fences.items() if one not in taken_by(seen)}
    fences = dict(seen.fences)
    if free:
        held = dispatch_teams.hold(conn, decision.owner, decision.event.id, free, until, now)
        fences |= held
    conn.execute(insert(schemes).values(**{**rows.scheme_facts(seen), "fences": fences}))
    tasks.add(conn, decision.tasks, now)
    dispatch_calls.tell_officer(conn, decision.event, "proposed", seen.id, now)
    entry = SchemeProposed(
        subject=seen.id,
        event=decision.event.id,
        teams=seen.option.team_ids,
        coverage=seen.option.coverage,
        held_until=until.isoformat(),
    )
    events.append(conn, [entry], now)
    return existing(conn, seen.id)


def approve(conn: Connection, decision: DispatchDecision, now: datetime) -> None:
    """Raises MoveRefused when the scheme is no longer proposed, Blocked when teams are gone."""
    _lock_events(conn, decision)
    if dispatch_events.locked(conn, decision.event.id) is None:
        raise Blocked(())
    wanted = decision.scheme
    kept = existing(conn, wanted.id).option.team_ids
    _decide(conn, wanted, SchemeStatus.COMMITTED, decision.by, "", now)
    conn.execute(
        update(schemes).where(schemes.c.id == wanted.id).values(**rows.choice_facts(wanted))
    )
    if dispatch_runs.asked_since(conn, wanted.event_id, wanted.run_id, wanted.created_at):
        # Its needs have changed: these teams go, and the later plan adds what is missing.
        decision = replace(decision, event_status=EventStatus.SHORT)
    _move_event(conn, decision, now)
    dispatch_teams.locked(conn, {*kept, *wanted.fences})  # both sets at once, in one order
    spared = [one for one in kept if one not in wanted.fences]
    dispatch_teams.release(conn, decision.owner, spared, now)
    _deploy(conn, decision, now)


def drop(
    conn: Connection, scheme_id: SchemeId, status: SchemeStatus, by: str, reason: str, now: datetime
) -> Scheme | None:
    """Reject it or let it lapse. If it was decided already, a lapse changes nothing."""
    found = get(conn, scheme_id)
    if found is None:
        return None
    event = dispatch_events.locked(conn, found.event_id)
    if found.status is not SchemeStatus.PROPOSED and status is SchemeStatus.LAPSED:
        return found
    _decide(conn, found, status, by, reason, now)
    dispatch_teams.release(conn, found.run_id, found.option.team_ids, now)
    if event is not None and event.status is EventStatus.PROPOSED:
        back = EventStatus.SHORT if _anybody_on_the_way(conn, event.id) else EventStatus.OPEN
        dispatch_events.move(conn, event, back, now)
    entry = SchemeDropped(
        subject=found.id, event=found.event_id, status=status.value, by=by, reason=reason
    )
    events.append(conn, [entry], now)
    return existing(conn, scheme_id)


def renew(conn: Connection, scheme_id: SchemeId, by: str, reason: str, now: datetime) -> bool:
    """Free its teams for a new plan, which is requested in the same transaction."""
    found = get(conn, scheme_id)
    if found is None or found.status is not SchemeStatus.PROPOSED:
        return False
    dropped = drop(conn, scheme_id, SchemeStatus.LAPSED, by, reason, now)
    event = dispatch_events.existing(conn, found.event_id)
    dispatch_runs.plan_again(conn, event, "lost", now, approval=True)
    return dropped is not None


def drop_proposed(conn: Connection, event_id: EventId, reason: str, now: datetime) -> None:
    """Drop proposals that still wait for a person: a newer decision replaces them."""
    query = select(schemes).where(
        schemes.c.event_id == event_id, schemes.c.status == SchemeStatus.PROPOSED.value
    )
    for row in conn.execute(query.order_by(schemes.c.id)).all():
        found = rows.scheme(row)
        _decide(conn, found, SchemeStatus.LAPSED, "", reason, now)
        dispatch_teams.release(conn, found.run_id, found.option.team_ids, now)
        entry = SchemeDropped(
            subject=found.id,
            event=event_id,
            status=SchemeStatus.LAPSED.value,
            by="",
            reason=reason,
        )
        events.append(conn, [entry], now)


def get(conn: Connection, scheme_id: SchemeId) -> Scheme | None:
    row = conn.execute(select(schemes).where(schemes.c.id == scheme_id)).one_or_none()
    return None if row is None else rows.scheme(row)


def existing(conn: Connection, scheme_id: SchemeId) -> Scheme:
    found = get(conn, scheme_id)
    assert found is not None, "it was written in this transaction"
    return found


def of_event(conn: Connection, event_id: EventId) -> list[Scheme]:
    query = select(schemes).where(schemes.c.event_id == event_id)
    ordered = query.order_by(schemes.c.created_at.desc(), schemes.c.id.desc())
    return [rows.scheme(row) for row in conn.execute(ordered)]


def _end_run(conn: Connection, decision: DispatchDecision, now: datetime) -> None:
    scheme = decision.scheme
    ended = dispatch_runs.end(
        conn,
        decision.run,
        now,
        status=RunStatus.DONE.value,
        scheme_id=scheme.id,
        node="",
        degraded=int(scheme.degraded),
    )
    if not ended:
        raise Replaced


def _move_event(conn: Connection, decision: DispatchDecision, now: datetime) -> None:
    if not dispatch_events.move(conn, decision.event, decision.event_status, now, read=True):
        raise Blocked(())


def _save(conn: Connection, scheme: Scheme) -> None:
    conn.execute(insert(schemes).values(**rows.scheme_facts(scheme)))


def _deploy(conn: Connection, decision: DispatchDecision, now: datetime) -> None:
    scheme = decision.scheme
    if not scheme.fences:
        return
    fences = dict(scheme.fences)
    dispatch_teams.locked(conn, fences)
    for team_id in sorted(taken_by(scheme)):
        dispatch_assignments.reassign(conn, team_id, fences[team_id], now)
        fences[team_id] += 1  # its return has raised the fence
    fences = dispatch_teams.take(conn, decision.owner, fences, scheme.run_id, now)
    conn.execute(
        insert(assignments),
        [rows.assignment_facts(one, fences[one.team_id]) for one in decision.assignments],
    )
    tasks.add(conn, decision.tasks, now)
    events.append(conn, _deployments(decision, fences.items()), now)


def taken_by(scheme: Scheme) -> dict[TeamId, EventId]:
    """The teams that leave another event for this one."""
    return {one.team_id: one.taken_from for one in scheme.option.members if one.taken_from}


def _lock_events(conn: Connection, decision: DispatchDecision) -> None:
    """This event and those that lose a team, in the order of their ids."""
    for event_id in sorted({decision.event.id, *taken_by(decision.scheme).values()}):
        dispatch_events.locked(conn, event_id)


def _deployments(decision: DispatchDecision, fences: Iterable[tuple[TeamId, int]]) -> list[Event]:
    scheme, event = decision.scheme, decision.event.id
    sent: list[Event] = [
        TeamReassigned(subject=team_id, event=event, left=left, scheme=scheme.id, by=decision.by)
        for team_id, left in sorted(taken_by(scheme).items())
    ]
    sent += [
        TeamDeployed(subject=team_id, event=event, scheme=scheme.id, fence=fence)
        for team_id, fence in fences
    ]
    committed = SchemeCommitted(
        subject=scheme.id,
        event=event,
        teams=scheme.option.team_ids,
        coverage=scheme.option.coverage,
        by=decision.by,
    )
    return [committed, *sent]


def _decide(
    conn: Connection, scheme: Scheme, to: SchemeStatus, by: str, reason: str, now: datetime
) -> None:
    decided = conn.execute(
        update(schemes)
        .where(schemes.c.id == scheme.id, schemes.c.status == SchemeStatus.PROPOSED.value)
        .values(status=to.value, decided_at=now, decided_by=by, reason=reason)
    )
    if decided.rowcount == 0:
        raise MoveRefused(scheme.id, existing(conn, scheme.id).status, to)


def _anybody_on_the_way(conn: Connection, event_id: EventId) -> bool:
    query = select(assignments.c.id).where(
        assignments.c.event_id == event_id, assignments.c.closed_at.is_(None)
    )
    return conn.execute(query.limit(1)).one_or_none() is not None
