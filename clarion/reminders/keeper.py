"""Sees that no promise hangs on a single task: what is overdue and not planned is planned again.

Every reminder that waits has its task, written with it. This is for the day on which one is lost
all the same: dropped by hand, dead after a defect, gone with a back-up. It also forgets the
keys of requests that nobody will repeat.
"""

import logging
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.reminders.ports import ReminderStore

log = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=2)  # a busy queue is not yet a lost task
EVERY = timedelta(minutes=1)
KEYS_KEPT = timedelta(days=7)  # nobody repeats a request after that


class Keeper:
    """A pass."""

    name = "reminders-keeper"

    def __init__(self, store: ReminderStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        found = await self._store.put_back(now - OVERDUE, now)
        if found:
            log.warning("reminders had lost their tasks", extra={"found": found})
        await self._store.forget_keys(now - KEYS_KEPT)
        return now + EVERY
