"""Which outside services can be reached: checked every few seconds, for health and metrics.

None of them keeps Clarion from starting or from working. One pass.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from clarion.base.breaker import BreakerState
from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.chats.platforms import PlatformReach
from clarion.doors.metrics.instruments import Instruments

EVERY = timedelta(seconds=10)
ANSWER_SECONDS_MAX = 3.0
PORTS = {"http": 80, "https": 443, "mqtt": 1883, "mqtts": 8883, "redis": 6379, "rediss": 6379}


class OutsideWatch:
    """`services`: the address of each, by its name. Reached means that somebody listens there."""

    name = "outside"

    def __init__(
        self,
        services: Mapping[str, str],
        reaches: Mapping[str, PlatformReach],
        backlog: Callable[[], Awaitable[Mapping[str, int]]],
        seen: Instruments,
        clock: Clock,
    ) -> None:
        self._services = services
        self._backlog = backlog
        self._seen = seen
        self._clock = clock
        self._away: dict[str, str] = {}
        for name, reach in reaches.items():
            show(name, reach, seen)

    async def run_once(self) -> datetime | None:
        await asyncio.gather(*(self._knock(name, url) for name, url in self._services.items()))
        for direction, waiting in (await self._backlog()).items():
            self._seen.chat_backlog.labels(direction).set(waiting)
        return self._clock.now() + EVERY

    async def check(self, name: str) -> None:
        """For health: raises while the service was not reached at the last look."""
        if name in self._away:
            raise Unavailable(self._away[name])

    async def _knock(self, name: str, url: str) -> None:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 80)
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                _, writer = await asyncio.open_connection(parts.hostname, port)
            writer.close()
        except OSError as error:
            self._away[name] = str(error) or "no answer in time"
        else:
            self._away.pop(name, None)
        self._seen.outside_up.labels(name).set(name not in self._away)


def show(name: str, reach: PlatformReach, seen: Instruments) -> None:
    """A platform's numbers, read whenever somebody asks for them."""

    def last_success() -> float:
        return reach.last_success_at.timestamp() if reach.last_success_at else 0.0

    seen.outside_up.labels(name).set_function(lambda: not reach.last_error)
    seen.platform_breaker.labels(name).set_function(lambda: reach.state is not BreakerState.CLOSED)
    seen.platform_conflicts.labels(name).set_function(lambda: reach.conflicts)
    seen.platform_success.labels(name).set_function(last_success)
