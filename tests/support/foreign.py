"""A client of the xiaozhi protocol written from its description alone: it shares no line with us.

It takes nothing for granted: every frame that comes is kept in its order, as it came.
"""

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 30.0  # seconds; against hanging
MINIMAL = {"type": "hello"}


class Foreign:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any] | bytes] = []

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if isinstance(frame, dict)]

    @property
    def sound(self) -> list[bytes]:
        return [frame for frame in self.frames if isinstance(frame, bytes)]

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def next(self) -> dict[str, Any] | bytes:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        self.frames.append(frame if isinstance(frame, bytes) else json.loads(frame))
        return self.frames[-1]

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is wanted; all before it are kept."""
        frame = await self.next()
        while isinstance(frame, bytes) or not wanted(frame):
            frame = await self.next()
        return frame

    async def a(self, kind: str, state: str | None = None) -> dict[str, Any]:
        return await self.until(
            lambda one: one.get("type") == kind and state in (None, one.get("state"))
        )

    async def tool_call(self, method: str) -> dict[str, Any]:
        """The payload of the next question of this method."""
        asked = await self.until(
            lambda one: one["type"] == "mcp" and one["payload"]["method"] == method
        )
        payload: dict[str, Any] = asked["payload"]
        return payload

    async def reply(self, asked: dict[str, Any], **result: Any) -> None:
        payload = {"jsonrpc": "2.0", "id": asked["id"], "result": result}
        await self.say(type="mcp", session_id="", payload=payload)

    async def until_closed(self) -> tuple[int | None, str | None]:
        try:
            await self.until(lambda _one: False)
        except ConnectionClosed:
            return self.socket.close_code, self.socket.close_reason
        raise AssertionError("it never ends otherwise")


@asynccontextmanager
async def foreign(
    url: str, hello: dict[str, Any] | bytes | None = None, **headers: str
) -> AsyncIterator[Foreign]:
    """Connected and greeted. Without a `hello` nothing is said yet."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with connect(url, additional_headers=named, proxy=None) as socket:
        client = Foreign(socket)
        if hello is not None:
            await socket.send(hello if isinstance(hello, bytes) else json.dumps(hello))
            await client.a("hello")
        yield client


def second(payload: bytes, kind: int = 0, version: int = 2) -> bytes:
    """The sixteen bytes: version, type, reserved, milliseconds, size."""
    return struct.pack("!HHLLL", version, kind, 0, 0, len(payload)) + payload


def third(payload: bytes, kind: int = 0) -> bytes:
    """The four bytes: type, reserved, size."""
    return struct.pack("!BBH", kind, 0, len(payload)) + payload


def by_gateway(payload: bytes) -> bytes:
    """A gateway's header: its own type, flags, length and sequence, then milliseconds and size."""
    return struct.pack("!BBHLLL", 1, 0, len(payload), 77, 1234, len(payload)) + payload
