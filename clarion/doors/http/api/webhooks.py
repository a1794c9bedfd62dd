"""Routes about webhooks: programs outside that want to be told what happens."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import Field

from clarion.base.paging import unwrap_cursor, wrap_cursor
from clarion.doors.http.auth import Asking
from clarion.doors.http.conventions import (
    PREFIX,
    Cursor,
    IfMatch,
    IfNoneMatch,
    Limit,
    Name,
    Patch,
    Shape,
    answer_json,
    answer_made,
    answer_versioned,
    expected_version,
    given,
    nothing,
    refusals,
    removes,
    shaped,
)
from clarion.webhooks.model import Delivery, Format, Hook
from clarion.webhooks.service import Webhooks

Url = Annotated[
    str,
    Field(
        min_length=9,
        max_length=2000,
        pattern=r"^https?://[A-Za-z0-9.\[\]:-]+(/[!-~]*)?$",
        examples=["https://example.com/clarion"],
    ),
]
KindName = Annotated[str, Field(pattern=r"^[a-z_]+(\.[a-z_]+)*(\.\*)?$", max_length=100)]
Kinds = Annotated[
    list[KindName],
    Field(max_length=50, examples=[["reminder.*"]], description="None means all kinds."),
]
CHANGES = refusals(404, 412, 428)


class HookPatch(Patch):
    url: Url = "https://example.com"
    kinds: Kinds = Field(default_factory=list)
    format: Format = Format.STANDARD
    name: Name = ""
    enabled: bool = True


class HookIn(Shape):
    url: Url
    kinds: Kinds = Field(default_factory=list)
    format: Format = Format.STANDARD
    name: Name = ""


class HookOut(Shape):
    id: str
    user_id: str | None
    url: str
    kinds: list[str]
    format: Format
    name: str
    enabled: bool
    failures: int = Field(description="In a row.")
    reason: str = Field(description="Why Clarion switched it off.")
    created_at: str
    version: int


class NewHook(HookOut):
    secret: str = Field(description="What messages are signed with. It is shown this once.")


class DeliveryOut(Shape):
    sequence: int = Field(description="The event's number.")
    status: str
    attempt: int
    error: str
    created_at: str
    ended_at: str | None


class Deliveries(Shape):
    items: list[DeliveryOut]


class HookPage(Shape):
    items: list[HookOut]
    next_cursor: str | None


def webhook_routes(hooks: Webhooks) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/webhooks", tags=["webhooks"])

    @router.get("", response_model=HookPage, summary="Your webhooks; all of them for admins")
    async def list_hooks(actor: Asking, limit: Limit = 50, cursor: Cursor = None) -> Response:
        after = unwrap_cursor(cursor, str)[0] if cursor else ""
        found = await hooks.list(actor.user_id, after=after, limit=limit + 1)
        more = wrap_cursor(found[limit - 1].id) if len(found) > limit else None
        return answer_json({"items": [shown(one) for one in found[:limit]], "next_cursor": more})

    @router.post(
        "",
        response_model=NewHook,
        status_code=HTTPStatus.CREATED,
        summary="Subscribe; an admin's webhook hears of everybody",
    )
    async def add_hook(actor: Asking, body: HookIn) -> Response:
        hook = await hooks.create(
            actor.user_id,
            url=body.url,
            kinds=tuple(body.kinds),
            format=body.format,
            name=body.name,
        )
        whole = {**shown(hook), "secret": hook.secret}
        return answer_made(whole, f"{PREFIX}/webhooks/{hook.id}", hook.version)

    add_one(router, hooks)
    add_deliveries(router, hooks)
    return router


def add_one(router: APIRouter, hooks: Webhooks) -> None:
    @router.get(
        "/{hook_id}", response_model=HookOut, summary="One webhook", responses=refusals(404)
    )
    async def get_hook(actor: Asking, hook_id: str, same: IfNoneMatch = None) -> Response:
        hook = await hooks.get(actor.user_id, hook_id)
        return answer_versioned(shown(hook), hook.version, same)

    @router.patch("/{hook_id}", response_model=HookOut, summary="Change", responses=CHANGES)
    async def change_hook(
        actor: Asking, hook_id: str, body: HookPatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        fields = given(body, kinds=tuple)
        hook = await hooks.update(actor.user_id, hook_id, version, **fields)
        return answer_json(shown(hook), version=hook.version)

    @router.delete(
        "/{hook_id}",
        summary="Unsubscribe",
        **removes(),
    )
    async def remove_hook(actor: Asking, hook_id: str) -> Response:
        await hooks.remove(actor.user_id, hook_id)
        return nothing()

    @router.post(
        "/{hook_id}/rotate",
        response_model=NewHook,
        summary="A new secret; messages carry both signatures for a day",
        responses=refusals(404, 412),
    )
    async def rotate(actor: Asking, hook_id: str) -> Response:
        hook = await hooks.rotate(actor.user_id, hook_id)
        return answer_json({**shown(hook), "secret": hook.secret}, version=hook.version)

    @router.post(
        "/{hook_id}/test",
        status_code=HTTPStatus.ACCEPTED,
        response_class=Response,
        summary="Send a trial message, `webhook.test`",
        responses=refusals(404),
    )
    async def test(actor: Asking, hook_id: str) -> Response:
        await hooks.test(actor.user_id, hook_id)
        return Response(status_code=HTTPStatus.ACCEPTED)


def shown(hook: Hook) -> dict[str, Any]:
    return shaped(HookOut, hook)


def add_deliveries(router: APIRouter, hooks: Webhooks) -> None:
    @router.get(
        "/{hook_id}/deliveries",
        response_model=Deliveries,
        summary="What was delivered lately, and what was not",
        responses=refusals(404),
    )
    async def list_deliveries(actor: Asking, hook_id: str) -> Response:
        found = await hooks.deliveries(actor.user_id, hook_id)
        return answer_json({"items": [delivery_shown(one) for one in found]})

    @router.post(
        "/{hook_id}/deliveries/{sequence}",
        status_code=HTTPStatus.ACCEPTED,
        response_class=Response,
        summary="Deliver an event once more",
        responses=refusals(404),
    )
    async def send_again(
        actor: Asking, hook_id: str, sequence: Annotated[int, Path(ge=1, le=2**53)]
    ) -> Response:
        await hooks.send_again(actor.user_id, hook_id, sequence)
        return Response(status_code=HTTPStatus.ACCEPTED)


def delivery_shown(one: Delivery) -> dict[str, Any]:
    return shaped(DeliveryOut, one)
