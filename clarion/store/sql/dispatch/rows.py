"""Between rows of the dispatch tables and the values of the rules."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table
from sqlalchemy.dialects import postgresql, sqlite

from clarion.dispatch.model import (
    BASE,
    Assignment,
    CallStatus,
    DispatchEvent,
    EventStatus,
    Hold,
    Place,
    Quality,
    Run,
    RunStatus,
    Scheme,
    SchemeStatus,
    Severity,
    Team,
    TeamId,
    TeamStatus,
    VehicleKind,
)
from clarion.dispatch.plain import (
    crew_in,
    crew_out,
    needs_in,
    needs_out,
    option_in,
    option_out,
    shift_in,
    shift_out,
)

REFUSALS = ("declined", "unanswered")
"""Outcomes after which an event does not ask this team again."""


def added(conn: Connection, table: Table, facts: Mapping[str, Any]) -> bool:
    """False when the row exists, also when another transaction adds it at this moment."""
    insert = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    return conn.execute(insert(table).values(facts).on_conflict_do_nothing()).rowcount == 1


def team(row: Row[Any]) -> Team:
    return Team(
        id=row.id,
        name=row.name,
        place=Place(row.latitude, row.longitude),
        capabilities=row.capabilities,
        speed_kmh=row.speed_kmh,
        ready_seconds=row.ready_seconds,
        cost=row.cost,
        range_km=row.range_km,
        status=TeamStatus(row.status),
        current_task_id=row.current_task_id,
        reason=row.reason,
        fence=row.fence,
        held_by=row.held_by,
        held_for=row.held_for,
        held_until=row.held_until,
        user_id=row.user_id,
        device_id=row.device_id,
        updated_at=row.updated_at,
        version=row.version,
        kind=VehicleKind(row.kind),
        position_at=row.position_at,
        accuracy_m=row.accuracy_m,
        station_id=row.station_id,
        crew=tuple(map(crew_in, row.crew)) if row.crew else (),
        crew_min=row.crew_min,
        shifts=tuple(map(shift_in, row.shifts)) if row.shifts else (),
        rest_seconds=row.rest_seconds,
        rests_until=row.rests_until,
        mutual_aid=bool(row.mutual_aid),
    )


def team_facts(value: Team) -> dict[str, Any]:
    """What people edit: everything but the status, the hold and their numbers."""
    return {
        "name": value.name,
        "latitude": value.place.latitude,
        "longitude": value.place.longitude,
        "capabilities": dict(value.capabilities),
        "speed_kmh": value.speed_kmh,
        "ready_seconds": value.ready_seconds,
        "cost": value.cost,
        "range_km": value.range_km,
        "user_id": value.user_id,
        "device_id": value.device_id,
        "kind": value.kind.value,
        "position_at": value.position_at,
        "accuracy_m": value.accuracy_m,
        "station_id": value.station_id,
        "crew": [crew_out(one) for one in value.crew],
        "crew_min": value.crew_min,
        "shifts": [shift_out(one) for one in value.shifts],
        "rest_seconds": value.rest_seconds,
        "mutual_aid": int(value.mutual_aid),
    }


def event(row: Row[Any]) -> DispatchEvent:
    return DispatchEvent(
        id=row.id,
        type=row.type,
        severity=Severity(row.severity),
        place=Place(row.latitude, row.longitude),
        reported_at=row.reported_at,
        title=row.title,
        report=row.report,
        needs=needs_in(row.needs),
        deadline_at=row.deadline_at,
        status=EventStatus(row.status),
        officer=row.officer,
        version=row.version,
    )


def event_facts(value: DispatchEvent) -> dict[str, Any]:
    return {
        "type": value.type,
        "severity": value.severity.value,
        "base": BASE[value.severity],
        "latitude": value.place.latitude,
        "longitude": value.place.longitude,
        "title": value.title,
        "report": value.report,
        "needs": needs_out(value.needs),
        "deadline_at": value.deadline_at,
        "officer": value.officer,
    }


def run(row: Row[Any]) -> Run:
    return Run(
        id=row.id,
        event_id=row.event_id,
        created_at=row.created_at,
        key=row.key,
        status=RunStatus(row.status),
        attempt=row.attempt,
        team_ids=tuple(map(TeamId, row.team_ids)),
        excluded=tuple(map(TeamId, row.excluded)),
        needs_approval=bool(row.needs_approval),
        reason=row.reason,
        node=row.node,
        steps=tuple(row.steps),
        replans=row.replans,
        degraded=bool(row.degraded),
        scheme_id=row.scheme_id,
        error=row.error,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )


def run_facts(value: Run) -> dict[str, Any]:
    return {
        "id": value.id,
        "event_id": value.event_id,
        "created_at": value.created_at,
        "key": value.key,
        "status": value.status.value,
        "attempt": value.attempt,
        "team_ids": list(value.team_ids),
        "excluded": list(value.excluded),
        "needs_approval": int(value.needs_approval),
        "reason": value.reason,
        "steps": list(value.steps),
    }


def scheme(row: Row[Any]) -> Scheme:
    return Scheme(
        id=row.id,
        event_id=row.event_id,
        run_id=row.run_id,
        status=SchemeStatus(row.status),
        option=option_in(row.option),
        alternatives=tuple(option_in(one) for one in row.alternatives),
        explanation=row.explanation,
        quality=Quality(row.quality),
        degraded=bool(row.degraded),
        created_at=row.created_at,
        decided_at=row.decided_at,
        decided_by=row.decided_by,
        reason=row.reason,
        held_until=row.held_until,
        fences={TeamId(team_id): fence for team_id, fence in row.fences.items()},
        chosen=row.chosen,
    )


def scheme_facts(value: Scheme) -> dict[str, Any]:
    return {
        "id": value.id,
        "event_id": value.event_id,
        "run_id": value.run_id,
        "status": value.status.value,
        "option": option_out(value.option),
        "alternatives": [option_out(one) for one in value.alternatives],
        "explanation": value.explanation,
        "quality": value.quality.value,
        "degraded": int(value.degraded),
        "fences": dict(value.fences),
        "created_at": value.created_at,
        "decided_at": value.decided_at,
        "decided_by": value.decided_by,
        "reason": value.reason,
        "held_until": value.held_until,
        "chosen": value.chosen,
    }


def choice_facts(value: Scheme) -> dict[str, Any]:
    """Who goes, and who might have gone instead."""
    facts = scheme_facts(value)
    return {name: facts[name] for name in ("option", "alternatives", "fences", "chosen")}


def assignment(row: Row[Any]) -> Assignment:
    return Assignment(
        id=row.id,
        scheme_id=row.scheme_id,
        event_id=row.event_id,
        team_id=row.team_id,
        role=row.role,
        eta_seconds=row.eta_seconds,
        amounts=row.amounts,
        fence=row.fence,
        opened_at=row.opened_at,
        call=CallStatus(row.call),
        called_at=row.called_at,
        reminder_id=row.reminder_id,
        closed_at=row.closed_at,
        outcome=row.outcome,
        kind=VehicleKind(row.kind),
        eta_source=row.eta_source,
        correction=row.correction,
        en_route_at=row.en_route_at,
        on_scene_at=row.on_scene_at,
        returning_at=row.returning_at,
    )


def assignment_facts(value: Assignment, fence: int) -> dict[str, Any]:
    return {
        "id": value.id,
        "scheme_id": value.scheme_id,
        "event_id": value.event_id,
        "team_id": value.team_id,
        "role": value.role,
        "eta_seconds": value.eta_seconds,
        "amounts": dict(value.amounts),
        "fence": fence,
        "opened_at": value.opened_at,
        "call": value.call.value,
        "kind": value.kind.value,
        "eta_source": value.eta_source,
        "correction": value.correction,
    }


def hold(row: Row[Any]) -> Hold:
    return Hold(
        team_id=row.id,
        event_id=row.held_for,
        owner=row.held_by,
        since=row.held_since,
        until=row.held_until,
    )
