"""Two servers on one database: what one decides reaches the line that is open at the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from clarion.app.cluster import CHANNEL, add_neighbours
from clarion.app.parts import Parts
from clarion.base.clock import SystemClock
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.doors.devices.wake.channel import DeviceChannel
from clarion.doors.devices.wake.wake import Wakes
from clarion.doors.devices.wire.registry import Registry
from clarion.settings import Settings
from clarion.store.redis.client import quick_client
from clarion.store.sql.opening import open_database
from tests.support.databases import opened, sqlite_file
from tests.support.devices import TOKEN, Door, a_device, a_ring, devices_door
from tests.support.services import RedisServer

SHOWN = SimulatedIdentity(token=TOKEN)
PATIENCE = 30.0  # seconds; against hanging
LONG = "很长的一句话。" * 100

pytestmark = pytest.mark.timeout(90)


@asynccontextmanager
async def a_server(
    url: str, redis_url: str, registry: Registry, wakes: Wakes
) -> AsyncIterator[DeviceChannel]:
    """As much of one as speaks to its neighbours; it listens when this begins."""
    async with AsyncExitStack() as closing:
        database = await open_database(url)
        closing.push_async_callback(database.close)
        settings = Settings(database_url=url, redis_url=redis_url)
        parts = Parts(settings=settings, clock=SystemClock(), database=database, closing=closing)
        neighbours = add_neighbours(parts, registry, wakes)
        running = [asyncio.create_task(one.run()) for one in parts.runners]
        try:
            yield DeviceChannel(registry, wakes, neighbours)
        finally:
            for task in running:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


@dataclass(slots=True)
class Pair:
    here: DeviceChannel
    """The channel of the server without a line."""
    there: Door
    device: SimulatedDevice
    """Connected over there."""


@asynccontextmanager
async def a_pair(url: str, redis_url: str = "") -> AsyncIterator[Pair]:
    async with (
        devices_door() as door,
        a_server(url, redis_url, door.registry, door.wakes),
        a_server(url, redis_url, Registry(), Wakes()) as here,
        SimulatedDevice(door.url, SHOWN) as device,
    ):
        if redis_url:
            await until_both_listen(redis_url)
        await until_notified(here, device)
        yield Pair(here, door, device)


async def until_both_listen(redis_url: str) -> None:
    client = quick_client(redis_url)
    async with asyncio.timeout(PATIENCE):
        while dict(await client.pubsub_numsub(CHANNEL)).get(CHANNEL) != 2:
            await asyncio.to_thread(int)
    await client.aclose()


async def until_notified(here: DeviceChannel, device: SimulatedDevice) -> None:
    """A listener may still be on its way to PostgreSQL: say it until it is heard."""
    async with asyncio.timeout(PATIENCE):
        while not device.firmware.said:
            await here.say(a_device(), "喂")
            with suppress(TimeoutError):
                await device.until(lambda it: it.said != [], within=0.5)
    await device.until(lambda it: it.state == "idle")


@pytest.fixture(params=["postgres", "redis", "redis away"])
async def pair(
    request: pytest.FixtureRequest, postgres_url: str, redis_server: RedisServer
) -> AsyncIterator[Pair]:
    redis_url = "" if request.param == "postgres" else redis_server.url
    async with a_pair(postgres_url, redis_url) as made:
        if request.param == "redis away":
            redis_server.kill()
        yield made
    if request.param == "redis away":
        redis_server.ensure_running()


async def test_a_ring_is_told_where_the_line_is(pair: Pair) -> None:
    ring = a_ring()
    pair.there.facts.waiting[ring.id] = ring

    await pair.here.ring(ring)

    await pair.device.until(lambda it: ring.text in it.said)


async def test_a_remark_is_said_where_the_line_is(pair: Pair) -> None:
    await pair.here.say(a_device(), "记得买药")
    await pair.here.say(a_device(), "早点休息")
    firmware = await pair.device.until(lambda it: "早点休息" in it.said)

    assert firmware.said.count("记得买药") == 1


async def test_what_was_settled_here_falls_silent_there(pair: Pair) -> None:
    ring = a_ring(text=LONG)
    before = len(pair.device.firmware.said)
    await pair.there.ring(ring)
    await pair.device.until(lambda it: it.state == "speaking" and len(it.said) > before)

    await pair.here.hush(a_device(), ring.id)
    firmware = await pair.device.until(lambda it: it.state == "idle")

    assert len(firmware.said) - before < 100


async def test_a_file_has_one_server_and_nobody_to_tell(tmp_path: Path) -> None:
    url = await sqlite_file(tmp_path)
    async with opened(url) as database:
        settings = Settings(database_url=url)
        parts = Parts(settings=settings, clock=SystemClock(), database=database)

        assert add_neighbours(parts, Registry(), Wakes()) is None
