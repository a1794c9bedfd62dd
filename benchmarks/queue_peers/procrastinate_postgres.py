"""procrastinate on PostgreSQL: defer in bulk, then run no-op jobs.

Its setting: fifty jobs at a time, bulks of 500. When delayed ones are asked for as well, it looks
for them every 50 ms instead of every five seconds, for that look is what they wait for.
"""

import asyncio
import time
from datetime import UTC, datetime

from procrastinate import App, PsycopgConnector

from benchmarks.queue_peers._peer import SLOTS, Tally, answer, asked

given = asked()
tally = Tally()
app = App(connector=PsycopgConnector(conninfo=given.url))


@app.task(name="job")  # type: ignore[untyped-decorator]  # a peer, installed by hand
async def job(due: float) -> None:
    tally(due)


async def delay(dues: list[float]) -> None:
    for start in range(0, len(dues), 10):
        await asyncio.gather(
            *(
                job.configure(schedule_at=datetime.fromtimestamp(due, UTC)).defer_async(due=due)
                for due in dues[start : start + 10]
            )
        )


async def main() -> None:
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        await job.defer_async(due=0.0)
        began = time.perf_counter()
        for start in range(0, given.number, 500):
            jobs = [{"due": 0.0}] * min(500, given.number - start)
            await job.batch_defer_async(*jobs)
        added_in = time.perf_counter() - began
        began = time.perf_counter()
        await app.run_worker_async(wait=False, concurrency=SLOTS, install_signal_handlers=False)
        ran_in = time.perf_counter() - began
        if given.delayed:
            over = asyncio.Event()
            tally.expect(given.delayed, over.set)
            running = asyncio.create_task(
                app.run_worker_async(
                    concurrency=SLOTS,
                    install_signal_handlers=False,
                    fetch_job_polling_interval=0.05,
                )
            )
            await delay(given.dues(added_in))
            await over.wait()
            running.cancel()
        answer("procrastinate", given, added_in, ran_in, tally.late)


asyncio.run(main())
