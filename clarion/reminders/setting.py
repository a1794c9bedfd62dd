"""Sets reminders and series, from fields or from a sentence, within one set of limits.

A sentence is read back, so that mistakes are noticed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Required, TypedDict, Unpack, assert_never
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.ids import DeviceId, Key, ReminderId, SeriesId, UserId, make_key, new_id
from clarion.language import request as requests
from clarion.language.readback import (
    say_when,
    spoken_instant,
    spoken_recurrence,
    spoken_when,
)
from clarion.language.script import language_of
from clarion.language.when.model import (
    Grain,
    Habits,
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    When,
)
from clarion.language.when.parse import is_formal, read_pattern
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.errors import NoSuchUser
from clarion.people.habits import ROUTINE
from clarion.people.model import (
    NEWCOMER,
    Actor,
    Household,
    Newcomer,
    PeopleLimits,
    User,
    habits_of,
    known_zone,
)
from clarion.people.ports import PeopleStore
from clarion.people.wards import as_told, ward_of
from clarion.reminders.decisions import series as series_moves
from clarion.reminders.decisions.decision import (
    Decision,
    LockedReminder,
    household_of,
    is_explicit,
    known_device,
    planned,
)
from clarion.reminders.errors import (
    ImpossibleTime,
    MayNotRemind,
    MissingContent,
    MissingTime,
    NeverRings,
    NoRequest,
    NoSuchReminder,
    NoSuchSeries,
    RingsTooOften,
    TimePast,
    TooFarAhead,
)
from clarion.reminders.guarantee import Guarantee, Guarantees
from clarion.reminders.model import (
    DONE,
    HEARD,
    PATIENCE,
    TITLES,
    ConfirmationConfig,
    Patience,
    Reminder,
    Series,
    needs_of,
)
from clarion.reminders.ports import Channel, ReminderStore, TimeReader
from clarion.tasks.model import Level

LEVEL_MAX = 100
PAST_GRACE = timedelta(seconds=60)  # a person who picks the present minute means now
DAY = timedelta(days=1)
FIRINGS_LOOKED_AT = 50  # the rhythm of a rule repeats within this many
TEXT_LETTERS_MAX = 2_000
PREVIEW_MAX = 100
MESSAGE_AGE_MAX = timedelta(days=2)  # older timestamps come from clocks that were never set
NO_TIME = "time"  # what is missing when no time was said at all
THEIR_CLOCK = {"zh": "按{person}那边的时间", "en": "by {person}'s clock"}


@dataclass(frozen=True, slots=True)
class Created:
    """What a sentence became. Of a recurring one also the first `reminder` is given."""

    reminder: Reminder | None
    series: Series | None
    readback: str
    when: When
    guarantee: Guarantee | None = None
    """Who will hear it; None when it was set before and is over."""
    person: str = ""
    """Who is told, as the speaker calls them, when it is somebody else."""

    @property
    def warning(self) -> str:
        """What must be said at once: that nobody can hear it. Empty when somebody can."""
        return self.guarantee.warning if self.guarantee else ""


@dataclass(frozen=True, slots=True)
class Preview:
    """When something would ring, without setting it."""

    times: tuple[datetime, ...]
    readback: str
    content: str = ""
    confirm: bool = False
    """Whether somebody will have to say yes."""


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


class NewReminders:
    """With a key that was used before, `add` and `add_series` return what was made then."""

    def __init__(self, means: Means) -> None:
        self.store = means.store
        self.people = means.people
        self.clock = means.clock
        self.limits = means.limits
        self.reader = means.reader
        self._newcomer = means.newcomer

    async def user(
        self, actor: Actor, user_id: UserId, zone: str | None = None, *, known: bool = False
    ) -> User:
        """The user, or the defaults of a new one, in the zone that is given.

        `known`: what an admin mistyped must not create a new user, as assistants may.
        """
        actor.must_see(user_id)
        found, begins = await self.people.user(user_id), self._newcomer.user(user_id)
        if found is None and known and actor.admin:
            raise NoSuchUser(user_id)
        return found or replace(begins, zone=zone or begins.zone)

    async def add(
        self,
        actor: Actor,
        user_id: UserId,
        at: datetime,
        *,
        asked: Key | None,
        known: bool = False,
        **said: Unpack[SaidFields],
    ) -> tuple[Reminder, Household | None]:
        """With whom it can reach; None when it was set before. `known`: as for `user`."""
        actor.must_see(user_id)
        now, fields = self.clock.now(), self._allowed(said)
        there: Household | None = None

        def decide(scene: LockedReminder) -> Decision:
            nonlocal there
            there = household_of(scene)
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

        added = await self.store.add(user_id, decide, now, asked, known=known and actor.admin)
        if not added.existed:
            return added.change.reminders[0], there
        existing = await self.store.get(ReminderId(added.id))
        if existing is None:
            raise NoSuchReminder(ReminderId(added.id))
        return existing, None

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
        actor.must_see(user_id)
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
        if not added.existed:
            return added.change.series[0]
        existing = await self.store.get_series(SeriesId(added.id))
        if existing is None:
            raise NoSuchSeries(SeriesId(added.id))
        return existing

    def _allowed(self, said: SaidFields) -> dict[str, Any]:
        base, limits = said.get("base"), self.limits
        return {
            "content": limits.content(said["content"]),
            "device_id": said.get("device_id"),
            "context": limits.context(said.get("context")),
            "confirmation": limits.confirmation(said.get("confirmation") or ConfirmationConfig()),
            "base": limits.base(Level.NORMAL if base is None else base),
        }


class NaturalRequests:
    def __init__(self, new: NewReminders, guarantees: Guarantees) -> None:
        self._new = new
        self._guarantees = guarantees
        self._clock = new.clock
        self._limits = new.limits

    async def create(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        text: str,
        asked: requests.Request | None = None,
        device_id: DeviceId | None = None,
        key: str | None = None,
        language: str | None = None,
        said_at: datetime | None = None,
        known: bool = False,
    ) -> Created:
        """Raises MissingTime, MissingContent, ImpossibleTime or MayNotRemind, each with something
        to say back. Somebody else who trusts the user is told on their own devices.

        `asked`: how the text was already read, when it is one of several requests.

        `language`: in which it is said back; the user's own when it is not given.
        "In ten minutes" counts from `said_at`, when the message was sent. `known`: as for `user`.
        """
        user = await self._new.user(actor, user_id, known=known)
        user = listener = replace(user, language=language or user.language)
        base = spoken_at(said_at, self._clock.now())
        read = asked or self._read(text, base, user)
        if read.person:
            listener = await self._ward(user, read.person)
            actor, device_id = Actor(None, admin=True, name=actor.label), None
            read = asked or self._read(text, base, listener)  # eight o'clock in their own zone
        when = await self._settled(read.when, text, listener)
        self._allowed(when, listener)
        if device_id is None and read.device is not None:
            device_id = await self._named(listener.id, read.device)
        content = read.content or title_of(text, listener.language)
        said: dict[str, Any] = {
            "content": content,
            "device_id": device_id,
            "confirmation": asked_confirmation(read.confirm, content, text),
            "base": read.level,
            "context": context_of(when),
            # The words, not the instant: "in ten minutes" sent again is the same request.
            "asked": make_key(listener.id, key, text=text, device=device_id),
        }
        made = await self._keep(actor, listener, when, text, said)
        return in_their_zone(made, read.person, listener, user) if read.person else made

    async def _keep(
        self, actor: Actor, user: User, when: Once | Recurring, text: str, said: dict[str, Any]
    ) -> Created:
        now, language = self._clock.now(), user.language
        readback = spoken_when(when, now.astimezone(ZoneInfo(user.zone)), language)
        if isinstance(when, Once):
            reminder, there = await self._new.add(actor, user.id, when.at, **said)
            heard = await self._guarantees.of_new(reminder, there, language)
            return Created(reminder, None, readback, when, heard)
        series = await self._new.add_series(actor, user.id, when.rule, pattern=text, **said)
        first = await self._new.store.get(series.current) if series.current else None
        heard = await self._guarantees.of_new(first, None, language) if first else None
        return Created(first, series, readback, when, heard)

    def _read(self, text: str, base: datetime, user: User) -> requests.Request:
        return one_thing(text, base, ZoneInfo(user.zone), self._habits(user))

    async def _ward(self, user: User, person: str) -> User:
        """The person to be reminded instead; they are named in the speaker's language."""
        found = await ward_of(self._new.people, user.id, person)
        if found is None:
            raise MayNotRemind(as_told(person), user.language)
        return replace(found, language=user.language)

    def _habits(self, user: User) -> Habits:
        seconds = int(self._limits.series_interval.total_seconds())
        return habits_of(user)._replace(seconds_between=seconds)

    def _allowed(self, when: Once | Recurring, user: User) -> None:
        """The same rules for setting and for previewing."""
        now = self._clock.now()
        if isinstance(when, Recurring):
            self._limits.recurrence(when.rule, now, user)
        elif when.at <= now - PAST_GRACE:  # it was sent in time but arrived too late
            late = Invalid("sent_late", when.span)
            said = self._said(late, user, now)
            raise ImpossibleTime(late.why, None, said, user.language)
        else:
            self._limits.instant(when.at, now, user)

    async def _settled(self, when: When, text: str, user: User) -> Once | Recurring:
        """A time that can be set; raises a refusal that says what is missing."""
        now = self._clock.now()
        match when:
            case Once() | Recurring():
                return when
            case Invalid(why="too_often"):
                raise RingsTooOften(self._limits.series_interval, user.language)
            case Invalid(why=why, proposal=proposal):
                raise ImpossibleTime(why, proposal, self._said(when, user, now), user.language)
            case NeedsClarification(what=what, candidates=candidates) if what != NO_TIME:
                raise MissingTime(what, candidates, self._said(when, user, now), user.language)
            case NeedsClarification() | Nothing():
                at = await self._asked_of_a_model(text, user, now)
                if at is not None:
                    return Once(at, Grain.MINUTE, (0, len(text)))
                raise MissingTime(NO_TIME, (), self._said(when, user, now), user.language)
            case _:
                assert_never(when)

    async def _asked_of_a_model(self, text: str, user: User, now: datetime) -> datetime | None:
        """Ask a language model, only when the grammar found no time; only a future time counts."""
        if self._new.reader is None:
            return None
        zone = ZoneInfo(user.zone)
        at = await self._new.reader.read_time(text, now.astimezone(zone), zone)
        return at.astimezone(zone) if at is not None and at > now else None

    async def _named(self, user_id: UserId, name: str) -> DeviceId | None:
        """The user's device of that name; None when there is none, and any device will do."""
        found = await self._new.people.devices(user_id=user_id, kind=None, after="", limit=100)
        called = (one.id for one in found if one.name and (one.name in name or name in one.name))
        return next(called, None)

    def _said(self, when: When, user: User, now: datetime) -> str:
        return say_when(when, now.astimezone(ZoneInfo(user.zone)), user.language)

    async def preview(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        text_or_pattern: str,
        n: int = 5,
        language: str | None = None,
        zone: str | None = None,
    ) -> Preview:
        """When a sentence, a cron expression or an RRULE would ring. Nothing is set.

        `language`: in which it is said back; the user's own when it is not given.
        `zone`: of somebody who is not added yet; whoever is has their own.
        """
        if not 1 <= n <= PREVIEW_MAX:
            raise BadInput(f"Between 1 and {PREVIEW_MAX} times can be shown.")
        if zone is not None:
            known_zone(zone)
        user = await self._new.user(actor, user_id, zone)
        user = replace(user, language=language or user.language)
        now, home = self._clock.now(), ZoneInfo(user.zone)
        if is_formal(text_or_pattern):
            rule = self._limits.recurrence(read_pattern(text_or_pattern, home, now), now, user)
            return self._previewed(rule, user, n)
        asked = self._read(text_or_pattern, now, user)
        if asked.person:
            user = await self._ward(user, asked.person)
            asked = self._read(text_or_pattern, now, user)
            home = ZoneInfo(user.zone)
        when = await self._settled(asked.when, text_or_pattern, user)
        self._allowed(when, user)
        if isinstance(when, Recurring):
            found = self._previewed(when.rule, user, n, asked.content)
            return replace(found, confirm=bool(asked.confirm))
        said = spoken_instant(when.at, now.astimezone(home), user.language)
        return Preview((when.at,), said, asked.content, bool(asked.confirm))

    def _previewed(self, rule: Recurrence, user: User, n: int, content: str = "") -> Preview:
        times = tuple(rule.preview(self._clock.now(), n))
        said = spoken_recurrence(rule, user.language, home=ZoneInfo(user.zone))
        return Preview(times, said, content)


def one_thing(text: str, base: datetime, zone: ZoneInfo, habits: Habits) -> requests.Request:
    """八点吃药，九点量血压 is two requests: read as one, nine o'clock would be lost silently.

    Raises NoRequest for words that cancel a reminder.
    """
    if requests.takes_away(text):
        raise NoRequest(language_of(text))
    things = requests.read_all(letters(text), base, zone, habits)
    if len(things) == 1:
        return things[0]
    times = tuple([one.when.at for one in things if isinstance(one.when, Once)])
    return replace(things[0], when=NeedsClarification("several", (0, len(text)), times))


def title_of(text: str, language: str) -> str:
    """What an alarm or a timer is called. Raises MissingContent for anything else: nobody knows
    tomorrow what 明天提醒我 was about.
    """
    for pattern, titles in TITLES:
        if pattern.search(text):
            return titles[language]
    raise MissingContent(language)


def in_their_zone(made: Created, person: str, listener: User, speaker: User) -> Created:
    person = as_told(person)
    if listener.zone == speaker.zone:
        return replace(made, person=person)
    clock = THEIR_CLOCK[speaker.language].format(person=person)
    comma = "，" if speaker.language == "zh" else ", "
    return replace(made, person=person, readback=f"{made.readback}{comma}{clock}{comma}".rstrip())


def spoken_at(said_at: datetime | None, now: datetime) -> datetime:
    """When it was said; now when nobody knows, or when the sender's clock cannot be right."""
    if said_at is None or not now - MESSAGE_AGE_MAX <= said_at <= now:
        return now
    return said_at


def context_of(when: Once | Recurring) -> dict[str, Any]:
    """The habit by which it was set, if there is one: the answer teaches us its hour."""
    routines = {one.split()[1] for one in when.assumptions if one.startswith("routine ")}
    return {ROUTINE: routines.pop()} if len(routines) == 1 else {}


def asked_confirmation(wanted: bool | None, content: str, said: str) -> ConfirmationConfig:
    """Whether somebody has to say yes, and which yes counts."""
    return ConfirmationConfig(required=bool(wanted), needs=needs_of(content, said))


def letters(text: str) -> str:
    if not text.strip():
        raise BadInput("There are no words.", hint="For example: 明天早上8点提醒我吃药，要确认.")
    if len(text) > TEXT_LETTERS_MAX:
        raise BadInput(f"The sentence has {len(text)} letters; at most {TEXT_LETTERS_MAX}.")
    return text
