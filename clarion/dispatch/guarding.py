"""Every database call has a time limit, and a database that keeps failing is not called.

Reads go through the breaker. Writes do not: a prepared commit is worth one more try, and refusing
it would only make the outage longer.
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
        """After DatabaseSlow it may or may not have been done; every write here can be repeated."""
        try:
            async with asyncio.timeout(self._limit.total_seconds()):
                return await work()
        except TimeoutError:
            raise DatabaseSlow(what) from None
