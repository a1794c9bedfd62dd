"""Middleware over tool names: dotted names work too, and admin tools are shown to admins only.

Results pass through here as they go on the wire: plain dictionaries.
"""

from dataclasses import replace
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from clarion.access.tokens import Scope
from clarion.doors.mcp.identity import asking
from clarion.doors.mcp.listing import VOICE, compact, voiced

ADMIN_TOOLS = ("task_", "dispatch_", "team_")
ADMIN_ARGUMENT = "user_id"
PROFILE = "profile"

SCOPES = {
    "reminder_get": Scope.READ,
    "reminder_list": Scope.READ,
    "reminder_confirm": Scope.CONFIRM,
    "reminder_snooze": Scope.CONFIRM,
    "ask_person": Scope.SET,
    "question_result": Scope.READ,
}
BEGINNINGS = {"reminder_": Scope.SET, "dispatch_": Scope.DISPATCH, "team_": Scope.DISPATCH}


def scope_of(tool: str) -> Scope:
    """What a connected assistant has to be allowed for it. What is on no line needs `admin`."""
    begins = (scope for start, scope in BEGINNINGS.items() if tool.startswith(start))
    return SCOPES.get(tool) or next(begins, Scope.ADMIN)


class ToolNames:
    """`reminder.create` is `reminder_create`. Never both in one list: that doubles it."""

    def __init__(self, *, dotted: bool) -> None:
        self._dotted = dotted

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        if ctx.method == "tools/call" and ctx.params and "name" in ctx.params:
            plain = str(ctx.params["name"]).replace(".", "_", 1)
            ctx = replace(ctx, params={**ctx.params, "name": plain})
        result = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(result, dict):
            return {**result, "tools": self._listed(result["tools"], profile_of(ctx))}
        return result

    def _listed(self, tools: list[dict[str, Any]], profile: str) -> list[dict[str, Any]]:
        who = asking()
        if who.scopes is not None:
            tools = [one for one in tools if scope_of(one["name"]) in who.scopes]
        if not who.is_admin:
            tools = [without_owner(one) for one in tools if not one["name"].startswith(ADMIN_TOOLS)]
        tools = voiced(tools) if profile == VOICE else [compact(one) for one in tools]
        if self._dotted:
            return [{**one, "name": one["name"].replace("_", ".", 1)} for one in tools]
        return tools


def profile_of(ctx: ServerRequestContext[Any, Any]) -> str:
    """`/mcp?profile=voice` asks for fewer tools: for assistants that only listen and speak."""
    asked = getattr(ctx.request, "query_params", {}).get(PROFILE, "")
    return str(asked)


def without_owner(tool: dict[str, Any]) -> dict[str, Any]:
    """Whoever speaks for one user has no use for an argument that names another."""
    schema = tool["inputSchema"]
    kept = {name: one for name, one in schema["properties"].items() if name != ADMIN_ARGUMENT}
    return {**tool, "inputSchema": {**schema, "properties": kept}}
