"""How a tool answers: structured content and a sentence; a refusal with its code and hint."""

import json
from collections.abc import Awaitable, Iterable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import BaseModel, ValidationError

from clarion.access.audit import AuditTrail
from clarion.access.tokens import InsufficientScope, check_scope
from clarion.base.errors import BadInput, ClarionError
from clarion.doors.mcp.identity import asking
from clarion.doors.mcp.names import scope_of
from clarion.doors.mcp.repeats import Repeats

PLACES_MAX = 5
CREATES = ("reminder_create", "ask_person")  # and similar names: tools that make something new
READS = ("_get", "_list", "_result")
NOT_ANSWERED = "elicitation was"  # the SDK's words for a question that was declined or closed


async def answer(work: Awaitable[BaseModel]) -> CallToolResult:
    """Our own errors become results that the assistant can read and act on."""
    try:
        out = await work
    except ClarionError as error:
        return refusal(error)
    return told_of(out)


def told_of(out: BaseModel) -> CallToolResult:
    body = out.model_dump(mode="json")
    said = str(body.get("said", ""))
    text = json.dumps(body, ensure_ascii=False)
    # Clients that know no structured content read the text alone: it has to hold everything.
    return CallToolResult(
        content=[TextContent(type="text", text=f"{said}\n{text}" if said else text)],
        structured_content=body,
    )


def refusal(error: ClarionError) -> CallToolResult:
    """A sentence, then its code and hint as JSON.

    There is no structured content: it would have to fit the tool's own schema, and strict
    clients throw it all away when it does not.
    """
    problem = json.dumps({"error": described(error)}, ensure_ascii=False)
    hint = f" {error.hint}" if error.hint else ""
    return CallToolResult(
        is_error=True,
        content=[TextContent(type="text", text=f"{error.message}{hint}\n{problem}")],
    )


def described(error: ClarionError) -> dict[str, Any]:
    """The same codes as REST's problems."""
    problem: dict[str, Any] = {"code": error.code, "detail": error.message, "hint": error.hint}
    if error.details:
        problem["details"] = json.loads(json.dumps(error.details, default=str))
    if error.retry_after is not None:
        problem["retry_after"] = error.retry_after
    return problem


class BadArguments(BadInput):
    """What the assistant gave does not fit the tool."""

    code = "bad_arguments"

    def __init__(self, tool: str, error: ValidationError, known: Iterable[str]) -> None:
        places = [
            f"{'.'.join(str(step) for step in one['loc'])}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)[:PLACES_MAX]
        ]
        super().__init__(
            f"The arguments of {tool} cannot be used. {'; '.join(places)}.",
            hint=f"It takes {', '.join(known)}.",
        )


class NotAnswered(BadInput):
    """The person was asked and did not say."""

    code = "not_answered"

    def __init__(self) -> None:
        super().__init__(
            "The person did not answer the question about the time.",
            hint="Ask them when, then call again with their words. Nothing was set.",
        )


class AnsweringTools(MCPServer):
    """The SDK's server, but its own refusals are sentences with a code like all of ours, and
    what is created twice in a moment is created once.
    """

    repeats: Repeats
    trail: AuditTrail

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Any = None
    ) -> CallToolResult | InputRequiredResult:
        who = asking()
        try:
            check_scope(who.scopes, scope_of(name))
        except InsufficientScope as error:
            return refusal(error)
        holder = who.token_id
        if name.endswith(READS):
            return await self._said_plainly(name, arguments, context)
        if not name.startswith(CREATES):
            self.repeats.forget(holder)
            return await self._noted(name, arguments, context)
        return await self.repeats.once(
            holder, name, arguments, lambda: self._noted(name, arguments, context)
        )

    async def _noted(
        self, name: str, arguments: dict[str, Any], context: Any
    ) -> CallToolResult | InputRequiredResult:
        """A change is noted with whom it was for, once it is done."""
        result = await self._said_plainly(name, arguments, context)
        if isinstance(result, CallToolResult) and not result.is_error:
            request = getattr(getattr(context, "request_context", None), "request", None)
            client = getattr(request, "client", None)
            subject = subject_of(arguments, result.structured_content or {})
            self.trail.note("mcp", name, subject, asking(), client.host if client else "")
        return result

    async def _said_plainly(
        self, name: str, arguments: dict[str, Any], context: Any
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise  # our own defect, which the SDK logs
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                tool = self._tool_manager.get_tool(name)
                known = tool.parameters["properties"] if tool else ()
                return refusal(BadArguments(name, error.__cause__, known))
            if NOT_ANSWERED in str(error):
                return refusal(NotAnswered())
            return refusal(BadInput(str(error), hint="See tools/list."))


def subject_of(arguments: dict[str, Any], answered: dict[str, Any]) -> str:
    """The id that was named, or that of what was made."""
    for part in ("series", "reminder", "task"):
        if isinstance(made := answered.get(part), dict):
            return str(made.get("id", ""))
    return str(answered.get("question_id") or arguments.get("reminder_id", ""))


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
