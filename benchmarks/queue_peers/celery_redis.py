"""Celery on Redis: tasks sent one by one over one producer, run by one worker in the same process.

Its setting: the solo pool, which hands a task to nobody else; as many fetched ahead as there are;
no results, no gossip, mingle or heartbeat. Delayed tasks run in eight threads instead: alone, its
loop starts ten of them and then waits for up to a second. To be overtaken it fetches one ahead, and
ordinary tasks have the last of its priorities for Redis, urgent ones the first.
"""

import asyncio
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from benchmarks.queue_peers._peer import Job, Tally, asked, measure

given = asked()
tally = Tally()
app = Celery("bench", broker=given.url)
app.conf.update(
    task_ignore_result=True,
    worker_prefetch_multiplier=1 if given.backlog else 0,
    broker_transport_options={"queue_order_strategy": "priority"} if given.backlog else {},
    worker_enable_remote_control=False,
    worker_redirect_stdouts=False,
    broker_connection_retry_on_startup=True,
)
wanted, ready = threading.Event(), threading.Event()
LAST, FIRST = 9, 0
POOL = ["threads", "-c", "8"] if given.delayed or given.burst else ["solo", "-c", "1"]
WORKER = ["worker", "-l", "ERROR", "-P", *POOL]
ALONE = ["--without-gossip", "--without-mingle", "--without-heartbeat"]


@app.task(name="job")  # type: ignore[untyped-decorator]  # a peer, installed apart
def job(due: float, urgent: int) -> None:
    tally(due, urgent)


@worker_ready.connect(weak=False)  # type: ignore[untyped-decorator]  # a peer, installed apart
def on_ready(**_about: Any) -> None:
    ready.set()


class OnRedis:
    async def add(self, jobs: Sequence[Job]) -> None:
        with app.producer_or_acquire() as producer:
            for one in jobs:
                options: dict[str, Any] = {"producer": producer}
                if one.due:
                    options["eta"] = datetime.fromtimestamp(one.due, UTC)
                if given.backlog:
                    options["priority"] = FIRST if one.urgent else LAST
                job.apply_async((one.due, one.urgent), **options)

    async def begin(self) -> None:
        wanted.set()
        ready.wait()


def main() -> None:
    """The worker wants the main thread, so the measure is taken in another."""
    measured = measure("celery", given, tally, OnRedis())
    threading.Thread(target=asyncio.run, args=(measured,), daemon=True).start()
    wanted.wait()
    app.worker_main([*WORKER, *ALONE])


main()
