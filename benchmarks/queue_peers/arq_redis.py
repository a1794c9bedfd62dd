"""arq: jobs added fifty at a time, run by its worker in the same process.

Its setting: uvloop, fifty jobs at a time, no results kept, and a look for jobs every 10 ms instead
of every half second, for that look is what delayed jobs wait for.
"""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

import uvloop
from arq import create_pool, func
from arq.connections import RedisSettings
from arq.worker import Worker

from benchmarks.queue_peers._peer import SLOTS, Tally, answer, asked

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
    await added(0.0)
    began = time.perf_counter()
    await add([0.0] * given.number)
    added_in = time.perf_counter() - began

    over = asyncio.Event()
    tally.expect(given.number + 1, over.set)
    worker = Worker(
        [func(job, name="job", keep_result=0)],
        redis_pool=pool,
        max_jobs=SLOTS,
        poll_delay=0.01,
        handle_signals=False,
    )
    began = time.perf_counter()
    running = asyncio.create_task(worker.async_run())
    await over.wait()
    ran_in = time.perf_counter() - began

    if given.delayed:
        over.clear()
        tally.expect(given.delayed, over.set)
        await add(given.dues(added_in))
        await over.wait()
    running.cancel()
    answer("arq", given, added_in, ran_in, tally.late)


uvloop.run(main())
