"""arq: jobs added fifty at a time, run by its worker in the same process.

Its setting: uvloop, fifty jobs at a time, no results kept, and a look for jobs every 10 ms instead
of every half second, for that look is what delayed jobs wait for. It has no priorities; it takes
first what has been due longest, so an urgent job is dated back by an hour.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import uvloop
from arq import create_pool, func
from arq.connections import RedisSettings
from arq.worker import Worker

from benchmarks.queue_peers._peer import SLOTS, Beside, Job, Tally, asked, in_groups, measure, now

BACK = 3600
tally = Tally()


async def job(_context: dict[Any, Any], due: float, urgent: int) -> None:
    tally(due, urgent)


class Arq:
    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._beside = Beside()

    async def add(self, jobs: Sequence[Job]) -> None:
        await in_groups(jobs, self._add)

    async def _add(self, job: Job) -> None:
        due = now() - BACK if job.urgent else job.due
        until = datetime.fromtimestamp(due, UTC) if due else None
        await self._pool.enqueue_job("job", job.due, job.urgent, _defer_until=until)

    async def begin(self) -> None:
        worker = Worker(
            [func(job, name="job", keep_result=0)],
            redis_pool=self._pool,
            max_jobs=SLOTS,
            poll_delay=0.01,
            handle_signals=False,
        )
        self._beside.run(worker.async_run())


async def main() -> None:
    given = asked()
    pool = await create_pool(RedisSettings.from_dsn(given.url))
    await asyncio.gather(*(pool.ping() for _ in range(SLOTS)))
    await measure("arq", given, tally, Arq(pool))


uvloop.run(main())
