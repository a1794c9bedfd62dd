"""Events, teams, schemes, and the moves each may make. Plain values: no clock, no store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NewType

from clarion.base.ids import DeviceId, TaskId, UserId
from clarion.base.place import Place as Place
from clarion.tasks.model import Level

EventId = NewType("EventId", str)
TeamId = NewType("TeamId", str)
SchemeId = NewType("SchemeId", str)
AssignmentId = NewType("AssignmentId", str)


class Severity(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


BASE: Mapping[Severity, int] = {
    Severity.LOW: Level.NORMAL,
    Severity.MEDIUM: 30,  # between normal and high: half an hour of waiting from either
    Severity.HIGH: Level.HIGH,
    Severity.CRITICAL: Level.CRITICAL,
}


class TeamStatus(StrEnum):
    STANDBY = "standby"
    DEPLOYED = "deployed"
    UNAVAILABLE = "unavailable"


TEAM_MOVES: Mapping[TeamStatus, frozenset[TeamStatus]] = {
    TeamStatus.STANDBY: frozenset({TeamStatus.DEPLOYED, TeamStatus.UNAVAILABLE}),
    # Done, or broken down on the way. A deployed team is never given to another event.
    TeamStatus.DEPLOYED: frozenset({TeamStatus.STANDBY, TeamStatus.UNAVAILABLE}),
    TeamStatus.UNAVAILABLE: frozenset({TeamStatus.STANDBY}),
}


class EventStatus(StrEnum):
    OPEN = "open"
    """Reported; nobody is on the way."""
    PROPOSED = "proposed"
    """A scheme waits for a person's approval."""
    SHORT = "short"
    """Not enough teams are on the way, or none could be found."""
    SENT = "sent"
    """Everything it needs was sent; not every team has said yes."""
    COVERED = "covered"
    """Everything it needs has said yes, is on the way or there."""
    CLOSED = "closed"
    CANCELLED = "cancelled"


OVER = frozenset({EventStatus.CLOSED, EventStatus.CANCELLED})

EVENT_MOVES: Mapping[EventStatus, frozenset[EventStatus]] = {
    status: frozenset() if status in OVER else frozenset(EventStatus) - {status}
    for status in EventStatus
}


class SchemeStatus(StrEnum):
    PROPOSED = "proposed"
    COMMITTED = "committed"
    """Its teams are deployed."""
    REJECTED = "rejected"
    LAPSED = "lapsed"
    """Nobody decided in time, or its teams went elsewhere."""
    EMPTY = "empty"
    """Nobody could be found; the shortfall says why."""


class RunStatus(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class CallStatus(StrEnum):
    """How far a deployed team has been reached; finer than its status, which the spec fixes."""

    WAITING = "waiting"
    CALLING = "calling"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    UNANSWERED = "unanswered"
    UNCALLED = "uncalled"
    """It has neither a user nor a device: somebody has to tell it by other means."""


class Progressed(StrEnum):
    """How far a deployed team is: facts besides its status, from the team or a dispatcher."""

    ACCEPTED = "accepted"
    EN_ROUTE = "en_route"
    ON_SCENE = "on_scene"
    RETURNING = "returning"


@dataclass(frozen=True, slots=True)
class Need:
    """An amount of one capability. If not all needs can be met, `weight` says what matters most."""

    capability: str
    amount: int
    weight: int = 1


class VehicleKind(StrEnum):
    """How a team moves: each kind has its own routes and speed."""

    CAR = "car"
    BOAT = "boat"
    HELICOPTER = "helicopter"
    FOOT = "foot"


Corrections = Mapping[tuple[VehicleKind, str], float]
"""How much longer than each source says each kind of vehicle has taken lately."""


@dataclass(frozen=True, slots=True)
class CrewMember:
    name: str
    skills: tuple[str, ...] = ()
    """Capabilities that this person brings along."""
    on_duty: bool = True


@dataclass(frozen=True, slots=True)
class Shift:
    """When a team works: on these days (1 is Monday), from and until a local time.

    `until` before `from` ends the next morning.
    """

    starts: str
    ends: str
    days: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """Where teams wait, and the minimum of each capability that should stay near."""

    id: str
    name: str
    place: Place
    district: str = ""
    least: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    id: TeamId
    name: str
    place: Place
    capabilities: Mapping[str, int]
    speed_kmh: float = 60.0
    ready_seconds: int = 60
    """From the call until the wheels turn."""
    cost: int = 0
    range_km: float | None = None
    status: TeamStatus = TeamStatus.STANDBY
    current_task_id: TaskId | None = None
    """The plan that sent it: `GET /ai/tasks/{id}`."""
    reason: str = ""
    """Why it is unavailable."""
    fence: int = 0
    """Rises with every hold and every change of status: who decided on an older number is late."""
    held_by: str | None = None
    held_for: EventId | None = None
    held_until: datetime | None = None
    user_id: UserId | None = None
    device_id: DeviceId | None = None
    updated_at: datetime | None = None
    version: int = 1
    kind: VehicleKind = VehicleKind.CAR
    position_at: datetime | None = None
    """When it was at `place`; None: that is where it waits."""
    accuracy_m: float | None = None
    station_id: str | None = None
    crew: tuple[CrewMember, ...] = ()
    crew_min: int = 0
    """With fewer people on duty it does not go."""
    shifts: tuple[Shift, ...] = ()
    """When it can be called; empty: always."""
    rest_seconds: int = 0
    """How long it is left alone after coming home."""
    rests_until: datetime | None = None
    mutual_aid: bool = False
    """It belongs to neighbours: asked only for what our own teams cannot cover."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchEvent:
    """An incident and what it needs. Not an entry of the event log."""

    id: EventId
    type: str
    severity: Severity
    place: Place
    reported_at: datetime
    title: str = ""
    report: str = ""
    """What was said, in free words."""
    needs: tuple[Need, ...] = ()
    """Empty: what the rules say for its type and severity."""
    deadline_at: datetime | None = None
    status: EventStatus = EventStatus.OPEN
    officer: UserId | None = None
    """Who is told when a team declines, breaks down or does not answer."""
    version: int = 1

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    @property
    def name(self) -> str:
        """What people call it: its title, how its report begins, or its id."""
        return self.title or self.report[:40] or self.id


@dataclass(frozen=True, slots=True)
class Member:
    """One team of a scheme."""

    team_id: TeamId
    name: str
    role: str
    """The capability it was mainly chosen for."""
    eta_seconds: int
    cost: int
    amounts: Mapping[str, int]
    eta_source: str = "air"
    """What the time was taken from: `osrm`, `valhalla`, `file` or `air`."""
    kind: VehicleKind = VehicleKind.CAR
    taken_from: EventId | None = None
    """The event that it leaves for this one before it has arrived there."""
    eta_at: datetime | None = None
    """When the time was asked for or estimated; None: before that was noted."""
    position_at: datetime | None = None
    """When the team was where the time counts from; None: where it waits."""
    correction: float = 1.0
    """By what the driving was multiplied, from earlier arrivals."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What a scheme cannot cover, and why no team does."""

    capability: str
    needed: int
    covered: int
    reasons: tuple[str, ...] = ()


class Quality(StrEnum):
    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    """Good, and there was no time to prove that nothing is better."""
    HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class Option:
    """A possible set of teams and what it is worth."""

    members: tuple[Member, ...]
    shortfall: tuple[Missing, ...]
    latest_seconds: int
    cost: int
    score: float
    """0 to 100: how much of the need is covered, less how long and dear it is."""
    coverage: float
    """0 to 1, by weight."""

    @property
    def team_ids(self) -> tuple[TeamId, ...]:
        return tuple(member.team_id for member in self.members)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the agent hands to the service, which alone decides."""

    best: Option
    alternatives: tuple[Option, ...]
    explanation: str
    quality: Quality
    event: DispatchEvent
    """As understood: type and severity may have been read from the report."""
    shared: bool = False
    """Teams that could have come are left to other events that are being planned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    id: SchemeId
    event_id: EventId
    run_id: TaskId
    status: SchemeStatus
    option: Option
    alternatives: tuple[Option, ...]
    explanation: str
    quality: Quality
    degraded: bool
    created_at: datetime
    decided_at: datetime | None = None
    decided_by: str = ""
    reason: str = ""
    held_until: datetime | None = None
    """Until when its teams are kept for a decision."""
    fences: Mapping[TeamId, int] = field(default_factory=dict)
    """What the teams' fences were when they were chosen."""
    chosen: int = 0
    """Which alternative a person took, and which has changed places with the best; 0: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One team's part in one event, from deployment to return. Open while `closed_at` is None."""

    id: AssignmentId
    scheme_id: SchemeId
    event_id: EventId
    team_id: TeamId
    role: str
    eta_seconds: int
    amounts: Mapping[str, int]
    fence: int
    opened_at: datetime
    call: CallStatus = CallStatus.WAITING
    called_at: datetime | None = None
    """When the call was decided; it is placed for this instant, however often that is tried."""
    reminder_id: str | None = None
    closed_at: datetime | None = None
    outcome: str = ""
    """`completed`, `declined`, `unanswered`, `answered_late` (given up before), `broke_down`,
    `reassigned`, `cancelled`."""
    kind: VehicleKind = VehicleKind.CAR
    eta_source: str = "air"
    correction: float = 1.0
    """By what its driving was multiplied when the time was told."""
    en_route_at: datetime | None = None
    on_scene_at: datetime | None = None
    returning_at: datetime | None = None

    def may_leave(self, now: datetime) -> bool:
        """It has not reported that it arrived."""
        if self.closed_at is not None or self.on_scene_at is not None:
            return False
        return now < self.opened_at + timedelta(seconds=self.eta_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One plan under way: what `GET /ai/tasks/{id}` shows. Its id is that of its queue task."""

    id: TaskId
    event_id: EventId
    created_at: datetime
    key: str | None = None
    status: RunStatus = RunStatus.WAITING
    attempt: int = 0
    """Rises with every start: whoever works on an older number has been replaced."""
    team_ids: tuple[TeamId, ...] = ()
    """Asked for by name; empty means any."""
    excluded: tuple[TeamId, ...] = ()
    needs_approval: bool = False
    reason: str = "requested"
    """`requested`, or why: `declined`, `unanswered`, `broke_down`, `freed`, `lost`, `changed`,
    `reconciled`."""
    node: str = ""
    steps: tuple[Mapping[str, Any], ...] = ()
    replans: int = 0
    degraded: bool = False
    scheme_id: SchemeId | None = None
    error: Mapping[str, Any] | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        return self.status in (RunStatus.DONE, RunStatus.FAILED)


@dataclass(frozen=True, slots=True)
class PlanPicture:
    """What a plan is made from: one consistent view of the event and all teams."""

    event: DispatchEvent
    teams: tuple[Team, ...]
    assigned: tuple[Assignment, ...] = ()
    """Who is on the way or has done its part: they stay, and the plan covers what is missing."""
    refused: tuple[TeamId, ...] = ()
    """Teams that declined or did not answer this event: not asked again."""
    parts: tuple[Assignment, ...] = ()
    """Every open part of every event: who is where."""
    others: tuple["OpenEvent", ...] = ()
    """The other events that are being planned now, the gravest first."""
    events: Mapping[EventId, DispatchEvent] = field(default_factory=dict)
    """The events that teams are at or on the way to."""
    corrections: Corrections = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenEvent:
    event: DispatchEvent
    assigned: tuple[Assignment, ...] = ()
    refused: tuple[TeamId, ...] = ()
    only: tuple[TeamId, ...] = ()
    """Asked for by name; empty means any."""


CHANGED = "changed"
"""Nobody has the team: it was somewhere meanwhile, so what was decided about it is stale."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """Why a team cannot be had now."""

    team_id: TeamId
    locked_by: str
    """The event it is held for or deployed to; else `unavailable` or `changed`."""
    retry_after: timedelta
    owner: str = ""
    """The plan that holds it, where that is known."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A team's exclusive claim by one event, for a while."""

    team_id: TeamId
    event_id: str
    owner: str
    since: datetime
    until: datetime
    where: str = field(default="database")
    """`redis` or `database`."""
