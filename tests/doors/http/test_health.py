"""Health tells load balancers whether to send work, and people what is missing."""

import asyncio

import httpx

from clarion.doors.http.health import Check, health_routes
from clarion.doors.http.server import build_app


async def fine() -> None:
    pass


async def away() -> None:
    raise ConnectionError("nobody there")


async def ask(path: str, *checks: Check, stopping: bool = False) -> httpx.Response:
    signal = asyncio.Event()
    if stopping:
        signal.set()
    app = build_app([health_routes(checks, signal)], body_bytes_max=1000)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://clarion") as client:
        return await client.get(path)


async def test_alive_asks_nobody() -> None:
    answer = await ask("/health/live", Check("database", away))

    assert answer.status_code == 200


async def test_ready_when_every_service_answers() -> None:
    answer = await ask("/health/ready", Check("database", fine))

    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["degraded"]) == ("ready", False)


async def test_not_ready_without_what_is_required() -> None:
    answer = await ask("/health/ready", Check("database", away))

    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == {"ok": False, "detail": "nobody there"}


async def test_degraded_is_still_ready() -> None:
    answer = await ask("/health", Check("database", fine), Check("redis", away, required=False))

    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["degraded"]) == ("degraded", True)


async def test_a_stopping_server_asks_for_no_more_work() -> None:
    answer = await ask("/health/ready", Check("database", fine), stopping=True)

    assert answer.status_code == 503
    assert answer.json()["status"] == "stopping"
