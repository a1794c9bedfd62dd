"""taskiq on a Redis stream: tasks kicked fifty at a time, run by its receiver in the same process.

Its setting: uvloop, fifty tasks at a time, a hundred fetched ahead, no results, no parsing of
parameters. Delayed ones go through its scheduler in the same process, which looks every second:
the shortest that its command line can be told. It has no priorities; urgent tasks have a stream of
their own, and then nothing is kept ahead and fifty are read at once.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import uvloop
from redis.asyncio import Redis
from taskiq import TaskiqScheduler
from taskiq.cli.scheduler.run import SchedulerLoop
from taskiq.receiver import Receiver
from taskiq_redis import ListRedisScheduleSource, RedisStreamBroker

from benchmarks.queue_peers._peer import SLOTS, Beside, Job, Tally, asked, in_groups, measure

URGENT = "urgent"
EVERY = timedelta(seconds=1)
given = asked()
tally = Tally()
broker = RedisStreamBroker(
    given.url,
    max_connection_pool_size=2 * SLOTS,
    xread_count=SLOTS if given.backlog else 100,
    additional_streams={URGENT: ">"} if given.backlog else None,
)
source = ListRedisScheduleSource(given.url, max_connection_pool_size=2 * SLOTS)


@broker.task(task_name="job")  # type: ignore[untyped-decorator]  # a peer, installed apart
async def job(due: float, urgent: int) -> None:
    tally(due, urgent)


async def connect() -> None:
    async with Redis(connection_pool=broker.connection_pool) as client:
        await client.ping()


async def kick(one: Job) -> None:
    if one.due:
        await job.schedule_by_time(
            source, datetime.fromtimestamp(one.due, UTC), one.due, one.urgent
        )
    elif one.urgent:
        await job.kicker().with_labels(queue_name=URGENT).kiq(one.due, one.urgent)
    else:
        await job.kiq(one.due, one.urgent)


class OnStream:
    def __init__(self) -> None:
        self._beside = Beside()

    async def add(self, jobs: Sequence[Job]) -> None:
        await in_groups(jobs, kick)

    async def begin(self) -> None:
        receiver = Receiver(
            broker,
            max_async_tasks=SLOTS,
            max_prefetch=0 if given.backlog else 100,
            validate_params=False,
            run_startup=False,
        )
        self._beside.run(receiver.listen(asyncio.Event()))
        if given.delayed or given.burst:
            scheduler = SchedulerLoop(TaskiqScheduler(broker, [source]))
            self._beside.run(scheduler.run(update_interval=EVERY, loop_interval=EVERY))


async def main() -> None:
    broker.is_worker_process = True
    await broker.startup()
    await asyncio.gather(*(connect() for _ in range(SLOTS)))
    await measure("taskiq", given, tally, OnStream())


uvloop.run(main())
