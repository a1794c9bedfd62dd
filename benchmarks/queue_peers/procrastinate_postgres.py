"""procrastinate on PostgreSQL: defer in bulk, then run no-op jobs."""

import asyncio
import json
import sys
import time

from procrastinate import App, PsycopgConnector

url, count = sys.argv[1], int(sys.argv[2])
app = App(connector=PsycopgConnector(conninfo=url))
left = count


@app.task(name="job")  # type: ignore[untyped-decorator]  # a peer, installed by hand
async def job(number: int) -> None:
    global left
    left -= 1


async def main() -> None:
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        began = time.perf_counter()
        for start in range(0, count, 500):
            jobs = [{"number": start + n} for n in range(min(500, count - start))]
            await job.batch_defer_async(*jobs)
        add = time.perf_counter() - began
        began = time.perf_counter()
        await app.run_worker_async(wait=False, concurrency=50, install_signal_handlers=False)
        run = time.perf_counter() - began
    print(json.dumps({"number": count - left, "add": add, "run": run}))


asyncio.run(main())
