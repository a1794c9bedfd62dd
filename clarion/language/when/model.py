"""What a phrase of time can turn out to be, and the habits that fill in what was not said.

Named tuples, not dataclasses: one is made for every sentence, and the import has to be quick.
"""

from collections.abc import Mapping
from datetime import datetime, time
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clarion.language.when.rules.recurrence import Recurrence


class Grain(StrEnum):
    """How finely the person spoke: "tomorrow" is a DAY although it rings at nine."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART = "part"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


GRAIN_NAMED = {grain.value: grain for grain in Grain}

PARTS: Mapping[str, time] = MappingProxyType(
    {
        "dawn": time(5),
        "early": time(7),
        "morning": time(8),
        "forenoon": time(9),
        "noon": time(12),
        "afternoon": time(15),
        "dusk": time(18),
        "evening": time(20),
        "tonight": time(20),
        "late": time(23),
        "night": time(0),
    }
)


ROUTINES: Mapping[str, time] = MappingProxyType(
    {
        "waking": time(7),
        "breakfast": time(7, 30),
        "lunch": time(12),
        "dinner": time(18, 30),
        "sleeping": time(22),
    }
)


class Habits(NamedTuple):
    """When this person means "in the morning", and what counts as a working day for them."""

    day: time = time(9)
    """For a day alone."""
    parts: Mapping[str, time] = PARTS
    week_start: int = 0
    """0 is Monday, 6 Sunday."""
    official_workdays: bool = False
    """True: 工作日 follows the decrees with make-up days, also when 法定 is not said."""

    seconds_between: int = 60
    """No recurrence may ring more often: who says "every 5 seconds" is refused."""

    routines: Mapping[str, time] | None = None
    """When they get up, eat and sleep. None: nobody's day is known, and 饭后 is asked about."""

    def __hash__(self) -> int:
        said = (self.day, self.week_start, self.official_workdays, self.seconds_between)
        return hash((*said, *self.parts.values(), *(self.routines or {}).values()))

    def hour_of(self, part: str) -> time:
        if part in ROUTINES:
            return (self.routines or ROUTINES)[part]
        return self.parts.get(part) or PARTS.get(part, self.day)


Span = tuple[int, int]


class Once(NamedTuple):
    at: datetime
    """Aware, in the zone that was asked for."""
    grain: Grain
    span: Span
    assumptions: tuple[str, ...] = ()
    """Codes of what was decided and not said; `readback` has a sentence for each."""


class Recurring(NamedTuple):
    rule: "Recurrence"
    span: Span
    assumptions: tuple[str, ...] = ()


class NeedsClarification(NamedTuple):
    """`what` is missing: time, hour, day, event, weekdays, interval, calendar."""

    what: str
    span: Span
    candidates: tuple[datetime, ...] = ()


class Invalid(NamedTuple):
    """`why` is a code: past, no_such_day, no_such_month, no_such_hour, ..."""

    why: str
    span: Span
    proposal: datetime | None = None
    """What may have been meant instead, always in the future."""


class Nothing(NamedTuple):
    span: Span = (0, 0)


When = Once | Recurring | NeedsClarification | Invalid | Nothing
