"""Whoever guesses is slowed down, and cannot pretend to be somebody else."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, by_hand=True) as opened:
        yield opened


async def test_a_made_up_address_gives_no_further_guesses(doors: Doors) -> None:
    async with doors.client() as guesser:
        statuses = [
            (
                await guesser.get(
                    "/api/v1/me",
                    headers={
                        "Authorization": f"Bearer tok_{number}.x",
                        "X-Forwarded-For": f"192.0.2.{number}",
                    },
                )
            ).status_code
            for number in range(25)
        ]

    assert statuses == [401] * 20 + [429] * 5


async def test_a_trusted_proxy_tells_who_asks(tmp_path: Path, clock: ManualClock) -> None:
    async with (
        open_doors(tmp_path, clock, by_hand=True, trusted_proxies=("127.0.0.1",)) as doors,
        doors.client() as proxy,
    ):
        statuses = [
            (
                await proxy.get(
                    "/api/v1/me",
                    headers={
                        "Authorization": f"Bearer tok_{number}.x",
                        "X-Forwarded-For": f"192.0.2.{number}",
                    },
                )
            ).status_code
            for number in range(25)
        ]

    assert statuses == [401] * 25


async def test_a_devices_code_cannot_be_guessed(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("bo") as bo:
        path = "/api/v1/devices/activations"
        statuses = [
            (await ana.post(f"{path}/{code:06}", json={})).status_code for code in range(12)
        ]
        other = (await bo.post(f"{path}/000000", json={})).status_code
        doors.clock.advance(timedelta(minutes=16))
        later = (await ana.post(f"{path}/000000", json={})).status_code

    assert statuses == [404] * 10 + [429] * 2
    assert (other, later) == (404, 404)
