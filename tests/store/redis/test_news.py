"""What one server commits is heard by the others through Redis, in one word and not by itself."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from clarion.store.redis.bus import Bus
from clarion.store.redis.client import patient_client, quick_client
from clarion.store.redis.news import TaskNews
from clarion.store.sql.tasks.rows import read_news
from tests.support.clock import ManualClock
from tests.support.services import RedisServer


@pytest.fixture
async def bus(redis_server: RedisServer, clock: ManualClock) -> AsyncIterator[Bus]:
    ear, mouth = patient_client(redis_server.url), quick_client(redis_server.url)
    yield Bus(ear, mouth, clock)
    await ear.aclose()
    await mouth.aclose()


async def test_others_hear_the_best_of_what_was_said(bus: Bus, clock: ManualClock) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    own: list[str] = []
    ours = TaskNews(bus, "srv_1", own.append)
    TaskNews(bus, "srv_2", heard.put_nowait)
    listening = asyncio.create_task(bus.run_once())
    while not await bus.publish("clarion_tasks", "srv_3 9 9 0 0"):
        pass
    await heard.get()

    for news in ("20 7 0 0", "", "10 8 1 0", "30 9 0 1"):
        ours.say(news)
    await ours.run_once()

    assert (await heard.get(), own) == ("10 7 1 1", [])
    assert read_news("10 7 1 1").control
    listening.cancel()
    await asyncio.wait([listening])
