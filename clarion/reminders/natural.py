"""From a sentence to a reminder or a series, read back so that a mistake is heard at once."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never
from zoneinfo import ZoneInfo

from clarion.base.errors import BadInput
from clarion.base.ids import DeviceId, UserId
from clarion.language.when.model import (
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    When,
)
from clarion.language.when.recurrence import Recurrence, read_pattern
from clarion.reminders.access import Actor
from clarion.reminders.errors import ImpossibleTime, MissingTime
from clarion.reminders.model import ConfirmationConfig, Reminder, Series, User
from clarion.reminders.series_verbs import SeriesVerbs

TEXT_LETTERS_MAX = 2_000
PREVIEW_MAX = 100
TITLES = {"zh": "提醒", "en": "Reminder"}  # for "in ten minutes" and nothing else


@dataclass(frozen=True, slots=True)
class Created:
    """What a sentence became. Of a recurring one also the first `reminder` is given."""

    reminder: Reminder | None
    series: Series | None
    readback: str
    when: When


@dataclass(frozen=True, slots=True)
class Preview:
    """When something would ring, without setting it."""

    times: tuple[datetime, ...]
    readback: str
    content: str = ""


class NaturalVerbs(SeriesVerbs):
    @abstractmethod
    async def create(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        content: str,
        trigger_at: datetime,
        device_id: DeviceId | None = None,
        confirmation: ConfirmationConfig | None = None,
        base: int | None = None,
        context: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Reminder: ...

    async def create_natural(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        text: str,
        device_id: DeviceId | None = None,
        key: str | None = None,
    ) -> Created:
        """Raises MissingTime or ImpossibleTime, each with something to say back."""
        from clarion.language import request as requests  # TMP
        from clarion.language.readback import say_when  # TMP

        user = await self._user(actor, user_id)
        now, zone = self._clock.now(), ZoneInfo(user.zone)
        asked = requests.read(letters(text), now, zone)
        when = await self._settled(asked.when, text, user)
        said: dict[str, Any] = {
            "content": asked.content or TITLES[user.language],
            "device_id": device_id,
            "confirmation": ConfirmationConfig(required=bool(asked.confirm)),
            "base": asked.level,
            "key": key,
        }
        readback = say_when(when, now.astimezone(zone), user.language)
        if isinstance(when, Once):
            reminder = await self.create(actor, user_id=user_id, trigger_at=when.at, **said)
            return Created(reminder, None, readback, when)
        series = await self._add_series(actor, user_id, when.rule, pattern=text, **said)
        first = await self._store.get(series.current) if series.current else None
        return Created(first, series, readback, when)

    async def _settled(self, when: When, text: str, user: User) -> Once | Recurring:
        """A time that can be set, or a refusal that says what is missing."""
        now = self._clock.now()
        match when:
            case Once() | Recurring():
                return when
            case NeedsClarification(what=what, candidates=candidates):
                raise MissingTime(what, candidates, self._said(when, user, now))
            case Invalid(why=why, proposal=proposal):
                raise ImpossibleTime(why, proposal, self._said(when, user, now))
            case Nothing():
                raise MissingTime("time", (), self._said(when, user, now))
            case _:
                assert_never(when)

    def _said(self, when: When, user: User, now: datetime) -> str:
        from clarion.language.readback import say_when  # TMP

        return say_when(when, now.astimezone(ZoneInfo(user.zone)), user.language)

    async def preview(
        self, actor: Actor, *, user_id: UserId, text_or_pattern: str, n: int = 5
    ) -> Preview:
        """When a sentence, a cron expression or an RRULE would ring. Nothing is set."""
        from clarion.language import request as requests  # TMP
        from clarion.language.readback import say_instant  # TMP

        if not 1 <= n <= PREVIEW_MAX:
            raise BadInput(f"Between 1 and {PREVIEW_MAX} times can be shown.")
        user = await self._user(actor, user_id)
        now, zone = self._clock.now(), ZoneInfo(user.zone)
        asked = requests.read(letters(text_or_pattern), now, zone)
        match asked.when:
            case Once(at=at):
                return Preview(
                    (at,), say_instant(at, now.astimezone(zone), user.language), asked.content
                )
            case Recurring(rule=rule):
                return self._previewed(rule, user, n, asked.content)
            case _:
                return self._previewed(read_pattern(text_or_pattern, zone, now), user, n)

    def _previewed(self, rule: Recurrence, user: User, n: int, content: str = "") -> Preview:
        from clarion.language.readback import say_recurrence  # TMP

        times = tuple(rule.preview(self._clock.now(), n))
        return Preview(times, say_recurrence(rule, user.language), content)


def letters(text: str) -> str:
    if not text.strip():
        raise BadInput("There are no words.", hint="For example: 明天早上8点提醒我吃药，要确认.")
    if len(text) > TEXT_LETTERS_MAX:
        raise BadInput(f"The sentence has {len(text)} letters; at most {TEXT_LETTERS_MAX}.")
    return text
