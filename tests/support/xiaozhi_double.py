"""Two servers that xiaozhi's tools connect to, strict as theirs are, written from their code.

`Cloud` behaves like the official one: it greets with id 0, counts the bytes of every answer and
hangs up on a ping that nobody answers. `SelfHosted` behaves like mcp-endpoint-server with
xiaozhi-esp32-server behind it: one line an agent, ids of its own making, and of an answer it reads
the first text alone, and nothing of what is marked as an error.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve

PATIENCE = 30.0
ANSWER_BYTES_MAX = 8_192
TOKEN = "eyJ.secret.part"
REPLACED = "新连接替换"


class SpeakerServer:
    """What both have in common. `lines` holds the open ones, `seen` all that ever came."""

    path = "/mcp/"
    greeting_id: Any = 0

    def __init__(self) -> None:
        self.url = ""
        self.lines: list[ServerConnection] = []
        self.seen: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self.tools: list[dict[str, Any]] = []
        self.largest = 0
        self._asked = 10
        self._answers: dict[Any, asyncio.Future[dict[str, Any]]] = {}
        self.close_at_once: tuple[int, str] | None = None

    @property
    def address(self) -> str:
        return f"{self.url}{self.path}?token={TOKEN}"

    async def handle(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        asked = urlsplit(socket.request.path)
        if asked.path != self.path or parse_qs(asked.query).get("token") != [TOKEN]:
            await socket.close(1008, "Invalid token")
            return
        if self.close_at_once is not None:
            self.seen.put_nowait(socket)
            await socket.close(*self.close_at_once)
            return
        await self.welcome(socket)
        self.lines.append(socket)
        reading = asyncio.create_task(self._read(socket))
        try:
            await self._greet(socket)
            self.seen.put_nowait(socket)
            await reading
        finally:
            reading.cancel()
            if socket in self.lines:
                self.lines.remove(socket)

    async def welcome(self, socket: ServerConnection) -> None:
        """What happens to the lines that are there already."""

    async def _greet(self, socket: ServerConnection) -> None:
        told = await self.request(
            socket,
            "initialize",
            {
                "protocolVersion": "2024-11-05",
                "capabilities": {"sampling": {}, "roots": {"listChanged": False}},
                "clientInfo": {"name": "xz-mcp-broker", "version": "0.0.1"},
            },
            self.greeting_id,
        )
        assert told["protocolVersion"] == "2024-11-05"
        assert "tools" in told["capabilities"]
        await socket.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        self.tools = (await self.request(socket, "tools/list", {}))["tools"]

    async def _read(self, socket: ServerConnection) -> None:
        async for frame in socket:
            assert isinstance(frame, str), "a frame of text holds one message"
            self.largest = max(self.largest, len(frame.encode()))
            message = json.loads(frame)
            assert message["jsonrpc"] == "2.0"
            waiting = self._answers.pop(message["id"])
            waiting.set_result(message)

    def next_id(self) -> Any:
        self._asked += 1
        return self._asked

    async def request(
        self, socket: ServerConnection, method: str, params: dict[str, Any], id_: Any = None
    ) -> dict[str, Any]:
        name = self.next_id() if id_ is None else id_
        waiting = self._answers[name] = asyncio.get_running_loop().create_future()
        message = {"id": name, "jsonrpc": "2.0", "method": method, "params": params}
        await socket.send(json.dumps(message))
        async with asyncio.timeout(PATIENCE):
            answer = await waiting
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    async def said(self, tool: str, **arguments: Any) -> str:
        """What the model behind it gets to see."""
        params = {"name": tool, "arguments": arguments, "serialNumber": None}
        result = await self.request(self.lines[-1], "tools/call", params)
        assert not result.get("isError"), "its text would be thrown away"
        text = result["content"][0]["text"]
        assert isinstance(text, str)
        return text

    async def next_line(self) -> ServerConnection:
        async with asyncio.timeout(PATIENCE):
            return await self.seen.get()


Double = TypeVar("Double", bound=SpeakerServer)


class Cloud(SpeakerServer):
    async def ping(self) -> None:
        assert await self.request(self.lines[-1], "ping", {}) == {}


class SelfHosted(SpeakerServer):
    path = "/mcp_endpoint/mcp/"
    greeting_id = "3f0c_n_1"

    def next_id(self) -> Any:
        return f"3f0c_n_{super().next_id()}"

    async def welcome(self, socket: ServerConnection) -> None:
        for older in list(self.lines):
            await older.close(1000, REPLACED)


@asynccontextmanager
async def speaking(double: Double) -> AsyncIterator[Double]:
    async with serve(double.handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        double.url = f"ws://127.0.0.1:{port}"
        yield double
