"""Cuts a handler whose time is over."""

import asyncio
from datetime import timedelta
from types import TracebackType
from typing import Self


class TimeLimit:
    """Like `asyncio.timeout`, for many short runs in one asyncio task, one after the other.

    One timer serves them all: when it rings, it is set anew for what runs then. So a run that is
    over soon sets none and ends none, which would cost more than many a handler.
    """

    __slots__ = (
        "_cancelling",
        "_loop",
        "_rings_at",
        "_running",
        "_task",
        "_timer",
        "ends_at",
        "expired",
    )

    def __init__(self) -> None:
        task = asyncio.current_task()
        assert task is not None, "there is nothing to cut"
        self._task = task
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = 0.0
        self._cancelling = 0
        self._running = False
        self.ends_at = 0.0
        """When the last run had to end, by the event loop's time."""
        self.expired = False
        """Whether the last run was cut."""

    def within(self, limit: timedelta) -> Self:
        """`with time_limit.within(limit):` raises `TimeoutError` when it takes longer."""
        self.ends_at = self._loop.time() + limit.total_seconds()
        return self

    def __enter__(self) -> None:
        self.expired, self._running = False, True
        self._cancelling = self._task.cancelling()
        if self._timer is None or self.ends_at < self._rings_at:
            self._set_timer()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._running = False
        if not self.expired or self._task.uncancel() > self._cancelling:
            return  # somebody else wants it to end as well
        if kind is asyncio.CancelledError:
            raise TimeoutError from error

    def cut(self) -> None:
        """End it now. What has not begun, or is over, goes on."""
        if self._running and not self.expired:
            self.ends_at = self._loop.time()
            self._set_timer()

    def close(self) -> None:
        """It is needed no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        self.close()
        self._rings_at = self.ends_at
        self._timer = self._loop.call_at(self._rings_at, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if not self._running or self.expired:
            return
        if self._loop.time() < self.ends_at:
            self._set_timer()
        else:
            self.expired = True
            self._task.cancel()
