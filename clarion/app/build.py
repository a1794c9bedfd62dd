"""Joins the parts. To add a feature, write its `add_…(parts)` beside this file, call it here."""

import socket
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import NamedTuple

from clarion.app.chats import add_chats, chat_channel
from clarion.app.cluster import add_cluster, add_mirror
from clarion.app.devices import add_devices
from clarion.app.dispatch import add_dispatch
from clarion.app.doors import (
    add_access,
    add_api,
    add_audit,
    add_feed,
    add_outside,
    add_webhooks,
)
from clarion.app.llm import add_llm
from clarion.app.mcp import McpMeans, add_assistants, add_mcp
from clarion.app.parts import Parts
from clarion.app.push import add_push
from clarion.app.questions import add_questions
from clarion.app.reminders import (
    add_invitations,
    add_notifications,
    add_reach,
    add_reminders,
)
from clarion.app.running import Clarion
from clarion.app.seen import add_census, add_console, add_instruments, add_outside_watch
from clarion.app.services import Dispatching, ReminderServices
from clarion.app.storage import (
    bring_up_to_date,
    database_check,
    hold_directory,
    open_storage,
)
from clarion.app.tasks import add_duties, add_open_kinds, add_tasks
from clarion.base.clock import Clock, SystemClock
from clarion.doors.http.health import health_routes, metrics_routes
from clarion.doors.http.server import HttpServer, build_app, listen_on
from clarion.doors.metrics.instruments import CONTENT_TYPE
from clarion.settings import Settings
from clarion.store.sql.tasks.store import SqlTasks


class Address(NamedTuple):
    host: str
    port: int


async def build(
    settings: Settings,
    clock: Clock | None = None,
    *,
    listens: bool = True,
    works: bool = True,
    window: Address | None = None,
) -> Clarion:
    """Everything joined and nothing running yet.

    Without `listens` it has no HTTP door; without `works` it carries out no tasks. `window`:
    where a process without that door shows how it is, and nothing else.

    When a later part fails, what was opened is closed.
    """
    async with AsyncExitStack() as closing:
        address = Address(settings.host, settings.port) if listens else window
        listener = listen_on(*address) if address is not None else None
        if listener is not None:
            closing.callback(listener.close)
        if listens:
            closing.callback(hold_directory(settings))
        database = await open_storage(settings)
        closing.push_async_callback(database.close)
        await bring_up_to_date(database)
        parts = Parts(
            settings=settings,
            clock=clock or SystemClock(),
            database=database,
            closing=closing,
            listens=listens,
            works=works,
        )
        await add_features(parts)
        server = http_server(parts, listener) if listener is not None else None
        parts.closing = closing.pop_all()
        return Clarion(parts, server, listener)


@dataclass(frozen=True, slots=True)
class Joined:
    """The verbs behind the doors, for callers without a door."""

    services: ReminderServices
    sent: Dispatching


async def add_features(parts: Parts) -> Joined:
    """One line per feature, each after those it needs."""
    parts.checks.append(database_check(parts.database))
    seen = add_instruments(parts)
    add_duties(parts)
    workers = add_tasks(parts)
    add_cluster(parts)
    tasks = SqlTasks(parts.database)
    access = parts.access = add_access(parts)
    trail = add_audit(parts)
    feed = add_feed(parts, access)
    outside = add_outside(parts)
    chats = chat_channel(parts)
    helpers = add_llm(parts, seen)
    services = await add_reminders(parts, outside, chats, helpers, trail.spoken)
    add_notifications(parts, services, outside)
    await add_push(parts, services, outside)
    add_reach(parts, services, feed)
    add_devices(parts, services, access)
    await add_chats(parts, chats, services)
    add_webhooks(parts, outside)
    questions = await add_questions(parts, services, outside, chats)
    invitations = await add_invitations(parts, services, outside)
    add_api(parts, services, tasks, invitations)
    sent = add_dispatch(parts, services, helpers, seen)
    await add_assistants(parts, access, trail, services.people)
    means = McpMeans(access, feed, services.reminders, services.people, tasks, trail, sent)
    add_mcp(parts, replace(means, questions=questions))
    add_mirror(parts)
    await add_open_kinds(parts, outside.sender)
    add_console(parts, feed, workers)
    add_census(parts, seen, feed, workers)
    add_outside_watch(parts, seen)
    return Joined(services, sent)


def http_server(parts: Parts, listener: socket.socket) -> HttpServer:
    health = health_routes(parts.checks, parts.stopping)
    if parts.listens:
        routers, middleware, touches = [health, *parts.routers], parts.middleware, parts.touches
    else:
        assert parts.instruments is not None, "instruments are joined first"
        numbers = metrics_routes(parts.instruments.rendered, CONTENT_TYPE)
        routers, middleware, touches = [health, numbers], [], []
    app = build_app(
        routers,
        body_bytes_max=parts.settings.body_bytes_max,
        middleware=middleware,
    )
    for touch in touches:
        touch(app)
    return HttpServer(
        app,
        listener,
        stopping=parts.stopping,
        stop_timeout=parts.settings.stop_timeout,
        head_bytes_max=parts.settings.head_bytes_max,
        head_timeout=parts.settings.head_timeout,
        trusted_proxies=parts.settings.trusted_proxies,
    )
