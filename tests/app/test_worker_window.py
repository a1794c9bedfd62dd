"""A worker has no door, but a window through which Prometheus sees how it is."""

import asyncio
from pathlib import Path

import httpx
import pytest

from clarion.app.build import Address, build
from clarion.base.config import BadSettings
from clarion.cli.worker import window_address
from clarion.settings import Settings


async def test_it_shows_numbers_and_health_and_nothing_else(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    window = Address("127.0.0.1", 0)

    async with await build(settings, listens=False, window=window) as clarion:
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        async with httpx.AsyncClient(base_url=clarion.url, timeout=30) as client:
            numbers, health, door = [
                await client.get(path) for path in ("/metrics", "/health", "/api/v1/reminders")
            ]
        clarion.stop()
        await running

    assert "clarion_" in numbers.text
    assert (numbers.status_code, health.status_code, door.status_code) == (200, 200, 404)


@pytest.mark.parametrize(
    ("said", "address"),
    [
        pytest.param("", None, id="nothing said"),
        pytest.param("127.0.0.1:9100", ("127.0.0.1", 9100), id="host and port"),
        pytest.param("[::1]:9100", ("::1", 9100), id="a host with colons"),
        pytest.param(":9100", ("127.0.0.1", 9100), id="this machine alone"),
    ],
)
def test_where_it_is(said: str, address: tuple[str, int] | None) -> None:
    assert window_address(said) == address


@pytest.mark.parametrize("said", ["localhost", "localhost:http", "127.0.0.1:70000"])
def test_an_address_that_is_none_is_said_at_the_start(said: str) -> None:
    with pytest.raises(BadSettings):
        window_address(said)
