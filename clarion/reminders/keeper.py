"""Sees that no promise hangs on a single task: what is overdue and not planned is planned again.

Every reminder that waits has its task, written with it. This is for the day on which one is lost
all the same: dropped by hand, dead after a defect, gone with a back-up. It also notices a clock
that was set back, and forgets the keys of requests that nobody will repeat.
"""

import logging
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.reminders.decisions import ring as ringing
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.model import Patience
from clarion.reminders.ports import ReminderStore

log = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=2)  # a busy queue is not yet a lost task
EVERY = timedelta(minutes=1)
SET_BACK = 5.0  # seconds; a time server's usual corrections are far smaller
KEYS_KEPT = timedelta(days=7)  # nobody repeats a request after that


class Keeper:
    """A pass."""

    name = "reminders-keeper"

    def __init__(self, store: ReminderStore, clock: Clock, patience: Patience) -> None:
        self._store = store
        self._clock = clock
        self._patience = patience
        self._behind = 0.0

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        if self._was_set_back(now):
            await self._pull_in(now)
        found = await self._store.put_back(now - OVERDUE, now)
        if found:
            log.warning("reminders had lost their tasks", extra={"found": found})
        await self._store.forget_keys(now - KEYS_KEPT)
        return now + EVERY

    def _was_set_back(self, now: datetime) -> bool:
        """Since the last look, against the clock that never jumps."""
        before, self._behind = self._behind, self._clock.monotonic() - now.timestamp()
        return before != 0.0 and self._behind - before > SET_BACK

    async def _pull_in(self, now: datetime) -> None:
        found = await self._store.planned_ahead(now)
        for reminder_id in found:
            try:
                await self._store.change(
                    reminder_id, lambda scene: ringing.pull_in(scene, now, self._patience), now
                )
            except NoSuchReminder:
                continue  # its user was removed meanwhile
        log.warning("the clock was set back", extra={"looked_at": len(found)})
