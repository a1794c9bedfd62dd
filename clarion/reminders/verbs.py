"""What every verb leans on: the stores, the clock, the limits, and who may see what."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Stale
from clarion.base.ids import DeviceId, ReminderId, SeriesId, UserId
from clarion.language.ports import TimeReader
from clarion.reminders.access import Actor
from clarion.reminders.change import Decide, Scene
from clarion.reminders.doing import Hushing
from clarion.reminders.errors import NoSuchDevice, NoSuchReminder, NoSuchSeries, NoSuchUser
from clarion.reminders.guarantee import Guarantee, guarantee
from clarion.reminders.limits import LIMITS, Limits
from clarion.reminders.model import Reminder, Series, User
from clarion.reminders.patience import Patience
from clarion.reminders.people import NEWCOMER, Newcomer
from clarion.reminders.ports import Channel, Key, PeopleStore, ReminderStore
from clarion.reminders.quiet import quiet_until

KEY_LETTERS_MAX = 255
PATIENCE = Patience()


class Versioned(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What the verbs work with."""

    store: ReminderStore
    people: PeopleStore
    clock: Clock
    channel: Channel | None = None
    """Where ringing devices are stopped; None when this process has no devices."""
    limits: Limits = LIMITS
    newcomer: Newcomer = NEWCOMER
    patience: Patience = PATIENCE
    reader: TimeReader | None = None
    """For words in which the grammar finds no time."""


class Verbs:
    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._people = means.people
        self._clock = means.clock
        self._limits = means.limits
        self._newcomer = means.newcomer
        self._reader = means.reader
        self._patience = means.patience
        self._hushing = Hushing(means.people, means.channel)

    async def _user(self, actor: Actor, user_id: UserId) -> User:
        """The user, or what an unknown one will begin with."""
        own(actor, user_id)
        found = await self._people.user(user_id)
        begins = self._newcomer
        return found or User(id=user_id, zone=begins.zone, language=begins.language)

    async def must_know(self, actor: Actor, user_id: UserId) -> UserId:
        """Somebody who names another person by mistake must not make a new one.

        Assistants may: the specification's examples speak of people nobody has added.
        """
        if actor.admin and await self._people.user(user_id) is None:
            raise NoSuchUser(user_id)
        return user_id

    async def _reminder(self, actor: Actor, reminder_id: ReminderId) -> Reminder:
        found = await self._store.get(reminder_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchReminder(reminder_id)
        return found

    async def _series(self, actor: Actor, series_id: SeriesId) -> Series:
        found = await self._store.get_series(series_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchSeries(series_id)
        return found

    async def guarantees(self, reminders: Sequence[Reminder]) -> dict[ReminderId, Guarantee]:
        """Who will hear each of them; those that are over have none."""
        open_ = [one for one in reminders if not one.is_final]
        if not open_:
            return {}
        owners = list({one.user_id: None for one in open_})
        households = await self._people.households(owners)
        now = self._clock.now()
        found = (
            (one.id, guarantee(one, households[one.user_id], now, self._patience))
            for one in open_
            if one.user_id in households
        )
        return {id_: each for id_, each in found if each is not None}

    async def _change(
        self, actor: Actor, reminder_id: ReminderId, decide: Decide, version: int | None = None
    ) -> Reminder:
        """Decide about a reminder that the actor may see; the reminder as it is then."""
        seen: list[Reminder] = []

        def guarded(scene: Scene) -> Any:
            if not actor.may_see(scene.reminder.user_id):
                raise NoSuchReminder(reminder_id)
            expect(scene.reminder, version)
            seen.append(scene.reminder)
            return decide(scene)

        change = await self._store.change(reminder_id, guarded, self._clock.now())
        await self._hushing.carry_out(change.effects)
        return next((one for one in change.reminders if one.id == reminder_id), seen[-1])

    async def _change_series(
        self, actor: Actor, series_id: SeriesId, decide: Decide, version: int | None = None
    ) -> Series:
        seen: list[Series] = []

        def guarded(scene: Scene) -> Any:
            if scene.series is None or not actor.may_see(scene.series.user_id):
                raise NoSuchSeries(series_id)
            expect(scene.series, version)
            seen.append(scene.series)
            return decide(scene)

        change = await self._store.change_series(series_id, guarded, self._clock.now())
        await self._hushing.carry_out(change.effects)
        return change.series[0] if change.series else seen[-1]


def own(actor: Actor, user_id: UserId) -> None:
    if not actor.may_see(user_id):
        raise NoSuchUser(user_id)


def expect(found: Versioned, version: int | None) -> None:
    if version is not None and found.version != version:
        raise Stale(
            f"{found.id!r} is at version {found.version}, not {version}.",
            hint="Read it again, then change it.",
        )


def known_device(scene: Scene, device_id: DeviceId | None) -> None:
    if device_id is not None and all(device.id != device_id for device in scene.devices):
        raise NoSuchDevice(device_id)


def is_explicit(actor: Actor, user: User, at: datetime) -> bool:
    """The user themself asks for an instant inside their own quiet hours."""
    chosen = actor.user_id == user.id
    return chosen and quiet_until(user.quiet, ZoneInfo(user.zone), at) is not None


def make_key(user_id: UserId, key: str | None, **asked: Any) -> Key | None:
    """None without a key. The fingerprint tells a repeated request from another one."""
    if key is None:
        return None
    if not 0 < len(key) <= KEY_LETTERS_MAX:
        raise BadInput(f"A key has 1 to {KEY_LETTERS_MAX} letters.")
    text = json.dumps(asked, sort_keys=True, default=str, ensure_ascii=False)
    return Key(user_id, key, hashlib.sha256(text.encode()).hexdigest())
