"""huey on SQLite with fsync: tasks enqueued one by one, run by its consumer in the same process.

Its setting: four threads, no results; an idle one looks again after 10 ms instead of up to ten
seconds. Its scheduler looks for delayed ones every second, which is the shortest it takes. Urgent
ones have a priority.
"""

import asyncio
from collections.abc import Sequence

from huey import SqliteHuey

from benchmarks.queue_peers._peer import Job, Tally, asked, measure, now

given = asked()
tally = Tally()
huey = SqliteHuey(filename=given.url, fsync=True, results=False)


@huey.task()  # type: ignore[untyped-decorator]  # a peer, installed apart
def job(due: float, urgent: int) -> None:
    tally(due, urgent)


class OnSqlite:
    async def add(self, jobs: Sequence[Job]) -> None:
        for one in jobs:
            if one.due:
                job.schedule(args=(one.due, one.urgent), delay=max(one.due - now(), 0))
            else:
                job(one.due, one.urgent, priority=1 if one.urgent else None)

    async def begin(self) -> None:
        consumer = huey.create_consumer(
            workers=4, worker_type="thread", periodic=False, initial_delay=0.01, max_delay=0.01
        )
        consumer.start()


asyncio.run(measure("huey", given, tally, OnSqlite()))
