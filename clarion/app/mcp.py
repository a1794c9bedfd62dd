"""Joins the assistants' door, after everything else is up, and what lets people connect
assistants by themselves: OAuth, and the list of who is connected.

Its SDK takes a second to import, so the door is made with the first request, and only that one
waits.
"""

import asyncio
import logging
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from clarion.access.audit import AuditTrail
from clarion.access.feed import EventFeed
from clarion.access.tokens import Access
from clarion.access.xiaozhi import AccessPoints
from clarion.app.parts import Parts
from clarion.app.services import Dispatching
from clarion.base.errors import Unavailable
from clarion.base.ids import UserId, new_id
from clarion.doors.http.api.queue.tasks import TaskBook
from clarion.doors.http.api.xiaozhi import Owners, xiaozhi_routes
from clarion.doors.http.auth import KnownCallers
from clarion.doors.mcp.access_point import AccessPointLines
from clarion.exits.reach import Reach
from clarion.people.model import Newcomer
from clarion.people.service import People
from clarion.questions.service import Questions
from clarion.reminders.service import Reminders
from clarion.store.sql.access import xiaozhi
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.access.xiaozhi import SqlPoints
from clarion.store.sql.people import activation
from clarion.store.sql.people import store as people_rows

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from clarion.doors.mcp.server import McpDoor
    from clarion.doors.mcp.voice import VoiceTools
from clarion.access.connecting import Connecting, Lives
from clarion.doors.http.connect.routes import host_routes
from clarion.doors.http.oauth.connected import assistant_routes
from clarion.doors.http.oauth.consent import Consent, consent_routes
from clarion.doors.http.oauth.documents import HttpDocuments
from clarion.doors.http.oauth.endpoints import endpoint_routes
from clarion.doors.http.oauth.metadata import metadata_routes
from clarion.store.sql.access.connections import SqlConnections
from clarion.store.sql.audit import SqlAudit

log = logging.getLogger(__name__)

PATH = "/mcp"
SLOW = (
    "clarion.doors.mcp.server",
    "clarion.doors.mcp.tasks",
    "clarion.doors.mcp.dispatch",
    "clarion.doors.mcp.extensions.question_tasks",
)


@dataclass(frozen=True, slots=True)
class McpMeans:
    access: Access
    feed: EventFeed
    reminders: Reminders
    people: People
    tasks: TaskBook
    trail: AuditTrail
    dispatching: Dispatching | None = None
    questions: Questions | None = None


class LateDoor:
    """A runner that makes the door, and the application that forwards to it."""

    name = "mcp"

    def __init__(self, parts: Parts, means: McpMeans) -> None:
        self._parts = parts
        self._means = means
        self._door: asyncio.Future[McpDoor] | None = None
        self._knocked = asyncio.Event()

    async def run(self) -> None:
        await self._knocked.wait()
        try:
            for module in SLOW:
                await asyncio.to_thread(import_module, module)
            door = await self._make()
        except Exception:
            # A door that cannot be made must not silence the reminders.
            log.exception("the assistants' door could not be made")
            away = Unavailable("Assistants cannot be served here.", hint="See the server's log.")
            self._expected().set_exception(away)
            return
        stop = self._means.feed.listen(door.changes.offer)
        try:
            async with door.running():
                self._expected().set_result(door)
                await door.changes.run()
        finally:
            stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._knocked.set()
        door = await asyncio.shield(self._expected())
        await door.app(scope, receive, send)

    async def voice(self) -> "VoiceTools":
        """The tools of a speaker's line. The first line is a knock as well."""
        self._knocked.set()
        door = await asyncio.shield(self._expected())
        return door.voice

    def _expected(self) -> "asyncio.Future[McpDoor]":
        if self._door is None:
            self._door = asyncio.get_running_loop().create_future()
        return self._door

    async def _make(self) -> "McpDoor":
        from clarion.doors.mcp.dispatch import add_dispatch_tools
        from clarion.doors.mcp.extensions.question_tasks import QuestionTasks
        from clarion.doors.mcp.kit import Kit
        from clarion.doors.mcp.questions import QuestionTools
        from clarion.doors.mcp.server import build_mcp
        from clarion.doors.mcp.tasks import add_task_tools

        settings, clock, means = self._parts.settings, self._parts.clock, self._means
        newcomer = Newcomer(zone=settings.home_zone.key, language=settings.language)
        kit = Kit(means.reminders, means.people, clock, newcomer)
        asking = QuestionTools(means.questions, kit) if means.questions else None

        def add_tools(mcp: "MCPServer") -> None:
            add_task_tools(mcp, means.tasks, clock)
            if asking is not None:
                asking.add_to(mcp)
            if means.dispatching is not None:
                add_dispatch_tools(mcp, means.dispatching.dispatch, means.dispatching.desk)

        return build_mcp(
            kit,
            means.access,
            key=await self._parts.database.write(secret, "mcp"),
            dotted_names=settings.tool_names == "dotted",
            body_bytes_max=settings.body_bytes_max,
            trail=means.trail,
            extras=(add_tools,),
            extensions=(QuestionTasks(asking, means.trail),) if asking else (),
        )


def add_mcp(parts: Parts, means: McpMeans) -> None:
    if not parts.listens:
        return
    late = LateDoor(parts, means)
    add_lines(parts, late, means)
    parts.runners.append(late)
    # An exact route, not a mount: a mount answers /mcp with a redirect that clients refuse.
    parts.touches.append(lambda app: app.router.routes.append(Route(PATH, KnownCallers(late))))


def add_lines(parts: Parts, late: LateDoor, means: McpMeans) -> None:
    """Lines out to xiaozhi: one server has them all, and they move when it dies."""
    reach = Reach(private_allowed=parts.settings.private_targets)
    store = SqlPoints(parts.database)
    points = AccessPoints(store, parts.clock, reach.refuse_now)
    server = new_id("srv", parts.clock.now())
    lines = AccessPointLines(store, points, late.voice, reach, parts.clock, server)
    loop = parts.add_duty(lines)
    lines.on_idle = loop.wake
    parts.runners.append(Carried(lines))
    parts.on_signal(xiaozhi.CHANNEL, loop.wake)
    parts.routers.append(
        xiaozhi_routes(points, means.reminders, means.people, machines(parts), parts.clock)
    )


@dataclass(frozen=True, slots=True)
class Carried:
    """The lines' runner beside their pass, under a name of its own."""

    lines: AccessPointLines
    name: str = "xiaozhi sockets"

    async def run(self) -> None:
        await self.lines.run()


def machines(parts: Parts) -> Owners:
    async def owner(hardware: str) -> UserId | None:
        found = await parts.database.read(activation.device_of, hardware)
        if found is None:
            found = await parts.database.read(people_rows.device, hardware)
        return found.user_id if found else None

    return owner


async def add_assistants(parts: Parts, access: Access, trail: AuditTrail, people: People) -> None:
    settings = parts.settings
    connecting = Connecting(
        SqlConnections(parts.database),
        access,
        HttpDocuments(Reach(private_allowed=settings.private_targets)),
        parts.clock,
        Lives(access=settings.assistant_token_life, idle=settings.assistant_idle_max),
    )
    key = await parts.database.write(secret, "consent")
    consent = Consent(connecting, people, key, settings.public_url)
    parts.routers += [
        metadata_routes(settings.public_url),
        consent_routes(consent),
        endpoint_routes(connecting, parts.clock, settings.failed_tries),
        host_routes(settings.public_url),
        assistant_routes(access, SqlAudit(parts.database), trail),
    ]
