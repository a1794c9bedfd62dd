"""What strangers send that no honest client would: byte by byte, over a real socket."""

import asyncio

import httpx
import pytest
from fastapi import APIRouter, Request

from clarion.doors.http.middleware import BodyLimit
from clarion.doors.http.server import build_app
from tests.security.conftest import Wire
from tests.support.doors import Doors
from tests.support.http import serving


@pytest.mark.parametrize(
    "target",
    [
        "/console/../settings.py",
        "/console/%2e%2e/settings.py",
        "/console/..%2fsettings.py",
        "/console/%252e%252e/settings.py",
        "/console/....//settings.py",
        "/console//etc/passwd",
        "/console/%2fetc%2fpasswd",
        "/console/..\\settings.py",
        "/console/main.js%00.html",
        "/../data/token",
    ],
)
async def test_no_path_leads_out_of_the_console(wire: Wire, target: str) -> None:
    answer = await wire.get(target)

    assert answer.split(b"\r\n")[0].split()[1] in (b"404", b"400")
    assert b"class Settings" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("X-Request-Id: a\tSet-Cookie: x=1", id="tab"),
        pytest.param("X-Request-Id: a%0d%0aSet-Cookie: x=1", id="encoded line end"),
        pytest.param("X-Request-Id: ä; Set-Cookie: x=1", id="beyond ASCII"),
    ],
)
async def test_a_request_id_brings_no_header_along(wire: Wire, header: str) -> None:
    answer = await wire.get("/health/live", header)

    assert b"set-cookie" not in answer.split(b"\r\n\r\n")[0].lower()
    assert b"x-request-id: req_" in answer.lower()


async def test_a_line_end_in_a_path_brings_no_header_along(wire: Wire) -> None:
    answer = await wire.get("/c/x%0d%0aSet-Cookie:%20x=1")

    assert b"set-cookie" not in answer.split(b"\r\n\r\n")[0].lower()


async def test_a_request_with_two_lengths_is_answered_once(wire: Wire) -> None:
    """Two ways to read one request are how a second one is smuggled past a proxy."""
    smuggled = b"0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
    head = (
        f"POST /api/v1/reminders HTTP/1.1\r\nHost: {wire.host}\r\nConnection: close\r\n"
        f"Content-Length: {len(smuggled)}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )

    answer = await wire.send(head.encode() + smuggled)

    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"reminder_pending" not in answer


async def test_a_body_that_dribbles_in_is_given_up() -> None:
    router = APIRouter()

    @router.post("/words")
    async def words(request: Request) -> int:
        return len(await request.body())

    app = BodyLimit(build_app([router], body_bytes_max=1000), 1000, seconds_max=0.2)
    async with serving(app) as url, asyncio.timeout(30):
        wire = Wire(url)
        answer = await wire.send(
            f"POST /words HTTP/1.1\r\nHost: {wire.host}\r\nContent-Length: 100\r\n\r\nab".encode()
        )

    assert answer.split()[1] == b"408"
    assert b"too slowly" in answer


async def test_many_slow_callers_keep_nobody_out(doors: Doors) -> None:
    wire = Wire(doors.url)
    head = f"POST /api/v1/reminders HTTP/1.1\r\nHost: {wire.host}\r\nContent-Length: 9\r\n\r\n"
    slow = [asyncio.create_task(wire.send(head.encode())) for _ in range(100)]

    async with doors.client("ana") as client, asyncio.timeout(30):
        answer = await client.get("/api/v1/me")

    for task in slow:
        task.cancel()
    await asyncio.wait(slow)
    assert answer.status_code == 200


async def test_deeply_nested_json_is_refused(doors: Doors) -> None:
    async with doors.client("ana") as client:
        answer: httpx.Response = await client.post(
            "/api/v1/reminders",
            content=b"[" * 100_000,
            headers={"Content-Type": "application/json"},
        )

    assert answer.status_code in (400, 422)


async def test_two_hosts_are_no_request(wire: Wire) -> None:
    answered = await wire.send(
        f"GET /health/live HTTP/1.1\r\nHost: {wire.host}\r\nHost: localhost\r\n"
        "Connection: close\r\n\r\n".encode()
    )

    assert answered.startswith(b"HTTP/1.1 400 ")
