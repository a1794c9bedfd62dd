"""What a plan is made from: one consistent view of the event, all teams and other plans."""

from collections.abc import Iterable

from sqlalchemy import Connection, select

from clarion.dispatch.model import (
    Assignment,
    DispatchEvent,
    EventId,
    OpenEvent,
    PlanPicture,
    TeamId,
)
from clarion.dispatch.plan.travel import ARRIVALS_SEEN, corrections
from clarion.store.sql.dispatch import events as dispatch_events
from clarion.store.sql.dispatch import rows
from clarion.store.sql.dispatch.rows import REFUSALS
from clarion.store.sql.tables.dispatch import assignments, runs, teams
from clarion.store.sql.tables.dispatch import dispatch_events as event_table

OTHERS_MAX = 200  # the gravest of them


def picture(conn: Connection, event_id: EventId) -> PlanPicture | None:
    """One query per table, in one transaction; the commit notices what has changed since."""
    event = dispatch_events.get(conn, event_id)
    if event is None:
        return None
    planned = _planned(conn, event_id)
    mine, *theirs = _parts(conn, [event_id, *(one.id for one, _ in planned)])
    away = [
        rows.assignment(row)
        for row in conn.execute(select(assignments).where(assignments.c.closed_at.is_(None)))
    ]
    return PlanPicture(
        event=event,
        teams=tuple(rows.team(row) for row in conn.execute(select(teams).order_by(teams.c.id))),
        assigned=assigned(mine),
        refused=refused(mine),
        parts=tuple(away),
        events=_events(conn, {one.event_id for one in away}),
        others=tuple(
            OpenEvent(other, assigned(parts), refused(parts), only)
            for (other, only), parts in zip(planned, theirs, strict=True)
        ),
        corrections=corrections(arrivals(conn)),
    )


def assigned(parts: Iterable[Assignment]) -> tuple[Assignment, ...]:
    """Teams that are on the way or have done their part."""
    return tuple(one for one in parts if one.closed_at is None or one.outcome == "completed")


def refused(parts: Iterable[Assignment]) -> tuple[TeamId, ...]:
    return tuple(one.team_id for one in parts if one.outcome in REFUSALS)


def arrivals(conn: Connection) -> list[Assignment]:
    """The latest reported arrivals."""
    query = (
        select(assignments)
        .where(assignments.c.on_scene_at.is_not(None))
        .order_by(assignments.c.on_scene_at.desc())
        .limit(ARRIVALS_SEEN)
    )
    return [rows.assignment(row) for row in conn.execute(query)]


def _planned(conn: Connection, event_id: EventId) -> list[tuple[DispatchEvent, tuple[TeamId, ...]]]:
    """The other events that are being planned, and the teams that were requested by name."""
    query = (
        select(event_table, runs.c.team_ids)
        .join(runs, runs.c.event_id == event_table.c.id)
        .where(runs.c.finished_at.is_(None), event_table.c.id != event_id)
        .order_by(event_table.c.base.desc(), event_table.c.reported_at, event_table.c.id)
        .limit(OTHERS_MAX)
    )
    return [(rows.event(row), tuple(map(TeamId, row.team_ids))) for row in conn.execute(query)]


def _parts(conn: Connection, ids: list[EventId]) -> list[list[Assignment]]:
    """Of each of these events, in their order."""
    found: dict[EventId, list[Assignment]] = {one: [] for one in ids}
    for row in conn.execute(select(assignments).where(assignments.c.event_id.in_(ids))):
        found[EventId(row.event_id)].append(rows.assignment(row))
    return list(found.values())


def _events(conn: Connection, ids: set[EventId]) -> dict[EventId, DispatchEvent]:
    query = select(event_table).where(event_table.c.id.in_(sorted(ids)))
    return {EventId(row.id): rows.event(row) for row in conn.execute(query)}
