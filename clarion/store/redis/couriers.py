"""Workers of the BullMQ queues, one a queue, that bring jobs to the feed.

They are begun when Redis is first seen, wait while it is away, and are stopped without waiting
for it. When a job falls due is kept by a timer of our own: Redis ends a wait up to a tenth of a
second late.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.base.ids import new_id
from clarion.base.loop import Loop
from clarion.store.redis import jobs
from clarion.store.redis.calls import LOCK_MS, Calls, Ended, Given, Held
from clarion.store.redis.client import REDIS_ERRORS, patient_client, steady_client
from clarion.store.redis.feed import BullFeed
from clarion.store.redis.jobs import Lane
from clarion.store.redis.watch import RedisWatch

log = logging.getLogger(__name__)

EVERY = timedelta(seconds=1)
RETRY = timedelta(milliseconds=500)  # after an outage
IDLE = timedelta(seconds=5)  # for a job whose marker was taken by a worker that died
RENEWED_EVERY = timedelta(milliseconds=LOCK_MS / 3)
AT_ONCE_MIN = 2
AT_ONCE_MAX = 64  # a few milliseconds of Redis, which serves nobody else meanwhile
STOP_SECONDS = 1.0
STOP_TRIES = 4


class Courier:
    """A pass of one queue: gives back what has ended, and takes more while there is any."""

    def __init__(
        self, calls: Calls, feed: BullFeed, watch: RedisWatch, clock: Clock, *, ahead: int
    ) -> None:
        self.name = f"bullmq-{calls.lane}"
        self.held: dict[str, Held] = {}
        self._calls = calls
        self._feed = feed
        self._watch = watch
        self._clock = clock
        self._ahead = ahead
        self._ended: list[Ended] = []
        self._has_more = True
        self._closed = False
        self._at_once = AT_ONCE_MIN
        self._next_at: datetime | None = None
        self.loop = Loop(self, clock, idle=IDLE, least=timedelta(0))
        self.on_hungry: Callable[[], None] = lambda: None

    @property
    def is_hungry(self) -> bool:
        """True when there is room and nothing to take: then it is worth waiting at Redis."""
        has_room = len(self.held) < self._ahead
        return not (self._has_more or self._closed or self._watch.is_away) and has_room

    def ring(self) -> None:
        """There may be something to take."""
        self._has_more = True
        self.loop.wake()

    def close(self) -> None:
        """From now on Redis is asked nothing, whatever rings."""
        self._closed = True

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        if self._closed:
            return None
        if self._watch.is_away:
            self._has_more = True
            return now + RETRY
        if self._next_at is not None and self._next_at <= now:
            self._has_more, self._next_at = True, None
        most = min(self._at_once, self._ahead - len(self.held)) if self._has_more else 0
        if not most and not self._ended:
            return self._next_at
        try:
            await self._exchange(most, now)
        except REDIS_ERRORS as error:
            log.debug("BullMQ: %s", error)
            return now + RETRY
        if self.is_hungry:
            self.on_hungry()
        elif self._ended or (self._has_more and len(self.held) < self._ahead):
            return now
        return self._next_at

    async def keep(self) -> None:
        """Renew what is held, and let go what the dead have left."""
        await self._calls.renew(list(self.held.values()))
        await self._calls.free_stalled()

    async def give_back(self) -> None:
        """The last trip."""
        ended, self._ended = self._ended, []
        if ended:
            await self._calls.exchange(ended, 0, self._clock.now())

    async def _exchange(self, most: int, now: datetime) -> None:
        ended, self._ended = self._ended, []
        self._has_more = self._has_more and not most  # what rings from now on, this may miss
        try:
            trip = await self._calls.exchange(ended, most, now)
        except BaseException:
            # Said again next time; BullMQ answers that it knows, if it was heard after all.
            self._ended = ended + self._ended
            self._has_more = True
            raise
        self._ended = trip.left + self._ended
        if most:
            self._plan(trip.next_at, is_empty=trip.is_empty)
        for given in trip.given:
            await self._hand_over(given)

    def _plan(self, next_at: datetime | None, *, is_empty: bool) -> None:
        if is_empty:
            self._next_at, self._at_once = next_at, AT_ONCE_MIN
        else:
            self._has_more, self._at_once = True, min(AT_ONCE_MAX, 2 * self._at_once)

    async def _hand_over(self, given: Given) -> None:
        held = given.held
        self.held[held.id] = held

        def settle(how: str, *, failed: bool = False) -> None:
            if self.held.get(held.id) is held:
                del self.held[held.id]
            self._ended.append(Ended(held, how, failed))
            self.loop.wake()

        ours = jobs.read(given.data)
        if ours is not None:
            self._feed.deliver(ours, settle)
            return
        reference = f"{held.id}_{given.stamp}"
        try:
            how = await self._feed.take_in(self._calls.lane, given.name, reference, given.data)
        except Unavailable:
            # Nothing is said: its lock runs out, and BullMQ brings it again.
            del self.held[held.id]
        except Exception as error:
            log.exception("a job of another service was not taken in", extra={"job": held.id})
            settle(str(error), failed=True)
        else:
            settle(how)


class Bell:
    """A pass that waits at Redis until a queue has something."""

    def __init__(self, client: Redis, marker: str, courier: Courier, clock: Clock) -> None:
        self.name = f"{courier.name}-bell"
        self._client = client
        self._marker = marker
        self._courier = courier
        self._clock = clock
        self.loop = Loop(self, clock, least=timedelta(0))
        courier.on_hungry = self.loop.wake

    async def run_once(self) -> datetime | None:
        if not self._courier.is_hungry:
            return None
        try:
            # What it answers does not matter: after a silence, too, it is time to look.
            await self._client.bzpopmin(self._marker, IDLE.total_seconds())
        except REDIS_ERRORS as error:
            log.debug("BullMQ: %s", error)
            return self._clock.now() + RETRY
        self._courier.ring()
        return None


@dataclass(frozen=True, slots=True)
class Post:
    """A courier at work."""

    courier: Courier
    waits_with: Redis
    running: "tuple[asyncio.Task[None], ...]"


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
        self._client = steady_client(url)
        self._posts: list[Post] = []
        self._kept_at = clock.now()

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        if self._watch.is_away:
            return now + EVERY
        if not self._posts:
            await self._begin()
        if now - self._kept_at >= RENEWED_EVERY:
            self._kept_at = now
            keeping = (post.courier.keep() for post in self._posts)
            for error in await asyncio.gather(*keeping, return_exceptions=True):
                if error is not None:
                    log.warning("locks in BullMQ were not renewed: %s", error)
        return now + EVERY

    def ring(self) -> None:
        """Make all of them look."""
        for post in self._posts:
            post.courier.ring()

    async def close(self) -> None:
        """First the feed, so that nothing is waited for; then the couriers, all at once."""
        await self._feed.close()
        for post in self._posts:
            post.courier.close()
        await _end([task for post in self._posts for task in post.running])
        if not self._watch.is_away:
            await self._give_back()
        for post in self._posts:
            await post.waits_with.aclose()
        self._posts.clear()
        await self._client.aclose()

    async def _give_back(self) -> None:
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await asyncio.gather(*(post.courier.give_back() for post in self._posts))
        except REDIS_ERRORS as error:
            log.debug("BullMQ: %s", error)  # their locks run out

    async def _begin(self) -> None:
        from bullmq.backends import RedisBackend
        from bullmq.redis_connection import RedisConnection

        connection = RedisConnection(self._client)
        worker = new_id("wrk", self._clock.now())
        calls = [Calls(lane, RedisBackend(lane, connection), worker) for lane in Lane]
        await calls[0].load()
        self._posts = [self._post(each) for each in calls]

    def _post(self, calls: Calls) -> Post:
        courier = Courier(calls, self._feed, self._watch, self._clock, ahead=self._ahead)
        client = patient_client(self._url, name=calls.client_name)
        bell = Bell(client, calls.marker, courier, self._clock)
        running = tuple(
            asyncio.create_task(each.loop.run(), name=each.name) for each in (courier, bell)
        )
        return Post(courier, client, running)


async def _end(tasks: "Sequence[asyncio.Task[None]]") -> None:
    """Asked more than once: a trip that gives up at the same instant takes a cancellation for its
    own end, and the pass goes on. Not for ever: a hanging Redis must not keep us.
    """
    left = set(tasks)
    for _ in range(STOP_TRIES):
        for task in left:
            task.cancel()
        if left:
            _, left = await asyncio.wait(left, timeout=STOP_SECONDS / STOP_TRIES)
