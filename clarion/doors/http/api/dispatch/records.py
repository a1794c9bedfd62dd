"""Routes about events and teams: reports, team records, and the return of teams."""

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from clarion.base.clock import Clock
from clarion.base.ids import new_id
from clarion.dispatch.desk import Desk
from clarion.dispatch.model import EventId, EventStatus, Team, TeamId, TeamStatus
from clarion.doors.http.api.dispatch.answers import (
    EventAnswer,
    EventAnswers,
    TeamAnswer,
    TeamAnswers,
)
from clarion.doors.http.api.dispatch.shapes import (
    DispatchRoute,
    EventIn,
    EventPatch,
    PlaceShape,
    PositionIn,
    ReasonIn,
    TeamIn,
    TeamPatch,
    event_out,
    team_out,
    unique,
)
from clarion.doors.http.auth import Admin, Dispatcher, Viewer
from clarion.doors.http.conventions import (
    IfMatch,
    answer_json,
    answer_made,
    expected_version,
    given,
    nothing,
    refusals,
    removes,
)

CHANGES = refusals(400, 404, 409, 412)
MOVES = refusals(404, 409)
ListLimit = Annotated[int, Query(ge=1, le=1000)]


def dispatch_record_routes(desk: Desk, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/ai", tags=["dispatch"], route_class=DispatchRoute)
    add_events(router, desk, clock)
    add_teams(router, desk)
    add_moves(router, desk, clock)
    return router


def version_of(if_match: str | None) -> int | None:
    """Optional here: clients of the specification know no ETags."""
    return None if if_match is None else expected_version(if_match)


def fields_of(body: BaseModel) -> dict[str, Any]:
    named = given(body)
    if isinstance(place := named.get("place"), PlaceShape):
        named["place"] = place.value()
    if "needs" in named:
        named["needs"] = unique(named["needs"])
    for several in ("crew", "shifts"):
        if several in named:
            named[several] = tuple(one.value() for one in named[several])
    return named


def add_events(router: APIRouter, desk: Desk, clock: Clock) -> None:
    @router.post(
        "/events",
        response_model=EventAnswer,
        status_code=HTTPStatus.CREATED,
        summary="Report one",
        responses=CHANGES,
    )
    async def report(_who: Dispatcher, body: EventIn) -> Response:
        now = clock.now()
        event = await desk.report(body.value(new_id("evt", now), now))
        return answer_made(event_out(event), f"/ai/events/{event.id}", event.version)

    @router.get("/events", response_model=EventAnswers, summary="Events, the latest first")
    async def events(
        _who: Viewer,
        status: Annotated[list[EventStatus], Query(max_length=6)] = [],  # noqa: B006  copied
        limit: ListLimit = 100,
    ) -> Response:
        found = await desk.events(status, limit)
        return answer_json({"items": [event_out(one) for one in found]})

    @router.get(
        "/events/{event_id}",
        response_model=EventAnswer,
        summary="One event",
        responses=refusals(404),
    )
    async def event(_who: Viewer, event_id: str) -> Response:
        found = await desk.event(EventId(event_id))
        return answer_json(event_out(found), version=found.version)

    @router.patch(
        "/events/{event_id}",
        response_model=EventAnswer,
        summary="Change or end one",
        responses=CHANGES,
    )
    async def change_event(
        _who: Dispatcher, event_id: str, body: EventPatch, if_match: IfMatch = None
    ) -> Response:
        kept = await desk.change_event(EventId(event_id), fields_of(body), version_of(if_match))
        return answer_json(event_out(kept), version=kept.version)


def add_teams(router: APIRouter, desk: Desk) -> None:
    @router.post(
        "/teams",
        response_model=TeamAnswer,
        status_code=HTTPStatus.CREATED,
        summary="Add one",
        responses=CHANGES,
    )
    async def add(_who: Dispatcher, body: TeamIn) -> Response:
        team = await desk.add_team(body.value())
        return answer_made(team_out(team), f"/ai/teams/{team.id}", team.version)

    @router.get("/teams", response_model=TeamAnswers, summary="Teams by id")
    async def teams(
        _who: Viewer,
        status: Annotated[list[TeamStatus], Query(max_length=3)] = [],  # noqa: B006  copied
        limit: ListLimit = 1000,
        cursor: Annotated[str, Query(max_length=200)] = "",
        text: Annotated[str, Query(max_length=200)] = "",
    ) -> Response:
        """`text` is a part of the name, the id or a capability. `next_cursor` asks for the teams
        after these; null at the end.
        """
        found = await desk.teams(status, limit + 1, cursor, text.strip())
        shown = found[:limit]
        after = shown[-1].id if len(found) > limit else None
        return answer_json({"items": [team_out(one) for one in shown], "next_cursor": after})

    add_one_team(router, desk)


def add_one_team(router: APIRouter, desk: Desk) -> None:
    @router.get(
        "/teams/{team_id}", response_model=TeamAnswer, summary="One team", responses=refusals(404)
    )
    async def team(_who: Viewer, team_id: str) -> Response:
        found = await desk.team(TeamId(team_id))
        return answer_json(team_out(found), version=found.version)

    @router.patch(
        "/teams/{team_id}", response_model=TeamAnswer, summary="Change one", responses=CHANGES
    )
    async def change_team(
        _who: Dispatcher, team_id: str, body: TeamPatch, if_match: IfMatch = None
    ) -> Response:
        named = fields_of(body)
        status, reason = named.pop("status", None), named.pop("reason", "")
        if named:
            found = await desk.change_team(TeamId(team_id), named, version_of(if_match))
        else:
            found = await desk.team(TeamId(team_id))
        if status is not None:
            found = await desk.move_team(found.id, status, reason)
        return answer_json(team_out(found), version=found.version)

    @router.delete(
        "/teams/{team_id}",
        summary="Forget one",
        **removes(409),
    )
    async def drop(_who: Admin, team_id: str) -> Response:
        await desk.drop_team(TeamId(team_id))
        return nothing()


def add_moves(router: APIRouter, desk: Desk, clock: Clock) -> None:
    """How a team goes on: each is one verb of the desk under its own name."""
    verbs: tuple[tuple[str, str, Callable[[TeamId], Awaitable[Team]]], ...] = (
        ("complete", "Its work is done", desk.complete),
        ("breakdown", "It cannot go on", desk.break_down),
        ("decline", "It will not go", desk.decline),
        ("accept", "It said yes by other means", desk.accept),
        ("en-route", "It is on its way", desk.en_route),
        ("on-scene", "It is there", desk.on_scene),
        ("returning", "It is coming home", desk.returning),
        ("standby", "It is fit again", partial(desk.move_team, to=TeamStatus.STANDBY)),
    )
    for name, summary, verb in verbs:
        _add_move(router, name, summary, verb)

    @router.post(
        "/teams/{team_id}/unavailable",
        response_model=TeamAnswer,
        summary="It rests",
        responses=MOVES,
    )
    async def unavailable(_who: Dispatcher, team_id: str, body: ReasonIn | None = None) -> Response:
        reason = "" if body is None else body.reason
        moved = await desk.move_team(TeamId(team_id), TeamStatus.UNAVAILABLE, reason)
        return answer_json(team_out(moved))

    @router.post(
        "/teams/{team_id}/position",
        response_model=TeamAnswer,
        summary="Where it is",
        description="What is older than what is known changes nothing.",
        responses=refusals(400, 404),
    )
    async def position(_who: Dispatcher, team_id: str, body: PositionIn) -> Response:
        found = await desk.was_at(TeamId(team_id), body.value(clock.now()))
        return answer_json(team_out(found), version=found.version)


def _add_move(
    router: APIRouter, name: str, summary: str, verb: Callable[[TeamId], Awaitable[Team]]
) -> None:
    @router.post(
        f"/teams/{{team_id}}/{name}",
        response_model=TeamAnswer,
        summary=summary,
        responses=MOVES,
        name=name,
    )
    async def move(_who: Dispatcher, team_id: str) -> Response:
        return answer_json(team_out(await verb(TeamId(team_id))))
