"""What the dispatch interface answers, described for programs that write clients.

The answers themselves are written by `shapes`; `test_schema.py` holds them against this.
"""

from typing import Any

from pydantic import BaseModel

from clarion.dispatch.model import (
    EventStatus,
    RunStatus,
    SchemeStatus,
    Severity,
    TeamStatus,
    VehicleKind,
)


class PlaceAnswer(BaseModel):
    latitude: float
    longitude: float


class NeedAnswer(BaseModel):
    capability: str
    amount: float
    weight: float


class EventAnswer(BaseModel):
    id: str
    type: str
    severity: Severity
    place: PlaceAnswer
    title: str
    report: str
    needs: list[NeedAnswer]
    reported_at: str
    deadline_at: str | None
    status: EventStatus
    officer: str | None
    version: int


class TeamAnswer(BaseModel):
    id: str
    name: str
    place: PlaceAnswer
    capabilities: dict[str, float]
    speed_kmh: float
    ready_seconds: float
    cost: float
    range_km: float | None
    status: TeamStatus
    current_task_id: str | None
    reason: str
    fence: int
    user_id: str | None
    device_id: str | None
    updated_at: str | None
    version: int
    kind: VehicleKind
    position_at: str | None
    accuracy_m: float | None
    station_id: str | None
    crew: list[dict[str, Any]]
    crew_min: int
    shifts: list[dict[str, Any]]
    rest_seconds: int
    rests_until: str | None
    mutual_aid: bool


class ProgressAnswer(BaseModel):
    node: str | None
    percent: float
    steps: list[dict[str, Any]]


class PlanAnswer(BaseModel):
    task_id: str
    event_id: str
    status: RunStatus
    reason: str
    progress: ProgressAnswer
    attempt: int
    replans: int
    degraded: bool
    scheme_id: str | None
    error: dict[str, Any] | None
    created_at: str
    started_at: str | None
    finished_at: str | None


class MemberAnswer(BaseModel):
    team_id: str
    name: str
    role: str
    eta_seconds: float
    cost: float
    amounts: dict[str, float]
    eta_source: str
    kind: VehicleKind
    taken_from: str | None
    eta_at: str | None
    position_at: str | None
    correction: float


class OptionAnswer(BaseModel):
    teams: list[MemberAnswer]
    shortfall: list[dict[str, Any]]
    latest_seconds: float
    cost: float
    score: float
    coverage: float


class SchemeAnswer(OptionAnswer):
    scheme_id: str
    event_id: str
    task_id: str
    status: SchemeStatus
    alternatives: list[OptionAnswer]
    explanation: str
    quality: str
    degraded: bool
    created_at: str
    decided_at: str | None
    decided_by: str | None
    reason: str
    held_until: str | None
    chosen: int


class AssignmentAnswer(BaseModel):
    id: str
    scheme_id: str
    event_id: str
    team_id: str
    role: str
    eta_seconds: float
    amounts: dict[str, float]
    call: str
    reminder_id: str | None
    opened_at: str
    closed_at: str | None
    outcome: str | None
    kind: VehicleKind
    eta_source: str
    expected_at: str
    en_route_at: str | None
    on_scene_at: str | None
    returning_at: str | None


class HoldAnswer(BaseModel):
    team_id: str
    locked_by: str
    owner: str
    since: str
    until: str
    where: str


class EventAnswers(BaseModel):
    items: list[EventAnswer]


class TeamAnswers(BaseModel):
    items: list[TeamAnswer]


class PlanAnswers(BaseModel):
    items: list[PlanAnswer]


class SchemeAnswers(BaseModel):
    items: list[SchemeAnswer]


class AssignmentAnswers(BaseModel):
    items: list[AssignmentAnswer]


class HoldAnswers(BaseModel):
    items: list[HoldAnswer]
    degraded: bool


class ReadEventAnswer(BaseModel):
    type: str
    severity: Severity
    place: PlaceAnswer
    report: str
    needs: list[NeedAnswer]


class ReadReportAnswer(BaseModel):
    said: str
    event: ReadEventAnswer
    needs: list[NeedAnswer]


class WhatIfAnswer(OptionAnswer):
    alternatives: list[OptionAnswer]
    explanation: str
    quality: str


class ReplayAnswer(BaseModel):
    before: dict[str, float | None]
    after: dict[str, float | None]
    difference: dict[str, float]
    changed: list[dict[str, Any]]


class StationAnswer(BaseModel):
    id: str
    name: str
    place: PlaceAnswer
    district: str
    least: dict[str, float]


class StationAnswers(BaseModel):
    items: list[StationAnswer]


class MoveUpAnswers(BaseModel):
    items: list[dict[str, Any]]
    better: list[dict[str, Any]]


class SpokenSchemeAnswers(BaseModel):
    items: list[SchemeAnswer]
    event: EventAnswer


class DeskLogLine(BaseModel):
    at: str
    by: str
    what: str
    subject: str
    data: dict[str, Any]


class DeskLogAnswers(BaseModel):
    items: list[DeskLogLine]
