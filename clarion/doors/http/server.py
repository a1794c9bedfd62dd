"""The HTTP application, and the server that carries it and stops in time."""

import asyncio
import contextlib
import errno
import ipaddress
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Any

import uvicorn
from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware import Middleware

import clarion
from clarion.base.errors import BadInput, Conflict
from clarion.doors.http.conventions import known_parameters, operation_name
from clarion.doors.http.middleware import (
    HEAD_BYTES_MAX,
    HEAD_SECONDS_MAX,
    BodyLimit,
    HeadOnly,
    LastResort,
    RequestId,
    bounded,
)
from clarion.doors.http.problems import add_problems

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]

STRICT = ("/api/", "/ai")
"""Where a parameter that is not known is refused."""
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
