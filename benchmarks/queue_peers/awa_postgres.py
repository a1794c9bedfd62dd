"""awa on PostgreSQL, a queue in Rust with Python handlers: bulks of 500, workers in this process.

Its setting: as many at a time as are asked for; it looks every 50 ms. Urgent ones have priority 1.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import awa

from benchmarks.queue_peers._peer import BULK, Job, Tally, asked, carry, in_groups, measure, words

given = asked()
tally = Tally()


@dataclass
class BenchJob:
    said: str


class OnAwa:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def add(self, jobs: Sequence[Job]) -> None:
        """Only what has the same instant and priority can be added in one bulk."""
        if len({(one.due, one.urgent) for one in jobs}) > 1:
            await in_groups(jobs, lambda one: self.add([one]), 10)
            return
        at = datetime.fromtimestamp(jobs[0].due, UTC) if jobs[0].due else None
        priority = 1 if jobs[0].urgent else 3
        for start in range(0, len(jobs), BULK):
            some = [BenchJob(words(one, given)) for one in jobs[start : start + BULK]]
            await self._client.insert_many_copy(some, queue="bench", priority=priority, run_at=at)

    async def begin(self) -> None:
        @self._client.task(BenchJob, queue="bench")  # type: ignore[untyped-decorator]  # a peer
        async def job(one: Any) -> None:
            await carry(one.args.said, given, tally)

        await self._client.start([("bench", given.slots)], poll_interval_ms=50)


async def main() -> None:
    client = awa.AsyncClient(given.url, max_connections=20)
    await client.migrate()
    await measure("awa-pg", given, tally, OnAwa(client))


asyncio.run(main())
