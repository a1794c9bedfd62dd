"""How much of everything makes sense, said in sentences. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from clarion.base.errors import BadInput
from clarion.language.needs import DONE, HEARD
from clarion.language.readback import spoken_instant
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.limits import PeopleLimits
from clarion.people.model import User
from clarion.reminders.errors import RingsTooOften, TimePast, TooFarAhead
from clarion.reminders.model import ConfirmationConfig

LEVEL_MAX = 100
PAST_GRACE = timedelta(seconds=60)  # whoever picks this very minute means now
DAY = timedelta(days=1)
FIRINGS_LOOKED_AT = 50  # the rhythm of a rule repeats within so many


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderLimits(PeopleLimits):
    content_letters_max: int = 500
    horizon: timedelta = timedelta(days=3660)  # ten years
    series_interval: timedelta = timedelta(minutes=1)
    retries_max: int = 20
    seconds_least: int = 5  # below this a device could not even speak the sentence
    seconds_most: int = 86_400
    keywords_max: int = 50
    keyword_letters_max: int = 50

    def content(self, text: str) -> str:
        """What will be said, tidied."""
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
        """The instant in UTC. One in the past is refused with the next one that makes sense."""
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
        """A rhythm that begins before the horizon and leaves time to answer."""
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
    """The same time of day, on the first day on which it is still to come."""
    local = at.astimezone(zone)
    today = now.astimezone(zone).date()
    for day in (today, today + DAY, today + 2 * DAY):
        proposal = datetime.combine(day, local.timetz().replace(tzinfo=None), zone)
        if proposal > now:
            return proposal
    raise AssertionError("tomorrow's eight o'clock is always to come")
