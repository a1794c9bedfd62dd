"""arq: jobs added fifty at a time, run by its worker in the same process.

Its setting: uvloop, fifty jobs at a time, no results kept, and a look for jobs every 10 ms instead
of every half second, for that look is what delayed jobs wait for.
"""

import asyncio
from datetime import UTC, datetime
from typing import Any

import uvloop
from arq import create_pool, func
from arq.connections import RedisSettings
from arq.worker import Worker

from benchmarks.queue_peers._peer import SLOTS, Tally, asked, measure

tally = Tally()


async def job(_context: dict[Any, Any], due: float) -> None:
    tally(due)


async def main() -> None:
    given = asked()
    pool = await create_pool(RedisSettings.from_dsn(given.url))

    async def add(dues: list[float]) -> None:
        for start in range(0, len(dues), SLOTS):
            await asyncio.gather(*(added(due) for due in dues[start : start + SLOTS]))

    async def added(due: float) -> None:
        until = datetime.fromtimestamp(due, UTC) if due else None
        await pool.enqueue_job("job", due, _defer_until=until)

    await asyncio.gather(*(pool.ping() for _ in range(SLOTS)))
    worker = Worker(
        [func(job, name="job", keep_result=0)],
        redis_pool=pool,
        max_jobs=SLOTS,
        poll_delay=0.01,
        handle_signals=False,
    )
    await measure("arq", given, tally, add, worker.async_run)


uvloop.run(main())
