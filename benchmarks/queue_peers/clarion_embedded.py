"""Clarion embedded, asked the same as its peers: durable adds of up to 500, fifty slots.

The URL is a path for SQLite with `synchronous=FULL`, or that of PostgreSQL. An urgent task is a
critical one.
"""

import gc
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import uvloop

from benchmarks._queue import CLOCK, queue
from benchmarks._queue import Queue as Made
from benchmarks._times import pause
from benchmarks.queue_peers._peer import BULK, Asked, Job, Tally, asked, measure
from clarion.base.ids import TaskId, new_id
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Claim


def task_of(job: Job, ballast: int = 0) -> Task:
    now = CLOCK.now()
    due_at = datetime.fromtimestamp(job.due, UTC) if job.due else now
    base = Level.CRITICAL if job.urgent else Level.NORMAL
    words = {"due": job.due, "urgent": job.urgent, "number": job.number, "filler": "x" * ballast}
    # Of a job with a name the id is the same at every try: added twice, it is there once.
    id_ = TaskId(f"tsk_{job.number}" if job.number else new_id("tsk", now))
    return Task(id_, "job", due_at, words, base)


class Clarion:
    def __init__(self, made: Made, given: Asked) -> None:
        self.tally = Tally()
        self._given = given
        self._made = made
        self._stack = AsyncExitStack()
        gc.collect()
        gc.freeze()  # as `clarion serve` does once it has started

    async def add(self, jobs: Sequence[Job]) -> None:
        await self._made.add([task_of(job, self._given.bytes) for job in jobs], batch=BULK)

    async def begin(self) -> None:
        working = self._made.working(self._run, slots=self._given.slots)
        await self._stack.enter_async_context(working)

    async def _run(self, claim: Claim) -> None:
        if self._given.work:
            await pause(self._given.work)
        said = claim.task.payload
        self.tally(said["due"], said["urgent"], said["number"])


async def main() -> None:
    given = asked()
    url = given.url if "://" in given.url else f"sqlite:{given.url}"
    async with queue(url) as made:
        clarion = Clarion(made, given)
        await measure("", given, clarion.tally, clarion)


if __name__ == "__main__":
    uvloop.run(main())
