"""Clarion's cluster profile, asked the same as its peers.

The URL is that of PostgreSQL, a space, and that of Redis. To add is to write to PostgreSQL and,
before the workers begin, to tell Redis as well; afterwards its relay does so beside them.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack

import uvloop

from benchmarks._queue import Queue as Made
from benchmarks._queue import queue
from benchmarks.cluster import Front, fronted
from benchmarks.queue_peers._peer import Job, asked, measure
from benchmarks.queue_peers.clarion_embedded import Clarion


class Cluster(Clarion):
    def __init__(self, made: Made, front: Front) -> None:
        super().__init__(made, front.feed)
        self._front = front
        self._loops = AsyncExitStack()
        self._begun = False

    async def add(self, jobs: Sequence[Job]) -> None:
        await super().add(jobs)
        if not self._begun:
            await self._front.tell(len(jobs))

    async def begin(self) -> None:
        self._begun = True
        await self._loops.enter_async_context(self._front.running())
        await super().begin()


async def main() -> None:
    given = asked()
    database, redis = given.url.split()
    async with queue(database) as made, fronted(made, redis) as front:
        cluster = Cluster(made, front)
        await measure("", given, cluster.tally, cluster)


if __name__ == "__main__":
    uvloop.run(main())
