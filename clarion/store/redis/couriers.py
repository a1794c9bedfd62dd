"""The stock BullMQ workers, one a queue, that bring jobs to the feed.

They are begun when Redis is first seen, begun again should one of them end, and stopped without
waiting for a Redis that is away.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.store.redis import jobs
from clarion.store.redis.client import REDIS_ERRORS, patient_client, steady_client
from clarion.store.redis.feed import BullFeed
from clarion.store.redis.jobs import COMPLETED_KEPT, FAILED_KEPT, Lane
from clarion.store.redis.watch import RedisWatch

if TYPE_CHECKING:
    from bullmq import Worker

log = logging.getLogger(__name__)

EVERY = timedelta(seconds=1)
LOCK_MS = 10_000  # a job of a worker that died is given to another by then
STALLED_MS = 5_000
STALLED_MAX = 1_000  # a job may stall as often as it likes: the database counts the tries
RETRY_MS = 500  # after an outage; the library's own fifteen seconds would be felt
STOP_SECONDS = 0.5


@dataclass(slots=True)
class Courier:
    worker: "Worker"
    running: "asyncio.Task[None]"
    clients: tuple[Redis, Redis]


class Couriers:
    """A pass. `ahead`: how many jobs of a queue this process may hold, begun or not."""

    name = "couriers"

    def __init__(
        self, url: str, feed: BullFeed, watch: RedisWatch, clock: Clock, *, ahead: int
    ) -> None:
        self._url = url
        self._feed = feed
        self._watch = watch
        self._clock = clock
        self._ahead = ahead
        self._couriers: dict[Lane, Courier] = {}

    async def run_once(self) -> datetime | None:
        if not self._watch.is_away:
            for lane in Lane:
                await self._see_to(lane)
        return self._clock.now() + EVERY

    async def close(self) -> None:
        """First the feed, so that nothing is waited for; then the workers, all at once."""
        await self._feed.close()
        await asyncio.gather(*(self._stop(lane) for lane in list(self._couriers)))

    async def _see_to(self, lane: Lane) -> None:
        courier = self._couriers.get(lane)
        if courier is not None and not courier.running.done():
            return
        if courier is not None:
            log.error("a BullMQ worker ended, another begins", extra={"queue": lane})
            await self._stop(lane)
        self._couriers[lane] = await self._start(lane)

    async def _start(self, lane: Lane) -> Courier:
        from bullmq import Worker
        from bullmq.redis_connection import RedisConnection

        clients = steady_client(self._url), patient_client(self._url)
        worker = Worker(lane.value, self._process, self._options(clients[0]))
        # Only the wait for the next job may take long; all else fails soon when Redis hangs.
        worker.backend.blocking_connection = RedisConnection(clients[1])
        worker.on("error", _note_error)
        try:
            # Without it the library takes Redis for an old one and rounds waits up to seconds.
            await worker.backend.blocking_connection.getRedisVersion()
        except REDIS_ERRORS:
            for client in clients:
                await client.aclose()
            raise
        running = asyncio.create_task(worker.run(), name=f"bullmq-{lane}")
        return Courier(worker, running, clients)

    def _options(self, client: Redis) -> dict[str, Any]:
        return {
            "connection": client,
            "autorun": False,
            "concurrency": self._ahead,
            "lockDuration": LOCK_MS,
            "stalledInterval": STALLED_MS,
            "maxStalledCount": STALLED_MAX,
            "runRetryDelay": RETRY_MS,
            "removeOnComplete": {"count": COMPLETED_KEPT},
            "removeOnFail": {"count": FAILED_KEPT},
        }

    async def _process(self, job: Any, _token: str) -> str:
        ours = jobs.read(job.data)
        if ours is not None:
            return await self._feed.deliver(ours)
        reference = f"{job.id}_{job.timestamp}"
        return await self._feed.take_in(job.queue.name, job.name, reference, job.data)

    async def _stop(self, lane: Lane) -> None:
        courier = self._couriers.pop(lane)
        closing = asyncio.create_task(courier.worker.close(force=self._watch.is_away))
        _, late = await asyncio.wait({closing}, timeout=STOP_SECONDS)
        if late:
            # It repeats itself for as long as Redis is away; nothing in it is worth waiting for.
            courier.worker.forceClosing = True
            courier.worker.cancelProcessing()
        courier.running.cancel()
        await asyncio.wait({closing, courier.running}, timeout=STOP_SECONDS)
        for client in courier.clients:
            await client.aclose()


def _note_error(error: BaseException, *_: object) -> None:
    log.debug("BullMQ: %s", error)
