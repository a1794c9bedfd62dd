"""Turns a sentence into a reminder or a series, and reads it back so that mistakes are noticed."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, assert_never
from zoneinfo import ZoneInfo

from clarion.base.errors import BadInput
from clarion.base.ids import DeviceId, UserId, make_key
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
from clarion.people.habits import ROUTINE
from clarion.people.model import Actor, User, habits_of
from clarion.people.wards import as_told, ward_of
from clarion.reminders.errors import (
    ImpossibleTime,
    MayNotRemind,
    MissingContent,
    MissingTime,
    NoRequest,
    RingsTooOften,
)
from clarion.reminders.guarantee import Guarantee
from clarion.reminders.guarded import PAST_GRACE, GuardedReminders
from clarion.reminders.model import ConfirmationConfig, Reminder, Series, needs_of

TEXT_LETTERS_MAX = 2_000
PREVIEW_MAX = 100
MESSAGE_AGE_MAX = timedelta(days=2)  # older timestamps come from clocks that were never set
NO_TIME = "time"  # what is missing when no time was said at all
TITLES = (  # requests without a content of their own
    (re.compile(r"起床|叫醒|\bwake\b", re.IGNORECASE), {"zh": "起床", "en": "wake up"}),
    (re.compile(r"闹[钟鐘铃]|\balarm\b", re.IGNORECASE), {"zh": "闹钟", "en": "alarm"}),
    (
        re.compile(
            r"计时|計時|定时|[叫喊]我|[叫喊]一[下声]|"
            r"\b(?:timer|countdown|call me|(?:shout|nudge|buzz|ping|bell))\b",
            re.IGNORECASE,
        ),
        {"zh": "时间到了", "en": "time's up"},
    ),
)
CLOCKS = frozenset(word for _, titles in TITLES for word in titles.values())
"""Contents of alarms and timers: they say no more than that it is time."""
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


class NaturalRequests:
    def __init__(self, guarded: GuardedReminders) -> None:
        self._guarded = guarded
        self._clock = guarded.clock
        self._limits = guarded.limits

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
    ) -> Created:
        """Raises MissingTime, MissingContent, ImpossibleTime or MayNotRemind, each with something
        to say back. Somebody else who trusts the user is told on their own devices.

        `asked`: how the text was already read, when it is one of several requests.

        `language`: in which it is said back; the user's own when it is not given.
        "In ten minutes" counts from `said_at`, when the message was sent.
        """
        user = await self._guarded.user(actor, user_id)
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
            reminder = await self._guarded.add(actor, user.id, when.at, **said)
            heard = await self._heard_by(reminder, language)
            return Created(reminder, None, readback, when, heard)
        series = await self._guarded.add_series(actor, user.id, when.rule, pattern=text, **said)
        first = await self._guarded.store.get(series.current) if series.current else None
        return Created(first, series, readback, when, await self._heard_by(first, language))

    def _read(self, text: str, base: datetime, user: User) -> requests.Request:
        return one_thing(text, base, ZoneInfo(user.zone), self._habits(user))

    async def _ward(self, user: User, person: str) -> User:
        """The person to be reminded instead; they are named in the speaker's language."""
        found = await ward_of(self._guarded.people, user.id, person)
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

    async def _heard_by(self, reminder: Reminder | None, language: str) -> Guarantee | None:
        found = await self._guarded.guarantees([reminder] if reminder else [], language)
        return next(iter(found.values()), None)

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
        if self._guarded.reader is None:
            return None
        zone = ZoneInfo(user.zone)
        at = await self._guarded.reader.read_time(text, now.astimezone(zone), zone)
        return at.astimezone(zone) if at is not None and at > now else None

    async def _named(self, user_id: UserId, name: str) -> DeviceId | None:
        """The user's device of that name; None when there is none, and any device will do."""
        found = await self._guarded.people.devices(user_id=user_id, kind=None, after="", limit=100)
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
    ) -> Preview:
        """When a sentence, a cron expression or an RRULE would ring. Nothing is set.

        `language`: in which it is said back; the user's own when it is not given.
        """
        if not 1 <= n <= PREVIEW_MAX:
            raise BadInput(f"Between 1 and {PREVIEW_MAX} times can be shown.")
        user = await self._guarded.user(actor, user_id)
        user = replace(user, language=language or user.language)
        now, zone = self._clock.now(), ZoneInfo(user.zone)
        if is_formal(text_or_pattern):
            rule = self._limits.recurrence(read_pattern(text_or_pattern, zone, now), now, user)
            return self._previewed(rule, user, n)
        asked = self._read(text_or_pattern, now, user)
        if asked.person:
            user = await self._ward(user, asked.person)
            asked = self._read(text_or_pattern, now, user)
            zone = ZoneInfo(user.zone)
        when = await self._settled(asked.when, text_or_pattern, user)
        self._allowed(when, user)
        if isinstance(when, Recurring):
            found = self._previewed(when.rule, user, n, asked.content)
            return replace(found, confirm=bool(asked.confirm))
        said = spoken_instant(when.at, now.astimezone(zone), user.language)
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
