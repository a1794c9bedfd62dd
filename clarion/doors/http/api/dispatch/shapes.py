"""What the dispatch routes take and give, and the refusal that their clients know: AI4004."""

from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import Field

from clarion.base.ids import DeviceId, UserId
from clarion.base.place import Position
from clarion.dispatch.errors import InvalidInput
from clarion.dispatch.model import (
    Assignment,
    CrewMember,
    DispatchEvent,
    EventId,
    EventStatus,
    Hold,
    Need,
    Place,
    Run,
    RunStatus,
    Scheme,
    Severity,
    Shift,
    Team,
    TeamId,
    TeamStatus,
    VehicleKind,
)
from clarion.dispatch.plain import crew_out, needs_out, option_out, shift_out
from clarion.doors.http.api.dispatch.answers import (
    AssignmentAnswer,
    EventAnswer,
    HoldAnswer,
    PlaceAnswer,
    TeamAnswer,
)
from clarion.doors.http.conventions import Id, Instant, Patch, Shape, said, shaped
from clarion.doors.http.problems import pointed

Capability = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w-]+$")]
Amount = Annotated[int, Field(ge=1, le=10_000)]
Capabilities = Annotated[dict[Capability, Amount], Field(min_length=1, max_length=50)]


class DispatchRoute(APIRoute):
    """Input that cannot be used is AI4004 with 400 here, where the rest of the API says 422."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        plain = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await plain(request)
            except RequestValidationError as error:
                found = [pointed(one) for one in error.errors()]
                places = ", ".join(sorted({one["pointer"] for one in found}))
                raise InvalidInput(places, errors=found) from None

        return handle


class PlaceShape(Shape):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)

    def value(self) -> Place:
        return Place(self.latitude, self.longitude)


class NeedShape(Shape):
    capability: Capability
    amount: Amount
    weight: int = Field(1, ge=1, le=100, description="What hurts most when not all is met.")

    def value(self) -> Need:
        return Need(self.capability, self.amount, self.weight)


Needs = Annotated[list[NeedShape], Field(max_length=50)]


class EventIn(Shape):
    id: Id | None = None
    type: str = Field("", max_length=64, description="Empty: read from the report.")
    severity: Severity = Severity.MEDIUM
    place: PlaceShape
    title: str = Field("", max_length=200)
    report: str = Field("", max_length=5000, description="What was said, in free words.")
    needs: Needs = Field([], description="Empty: what the rules say.")
    deadline_at: Instant | None = None
    officer: Id | None = Field(None, description="The user who is told when a team will not come.")

    def value(self, event_id: str, now: datetime) -> DispatchEvent:
        if not self.type and not self.report:
            raise InvalidInput("type or report: one of them")
        return DispatchEvent(
            id=EventId(self.id or event_id),
            type=self.type,
            severity=self.severity,
            place=self.place.value(),
            reported_at=now,
            title=self.title,
            report=self.report,
            needs=unique(self.needs),
            deadline_at=self.deadline_at,
            officer=None if self.officer is None else UserId(self.officer),
        )


class EventPatch(Patch):
    type: str = Field("", max_length=64)
    severity: Severity = Severity.MEDIUM
    place: PlaceShape = PlaceShape(latitude=0, longitude=0)
    title: str = Field("", max_length=200)
    report: str = Field("", max_length=5000)
    needs: Needs = Field([])
    deadline_at: Instant | None = None
    officer: Id | None = None
    status: EventStatus = Field(
        EventStatus.OPEN, description="Only `closed` and `cancelled`: the rest follows from teams."
    )


Hours = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["08:00"])]


class ShiftShape(Shape):
    starts: Hours
    ends: Hours = Field(description="Before `starts`: the next morning.")
    days: Annotated[list[Annotated[int, Field(ge=1, le=7)]], Field(min_length=1, max_length=7)] = (
        Field([1, 2, 3, 4, 5, 6, 7], description="1 is Monday.")
    )

    def value(self) -> Shift:
        return Shift(self.starts, self.ends, tuple(sorted(set(self.days))))


class CrewShape(Shape):
    name: str = Field(min_length=1, max_length=200)
    skills: Annotated[list[Capability], Field(max_length=20)] = Field([])
    on_duty: bool = True

    def value(self) -> CrewMember:
        return CrewMember(self.name, tuple(self.skills), self.on_duty)


Crew = Annotated[list[CrewShape], Field(max_length=100)]
Shifts = Annotated[list[ShiftShape], Field(max_length=50)]


class PositionIn(Shape):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    at: Instant | None = Field(None, description="When it was there; else now.")
    accuracy_m: float | None = Field(None, ge=0, le=1_000_000)

    def value(self, now: datetime) -> Position:
        place = Place(self.latitude, self.longitude)
        return Position(place, self.at or now, self.accuracy_m)


class TeamPatch(Patch):
    name: str = Field("", min_length=1, max_length=200)
    place: PlaceShape = PlaceShape(latitude=0, longitude=0)
    capabilities: Capabilities = Field({})
    speed_kmh: float = Field(60.0, gt=0, le=2000)
    ready_seconds: int = Field(60, ge=0, le=86_400, description="From the call to the start.")
    cost: int = Field(0, ge=0, le=1_000_000)
    range_km: float | None = Field(None, gt=0, le=50_000)
    user_id: Id | None = Field(None, description="Who is called when it is sent.")
    device_id: Id | None = Field(None, description="Where; else on the user's devices in order.")
    status: TeamStatus = Field(
        TeamStatus.STANDBY, description="`standby` or `unavailable`: schemes alone deploy."
    )
    reason: str = Field("", max_length=200)
    kind: VehicleKind = VehicleKind.CAR
    station_id: Id | None = None
    crew: Crew = Field([])
    crew_min: int = Field(0, ge=0, le=100)
    shifts: Shifts = Field([])
    rest_seconds: int = Field(0, ge=0, le=604_800)
    mutual_aid: bool = False


class TeamIn(Shape):
    id: Id
    name: str = Field(min_length=1, max_length=200)
    place: PlaceShape
    capabilities: Capabilities
    speed_kmh: float = Field(60.0, gt=0, le=2000)
    ready_seconds: int = Field(60, ge=0, le=86_400, description="From the call to the start.")
    cost: int = Field(0, ge=0, le=1_000_000)
    range_km: float | None = Field(None, gt=0, le=50_000)
    user_id: Id | None = None
    device_id: Id | None = None
    status: TeamStatus = TeamStatus.STANDBY
    kind: VehicleKind = Field(VehicleKind.CAR, description="How it moves.")
    station_id: Id | None = Field(None, description="Where it waits.")
    crew: Crew = Field([], description="People and what each can do, beside `capabilities`.")
    crew_min: int = Field(0, ge=0, le=100, description="With fewer on duty it does not go.")
    shifts: Shifts = Field([], description="When it can be called; empty: always.")
    rest_seconds: int = Field(0, ge=0, le=604_800, description="Left alone after coming home.")
    mutual_aid: bool = Field(False, description="Neighbours: asked for what ours cannot cover.")

    def value(self) -> Team:
        return Team(
            id=TeamId(self.id),
            name=self.name,
            place=self.place.value(),
            capabilities=dict(self.capabilities),
            speed_kmh=self.speed_kmh,
            ready_seconds=self.ready_seconds,
            cost=self.cost,
            range_km=self.range_km,
            status=self.status,
            user_id=None if self.user_id is None else UserId(self.user_id),
            device_id=None if self.device_id is None else DeviceId(self.device_id),
            kind=self.kind,
            station_id=self.station_id,
            crew=tuple(one.value() for one in self.crew),
            crew_min=self.crew_min,
            shifts=tuple(one.value() for one in self.shifts),
            rest_seconds=self.rest_seconds,
            mutual_aid=self.mutual_aid,
        )


class PlanIn(Shape):
    """Either the id of an event that is known, or the event itself."""

    event_id: Id | None = None
    event: EventIn | None = None
    team_ids: Annotated[list[Id], Field(max_length=200)] = Field(
        [], description="Only from among these; empty: from all."
    )
    approval: bool | None = Field(None, description="Whether a person decides; else the setting.")


class ApproveIn(Shape):
    alternative: int = Field(
        0, ge=0, le=9, description="0: the best teams; n: those of the nth alternative instead."
    )


class ReasonIn(Shape):
    reason: str = Field("", max_length=500)


def unique(needs: list[NeedShape]) -> tuple[Need, ...]:
    names = [need.capability for need in needs]
    if len(set(names)) != len(names):
        raise InvalidInput("needs: a capability twice")
    return tuple(need.value() for need in needs)


def event_out(event: DispatchEvent) -> dict[str, Any]:
    place, needs = place_out(event.place), needs_out(event.needs)
    return shaped(EventAnswer, event, place=place, needs=needs)


def team_out(team: Team) -> dict[str, Any]:
    crew, shifts = [crew_out(one) for one in team.crew], [shift_out(one) for one in team.shifts]
    return shaped(TeamAnswer, team, place=place_out(team.place), crew=crew, shifts=shifts)


def place_out(place: Place) -> dict[str, Any]:
    return shaped(PlaceAnswer, place)


def run_out(run: Run) -> dict[str, Any]:
    percent = 100 if run.is_over else (run.steps[-1]["percent"] if run.steps else 0)
    return {
        "task_id": run.id,
        "event_id": run.event_id,
        "status": run.status,
        "reason": run.reason,
        "progress": {"node": run.node, "percent": percent, "steps": list(run.steps)},
        "attempt": run.attempt,
        "replans": run.replans,
        "degraded": run.degraded,
        "scheme_id": run.scheme_id,
        "error": failure_out(run) if run.status is RunStatus.FAILED else None,
        "created_at": said(run.created_at),
        "started_at": said(run.started_at),
        "finished_at": said(run.finished_at),
    }


def failure_out(run: Run) -> dict[str, Any]:
    kept = run.error or {}
    return {name: kept.get(name) for name in ("error_code", "message", "details")}


def scheme_out(scheme: Scheme) -> dict[str, Any]:
    return {
        "scheme_id": scheme.id,
        "event_id": scheme.event_id,
        "task_id": scheme.run_id,
        "status": scheme.status,
        **option_out(scheme.option),
        "alternatives": [option_out(one) for one in scheme.alternatives],
        "explanation": scheme.explanation,
        "quality": scheme.quality,
        "degraded": scheme.degraded,
        "created_at": said(scheme.created_at),
        "decided_at": said(scheme.decided_at),
        "decided_by": scheme.decided_by,
        "reason": scheme.reason,
        "held_until": said(scheme.held_until),
        "chosen": scheme.chosen,
    }


def assignment_out(one: Assignment) -> dict[str, Any]:
    expected = one.opened_at + timedelta(seconds=one.eta_seconds)
    return shaped(AssignmentAnswer, one, expected_at=said(expected))


def hold_out(hold: Hold) -> dict[str, Any]:
    return shaped(HoldAnswer, hold, locked_by=hold.event_id)
