"""Clarion embedded, asked the same as its peers: durable adds of up to 500, fifty slots.

The URL is a path for SQLite with `synchronous=FULL`, or that of PostgreSQL. An urgent task is a
critical one.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import uvloop

from benchmarks._queue import CLOCK, queue
from benchmarks._queue import Queue as Made
from benchmarks.queue_peers._peer import BULK, SLOTS, Job, Tally, asked, measure
from clarion.base.ids import TaskId, new_id
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Claim


def task_of(job: Job) -> Task:
    now = CLOCK.now()
    due_at = datetime.fromtimestamp(job.due, UTC) if job.due else now
    base = Level.CRITICAL if job.urgent else Level.NORMAL
    words = {"due": job.due, "urgent": job.urgent}
    return Task(TaskId(new_id("tsk", now)), "job", due_at, words, base)


class Clarion:
    def __init__(self, made: Made) -> None:
        self.tally = Tally()
        self._made = made
        self._stack = AsyncExitStack()

    async def add(self, jobs: Sequence[Job]) -> None:
        await self._made.add([task_of(job) for job in jobs], batch=BULK)

    async def begin(self) -> None:
        working = self._made.working(self._run, slots=SLOTS)
        await self._stack.enter_async_context(working)

    async def _run(self, claim: Claim) -> None:
        self.tally(claim.task.payload["due"], claim.task.payload["urgent"])


async def main() -> None:
    given = asked()
    url = given.url if "://" in given.url else f"sqlite:{given.url}"
    async with queue(url) as made:
        clarion = Clarion(made)
        await measure("", given, clarion.tally, clarion)


if __name__ == "__main__":
    uvloop.run(main())
