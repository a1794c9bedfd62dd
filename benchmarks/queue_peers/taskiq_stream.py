"""taskiq on a Redis stream: tasks kicked fifty at a time, run by its receiver in the same process.

Its setting: uvloop, fifty tasks at a time, a hundred fetched ahead, no results, no parsing of
parameters. Delayed ones go through its scheduler in the same process, which looks every second:
the shortest that its command line can be told.
"""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import uvloop
from redis.asyncio import Redis
from taskiq import TaskiqScheduler
from taskiq.cli.scheduler.run import SchedulerLoop
from taskiq.receiver import Receiver
from taskiq_redis import ListRedisScheduleSource, RedisStreamBroker

from benchmarks.queue_peers._peer import SLOTS, Tally, answer, asked

given = asked()
tally = Tally()
broker = RedisStreamBroker(given.url, max_connection_pool_size=2 * SLOTS)
source = ListRedisScheduleSource(given.url, max_connection_pool_size=2 * SLOTS)


@broker.task(task_name="job")  # type: ignore[untyped-decorator]  # a peer, installed apart
async def job(due: float) -> None:
    tally(due)


async def connect() -> None:
    async with Redis(connection_pool=broker.connection_pool) as client:
        await client.ping()


async def kick(number: int) -> None:
    for start in range(0, number, SLOTS):
        await asyncio.gather(*(job.kiq(0.0) for _ in range(min(SLOTS, number - start))))


async def schedule(dues: list[float]) -> None:
    for start in range(0, len(dues), SLOTS):
        await asyncio.gather(
            *(
                job.schedule_by_time(source, datetime.fromtimestamp(due, UTC), due)
                for due in dues[start : start + SLOTS]
            )
        )


async def main() -> None:
    broker.is_worker_process = True
    await broker.startup()
    await asyncio.gather(*(connect() for _ in range(SLOTS)))
    await kick(1)
    began = time.perf_counter()
    await kick(given.number)
    added_in = time.perf_counter() - began

    over, finish = asyncio.Event(), asyncio.Event()
    tally.expect(given.number + 1, over.set)
    receiver = Receiver(
        broker, max_async_tasks=SLOTS, max_prefetch=100, validate_params=False, run_startup=False
    )
    began = time.perf_counter()
    tasks = [asyncio.create_task(receiver.listen(finish))]
    await over.wait()
    ran_in = time.perf_counter() - began

    if given.delayed:
        over.clear()
        tally.expect(given.delayed, over.set)
        every = timedelta(seconds=1)
        scheduler = SchedulerLoop(TaskiqScheduler(broker, [source]))
        tasks += [
            asyncio.create_task(scheduler.run(update_interval=every, loop_interval=every)),
        ]
        await schedule(given.dues(added_in))
        await over.wait()
    answer("taskiq", given, added_in, ran_in, tally.late)


uvloop.run(main())
