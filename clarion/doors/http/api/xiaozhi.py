"""Routes for owners of xiaozhi: paste an address, see whether its line is up, and the context
that a server of one's own asks for at each wake.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from http import HTTPStatus
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Header, Path, Query, Response
from pydantic import Field

from clarion.access.xiaozhi import (
    ADDRESS_LETTERS_MAX,
    SENTENCES,
    AccessPoint,
    AccessPoints,
    LineError,
    PointId,
    PointState,
)
from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import UserId
from clarion.doors.http.auth import Actor, Asking, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Id,
    Shape,
    answer_json,
    answer_made,
    nothing,
    refusals,
    removes,
    said,
    shaped,
)
from clarion.people.model import CLARION, User
from clarion.people.service import People
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.service import Reminders

LINES_MAX = 20  # they are read to a model at every wake
WAITS = {
    "zh": "正在等回答：{content}（编号 {id}，已提醒 {attempt} 次）",
    "en": "Waiting for an answer: {content} (id {id}, said {attempt} times)",
}
COMES = {"zh": "今天 {at}：{content}（编号 {id}）", "en": "Today {at}: {content} (id {id})"}

Owners = Callable[[str], Awaitable[UserId | None]]
"""Whose device a machine is, by its hardware address or its id."""


class PointIn(Shape):
    address: str = Field(
        min_length=1,
        max_length=ADDRESS_LETTERS_MAX,
        description="As copied from xiaozhi. It is a secret: nothing shows it again.",
        examples=["wss://api.xiaozhi.me/mcp/?token=…"],
    )
    user_id: Id | None = None


class PointOut(Shape):
    id: str
    user_id: str
    address: str = Field(description="Without its secret.")
    state: PointState
    error: LineError = Field(description="Why the last line ended; empty while all is well.")
    detail: str = Field(description="The same as a sentence.")
    connected_at: str | None
    next_at: str | None = Field(description="When it is tried again.")


class PointList(Shape):
    items: list[PointOut]


class ContextOut(Shape):
    """As xiaozhi-esp32-server wants it."""

    code: int = 0
    data: list[str]


def xiaozhi_routes(
    points: AccessPoints, reminders: Reminders, people: People, owners: Owners, clock: Clock
) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/xiaozhi", tags=["xiaozhi"])

    @router.get("", response_model=PointList, summary="xiaozhi addresses and their lines")
    async def list_points(
        actor: Asking, user_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None
    ) -> Response:
        owner = actor.user_id if not actor.admin else (UserId(user_id) if user_id else None)
        return answer_json({"items": [shown(one) for one in await points.list(owner)]})

    @router.post(
        "",
        response_model=PointOut,
        status_code=HTTPStatus.CREATED,
        summary="Paste a xiaozhi address",
        responses=refusals(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def add_point(actor: Asking, body: PointIn) -> Response:
        owner = whose(actor, body.user_id)
        await people.user(actor, owner)
        made = await points.add(owner, body.address)
        return answer_made(shown(made), f"{PREFIX}/xiaozhi/{made.id}")

    add_one(router, points)
    whole = APIRouter()
    whole.include_router(router)
    whole.include_router(context_routes(reminders, people, owners, clock))
    return whole


def add_one(router: APIRouter, points: AccessPoints) -> None:
    @router.post(
        "/{point_id}/connect",
        response_model=PointOut,
        summary="Connect again now",
        responses=refusals(HTTPStatus.NOT_FOUND),
    )
    async def connect_point(
        actor: Asking, point_id: Annotated[str, Path(max_length=64)]
    ) -> Response:
        owner = None if actor.admin else actor.user_id
        return answer_json(shown(await points.retry(owner, PointId(point_id))))

    @router.delete(
        "/{point_id}",
        summary="Forget an address; its line is closed",
        **removes(),
    )
    async def remove_point(
        actor: Asking, point_id: Annotated[str, Path(max_length=64)]
    ) -> Response:
        await points.remove(None if actor.admin else actor.user_id, PointId(point_id))
        return nothing()


def context_routes(reminders: Reminders, people: People, owners: Owners, clock: Clock) -> APIRouter:
    router = APIRouter(tags=["xiaozhi"])

    @router.get(
        "/xiaozhi/context",
        response_model=ContextOut,
        summary="What waits for an answer and what comes today, for a device that woke",
    )
    async def get_context(
        actor: Asking,
        device_id: Annotated[str, Header(alias="device-id", max_length=ID_LETTERS_MAX)] = "",
    ) -> Response:
        user = await people.user(CLARION, await owner_of(actor, device_id, owners))
        found = await reminders.list(
            actor,
            user_id=user.id,
            status=(ReminderStatus.TRIGGERED, ReminderStatus.PENDING),
            until=midnight(clock.now(), user),
            limit=LINES_MAX,
        )
        return answer_json({"code": 0, "data": [line(one, user) for one in found.items]})

    return router


async def owner_of(actor: Actor, device_id: str, owners: Owners) -> UserId:
    """The device's own person. A token that speaks for one person reads nobody else's day."""
    found = await owners(device_id.strip().lower()) if device_id else None
    if found is None and not actor.admin:
        found = actor.user_id
    if found is None or not actor.may_see(found):
        raise NotFound("No such device.", hint="Send its MAC address as `device-id`.")
    return found


def midnight(now: datetime, user: User) -> datetime:
    zone = ZoneInfo(user.zone)
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), zone)


def line(reminder: Reminder, user: User) -> str:
    if reminder.status is ReminderStatus.TRIGGERED:
        return WAITS[user.language].format(
            content=reminder.content, id=reminder.id, attempt=reminder.attempt
        )
    at = f"{reminder.trigger_at.astimezone(ZoneInfo(user.zone)):%H:%M}"
    return COMES[user.language].format(content=reminder.content, id=reminder.id, at=at)


def shown(point: AccessPoint) -> dict[str, Any]:
    next_at = said(point.next_at) if point.state is PointState.WAITING else None
    detail = SENTENCES[point.error]
    return shaped(PointOut, point, address=point.masked, detail=detail, next_at=next_at)
