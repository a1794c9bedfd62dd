"""Reads the state of the system every few seconds and sets the gauges. One pass."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.doors.metrics.instruments import Instruments
from clarion.doors.metrics.window import Window
from clarion.tasks.model import Level
from clarion.tasks.records import Count, Longest, TaskStatus

EVERY = timedelta(seconds=10)
DUE = frozenset({TaskStatus.READY})


class Tasks(Protocol):
    async def counts(self) -> list[Count]: ...
    async def longest_waiting(self, now: datetime) -> list[Longest]: ...


class PendingCount(Protocol):
    async def pending(self) -> int: ...


class Census:
    name = "census"

    def __init__(
        self,
        instruments: Instruments,
        window: Window,
        tasks: Tasks,
        reminders: PendingCount,
        clock: Clock,
        *,
        slots: Callable[[], Sequence[tuple[str, int, int]]] = lambda: (),
        degraded: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._seen = instruments
        self._window = window
        self._tasks = tasks
        self._reminders = reminders
        self._clock = clock
        self._slots = slots
        self._degraded = degraded

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        self._seen.pending.set(await self._reminders.pending())
        await self._look_at_tasks(now)
        self._look_at_rates()
        for lane, total, busy in self._slots():
            self._seen.slots.labels(lane, "busy").set(busy)
            self._seen.slots.labels(lane, "idle").set(total - busy)
        self._seen.degraded.set(self._degraded is not None and await self._degraded())
        self._seen.looked_at.set(now.timestamp())
        return now + EVERY

    async def _look_at_tasks(self, now: datetime) -> None:
        counted = await self._tasks.counts()
        longest = {each.level: each.due_at for each in await self._tasks.longest_waiting(now)}
        self._seen.dead.set(sum(each.tasks for each in counted if each.status is TaskStatus.DEAD))
        for level in Level:
            waits = sum(c.tasks for c in counted if c.status in DUE and c.level is level)
            age = (now - longest[level]).total_seconds() if level in longest else 0.0
            self._seen.waiting.labels(level.name.lower()).set(waits)
            self._seen.oldest.labels(level.name.lower()).set(max(0.0, age))

    def _look_at_rates(self) -> None:
        """A rate of nothing counts as perfect: an alert must not wake anybody for silence."""
        window, seen = self._window, self._seen
        success, confirmed = window.success_rate(), window.confirm_rate()
        seen.success_rate.set(1.0 if success is None else success)
        seen.confirm_rate.set(1.0 if confirmed is None else confirmed)
        seen.retry_count.set(window.retries_most())
        seen.latency.set(window.latency() or 0.0)
