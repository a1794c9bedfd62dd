"""BullMQ for Python, bare: jobs added in bulks, run by its worker in the same process.

Its setting: uvloop, fifty jobs at a time, bulks of 500, a pool of connections instead of the one
connection that it makes itself, a hundred finished jobs kept.
"""

import asyncio
import time
from typing import Any

import uvloop
from bullmq import Queue, Worker
from redis.asyncio import Redis

from benchmarks.queue_peers._peer import SLOTS, Tally, answer, asked, now

BULK = 500
tally = Tally()


def described(due: float) -> dict[str, Any]:
    options = {"attempts": 1, "removeOnComplete": 100}
    if due:
        options["delay"] = max(round((due - now()) * 1000), 0)
    return {"name": "job", "data": {"due": due}, "opts": options}


async def process(job: Any, _token: str) -> None:
    tally(job.data["due"])


async def main() -> None:
    given = asked()
    client = Redis.from_url(given.url, decode_responses=True, socket_timeout=None)
    queue = Queue("bench", {"connection": client})

    async def add(dues: list[float]) -> None:
        for start in range(0, len(dues), BULK):
            await queue.addBulk([described(due) for due in dues[start : start + BULK]])

    await add([0.0])
    began = time.perf_counter()
    await add([0.0] * given.number)
    added_in = time.perf_counter() - began

    over = asyncio.Event()
    tally.expect(given.number + 1, over.set)
    options = {"connection": client, "concurrency": SLOTS, "autorun": False}
    worker = Worker(queue.name, process, options)
    await worker.blockingRedisConnection.getRedisVersion()
    began = time.perf_counter()
    running = asyncio.create_task(worker.run())
    await over.wait()
    ran_in = time.perf_counter() - began

    if given.delayed:
        over.clear()
        tally.expect(given.delayed, over.set)
        await add(given.dues(added_in))
        await over.wait()
    running.cancel()
    answer("bullmq", given, added_in, ran_in, tally.late)


uvloop.run(main())
