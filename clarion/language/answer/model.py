"""What a reply to a reminder means, as a value."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from clarion.language.when import parse
from clarion.language.when.model import Once

HALF_DAY = timedelta(hours=12)
DAY = timedelta(days=1)


class Label(StrEnum):
    CONFIRMED = "CONFIRMED"
    DENIED = "DENIED"
    UNCLEAR = "UNCLEAR"


LABELS: Final = {
    **dict.fromkeys(("done", "doing", "will"), Label.CONFIRMED),
    **dict.fromkeys(("later", "no", "undone", "cannot"), Label.DENIED),
    **dict.fromkeys(("asks", "unsure", "partial", "aside", "other"), Label.UNCLEAR),
}
"""Each kind of reply, and the label that it belongs to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`reason` says what was heard and by what, for people who ask why.

    A snooze is only ever said with DENIED, and is a duration or a clock time, never both.
    """

    label: Label
    reason: str
    snooze: timedelta | None = None
    snooze_until: time | None = None
    either_half: bool = False
    """The clock time was said without morning or evening: 八点 may be 08:00 or 20:00."""
    days_ahead: int = 0
    """How many days from today the clock time was said to be: 明天九点 is 1."""
    said: str = ""
    """The words in which the clock time was said."""
    kind: str = ""
    """The finer meaning, one of `LABELS`; empty for a button, which says no more than its label."""

    def snooze_at(self, now: datetime, zone: ZoneInfo) -> datetime | None:
        """The instant that is meant, always after `now`; None when no snooze was said."""
        if self.snooze is not None:
            return now + self.snooze
        if self.snooze_until is None:
            return None
        return self._as_parsed(now, zone) or self._as_spoken(self.snooze_until, now, zone)

    def _as_parsed(self, now: datetime, zone: ZoneInfo) -> datetime | None:
        """What `when` makes of the words, if it has heard the same hour in them."""
        when = parse(self.said, now, zone) if self.said else None
        if not isinstance(when, Once) or self.snooze_until is None or when.at <= now:
            return None
        heard, meant = when.at.timetz(), self.snooze_until
        same = (heard.hour - meant.hour) % (12 if self.either_half else 24) == 0
        return when.at if same and heard.minute == meant.minute else None

    def _as_spoken(self, until: time, now: datetime, zone: ZoneInfo) -> datetime:
        day = now.astimezone(zone).date() + timedelta(days=self.days_ahead)
        meant = datetime.combine(day, until, zone)
        if meant > now:
            return meant
        if self.either_half and not self.days_ahead:
            other = _wall(meant, HALF_DAY)
            if other > now:
                return other
        return _wall(meant, DAY)


def _wall(at: datetime, by: timedelta) -> datetime:
    """Moved on the wall clock, so that eight stays eight when the clocks change."""
    return (at.replace(tzinfo=None) + by).replace(tzinfo=at.tzinfo)
