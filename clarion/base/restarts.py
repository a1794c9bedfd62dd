"""Keeps parts running: one that dies is begun again, later each time, and is counted and shown.

A defect in one part must not take the others with it, and must not go unseen either.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable

log = logging.getLogger(__name__)

FIRST = timedelta(milliseconds=200)  # a busy database is usually back by then
MOST = timedelta(seconds=30)
SHOWN_SECONDS = 300.0  # long enough for a person or a monitor to see it
STEADY_SECONDS = 60.0  # who ran for so long has recovered: the next wait is the first again


def backoff(failures: int, first: timedelta = FIRST, most: timedelta = MOST) -> timedelta:
    """How long to wait after the failure of this number, the first being 1."""
    return min(most, first * (1 << min(failures - 1, 10)))


class Restarts:
    def __init__(self, clock: Clock, *, first: timedelta = FIRST) -> None:
        self.counts: Counter[str] = Counter()
        """How often each part has died or a pass has failed."""
        self.on_death: Callable[[str], None] = lambda _: None
        self._clock = clock
        self._first = first
        self._shown: dict[str, tuple[str, float]] = {}

    async def keep(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """Run it until it ends by itself or we are cancelled."""
        failures = 0
        while (lived := await self._run(name, run)) is not None:
            failures = 1 if lived >= STEADY_SECONDS else failures + 1
            await _pause(backoff(failures, self._first))

    async def _run(self, name: str, run: Callable[[], Awaitable[None]]) -> float | None:
        """How many seconds it lived before it died; None when it came to its end."""
        began = self._clock.monotonic()
        try:
            await run()
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            log.exception("part died", extra={"part": name})
            self.died(name, "it was cancelled from inside")
        except Exception as error:
            log.exception("part died", extra={"part": name})
            self.died(name, f"{type(error).__name__}: {error}")
        else:
            return None
        return self._clock.monotonic() - began

    def died(self, name: str, why: str) -> None:
        self.counts[name] += 1
        self._shown[name] = why, self._clock.monotonic() + SHOWN_SECONDS
        self.on_death(name)

    def lives(self, name: str) -> None:
        """It failed before and has done its work again."""
        self._shown.pop(name, None)

    async def check(self) -> None:
        """For health: raises while something has died of late."""
        now = self._clock.monotonic()
        self._shown = {name: shown for name, shown in self._shown.items() if now < shown[1]}
        if self._shown:
            died = [f"{name} ({why})" for name, (why, _) in sorted(self._shown.items())]
            raise Unavailable(f"Begun again: {'; '.join(died)}.")


def is_cancelled() -> bool:
    """Whether somebody asks this very task to end; else a `CancelledError` is a defect."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


async def _pause(wait: timedelta) -> None:
    try:
        async with asyncio.timeout(wait.total_seconds()):
            await asyncio.Event().wait()
    except TimeoutError:
        pass
