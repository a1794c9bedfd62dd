"""What every verb leans on: the stores, the clock, the limits, and who may see what."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Stale
from clarion.base.ids import DeviceId, ReminderId, SeriesId, UserId, new_id
from clarion.base.paging import Page
from clarion.language.when.parse import read_pattern
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.access import CLARION, Actor
from clarion.people.errors import NoSuchDevice, NoSuchUser
from clarion.people.limits import known_zone
from clarion.people.model import User
from clarion.people.ports import PeopleStore
from clarion.people.service import KEEP, NEWCOMER, Newcomer
from clarion.reminders.decisions import series as series_moves
from clarion.reminders.decisions.decision import Decide, Decision, LockedReminder
from clarion.reminders.decisions.quiet import quiet_until
from clarion.reminders.errors import NeverRings, NoSuchReminder, NoSuchSeries
from clarion.reminders.guarantee import Guarantee, guarantee
from clarion.reminders.limits import LIMITS, ReminderLimits
from clarion.reminders.model import ConfirmationConfig, Patience, Reminder, Series
from clarion.reminders.ports import Channel, Key, ReminderStore, TimeReader
from clarion.reminders.silencer import DeviceSilencer
from clarion.tasks.model import Level

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
    limits: ReminderLimits = LIMITS
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
        self._hushing = DeviceSilencer(means.people, means.channel)

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

        def guarded(scene: LockedReminder) -> Any:
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

        def guarded(scene: LockedReminder) -> Any:
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


def known_device(scene: LockedReminder, device_id: DeviceId | None) -> None:
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


SERIES_AT_ONCE = 100


class SeriesVerbs(Verbs):
    async def create_recurring(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        content: str,
        pattern: str,
        device_id: DeviceId | None = None,
        confirmation: ConfirmationConfig | None = None,
        base: int | None = None,
        end_date: datetime | None = None,
        count: int | None = None,
        zone: str | None = None,
        context: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Series:
        """`pattern` is cron, an RRULE or words; `zone` is the user's when it is not given."""
        user = await self._user(actor, user_id)
        rule = read_pattern(pattern, known_zone(zone or user.zone), self._clock.now())
        asked = make_key(
            user_id,
            key,
            content=content,
            pattern=pattern,
            zone=zone,
            ends=end_date,
            count=count,
            device=device_id,
            confirmation=confirmation,
            base=base,
        )
        return await self._add_series(
            actor,
            user_id,
            bounded(rule, end_date, count),
            content=content,
            pattern=pattern,
            device_id=device_id,
            confirmation=confirmation,
            base=base,
            context=context,
            asked=asked,
        )

    async def _add_series(
        self,
        actor: Actor,
        user_id: UserId,
        rule: Recurrence,
        *,
        content: str,
        pattern: str,
        device_id: DeviceId | None = None,
        confirmation: ConfirmationConfig | None = None,
        base: int | None = None,
        context: Mapping[str, Any] | None = None,
        asked: Key | None = None,
    ) -> Series:
        own(actor, user_id)
        now = self._clock.now()
        self._limits.recurrence(rule, now, await self._user(actor, user_id))
        series = Series(
            id=SeriesId(new_id("ser", now)),
            user_id=user_id,
            content=self._limits.content(content),
            rule=rule.dump(),
            zone=rule.zone.key,
            created_at=now,
            pattern=pattern,
            device_id=device_id,
            context=self._limits.context(context),
            confirmation=self._limits.confirmation(confirmation or ConfirmationConfig()),
            base=self._limits.base(Level.NORMAL if base is None else base),
            ends_at=rule.until,
            count=rule.count,
        )
        made: list[Series] = []

        def decide(scene: LockedReminder) -> Decision:
            known_device(scene, device_id)
            first = rule.next_after(now)
            if first is None:
                raise NeverRings("This never rings.", hint="Its end is before its first time.")
            chosen = replace(series, explicit=is_explicit(actor, scene.user, first))
            change = series_moves.begin(chosen, first, now, actor.label)
            made[:] = change.series
            return change

        added = await self._store.add(user_id, decide, now, asked)
        return await self._series(actor, SeriesId(added.id)) if added.again else made[0]

    async def list_series(
        self,
        actor: Actor,
        *,
        user_id: UserId | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Series]:
        """The oldest first. An admin without `user_id` sees everybody's."""
        owner = user_id if actor.admin else user_id or actor.user_id
        if owner is not None or not actor.admin:
            own(actor, owner or UserId(""))
        size = self._limits.page(limit)
        found = await self._store.find_series(owner, after=cursor or "", limit=size + 1)
        more = len(found) > size
        return Page(tuple(found[:size]), found[size - 1].id if more else None)

    async def get_series(self, actor: Actor, series_id: SeriesId) -> Series:
        return await self._series(actor, series_id)

    async def update_series(
        self,
        actor: Actor,
        series_id: SeriesId,
        *,
        version: int | None = None,
        content: str = KEEP,
        pattern: str = KEEP,
        zone: str = KEEP,
        end_date: datetime | None = KEEP,
        count: int | None = KEEP,
        device_id: DeviceId | None = KEEP,
        confirmation: ConfirmationConfig = KEEP,
        base: int = KEEP,
        context: Mapping[str, Any] = KEEP,
    ) -> Series:
        """Also the reminder that waits for its time follows; one that rings stays as it is."""
        now = self._clock.now()
        limits = self._limits
        given = {
            "content": content if content is KEEP else limits.content(content),
            "confirmation": KEEP if confirmation is KEEP else limits.confirmation(confirmation),
            "base": base if base is KEEP else limits.base(base),
            "context": context if context is KEEP else limits.context(context),
            "device_id": device_id,
        }
        fields = {name: value for name, value in given.items() if value is not KEEP}

        def decide(scene: LockedReminder) -> Decision:
            series = scene.series
            assert series is not None
            if device_id is not KEEP:
                known_device(scene, device_id)
            rule = Recurrence.load(series.rule)
            if pattern is not KEEP or zone is not KEEP:
                words = series.pattern if pattern is KEEP else pattern
                where = known_zone(series.zone if zone is KEEP else zone)
                rule = read_pattern(words, where, now)
                fields.update(pattern=words, zone=where.key)
            ends = series.ends_at if end_date is KEEP else end_date
            times = series.count if count is KEEP else count
            rule = replace(rule, until=ends and ends.astimezone(rule.zone), count=times)
            limits.recurrence(rule, now, scene.user)
            fields.update(rule=rule.dump(), ends_at=ends, count=times)
            return series_moves.update(series, scene.current, fields, now, actor.label)

        return await self._change_series(actor, series_id, decide, version)

    async def follow_zone(self, user: User, old: str) -> int:
        """A person moved: their series ring at the same hours there; how many went along.

        One in another zone than the person's was pinned to its place, and stays.
        """
        now, zone = self._clock.now(), ZoneInfo(user.zone)

        def decide(scene: LockedReminder) -> Decision:
            assert scene.series is not None
            rule = Recurrence.load(scene.series.rule).in_zone(zone)
            fields = {"rule": rule.dump(), "zone": rule.zone.key, "ends_at": rule.until}
            return series_moves.update(scene.series, scene.current, fields, now, CLARION.label)

        moved, after = 0, ""
        while found := await self._store.find_series(user.id, after=after, limit=SERIES_AT_ONCE):
            for series in found:
                if series.zone == old and series.ended_at is None:
                    with suppress(NeverRings):  # its end is over there: it stays as it was
                        await self._change_series(CLARION, series.id, decide)
                        moved += 1
            after = found[-1].id
        return moved

    async def pause(self, actor: Actor, series_id: SeriesId, version: int | None = None) -> Series:
        """The reminder that waits is taken back; one that rings is rung to its end."""
        now = self._clock.now()
        return await self._change_series(
            actor, series_id, lambda scene: series_moves.pause(scene, now, actor.label), version
        )

    async def resume(self, actor: Actor, series_id: SeriesId, version: int | None = None) -> Series:
        """From the next time that is still to come; what went by is not made up for."""
        now = self._clock.now()
        return await self._change_series(
            actor, series_id, lambda scene: series_moves.resume(scene, now, actor.label), version
        )

    async def skip_next(
        self, actor: Actor, series_id: SeriesId, version: int | None = None
    ) -> Series:
        now = self._clock.now()
        return await self._change_series(
            actor, series_id, lambda scene: series_moves.skip_next(scene, now, actor.label), version
        )

    async def end_series(
        self,
        actor: Actor,
        series_id: SeriesId,
        version: int | None = None,
        *,
        keep_open: bool = False,
    ) -> Series:
        """With what it snoozed, asks again or rings now; `keep_open` lets those go on."""
        now = self._clock.now()
        return await self._change_series(
            actor,
            series_id,
            lambda scene: series_moves.end(scene, now, actor.label, keep_open=keep_open),
            version,
        )


def bounded(rule: Recurrence, end_date: datetime | None, count: int | None) -> Recurrence:
    """What was said beside the pattern is stricter than the pattern itself."""
    if end_date is not None:
        rule = replace(rule, until=end_date.astimezone(ZoneInfo(rule.zone.key)))
    return rule if count is None else replace(rule, count=count)
