"""How a tool answers: structured content and a sentence; a refusal with its code and hint."""

import json
from collections.abc import Awaitable
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel

from clarion.base.errors import ClarionError


async def answer(work: Awaitable[BaseModel]) -> CallToolResult:
    """Our own errors become results that the assistant can read and act on."""
    try:
        out = await work
    except ClarionError as error:
        return refusal(error)
    body = out.model_dump(mode="json")
    said = str(body.get("said", ""))
    text = json.dumps(body, ensure_ascii=False)
    # Clients that know no structured content read the text alone: it has to hold everything.
    return CallToolResult(
        content=[TextContent(type="text", text=f"{said}\n{text}" if said else text)],
        structured_content=body,
    )


def refusal(error: ClarionError) -> CallToolResult:
    told = described(error)
    hint = f" {error.hint}" if error.hint else ""
    return CallToolResult(
        is_error=True,
        content=[TextContent(type="text", text=f"{error.code}: {error.message}{hint}")],
        structured_content={"error": told},
    )


def described(error: ClarionError) -> dict[str, Any]:
    """The same codes as REST's problems."""
    told: dict[str, Any] = {"code": error.code, "detail": error.message, "hint": error.hint}
    if error.details:
        told["details"] = json.loads(json.dumps(error.details, default=str))
    if error.retry_after is not None:
        told["retry_after"] = error.retry_after
    return told


def reads() -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )


def changes(*, destructive: bool = False, idempotent: bool = True) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=destructive,
        idempotent_hint=idempotent,
        open_world_hint=False,
    )
