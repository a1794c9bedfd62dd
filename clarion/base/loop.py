"""The only place that waits: runs a pass when it asked to be run, or when woken."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.base.restarts import Restarts, backoff, is_cancelled

log = logging.getLogger(__name__)


class Pass(Protocol):
    """One round of background work. May be cut between two store calls at any time."""

    name: str

    async def run_once(self) -> datetime | None:
        """Do what is due; return when to look again, or None when nothing is planned."""
        ...


class Periodic:
    """A pass that does one thing at the start and then once an interval, woken or not.

    `work` is handed the instant.
    """

    def __init__(
        self,
        name: str,
        interval: timedelta,
        clock: Clock,
        work: Callable[[datetime], Awaitable[object]],
    ) -> None:
        self.name = name
        self._interval = interval
        self._clock = clock
        self._work = work
        self._next: datetime | None = None

    async def run_once(self) -> datetime:
        now = self._clock.now()
        # A clock that was set back must not put it off for longer than usual.
        if self._next is None or not now < self._next <= now + self._interval:
            await self._work(now)
            self._next = now + self._interval
        return self._next


class Loop:
    """Runs one pass when it asked to, when woken, and at least every `idle`.

    A pass that raises is logged and tried again, later each time, so the loop outlives a
    store that was away for a minute; `restarts` counts and shows it. `least` keeps a pass that
    is always due from taking the whole processor.
    """

    def __init__(
        self,
        work: Pass,
        clock: Clock,
        *,
        idle: timedelta = timedelta(seconds=30),
        least: timedelta = timedelta(milliseconds=1),
        restarts: Restarts | None = None,
    ) -> None:
        self._work = work
        self._clock = clock
        self._idle = idle
        self._least = least
        self._restarts = restarts or Restarts(clock)
        self._woken = asyncio.Event()
        self._failures = 0

    @property
    def name(self) -> str:
        return self._work.name

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            self._woken.clear()
            await self._wait(await self._run_guarded())

    async def _run_guarded(self) -> timedelta:
        """Run the pass; answer how long to wait before the next run."""
        try:
            look_at = await self._work.run_once()
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            return self._failed(error)
        except Exception as error:  # noqa: BLE001  logged and counted in `_failed`
            return self._failed(error)
        if self._failures:
            self._failures = 0
            self._restarts.lives(self.name)
        if look_at is None:
            return self._idle
        return min(self._idle, max(self._least, look_at - self._clock.now()))

    def _failed(self, error: BaseException) -> timedelta:
        self._failures += 1
        fields = {"pass": self.name, "failures": self._failures}
        if isinstance(error, Unavailable):
            # Something we need is away: where in our code that was noticed tells nobody anything.
            log.warning("pass waits: %s", error, extra=fields)
        else:
            log.error("pass failed", exc_info=error, extra=fields)
        self._restarts.died(self.name, f"{type(error).__name__}: {error}")
        return backoff(self._failures)

    async def _wait(self, wait: timedelta) -> None:
        try:
            async with asyncio.timeout(wait.total_seconds()):
                await self._woken.wait()
        except TimeoutError:
            pass
