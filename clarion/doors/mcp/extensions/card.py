"""A card for hosts that show pages of ours (MCP Apps): today, what waits for a yes, buttons.

It belongs to `reminder_list`. Hosts that did not say that they show cards never hear of it.
"""

from pathlib import Path
from typing import Any

from mcp.server.apps import Apps, ResourceCsp, client_supports_apps
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

CARD = "ui://clarion/today.html"
CARD_META: dict[str, Any] = {"ui": {"resourceUri": CARD}}
"""For the tool whose answer the card shows."""
PAGE = Path(__file__).with_name("card.html")


def card_app() -> Apps:
    apps = Apps()
    apps.add_html_resource(
        CARD,
        PAGE.read_text(encoding="utf-8"),
        name="today",
        title="Today",
        description="Today's reminders, and what waits for a yes, with buttons.",
        # The page calls nobody: it speaks with its host alone.
        csp=ResourceCsp(connect_domains=[], resource_domains=[]),
        prefers_border=True,
    )
    return apps


class CardHosts:
    """Middleware: the card is listed only for hosts that can show it."""

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        result = await call_next(ctx)
        if not isinstance(result, dict) or client_supports_apps(ctx):
            return result
        if ctx.method == "tools/list":
            return {**result, "tools": [without_card(one) for one in result["tools"]]}
        if ctx.method == "resources/list":
            kept = [one for one in result["resources"] if one["uri"] != CARD]
            return {**result, "resources": kept}
        return result


def without_card(tool: dict[str, Any]) -> dict[str, Any]:
    if tool.get("_meta") != CARD_META:
        return tool
    return {name: one for name, one in tool.items() if name != "_meta"}
