"""Middleware over tool names: dotted names work too, and admin tools are shown to admins only."""

from dataclasses import replace
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types import ListToolsResult, Tool

from clarion.doors.mcp.identity import asking

ADMIN_TOOLS = ("task_", "dispatch_", "team_")
ADMIN_ARGUMENT = "user_id"


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
        if ctx.method == "tools/list" and isinstance(result, ListToolsResult):
            return result.model_copy(update={"tools": self._listed(result.tools)})
        return result

    def _listed(self, tools: list[Tool]) -> list[Tool]:
        if not asking().is_admin:
            tools = [without_owner(one) for one in tools if not one.name.startswith(ADMIN_TOOLS)]
        if self._dotted:
            return [one.model_copy(update={"name": one.name.replace("_", ".", 1)}) for one in tools]
        return tools


def without_owner(tool: Tool) -> Tool:
    """Whoever speaks for one user has no use for an argument that names another."""
    properties = dict(tool.input_schema.get("properties", {}))
    properties.pop(ADMIN_ARGUMENT, None)
    return tool.model_copy(update={"input_schema": {**tool.input_schema, "properties": properties}})
