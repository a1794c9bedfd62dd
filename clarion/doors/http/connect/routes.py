"""Routes behind the page *Connect an assistant*: what to paste into each host."""

from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from clarion.doors.http.auth import Asking, base_of
from clarion.doors.http.connect.manifest import AssistantHost, assistant_hosts
from clarion.doors.http.conventions import PREFIX, Shape, answer_json


class HostOut(Shape):
    id: str
    title: dict[str, str] = Field(description="Its name, by language.")
    kind: Literal["oauth", "token", "stdio"]
    where: dict[str, str] = Field(description="Where it is pasted, by language.")
    snippet: str = Field(description="The exact text; `{token}` is yours to put in.")
    link: str = Field(description="Adds it with one click, where the host can; else empty.")


class HostList(Shape):
    url: str = Field(description="Where assistants find this Clarion.")
    secure: bool = Field(description="Whether hosts in the cloud can use that address.")
    items: list[HostOut]


def host_routes(public_url: str) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/assistants/hosts", tags=["assistants"])

    @router.get("", response_model=HostList, summary="What to paste into each assistant")
    async def list_hosts(actor: Asking, request: Request) -> Response:
        base = base_of(request, public_url)
        items = [shown(one, base, actor.user_id or "me") for one in assistant_hosts()]
        return answer_json(
            {"url": f"{base}/mcp", "secure": base.startswith("https://"), "items": items}
        )

    return router


def shown(host: AssistantHost, base: str, user: str) -> dict[str, Any]:
    return {
        "id": host.id,
        "title": host.title,
        "kind": host.kind,
        "where": host.where,
        "snippet": host.filled(base, user),
        "link": host.install_link(base),
    }
