"""The MCP server: tools, resources and prompts over one endpoint, for both eras."""

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server.auth.settings import AuthSettings
from mcp.server.extension import Extension
from mcp.server.mcpserver import MCPServer
from mcp.server.request_state import RequestStateSecurity
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.types import ASGIApp

import clarion
from clarion.access.audit import AuditTrail
from clarion.access.tokens import Access
from clarion.doors.mcp.answers import AnsweringTools
from clarion.doors.mcp.changes import Changes, Owned
from clarion.doors.mcp.creating import add_creating
from clarion.doors.mcp.extensions.card import CardHosts, card_app
from clarion.doors.mcp.identity import Verifier
from clarion.doors.mcp.kit import Kit
from clarion.doors.mcp.managing import add_managing
from clarion.doors.mcp.names import ToolNames
from clarion.doors.mcp.repeats import Repeats
from clarion.doors.mcp.resources import add_prompts, add_resources
from clarion.doors.mcp.voice import VoiceTools

PATH = "/mcp"
INSTRUCTIONS = """\
Clarion reminds people on their own devices, repeats what has to be confirmed, and tells a contact
when nobody answers. Prefer reminder_create_natural and pass on the person's own words. Every
answer has `said`: read it back, so that a misheard time is noticed. Errors carry a code and a
hint that says what to do next. You cannot ring anybody through this connection: set a reminder."""
SESSIONS_MAX = 2_000
SESSION_IDLE = 1_800.0  # seconds; hosts keep one open for as long as their window is


@dataclass(frozen=True, slots=True)
class McpDoor:
    app: ASGIApp
    changes: Changes
    voice: VoiceTools
    """The same tools for speakers that come over a line of their own."""
    running: Callable[[], Any]
    """An async context manager: the door works while it is entered."""


def build_mcp(
    kit: Kit,
    access: Access,
    *,
    key: bytes,
    trail: AuditTrail,
    dotted_names: bool = False,
    body_bytes_max: int = 1_048_576,
    extras: tuple[Callable[[MCPServer], None], ...] = (),
    extensions: tuple[Extension, ...] = (),
) -> McpDoor:
    """`key` seals dialogs that wait for a person, so any server may resume them."""
    changes = Changes()
    mcp = AnsweringTools(
        "clarion",
        title="Clarion",
        version=clarion.__version__,
        instructions=INSTRUCTIONS,
        token_verifier=Verifier(access),
        # There is no authorisation server of ours: tokens come from `clarion token create`.
        auth=AuthSettings(issuer_url=AnyHttpUrl("http://localhost"), resource_server_url=None),
        subscriptions=changes.bus,
        request_state_security=RequestStateSecurity(keys=[hashlib.sha256(key).digest()]),
        middleware=[ToolNames(dotted=dotted_names), Owned(kit), CardHosts()],
        extensions=[card_app(), *extensions],
        log_level="WARNING",
    )
    mcp.repeats, mcp.trail = Repeats(kit.clock), trail
    fill(mcp, kit, extras)
    changes.serve(mcp._lowlevel_server)
    app = mcp.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=body_bytes_max,
        session_idle_timeout=SESSION_IDLE,
        max_sessions=SESSIONS_MAX,
        # The HTTP door around us has looked at Host and Origin already.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield

    return McpDoor(app, changes, VoiceTools(mcp), running)


def fill(mcp: MCPServer, kit: Kit, extras: tuple[Callable[[MCPServer], None], ...]) -> None:
    add_creating(mcp, kit)
    add_managing(mcp, kit)
    add_resources(mcp, kit)
    add_prompts(mcp, kit)
    for add in extras:
        add(mcp)
    forbid_unknown(mcp)


def forbid_unknown(mcp: MCPServer) -> None:
    """An argument that does not exist is a typo; the assistant should see it, not lose it."""
    for tool in mcp._tool_manager.list_tools():
        model = tool.fn_metadata.arg_model
        model.model_config["extra"] = "forbid"
        model.model_rebuild(force=True)
        tool.parameters = model.model_json_schema(by_alias=True)
