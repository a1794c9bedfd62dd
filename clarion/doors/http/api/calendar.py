"""A user's reminders as a calendar that other programs subscribe to, and the way back in.

Written for subscribers and read from files as iCalendar (RFC 5545).

Calendar programs send no token, so the address itself is the secret. It can be replaced at any
time, and it opens nothing but this one list.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from http import HTTPStatus
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from clarion.access.ports import AddressStore
from clarion.access.tokens import hashed, matches
from clarion.base.clock import Clock
from clarion.base.errors import BadInput, ClarionError, NotFound, TimedOut
from clarion.base.ids import ReminderId, SeriesId, UserId
from clarion.doors.http.auth import Asking
from clarion.doors.http.conventions import PREFIX, Shape, answer_json, refusals
from clarion.people.errors import AlreadyThere
from clarion.people.model import Actor, User
from clarion.people.rotations import PlannedShift, Rotations
from clarion.people.service import People
from clarion.reminders.reports import Upcoming
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
        written = write_events(coming, shifts, clock.now())
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
        events = await read_events(await request.body(), user.zone)
        return answer_json(await take_over(reminders, actor, user, events, clock.now()))


EVENTS_MAX = 500
LINES_MAX = 20_000  # forty for each event
LINE_MAX = 20_000  # bytes; a long description
SECONDS_MAX = 10.0
YEARS = range(1900, 2301)  # as of recurrences
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
CONTENT_MAX = 500
LENGTH = timedelta(minutes=5)  # a reminder has no length; a calendar draws nothing without one
ALARMS_MAX = 3  # of one event; more would be a nuisance
OURS = "@clarion"
DAY_BEGINS = time(9)  # when an event of a whole day is told
_reader = ThreadPoolExecutor(1, thread_name_prefix="clarion-ics")  # one file at a time
PRODUCT = "-//Clarion//Reminders//EN"


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """One event of a file. `rule` is its RRULE, empty when it happens once."""

    uid: str
    content: str
    at: datetime
    rule: str


def write_events(
    coming: Sequence[Upcoming], shifts: Sequence[PlannedShift], now: datetime
) -> bytes:
    """What is to come, and who is on call."""
    from icalendar import Alarm, Calendar, Event

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Clarion")
    calendar.add("refresh-interval", timedelta(minutes=15), {"value": "DURATION"})
    for one in coming:
        event, alarm = Event(), Alarm()
        event.add("uid", f"{one.uid}{OURS}")
        event.add("dtstamp", now)
        event.add("dtstart", one.at.astimezone(UTC))
        event.add("dtend", one.at.astimezone(UTC) + LENGTH)
        event.add("summary", one.content)
        alarm.add("action", "DISPLAY")
        alarm.add("description", one.content)
        alarm.add("trigger", timedelta())
        event.add_component(alarm)
        calendar.add_component(event)
    for each in shifts:
        event = Event()
        name, shift = each.rotation.name, each.shift
        event.add("uid", f"{each.rotation.id}-{shift.begins_at:%Y%m%dT%H%M}{OURS}")
        event.add("dtstamp", now)
        event.add("dtstart", shift.begins_at.astimezone(UTC))
        event.add("dtend", shift.ends_at.astimezone(UTC))
        event.add("summary", f"{name}: {shift.contact.name}")
        event.add("transp", "TRANSPARENT")  # a subscriber is not busy because of it
        calendar.add_component(event)
    text = calendar.to_ical()
    assert isinstance(text, bytes)
    return text


async def read_events(content: bytes, zone: str) -> list[CalendarEvent]:
    """The events of a file; times without a zone are the user's. Raises BadInput, TimedOut.

    Counted before it is parsed, and parsed beside the loop: nobody else waits for a large file.
    """
    count = content.upper().count(b"BEGIN:VEVENT")
    if count > EVENTS_MAX:
        raise BadInput(f"The file has {count} events; at most {EVENTS_MAX} are taken.")
    if content.count(b"\n") > LINES_MAX or any(len(one) > LINE_MAX for one in content.split(b"\n")):
        raise BadInput(f"A calendar has at most {LINES_MAX} lines of {LINE_MAX} letters.")
    try:
        async with asyncio.timeout(SECONDS_MAX):
            return await asyncio.get_running_loop().run_in_executor(_reader, _parsed, content, zone)
    except TimeoutError:
        raise TimedOut("The calendar takes too long to read.", hint="Send less of it.") from None


def _parsed(content: bytes, zone: str) -> list[CalendarEvent]:
    from icalendar import Calendar

    try:
        calendar = Calendar.from_ical(content.decode())
        walked = calendar.walk("VEVENT")
        return [one for event in walked for one in _found(event, ZoneInfo(zone))]
    except UNREADABLE:
        raise BadInput("This is not a calendar that can be read.", hint="An .ics file.") from None


def _found(event: Any, zone: ZoneInfo) -> list[CalendarEvent]:
    """When its alarms ring; when it starts if it has none."""
    starts = event["DTSTART"].dt
    if not isinstance(starts, date):  # a time, a period, a duration: not a beginning
        raise TypeError(starts)
    if starts.year not in YEARS:
        raise ValueError(starts)
    if not isinstance(starts, datetime):
        starts = datetime.combine(starts, DAY_BEGINS, zone)
    at = starts if starts.tzinfo else starts.replace(tzinfo=zone)
    rule = event.get("RRULE")
    return [
        CalendarEvent(
            uid=str(event.get("UID", "")),
            content=" ".join(str(event.get("SUMMARY", "")).split())[:CONTENT_MAX],
            at=each,
            rule=rule.to_ical().decode() if rule else "",
        )
        for each in _alarms(event, at, repeats=bool(rule)) or [at]
    ]


def _alarms(event: Any, at: datetime, *, repeats: bool) -> list[datetime]:
    """At most a few, the earliest first. An alarm of a series keeps to its day."""
    instants = set[datetime]()
    for alarm in event.walk("VALARM"):
        trigger = alarm["TRIGGER"].dt if "TRIGGER" in alarm else timedelta()
        each = at + trigger if isinstance(trigger, timedelta) else trigger
        if each.tzinfo and not (repeats and each.date() != at.date()):
            instants.add(each)
    return sorted(instants)[:ALARMS_MAX]


async def take_over(
    reminders: Reminders, actor: Actor, user: User, events: Sequence[CalendarEvent], now: datetime
) -> dict[str, Any]:
    """Set each as a reminder or a series. An event's UID is its key: twice adds nothing."""
    made = {"reminders": 0, "series": 0}
    skipped = []
    for event in events:
        try:
            kind = await _set(reminders, actor, user, event, now)
        except ClarionError as error:
            skipped.append({"uid": event.uid, "why": error.message})
            continue
        if kind:
            made[kind] += 1
        else:
            skipped.append({"uid": event.uid, "why": "It is over, or has no words."})
    return {**made, "skipped": skipped}


async def _set(
    reminders: Reminders, actor: Actor, user: User, event: CalendarEvent, now: datetime
) -> str | None:
    if await _is_ours(reminders, actor, event.uid):
        raise AlreadyThere("It is a reminder of Clarion's own, and there already.")
    whole = f"{event.uid} {event.at.isoformat()} {event.rule}"
    key = f"ics-{hashlib.sha256(whole.encode()).hexdigest()[:40]}"
    if event.rule and event.content:
        zone = getattr(event.at.tzinfo, "key", None) or user.zone
        local = event.at.astimezone(ZoneInfo(zone))
        await reminders.series.create(
            actor,
            user_id=user.id,
            content=event.content,
            pattern=f"DTSTART:{local:%Y%m%dT%H%M%S}\nRRULE:{event.rule}",
            zone=zone,
            key=key,
        )
        return "series"
    if event.at <= now or not event.content:
        return None
    await reminders.create(
        actor, user_id=user.id, content=event.content, trigger_at=event.at, key=key
    )
    return "reminders"


async def _is_ours(reminders: Reminders, actor: Actor, uid: str) -> bool:
    """Whether we wrote this event for a reminder or a series that is still known here."""
    name, ours, _ = uid.partition(OURS)
    if not ours:
        return False
    try:
        if name.startswith("ser_"):
            await reminders.series.get(actor, SeriesId(name.rpartition("-")[0]))
        else:
            await reminders.get(actor, ReminderId(name))
    except NotFound:
        return False
    return True
