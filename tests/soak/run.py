"""One seeded life from its first minute to its verdict."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from clarion.settings import Settings
from tests.soak.judge import Verdict, doubly_sent, judge
from tests.soak.life import calm_down, live
from tests.soak.world import World
from tests.support.clock import START, ManualClock
from tests.support.databases import postgres_database, sqlite_file
from tests.support.services import PostgresServer, RedisServer


@asynccontextmanager
async def storage(server: PostgresServer | None, folder: Path) -> AsyncIterator[str]:
    if server is None:
        yield await sqlite_file(folder)
        return
    name = await postgres_database(server)
    yield server.url(name)
    server.drop_database(name)


async def soak(
    seed: int,
    days: float,
    server: PostgresServer | None = None,
    redis: RedisServer | None = None,
) -> tuple[World, Verdict]:
    """One server on SQLite, or two on `server`; with `redis`, teams are held there."""
    with tempfile.TemporaryDirectory(prefix="clarion-soak-") as name:
        folder = Path(name)
        async with storage(server, folder) as url:
            world = World(
                settings=Settings(
                    data_dir=folder, port=0, redis_url="" if redis is None else redis.url
                ),
                redis=redis,
                url=url,
                clock=ManualClock(START),
                random=Random(seed),
                size=1 if server is None else 2,
                together=server is not None,
            )
            try:
                return world, await _lived(world, days)
            finally:
                await world.close()


async def _lived(world: World, days: float) -> Verdict:
    sent_twice: list[str] = []

    async def look() -> None:
        await world.forget_holds()
        if world.nodes and not world.nodes[0].plug.is_dead:
            sent_twice.extend(await world.nodes[0].plug.read(doubly_sent))

    await world.begin()
    await live(world, days, look)
    await calm_down(world)
    verdict = await judge(world)
    verdict.wrong += [f"{name} was sent to two events" for name in sent_twice]
    return verdict
