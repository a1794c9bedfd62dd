"""Reminders as they travel, and their routes: set, find, change, snooze, confirm, cancel."""

from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from clarion.base.errors import Unprocessable
from clarion.base.ids import DeviceId, ReminderId, SeriesId
from clarion.base.paging import Page
from clarion.doors.http.api.live import EventOut
from clarion.doors.http.api.live import shown as shown_event
from clarion.doors.http.auth import Asking, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Cursor,
    Id,
    IfMatch,
    IfNoneMatch,
    Instant,
    Key,
    Languages,
    Limit,
    OnceOnly,
    Patch,
    Shape,
    answer_json,
    answer_made,
    answer_written,
    expected_version,
    given,
    is_same,
    refusals,
    said,
    shaped,
    shown_in,
    unchanged,
    write_json,
)
from clarion.people.model import EscalationPolicy
from clarion.reminders.guarantee import Guarantee, Surety
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus, Series, needs_of
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Created, Preview

EXAMPLE = "明天早上8点提醒我吃药，要确认"
DAY = 86_400
Content = Annotated[
    str,
    Field(
        min_length=1, max_length=500, pattern=r"\S", examples=["吃药"], description="What to tell."
    ),
]
Sentence = Annotated[
    str,
    Field(min_length=1, max_length=2000, pattern=r"\S", examples=[EXAMPLE, "in 10 minutes: tea"]),
]
Base = Annotated[
    int, Field(ge=0, le=100, description="critical 100, high 50, normal 10, bulk 0", examples=[10])
]
Owner = Annotated[Id | None, Field(description="For admin tokens: for whom. Others leave it out.")]
Context = Annotated[dict[str, Any], Field(description="Anything worth knowing when it is told.")]
PAGE = 50
TEXTS_MAX = 5_000  # a few megabytes
NO_PREVIEW = {"times": [], "readback": "", "content": "", "confirm": False}
CREATES = refusals(404, 409)
CHANGES = refusals(404, 409, 412, 428)
VERBS = refusals(404, 409)


class Escalation(Shape):
    """How contacts are told when nobody confirms."""

    rounds: int = Field(1, ge=1, le=20, description="How often the ladder is climbed.")
    pause: int = Field(600, ge=60, le=DAY, description="Seconds between two rounds.")
    all_must: list[Annotated[int, Field(ge=-1000, le=1000)]] = Field(
        default_factory=list,
        max_length=50,
        description="Orders of the steps in which everybody has to be on it, not just one.",
    )
    only: list[Id] = Field(
        default_factory=list,
        max_length=50,
        description="Contacts and rotations that are called at all; empty: everybody.",
    )


class Confirmation(Shape):
    """Whether somebody has to say yes, and how patiently we ask."""

    required: bool = False
    timeout: int = Field(300, ge=5, le=DAY, description="Seconds to wait for an answer.")
    retry_interval: int = Field(60, ge=5, le=DAY, description="Seconds until it asks again.")
    max_retries: int = Field(3, ge=1, le=20)
    confirm_keywords: list[Annotated[str, Field(min_length=1, max_length=50)]] = Field(
        default_factory=list, max_length=50, examples=[["吃了"]]
    )
    needs: Literal["", "heard", "done"] = Field(
        "",
        description="Which yes counts: heard (done or aware) or done. Left out: done for"
        " medicines, else heard.",
    )
    escalation: Escalation | None = Field(
        None, description="How contacts are told of it. Left out: as the person has it."
    )


class ReminderIn(Shape):
    content: Content
    trigger_at: Instant
    user_id: Owner = None
    device_id: Id | None = Field(None, description="Left out: wherever the user can be found.")
    confirmation: Confirmation | None = None
    base: Base | None = None
    context: Context = Field(default_factory=dict)


class ReminderPatch(Patch):
    content: Content = "-"
    trigger_at: Instant = "2030-01-01T00:00:00Z"  # type: ignore[assignment]  # never used: see `given`
    device_id: Id | None = None
    confirmation: Confirmation = Field(default_factory=lambda: Confirmation.model_validate({}))
    base: Base = 10
    context: Context = Field(default_factory=dict)


class NaturalIn(Shape):
    text: Sentence
    user_id: Owner = None
    device_id: Id | None = None
    said_at: Instant | None = Field(
        None, description='When it was said: "in ten minutes" counts from it. Now by default.'
    )


class PreviewIn(Shape):
    text: Sentence = Field(description="A sentence, a cron expression or an RRULE.")
    n: int = Field(5, ge=1, le=100)
    user_id: Owner = None
    zone: str | None = Field(
        None, min_length=1, max_length=64, description="Of somebody who is not added yet."
    )
    unfinished: bool = Field(
        False, description="Somebody is still typing: what is missing is an answer, not an error."
    )


class SnoozeIn(Shape):
    duration: int | None = Field(None, ge=1, le=30 * DAY, description="Seconds from now.")
    until: Instant | None = None


class ConfirmIn(Shape):
    by: str = Field("", max_length=100, description="Who did it, when it was not the user.")


class WayOut(Shape):
    kind: str = Field(description="device or contact")
    id: str
    name: str
    level: Surety
    state: str = Field(description="online, message, away, unserved or contact")
    seen_at: str | None
    proved_at: str | None = Field(description="When it was last heard to the end or answered.")
    after: int = Field(description="Seconds after it is due until this way is tried.")


class GuaranteeOut(Shape):
    """Who will hear it, as things are now. It is no part of the version."""

    level: Surety
    sentence: str = Field(description="What will happen, or what to do: say it to the person.")
    ways: list[WayOut] = Field(description="In the order in which they are tried.")


class ReminderFacts(Shape):
    """Without its guarantee, which changes while the reminder does not."""

    id: str
    user_id: str
    content: str
    trigger_at: str = Field(examples=["2030-01-07T00:00:00.000Z"])
    status: ReminderStatus
    attempt: int
    device_id: str | None
    confirmation: Confirmation
    base: int
    series_id: str | None
    planned_at: str | None
    answer_by: str | None
    reason: str
    confirmed_by: str
    context: dict[str, Any]
    created_at: str
    ended_at: str | None
    unreached_since: str | None = Field(
        description="Since when it is due and no device could be reached."
    )
    version: int


class ReminderOut(ReminderFacts):
    guarantee: GuaranteeOut | None = Field(None, description="Who will hear it; none when over.")


class ReminderPage(Shape):
    items: list[ReminderOut]
    next_cursor: str | None


class ReminderHistory(Shape):
    items: list[EventOut]


class SeriesOut(Shape):
    id: str
    user_id: str
    content: str
    pattern: str
    zone: str
    device_id: str | None
    confirmation: Confirmation
    base: int
    enabled: bool
    next_at: str | None
    current: str | None = Field(description="The reminder that waits for `next_at`.")
    ends_at: str | None
    ended_at: str | None
    count: int | None
    made: int
    missed: int
    skipped: list[str]
    context: dict[str, Any]
    created_at: str
    version: int


class NaturalOut(Shape):
    reminder: ReminderOut | None
    series: SeriesOut | None
    readback: str = Field(description="What was understood, in words: say it back.")
    guarantee: GuaranteeOut | None = Field(description="Who will hear it, and how sure that is.")
    person: str = Field("", description="Who is told, where it is somebody else: your wife.")


class PreviewOut(Shape):
    times: list[str]
    readback: str
    content: str
    confirm: bool = Field(description="Whether somebody will have to say yes.")
    missing: str = Field("", description="What an unfinished sentence still lacks.")


def confirmation_in(confirmation: Confirmation | None) -> ConfirmationConfig | None:
    if confirmation is None:
        return None
    return ConfirmationConfig(
        required=confirmation.required,
        timeout=confirmation.timeout,
        retry_interval=confirmation.retry_interval,
        max_retries=confirmation.max_retries,
        confirm_keywords=tuple(confirmation.confirm_keywords),
        needs=confirmation.needs,
        escalation=escalation_in(confirmation.escalation),
    )


def escalation_in(policy: Escalation | None) -> EscalationPolicy | None:
    if policy is None:
        return None
    return EscalationPolicy(policy.rounds, policy.pause, tuple(policy.all_must), tuple(policy.only))


def escalation_out(policy: EscalationPolicy | None) -> dict[str, Any] | None:
    return shaped(Escalation, policy) if policy is not None else None


def confirmation_out(config: ConfirmationConfig, content: str) -> dict[str, Any]:
    needs = config.needs or needs_of(content)
    policy = escalation_out(config.escalation)
    return shaped(Confirmation, config, needs=needs, escalation=policy)


def guarantee_out(found: Guarantee | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return shaped(GuaranteeOut, found, ways=[shaped(WayOut, way) for way in found.ways])


def reminder_out(reminder: Reminder) -> dict[str, Any]:
    confirmation = confirmation_out(reminder.confirmation, reminder.content)
    return shaped(ReminderFacts, reminder, confirmation=confirmation)


def series_out(series: Series) -> dict[str, Any]:
    confirmation = confirmation_out(series.confirmation, series.content)
    skipped = [said(at) for at in series.skipped]
    return shaped(SeriesOut, series, confirmation=confirmation, skipped=skipped)


def natural_out(made: Created) -> dict[str, Any]:
    heard = guarantee_out(made.guarantee)
    return {
        "reminder": {**reminder_out(made.reminder), "guarantee": heard} if made.reminder else None,
        "series": series_out(made.series) if made.series else None,
        "readback": made.readback,
        "guarantee": heard,
        "person": made.person,
    }


def preview_out(preview: Preview) -> dict[str, Any]:
    return {
        "times": [at.isoformat() for at in preview.times],
        "readback": preview.readback,
        "content": preview.content,
        "confirm": preview.confirm,
        "missing": "",
    }


def whole(reminder: Reminder, heard: Guarantee | None) -> dict[str, Any]:
    return {**reminder_out(reminder), "guarantee": guarantee_out(heard)}


def made(reminder: Reminder, heard: Guarantee | None) -> Response:
    where = f"{PREFIX}/reminders/{reminder.id}"
    return answer_made(whole(reminder, heard), where, reminder.version)


async def created(reminders: Reminders, reminder: Reminder) -> Response:
    found = await reminders.guarantees([reminder])
    return made(reminder, found.get(reminder.id))


async def current(reminders: Reminders, reminder: Reminder) -> Response:
    found = await reminders.guarantees([reminder])
    return answer_json(whole(reminder, found.get(reminder.id)), version=reminder.version)


def reminder_routes(reminders: Reminders, once: OnceOnly) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/reminders", tags=["reminders"])
    add_setting(router, reminders, once)
    add_words(router, reminders, once)
    add_finding(router, reminders)
    add_changing(router, reminders)
    add_verbs(router, reminders, once)
    add_leaving(router, reminders, once)
    return router


def add_setting(router: APIRouter, reminders: Reminders, once: OnceOnly) -> None:
    @router.post(
        "",
        response_model=ReminderOut,
        status_code=HTTPStatus.CREATED,
        summary="Set a reminder",
        responses=CREATES,
    )
    async def create(
        request: Request, actor: Asking, body: ReminderIn, key: Key = None
    ) -> Response:
        async def work() -> Response:
            promised = await reminders.promise(
                actor,
                user_id=whose(actor, body.user_id),
                known=True,
                content=body.content,
                trigger_at=body.trigger_at,
                device_id=DeviceId(body.device_id) if body.device_id else None,
                confirmation=confirmation_in(body.confirmation),
                base=body.base,
                context=body.context,
                key=key,
            )
            return made(*promised)

        return await once.do(request, actor.user_id, key, work)


def add_words(router: APIRouter, reminders: Reminders, once: OnceOnly) -> None:
    @router.post(
        "/natural",
        response_model=NaturalOut,
        status_code=HTTPStatus.CREATED,
        summary="Set a reminder or a series in plain Chinese or English",
        responses=CREATES,
    )
    async def create_natural(
        request: Request,
        actor: Asking,
        body: NaturalIn,
        key: Key = None,
        languages: Languages = None,
    ) -> Response:
        async def work() -> Response:
            made = await reminders.natural.create(
                actor,
                user_id=whose(actor, body.user_id),
                known=True,
                text=body.text,
                device_id=DeviceId(body.device_id) if body.device_id else None,
                key=key,
                language=shown_in(languages),
                said_at=body.said_at,
            )
            return answer_json(natural_out(made), HTTPStatus.CREATED)

        return await once.do(request, actor.user_id, key, work)

    @router.post(
        "/preview",
        response_model=PreviewOut,
        summary="When would it ring? Nothing is set",
    )
    async def preview(actor: Asking, body: PreviewIn, languages: Languages = None) -> Response:
        try:
            found = await reminders.natural.preview(
                actor,
                user_id=whose(actor, body.user_id),
                text_or_pattern=body.text,
                n=body.n,
                language=shown_in(languages),
                zone=body.zone,
            )
        except Unprocessable as error:
            if not body.unfinished:
                raise
            return answer_json({**NO_PREVIEW, "missing": error.message})
        return answer_json(preview_out(found))


class WrittenReminders:
    """Answers with reminders as they are read, each version written once."""

    def __init__(self, reminders: Reminders) -> None:
        self._reminders = reminders
        self._texts: dict[tuple[ReminderId, int], str] = {}

    async def page(self, page: Page[Reminder], language: str | None) -> Response:
        found = await self._reminders.guarantees(page.items, language)
        items = ",".join(self._written(one, found.get(one.id)) for one in page.items)
        return answer_written(f'{{"items":[{items}],"next_cursor":{write_json(page.next_cursor)}}}')

    async def one(self, reminder: Reminder, same: str | None, language: str | None) -> Response:
        if is_same(same, reminder.version):
            return unchanged(reminder.version)
        found = await self._reminders.guarantees([reminder], language)
        text = self._written(reminder, found.get(reminder.id))
        return answer_written(text, version=reminder.version)

    def _written(self, reminder: Reminder, found: Guarantee | None) -> str:
        """As JSON: the reminder, and who will hear it as things are now."""
        return f'{self._text(reminder)[:-1]},"guarantee":{write_json(guarantee_out(found))}}}'

    def _text(self, reminder: Reminder) -> str:
        """One version is one text, as its ETag promises, so it is written once."""
        name = reminder.id, reminder.version
        text = self._texts.get(name)
        if text is None:
            if len(self._texts) >= TEXTS_MAX:
                self._texts.clear()
            text = self._texts[name] = write_json(reminder_out(reminder))
        return text


def add_finding(router: APIRouter, reminders: Reminders) -> None:
    reads = WrittenReminders(reminders)

    @router.get("", response_model=ReminderPage, summary="Find reminders, the earliest first")
    async def find(
        actor: Asking,
        status: Annotated[list[ReminderStatus], Query(max_length=7)] = [],  # noqa: B006  FastAPI copies it
        since: Annotated[Instant | None, Query()] = None,
        until: Annotated[Instant | None, Query()] = None,
        series_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None,
        user_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None,
        text: Annotated[str, Query(max_length=100, description="Part of the content.")] = "",
        limit: Limit = PAGE,
        cursor: Cursor = None,
        languages: Languages = None,
    ) -> Response:
        page = await reminders.list(
            actor,
            user_id=None if actor.admin and not user_id else whose(actor, user_id),
            status=status,
            since=since,
            until=until,
            series_id=SeriesId(series_id) if series_id else None,
            text=text,
            limit=limit,
            cursor=cursor,
        )
        return await reads.page(page, shown_in(languages))

    @router.get(
        "/{reminder_id}",
        response_model=ReminderOut,
        summary="One reminder",
        responses=refusals(404),
    )
    async def get(
        actor: Asking, reminder_id: str, same: IfNoneMatch = None, languages: Languages = None
    ) -> Response:
        reminder = await reminders.get(actor, ReminderId(reminder_id))
        return await reads.one(reminder, same, shown_in(languages))

    @router.get(
        "/{reminder_id}/history",
        response_model=ReminderHistory,
        summary="What happened to it, line by line",
        responses=refusals(404),
    )
    async def history(actor: Asking, reminder_id: str) -> Response:
        found = await reminders.history(actor, ReminderId(reminder_id))
        return answer_json({"items": [shown_event(event) for event in found]})


def add_changing(router: APIRouter, reminders: Reminders) -> None:
    @router.patch(
        "/{reminder_id}",
        response_model=ReminderOut,
        summary="Change it while it is pending",
        responses=CHANGES,
    )
    async def change(
        actor: Asking, reminder_id: str, body: ReminderPatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        fields = given(body, confirmation=confirmation_in)
        after = await reminders.update(actor, ReminderId(reminder_id), version=version, **fields)
        return await current(reminders, after)

    @router.delete(
        "/{reminder_id}",
        response_model=ReminderOut,
        summary="Cancel it; what happened stays on record",
        responses=CHANGES,
    )
    async def delete(actor: Asking, reminder_id: str, if_match: IfMatch = None) -> Response:
        version = expected_version(if_match)
        gone = await reminders.cancel(actor, ReminderId(reminder_id), version)
        return await current(reminders, gone)


def add_verbs(router: APIRouter, reminders: Reminders, once: OnceOnly) -> None:
    @router.post(
        "/{reminder_id}/confirm",
        response_model=ReminderOut,
        summary="It is done; twice is harmless",
        responses=VERBS,
    )
    async def confirm(
        request: Request,
        actor: Asking,
        reminder_id: str,
        body: ConfirmIn | None = None,
        key: Key = None,
    ) -> Response:
        async def work() -> Response:
            by = body.by if body else ""
            done = await reminders.confirm(actor, ReminderId(reminder_id), by)
            return await current(reminders, done)

        return await once.do(request, actor.user_id, key, work)


def add_leaving(router: APIRouter, reminders: Reminders, once: OnceOnly) -> None:
    @router.post(
        "/{reminder_id}/snooze",
        response_model=ReminderOut,
        summary="Later: after a duration, or at an instant; ten minutes when neither is said",
        responses=VERBS,
    )
    async def snooze(
        request: Request,
        actor: Asking,
        reminder_id: str,
        body: SnoozeIn | None = None,
        key: Key = None,
    ) -> Response:
        async def work() -> Response:
            said = body or SnoozeIn.model_validate({})
            duration = timedelta(seconds=said.duration) if said.duration else None
            later = await reminders.snooze(actor, ReminderId(reminder_id), duration, said.until)
            return await current(reminders, later)

        return await once.do(request, actor.user_id, key, work)

    @router.post(
        "/{reminder_id}/cancel",
        response_model=ReminderOut,
        summary="Cancel it, whatever its version",
        responses=VERBS,
    )
    async def cancel(actor: Asking, reminder_id: str) -> Response:
        return await current(reminders, await reminders.cancel(actor, ReminderId(reminder_id)))
