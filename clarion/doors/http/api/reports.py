"""Routes of reports: adherence, export as a table, and what is coming up."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from clarion.base.ids import SeriesId, UserId
from clarion.doors.http.auth import Asking
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Instant,
    Shape,
    answer_json,
    refusals,
    shaped,
)
from clarion.people.service import People
from clarion.reminders.reports import Tally
from clarion.reminders.service import Reminders

MEDIA_TYPES = {"csv": "text/csv", "json": "application/json"}
Series = Annotated[str | None, Query(max_length=ID_LETTERS_MAX)]
Moment = Annotated[Instant | None, Query()]
TABLE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The table",
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/json": {"schema": {"type": "array", "items": {"type": "object"}}},
        },
    }
}


class TallyOut(Shape):
    """What came of the reminders that are over; cancelled ones count for nothing."""

    total: int
    confirmed: int
    completed: int
    late: int
    missed: int
    open: int
    done: int
    heard: int
    promised: int
    share_confirmed: float | None
    share_late: float | None
    share_missed: float | None


class DayOut(Shape):
    day: str
    tally: TallyOut


class AdherenceOut(Shape):
    whole: TallyOut
    days: list[DayOut]


class UpcomingOut(Shape):
    uid: str = Field(description="The same from day to day, as in the calendar feed.")
    at: str
    content: str
    confirm: bool
    series_id: str | None
    reminder_id: str | None = Field(description="Null: its series has not made it yet.")


class UpcomingPage(Shape):
    items: list[UpcomingOut]


def report_routes(reminders: Reminders, people: People) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/users/{{user_id}}", tags=["reports"])

    @router.get(
        "/adherence",
        response_model=AdherenceOut,
        summary="How well it went, by day; the last thirty unless said otherwise",
        responses=refusals(404),
    )
    async def adherence(
        actor: Asking,
        user_id: str,
        series_id: Series = None,
        since: Moment = None,
        until: Moment = None,
    ) -> Response:
        user = await people.user(actor, UserId(user_id))
        found = await reminders.reports.adherence(
            actor,
            user_id=user.id,
            series_id=SeriesId(series_id) if series_id else None,
            since=since,
            until=until,
        )
        days = [{"day": day.isoformat(), "tally": shown(one)} for day, one in found.days]
        return answer_json({"whole": shown(found.whole), "days": days})

    @router.get(
        "/upcoming",
        response_model=UpcomingPage,
        summary="What comes, also what series have not made yet; at most a thousand",
        responses=refusals(404),
    )
    async def upcoming(
        actor: Asking, user_id: str, days: Annotated[int, Query(ge=1, le=366)] = 90
    ) -> Response:
        user = await people.user(actor, UserId(user_id))
        coming = await reminders.reports.upcoming(
            actor, user_id=user.id, ahead=timedelta(days=days)
        )
        return answer_json({"items": [shaped(UpcomingOut, one) for one in coming]})

    add_export(router, reminders, people)
    return router


def add_export(router: APIRouter, reminders: Reminders, people: People) -> None:
    @router.get(
        "/export",
        response_class=Response,
        summary="Reminders as a table, CSV or JSON",
        responses={**TABLE, **refusals(404)},
    )
    async def export(
        actor: Asking,
        user_id: str,
        form: Literal["csv", "json"] = "csv",
        series_id: Series = None,
        since: Moment = None,
        until: Moment = None,
    ) -> Response:
        user = await people.user(actor, UserId(user_id))
        text = await reminders.reports.export(
            actor,
            user_id=user.id,
            form=form,
            series_id=SeriesId(series_id) if series_id else None,
            since=since,
            until=until,
        )
        where = {"Content-Disposition": f'attachment; filename="reminders.{form}"'}
        return Response(text, media_type=MEDIA_TYPES[form], headers=where)


def shown(tally: Tally) -> dict[str, Any]:
    return shaped(TallyOut, tally)
