"""Routes about series: what recurring reminders come from."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from clarion.base.ids import DeviceId, SeriesId
from clarion.doors.http.api.reminders import (
    Base,
    Confirmation,
    Content,
    Context,
    Owner,
    SeriesOut,
    confirmation_in,
    series_out,
)
from clarion.doors.http.auth import Actor, Asking, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Cursor,
    Id,
    IfMatch,
    IfNoneMatch,
    Instant,
    Key,
    Limit,
    OnceOnly,
    Patch,
    Shape,
    answer_json,
    answer_made,
    answer_versioned,
    expected_version,
    given,
    refusals,
)
from clarion.reminders.model import Series
from clarion.reminders.service import Reminders

CHANGES = refusals(404, 409, 412, 428)
VERBS = refusals(404, 409)


class SeriesIn(Shape):
    content: Content
    pattern: Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")] = Field(
        description="Cron, an RRULE, or words.", examples=["0 8 * * *", "每天早上8点"]
    )
    user_id: Owner = None
    device_id: Id | None = None
    confirmation: Confirmation | None = None
    base: Base | None = None
    end_date: Instant | None = None
    count: int | None = Field(None, ge=1, le=10_000)
    zone: str | None = Field(None, min_length=1, max_length=64)
    context: Context = Field(default_factory=dict)


class SeriesPatch(Patch):
    content: Content = "-"
    pattern: Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")] = "0 8 * * *"
    device_id: Id | None = None
    confirmation: Confirmation = Field(default_factory=lambda: Confirmation.model_validate({}))
    base: Base = 10
    end_date: Instant | None = None
    count: int | None = Field(None, ge=1, le=10_000)
    zone: str = Field("UTC", min_length=1, max_length=64)
    context: Context = Field(default_factory=dict)


class SeriesPage(Shape):
    items: list[SeriesOut]
    next_cursor: str | None


def series_routes(reminders: Reminders, once: OnceOnly) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/series", tags=["series"])

    @router.post(
        "",
        response_model=SeriesOut,
        status_code=HTTPStatus.CREATED,
        summary="Set a recurring reminder",
        responses=VERBS,
    )
    async def create(request: Request, actor: Asking, body: SeriesIn, key: Key = None) -> Response:
        async def work() -> Response:
            made = await reminders.series.create(
                actor,
                user_id=whose(actor, body.user_id),
                known=True,
                content=body.content,
                pattern=body.pattern,
                device_id=DeviceId(body.device_id) if body.device_id else None,
                confirmation=confirmation_in(body.confirmation),
                base=body.base,
                end_date=body.end_date,
                count=body.count,
                zone=body.zone,
                context=body.context,
                key=key,
            )
            return answer_made(series_out(made), f"{PREFIX}/series/{made.id}", made.version)

        return await once.do(request, actor.user_id, key, work)

    @router.get("", response_model=SeriesPage, summary="Your series; all of them for admins")
    async def find(
        actor: Asking,
        user_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        owner = None if actor.admin and not user_id else whose(actor, user_id)
        page = await reminders.series.list(actor, user_id=owner, limit=limit, cursor=cursor)
        items = [series_out(series) for series in page.items]
        return answer_json({"items": items, "next_cursor": page.next_cursor})

    add_one(router, reminders)
    add_verbs(router, reminders)
    return router


KeepOpen = Annotated[
    bool, Query(description="Let what it has snoozed, asks again or rings now go on.")
]


def current(series: Series) -> Response:
    return answer_json(series_out(series), version=series.version)


def add_one(router: APIRouter, reminders: Reminders) -> None:
    @router.get(
        "/{series_id}", response_model=SeriesOut, summary="One series", responses=refusals(404)
    )
    async def get(actor: Asking, series_id: str, same: IfNoneMatch = None) -> Response:
        series = await reminders.series.get(actor, SeriesId(series_id))
        return answer_versioned(series_out(series), series.version, same)

    @router.patch(
        "/{series_id}",
        response_model=SeriesOut,
        summary="Change it; the reminder that waits follows",
        responses=CHANGES,
    )
    async def change(
        actor: Asking, series_id: str, body: SeriesPatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        fields = given(body, confirmation=confirmation_in)
        return current(
            await reminders.series.update(actor, SeriesId(series_id), version=version, **fields)
        )

    @router.delete(
        "/{series_id}", response_model=SeriesOut, summary="End it for good", responses=CHANGES
    )
    async def end(
        actor: Asking, series_id: str, if_match: IfMatch = None, keep_open: KeepOpen = False
    ) -> Response:
        version = expected_version(if_match)
        return current(
            await reminders.series.end(actor, SeriesId(series_id), version, keep_open=keep_open)
        )


def add_verbs(router: APIRouter, reminders: Reminders) -> None:
    verbs: dict[str, tuple[str, Callable[[Actor, SeriesId], Awaitable[Series]]]] = {
        "pause": ("No more reminders until it is resumed", reminders.series.pause),
        "resume": ("From the next time that is still to come", reminders.series.resume),
        "skip": ("Leave out the next time", reminders.series.skip_next),
    }
    for name, (summary, verb) in verbs.items():
        router.add_api_route(
            f"/{{series_id}}/{name}",
            endpoint_of(verb),
            methods=["POST"],
            name=f"{name}_series",
            response_model=SeriesOut,
            summary=summary,
            responses=VERBS,
        )


def endpoint_of(
    verb: Callable[[Actor, SeriesId], Awaitable[Series]],
) -> Callable[..., Awaitable[Response]]:
    async def endpoint(actor: Asking, series_id: str) -> Response:
        return current(await verb(actor, SeriesId(series_id)))

    return endpoint
