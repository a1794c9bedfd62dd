"""What surrounds every request: its id, its size limit, and the net under our own defects.

Plain ASGI, so that streams pass through untouched and nothing is buffered.
"""

import asyncio
import logging
import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clarion.base.errors import TooLarge
from clarion.base.log import request_id
from clarion.base.trace import HEADER as TRACE_HEADER
from clarion.base.trace import read_trace, tracing
from clarion.doors.http.problems import Internal, answer

log = logging.getLogger(__name__)

LINKS = ("/c/", "/i/", "/q/")
"""What stands behind these is a secret: whoever has it may answer."""


def safe_path(path: str) -> str:
    """As it may be written into a log."""
    return f"{path[:3]}…" if path.startswith(LINKS) else path


SANE_ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)
HEADER = "X-Request-Id"
BODY_SECONDS_MAX = 30.0  # a slow telephone sends the largest body we take in that time


class RequestId:
    """Gives each request an id, the caller's own if it is sane, in its answer and log lines.

    And every answer the header that keeps browsers from guessing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        name = given if SANE_ID.fullmatch(given) else f"req_{secrets.token_hex(8)}"

        async def send_with_id(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                headers[HEADER] = name
                # Whatever we say is what its type says: no browser may guess a page into it.
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        token = request_id.set(name)
        trace = read_trace(Headers(scope=scope).get(TRACE_HEADER))
        try:
            with tracing(trace):
                await self._app(scope, receive, send_with_id)
        finally:
            request_id.reset(token)


class LastResort:
    """Catches what is nobody's answer: logs it with its traceback and says `internal`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception:
            if scope["type"] != "http":
                raise
            log.exception("request failed", extra={"path": safe_path(scope["path"])})
            if begun:
                raise  # The answer is half sent: only breaking the connection tells the truth.
            await answer(Internal(), instance=scope["path"])(scope, receive, send)


class BodyLimit:
    """Refuses a body above `bytes_max`: by its announced length, or as soon as it grows past.

    One that dribbles in is given up after `seconds_max`: nobody keeps a place by being slow.
    """

    def __init__(self, app: ASGIApp, bytes_max: int, seconds_max: float = BODY_SECONDS_MAX) -> None:
        self._app = app
        self._bytes_max = bytes_max
        self._seconds_max = seconds_max

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > self._bytes_max:
            # Nobody will read the rest, so the connection cannot be used again.
            closing = {"Connection": "close"}
            refusal = answer(self._too_large(), instance=scope["path"], headers=closing)
            await refusal(scope, receive, send)
            return
        await self._app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        seen, complete = 0, False
        give_up_at = asyncio.get_running_loop().time() + self._seconds_max

        async def counted() -> Message:
            nonlocal seen, complete
            if complete:
                return await receive()  # waits for the caller to hang up, as streams do
            try:
                async with asyncio.timeout_at(give_up_at):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, headers={"Connection": "close"}) from None
            complete = not message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > self._bytes_max:
                raise HTTPException(413)
            return message

        return counted

    def _too_large(self) -> TooLarge:
        return TooLarge(
            "The request body is too large.", details={"body_bytes_max": self._bytes_max}
        )


class HeadOnly:
    """HEAD is GET without its body, on every route that has one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def silent(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app({**scope, "method": "GET"}, receive, silent)
