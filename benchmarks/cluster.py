"""PostgreSQL alone, and with Redis beside it, and bare BullMQ in the same run.

Run it with `python -m benchmarks.cluster [tasks] [delayed]`. A no-op handler and one process each.
Clarion claims every task in PostgreSQL and writes its end there, with ordinary fsync. With Redis
the whole of it runs beside the workers: the watch, the signals, and the bridge both ways.
"""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import uvloop

from benchmarks._queue import CLOCK, Countdown, Queue, queue, spread
from benchmarks._times import pause
from clarion.app.cluster import add_cluster
from clarion.app.parts import Parts
from clarion.app.tasks import add_duties
from clarion.settings import Settings
from clarion.store.redis.bridge import TURN
from clarion.store.redis.client import patient_client
from clarion.tasks.ports import Claim
from tests.support.services import PostgresServer, RedisServer

SLOTS = 50
AT_ONCE = 500
DELAYED_OVER = 20.0  # seconds


class QuickRedis(RedisServer):
    def command(self) -> list[str]:
        return [*super().command(), "--hz", "100"]


@asynccontextmanager
async def beside(made: Queue, url: str) -> AsyncIterator[None]:
    """Everything that Redis does for a queue, as a server joins it; nothing without a URL.

    It has begun when this yields: its connections are made, as those of the peers' pools are.
    """
    async with AsyncExitStack() as closing:
        settings = Settings(redis_url=url)
        parts = Parts(settings=settings, clock=CLOCK, database=made.database, closing=closing)
        add_duties(parts)
        add_cluster(parts)
        tasks = [asyncio.create_task(runner.run()) for runner in parts.runners]
        try:
            if url:
                await _until_shown(url)
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)


async def _until_shown(url: str) -> None:
    client = patient_client(url)
    while not await client.exists(TURN):
        await pause(0.01)
    await client.aclose()


async def clarion_rate(made: Queue, url: str, number: int) -> tuple[float, float]:
    """Tasks a second added and run."""
    async with beside(made, url):
        began = time.perf_counter()
        await made.add(made.tasks(number))
        added = time.perf_counter() - began
        countdown = Countdown(number)
        began = time.perf_counter()
        async with made.working(countdown, slots=SLOTS):
            await countdown.over.wait()
            ran = time.perf_counter() - began
        return number / added, number / ran


async def bare_rate(url: str, number: int, *, pooled: bool) -> tuple[float, float]:
    """Jobs a second added in bulks and run by a stock worker."""
    from bullmq import Queue as BullQueue
    from bullmq import Worker

    adding = patient_client(url)
    theirs = BullQueue(f"bare-{pooled}", {"connection": adding})
    began = time.perf_counter()
    for start in range(0, number, AT_ONCE):
        await theirs.addBulk([_bare_job(n) for n in range(start, min(start + AT_ONCE, number))])
    told = time.perf_counter() - began
    countdown = Countdown(number)

    async def process(_job: Any, _token: str) -> None:
        await countdown(None)

    host, _, port = url.partition("://")[2].partition("/")[0].partition(":")
    single = {"host": host, "port": int(port), "socket_timeout": None}
    client = patient_client(url)
    options = {"connection": client if pooled else single, "concurrency": SLOTS, "autorun": False}
    worker = Worker(theirs.name, process, options)
    await worker.blockingRedisConnection.getRedisVersion()
    began = time.perf_counter()
    running = asyncio.create_task(worker.run())
    await countdown.over.wait()
    ran = time.perf_counter() - began
    await worker.close(force=True)
    running.cancel()
    await asyncio.wait({running})
    await adding.aclose()
    await client.aclose()
    return number / told, number / ran


def _bare_job(number: int) -> dict[str, Any]:
    options = {"jobId": f"job-{number}", "priority": 1000, "attempts": 1, "removeOnComplete": 100}
    return {"name": "job", "data": {"number": number}, "opts": options}


async def lateness(made: Queue, url: str, number: int, within: float = DELAYED_OVER) -> list[float]:
    """Seconds between the due instant and the first line of the handler."""
    chance = random.Random(9)
    late: list[float] = []
    over = asyncio.Event()

    async def note(claim: Claim) -> None:
        late.append((CLOCK.now() - claim.task.due_at).total_seconds())
        if len(late) == number:
            over.set()

    async with beside(made, url), made.working(note, slots=SLOTS):
        first = CLOCK.now() + timedelta(seconds=number / 1000 + 3)
        for start in range(0, number, AT_ONCE):
            due = [
                made.tasks(1, due_at=first + timedelta(seconds=chance.uniform(0, within)))
                for _ in range(start, min(start + AT_ONCE, number))
            ]
            await made.add([one for each in due for one in each])
        await over.wait()
    return late


async def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    delayed = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
    postgres, redis = PostgresServer(), QuickRedis()
    try:
        postgres.start()
        redis.start()
        async with queue(postgres.url()) as made:
            added, bare = await bare_rate(redis.url, number, pooled=True)
            print(f"{number} tasks, one process, {SLOTS} at a time{'added/s':>18}{'run/s':>10}")
            print(f"{'bullmq, pooled connections':<52}{added:>12.0f}{bare:>10.0f}")
            for name, url in (("PostgreSQL alone", ""), ("with Redis beside it", redis.url)) * 2:
                told, ran = await clarion_rate(made, url, number)
                print(f"{'Clarion, ' + name:<52}{told:>12.0f}{ran:>10.0f}")
            for name, url in (("PostgreSQL alone", ""), ("with Redis beside it", redis.url)):
                late = await lateness(made, url, delayed)
                print(spread(f"{delayed} over {DELAYED_OVER:g} s, lateness ms, {name}", late, 50))
    finally:
        postgres.remove()
        redis.remove()


if __name__ == "__main__":
    uvloop.run(main())
