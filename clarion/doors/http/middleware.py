"""What surrounds every request: the bounds of its head and body, its id, host and time, who changed
what, and the net under our own defects.

All but the bounds of the head are plain ASGI, so that streams pass through untouched and nothing is
buffered; a head is bounded before there is a request.
"""

import asyncio
import ipaddress
import itertools
import logging
import re
import secrets
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from clarion.access.audit import AuditTrail
from clarion.access.tokens import Identity
from clarion.base.clock import Clock
from clarion.base.errors import BadInput, ClarionError, Forbidden, TooLarge
from clarion.base.ids import TRACE_HEADER, read_trace, request_id, tracing
from clarion.doors.http.auth import IDENTITY
from clarion.doors.http.conventions import ID_LETTERS_MAX, MEDIA_TYPE, PREFIX
from clarion.doors.http.problems import Internal, answer

log = logging.getLogger(__name__)

LINKS = ("/c/", "/i/", "/q/")  # the pages behind contacts' links, which use no cookie
"""What stands behind these is a secret: whoever has it may answer."""


def safe_path(path: str) -> str:
    """The path without its secret, fit for a log."""
    return f"{path[:3]}…" if path.startswith(LINKS) else path


SANE_ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)
HEADER = "X-Request-Id"
NO_GUESSING = (b"x-content-type-options", b"nosniff")
"""Our Content-Type is always right: a browser must not guess another one."""
OURS = f"req_{secrets.token_hex(4)}"  # of this process; what follows counts its requests
COUNT = itertools.count()
HEAD_BYTES_MAX = 32_768  # the default of CLARION_HEAD_BYTES_MAX
HEAD_SECONDS_MAX = 10.0  # the default of CLARION_HEAD_TIMEOUT
BODY_SECONDS_MAX = 30.0  # a slow telephone sends the largest body we take in that time


class RequestId:
    """Gives each request an id, the caller's own if it is sane, in its answer and log lines.

    Every answer also gets the header that forbids browsers to guess a content type.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        name = given if SANE_ID.fullmatch(given) else f"{OURS}{next(COUNT):08x}"
        added = [(HEADER.lower().encode(), name.encode()), NO_GUESSING]

        async def send_with_id(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        token = request_id.set(name)
        trace = read_trace(Headers(scope=scope).get(TRACE_HEADER))
        try:
            with tracing(trace):
                await self._app(scope, receive, send_with_id)
        finally:
            request_id.reset(token)


class LastResort:
    """Catches our own defects: logs the traceback and answers `internal`."""

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
                raise  # Half of the answer is sent: the client can only notice a broken connection.
            await answer(Internal(), instance=scope["path"])(scope, receive, send)


class HeadTooLarge(ClarionError):
    code = "head_too_large"
    status = 431


class HeadTooSlow(ClarionError):
    code = "head_too_slow"
    status = 408


def bounded(bytes_max: int, seconds_max: float) -> type[asyncio.Protocol]:
    """The protocol that uvicorn is to speak, within these bounds."""

    class Bounded(BoundedHeads):
        head_bytes_max = bytes_max
        head_seconds_max = seconds_max

    return Bounded


class BoundedHeads(HttpToolsProtocol):
    """Bounds on the head of a request: how large it may be, and how long it may take to come.

    The parser takes whatever comes for as long as it comes. Somebody who sends a letter a minute,
    or a header without an end, would keep a place and our memory for as long as they like.
    """

    head_bytes_max = HEAD_BYTES_MAX
    head_seconds_max = HEAD_SECONDS_MAX

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_open = False
        self._head_bytes = 0
        self._patience: asyncio.TimerHandle | None = None
        self._refusal: ClarionError | None = None
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._be_patient()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_open = self._head_open
        super().data_received(data)
        if self._upgraded or self.transport.is_closing():
            return
        if not (self._head_open or self._is_idle()):
            return
        # What opened a head in this very piece is no larger than one piece: it counts at its end.
        self._head_bytes += len(data) if was_open else 0
        if self._head_bytes > self.head_bytes_max:
            self._refuse(self._too_large())
        elif self._patience is None:
            self._be_patient()

    def handle_websocket_upgrade(self) -> None:
        """From here on the connection is a socket's, which has bounds of its own."""
        self._upgraded = True
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        self._head_open, self._head_bytes = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Spaces around a value are no part of it (RFC 9110, 5.5); the parser leaves the last."""
        super().on_header(name, value.strip(b" \t"))

    def on_headers_complete(self) -> None:
        self._head_open = False
        self._stop_waiting()
        lines = (len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        if len(self.url) + sum(lines) > self.head_bytes_max:
            # Raised inside the parser it ends the parsing, which asks `send_400_response`.
            self._refusal = self._too_large()
            raise self._refusal
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if self._refusal is not None:
            self._refuse(self._refusal)
        else:
            super().send_400_response(msg)

    def _is_idle(self) -> bool:
        latest: RequestResponseCycle | None = self.cycle  # None before the first request
        return latest is None or latest.response_complete

    def _be_patient(self) -> None:
        self._patience = self.loop.call_later(self.head_seconds_max, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if self._head_open:
            self._refuse(HeadTooSlow("The head of the request came too slowly."))
        else:
            self.transport.close()  # There was no request, so there is no answer.

    def _refuse(self, error: ClarionError) -> None:
        self._head_open = False
        self._stop_waiting()
        if self._is_idle():
            self.transport.write(in_full(error))
        self.transport.close()

    def _too_large(self) -> HeadTooLarge:
        return HeadTooLarge(
            "The head of the request is too large.",
            details={"head_bytes_max": self.head_bytes_max},
        )


def in_full(error: ClarionError) -> bytes:
    """A refusal before the request is complete: there is no route and no request yet."""
    body = bytes(answer(error, instance="").body)
    head = (
        f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        "x-content-type-options: nosniff\r\nconnection: close\r\n\r\n"
    )
    return STATUS_LINE[error.status] + head.encode() + body


class BodyLimit:
    """Refuses a body above `bytes_max`: by its announced length, or as soon as it grows past.

    A body that comes too slowly is refused after `seconds_max`.
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
            # The rest is not read, so the connection cannot be used again.
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


Note = Callable[[str, str, int, float], None]
"""method, route, status, seconds"""
UNKNOWN_ROUTE = "unknown"  # otherwise each unknown path would become a label


class Timing:
    """Measures how long requests take, by route."""

    def __init__(self, app: ASGIApp, clock: Clock, note: Note) -> None:
        self._app = app
        self._clock = clock
        self._note = note

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = self._clock.monotonic(), 500

        async def watching(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # A stream is answered when it begins; how long it stays open says nothing.
                self._note(scope["method"], route_of(scope), status, self._took(began))
            await send(message)

        await self._app(scope, receive, watching)

    def _took(self, began: float) -> float:
        return self._clock.monotonic() - began


def route_of(scope: Scope) -> str:
    route = scope.get("route")
    return getattr(route, "path", UNKNOWN_ROUTE)


CHANGES = frozenset({"DELETE", "PATCH", "POST", "PUT"})
DISPATCH = "/ai/"
LINK_ROUTES = frozenset(f"{prefix}{{token}}" for prefix in LINKS)


class Audited:
    """Middleware: writes every successful change to the audit log, with who made it."""

    def __init__(self, app: ASGIApp, trail: AuditTrail) -> None:
        self._app = app
        self._trail = trail

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in CHANGES:
            await self._app(scope, receive, send)
            return

        async def watching(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._note(scope, message)
            await send(message)

        await self._app(scope, receive, watching)

    def _note(self, scope: Scope, message: Message) -> None:
        route = route_of(scope)
        if not route.startswith((PREFIX, DISPATCH)) and route not in LINK_ROUTES:
            return  # what devices and assistants do is noted at their own doors
        who = scope.get(IDENTITY)
        client = scope.get("client")
        self._trail.note(
            "rest",
            f"{scope['method']} {route}",
            "" if route in LINK_ROUTES else subject_of(scope, message),
            who if isinstance(who, Identity) else None,
            client[0] if client else "",
        )


def subject_of(scope: Scope, message: Message) -> str:
    """The ids in the address; for something new, the id that it was given."""
    named = [str(one) for one in scope.get("path_params", {}).values()]
    for name, value in message.get("headers", ()):
        if name.lower() == b"location":
            named.append(value.decode().rpartition("/")[2])
    return " ".join(named)[: 2 * ID_LETTERS_MAX]


class WrongHost(BadInput):
    code = "wrong_host"
    status = 421


class ForeignOrigin(Forbidden):
    code = "foreign_origin"


class Hosts:
    """Answers only under our own names, and only pages of our own: 421 for a wrong Host, 403 for
    a foreign Origin.

    A page on the Internet can point a name of its own at 127.0.0.1 and let the visitor's browser
    talk to us. It cannot do that with a bare address, so addresses and `localhost` are always
    fine, and every other name has to be on the list. `guests` are origins of other people's pages
    that may call with a token, and with nothing else: a cookie that comes along does not count.
    """

    def __init__(self, app: ASGIApp, allowed: Sequence[str], guests: Sequence[str] = ()) -> None:
        self._app = app
        self._allowed = frozenset(name.lower() for name in allowed)
        self._guests = frozenset(origin.lower().rstrip("/") for origin in guests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        error = self._wrong_with(headers, scope["path"])
        if headers.get("origin", "").lower() in self._guests:
            plain = [one for one in scope["headers"] if one[0] != b"cookie"]
            scope = {**scope, "headers": plain}
        if error is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before accept: 403
        else:
            await answer(error, instance=scope["path"])(scope, receive, send)

    def _wrong_with(self, headers: Headers, path: str) -> ClarionError | None:
        if len(headers.getlist("host")) > 1:
            # A proxy may have read one of them and we the other.
            return BadInput("A request has one Host.")
        host = headers.get("host", "").lower()
        if not self._is_ours(name_of(host)):
            return WrongHost(
                "Clarion does not answer under this name.",
                hint="Add it to CLARION_ALLOWED_HOSTS.",
                details={"host": host},
            )
        origin = headers.get("origin")
        if origin is None:
            return None
        asking = urlsplit(origin).netloc.lower() if "://" in origin else ""
        if origin == "null" and path.startswith(LINKS):
            return None  # the page hides its own address, because that is a secret
        # `null` is a sandboxed page or a file: nobody we know.
        if asking == host or name_of(asking) in self._allowed or origin.lower() in self._guests:
            return None
        return ForeignOrigin("Pages of other sites may not talk to Clarion.")

    def _is_ours(self, name: str) -> bool:
        return name == "localhost" or name in self._allowed or is_address(name)


def name_of(host: str) -> str:
    """`[::1]:8520` is `::1`, `clarion.lan:8520` is `clarion.lan`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


@lru_cache(maxsize=256)  # a server has few names, and every request brings one
def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
