"""A user's reminders as a calendar that other programs subscribe to, and the way back in.

Calendar programs send no token, so the address itself is the secret. It can be replaced at any
time, and it opens nothing but this one list.
"""

import secrets
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from clarion.access.model import hashed, matches
from clarion.access.ports import AddressStore
from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import UserId
from clarion.doors.http.api import ics
from clarion.doors.http.auth import Actor, Asking
from clarion.doors.http.conventions import PREFIX, Shape, answer_json, refusals
from clarion.people.rotations import Rotations
from clarion.people.service import People
from clarion.reminders.service import Reminders

MEDIA_TYPE = "text/calendar"
KEY_BYTES = 24


class CalendarAddress(Shape):
    path: str = Field(description="Secret. Whoever has it can read this calendar, without a token.")


class Skipped(Shape):
    uid: str
    why: str


class CalendarImported(Shape):
    reminders: int
    series: int
    skipped: list[Skipped]


UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {MEDIA_TYPE: {"schema": {"type": "string", "examples": ["BEGIN:VCALENDAR…"]}}},
    }
}
CALENDAR: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The calendar",
        "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


def calendar_routes(
    reminders: Reminders,
    people: People,
    rotations: Rotations,
    addresses: AddressStore,
    clock: Clock,
) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/users/{{user_id}}", tags=["calendar"])

    @router.post(
        "/calendar",
        response_model=CalendarAddress,
        status_code=HTTPStatus.CREATED,
        summary="Make the calendar's secret address; the one before stops working",
        responses=refusals(404),
    )
    async def make_address(actor: Asking, user_id: str) -> Response:
        user = await people.user(actor, UserId(user_id))
        key = secrets.token_urlsafe(KEY_BYTES)
        await addresses.set_calendar(user.id, hashed(key), clock.now())
        path = f"{PREFIX}/users/{user.id}/reminders.ics?key={key}"
        return answer_json({"path": path}, HTTPStatus.CREATED)

    add_feed(router, reminders, rotations, addresses, clock)
    add_import(router, reminders, people, clock)
    return router


def add_feed(
    router: APIRouter,
    reminders: Reminders,
    rotations: Rotations,
    addresses: AddressStore,
    clock: Clock,
) -> None:
    @router.get(
        "/reminders.ics",
        response_class=Response,
        summary="The calendar, for whoever knows its address",
        responses={**CALENDAR, **refusals(404)},
    )
    async def read_calendar(
        user_id: str, key: Annotated[str, Query(min_length=1, max_length=100)]
    ) -> Response:
        kept = await addresses.calendar_hash(UserId(user_id))
        if not matches(key, kept or ""):
            raise NotFound("There is no calendar at this address.")
        actor = Actor(UserId(user_id), name="calendar")
        coming = await reminders.reports.upcoming(actor, user_id=UserId(user_id))
        shifts = await rotations.planned(actor, actor.user_id or UserId(user_id))
        headers = {"Cache-Control": "private, max-age=300"}
        written = ics.written(coming, shifts, clock.now())
        return Response(written, media_type=MEDIA_TYPE, headers=headers)


def add_import(router: APIRouter, reminders: Reminders, people: People, clock: Clock) -> None:
    @router.post(
        "/calendar/import",
        response_model=CalendarImported,
        summary="Take over the events of an .ics file; importing it again adds nothing",
        responses=refusals(404),
        openapi_extra=UPLOAD,
    )
    async def import_calendar(request: Request, actor: Asking, user_id: str) -> Response:
        user = await people.user(actor, UserId(user_id))
        events = await ics.read(await request.body(), user.zone)
        return answer_json(await ics.take_over(reminders, actor, user, events, clock.now()))
