"""Eight processes want the same twenty teams: with Redis, without it, while it dies, and where
only some of them see it.

`python -m benchmarks.dispatch_race [processes] [rounds]`, by default 8 and 500. Afterwards the
database is asked whether a team was ever in two places, a hold is left, or a stranger's was freed.
"again" counts what the database did not answer in time and was asked once more.
"""

import asyncio
import logging
import sys
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from clarion.base.clock import SystemClock
from clarion.dispatch.ports import ACQUIRED, EXPIRED, FAILED, FALLBACK
from clarion.store.redis.holds import PREFIX, holds_client
from clarion.store.sql.dispatch.runs import SETTLED
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tables.dispatch import schemes
from tests.support.racing import Result, finish, prepare, start, wrongs
from tests.support.services import PostgresServer, RedisServer

CLOCK = SystemClock()
NOBODY = "redis://127.0.0.1:1/0"
NAMES = ("with Redis", "without Redis", "Redis dies", "some see it")


@dataclass
class Outcome:
    name: str
    seconds: float
    result: Result
    wrong: list[str]
    left: int
    deadlocks: int
    """In PostgreSQL's own log."""


async def one(
    name: str, postgres: PostgresServer, redis: RedisServer, size: tuple[int, int]
) -> Outcome:
    url = postgres.url(postgres.create_database())
    database = await open_database(url)
    await migrate(database)
    await prepare(url)
    redis.empty()
    before, began = postgres.deadlocks(), CLOCK.monotonic()
    racers = [start(url, seen_by(seed, name, redis), seed, size[1]) for seed in range(size[0])]
    if name == "Redis dies":
        await hurt(database, redis, size[0] * size[1])
    result = await asyncio.to_thread(finish, racers, 3600)
    seconds = CLOCK.monotonic() - began
    deadlocks = postgres.deadlocks() - before
    wrong = await wrongs(database)
    outcome = Outcome(name, seconds, result, wrong, await left_in(redis), deadlocks)
    await database.close()
    return outcome


def seen_by(seed: int, name: str, redis: RedisServer) -> str:
    """The address of Redis for this process: every second has none there, or a wrong one."""
    if name == "without Redis" or (name == "some see it" and seed % 4 == 1):
        return ""
    return NOBODY if name == "some see it" and seed % 4 == 3 else redis.url


async def hurt(database: Database, redis: RedisServer, rounds: int) -> None:
    """Kill and start it at one and two thirds, hang it in between."""
    await until(database, rounds // 6)
    redis.kill()
    await until(database, rounds // 3)
    redis.start()
    await until(database, rounds // 2)
    redis.pause()
    await until(database, rounds // 2 + rounds // 12)
    redis.resume()


async def until(database: Database, count: int) -> None:
    heard = asyncio.Event()
    stop = database.listen(SETTLED, lambda _: heard.set())
    while await database.read(made) < count:
        heard.clear()
        await heard.wait()
    stop()


def made(conn: Connection) -> int:
    return int(conn.execute(select(func.count()).select_from(schemes)).scalar_one())


async def left_in(redis: RedisServer) -> int:
    client = holds_client(redis.url)
    found = [key async for key in client.scan_iter(f"{PREFIX}*")]
    await client.aclose()
    return len(found)


def report(outcomes: list[Outcome]) -> None:
    heads = (
        "rounds",
        "a second",
        "sent",
        "AI4003",
        "fallback",
        "expired",
        "left",
        "robbed",
        "again",
        "deadlocks",
        "twice",
    )
    print(f"{'':16}" + "".join(f"{head:>10}" for head in heads), flush=True)
    for each in outcomes:
        counts, result = each.result.counts, each.result
        row = (
            result.rounds,
            f"{result.rounds / each.seconds:.0f}",
            result.sent,
            result.refused,
            counts[FALLBACK],
            counts[EXPIRED],
            each.left,
            result.robbed,
            result.tried_again,
            each.deadlocks,
            len(each.wrong),
        )
        print(f"{each.name:16}" + "".join(f"{value:>10}" for value in row))
        print(f"{'':16}holds granted {counts[ACQUIRED]}, refused {counts[FAILED]}")
        for sentence in [*each.wrong[:5], *result.failed[:5]]:
            print(f"    {sentence}")


async def main(processes: int, rounds: int) -> bool:
    postgres, redis = PostgresServer(), RedisServer()
    postgres.start()
    redis.start()
    try:
        outcomes = []
        for name in NAMES:
            outcomes.append(await one(name, postgres, redis, (processes, rounds)))
            report(outcomes[-1:])
    finally:
        redis.remove()
        postgres.remove()
    return not any(
        each.wrong or each.result.failed or each.left or each.deadlocks for each in outcomes
    )


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # every lost race is news to nobody here
    given = [int(text) for text in sys.argv[1:]] or [8, 500]
    sys.exit(0 if asyncio.run(main(given[0], given[1])) else 1)
