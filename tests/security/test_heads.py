"""A head that is too large or too slow is given up, and everybody else is answered meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from tests.security.conftest import Wire
from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors

CEILING = 30  # against hanging, nothing else
HURRY = timedelta(seconds=1)


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, head_timeout=HURRY, head_bytes_max=4096) as opened:
        yield opened


def status(answer: bytes) -> bytes:
    return answer.split()[1]


async def test_a_head_that_dribbles_in_is_given_up(wire: Wire) -> None:
    async with asyncio.timeout(CEILING):
        answer = await wire.send(b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: b")

    assert status(answer) == b"408"
    assert b"head_too_slow" in answer


async def test_who_says_nothing_is_let_go(wire: Wire) -> None:
    async with asyncio.timeout(CEILING):
        answer = await wire.send(b"")

    assert answer == b""


async def test_empty_lines_keep_no_place_after_an_answer(wire: Wire) -> None:
    ask = f"GET /health/live HTTP/1.1\r\nHost: {wire.host}\r\n\r\n".encode()

    async with asyncio.timeout(CEILING):
        answer = await wire.send(ask + b"\r\n\r\n")

    assert answer.count(b"HTTP/1.1 200") == 1


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("GET /health/live HTTP/1.1\r\nX-A: " + "b" * 5000 + "\r\n\r\n", id="header"),
        pytest.param("GET /health/live HTTP/1.1\r\n" + "A: b\r\n" * 2000 + "\r\n", id="headers"),
        pytest.param("GET /" + "a" * 5000 + " HTTP/1.1\r\n\r\n", id="address"),
    ],
)
async def test_a_head_that_is_too_large_is_refused(wire: Wire, head: str) -> None:
    async with asyncio.timeout(CEILING):
        answer = await wire.send(head.encode())

    assert status(answer) == b"431"
    assert b"head_too_large" in answer


async def go_on_and_on(writer: asyncio.StreamWriter) -> None:
    writer.write(b"GET /health/live HTTP/1.1\r\nX-A: ")
    for _ in range(10_000):
        writer.write(b"b" * 10_000)
        await writer.drain()


async def test_a_head_without_an_end_is_cut_off(wire: Wire) -> None:
    _, writer = await asyncio.open_connection(*wire.at)

    async with asyncio.timeout(CEILING):
        with pytest.raises(ConnectionError):
            await go_on_and_on(writer)

    writer.transport.abort()


async def test_a_head_of_usual_size_in_pieces_is_answered(wire: Wire) -> None:
    reader, writer = await asyncio.open_connection(*wire.at)
    async with asyncio.timeout(CEILING):
        for piece in (b"GET /health/", b"live HTTP/1.1\r\nHo", f"st: {wire.host}\r\n".encode()):
            writer.write(piece)
            await writer.drain()
        writer.write(b"Connection: close\r\n\r\n")
        answer = await reader.read()
    writer.close()

    assert status(answer) == b"200"


async def test_many_slow_heads_keep_nobody_out(doors: Doors, wire: Wire) -> None:
    slow = [asyncio.create_task(wire.send(b"GET / HTTP/1.1\r\nX")) for _ in range(200)]

    async with doors.client("ana") as client:
        answer = await client.get("/api/v1/me")
    async with asyncio.timeout(CEILING):
        given_up = await asyncio.gather(*slow)

    assert answer.status_code == 200
    assert {status(one) for one in given_up} == {b"408"}


async def test_a_socket_outlives_the_patience_with_heads(doors: Doors, wire: Wire) -> None:
    url = doors.url.replace("http://", "ws://") + "/xiaozhi/v1/"
    headers = {"Authorization": f"Bearer {doors.tokens['kitchen']}", "Device-Id": "kitchen"}

    async with asyncio.timeout(CEILING), connect(url, additional_headers=headers) as socket:
        slow = await wire.send(b"GET / HTTP/1.1\r\nX")  # answered when the patience is over
        await (await socket.ping())

    assert status(slow) == b"408"
