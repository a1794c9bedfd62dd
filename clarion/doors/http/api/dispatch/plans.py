"""Routes about plans: ask for a scheme, follow it, read it, approve or reject it, see the holds."""

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response

from clarion.access.tokens import Identity
from clarion.base.clock import Clock
from clarion.base.errors import Conflict
from clarion.base.ids import TaskId, new_id
from clarion.dispatch.desk import Desk
from clarion.dispatch.errors import InvalidInput, from_record
from clarion.dispatch.model import EventId, Run, RunStatus, SchemeId, TeamId
from clarion.dispatch.service import Dispatch
from clarion.doors.http.api.dispatch.answers import (
    AssignmentAnswers,
    HoldAnswers,
    PlanAnswer,
    PlanAnswers,
    SchemeAnswer,
    SchemeAnswers,
)
from clarion.doors.http.api.dispatch.shapes import (
    ApproveIn,
    DispatchRoute,
    PlanIn,
    ReasonIn,
    assignment_out,
    hold_out,
    run_out,
    scheme_out,
)
from clarion.doors.http.auth import Dispatcher, Viewer
from clarion.doors.http.conventions import Id, Key, answer_json, refusals

WAIT = re.compile(r"(?:^|,)\s*wait\s*=\s*(\d{1,4})\s*(?:,|;|$)")
WAIT_SECONDS_MAX = 60  # proxies commonly cut a silent request after that
Prefer = Annotated[
    str | None,
    Header(description="`wait=10`: answer with the scheme if it is there within ten seconds."),
]
READY: dict[int | str, dict[str, Any]] = {
    200: {"model": SchemeAnswer, "description": "The scheme, when there was time to wait for it"}
}
ListLimit = Annotated[int, Query(ge=1, le=500)]


def dispatch_routes(
    dispatch: Dispatch, desk: Desk, clock: Clock, degraded: Callable[[], bool] = lambda: False
) -> APIRouter:
    router = APIRouter(prefix="/ai", tags=["dispatch"], route_class=DispatchRoute)
    add_plans(router, dispatch, desk, clock)
    add_schemes(router, dispatch)

    @router.get(
        "/locks", response_model=HoldAnswers, summary="Which teams are held, by whom, until when"
    )
    async def locks(_who: Viewer) -> Response:
        found = await dispatch.locks()
        return answer_json({"items": [hold_out(one) for one in found], "degraded": degraded()})

    @router.get(
        "/assignments",
        response_model=AssignmentAnswers,
        summary="Who is or was where",
        responses=refusals(400),
    )
    async def assignments(
        _who: Viewer,
        event_id: Id | None = None,
        team_id: Id | None = None,
        is_open: Annotated[bool, Query(alias="open")] = False,
    ) -> Response:
        """The latest 500; with `open=true` everybody who is out."""
        found = await dispatch.assignments(
            event_id=None if event_id is None else EventId(event_id),
            team_id=None if team_id is None else TeamId(team_id),
            is_open=is_open,
        )
        return answer_json({"items": [assignment_out(one) for one in found]})

    return router


def add_plans(router: APIRouter, dispatch: Dispatch, desk: Desk, clock: Clock) -> None:
    @router.post(
        "/generate-scheme",
        response_model=PlanAnswer,
        status_code=HTTPStatus.ACCEPTED,
        summary="Plan which teams go",
        description="202 with a task to follow; with `Prefer: wait=N` the scheme, if it is ready.",
        responses={**READY, **refusals(400, 404, 409, 500, 503, 504)},
    )
    async def generate(
        _who: Dispatcher, body: PlanIn, key: Key = None, prefer: Prefer = None
    ) -> Response:
        named = list(map(TeamId, body.team_ids))
        for team_id in named:
            await desk.team(team_id)  # before anything is kept
        event_id = await known_event(desk, clock, body, key)
        run = await dispatch.request(event_id, key=key, team_ids=named, approval=body.approval)
        seconds = wait_seconds(prefer)
        if seconds:
            run = await dispatch.settled(run.id, timedelta(seconds=seconds))
        return await plan_answer(dispatch, run, seconds)

    @router.get(
        "/tasks/{task_id}",
        response_model=PlanAnswer,
        summary="How far a plan is",
        responses=refusals(404),
    )
    async def task(_who: Viewer, task_id: str) -> Response:
        return answer_json(run_out(await dispatch.task(TaskId(task_id))))

    @router.get("/tasks", response_model=PlanAnswers, summary="Plans, the latest first")
    async def tasks(
        _who: Viewer,
        status: Annotated[list[RunStatus], Query(max_length=4)] = [],  # noqa: B006  FastAPI copies
        limit: ListLimit = 50,
    ) -> Response:
        found = await dispatch.tasks(status, limit)
        return answer_json({"items": [run_out(one) for one in found]})


async def plan_answer(dispatch: Dispatch, run: Run, waited: int) -> Response:
    """The scheme when it is ready, the error when it failed, else the running task."""
    applied = {"Preference-Applied": f"wait={waited}"} if waited else {}
    if waited and run.error is not None:
        raise from_record(run.error)
    if waited and run.scheme_id is not None:
        scheme = await dispatch.scheme(run.scheme_id)
        return answer_json(scheme_out(scheme), headers=applied)
    where = {"Location": f"/ai/tasks/{run.id}"}
    return answer_json(run_out(run), HTTPStatus.ACCEPTED, headers=where | applied)


async def known_event(desk: Desk, clock: Clock, body: PlanIn, key: str | None) -> EventId:
    """The event asked for, reported first when it came with the request."""
    if (body.event_id is None) == (body.event is None):
        raise InvalidInput("event_id or event: one of them")
    if body.event is None:
        return EventId(body.event_id or "")
    now = clock.now()
    # The same key means the same event, so that a repeated request does not report it twice.
    named = f"evt_{hashlib.sha256(key.encode()).hexdigest()[:26]}" if key else new_id("evt", now)
    event = body.event.value(named, now)
    try:
        await desk.report(event)
    except Conflict:
        if key is None:
            raise
    return event.id


def wait_seconds(prefer: str | None) -> int:
    """How long `Prefer: wait=N` asks us to wait; 0 without it."""
    found = WAIT.search(prefer or "")
    return min(int(found[1]), WAIT_SECONDS_MAX) if found else 0


def add_schemes(router: APIRouter, dispatch: Dispatch) -> None:
    @router.get(
        "/schemes/{scheme_id}",
        response_model=SchemeAnswer,
        summary="One scheme",
        responses=refusals(404),
    )
    async def scheme(_who: Viewer, scheme_id: str) -> Response:
        return answer_json(scheme_out(await dispatch.scheme(SchemeId(scheme_id))))

    @router.get(
        "/events/{event_id}/schemes",
        response_model=SchemeAnswers,
        summary="An event's schemes, the latest first",
    )
    async def schemes(_who: Viewer, event_id: str) -> Response:
        found = await dispatch.schemes(EventId(event_id))
        return answer_json({"items": [scheme_out(one) for one in found]})

    @router.post(
        "/schemes/{scheme_id}/approve",
        response_model=SchemeAnswer,
        summary="Send its teams, or those of an alternative",
        description="AI4003: a team went elsewhere meanwhile; the event is being planned again.",
        responses=refusals(400, 404, 409),
    )
    async def approve(who: Dispatcher, scheme_id: str, body: ApproveIn | None = None) -> Response:
        number = 0 if body is None else body.alternative
        found = await dispatch.approve(SchemeId(scheme_id), label(who), number)
        return answer_json(scheme_out(found))

    @router.post(
        "/schemes/{scheme_id}/reject",
        response_model=SchemeAnswer,
        summary="Free its teams",
        responses=refusals(404, 409),
    )
    async def reject(who: Dispatcher, scheme_id: str, body: ReasonIn | None = None) -> Response:
        reason = "" if body is None else body.reason
        found = await dispatch.reject(SchemeId(scheme_id), label(who), reason)
        return answer_json(scheme_out(found))


def label(who: Identity) -> str:
    """Who decided, as schemes keep it."""
    return str(who.user_id or who.name or who.kind.value)
