"""Which events lack teams, and which teams are free: what the reconciler reads."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, Row, case, func, or_, select

from clarion.dispatch.decide import SHARED
from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    EventStatus,
    RunStatus,
    SchemeStatus,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.reconciler import Lack
from clarion.store.sql.dispatch import rows
from clarion.store.sql.dispatch.rows import REFUSALS
from clarion.store.sql.engine.database import send_signal
from clarion.store.sql.tables.dispatch import assignments, dispatch_events, runs, schemes, teams

LOOK = "clarion_dispatch_look"
"""Told whenever a team comes free or changes, an event changes, or a plan ends."""
EVENTS_MAX = 500  # in one look; the gravest come first
RUNS_SEEN = 8  # further failures do not make the wait longer
DAWN = datetime.min.replace(tzinfo=UTC)
LACKING = (EventStatus.OPEN.value, EventStatus.SHORT.value)


def look(conn: Connection) -> None:
    send_signal(conn, LOOK)


def lacking(conn: Connection, now: datetime) -> tuple[Sequence[Lack], Sequence[Team]]:
    found = _events(conn)
    if not found:
        return (), ()
    last = _last_runs(conn, [one.id for one in found], now)
    refused = _refused(conn, list(last))
    asked = [one for one in found if one.id in last]
    lacks = (_lack(conn, one, last[one.id], refused.get(one.id, set()), now) for one in asked)
    return [one for one in lacks if one is not None], _standby(conn, now)


def _events(conn: Connection) -> list[DispatchEvent]:
    """Without those that are being planned already."""
    planned = select(runs.c.event_id).where(runs.c.finished_at.is_(None))
    query = (
        select(dispatch_events)
        .where(dispatch_events.c.status.in_(LACKING), dispatch_events.c.id.not_in(planned))
        .order_by(
            dispatch_events.c.base.desc(), dispatch_events.c.reported_at, dispatch_events.c.id
        )
        .limit(EVENTS_MAX)
    )
    return [rows.event(row) for row in conn.execute(query)]


def _last_runs(
    conn: Connection, ids: Sequence[EventId], now: datetime
) -> dict[EventId, list[Row[tuple[object]]]]:
    """The latest plans of each event that ever had one, the newest first.

    Plans dated in the future by a wrong clock come last: nobody knows how old they are, and they
    must not count as the newest until the clock gets there.
    """
    created = runs.c.created_at
    place = func.row_number().over(
        partition_by=runs.c.event_id,
        order_by=(case((created > now, 1), else_=0), created.desc(), runs.c.id.desc()),
    )
    ranked = select(runs, place.label("place")).where(runs.c.event_id.in_(ids)).subquery()
    query = select(ranked).where(ranked.c.place <= RUNS_SEEN).order_by(ranked.c.place)
    found: dict[EventId, list[Row[tuple[object]]]] = {}
    for row in conn.execute(query):
        found.setdefault(EventId(row.event_id), []).append(row)
    return found


def _refused(conn: Connection, ids: Sequence[EventId]) -> dict[EventId, set[TeamId]]:
    query = select(assignments.c.event_id, assignments.c.team_id).where(
        assignments.c.event_id.in_(ids), assignments.c.outcome.in_(REFUSALS)
    )
    found: dict[EventId, set[TeamId]] = {}
    for row in conn.execute(query):
        found.setdefault(EventId(row.event_id), set()).add(TeamId(row.team_id))
    return found


def _lack(
    conn: Connection,
    event: DispatchEvent,
    last: Sequence[Row[tuple[object]]],
    refused: set[TeamId],
    now: datetime,
) -> Lack | None:
    """None when a person rejected its last plan: then a person asks for the next one."""
    ended = [rows.run(row) for row in last]
    failures = next(
        (n for n, run in enumerate(ended) if run.status is not RunStatus.FAILED), len(ended)
    )
    missing, shared = None, False
    if not failures and ended[0].scheme_id is not None:
        row = conn.execute(select(schemes).where(schemes.c.id == ended[0].scheme_id)).one()
        scheme = rows.scheme(row)
        if scheme.status is SchemeStatus.REJECTED:
            return None
        shared = scheme.reason == SHARED
        if scheme.status is not SchemeStatus.LAPSED:
            missing = frozenset(one.capability for one in scheme.option.shortfall) or None
    assert ended[0].finished_at is not None, "an event that is being planned is left out"
    return Lack(
        event=event,
        ended_at=ended[0].finished_at if ended[0].finished_at <= now else DAWN,
        failures=failures,
        missing=missing,
        refused=frozenset(refused),
        team_ids=ended[0].team_ids,
        approval=ended[0].needs_approval,
        shared=shared,
    )


def _standby(conn: Connection, now: datetime) -> list[Team]:
    query = select(teams).where(
        teams.c.status == TeamStatus.STANDBY.value,
        or_(teams.c.held_until.is_(None), teams.c.held_until <= now),
    )
    return [rows.team(row) for row in conn.execute(query)]
