"""APScheduler on a SQLite job store: jobs added one by one, run in twenty threads.

It has no priorities.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler

from benchmarks.queue_peers._peer import Job, Tally, asked, measure, now

given = asked()
tally = Tally()
scheduler = BackgroundScheduler(
    jobstores={"default": SQLAlchemyJobStore(url=f"sqlite:///{given.url}")},
    executors={"default": ThreadPoolExecutor(20)},
    job_defaults={"misfire_grace_time": 3600},
)


def job(due: float, urgent: int) -> None:
    tally(due, urgent)


class OnSqlite:
    async def add(self, jobs: Sequence[Job]) -> None:
        for one in jobs:
            at = datetime.fromtimestamp(one.due or now(), UTC)
            scheduler.add_job(job, "date", args=[one.due, one.urgent], run_date=at)

    async def begin(self) -> None:
        scheduler.resume()


scheduler.start(paused=True)
asyncio.run(measure("apscheduler", given, tally, OnSqlite()))
