"""Reminders and series as an actor may see and change them: the base of every verb."""

import logging
from collections.abc import Sequence
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.errors import Stale
from clarion.base.ids import ReminderId, SeriesId, UserId
from clarion.people.model import Actor
from clarion.people.ports import PeopleStore
from clarion.reminders.decisions.decision import Decide, Decision, Effect, Hush, LockedReminder
from clarion.reminders.errors import NoSuchReminder, NoSuchSeries
from clarion.reminders.model import Reminder, Series
from clarion.reminders.ports import Channel, ReminderStore

log = logging.getLogger(__name__)


class Versioned(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...


class DeviceSilencer:
    """Stops devices. The decision is already written, so nothing is raised here."""

    def __init__(self, people: PeopleStore, channel: Channel | None) -> None:
        self._people = people
        self._channel = channel

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Hush):
                await self.hush(effect)

    async def hush(self, effect: Hush) -> None:
        if self._channel is None:
            return
        device = await self._people.device(effect.device_id)
        if device is None:
            return
        try:
            await self._channel.hush(device, effect.ring_id)
        except Exception:
            log.exception("could not be hushed", extra={"ring": effect.ring_id})


class GuardedReminders:
    """To an actor who may not see a reminder, it does not exist."""

    def __init__(
        self, store: ReminderStore, people: PeopleStore, clock: Clock, channel: Channel | None
    ) -> None:
        self.store = store
        self.people = people
        self.clock = clock
        self._silencer = DeviceSilencer(people, channel)

    async def reminder(self, actor: Actor, reminder_id: ReminderId) -> Reminder:
        found = await self.store.get(reminder_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchReminder(reminder_id)
        return found

    async def series(self, actor: Actor, series_id: SeriesId) -> Series:
        found = await self.store.get_series(series_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchSeries(series_id)
        return found

    async def decide(
        self, actor: Actor, reminder_id: ReminderId, decide: Decide, version: int | None = None
    ) -> Decision:
        """Decide about a reminder that the actor may see, and stop the devices that ring for it."""

        def guarded(scene: LockedReminder) -> Decision:
            if not actor.may_see(scene.reminder.user_id):
                raise NoSuchReminder(reminder_id)
            expect(scene.reminder, version)
            return decide(scene)

        change = await self.store.change(reminder_id, guarded, self.clock.now())
        await self._silencer.carry_out(change.effects)
        return change

    async def change(
        self, actor: Actor, reminder_id: ReminderId, decide: Decide, version: int | None = None
    ) -> Reminder:
        """Like `decide`, but returns the changed reminder."""
        return (await self.decide(actor, reminder_id, decide, version)).after

    async def change_series(
        self, actor: Actor, series_id: SeriesId, decide: Decide, version: int | None = None
    ) -> Series:
        def guarded(scene: LockedReminder) -> Decision:
            if scene.series is None or not actor.may_see(scene.series.user_id):
                raise NoSuchSeries(series_id)
            expect(scene.series, version)
            return decide(scene)

        change = await self.store.change_series(series_id, guarded, self.clock.now())
        await self._silencer.carry_out(change.effects)
        after = change.series[0] if change.series else change.series_before
        assert after is not None, "the store says which series it found"
        return after


def whose(actor: Actor, user_id: UserId | None) -> UserId | None:
    """Whose reminders are listed: the actor's own, or for an admin everybody's (None)."""
    owner = user_id if actor.admin else user_id or actor.user_id
    if owner is not None or not actor.admin:
        actor.must_see(owner)
    return owner


def expect(found: Versioned, version: int | None) -> None:
    if version is not None and found.version != version:
        raise Stale(
            f"{found.id!r} is at version {found.version}, not {version}.",
            hint="Read it again, then change it.",
        )
