"""Carries MCP between a host's pipes and the running server's HTTP, message by message.

It knows just enough of the protocol to set the headers that HTTP needs and pipes do not have.
It imports nothing of the SDK, which takes longer to load than many hosts wait.
"""

import asyncio
import base64
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

log = logging.getLogger(__name__)

SAFE = re.compile(r"[\x20-\x7e]*")
ACCEPTS = "application/json, text/event-stream"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
SERVER_ERROR = -32000
LINE_BYTES_MAX = 16 * 1024 * 1024

Message = dict[str, Any]


class Bridge:
    """One host, one server. `write` takes each message for the host, without its line end."""

    def __init__(self, client: httpx.AsyncClient, url: str, write: Callable[[bytes], None]) -> None:
        self._client = client
        self._url = url
        self._write = write
        self._session = ""
        self._version = ""
        self._handshake = False
        self._open: dict[str, asyncio.Task[None]] = {}

    async def run(self, lines: AsyncIterator[bytes]) -> None:
        """Until the host closes its end."""
        try:
            async for line in lines:
                if line.strip():
                    await self.take(line)
        finally:
            await self.close()

    async def take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            log.warning("not JSON from the host")
            return
        if not isinstance(message, dict):
            log.warning("not a message from the host")
        elif "id" in message and "method" in message:
            self._handshake = self._handshake or message["method"] == "initialize"
            # Requests run side by side: one may wait for a person while others go on.
            self._begin(str(message["id"]), self._send(message))
        elif self._is_our_own_cancel(message):
            self._cancel(message)
        else:
            await self._send(message)  # in order: what follows may depend on it
            if message.get("method") == "notifications/initialized":
                self._begin("\0listen", self._listen())

    def _is_our_own_cancel(self, message: Message) -> bool:
        """In the modern era HTTP cancels by hanging up, and there is no such message."""
        return not self._handshake and message.get("method") == "notifications/cancelled"

    def _cancel(self, message: Message) -> None:
        task = self._open.get(str((message.get("params") or {}).get("requestId")))
        if task is not None:
            task.cancel()

    def _begin(self, name: str, work: Any) -> None:
        task = asyncio.create_task(work, name=f"mcp {name}")
        self._open[name] = task
        task.add_done_callback(lambda _: self._open.pop(name, None))

    async def _send(self, message: Message) -> None:
        content = json.dumps(message, ensure_ascii=False).encode()
        try:
            async with self._client.stream(
                "POST", self._url, content=content, headers=self._headers(message)
            ) as response:
                self._session = response.headers.get("mcp-session-id", self._session)
                await self._relay(response, message)
        except httpx.HTTPError as error:
            why = str(error) or type(error).__name__
            self._fail(message, f"The server cannot be reached: {why}")

    async def _relay(self, response: httpx.Response, message: Message) -> None:
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind == "text/event-stream":
            async for data in events(response):
                self._pass_on(data)
            return
        body = await response.aread()
        if kind == "application/json" and body:
            self._pass_on(body)
        elif response.is_error:
            self._fail(message, said(response.status_code, body))

    def _pass_on(self, data: bytes) -> None:
        """Write it as one line, and note the result of the handshake."""
        try:
            message = json.loads(data)
        except ValueError:
            log.warning("not JSON from the server")
            return
        result = message.get("result")
        if self._handshake and not self._version and isinstance(result, dict):
            self._version = str(result.get("protocolVersion", ""))
        self._write(json.dumps(message, ensure_ascii=False).encode())

    def _fail(self, message: Message, why: str) -> None:
        if "id" not in message or "method" not in message:
            log.warning("a message was not taken: %s", why)
            return
        error = {"code": SERVER_ERROR, "message": why}
        refused = {"jsonrpc": "2.0", "id": message["id"], "error": error}
        self._write(json.dumps(refused, ensure_ascii=False).encode())

    def _headers(self, message: Message) -> dict[str, str]:
        headers = {"Accept": ACCEPTS, "Content-Type": "application/json"}
        params = message.get("params") or {}
        version = (params.get("_meta") or {}).get(VERSION_KEY)
        if version:
            method = str(message.get("method", ""))
            headers |= {"MCP-Protocol-Version": str(version), "Mcp-Method": method}
            if method in NAMED and NAMED[method] in params:
                headers["Mcp-Name"] = header_value(str(params[NAMED[method]]))
            return headers
        if self._session:
            headers["Mcp-Session-Id"] = self._session
        if self._version:
            headers["MCP-Protocol-Version"] = self._version
        return headers

    async def _listen(self) -> None:
        """Messages that the server sends by itself, in the older protocol with handshakes."""
        headers = {**self._headers({}), "Accept": "text/event-stream"}
        try:
            async with self._client.stream(
                "GET", self._url, headers=headers, timeout=None
            ) as response:
                if response.is_success:
                    async for data in events(response):
                        self._pass_on(data)
        except httpx.HTTPError as error:
            log.warning("no longer listening: %s", error)

    async def close(self) -> None:
        open_ = list(self._open.values())
        for task in open_:
            task.cancel()
        await asyncio.gather(*open_, return_exceptions=True)
        if self._session:
            try:
                await self._client.delete(self._url, headers=self._headers({}))
            except httpx.HTTPError:
                log.debug("the session ends by itself after a while")


async def events(response: httpx.Response) -> AsyncIterator[bytes]:
    """The data of each server-sent event. Lines end in LF only: JSON may hold other breaks."""
    rest = b""
    data: list[bytes] = []
    async for piece in response.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        for line in (one.rstrip(b"\r") for one in lines):
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                whole = b"\n".join(data)
                data = []
                if whole.strip():
                    yield whole


def header_value(text: str) -> str:
    """As the protocol wraps what a header cannot carry."""
    if SAFE.fullmatch(text) and text == text.strip() and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def said(status: int, body: bytes) -> str:
    try:
        problem = json.loads(body)
        return f"{problem['detail']} {problem.get('hint', '')}".strip()
    except (ValueError, KeyError, TypeError):
        return f"The server answered {status}."
