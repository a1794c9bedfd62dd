"""Is Redis there, and does it take writes?

Checked twice a second by a client that waits 0.2 seconds, so that every outage is noticed within
two seconds: refused, hanging or read-only.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.events import Event
from clarion.store.redis.client import REDIS_ERRORS, RedisAway
from clarion.tasks.events import ClusterDegraded, ClusterRecovered

log = logging.getLogger(__name__)

EVERY = timedelta(milliseconds=500)
FAILURES_MAX = 2  # a single failure may be chance
PULSE = "clarion:pulse"
PULSE_SECONDS = 60


class RedisWatch:
    """A pass. `is_away` is also true before the first answer."""

    name = "redis-watch"

    def __init__(
        self,
        client: Redis,
        clock: Clock,
        server: str,
        announce: Callable[[Event], Awaitable[None]],
    ) -> None:
        self.is_away = True
        self._client = client
        self._clock = clock
        self._server = server
        self._announce = announce
        self._failures = 0
        self._away_since: float | None = None
        self._untold: list[Event] = []

    async def check(self) -> None:
        """For health: raises while Redis is away."""
        if self.is_away:
            raise RedisAway("Redis is away; tasks go on in the database.", retry_after=1)

    async def run_once(self) -> datetime | None:
        looks_at = self._clock.now() + EVERY
        try:
            # A write, because a read-only Redis does not help us.
            await self._client.set(PULSE, self._server, ex=PULSE_SECONDS)
        except REDIS_ERRORS as error:
            self._missed(error)
        else:
            self._answered()
        try:
            await self._tell()
        except ClarionError as error:
            log.warning("not written yet how Redis is: %s", error)
        return looks_at

    def _missed(self, error: Exception) -> None:
        self._failures += 1
        if self._failures < FAILURES_MAX or self._away_since is not None:
            return
        log.warning("Redis is away, the database does it all: %s", error)
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
