"""Drives background passes by hand, from one planned moment to the next, without waiting."""

from collections.abc import Callable
from datetime import datetime, timedelta

from clarion.base.loop import Pass
from tests.support.clock import ManualClock

# A pass that always wants to run again at once would never let time go by.
ROUNDS_AT_ONE_INSTANT = 100


class Driver:
    """Stands in for the loops: the same passes, the same moments, always in the same order."""

    def __init__(self, clock: ManualClock, *passes: Pass) -> None:
        self._clock = clock
        self._passes = list(passes)

    def add(self, *passes: Pass) -> None:
        self._passes.extend(passes)

    def remove(self, *passes: Pass) -> None:
        """As if the process that ran them had died."""
        self._passes = [kept for kept in self._passes if kept not in passes]

    async def settle(self) -> datetime | None:
        """Run every pass until all are done with this instant; answer the next planned one."""
        for _ in range(ROUNDS_AT_ONE_INSTANT):
            planned = [at for work in self._passes if (at := await work.run_once())]
            if all(at > self._clock.now() for at in planned):
                return min(planned, default=None)
        raise AssertionError(f"some pass never rests at {self._clock.now()}")

    async def fast_forward(self, by: timedelta) -> None:
        """Live through `by`: stop at every moment some pass asked for, and run it then."""
        await self.until(self._clock.now() + by)

    async def until(self, end: datetime) -> None:
        while (planned := await self.settle()) is not None and planned <= end:
            self._clock.move_to(planned)
        self._clock.move_to(end)
        await self.settle()

    async def until_true(self, fact: Callable[[], bool], *, within: timedelta) -> None:
        """Live until `fact` holds, and fail when it does not come true in time."""
        end = self._clock.now() + within
        while not fact():
            planned = await self.settle()
            if fact():
                return
            if planned is None or planned > end:
                raise AssertionError(f"not true within {within}")
            self._clock.move_to(planned)
