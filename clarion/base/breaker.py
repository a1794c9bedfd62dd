"""A circuit breaker: stops calling a service that keeps failing, and tests it with one call.

closed      calls pass; `failures_max` failures in a row open it
open        calls are refused at once, for `rest` seconds on the monotonic clock
half open   one call passes as a probe; the others are refused until it has come back

A cancelled call says nothing about the other side, so it counts neither as a success nor as a
failure; after a cancelled probe the next call is the probe.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import TypeVar

from clarion.base.clock import Clock
from clarion.base.errors import CircuitOpen

log = logging.getLogger(__name__)
T = TypeVar("T")


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


Listener = Callable[[str, BreakerState], None]
"""Told the breaker's name and its new state. Must not raise and must not wait."""


class Breaker:
    def __init__(
        self,
        name: str,
        clock: Clock,
        *,
        failures_max: int = 5,
        rest: float = 30.0,
        slow: float | None = None,
        counts: Callable[[Exception], bool] = lambda _error: True,
        listeners: Sequence[Listener] = (),
    ) -> None:
        """`slow`: a success that took longer than this many seconds counts as a failure.

        `counts`: whether an error is the other side's fault; ours (a bad request) are not.
        """
        self.name = name
        self.state = BreakerState.CLOSED
        self._clock = clock
        self._failures_max = failures_max
        self._rest = rest
        self._slow = slow
        self._counts = counts
        self._listeners = listeners
        self._failures = 0
        self._opened_at = 0.0
        self._probing = False

    async def call(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work, or raise CircuitOpen without doing it."""
        probe = self._admit()
        began = self._clock.monotonic()
        try:
            result = await work()
        except Exception as error:
            self._settle(probe, failed=self._counts(error))
            raise
        finally:
            # Also when cancelled: the next call may probe in our place.
            self._probing = self._probing and not probe
        took = self._clock.monotonic() - began
        self._settle(probe, failed=self._slow is not None and took > self._slow)
        return result

    def _admit(self) -> bool:
        """Let the call in; True when it is the probe."""
        if self.state is BreakerState.CLOSED:
            return False
        wait = self._opened_at + self._rest - self._clock.monotonic()
        if self._probing or (self.state is BreakerState.OPEN and wait > 0):
            raise CircuitOpen(
                f"{self.name} failed repeatedly, so it is left alone for a while.",
                hint="Try again later; what does not need it goes on working.",
                retry_after=max(wait, 1.0),
            )
        self._probing = True
        self._become(BreakerState.HALF_OPEN)
        return True

    def _settle(self, probe: bool, *, failed: bool) -> None:
        if not failed:
            # A slow call from before the opening does not close it: only the probe may.
            if probe or self.state is BreakerState.CLOSED:
                self._failures = 0
                self._become(BreakerState.CLOSED)
            return
        self._failures += 1
        if probe or (self.state is BreakerState.CLOSED and self._failures >= self._failures_max):
            self._opened_at = self._clock.monotonic()
            self._become(BreakerState.OPEN)

    def _become(self, state: BreakerState) -> None:
        if state is self.state:
            return
        self.state = state
        log.info("breaker is %s", state.value, extra={"breaker": self.name})
        for listener in self._listeners:
            listener(self.name, state)
