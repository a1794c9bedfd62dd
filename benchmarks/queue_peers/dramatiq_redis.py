"""dramatiq on Redis: messages sent one by one, run by its worker in threads of the same process.

Its setting: the eight threads and the middleware it comes with; an idle worker looks again after
at most 20 ms instead of a second, for that look is what delayed messages wait for. Its priorities
order what a worker has fetched, so urgent messages have a queue of their own as well.
"""

import asyncio
from collections.abc import Sequence

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from benchmarks.queue_peers._peer import Job, Tally, asked, measure, now

given = asked()
tally = Tally()
broker = RedisBroker(url=given.url)
dramatiq.set_broker(broker)


def run(due: float, urgent: int) -> None:
    tally(due, urgent)


job = dramatiq.actor(run, actor_name="job", priority=10)
urgent = job
if given.backlog:
    urgent = dramatiq.actor(run, actor_name="urgent", priority=0, queue_name="urgent")


class OnRedis:
    async def add(self, jobs: Sequence[Job]) -> None:
        for one in jobs:
            actor = urgent if one.urgent else job
            delay = round((one.due - now()) * 1000) if one.due else None
            actor.send_with_options(args=(one.due, one.urgent), delay=delay)

    async def begin(self) -> None:
        dramatiq.Worker(broker, worker_timeout=20).start()


asyncio.run(measure("dramatiq", given, tally, OnRedis()))
