"""BullMQ for Python, bare: jobs added in bulks, run by its worker in the same process.

Its setting: uvloop, fifty jobs at a time, bulks of 500, a pool of connections instead of the one
connection that it makes itself, a hundred finished jobs kept.
"""

from typing import Any

import uvloop
from bullmq import Queue, Worker
from redis.asyncio import Redis

from benchmarks.queue_peers._peer import SLOTS, Tally, asked, measure, now

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

    options = {"connection": client, "concurrency": SLOTS, "autorun": False}
    worker = Worker(queue.name, process, options)
    await worker.blockingRedisConnection.getRedisVersion()
    await measure("bullmq", given, tally, add, worker.run)


uvloop.run(main())
