"""The only place that waits: runs a pass when it asked to be run, or when woken."""

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock

log = logging.getLogger(__name__)

BACKOFF_FIRST = timedelta(milliseconds=200)  # a busy database is usually back by then
BACKOFF_MOST = timedelta(seconds=30)


class Pass(Protocol):
    """One round of background work. May be cut between two store calls at any time."""

    name: str

    async def run_once(self) -> datetime | None:
        """Do what is due; return when to look again, or None when nothing is planned."""
        ...


class Loop:
    """Runs one pass when it asked to, when woken, and at least every `idle`.

    A pass that raises is logged and tried again, later each time, so the loop outlives a
    store that was away for a minute. `least` keeps a pass that is always due from taking
    the whole processor.
    """

    def __init__(
        self,
        work: Pass,
        clock: Clock,
        *,
        idle: timedelta = timedelta(seconds=30),
        least: timedelta = timedelta(milliseconds=1),
    ) -> None:
        self._work = work
        self._clock = clock
        self._idle = idle
        self._least = least
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
        except Exception:
            self._failures += 1
            log.exception("pass failed", extra={"pass": self.name, "failures": self._failures})
            return min(BACKOFF_MOST, BACKOFF_FIRST * (1 << min(self._failures - 1, 10)))
        self._failures = 0
        if look_at is None:
            return self._idle
        return min(self._idle, max(self._least, look_at - self._clock.now()))

    async def _wait(self, wait: timedelta) -> None:
        try:
            async with asyncio.timeout(wait.total_seconds()):
                await self._woken.wait()
        except TimeoutError:
            pass
