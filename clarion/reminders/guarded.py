"""Reminders and series as an actor may see and change them: the base of every verb."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Protocol, Required, TypedDict, Unpack
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Stale
from clarion.base.ids import DeviceId, Key, ReminderId, SeriesId, UserId, new_id
from clarion.language.readback import spoken_instant
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.errors import NoSuchDevice, NoSuchUser
from clarion.people.model import Actor, PeopleLimits, User
from clarion.people.ports import PeopleStore
from clarion.people.service import NEWCOMER, Newcomer
from clarion.reminders.decisions import series as series_moves
from clarion.reminders.decisions.decision import (
    Decide,
    Decision,
    Effect,
    Hush,
    LockedReminder,
    planned,
    quiet_until,
)
from clarion.reminders.errors import (
    NeverRings,
    NoSuchReminder,
    NoSuchSeries,
    RingsTooOften,
    TimePast,
    TooFarAhead,
)
from clarion.reminders.guarantee import Guarantee, guarantee
from clarion.reminders.model import DONE, HEARD, ConfirmationConfig, Patience, Reminder, Series
from clarion.reminders.ports import Channel, ReminderStore, TimeReader
from clarion.tasks.model import Level

log = logging.getLogger(__name__)

LEVEL_MAX = 100
PAST_GRACE = timedelta(seconds=60)  # a person who picks the present minute means now
DAY = timedelta(days=1)
FIRINGS_LOOKED_AT = 50  # the rhythm of a rule repeats within this many


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderLimits(PeopleLimits):
    content_letters_max: int = 500
    horizon: timedelta = timedelta(days=3660)  # ten years
    series_interval: timedelta = timedelta(minutes=1)
    retries_max: int = 20
    seconds_least: int = 5  # in less time a device could not even speak the sentence
    seconds_most: int = 86_400
    keywords_max: int = 50
    keyword_letters_max: int = 50

    def content(self, text: str) -> str:
        """What will be said, with spaces tidied."""
        said = " ".join(text.split())
        if not said:
            raise BadInput("There is nothing to be reminded of.", hint="Say what it is about.")
        if len(said) > self.content_letters_max:
            raise BadInput(
                f"The content has {len(said)} letters; at most {self.content_letters_max} can be"
                " spoken.",
                hint="Shorten it.",
                details={"letters": len(said), "most": self.content_letters_max},
            )
        return said

    def instant(self, at: datetime, now: datetime, user: User) -> datetime:
        """The instant in UTC. One in the past is refused, and the next sensible one is offered."""
        if at.tzinfo is None:
            raise BadInput(
                "The time has no zone.", hint="Add an offset: 2030-01-07T08:00:00+08:00."
            )
        if at < now - PAST_GRACE:
            proposal = next_sensible(at, now, ZoneInfo(user.zone))
            said = spoken_instant(proposal, now, user.language)
            raise TimePast(at, proposal, said, user.language)
        if at > now + self.horizon:
            raise TooFarAhead(at, self.horizon, user.language)
        return at.astimezone(UTC)

    def recurrence(self, rule: Recurrence, now: datetime, user: User) -> Recurrence:
        """A recurrence that begins before the horizon and leaves time to answer."""
        first = rule.preview(now, FIRINGS_LOOKED_AT)
        if first:
            self.instant(first[0], now, user)
        gaps = [later - earlier for earlier, later in pairwise(first)]
        if gaps and min(gaps) < self.series_interval:
            raise RingsTooOften(self.series_interval, user.language)
        return rule

    def confirmation(self, config: ConfirmationConfig) -> ConfirmationConfig:
        if config.needs not in ("", HEARD, DONE):
            raise BadInput(f"needs is {config.needs!r}; it is heard or done.")
        if not 1 <= config.max_retries <= self.retries_max:
            raise BadInput(
                f"max_retries is {config.max_retries}; it must be from 1 to {self.retries_max}."
            )
        for name in ("timeout", "retry_interval"):
            seconds = getattr(config, name)
            if not self.seconds_least <= seconds <= self.seconds_most:
                raise BadInput(
                    f"{name} is {seconds} s; it must be from {self.seconds_least}"
                    f" to {self.seconds_most}."
                )
        if len(config.confirm_keywords) > self.keywords_max or any(
            not 0 < len(word) <= self.keyword_letters_max for word in config.confirm_keywords
        ):
            raise BadInput(
                f"At most {self.keywords_max} keywords of at most"
                f" {self.keyword_letters_max} letters each."
            )
        return config

    def base(self, base: int) -> int:
        if not 0 <= base <= LEVEL_MAX:
            raise BadInput(f"The level is {base}; it must be from 0 to {LEVEL_MAX}.")
        return base


LIMITS = ReminderLimits()


def next_sensible(at: datetime, now: datetime, zone: ZoneInfo) -> datetime:
    """The next instant with the same time of day."""
    local = at.astimezone(zone)
    today = now.astimezone(zone).date()
    for day in (today, today + DAY, today + 2 * DAY):
        proposal = datetime.combine(day, local.timetz().replace(tzinfo=None), zone)
        if proposal > now:
            return proposal
    raise AssertionError("tomorrow's eight o'clock is always to come")


PATIENCE = Patience()


class SaidFields(TypedDict, total=False):
    """The fields that reminders and series share: what is said, where, and how firmly."""

    content: Required[str]
    device_id: DeviceId | None
    confirmation: ConfirmationConfig | None
    base: int | None
    context: Mapping[str, Any] | None


def asked_for(said: SaidFields) -> dict[str, Any]:
    """For the fingerprint of an idempotency key, under the names of earlier versions."""
    named = {"content": said["content"], "device": said.get("device_id")}
    return {**named, "confirmation": said.get("confirmation"), "base": said.get("base")}


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
    unserved: frozenset[str] = frozenset()
    """Chat platforms that this Clarion has no access to."""


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

    def __init__(self, means: Means) -> None:
        self.store = means.store
        self.people = means.people
        self.clock = means.clock
        self.limits = means.limits
        self.reader = means.reader
        self._newcomer = means.newcomer
        self._patience = means.patience
        self._unserved = means.unserved
        self._silencer = DeviceSilencer(means.people, means.channel)

    async def user(self, actor: Actor, user_id: UserId) -> User:
        """The user, or the defaults of a new one."""
        own(actor, user_id)
        found = await self.people.user(user_id)
        begins = self._newcomer
        return found or User(id=user_id, zone=begins.zone, language=begins.language)

    async def must_know(self, actor: Actor, user_id: UserId) -> UserId:
        """A mistyped user name must not create a new user.

        Assistants may create users: the specification's examples name people whom nobody has added.
        """
        if actor.admin and await self.people.user(user_id) is None:
            raise NoSuchUser(user_id)
        return user_id

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

    async def guarantees(
        self, reminders: Sequence[Reminder], language: str | None = None
    ) -> dict[ReminderId, Guarantee]:
        """Who will hear each of them; those that are over have none.

        `language`: in which that is said; each user's own when it is not given.
        """
        open_ = [one for one in reminders if not one.is_final]
        if not open_:
            return {}
        owners = list({one.user_id: None for one in open_})
        households = await self.people.households(owners)
        now = self.clock.now()
        found = (
            (one.id, guarantee(one, there, now, self._patience, language, self._unserved))
            for one in open_
            if (there := households.get(one.user_id)) is not None
        )
        return {id_: each for id_, each in found if each is not None}

    async def add(
        self,
        actor: Actor,
        user_id: UserId,
        at: datetime,
        *,
        asked: Key | None,
        **said: Unpack[SaidFields],
    ) -> Reminder:
        """With a key that was used before, returns the reminder made then."""
        own(actor, user_id)
        now, fields = self.clock.now(), self._allowed(said)

        def decide(scene: LockedReminder) -> Decision:
            instant = self.limits.instant(at, now, scene.user)
            known_device(scene, fields["device_id"])
            reminder = Reminder(
                id=ReminderId(new_id("rem", now)),
                user_id=user_id,
                trigger_at=instant,
                planned_at=instant,
                created_at=now,
                created_by=actor.label,
                explicit=is_explicit(actor, scene.user, instant),
                **fields,
            )
            return planned(reminder, now)

        added = await self.store.add(user_id, decide, now, asked)
        if added.existed:
            return await self.reminder(actor, ReminderId(added.id))
        return added.change.reminders[0]

    async def add_series(
        self,
        actor: Actor,
        user_id: UserId,
        rule: Recurrence,
        *,
        pattern: str,
        asked: Key | None,
        **said: Unpack[SaidFields],
    ) -> Series:
        own(actor, user_id)
        now, fields = self.clock.now(), self._allowed(said)
        self.limits.recurrence(rule, now, await self.user(actor, user_id))
        series = Series(
            id=SeriesId(new_id("ser", now)),
            user_id=user_id,
            rule=rule.dump(),
            zone=rule.zone.key,
            created_at=now,
            pattern=pattern,
            ends_at=rule.until,
            count=rule.count,
            **fields,
        )

        def decide(scene: LockedReminder) -> Decision:
            known_device(scene, fields["device_id"])
            first = rule.next_after(now)
            if first is None:
                raise NeverRings("This never rings.", hint="Its end is before its first time.")
            chosen = replace(series, explicit=is_explicit(actor, scene.user, first))
            return series_moves.begin(chosen, first, now, actor.label)

        added = await self.store.add(user_id, decide, now, asked)
        if added.existed:
            return await self.series(actor, SeriesId(added.id))
        return added.change.series[0]

    def _allowed(self, said: SaidFields) -> dict[str, Any]:
        base, limits = said.get("base"), self.limits
        return {
            "content": limits.content(said["content"]),
            "device_id": said.get("device_id"),
            "context": limits.context(said.get("context")),
            "confirmation": limits.confirmation(said.get("confirmation") or ConfirmationConfig()),
            "base": limits.base(Level.NORMAL if base is None else base),
        }

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


def own(actor: Actor, user_id: UserId) -> None:
    if not actor.may_see(user_id):
        raise NoSuchUser(user_id)


def whose(actor: Actor, user_id: UserId | None) -> UserId | None:
    """Whose reminders are listed: the actor's own, or for an admin everybody's (None)."""
    owner = user_id if actor.admin else user_id or actor.user_id
    if owner is not None or not actor.admin:
        own(actor, owner or UserId(""))
    return owner


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
    """The user has chosen an instant inside their own quiet hours."""
    chosen = actor.user_id == user.id
    return chosen and quiet_until(user.quiet, ZoneInfo(user.zone), at) is not None
