"""Routes about connected assistants: which, for whom, when last, what they did; disconnect."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import Field

from clarion.access.audit import AuditStore, AuditTrail, Deed
from clarion.access.tokens import Access, Scope, Token, TokenId
from clarion.doors.http.auth import Asking
from clarion.doors.http.conventions import (
    PREFIX,
    Shape,
    answer_json,
    nothing,
    removes,
    said,
    shaped,
)

DEEDS_SHOWN = 5


class AssistantDeed(Shape):
    at: str
    action: str = Field(examples=["reminder_create_natural"])
    subject: str


class AssistantOut(Shape):
    id: str
    name: str = Field(examples=["Claude"])
    user_id: str | None = Field(description="Whose; none: an admin connected it for everybody.")
    scopes: list[Scope]
    client_id: str
    connected_at: str
    used_at: str | None
    did: list[AssistantDeed] = Field(description="What it changed, the latest first.")


class AssistantList(Shape):
    items: list[AssistantOut]


def assistant_routes(access: Access, deeds: AuditStore, trail: AuditTrail) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/assistants", tags=["assistants"])

    @router.get("", response_model=AssistantList, summary="Assistants that are connected")
    async def list_assistants(actor: Asking) -> Response:
        await trail.write()
        found = await access.connected(user_id=actor.user_id)
        return answer_json({"items": [shown(one, await did(one)) for one in found]})

    async def did(token: Token) -> list[Deed]:
        return await deeds.page(
            user_id=None,
            token_id=token.id,
            since=None,
            until=None,
            before=None,
            limit=DEEDS_SHOWN,
        )

    @router.delete(
        "/{assistant_id}",
        summary="Disconnect an assistant, at once and for good",
        **removes(),
    )
    async def disconnect(
        actor: Asking, assistant_id: Annotated[str, Path(max_length=64)]
    ) -> Response:
        await access.disconnect(TokenId(assistant_id), user_id=actor.user_id)
        return nothing()

    return router


def shown(token: Token, deeds: list[Deed]) -> dict[str, Any]:
    return shaped(
        AssistantOut,
        token,
        scopes=list(token.scopes or ()),
        connected_at=said(token.created_at),
        did=[shaped(AssistantDeed, one) for one in deeds],
    )
