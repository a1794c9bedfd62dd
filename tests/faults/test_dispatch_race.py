"""Processes that want the same teams: with Redis, without it, and while it dies and comes back."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, func, select

from clarion.dispatch.ports import ACQUIRED, FALLBACK
from clarion.store.redis.holds import PREFIX, holds_client
from clarion.store.sql.dispatch.runs import SETTLED
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.dispatch import schemes
from tests.support.databases import opened, postgres_database
from tests.support.racing import Result, finish, prepare, start, wrongs
from tests.support.services import PostgresServer, RedisServer

pytestmark = pytest.mark.timeout(120)  # three processes start Python and talk to real servers

RACERS, ROUNDS = 3, 15


@pytest.fixture
async def arena(postgres: PostgresServer) -> str:
    url = postgres.url(await postgres_database(postgres))
    await prepare(url)
    return url


@pytest.fixture(autouse=True)
def no_deadlocks(postgres: PostgresServer) -> Iterator[None]:
    """PostgreSQL's own log is asked: what was tried again inside is not seen outside."""
    before = postgres.deadlocks()
    yield
    assert postgres.deadlocks() == before


async def check(url: str, result: Result) -> None:
    async with opened(url) as database:
        assert await wrongs(database) == []
    assert result.failed == []
    assert result.rounds == RACERS * ROUNDS
    assert result.sent > RACERS * ROUNDS / 2
    assert result.counts[ACQUIRED] > 0


async def some_schemes(database: Database, count: int) -> None:
    """Until so many plans have ended: each end is told to whoever listens."""
    heard = asyncio.Event()
    stop = database.listen(SETTLED, lambda _: heard.set())
    while await database.read(schemes_made) < count:
        heard.clear()
        await heard.wait()
    stop()


def schemes_made(conn: Connection) -> int:
    return int(conn.execute(select(func.count()).select_from(schemes)).scalar_one())


async def held_in_redis(redis_server: RedisServer) -> list[str]:
    client = holds_client(redis_server.url)
    found = [str(key) async for key in client.scan_iter(f"{PREFIX}*")]
    await client.aclose()
    return found


async def test_without_redis_no_team_is_sent_twice(arena: str) -> None:
    racers = [start(arena, "", seed, ROUNDS) for seed in range(RACERS)]

    result = finish(racers, 50)

    await check(arena, result)
    assert result.counts[FALLBACK] == 0


async def test_with_redis_no_team_is_sent_twice_and_no_strangers_hold_let_go(
    arena: str, redis_server: RedisServer
) -> None:
    racers = [start(arena, redis_server.url, seed, ROUNDS) for seed in range(RACERS)]

    result = finish(racers, 50)

    await check(arena, result)
    assert result.robbed == 0
    assert result.counts[FALLBACK] < result.counts[ACQUIRED]  # 0, on a machine with time to spare
    assert await held_in_redis(redis_server) == []


async def test_when_some_servers_see_redis_and_others_do_not_no_team_is_sent_twice(
    arena: str, redis_server: RedisServer
) -> None:
    seen = [redis_server.url, "", "redis://127.0.0.1:1/0"]
    racers = [start(arena, url, seed, ROUNDS) for seed, url in enumerate(seen)]

    result = finish(racers, 50)

    await check(arena, result)
    assert result.robbed == 0
    assert result.counts[FALLBACK] >= ROUNDS / 2


async def test_while_redis_dies_and_comes_back_no_team_is_sent_twice(
    arena: str, redis_server: RedisServer
) -> None:
    racers = [start(arena, redis_server.url, seed, ROUNDS) for seed in range(RACERS)]
    async with opened(arena) as database:
        await some_schemes(database, 6)
        redis_server.kill()
        await some_schemes(database, 18)
        redis_server.start()

    result = finish(racers, 50)

    await check(arena, result)
    assert result.counts[FALLBACK] > 0
    assert await held_in_redis(redis_server) == []
