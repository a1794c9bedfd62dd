"""Two safety passes: one replaces lost tasks, one warns when nobody could hear a reminder.

Every waiting reminder has a task, written in the same transaction. `Keeper` is for the case that
one is lost all the same: dropped by hand, dead after a defect, missing in a backup. It also
notices a clock that was set back. `ReachWatch` checks who could hear a reminder a day before it is
due, while there is time to fix it.
"""

import logging
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from clarion.base.clock import Clock
from clarion.base.events import StoredEvent
from clarion.base.ids import UserId
from clarion.people.model import (
    CLARION,
    Device,
    Household,
)
from clarion.people.ports import PeopleStore
from clarion.reminders.decisions import escalation
from clarion.reminders.decisions import ring as ringing
from clarion.reminders.decisions.decision import NOTHING, Decision, LockedReminder, changed
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.events import GuaranteeLost, GuaranteeRestored
from clarion.reminders.guarantee import Surety, guarantee
from clarion.reminders.model import Patience, Reminder, ReminderStatus
from clarion.reminders.ports import ReminderStore, Search

log = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=2)  # a busy queue is not yet a lost task
EVERY = timedelta(minutes=1)
SET_BACK = timedelta(seconds=5)  # a time server's usual corrections are far smaller
SERVERS_APART = timedelta(minutes=1)  # the clocks of several servers may differ by this much


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
        """`last_noted` is the last event before this server started: if that is in the future, the
        clock was set back while the server was down, at least by the difference.
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
        """Since the last look, compared with the monotonic clock."""
        before, self._behind = self._behind, self._clock.monotonic() - now.timestamp()
        return timedelta(seconds=self._behind - before if before != 0.0 else 0.0)

    def _set_back_before(self, now: datetime) -> timedelta:
        """While the server was down; checked once."""
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


AHEAD = timedelta(hours=24)  # a day before, a person can still do something about it
GRACE = timedelta(minutes=2)  # a page that is reloaded, a router that restarts
LOOK_EVERY = timedelta(minutes=1)
PAGE = 500
PAGES_AT_ONCE = 4
CHANGED_MAX = 10_000  # people; with more of them all reminders are looked at
NEVER = datetime.min.replace(tzinfo=UTC)
COMING = Search(status=(ReminderStatus.PENDING,), limit=PAGE)


def watched(
    reminder: Reminder,
    household: Household,
    now: datetime,
    patience: Patience,
    unserved: Collection[str] = (),
) -> GuaranteeLost | GuaranteeRestored | None:
    """One event when nobody can hear it any more, one when somebody can again."""
    waits = reminder.status is ReminderStatus.PENDING and reminder.unreached_since is None
    if not waits or reminder.held_until is not None:
        return None
    there = replace(household, devices=[with_grace(one, now) for one in household.devices])
    found = guarantee(reminder, there, now, patience, unserved=unserved)
    assert found is not None, "a pending reminder is not over"
    lost = found.level is Surety.NOBODY
    if lost == (reminder.reach_lost_at is not None):
        return None
    about: dict[str, Any] = {
        "subject": reminder.id,
        "user": reminder.user_id,
        "trigger_at": reminder.trigger_at,
        "says": found.sentence,
    }
    if lost:
        return GuaranteeLost(**about, content=reminder.content)
    return GuaranteeRestored(**about)


def note(
    scene: LockedReminder, now: datetime, patience: Patience, unserved: Collection[str] = ()
) -> Decision:
    household = Household(scene.user, scene.devices, scene.contacts, scene.rotations)
    event = watched(scene.reminder, household, now, patience, unserved)
    if event is None:
        return NOTHING
    lost = isinstance(event, GuaranteeLost)
    after = changed(
        scene.reminder, now, ReminderStatus.PENDING, reach_lost_at=now if lost else None
    )
    noted = Decision(reminders=(after,), events=(event,), outcome=event.kind)
    return noted + escalation.warn(
        scene, escalation.UNHEARD if lost else escalation.HEARD_AGAIN, now
    )


def with_grace(device: Device, now: datetime) -> Device:
    """The device as if still online, when it went offline only just now."""
    gone = device.offline_since
    just_now = gone is not None and not device.online and abs(now - gone) < GRACE
    return replace(device, online=True) if just_now else device


class ReachWatch:
    """A pass. Looks at each reminder when a day is left, and again when a way changes."""

    name = "reach-watch"

    def __init__(
        self,
        store: ReminderStore,
        people: PeopleStore,
        clock: Clock,
        patience: Patience,
        unserved: Collection[str] = (),
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._patience = patience
        self._unserved = unserved
        self._looked_until = NEVER
        self._last: tuple[datetime, str] | None = None
        self._changed: dict[UserId, datetime] = {}
        """Whose ways changed, and when to look."""

    def happened(self, event: StoredEvent) -> bool:
        """True when the event concerns a device: online, offline, added, changed or removed."""
        if event.user is None or event.kind.partition(".")[0] != "device":
            return False
        if len(self._changed) >= CHANGED_MAX:
            self._changed.clear()
            self._looked_until, self._last = NEVER, None
        back = event.kind == "device.seen" and bool(event.data.get("online"))
        wait = timedelta() if back else GRACE
        self._changed[UserId(event.user)] = self._clock.now() + wait
        return True

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        is_done = await self._look_ahead(now)
        # An instant beyond the grace was written before the clock was set back.
        due = [one for one, at in self._changed.items() if not now < at <= now + GRACE]
        for user_id in due:
            del self._changed[user_id]
            await self._look(replace(COMING, user_id=user_id, since=now, until=now + AHEAD), now)
        if not is_done:
            return now
        return min([*self._changed.values(), now + LOOK_EVERY])

    async def _look_ahead(self, now: datetime) -> bool:
        """Check reminders that came within a day since the last look. False: there are more."""
        end = now + AHEAD
        if self._looked_until > end:
            self._looked_until, self._last = now, None  # the clock was set back
        search = replace(COMING, since=max(now, self._looked_until), until=end, after=self._last)
        for _ in range(PAGES_AT_ONCE):
            found = await self._look(search, now)
            if len(found) < PAGE:
                self._looked_until, self._last = end, None
                return True
            self._last = (found[-1].trigger_at, found[-1].id)
            search = replace(search, after=self._last)
        return False

    async def _look(self, search: Search, now: datetime) -> Sequence[Reminder]:
        found = await self._store.find(search)
        households = await self._people.households(list({one.user_id: None for one in found}))
        for one in found:
            household = households.get(one.user_id)
            if household and watched(one, household, now, self._patience, self._unserved):
                await self._note(one, now)
        return found

    async def _note(self, reminder: Reminder, now: datetime) -> None:
        """Decided again on the locked reminder, so two servers write it once."""
        try:
            await self._store.change(
                reminder.id, lambda scene: note(scene, now, self._patience, self._unserved), now
            )
        except NoSuchReminder:
            return  # its user was removed meanwhile
