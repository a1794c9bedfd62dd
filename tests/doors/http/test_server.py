"""The server itself: it starts, it streams, and it stops in time."""

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import timedelta

import httpx
import pytest
from fastapi import APIRouter
from starlette.responses import StreamingResponse

from clarion.base.errors import BadInput
from clarion.doors.http.server import (
    HttpServer,
    PortTaken,
    build_app,
    listen_on,
    local_url,
)


def streams(stopping: asyncio.Event) -> APIRouter:
    """Two streams: one that watches `stopping` and one that would never end."""
    router = APIRouter()

    async def polite() -> AsyncIterator[str]:
        yield "hello "
        await stopping.wait()
        yield "goodbye"

    async def stubborn() -> AsyncIterator[str]:
        yield "hello "
        await asyncio.Event().wait()

    @router.get("/polite")
    async def get_polite() -> StreamingResponse:
        return StreamingResponse(polite())

    @router.get("/stubborn")
    async def get_stubborn() -> StreamingResponse:
        return StreamingResponse(stubborn())

    return router


async def run_and_stop(path: str) -> str:
    """Open a stream, stop the server, and answer what was heard."""
    stopping = asyncio.Event()
    listener = listen_on("127.0.0.1", 0)
    app = build_app([streams(stopping)], body_bytes_max=1000)
    server = HttpServer(app, listener, stopping=stopping, stop_timeout=timedelta(seconds=1))
    running = asyncio.create_task(server.run())
    await server.listening.wait()
    heard = ""
    async with (
        httpx.AsyncClient(timeout=30) as client,
        client.stream("GET", local_url(listener) + path) as s,
    ):
        pieces = s.aiter_text()
        heard += await anext(pieces)
        server.stop()
        try:
            async for piece in pieces:
                heard += piece
        except httpx.RemoteProtocolError:
            heard += "cut"
        await running
    return heard


async def test_a_stream_that_watches_says_goodbye() -> None:
    assert await run_and_stop("/polite") == "hello goodbye"


async def test_a_stream_that_does_not_end_is_cut_in_time() -> None:
    assert await run_and_stop("/stubborn") == "hello cut"


async def test_cancelling_stops_the_server_and_frees_the_port() -> None:
    listener = listen_on("127.0.0.1", 0)
    port = listener.getsockname()[1]
    server = HttpServer(build_app([], body_bytes_max=1000), listener, stopping=asyncio.Event())
    running = asyncio.create_task(server.run())
    await server.listening.wait()

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    listen_on("127.0.0.1", port).close()


def test_a_taken_port_is_said_in_one_sentence() -> None:
    with listen_on("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]

        with pytest.raises(PortTaken, match=f"Port {port} on 127.0.0.1 is taken"):
            listen_on("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(BadInput, match=r"Cannot listen on '192.0.2.1'"):
        listen_on("192.0.2.1", 0)


async def test_small_answers_do_not_wait_for_one_another() -> None:
    accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        made = writer.get_extra_info("socket")
        accepted.set_result(made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = listen_on("127.0.0.1", 0)
    async with await asyncio.start_server(look, sock=listener) as server:
        host, port = server.sockets[0].getsockname()
        _, writer = await asyncio.open_connection(host, port)
        undelayed = await accepted
        writer.close()

    assert undelayed
