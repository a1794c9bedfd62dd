"""Routes of the dispatcher's seat: read a report back, ask what if, cover, replay a past day."""

from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import new_id
from clarion.dispatch.desk import Desk
from clarion.dispatch.model import DispatchEvent, EventId, Severity, Station, TeamId
from clarion.dispatch.plain import needs_out, option_out
from clarion.dispatch.plan.options import explanation, in_language
from clarion.dispatch.seat.cover import MoveUp
from clarion.dispatch.seat.verbs import Seat
from clarion.dispatch.service import Dispatch
from clarion.doors.http.api.dispatch.answers import (
    MoveUpAnswers,
    ReadReportAnswer,
    ReplayAnswer,
    SpokenSchemeAnswers,
    StationAnswer,
    StationAnswers,
    WhatIfAnswer,
)
from clarion.doors.http.api.dispatch.shapes import (
    Amount,
    Capability,
    DispatchRoute,
    NeedShape,
    PlaceShape,
    event_out,
    place_out,
    scheme_out,
)
from clarion.doors.http.auth import Dispatcher, Viewer
from clarion.doors.http.conventions import (
    Id,
    Instant,
    Shape,
    answer_json,
    nothing,
    refusals,
    removes,
    said,
    shaped,
)

Language = Literal["zh", "en"]
SPAN_MAX = timedelta(days=31)


class ReportIn(Shape):
    report: str = Field(min_length=1, max_length=5000, pattern=r"\S", description="What was said.")
    place: PlaceShape
    language: Language | None = None


class WhatIfIn(Shape):
    event_id: Id
    without: Annotated[list[Id], Field(max_length=200)] = Field([], examples=[["team-003"]])
    more: Annotated[list[NeedShape], Field(max_length=50)] = Field(
        [], description="On top of what it needs: two more medics."
    )
    language: Language | None = None


class StationIn(Shape):
    name: str = Field(min_length=1, max_length=200)
    place: PlaceShape
    district: str = Field("", max_length=200)
    least: dict[Capability, Amount] = Field(
        {}, max_length=50, description="What should always be near, such as two medics."
    )

    def value(self, station_id: str) -> Station:
        return Station(
            id=station_id,
            name=self.name,
            place=self.place.value(),
            district=self.district,
            least=dict(self.least),
        )


class ReplayIn(Shape):
    since: Instant
    until: Instant | None = Field(None, description="Else a day later.")
    without: Annotated[list[Id], Field(max_length=1000)] = Field([])
    rules: dict[str, Any] | None = Field(None, description="As the rules file has them.")


def seat_routes(
    seat: Seat, dispatch: Dispatch, desk: Desk, clock: Clock, language: str
) -> APIRouter:
    router = APIRouter(prefix="/ai", tags=["dispatch"], route_class=DispatchRoute)
    add_asking(router, seat, clock, language)
    add_stations(router, seat)
    add_scheme_in(router, dispatch, desk)
    return router


def add_asking(router: APIRouter, seat: Seat, clock: Clock, language: str) -> None:
    @router.post(
        "/reports/read",
        response_model=ReadReportAnswer,
        summary="Read a report and say it back",
        description="Nothing is kept. When it is right, post `event` to /ai/events.",
        responses=refusals(400, 500),
    )
    async def read_report(_who: Dispatcher, body: ReportIn) -> Response:
        from_words = body_event(body, clock.now())
        found = await seat.read_back(from_words, body.language or language)
        event = {
            "type": found.event.type,
            "severity": found.event.severity,
            "place": place_out(found.event.place),
            "report": found.event.report,
            "needs": needs_out(found.event.needs),
        }
        return answer_json({"said": found.said, "event": event, "needs": needs_out(found.needs)})

    @router.post(
        "/what-if",
        response_model=WhatIfAnswer,
        summary="A plan as it would be, holding nobody",
        responses=refusals(400, 404, 500, 503),
    )
    async def what_if(_who: Viewer, body: WhatIfIn) -> Response:
        found = await seat.what_if(
            EventId(body.event_id),
            without=[TeamId(one) for one in body.without],
            more=[one.value() for one in body.more],
            language=body.language or language,
        )
        return answer_json(
            {
                **option_out(found.best),
                "alternatives": [option_out(one) for one in found.alternatives],
                "explanation": found.explanation,
                "quality": found.quality,
            }
        )

    add_replay(router, seat)


def add_replay(router: APIRouter, seat: Seat) -> None:
    @router.post(
        "/replay",
        response_model=ReplayAnswer,
        summary="A past day with other rules or fewer teams",
        responses=refusals(400, 500),
    )
    async def replay(_who: Viewer, body: ReplayIn) -> Response:
        until = body.until or body.since + timedelta(days=1)
        until = min(until, body.since + SPAN_MAX)
        without = [TeamId(one) for one in body.without]
        found = await seat.replay(body.since, until, without, body.rules)
        before, after = asdict(found.before), asdict(found.after)
        difference = {
            name: round(after[name] - before[name], 1)
            for name in before
            if before[name] is not None and after[name] is not None
        }
        changed = [asdict(one) for one in found.changed]
        return answer_json(
            {"before": before, "after": after, "difference": difference, "changed": changed}
        )


def body_event(body: ReportIn, now: datetime) -> DispatchEvent:
    return DispatchEvent(
        id=EventId(new_id("evt", now)),
        type="",
        severity=Severity.MEDIUM,
        place=body.place.value(),
        reported_at=now,
        report=body.report,
    )


def add_stations(router: APIRouter, seat: Seat) -> None:
    @router.get(
        "/stations",
        response_model=StationAnswers,
        summary="Where teams wait, and what should stay near",
    )
    async def stations(_who: Viewer) -> Response:
        return answer_json({"items": [station_out(one) for one in await seat.stations()]})

    @router.put(
        "/stations/{station_id}",
        response_model=StationAnswer,
        summary="Add or change one",
        responses=refusals(400),
    )
    async def keep(_who: Dispatcher, station_id: Id, body: StationIn) -> Response:
        return answer_json(station_out(await seat.keep_station(body.value(station_id))))

    @router.delete(
        "/stations/{station_id}",
        summary="Forget one",
        **removes(),
    )
    async def drop_station(_who: Dispatcher, station_id: str) -> Response:
        if not await seat.drop_station(station_id):
            raise NotFound(f"There is no station {station_id}.")
        return nothing()

    @router.get(
        "/move-ups",
        response_model=MoveUpAnswers,
        summary="Which district is bare, and who could move up",
    )
    async def move_ups(_who: Viewer) -> Response:
        """`better`: where somebody would be in time for more events, by where they were lately."""
        found = await seat.move_ups()
        return answer_json(
            {
                "items": [
                    asdict(one) | {"moves": [move_out(move) for move in one.moves]}
                    for one in found.gaps
                ],
                "better": [{"gain": one.gain, **move_out(one.move)} for one in found.better],
            }
        )


def move_out(move: MoveUp) -> dict[str, Any]:
    at, seen = said(move.eta_at), said(move.position_at)
    return asdict(move) | {"eta_at": at, "position_at": seen}


def station_out(station: Station) -> dict[str, Any]:
    return shaped(StationAnswer, station, place=place_out(station.place))


def add_scheme_in(router: APIRouter, dispatch: Dispatch, desk: Desk) -> None:
    @router.get(
        "/events/{event_id}/schemes/{language}",
        response_model=SpokenSchemeAnswers,
        summary="An event's schemes with explanations in a language",
        responses=refusals(404),
    )
    async def schemes_in(_who: Viewer, event_id: str, language: Language) -> Response:
        event = await desk.event(EventId(event_id))
        items = []
        for one in await dispatch.schemes(event.id):
            best = in_language(one.option, language)
            others = tuple(in_language(each, language) for each in one.alternatives)
            said = explanation(event, best, others, one.quality, language)
            items.append(
                scheme_out(replace(one, option=best, alternatives=others, explanation=said))
            )
        return answer_json({"items": items, "event": event_out(event)})
