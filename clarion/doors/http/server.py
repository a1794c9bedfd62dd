"""The HTTP application, and the server that carries it and stops in time."""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Any

import uvicorn
from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware import Middleware
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

import clarion
from clarion.base.errors import BadInput, ClarionError, Conflict
from clarion.doors.http.conventions import MEDIA_TYPE, known_parameters
from clarion.doors.http.middleware import BodyLimit, HeadOnly, LastResort, RequestId
from clarion.doors.http.problems import add_problems, answer

log = logging.getLogger(__name__)

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]

STRICT = ("/api/", "/ai")
"""Where a parameter that is not known is refused."""
HEAD_BYTES_MAX = 32_768  # the default of CLARION_HEAD_BYTES_MAX
HEAD_SECONDS_MAX = 10.0  # the default of CLARION_HEAD_TIMEOUT
WEBSOCKET_BYTES_MAX = 131_072  # twice the largest frame that a device sends


class PortTaken(Conflict):
    code = "port_taken"


def build_app(
    routers: Sequence[APIRouter],
    *,
    body_bytes_max: int,
    lifespan: Lifespan | None = None,
    middleware: Sequence[Middleware] = (),
) -> FastAPI:
    app = FastAPI(
        title="Clarion",
        version=clarion.__version__,
        summary=clarion.__doc__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        license_info={"name": "Apache 2.0", "identifier": "Apache-2.0"},
        generate_unique_id_function=operation_name,
        lifespan=lifespan,
    )
    for router in routers:
        strict = [Depends(known_parameters)] if router.prefix.startswith(STRICT) else []
        app.include_router(router, dependencies=strict)
    add_problems(app)
    # The one added last is the outermost.
    for one in reversed(middleware):
        app.add_middleware(one.cls, *one.args, **one.kwargs)
    app.add_middleware(BodyLimit, bytes_max=body_bytes_max)
    app.add_middleware(HeadOnly)
    app.add_middleware(LastResort)
    app.add_middleware(RequestId)
    return app


def operation_name(route: APIRoute) -> str:
    """What generated clients call it: its tag and the function's name, such as `series_pause`."""
    tag = str(route.tags[0]) if route.tags else "clarion"
    return f"{tag}_{route.name}".replace("-", "_")


class HttpServer:
    """Uvicorn with two differences: it takes no signals, and it ends within `stop_timeout`.

    `stopping` is set first, so that streams can say goodbye; what is still open when the time
    is over is cut.
    """

    def __init__(
        self,
        app: Any,
        listener: socket.socket,
        *,
        stopping: asyncio.Event,
        stop_timeout: timedelta = timedelta(seconds=3),
        head_bytes_max: int = HEAD_BYTES_MAX,
        head_timeout: timedelta = timedelta(seconds=HEAD_SECONDS_MAX),
        trusted_proxies: Sequence[str] = (),
    ) -> None:
        self.app = app
        self._listener = listener
        self._stopping = stopping
        self.listening = asyncio.Event()
        config = uvicorn.Config(
            app,
            http=bounded(head_bytes_max, head_timeout.total_seconds()),
            log_config=None,
            access_log=False,
            server_header=False,
            # Anybody can write X-Forwarded-For: it counts from the operator's own proxies alone.
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            # Devices send small frames and offer no compression.
            ws_max_size=WEBSOCKET_BYTES_MAX,
            ws_per_message_deflate=False,
            # Uvicorn looks every tenth of a second and needs two of them to leave.
            timeout_graceful_shutdown=max(0, stop_timeout.total_seconds() - 0.5),  # type: ignore[arg-type]  # asyncio takes fractions
        )
        self._server = _Uvicorn(config, self.listening)

    async def run(self) -> None:
        """Serve until `stop`, or until cancelled, which stops as well."""
        serving = asyncio.create_task(self._server.serve([self._listener]), name="uvicorn")
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            self.stop()
            await serving
            raise

    def stop(self) -> None:
        self._stopping.set()
        self._server.should_exit = True


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, listening: asyncio.Event) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield  # Signals are handled for all of Clarion: see app.


def listen_on(host: str, port: int) -> socket.socket:
    """Take the port first: a second server must fail before it touches anything."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves small packets to wait for one another: 40 ms an answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise _refusal(error, host, port) from None
    return listener


def _refusal(error: OSError, host: str, port: int) -> BadInput | PortTaken:
    if error.errno == errno.EADDRINUSE:
        return PortTaken(
            f"Port {port} on {host} is taken by another program.",
            hint=f"Stop that program, or choose another port: CLARION_PORT={port + 1}.",
        )
    if error.errno == errno.EACCES:
        return PortTaken(f"Port {port} is reserved.", hint="Choose one above 1023.")
    return BadInput(f"Cannot listen on {host!r}: {error.strerror or error}.")


def local_url(listener: socket.socket) -> str:
    """Where to look, for a person on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
