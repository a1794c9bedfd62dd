"""An outage of Redis, of whatever kind, is noticed in time, told once, and survived."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from clarion.base.events import Event
from clarion.store.redis.client import ANSWER_SECONDS_MAX, RedisAway, quick_client
from clarion.store.redis.watch import EVERY, RedisWatch
from clarion.store.sql.engine.database import StorageAway
from tests.support.clock import ManualClock
from tests.support.server import free_port
from tests.support.services import RedisServer


class Told:
    """Keeps the events of a watch."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def __call__(self, event: Event) -> None:
        self.events.append(event)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def watch(
    redis_server: RedisServer, clock: ManualClock, told: Told
) -> AsyncIterator[RedisWatch]:
    client = quick_client(redis_server.url)
    yield RedisWatch(client, clock, "srv_1", told)
    redis_server.resume()
    await client.aclose()


def make_read_only(server: RedisServer) -> None:
    server.run(f"REPLICAOF 127.0.0.1 {free_port()}")


HURTS = [
    pytest.param(RedisServer.kill, id="refuses"),
    pytest.param(RedisServer.pause, id="hangs"),
    pytest.param(make_read_only, id="takes no writes"),
]


@pytest.mark.parametrize("hurt", HURTS)
async def test_an_outage_is_noticed_within_two_seconds(
    watch: RedisWatch, redis_server: RedisServer, told: Told, hurt: Callable[[RedisServer], None]
) -> None:
    await watch.run_once()
    was_away = watch.is_away
    hurt(redis_server)

    for _ in range(2):
        await watch.run_once()

    assert (was_away, watch.is_away) == (False, True)
    assert 2 * (ANSWER_SECONDS_MAX + EVERY.total_seconds()) < 2, "two beats and the waits"
    assert [event.kind for event in told.events] == ["cluster.degraded"]
    with pytest.raises(RedisAway):
        await watch.check()


async def test_the_return_is_noticed_and_told(
    watch: RedisWatch, redis_server: RedisServer, told: Told
) -> None:
    await watch.run_once()
    redis_server.pause()
    for _ in range(3):
        await watch.run_once()

    redis_server.resume()
    await watch.run_once()

    assert not watch.is_away
    assert [event.kind for event in told.events] == ["cluster.degraded", "cluster.recovered"]
    await watch.check()


async def test_one_hiccup_is_not_an_outage(watch: RedisWatch, redis_server: RedisServer) -> None:
    await watch.run_once()
    redis_server.pause()
    await watch.run_once()
    redis_server.resume()

    await watch.run_once()

    assert not watch.is_away


async def test_a_database_that_is_away_too_does_not_stop_the_watch(
    redis_server: RedisServer, clock: ManualClock
) -> None:
    class Refusing:
        calls = 0

        async def __call__(self, _event: Event) -> None:
            self.calls += 1
            if self.calls == 1:
                raise StorageAway("gone")

    refusing = Refusing()
    client = quick_client(f"redis://127.0.0.1:{free_port()}/0")
    watch = RedisWatch(client, clock, "srv_1", refusing)

    for _ in range(4):
        await watch.run_once()

    assert refusing.calls == 2, "said again, and once it is written no more"
    await client.aclose()


async def test_no_request_waits_for_a_redis_that_hangs(redis_server: RedisServer) -> None:
    client = quick_client(redis_server.url)
    await client.ping()
    redis_server.pause()

    answers = await asyncio.gather(*(client.ping() for _ in range(20)), return_exceptions=True)

    redis_server.resume()  # only now: each gave up by itself
    await client.aclose()
    assert all(isinstance(answer, Exception) for answer in answers)
