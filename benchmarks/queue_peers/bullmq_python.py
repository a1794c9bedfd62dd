"""BullMQ for Python, bare: jobs added in bulks, run by its worker in the same process.

Its setting: uvloop, fifty jobs at a time, bulks of 500, a pool of connections instead of the one
connection that it makes itself, a hundred finished jobs kept. To be overtaken, ordinary jobs have
a priority; one without is taken before them.
"""

from collections.abc import Sequence
from typing import Any

import uvloop
from bullmq import Queue, Worker
from redis.asyncio import Redis

from benchmarks.queue_peers._peer import BULK, SLOTS, Beside, Job, Tally, asked, measure, now

given = asked()
tally = Tally()


def described(job: Job) -> dict[str, Any]:
    options = {"attempts": 1, "removeOnComplete": 100}
    if job.due:
        options["delay"] = max(round((job.due - now()) * 1000), 0)
    if given.backlog and not job.urgent:
        options["priority"] = 10
    return {"name": "job", "data": {"due": job.due, "urgent": job.urgent}, "opts": options}


async def process(job: Any, _token: str) -> None:
    tally(job.data["due"], job.data["urgent"])


class Bare:
    def __init__(self, queue: Queue, worker: Worker) -> None:
        self._queue, self._worker = queue, worker
        self._beside = Beside()

    async def add(self, jobs: Sequence[Job]) -> None:
        for start in range(0, len(jobs), BULK):
            await self._queue.addBulk([described(job) for job in jobs[start : start + BULK]])

    async def begin(self) -> None:
        self._beside.run(self._worker.run())


async def main() -> None:
    client = Redis.from_url(given.url, decode_responses=True, socket_timeout=None)
    queue = Queue("bench", {"connection": client})
    options = {"connection": client, "concurrency": SLOTS, "autorun": False}
    worker = Worker(queue.name, process, options)
    await worker.blockingRedisConnection.getRedisVersion()
    await measure("bullmq", given, tally, Bare(queue, worker))


uvloop.run(main())
