"""Lines out to xiaozhi's MCP access points: they are the client, we have the tools.

One JSON-RPC message a frame, in the protocol of 2024-11-05. Which lines there should be are rows;
a pass compares them with those that are open, and every wait for the next try is a row's instant.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import clarion
from clarion.access.tokens import USUAL, Identity, TokenId, TokenKind
from clarion.access.xiaozhi import (
    AccessPoint,
    AccessPoints,
    LineError,
    PointId,
    PointState,
    PointStore,
    why_closed,
)
from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.exits.reach import PrivateAddress, Reach
from clarion.exits.websocket import guarded_websocket

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from clarion.doors.mcp.voice import VoiceTools

log = logging.getLogger(__name__)

VERSION = "2024-11-05"
CONNECT_SECONDS_MAX = 15.0
CALLS_MAX = 8  # at a time on one line; a device asks one thing after the other
NO_METHOD = -32601
INTERNAL = -32603
NAME = "xiaozhi"

Making = Callable[[], Awaitable["VoiceTools"]]
"""Makes the tools; the first line waits for it, as the first assistant does."""


class AccessPointLines:
    """A pass that opens and closes lines, and the runner that they live in."""

    name = "xiaozhi lines"

    def __init__(
        self,
        store: PointStore,
        points: AccessPoints,
        tools: Making,
        reach: Reach,
        clock: Clock,
        server: str,
    ) -> None:
        self._store = store
        self._points = points
        self._tools = tools
        self._reach = reach
        self._clock = clock
        self._server = server
        self._lines: dict[PointId, asyncio.Task[None]] = {}
        self._group: asyncio.TaskGroup | None = None
        self.on_idle: Callable[[], None] = lambda: None
        """Called when there is a line to begin, or to plan again."""

    async def run_once(self) -> datetime | None:
        now, there = self._clock.now(), await self._store.points(None)
        for gone in self._lines.keys() - {one.id for one in there}:
            self._lines[gone].cancel()
        idle = [one for one in there if one.id not in self._lines]
        waiting = [one for one in idle if one.state is not PointState.TAKEN_OVER]
        for one in waiting:
            if one.next_at <= now or one.state is PointState.CONNECTED:
                self._begin(one)
        return min((one.next_at for one in waiting if one.next_at > now), default=None)

    async def run(self) -> None:
        """Until cancelled; then every line is closed."""
        async with asyncio.TaskGroup() as self._group:
            self.on_idle()
            await asyncio.Event().wait()

    def _begin(self, point: AccessPoint) -> None:
        if self._group is not None:
            line = self._group.create_task(self._line(point), name=f"xiaozhi {point.id}")
            self._lines[point.id] = line
            line.add_done_callback(partial(self._over, point.id))

    def _over(self, point_id: PointId, _: "asyncio.Task[None]") -> None:
        del self._lines[point_id]
        self.on_idle()

    async def _line(self, point: AccessPoint) -> None:
        try:
            error = await self._carried(point)
            await self._points.ended(point, self._server, error)
        except Exception:
            # One bad line must not close the others; its row still says when to try again.
            log.exception("a line to xiaozhi failed", extra={"id": point.id})

    async def _carried(self, point: AccessPoint) -> LineError:
        """Open the line and serve it to its end; why it ended. The address is in no message."""
        from websockets.exceptions import InvalidStatus, WebSocketException

        try:
            socket = await guarded_websocket(self._reach, point.address, CONNECT_SECONDS_MAX)
        except PrivateAddress:
            return LineError.PRIVATE
        except InvalidStatus as error:
            refused = error.response.status_code in (400, 401, 403, 404)
            return LineError.REFUSED if refused else LineError.UNREACHABLE
        except (ClarionError, OSError, TimeoutError, WebSocketException, ValueError):
            return LineError.UNREACHABLE
        await self._store.opened(point.id, self._server, self._clock.now())
        log.info("xiaozhi line open", extra={"id": point.id})
        try:
            await Line(socket, await self._tools(), speaker_of(point)).serve()
        finally:
            await socket.close()
        return why_closed(socket.close_code, socket.close_reason or "")


def speaker_of(point: AccessPoint) -> Identity:
    """Whom the line speaks for, and what it may: nothing about other people."""
    return Identity(
        kind=TokenKind.USER,
        token_id=TokenId(point.id),
        user_id=point.user_id,
        name=NAME,
        scopes=USUAL,
    )


class Line:
    """One open WebSocket. A slow call holds up neither pings nor other calls."""

    def __init__(self, socket: "ClientConnection", tools: "VoiceTools", who: Identity) -> None:
        self._socket = socket
        self._tools = tools
        self._who = who
        self._free = asyncio.Semaphore(CALLS_MAX)

    async def serve(self) -> None:
        """Until the other side closes, in whichever way."""
        from websockets.exceptions import ConnectionClosed

        calls: set[asyncio.Task[None]] = set()
        try:
            async for frame in self._socket:
                message = parsed(frame)
                if message is None or "id" not in message or "method" not in message:
                    continue  # a notification, or nothing that wants an answer
                await self._free.acquire()
                call = asyncio.create_task(self._answer(message), name="xiaozhi call")
                calls.add(call)
                call.add_done_callback(calls.discard)
        except ConnectionClosed:
            log.debug("a line was closed")
        finally:
            for call in calls:
                call.cancel()

    async def _answer(self, message: dict[str, Any]) -> None:
        from websockets.exceptions import ConnectionClosed

        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = await self._result(message)
        except LookupError:
            reply["error"] = {"code": NO_METHOD, "message": "This method is not known here."}
        except Exception:
            log.exception("a call from xiaozhi failed")
            reply["error"] = {"code": INTERNAL, "message": "出错了，请稍后再试。"}
        finally:
            self._free.release()
        try:
            await self._socket.send(json.dumps(reply, ensure_ascii=False, separators=(",", ":")))
        except ConnectionClosed:
            log.debug("the line closed before its answer")

    async def _result(self, message: dict[str, Any]) -> dict[str, Any]:
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        match message["method"]:
            case "initialize":
                return {
                    "protocolVersion": VERSION,
                    "capabilities": {"tools": {"listChanged": False}},
                    "serverInfo": {"name": "clarion", "version": clarion.__version__},
                }
            case "ping":
                return {}
            case "tools/list":
                return {"tools": await self._tools.listed()}
            case "tools/call":
                given = params.get("arguments")
                arguments = given if isinstance(given, dict) else {}
                said = await self._tools.call(self._who, str(params.get("name", "")), arguments)
                return {"content": [{"type": "text", "text": said}], "isError": False}
            case other:
                raise LookupError(other)


def parsed(frame: str | bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
