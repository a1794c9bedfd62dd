"""An endpoint that speaks the OpenAI protocol over a real loopback socket and follows a script.

Each request takes the next step of the script; when it is used up, the last step goes on. Every
request that arrived is kept, so a test can look at what was really sent.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Says:
    """Answers with this text."""

    text: str
    finish: str = "stop"


@dataclass(frozen=True)
class Calls:
    """Answers with calls of tools, each a name and its arguments as they are written."""

    calls: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Refuses:
    """Answers with a refusal in place of content."""


@dataclass(frozen=True)
class Fails:
    """Answers with an HTTP status."""

    status: int
    retry_after: str = ""


@dataclass(frozen=True)
class Babbles:
    """Answers 200 with a body that is not what the protocol says."""

    body: str
    kind: str = "application/json"


@dataclass(frozen=True)
class Hangs:
    """Takes the request and never answers."""


@dataclass(frozen=True)
class Drops:
    """Closes the connection in the middle of the answer."""


Step = Says | Calls | Refuses | Fails | Babbles | Hangs | Drops


def calls(tool: str, **fields: Any) -> Calls:
    return Calls(((tool, json.dumps(fields, ensure_ascii=False)),))


def says(**fields: Any) -> Says:
    return Says(json.dumps(fields, ensure_ascii=False))


@dataclass
class OpenAiDouble:
    script: list[Step]
    knows_schemas: bool = True
    """False: a request for structured output or with tools is a bad one, as with older servers."""
    port: int = 0
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the first request is there, for tests that act while it is under way."""
    writers: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.add(writer)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False when the connection is to be closed."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
        self.requests.append(body)
        self.headers.append(headers)
        self.arrived.set()
        step = self._next(body)
        if isinstance(step, Hangs):
            await reader.read()  # until the client gives up
            return False
        if isinstance(step, Drops):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{")
            await writer.drain()
            return False
        writer.write(_response(step))
        await writer.drain()
        return True

    def _next(self, body: dict[str, Any]) -> Step:
        if not self.knows_schemas and ("response_format" in body or "tools" in body):
            return Fails(400)
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def _response(step: Says | Calls | Refuses | Fails | Babbles) -> bytes:
    match step:
        case Says(text, finish):
            return _http(200, _completion({"role": "assistant", "content": text}, finish))
        case Calls(made):
            tools = [
                {
                    "id": f"call_{n}",
                    "type": "function",
                    "function": {"name": name, "arguments": said},
                }
                for n, (name, said) in enumerate(made)
            ]
            message = {"role": "assistant", "content": None, "tool_calls": tools}
            return _http(200, _completion(message, "tool_calls"))
        case Refuses():
            message = {"role": "assistant", "content": None, "refusal": "I will not."}
            return _http(200, _completion(message, "stop"))
        case Fails(status, retry_after):
            extra = f"retry-after: {retry_after}\r\n" if retry_after else ""
            return _http(status, '{"error": {"message": "as the script says"}}', extra=extra)
        case Babbles(body, kind):
            return _http(200, body, kind=kind)


def _completion(message: dict[str, Any], finish: str) -> str:
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "double",
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {"prompt_tokens": 40, "completion_tokens": 7, "total_tokens": 47},
        }
    )


def _http(status: int, body: str, *, kind: str = "application/json", extra: str = "") -> bytes:
    data = body.encode()
    head = f"HTTP/1.1 {status} Scripted\r\ncontent-type: {kind}\r\n{extra}"
    return f"{head}content-length: {len(data)}\r\n\r\n".encode() + data


@asynccontextmanager
async def openai_double(*script: Step, knows_schemas: bool = True) -> AsyncIterator[OpenAiDouble]:
    double = OpenAiDouble(list(script), knows_schemas)
    server = await asyncio.start_server(double.serve, "127.0.0.1", 0)
    double.port = server.sockets[0].getsockname()[1]
    try:
        yield double
    finally:
        server.close()
        for writer in list(double.writers):
            writer.transport.abort()
        await server.wait_closed()
