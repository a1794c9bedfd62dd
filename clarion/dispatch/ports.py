"""What dispatch needs from outside. The store, Redis, the agent and language models implement it.

Each method of a store is one transaction. Every expected outcome is a value.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.ids import DeviceId, TaskId
from clarion.base.place import Position
from clarion.dispatch.model import (
    Assignment,
    AssignmentId,
    Blocker,
    CallStatus,
    DispatchEvent,
    EventId,
    EventStatus,
    Hold,
    Place,
    PlanPicture,
    Progressed,
    Proposal,
    Run,
    RunStatus,
    Scheme,
    SchemeId,
    SchemeStatus,
    Severity,
    Team,
    TeamId,
    TeamStatus,
    VehicleKind,
)
from clarion.dispatch.plan.rules import Rules
from clarion.dispatch.plan.travel import TravelTime
from clarion.tasks.model import Task


class DispatchMeter(Protocol):
    """Counts metrics under the names of the specification."""

    def count(self, name: str, amount: int = 1) -> None: ...


ACQUIRED = "ai_resource_lock_acquired_total"
FAILED = "ai_resource_lock_failed_total"
EXPIRED = "ai_resource_lock_timeout_total"
FALLBACK = "ai_redis_fallback_total"


@dataclass(frozen=True, slots=True)
class HeldTeams:
    """All of them are ours until `until`. `fences` are what the commit has to find."""

    fences: Mapping[TeamId, int]
    until: datetime
    where: str = "database"
    degraded: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """None of them is ours, because of these."""

    blockers: tuple[Blocker, ...]


class Holds(Protocol):
    """An early refusal, all or none. The commit never trusts it: see `DispatchStore.commit`."""

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        """Asking twice as the same owner is granted twice. Raises Unavailable or TimedOut."""
        ...

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        """How many of them were still ours and are now held for `ttl` from now."""
        ...

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        """Let go of those that are ours, and of no other; how many were."""
        ...

    async def all(self) -> list[Hold]: ...


class HoldsOnRecord(Holds, Protocol):
    """Holds in the database, besides those in Redis."""

    async def left_over(self, owners: Mapping[TeamId, str]) -> list[TeamId]:
        """Teams that are still held for a plan that has ended and proposes nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchDecision:
    """A scheme and everything that has to become true with it, or not at all."""

    run: Run
    event: DispatchEvent
    """As it was seen and understood; its version has to be the same still."""
    scheme: Scheme
    owner: str
    assignments: tuple[Assignment, ...]
    tasks: tuple[Task, ...]
    """Calls to the teams, or the end of the time for approval."""
    event_status: EventStatus
    by: str = ""


@dataclass(frozen=True, slots=True)
class Committed:
    scheme: Scheme


@dataclass(frozen=True, slots=True)
class Lost:
    """Others were faster and have these teams. Empty when only the event itself has changed."""

    blockers: tuple[Blocker, ...]


@dataclass(frozen=True, slots=True)
class Superseded:
    """Another worker has the run now, or it has ended: nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a team's part in an event ends, and what follows from it."""

    outcome: str
    team_status: TeamStatus
    call: CallStatus | None = None
    replans: bool = False
    approval: bool = False
    """Whether plans that follow from it wait for a person."""
    rest: timedelta | None = None
    """After which an unavailable team is on standby again; None: when somebody says so."""


class DispatchStore(Protocol):
    async def request(self, run: Run, now: datetime) -> Run:
        """Keep the run and its task. Answers with the earlier run when the key was used before,
        or when the event is being planned already; raises KeyReused, EventNotFound, MoveRefused.
        """
        ...

    async def run(self, run_id: TaskId) -> Run | None: ...

    async def runs(self, status: Sequence[RunStatus], limit: int) -> list[Run]: ...

    async def begin(self, run_id: TaskId, now: datetime) -> Run | None:
        """Take the run over; None when it is over already."""
        ...

    async def step(self, run: Run, percent: int, now: datetime) -> bool:
        """Keep its node and steps so far; False when somebody else has taken it over."""
        ...

    async def fail(self, run: Run, error: Mapping[str, object], now: datetime) -> bool: ...

    async def settled(self, run_id: TaskId, within: timedelta) -> Run | None:
        """The run when it is over, or its present state when the time is."""
        ...

    async def picture(self, event_id: EventId) -> PlanPicture | None: ...

    async def commit(
        self, decision: DispatchDecision, now: datetime
    ) -> Committed | Lost | Superseded:
        """Deploy: teams by compare-and-set on status, holder and fence; scheme, event, calls."""
        ...

    async def propose(
        self, decision: DispatchDecision, until: datetime, now: datetime
    ) -> Committed | Lost | Superseded:
        """Keep the scheme for a decision and its teams held until then."""
        ...

    async def approve(self, decision: DispatchDecision, now: datetime) -> Committed | Lost:
        """Deploy the teams of a proposed scheme, and free those that it keeps but does not send;
        raises MoveRefused when it is not proposed.
        """
        ...

    async def drop(
        self, scheme_id: SchemeId, status: SchemeStatus, by: str, reason: str, now: datetime
    ) -> Scheme | None:
        """Reject or let lapse: free its teams. None when there is no such scheme."""
        ...

    async def renew(self, scheme_id: SchemeId, by: str, reason: str, now: datetime) -> bool:
        """Let it lapse and plan again for approval; False when it was decided before."""
        ...

    async def scheme(self, scheme_id: SchemeId) -> Scheme | None: ...

    async def schemes(self, event_id: EventId) -> list[Scheme]: ...

    async def assignment(self, assignment_id: AssignmentId) -> Assignment | None: ...

    async def assignments(
        self,
        *,
        event_id: EventId | None = None,
        team_id: TeamId | None = None,
        is_open: bool = False,
    ) -> list[Assignment]:
        """The open ones first, then the latest; with `is_open` every open one and no other."""
        ...

    async def note_call(
        self, assignment_id: AssignmentId, call: CallStatus, reminder_id: str | None, now: datetime
    ) -> bool:
        """False when the assignment is over."""
        ...

    async def progressed(
        self, assignment_id: AssignmentId, step: Progressed, now: datetime
    ) -> bool:
        """Store when it was first reported; a team on its way counts as having said yes."""
        ...

    async def end(self, assignment_id: AssignmentId, how: Ending, now: datetime) -> bool:
        """Close the assignment and free the team; twice is harmless. Plans again if asked to."""
        ...


class Answers(Protocol):
    """What the event log tells about calls under way."""

    async def wake_calls(self, after: int, now: datetime) -> int:
        """Wake calls that were answered after this event; returns where to continue."""
        ...

    async def latest_event(self) -> int: ...


class Records(Protocol):
    """Events and teams as people keep them."""

    async def add_event(self, event: DispatchEvent, now: datetime) -> DispatchEvent: ...

    async def event(self, event_id: EventId) -> DispatchEvent | None: ...

    async def events(self, status: Sequence[EventStatus], limit: int) -> list[DispatchEvent]: ...

    async def change_event(
        self, event: DispatchEvent, version: int | None, now: datetime
    ) -> DispatchEvent:
        """Ending it returns its teams; raises Stale, MoveRefused, EventNotFound."""
        ...

    async def add_team(self, team: Team, now: datetime) -> Team: ...

    async def team(self, team_id: TeamId) -> Team | None: ...

    async def teams(
        self, status: Sequence[TeamStatus], limit: int, after: str = "", words: str = ""
    ) -> list[Team]:
        """By id, those after `after`, with `words` in their name, id or capabilities."""
        ...

    async def change_team(self, team: Team, version: int | None, now: datetime) -> Team:
        """Everything but its status."""
        ...

    async def move_team(self, team_id: TeamId, to: TeamStatus, reason: str, now: datetime) -> Team:
        """Between standby and unavailable; raises MoveRefused, TeamNotFound."""
        ...

    async def end_rest(self, team_id: TeamId, fence: int, now: datetime) -> bool:
        """On standby again, unless the team was changed since it had this fence."""
        ...

    async def was_at(self, team_id: TeamId, position: Position) -> bool:
        """False when something newer is known."""
        ...

    async def teams_of(self, device_id: DeviceId) -> list[TeamId]: ...

    async def drop_team(self, team_id: TeamId, now: datetime) -> None: ...


Progress = Callable[[str, int], Awaitable[bool]]
"""Told each node that begins and how many percent are done; False asks the plan to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    picture: PlanPicture
    owner: str
    now: datetime
    excluded: frozenset[TeamId] = frozenset()
    only: frozenset[TeamId] = frozenset()
    taken: Mapping[TeamId, str] = field(default_factory=dict)
    """Lost to others while this plan was made, and who has them."""
    language: str = "zh"
    margin: int | None = None
    """By how much a graver event has to gain to get a team that has not arrived elsewhere;
    None: nobody is taken away."""


class Roads(Protocol):
    """How long it takes by road, water or air, as somebody has measured it."""

    async def times(
        self, kind: VehicleKind, starts: Sequence[Place], end: Place
    ) -> Sequence[TravelTime | None]:
        """One for each start; None where it does not know. Raises Unavailable or TimedOut."""
        ...


class Agent(Protocol):
    """Proposes, never decides: takes no holds and writes nothing."""

    async def plan(self, request: PlanRequest, progress: Progress) -> Proposal:
        """Raises RuleLoadFailed, AlgorithmFailed, InvalidInput."""
        ...


class ReadingAgent(Agent, Protocol):
    async def understand(self, request: PlanRequest) -> DispatchEvent:
        """The event with what its report says, read as a plan would."""
        ...


class RuleBook(Protocol):
    def rules(self) -> Rules:
        """The last good rules; raises RuleLoadFailed when there have never been any."""
        ...


@dataclass(frozen=True, slots=True)
class ReportReading:
    """What a model read from a report. None: it says nothing about this."""

    type: str | None = None
    severity: Severity | None = None
    needs: Mapping[str, int] | None = None


class ReportReader(Protocol):
    async def read(
        self, report: str, types: Sequence[str], capabilities: Sequence[str]
    ) -> ReportReading | None:
        """None when it has no opinion. What it answers is checked against both lists again."""
        ...


class Explainer(Protocol):
    async def explain(self, facts: str, language: str) -> str | None:
        """The facts in better words; None when it cannot."""
        ...
