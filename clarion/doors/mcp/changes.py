"""Resources and notifications of their changes, each only for its owner.

A listener names addresses. The SDK does not check whose they are, so we do, in a middleware, before
anything is subscribed. An address of another user does not exist for them.
"""

import asyncio
from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    EmptyResult,
    Resource,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

from clarion.access.tokens import InsufficientScope, Scope, check_scope
from clarion.base.errors import NotFound
from clarion.base.events import StoredEvent
from clarion.base.ids import ReminderId
from clarion.doors.mcp.identity import actor_of, asking
from clarion.doors.mcp.kit import Kit

ONE = "reminder://"
UPCOMING = "reminders://upcoming/"
WAITING_MAX = 10_000
ADDRESSES_MAX = 200  # of one connection; an assistant follows a handful


READING = frozenset(
    {"prompts/get", "resources/read", "resources/subscribe", "subscriptions/listen"}
)


def check_may_read() -> None:
    try:
        check_scope(asking().scopes, Scope.READ)
    except InsufficientScope as error:
        raise MCPError(INVALID_REQUEST, f"{error.message} {error.hint}") from None


class Owned:
    """Middleware: subscribes nobody to what is not theirs, and lists their own."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        if ctx.method in READING:
            check_may_read()
        if ctx.method in ("subscriptions/listen", "resources/subscribe"):
            for address in addresses_in(ctx.params or {}):
                await self._check(address)
        result = await call_next(ctx)
        if ctx.method == "resources/list" and isinstance(result, dict):
            own = upcoming_of(asking().user_id)
            return {**result, "resources": [*result["resources"], *own]}
        return result

    async def _check(self, address: str) -> None:
        actor = actor_of(asking())
        try:
            if address.startswith(ONE):
                await self._kit.reminders.get(actor, ReminderId(address.removeprefix(ONE)))
                return
            if address.startswith(UPCOMING):
                owner = address.removeprefix(UPCOMING)
                if actor.admin or owner == actor.user_id:
                    return
        except NotFound:
            pass
        raise MCPError(INVALID_PARAMS, f"There is no resource {address}", {"uri": address})


def addresses_in(params: Any) -> list[str]:
    """Those of either era, however the client spells an empty list."""
    wanted = (params.get("notifications") or {}).get("resourceSubscriptions") or []
    found = [*wanted, *([params["uri"]] if "uri" in params else [])]
    if len(found) > ADDRESSES_MAX:
        raise MCPError(INVALID_PARAMS, f"At most {ADDRESSES_MAX} resources at once")
    return [str(address) for address in found]


def upcoming_of(user_id: str | None) -> list[dict[str, Any]]:
    if user_id is None:
        return []
    upcoming = Resource(
        uri=f"{UPCOMING}{user_id}",
        name="upcoming",
        title="Upcoming reminders",
        description="What is still to come, the earliest first.",
        mime_type="application/json",
    )
    return [upcoming.model_dump(mode="json", by_alias=True, exclude_none=True)]


class Changes:
    """Tells listeners of both eras that something changed; they read it again if they care."""

    name = "mcp changes"

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self.bus)
        self._waiting: asyncio.Queue[StoredEvent | None] = asyncio.Queue(WAITING_MAX)
        self._subscribed: dict[str, dict[int, Any]] = {}
        """Of the handshake era: address to connections, by their identity."""

    def serve(self, server: Server[Any]) -> None:
        """Take over the requests about changes. The SDK's own handler cannot be told to end."""
        server.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, self._listen
        )
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        server.add_request_handler(
            "resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe
        )

    async def _subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams
    ) -> EmptyResult:
        connection = ctx.session._connection
        name = id(connection)
        held = sum(1 for listeners in self._subscribed.values() if name in listeners)
        if held >= ADDRESSES_MAX:
            raise MCPError(INVALID_PARAMS, f"At most {ADDRESSES_MAX} resources at once")
        if not held:
            connection.exit_stack.callback(self._forget, name)
        self._subscribed.setdefault(str(params.uri), {})[name] = connection
        return EmptyResult()

    async def _unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._subscribed.get(str(params.uri), {}).pop(id(ctx.session._connection), None)
        return EmptyResult()

    def _forget(self, name: int) -> None:
        for address in [one for one, listeners in self._subscribed.items() if name in listeners]:
            del self._subscribed[address][name]
            if not self._subscribed[address]:
                del self._subscribed[address]

    def offer(self, event: StoredEvent) -> None:
        """Take an event from the feed; dropped when too many wait: each only says "read again"."""
        if event.kind.startswith(("reminder.", "ring.")) and not self._waiting.full():
            self._waiting.put_nowait(event)

    async def run(self) -> None:
        """Tell what was offered, until cancelled; then say goodbye to those who listen."""
        try:
            while (event := await self._waiting.get()) is not None:
                await self.tell(event)
        finally:
            self._listen.close()

    async def tell(self, event: StoredEvent) -> None:
        """The reminder has changed, and so has its owner's list."""
        await self._updated(f"{ONE}{event.subject}")
        if event.user is not None:
            await self._updated(f"{UPCOMING}{event.user}")

    async def _updated(self, address: str) -> None:
        await self.bus.publish(ResourceUpdated(uri=address))
        for connection in tuple(self._subscribed.get(address, {}).values()):
            try:
                await connection.send_resource_updated(address)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                self._forget(id(connection))
