"""What dispatch writes into the event log; docs/events.md lists each with its fields."""

from dataclasses import dataclass
from typing import ClassVar

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReported(Event):
    kind: ClassVar[str] = "event.reported"

    type: str
    severity: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChanged(Event):
    kind: ClassVar[str] = "event.changed"

    status: str
    severity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequested(Event):
    kind: ClassVar[str] = "plan.requested"

    event: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStepped(Event):
    kind: ClassVar[str] = "plan.stepped"

    event: str
    node: str
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFailed(Event):
    kind: ClassVar[str] = "plan.failed"

    event: str
    error_code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeProposed(Event):
    kind: ClassVar[str] = "scheme.proposed"

    event: str
    teams: tuple[str, ...]
    coverage: float
    held_until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeCommitted(Event):
    kind: ClassVar[str] = "scheme.committed"

    event: str
    teams: tuple[str, ...]
    coverage: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeDropped(Event):
    kind: ClassVar[str] = "scheme.dropped"

    event: str
    status: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamChanged(Event):
    kind: ClassVar[str] = "team.changed"

    status: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamDeployed(Event):
    kind: ClassVar[str] = "team.deployed"

    event: str
    scheme: str
    fence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamReassigned(Event):
    kind: ClassVar[str] = "team.reassigned"

    event: str
    left: str
    scheme: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamProgressed(Event):
    kind: ClassVar[str] = "team.progressed"

    event: str
    step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamReturned(Event):
    kind: ClassVar[str] = "team.returned"

    event: str
    status: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCalled(Event):
    kind: ClassVar[str] = "team.called"

    event: str
    call: str
    reminder: str = ""
