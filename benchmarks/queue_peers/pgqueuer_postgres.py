"""pgqueuer on PostgreSQL: jobs enqueued in bulks of 500, run by its worker in the same process.

Its setting: as many at a time as are asked for, batches of half of that; urgent ones have a
priority.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.queries import Queries

from benchmarks.queue_peers._peer import BULK, Beside, Job, Tally, asked, carry, measure, now, words

given = asked()
tally = Tally()


class OnPgqueuer:
    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._queries = Queries(AsyncpgPoolDriver(pool))
        self._beside = Beside()

    async def add(self, jobs: Sequence[Job]) -> None:
        for start in range(0, len(jobs), BULK):
            some = jobs[start : start + BULK]
            after = [
                timedelta(seconds=max(0.0, one.due - now())) if one.due else None for one in some
            ]
            await self._queries.enqueue(
                ["job"] * len(some),
                [words(one, given).encode() for one in some],
                [1 if one.urgent else 0 for one in some],
                after,
            )

    async def begin(self) -> None:
        app = PgQueuer.from_asyncpg_pool(self._pool)

        @app.entrypoint("job")  # type: ignore[untyped-decorator]  # a peer, installed apart
        async def job(one: Any) -> None:
            await carry(one.payload, given, tally)

        self._beside.run(
            app.run(
                dequeue_timeout=timedelta(milliseconds=50),
                batch_size=max(1, given.slots // 2),
                max_concurrent_tasks=given.slots,
            )
        )


async def main() -> None:
    pool = await asyncpg.create_pool(given.url, min_size=5, max_size=20)
    with suppress(asyncpg.DuplicateObjectError, asyncpg.DuplicateTableError):  # it is there
        await Queries(AsyncpgPoolDriver(pool)).install()
    await measure("pgqueuer", given, tally, OnPgqueuer(pool))


asyncio.run(main())
