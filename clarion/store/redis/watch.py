"""Is Redis there, does it take writes, and does it still know what it was told?

Asked twice a second with a client that waits a fifth of one, so that an outage of any kind is
noticed within two seconds: refused, hanging, read-only, or back again with an empty memory.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.events import Event
from clarion.store.redis import jobs
from clarion.store.redis.client import REDIS_ERRORS, RedisAway
from clarion.tasks.broker import Outbox
from clarion.tasks.events import ClusterDegraded, ClusterRecovered

log = logging.getLogger(__name__)

EVERY = timedelta(milliseconds=500)
FAILURES_MAX = 2  # one is a hiccup
MEMORY = "clarion:memory"
"""Says which epoch the jobs in this Redis count from. Gone: so is all the rest."""
PULSE = "clarion:pulse"
PULSE_SECONDS = 60
PAGE = 2_000  # tasks to be told again at once; a fraction of a second of writing


class RedisWatch:
    """A pass. `is_away` is also true before the first answer."""

    name = "redis-watch"

    def __init__(
        self,
        client: Redis,
        outbox: Outbox,
        clock: Clock,
        server: str,
        announce: Callable[[Event], Awaitable[None]],
    ) -> None:
        self.is_away = True
        self._client = client
        self._outbox = outbox
        self._clock = clock
        self._server = server
        self._announce = announce
        self._failures = 0
        self._away_since: float | None = None
        self._untold: list[Event] = []
        self._page: tuple[int, datetime] | None = None
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Be called with every beat, and so soon after each change."""
        self._listeners.append(listener)

    async def check(self) -> None:
        """For health: raises while Redis is away."""
        if self.is_away:
            raise RedisAway("Redis is away; tasks are claimed in the database.", retry_after=1)

    async def run_once(self) -> datetime | None:
        looks_at = self._clock.now() + EVERY
        try:
            memory = await self._beat()
            if memory != self._expected():
                await self._remind()
        except REDIS_ERRORS as error:
            self._missed(error)
        else:
            self._answered()
        for listener in self._listeners:
            listener()
        try:
            await self._tell()
        except ClarionError as error:
            log.warning("not written yet how Redis is: %s", error)
        return looks_at

    async def _beat(self) -> str | None:
        # A write, because a Redis that became read-only is of no use to us.
        async with self._client.pipeline(transaction=False) as pipe:
            pipe.set(PULSE, self._server, ex=PULSE_SECONDS)
            pipe.get(MEMORY)
            _, memory = await pipe.execute()
        return None if memory is None else str(memory)

    def _expected(self) -> str:
        return str(jobs.epoch(self._clock.now()))

    async def _remind(self) -> None:
        """Have everything told again, a page with each beat; only then is it said to be known."""
        after, before = self._page or (0, self._clock.now())
        if after == 0:
            log.warning("Redis has forgotten its jobs: they are told again")
        try:
            found = await self._outbox.forget_page(after, before, PAGE)
        except ClarionError as error:
            log.warning("not told again yet: %s", error)
            return
        if found is None:
            await self._client.set(MEMORY, self._expected())
            self._page = None
        else:
            self._page = found, before

    def _missed(self, error: Exception) -> None:
        self._failures += 1
        if self._failures < FAILURES_MAX or self._away_since is not None:
            return
        log.warning("Redis is away, the database takes over: %s", error)
        self.is_away = True
        self._away_since = self._clock.monotonic()
        self._untold.append(ClusterDegraded(subject=self._server, away="redis", why=str(error)))

    def _answered(self) -> None:
        self._failures = 0
        self.is_away = False
        if self._away_since is None:
            return
        seconds = round(self._clock.monotonic() - self._away_since, 1)
        log.warning("Redis is back after %s s", seconds)
        self._away_since = None
        self._untold.append(ClusterRecovered(subject=self._server, back="redis", seconds=seconds))

    async def _tell(self) -> None:
        while self._untold:
            await self._announce(self._untold[0])
            del self._untold[0]
