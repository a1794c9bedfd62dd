"""Tells BullMQ what the database knows: new tasks, tasks that moved, tasks that are no more.

A pass of every server, woken by what that server itself writes, so that telling grows with the
servers. What is due later than a day from now stays in the database until it comes near.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.store.redis import jobs
from clarion.store.redis.client import REDIS_ERRORS
from clarion.store.redis.jobs import DEAD, Lane
from clarion.store.redis.watch import RedisWatch
from clarion.tasks.broker import Outbox, Telling
from clarion.tasks.ports import Failed

if TYPE_CHECKING:
    from bullmq import Queue

log = logging.getLogger(__name__)

AT_ONCE = 500
IDLE = timedelta(seconds=2)  # for what a server left untold when it died
DEAD_KEPT_FOR = timedelta(days=7)
DEAD_KEPT = 1000
DEAD_ERROR_LETTERS = 2_000


class Relay:
    name = "relay"

    def __init__(self, client: Redis, outbox: Outbox, watch: RedisWatch, clock: Clock) -> None:
        from bullmq import Queue

        self._client = client
        self._outbox = outbox
        self._watch = watch
        self._clock = clock
        self._queues: dict[str, Queue] = {
            name: Queue(name, {"connection": client}) for name in (*Lane, DEAD)
        }
        self._dead: deque[Failed] = deque(maxlen=DEAD_KEPT)

    def bury(self, failed: Failed) -> None:
        """Show it among the dead. Its row in the database is what counts and can be replayed."""
        self._dead.append(failed)

    def queue(self, name: str) -> "Queue":
        return self._queues[name]

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        if self._watch.is_away:
            return now + IDLE
        tellings = await self._outbox.take_unsent(now + jobs.HORIZON, AT_ONCE, now)
        try:
            await self._tell(tellings, now)
            await self._show_dead()
        except REDIS_ERRORS as error:
            log.warning("tasks not told: %s", error, extra={"tasks": len(tellings)})
            await self._outbox.forget([telling.task_id for telling in tellings])
            return now + IDLE
        return now if len(tellings) == AT_ONCE else now + IDLE

    async def _tell(self, tellings: Sequence[Telling], now: datetime) -> None:
        if changed := [telling for telling in tellings if telling.sends > 1]:
            await self._remove_former(changed)
        by_lane: dict[Lane, list[Telling]] = defaultdict(list)
        for telling in tellings:
            if not telling.cancelled:
                by_lane[jobs.lane(telling)].append(telling)
        for lane, here in by_lane.items():
            await self._queues[lane].addBulk([jobs.job(telling, now) for telling in here])

    async def _remove_former(self, changed: Sequence[Telling]) -> None:
        """Take back what waits under an old name. What has begun or ended is left to be seen."""
        places = [
            (self._queues[lane], jobs.name(telling.task_id, telling.sends - 1))
            for telling in changed
            for lane in jobs.former_lanes(telling)
        ]
        async with self._client.pipeline(transaction=False) as pipe:
            for queue, job_id in places:
                pipe.zscore(queue.toKey("delayed"), job_id)
                pipe.zscore(queue.toKey("prioritized"), job_id)
            scores = await pipe.execute()
        waiting = (
            queue.backend.remove(job_id, False)
            for index, (queue, job_id) in enumerate(places)
            if scores[2 * index] is not None or scores[2 * index + 1] is not None
        )
        await asyncio.gather(*waiting)

    async def _show_dead(self) -> None:
        if not self._dead:
            return
        queue = self._queues[DEAD]
        while self._dead:
            task, error = self._dead[0].claim.task, self._dead[0].error
            name = f"{task.id}-dead-{self._dead[0].claim.fence}"
            data = {"task_id": task.id, "kind": task.kind, "error": error[-DEAD_ERROR_LETTERS:]}
            await queue.add(task.kind, data, {"jobId": name})
            self._dead.popleft()
        kept_for = int(DEAD_KEPT_FOR.total_seconds() * 1000)
        await queue.clean(kept_for, DEAD_KEPT, "wait")
