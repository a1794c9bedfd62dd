"""The queue with BullMQ in front, for the suites that every queue passes.

A clock that is moved by hand wakes nobody, so whoever takes tasks here first tells BullMQ what
is new, makes the couriers look, and waits until all that is due is delivered.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from bullmq import Queue
from sqlalchemy import Connection, text

from clarion.base.events import Event
from clarion.store.redis.client import quick_client, steady_client
from clarion.store.redis.couriers import Couriers
from clarion.store.redis.feed import BullFeed
from clarion.store.redis.jobs import Lane
from clarion.store.redis.relay import Relay
from clarion.store.redis.watch import RedisWatch
from clarion.store.sql.database import Database
from clarion.store.sql.tasks_relay import SqlOutbox
from clarion.store.sql.tasks_store import SqlTasks
from clarion.store.sql.types import to_micros
from clarion.tasks.ports import Outcome, Taken, Wanted
from tests.support.clock import START, ManualClock

AHEAD = 300  # more than any of those suites has ready at once
NEVER = timedelta(days=10_000)
LOOK_AGAIN_SECONDS = 0.1
_READY = text(
    "SELECT id FROM tasks WHERE status IN ('scheduled', 'ready')"
    " AND sent_at IS NOT NULL AND due_at <= :now"
)


class Told:
    """Keeps the events of a watch."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def __call__(self, event: Event) -> None:
        self.events.append(event)


class ClusterTasks(SqlTasks):
    """Claims come by way of a real BullMQ and from nowhere else."""

    def __init__(self, database: Database, redis_url: str, *, sweep: timedelta = NEVER) -> None:
        super().__init__(database)
        self.database = database
        self.clock = ManualClock(START - timedelta(days=1))
        self.told = Told()
        self.client = steady_client(redis_url)
        self.quick = quick_client(redis_url)
        outbox = self.outbox = SqlOutbox(database)
        self.watch = RedisWatch(self.quick, outbox, self.clock, "srv_test", self.told)
        self.relay = Relay(self.client, outbox, self.watch, self.clock)
        self.feed = BullFeed(
            SqlTasks(database),
            outbox,
            self.clock,
            is_away=lambda: self.watch.is_away,
            bury=self.relay.bury,
            sweep=sweep,
        )
        self.couriers = Couriers(redis_url, self.feed, self.watch, self.clock, ahead=AHEAD)
        self.queues = {lane: Queue(lane.value, {"connection": self.client}) for lane in Lane}
        self._news = asyncio.Event()
        self._turning = asyncio.Lock()

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> Taken:
        async with self._turning:
            await self.catch_up(now)
        return await self.feed.turn(outcomes, wanted, now)

    async def catch_up(self, now: datetime) -> None:
        """Until BullMQ has delivered all that is due."""
        if now > self.clock.now():
            self.clock.move_to(now)
        await self.relay.run_once()
        self.couriers.ring()
        while set(await self.database.read(_due, now)) - self.feed.waiting:
            await self.hear_something()

    async def hear_something(self) -> None:
        """News of a delivery, or nothing for a while: another worker may have claimed it, or a
        trip to Redis took too long and is made again, for which a real clock would see.
        """
        try:
            async with asyncio.timeout(LOOK_AGAIN_SECONDS):
                await self._news.wait()
        except TimeoutError:
            self.couriers.ring()
            return
        self._news.clear()

    async def begin(self) -> None:
        listening = asyncio.Event()
        stop = self.listen(lambda _: listening.set())
        await listening.wait()  # PostgreSQL says "look" when it begins to listen
        stop()
        while self.watch.is_away:  # a busy machine may take longer for the first answer
            await self.watch.run_once()
        await self.couriers.run_once()
        self.feed.listen(lambda _: self._news.set())

    async def end(self) -> None:
        await self.couriers.close()
        await self.client.aclose()
        await self.quick.aclose()


def _due(conn: Connection, now: datetime) -> list[str]:
    return [row[0] for row in conn.execute(_READY, {"now": to_micros(now)})]


@asynccontextmanager
async def cluster_tasks(
    database: Database, redis_url: str, *, sweep: timedelta = NEVER
) -> AsyncIterator[ClusterTasks]:
    store = ClusterTasks(database, redis_url, sweep=sweep)
    try:
        await store.begin()
        yield store
    finally:
        await store.end()
