"""Routes about reminders: set, find, change, snooze, confirm, cancel, and what happened."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from clarion.base.errors import Unprocessable
from clarion.base.ids import DeviceId, ReminderId, SeriesId
from clarion.doors.http.api.live import shown as shown_event
from clarion.doors.http.api.shapes import (
    ConfirmIn,
    NaturalIn,
    NaturalOut,
    PreviewIn,
    PreviewOut,
    ReminderHistory,
    ReminderIn,
    ReminderOut,
    ReminderPage,
    ReminderPatch,
    SnoozeIn,
    confirmation_in,
    created,
    current,
    guarantee_out,
    natural_out,
    preview_out,
    reminder_out,
)
from clarion.doors.http.auth import Actor, Asking, Who, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Cursor,
    IfMatch,
    IfNoneMatch,
    Instant,
    Key,
    Languages,
    Limit,
    OnceOnly,
    answer_json,
    answer_written,
    expected_version,
    given,
    is_same,
    refusals,
    shown_in,
    unchanged,
    write_json,
)
from clarion.reminders.guarantee import Guarantee
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.service import Reminders

PAGE = 50
TEXTS_MAX = 5_000  # a few megabytes
NO_PREVIEW = {"times": [], "readback": "", "content": "", "confirm": False}
CREATES = refusals(404, 409)
CHANGES = refusals(404, 409, 412, 428)
VERBS = refusals(404, 409)


def reminder_routes(reminders: Reminders, once: OnceOnly) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/reminders", tags=["reminders"])
    add_setting(router, reminders, once)
    add_words(router, reminders, once)
    add_finding(router, ReminderReads(reminders))
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
        request: Request, who: Who, actor: Asking, body: ReminderIn, key: Key = None
    ) -> Response:
        async def work() -> Response:
            return await created(
                reminders,
                await reminders.create(
                    actor,
                    user_id=await reminders.must_know(actor, whose(actor, body.user_id)),
                    content=body.content,
                    trigger_at=body.trigger_at,
                    device_id=DeviceId(body.device_id) if body.device_id else None,
                    confirmation=confirmation_in(body.confirmation),
                    base=body.base,
                    context=body.context,
                    key=key,
                ),
            )

        return await once.do(request, who, key, work)


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
        who: Who,
        actor: Asking,
        body: NaturalIn,
        key: Key = None,
        languages: Languages = None,
    ) -> Response:
        async def work() -> Response:
            made = await reminders.natural.create(
                actor,
                user_id=await reminders.must_know(actor, whose(actor, body.user_id)),
                text=body.text,
                device_id=DeviceId(body.device_id) if body.device_id else None,
                key=key,
                language=shown_in(languages),
                said_at=body.said_at,
            )
            return answer_json(natural_out(made), HTTPStatus.CREATED)

        return await once.do(request, who, key, work)

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
            )
        except Unprocessable as error:
            if not body.unfinished:
                raise
            return answer_json({**NO_PREVIEW, "missing": error.message})
        return answer_json(preview_out(found))


class ReminderReads:
    """The reads behind the routes."""

    def __init__(self, reminders: Reminders) -> None:
        self._reminders = reminders
        self._texts: dict[tuple[ReminderId, int], str] = {}

    async def page(
        self,
        actor: Actor,
        *,
        status: Sequence[ReminderStatus] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        series_id: str | None = None,
        user_id: str | None = None,
        text: str = "",
        limit: int = PAGE,
        cursor: str | None = None,
        language: str | None = None,
    ) -> Response:
        everybody = actor.admin and not user_id
        page = await self._reminders.list(
            actor,
            user_id=None if everybody else whose(actor, user_id),
            status=status,
            since=since,
            until=until,
            series_id=SeriesId(series_id) if series_id else None,
            text=text,
            limit=limit,
            cursor=cursor,
        )
        found = await self._reminders.guarantees(page.items, language)
        items = ",".join(self._written(one, found.get(one.id)) for one in page.items)
        return answer_written(f'{{"items":[{items}],"next_cursor":{write_json(page.next_cursor)}}}')

    async def one(
        self, actor: Actor, reminder_id: str, same: str | None, language: str | None = None
    ) -> Response:
        reminder = await self._reminders.get(actor, ReminderId(reminder_id))
        if is_same(same, reminder.version):
            return unchanged(reminder.version)
        found = await self._reminders.guarantees([reminder], language)
        text = self._written(reminder, found.get(reminder.id))
        return answer_written(text, version=reminder.version)

    async def history(self, actor: Actor, reminder_id: str) -> Response:
        found = await self._reminders.history(actor, ReminderId(reminder_id))
        return answer_json({"items": [shown_event(event) for event in found]})

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


def add_finding(router: APIRouter, finding: ReminderReads) -> None:
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
        return await finding.page(
            actor,
            status=status,
            since=since,
            until=until,
            series_id=series_id,
            user_id=user_id,
            text=text,
            limit=limit,
            cursor=cursor,
            language=shown_in(languages),
        )

    @router.get(
        "/{reminder_id}",
        response_model=ReminderOut,
        summary="One reminder",
        responses=refusals(404),
    )
    async def get(
        actor: Asking, reminder_id: str, same: IfNoneMatch = None, languages: Languages = None
    ) -> Response:
        return await finding.one(actor, reminder_id, same, shown_in(languages))

    @router.get(
        "/{reminder_id}/history",
        response_model=ReminderHistory,
        summary="What happened to it, line by line",
        responses=refusals(404),
    )
    async def history(actor: Asking, reminder_id: str) -> Response:
        return await finding.history(actor, reminder_id)


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
        who: Who,
        actor: Asking,
        reminder_id: str,
        body: ConfirmIn | None = None,
        key: Key = None,
    ) -> Response:
        async def work() -> Response:
            by = body.by if body else ""
            done = await reminders.confirm(actor, ReminderId(reminder_id), by)
            return await current(reminders, done)

        return await once.do(request, who, key, work)


def add_leaving(router: APIRouter, reminders: Reminders, once: OnceOnly) -> None:
    @router.post(
        "/{reminder_id}/snooze",
        response_model=ReminderOut,
        summary="Later: after a duration, or at an instant; ten minutes when neither is said",
        responses=VERBS,
    )
    async def snooze(
        request: Request,
        who: Who,
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

        return await once.do(request, who, key, work)

    @router.post(
        "/{reminder_id}/cancel",
        response_model=ReminderOut,
        summary="Cancel it, whatever its version",
        responses=VERBS,
    )
    async def cancel(actor: Asking, reminder_id: str) -> Response:
        return await current(reminders, await reminders.cancel(actor, ReminderId(reminder_id)))
