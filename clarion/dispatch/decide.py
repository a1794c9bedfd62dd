"""From a proposal to a decision: everything that one transaction has to write. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from clarion.base.ids import TaskId, new_id
from clarion.dispatch.model import (
    Assignment,
    AssignmentId,
    CallStatus,
    EventStatus,
    Option,
    PlanPicture,
    Proposal,
    Run,
    Scheme,
    SchemeId,
    SchemeStatus,
    TeamId,
)
from clarion.dispatch.ports import DispatchDecision, HeldTeams
from clarion.tasks.model import Level, Queue, Task

SHARED = "shared"
"""The reason of a scheme that leaves teams to other events which were being planned."""


def committed(run: Run, proposal: Proposal, held: HeldTeams, now: datetime) -> DispatchDecision:
    status = SchemeStatus.COMMITTED if held.fences else SchemeStatus.EMPTY
    scheme = _scheme(run, proposal, held, status, now)
    decided = replace(scheme, decided_at=now, decided_by="automatic")
    parts = assignments(decided, now)
    return DispatchDecision(
        run=run,
        event=proposal.event,
        scheme=decided,
        owner=run.id,
        assignments=parts,
        tasks=tuple(call_task(one, now) for one in parts),
        event_status=_status(proposal.best),
        by="automatic",
    )


def proposed(
    run: Run, proposal: Proposal, held: HeldTeams, until: datetime, now: datetime
) -> DispatchDecision:
    scheme = _scheme(run, proposal, held, SchemeStatus.PROPOSED, now)
    return DispatchDecision(
        run=run,
        event=proposal.event,
        scheme=replace(scheme, held_until=until),
        owner=run.id,
        assignments=(),
        tasks=(lapse_task(scheme.id, until, now),),
        event_status=EventStatus.PROPOSED,
    )


def taking(scheme: Scheme, alternative: int, fences: Mapping[TeamId, int]) -> Scheme:
    """The scheme with this alternative instead of its best option; 0 changes nothing.

    Teams in both are held by the scheme already; `fences` are those of the others.
    """
    if alternative == 0:
        return scheme
    others = list(scheme.alternatives)
    wanted, others[alternative - 1] = others[alternative - 1], scheme.option
    known = {**fences, **scheme.fences}
    return replace(
        scheme,
        option=wanted,
        alternatives=tuple(others),
        fences={team_id: known[team_id] for team_id in wanted.team_ids},
        chosen=alternative,
    )


def approved(scheme: Scheme, picture: PlanPicture, by: str, now: datetime) -> DispatchDecision:
    parts = assignments(scheme, now)
    return DispatchDecision(
        run=Run(id=scheme.run_id, event_id=scheme.event_id, created_at=scheme.created_at),
        event=picture.event,
        scheme=scheme,
        owner=scheme.run_id,
        assignments=parts,
        tasks=tuple(call_task(one, now) for one in parts),
        event_status=_status(scheme.option),
        by=by,
    )


def assignments(scheme: Scheme, now: datetime) -> tuple[Assignment, ...]:
    return tuple(
        Assignment(
            id=AssignmentId(new_id("asg", now)),
            scheme_id=scheme.id,
            event_id=scheme.event_id,
            team_id=member.team_id,
            role=member.role,
            eta_seconds=member.eta_seconds,
            amounts=member.amounts,
            fence=scheme.fences[member.team_id],
            opened_at=now,
            call=CallStatus.WAITING,
            kind=member.kind,
            eta_source=member.eta_source,
            correction=member.correction,
        )
        for member in scheme.option.members
    )


def call_task(assignment: Assignment, now: datetime) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind="dispatch.call",
        due_at=now,
        payload={"assignment_id": assignment.id},
        base=Level.CRITICAL,
        queue=Queue.DISPATCH,
        key=f"dispatch.call:{assignment.id}",
    )


def lapse_task(scheme_id: SchemeId, at: datetime, now: datetime) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind="dispatch.lapse",
        due_at=at,
        payload={"scheme_id": scheme_id},
        base=Level.HIGH,
        queue=Queue.DISPATCH,
        key=f"dispatch.lapse:{scheme_id}",
    )


def _scheme(
    run: Run, proposal: Proposal, held: HeldTeams, status: SchemeStatus, now: datetime
) -> Scheme:
    return Scheme(
        id=SchemeId(new_id("scm", now)),
        event_id=run.event_id,
        run_id=run.id,
        status=status,
        option=proposal.best,
        alternatives=proposal.alternatives,
        explanation=proposal.explanation,
        quality=proposal.quality,
        degraded=held.degraded,
        created_at=now,
        fences=dict(held.fences),
        reason=SHARED if proposal.shared else "",
    )


def _status(option: Option) -> EventStatus:
    return EventStatus.SHORT if option.shortfall else EventStatus.SENT
