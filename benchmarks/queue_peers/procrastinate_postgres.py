"""procrastinate on PostgreSQL: jobs deferred in bulks, run by its worker in the same process.

Its setting: fifty jobs at a time, bulks of 500; it looks for delayed ones every 50 ms instead of
every five seconds, for that look is what they wait for. Urgent ones have a priority.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException

from benchmarks.queue_peers._peer import (
    BULK,
    Beside,
    Job,
    Tally,
    asked,
    carry,
    in_groups,
    measure,
    words,
)

given = asked()
tally = Tally()
app = App(connector=PsycopgConnector(conninfo=given.url))
AT_ONCE = 10  # its pool of connections


@app.task(name="job")  # type: ignore[untyped-decorator]  # a peer, installed apart
async def job(said: str) -> None:
    await carry(said, given, tally)


class OnPostgres:
    def __init__(self) -> None:
        self._beside = Beside()

    async def add(self, jobs: Sequence[Job]) -> None:
        """Only what has the same instant can be deferred in one bulk."""
        if len({(one.due, one.urgent) for one in jobs}) > 1:
            await in_groups(jobs, lambda one: self.add([one]), AT_ONCE)
            return
        at = datetime.fromtimestamp(jobs[0].due, UTC) if jobs[0].due else None
        deferrer = job.configure(schedule_at=at, priority=1 if jobs[0].urgent else 0)
        for start in range(0, len(jobs), BULK):
            some = jobs[start : start + BULK]
            await deferrer.batch_defer_async(*({"said": words(one, given)} for one in some))

    async def begin(self) -> None:
        self._beside.run(
            app.run_worker_async(
                concurrency=given.slots,
                install_signal_handlers=False,
                fetch_job_polling_interval=0.05,
            )
        )


async def main() -> None:
    async with app.open_async():
        with suppress(ConnectorException):  # it is there
            await app.schema_manager.apply_schema_async()
        await measure("procrastinate", given, tally, OnPostgres())


asyncio.run(main())
