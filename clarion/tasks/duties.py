"""Which of several servers does the work that only one may do: polling, cleaning, fanning out.

A duty is a lease in the database. The server that has it renews it every few seconds; when that
server dies, the lease runs out and another server takes it. A server that is cut off from the
database trusts its lease only until its own clock says that it has run out.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.loop import Pass

log = logging.getLogger(__name__)

LIFE = timedelta(seconds=9)  # a duty moves within ten seconds of its server's death
BEAT = LIFE / 3
MARGIN = timedelta(seconds=1)  # we stop this much earlier than another server may begin


class DutyStore(Protocol):
    async def take(
        self, names: Sequence[str], holder: str, now: datetime, until: datetime
    ) -> set[str]:
        """Take or renew those duties that no other server has; returns the ones that are ours."""
        ...

    async def resign(self, holder: str) -> None:
        """Give up all duties, so that another server can take them at once."""
        ...


class Duties:
    """A pass that takes and renews duties. `OnDuty` asks `holds` whether a duty is ours."""

    name = "duties"

    def __init__(self, store: DutyStore, clock: Clock, holder: str) -> None:
        self._store = store
        self._clock = clock
        self._holder = holder
        self._wanted: list[str] = []
        self._ends: dict[str, float] = {}
        self._on_change: list[Callable[[], None]] = []

    def want(self, name: str, wake: Callable[[], None] = lambda: None) -> None:
        """Take part in this duty; `wake` is called when it becomes ours."""
        self._wanted.append(name)
        self._on_change.append(wake)

    def holds(self, name: str) -> bool:
        return self._clock.monotonic() < self._ends.get(name, 0.0)

    async def run_once(self) -> datetime | None:
        began, now = self._clock.monotonic(), self._clock.now()
        before = {name for name in self._wanted if self.holds(name)}
        ours = await self._store.take(self._wanted, self._holder, now, now + LIFE)
        ends = began + (LIFE - MARGIN).total_seconds()
        self._ends = dict.fromkeys(ours, ends)
        if ours - before:
            log.info("on duty: %s", ", ".join(sorted(ours - before)))
            for wake in self._on_change:
                wake()
        return now + BEAT

    async def resign(self) -> None:
        self._ends.clear()
        await self._store.resign(self._holder)


class OnDuty:
    """Runs a pass only while the duty is ours. The duty's name is the pass's."""

    def __init__(self, work: Pass, duties: Duties, clock: Clock) -> None:
        self.name = work.name
        self._work = work
        self._duties = duties
        self._clock = clock

    async def run_once(self) -> datetime | None:
        if not self._duties.holds(self.name):
            return self._clock.now() + BEAT
        return await self._work.run_once()
