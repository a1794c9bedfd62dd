"""Every question to the database has a bound, and a database that keeps failing is not asked.

Reads go through the breaker. Writes do not: a commit that was prepared is worth one more try,
and refusing it would only lengthen the outage.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from clarion.base.errors import CircuitOpen
from clarion.dispatch.errors import BreakerOpen, DatabaseSlow
from clarion.dispatch.holding import HoldBreaker

T = TypeVar("T")


class DispatchGuard:
    def __init__(self, breaker: HoldBreaker, limit: timedelta = timedelta(seconds=5)) -> None:
        self._breaker = breaker
        self._limit = limit

    async def read(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self._breaker.call(lambda: self.write(what, work))
        except BreakerOpen:
            raise
        except CircuitOpen as error:
            raise BreakerOpen("database", error.retry_after or 1.0) from error

    async def write(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        """Whether it was done is unknown after DatabaseSlow; every write here may be repeated."""
        try:
            async with asyncio.timeout(self._limit.total_seconds()):
                return await work()
        except TimeoutError:
            raise DatabaseSlow(what) from None
