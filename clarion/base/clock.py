"""The only readers of time. Everything else asks the Clock that it was handed."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present instant, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump: for durations, leases and breakers, not for dates."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


class ManualClock:
    """A clock that stands still until it is moved: for tests, demos and simulations."""

    def __init__(self, now: datetime) -> None:
        self._now = now.astimezone(UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    def move_to(self, instant: datetime) -> None:
        assert instant >= self._now, "time only goes forward; jump() is for broken clocks"
        self.advance(instant - self._now)

    def advance(self, by: timedelta) -> None:
        self._now += by
        self._elapsed += by.total_seconds()

    def jump(self, by: timedelta) -> None:
        """Move the wall clock only, also backwards, as a bad time server would."""
        self._now += by
