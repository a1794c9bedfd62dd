"""Sees that no promise hangs on a single task: what is overdue and not planned is planned again.

Every reminder that waits has its task, written with it. This is for the day on which one is lost
all the same: dropped by hand, dead after a defect, gone with a back-up. It also notices a clock
that was set back.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.people.access import CLARION
from clarion.reminders.decisions import ring as ringing
from clarion.reminders.decisions.decision import Decision, LockedReminder
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.model import Patience
from clarion.reminders.ports import ReminderStore

log = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=2)  # a busy queue is not yet a lost task
EVERY = timedelta(minutes=1)
SET_BACK = timedelta(seconds=5)  # a time server's usual corrections are far smaller
SERVERS_APART = timedelta(minutes=1)  # by so much may the clocks of several servers differ


class Keeper:
    """A pass."""

    name = "reminders-keeper"

    def __init__(
        self,
        store: ReminderStore,
        clock: Clock,
        patience: Patience,
        last_noted: datetime | None = None,
    ) -> None:
        """`last_noted` is when the last thing was noted before this server started: if that lies
        ahead, the clock was set back while nobody looked, at least by so much.
        """
        self._store = store
        self._clock = clock
        self._patience = patience
        self._last_noted = last_noted
        self._behind = 0.0

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        back = self._set_back_by(now) + self._set_back_before(now)
        if back > SET_BACK:
            await self._pull_in(back, now)
        found = await self._store.put_back(now - OVERDUE, now)
        if found:
            log.warning("reminders had lost their tasks", extra={"found": found})
        return now + EVERY

    def _set_back_by(self, now: datetime) -> timedelta:
        """Since the last look, against the clock that never jumps."""
        before, self._behind = self._behind, self._clock.monotonic() - now.timestamp()
        return timedelta(seconds=self._behind - before if before != 0.0 else 0.0)

    def _set_back_before(self, now: datetime) -> timedelta:
        """While the server was down; looked at once."""
        last, self._last_noted = self._last_noted, None
        ahead = last - now if last is not None else timedelta()
        return ahead if ahead > SERVERS_APART else timedelta()

    async def _pull_in(self, back: timedelta, now: datetime) -> None:
        def decide(scene: LockedReminder) -> Decision:
            return ringing.pull_in(scene, back, now, self._patience, CLARION.label)

        looked_at, last = 0, ""
        while found := await self._store.planned_ahead(now, after=last):
            for reminder_id in found:
                with suppress(NoSuchReminder):  # its user was removed meanwhile
                    await self._store.change(reminder_id, decide, now)
            looked_at, last = looked_at + len(found), found[-1]
        log.warning("the clock was set back", extra={"looked_at": looked_at})
