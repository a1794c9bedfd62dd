"""Joins the doors for people and programs: tokens, REST, events, webhooks, MCP."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from clarion.access.audit import AuditTrail
from clarion.access.feed import EventFeed
from clarion.access.tokens import Access
from clarion.app.parts import Parts
from clarion.app.services import Outside, ReminderServices
from clarion.base.ids import UserId
from clarion.base.loop import Periodic
from clarion.doors.http.api.audit import audit_routes
from clarion.doors.http.api.calendar import calendar_routes
from clarion.doors.http.api.live import Streams, event_routes
from clarion.doors.http.api.people.contacts import contact_routes
from clarion.doors.http.api.people.devices import device_routes
from clarion.doors.http.api.people.rotations import rotation_routes
from clarion.doors.http.api.people.users import user_routes
from clarion.doors.http.api.queue.tasks import TaskBook, task_routes
from clarion.doors.http.api.reminders import reminder_routes
from clarion.doors.http.api.reports import report_routes
from clarion.doors.http.api.series import series_routes
from clarion.doors.http.api.tokens import token_routes
from clarion.doors.http.api.understanding import understanding_routes
from clarion.doors.http.api.webhooks import webhook_routes
from clarion.doors.http.auth import Attended, Doorkeeper, FailedTries, RateLimit
from clarion.doors.http.conventions import OnceOnly
from clarion.doors.http.middleware import Audited, Hosts
from clarion.doors.http.openapi import document
from clarion.doors.http.pages.links import link_routes
from clarion.doors.http.pages.login import login_routes
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.post import HttpSender
from clarion.exits.reach import Reach
from clarion.people.invitations import Invitations
from clarion.settings import Settings
from clarion.store.sql import events
from clarion.store.sql.access import tokens
from clarion.store.sql.access.tokens import SqlTokens
from clarion.store.sql.audit import SqlAudit
from clarion.store.sql.events import SqlEventLog
from clarion.store.sql.idempotency import SqlAnswers
from clarion.store.sql.people import store as people_rows
from clarion.store.sql.webhooks import SqlWebhooks
from clarion.tasks.kinds import Kind, doubling
from clarion.tasks.ports import Claim
from clarion.webhooks.model import DELIVER
from clarion.webhooks.service import FanOut, Webhooks

EXPOSED = (
    "ETag",
    "Location",
    "Mcp-Session-Id",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""What scripts of other pages may read of our answers."""
DELIVERY_RETRIES = 12  # with this backoff the last try is about a day after the first
DELIVERY_BACKOFF = doubling(timedelta(seconds=10), timedelta(hours=4))


def add_outside(parts: Parts) -> Outside:
    reach = Reach(private_allowed=parts.settings.private_targets)
    sender, apprise = HttpSender(reach), Apprise(reach)
    parts.closing.push_async_callback(sender.close)
    parts.closing.callback(apprise.close)
    return Outside(apprise, sender)


def add_access(parts: Parts) -> Access:
    """Tokens and their holders; from here on every request and socket is checked."""
    access = Access(SqlTokens(parts.database), parts.clock)
    parts.on_signal(tokens.CHANNEL, access.forget)
    keeper = Doorkeeper(
        access,
        RateLimit(parts.settings.requests_per_second, parts.clock),
        FailedTries(parts.clock, parts.settings.failed_tries),
    )
    guests = parts.settings.cors_origins
    if guests:
        parts.middleware.append(Middleware(CORSMiddleware, **welcome(guests)))
    parts.middleware += [
        Middleware(Hosts, allowed=our_names(parts.settings), guests=guests),
        Middleware(Attended, keeper=keeper, public_url=parts.settings.public_url),
    ]
    parts.routers += [token_routes(access, knows_user(parts)), login_routes()]
    parts.touches.append(document)
    parts.add_duty(Periodic("tidy access", timedelta(days=1), parts.clock, access.clean))
    return access


def welcome(origins: tuple[str, ...]) -> dict[str, Any]:
    """Pages of these origins may call with a token; cookies are never theirs to send."""
    return {
        "allow_origins": [one.rstrip("/") for one in origins],
        "allow_methods": ["DELETE", "GET", "PATCH", "POST", "PUT"],
        "allow_headers": ["*"],
        "expose_headers": list(EXPOSED),
        "max_age": 600,
    }


def our_names(settings: Settings) -> tuple[str, ...]:
    """Where people reach us from outside is a name of ours, without being said twice."""
    public = urlsplit(settings.public_url).hostname
    return (*settings.allowed_hosts, public) if public else settings.allowed_hosts


def knows_user(parts: Parts) -> Callable[[UserId], Awaitable[bool]]:
    async def knows(user_id: UserId) -> bool:
        return await parts.database.read(people_rows.user, user_id) is not None

    return knows


def add_audit(parts: Parts) -> AuditTrail:
    """Every change is noted; what still waits is written when we stop."""
    store = SqlAudit(parts.database)
    trail = AuditTrail(store, parts.clock, parts.settings.audit_kept_for)
    trail.loop = parts.add_pass(trail)
    parts.closing.push_async_callback(trail.write)
    parts.middleware.append(Middleware(Audited, trail=trail))
    parts.routers.append(audit_routes(store, trail))
    return trail


def add_feed(parts: Parts, access: Access) -> EventFeed:
    log = SqlEventLog(parts.database)
    feed = EventFeed(log, parts.clock)
    loop = parts.add_pass(feed)
    if parts.database.dialect == "postgresql":
        # An event is written there before it can be read, while an older transaction is open.
        parts.on_signal(events.CHANNEL, feed.expect)
    parts.on_signal(events.CHANNEL, loop.wake)
    parts.routers.append(event_routes(Streams(feed, log, parts.stopping), log, access))
    return feed


def add_webhooks(parts: Parts, outside: Outside) -> Webhooks:
    store = SqlWebhooks(parts.database)
    hooks = Webhooks(store, outside.sender, parts.clock)

    async def deliver(claim: Claim) -> None:
        payload = claim.task.payload
        await hooks.deliver(payload["hook"], payload["sequence"])

    kind = Kind(
        *(DELIVER, deliver), retries=DELIVERY_RETRIES, backoff=DELIVERY_BACKOFF, outside=True
    )
    parts.kinds.add(kind)
    loop = parts.add_duty(FanOut(store, parts.clock))
    parts.on_signal(events.CHANNEL, loop.wake)
    parts.routers.append(webhook_routes(hooks))
    return hooks


def add_api(
    parts: Parts,
    services: ReminderServices,
    tasks: TaskBook,
    invitations: Invitations,
) -> None:
    reminders, people = services.reminders, services.people
    once = OnceOnly(SqlAnswers(parts.database), parts.clock)
    # What is asked most stands first: routers are tried one after another.
    parts.routers[:0] = [reminder_routes(reminders, once), series_routes(reminders, once)]
    parts.routers += [
        user_routes(people),
        device_routes(people, reminders),
        contact_routes(people, reminders, invitations),
        rotation_routes(services.rotations),
        task_routes(tasks, parts.clock, parts.kinds, once),
        link_routes(reminders),
        report_routes(reminders, people),
        understanding_routes(),
        calendar_routes(
            reminders, people, services.rotations, SqlTokens(parts.database), parts.clock
        ),
    ]
