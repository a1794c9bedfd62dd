"""The cluster profile beside bare BullMQ in the same run: how many tasks, and how late.

Run it with `python -m benchmarks.cluster [tasks] [delayed]`. Both sides use the Python `bullmq`
package, a no-op handler and one process. Clarion's side claims every task in PostgreSQL and
writes its end there, with ordinary fsync. Redis runs with `hz 100`, as docs/cluster.md advises;
at its default of 10 every timed wait may come up to a tenth of a second late, for both alike.
"""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import uvloop

from benchmarks._queue import CLOCK, Countdown, Queue, queue, spread
from clarion.base.events import Event
from clarion.base.loop import Loop
from clarion.store.redis.client import patient_client, quick_client, steady_client
from clarion.store.redis.couriers import Couriers
from clarion.store.redis.feed import Adopt, BullFeed
from clarion.store.redis.relay import AT_ONCE, Relay
from clarion.store.redis.watch import RedisWatch
from clarion.store.sql.tasks_relay import SqlOutbox
from clarion.tasks.ports import Claim
from tests.support.services import PostgresServer, RedisServer

SLOTS = 50
AHEAD = 200  # what `app/cluster` gives fifty slots
DELAYED_OVER = 20.0  # seconds


class QuickRedis(RedisServer):
    def command(self) -> list[str]:
        return [*super().command(), "--hz", "100"]


@dataclass(frozen=True, slots=True)
class Front:
    feed: BullFeed
    relay: Relay
    couriers: Couriers
    loops: list[Loop]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(loop.run()) for loop in self.loops]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await self.couriers.close()

    async def tell(self, number: int) -> None:
        for _ in range(number // AT_ONCE + 1):
            await self.relay.run_once()


async def unheard(_event: Event) -> None:
    """Nobody reads events here."""


@asynccontextmanager
async def fronted(made: Queue, url: str, adopt: Adopt | None = None) -> AsyncIterator[Front]:
    """Redis in front of a queue."""
    quick, steady = quick_client(url), steady_client(url)
    outbox = SqlOutbox(made.database)
    watch = RedisWatch(quick, outbox, CLOCK, "srv_bench", unheard)
    relay = Relay(steady, outbox, watch, CLOCK)
    feed = BullFeed(
        made.store,
        outbox,
        CLOCK,
        is_away=lambda: watch.is_away,
        bury=relay.bury,
        adopt=adopt,
    )
    couriers = Couriers(url, feed, watch, CLOCK, ahead=AHEAD)
    watch.listen(feed.nudge)
    relaying = Loop(relay, CLOCK)
    stop = outbox.listen(relaying.wake)
    await watch.run_once()
    try:
        yield Front(feed, relay, couriers, [relaying, Loop(watch, CLOCK), Loop(couriers, CLOCK)])
    finally:
        stop()
        await quick.aclose()
        await steady.aclose()


async def clarion_rate(made: Queue, url: str, number: int) -> tuple[float, float, float]:
    """Tasks a second told and run, and which share of them BullMQ brought."""
    async with fronted(made, url) as front:
        await made.add(made.tasks(number))
        began = time.perf_counter()
        await front.tell(number)
        told = time.perf_counter() - began
        countdown = Countdown(number)
        began = time.perf_counter()
        async with front.running(), made.working(countdown, slots=SLOTS, feed=front.feed):
            await countdown.over.wait()
            ran = time.perf_counter() - began
        return number / told, number / ran, front.feed.delivered / number


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


async def lateness(
    made: Queue, url: str, number: int, within: float = DELAYED_OVER
) -> tuple[list[float], float]:
    """Seconds between the due instant and the first line of the handler."""
    chance = random.Random(9)
    late: list[float] = []
    over = asyncio.Event()

    async def note(claim: Claim) -> None:
        late.append((CLOCK.now() - claim.task.due_at).total_seconds())
        if len(late) == number:
            over.set()

    async with fronted(made, url) as front:
        before = front.feed.delivered
        async with front.running(), made.working(note, slots=SLOTS, feed=front.feed):
            first = CLOCK.now() + timedelta(seconds=number / 1000 + 3)
            for start in range(0, number, AT_ONCE):
                due = [
                    made.tasks(1, due_at=first + timedelta(seconds=chance.uniform(0, within)))
                    for _ in range(start, min(start + AT_ONCE, number))
                ]
                await made.add([one for each in due for one in each])
            await over.wait()
        return late, (front.feed.delivered - before) / number


async def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    delayed = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
    postgres, redis = PostgresServer(), QuickRedis()
    try:
        postgres.start()
        redis.start()
        async with queue(postgres.url()) as made:
            _, alone = await bare_rate(redis.url, number, pooled=False)
            added, bare = await bare_rate(redis.url, number, pooled=True)
            told, ours, share = await clarion_rate(made, redis.url, number)
            late, brought = await lateness(made, redis.url, delayed)
        print(f"{number} tasks, one process, {SLOTS} at a time{'told/s':>18}{'run/s':>10}")
        print(f"{'bullmq, one connection (as it makes them)':<52}{'':>12}{alone:>10.0f}")
        print(f"{'bullmq, pooled connections':<52}{added:>12.0f}{bare:>10.0f}")
        print(f"{'Clarion, every task claimed in PostgreSQL':<52}{told:>12.0f}{ours:>10.0f}")
        print(f"ratio to bare {ours / alone:.2f}, to bare on a pool {ours / bare:.2f}")
        print(f"brought by BullMQ {share:.0%} and {brought:.0%}; the rest by sweeps")
        print(spread(f"{delayed} delayed over {DELAYED_OVER:g} s, lateness ms", late, 50))
    finally:
        postgres.remove()
        redis.remove()


if __name__ == "__main__":
    uvloop.run(main())
