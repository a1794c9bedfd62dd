"""The only place that waits: runs a pass when it asked to be run, or when woken.

What fails is restarted, after a longer wait each time, and is counted and shown: a defect in one
part must not stop the others, and must not stay hidden either.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable

log = logging.getLogger(__name__)

FIRST = timedelta(milliseconds=200)  # a busy database is usually back by then
MOST = timedelta(seconds=30)
SHOWN_SECONDS = 300.0  # long enough for a person or a monitor to see it
STEADY_SECONDS = 60.0  # it has recovered: the next wait is the shortest again


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
        """How many seconds it ran before it failed; None when it ended normally."""
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
        """Note that it works again after a failure."""
        self._shown.pop(name, None)

    async def check(self) -> None:
        """For health: raises when something failed recently."""
        now = self._clock.monotonic()
        self._shown = {name: shown for name, shown in self._shown.items() if now < shown[1]}
        if self._shown:
            died = [f"{name} ({why})" for name, (why, _) in sorted(self._shown.items())]
            raise Unavailable(f"Begun again: {'; '.join(died)}.")


def is_cancelled() -> bool:
    """Whether this task was asked to end; otherwise a `CancelledError` is a defect."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


async def _pause(wait: timedelta) -> None:
    try:
        async with asyncio.timeout(wait.total_seconds()):
            await asyncio.Event().wait()
    except TimeoutError:
        pass


class Pass(Protocol):
    """One round of background work. May be cut between two store calls at any time."""

    name: str

    async def run_once(self) -> datetime | None:
        """Do what is due; return when to look again, or None when nothing is planned."""
        ...


class Periodic:
    """A pass that does one thing at the start and then once an interval, woken or not.

    `work` gets the current instant.
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

    def wake(self, _signal: str = "") -> None:
        """Run the pass at once. Also a listener of the database: what a signal says is not used."""
        self._woken.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            self._woken.clear()
            wait = await self._run_guarded()
            if is_cancelled():
                # Something in the pass has swallowed it: `asyncio.wait_for` does in Python 3.11.
                raise asyncio.CancelledError
            await self._wait(wait)

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
            # Something we need is unavailable: a traceback into our own code would not help.
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
