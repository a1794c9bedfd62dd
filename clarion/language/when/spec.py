"""What the grammar found, before any policy: dates, clocks and lapses as they were said."""

from typing import Any, NamedTuple


class Lapse(NamedTuple):
    """A length of time: months and days by the calendar, seconds by the clock."""

    months: int = 0
    days: float = 0
    seconds: float = 0
    grain: str = "minute"

    def reversed(self) -> "Lapse":
        return Lapse(-self.months, -self.days, -self.seconds, self.grain)

    def plus(self, other: "Lapse") -> "Lapse":
        return Lapse(
            self.months + other.months,
            self.days + other.days,
            self.seconds + other.seconds,
            other.grain,
        )


_LAPSES = {
    "second": (0, 0, 1),
    "minute": (0, 0, 60),
    "ke": (0, 0, 900),
    "hour": (0, 0, 3600),
    "day": (0, 1, 0),
    "week": (0, 7, 0),
    "fortnight": (0, 14, 0),
    "month": (1, 0, 0),
    "quarter": (3, 0, 0),
    "year": (12, 0, 0),
    "decade": (120, 0, 0),
}
GRAINS = {"ke": "minute", "fortnight": "week", "decade": "year"}


def lapse(amount: float, unit: str) -> Lapse:
    """Half a day is twelve hours, half a month fifteen days, half a year six months."""
    months, days, seconds = (part * amount for part in _LAPSES[unit])
    if months != int(months):
        days += (months - int(months)) * 30
    if days != int(days):
        seconds += (days - int(days)) * 86400
    return Lapse(int(months), int(days), seconds, GRAINS.get(unit, unit))


class Date(NamedTuple):
    """A day as it was said. What is None was not said."""

    offset: int | None = None
    weekdays: tuple[int, ...] = ()
    weekend: bool = False
    week: int | None = None
    month: int | None = None
    month_offset: int | None = None
    quarter: int | None = None
    quarter_offset: int | None = None
    year: int | None = None
    year_offset: int | None = None
    days: tuple[int, ...] = ()
    edge: str | None = None
    edge_of: str | None = None
    nth: tuple[int, int] | None = None
    """(which, weekday); weekday 7 is any day, 8 a workday, 9 a week."""
    lunar: bool | None = None
    leap: bool = False
    festival: str | None = None
    shift: int = 0
    beyond: tuple[int, int] | None = None
    """(which, weekday) counted from the day: the third Tuesday after it is (3, 1)."""
    after: Lapse | None = None
    english: bool = False
    bare: bool = False
    """八月十五: nothing says which calendar is meant."""
    ranged: bool = False


class Clock(NamedTuple):
    """A time of day as it was said; without an hour it is a day part alone."""

    hour: int | None = None
    minute: int = 0
    second: int = 0
    part: str | None = None
    exact: bool = False
    """Written in 24 hours (08:00, 20点): not to be moved to the afternoon."""
    grain: str = "hour"
    offset: str | None = None
    """A UTC offset that was written with it: Z, +08:00."""


class Every(NamedTuple):
    unit: str
    n: float = 1
    gap: bool = False
    """Said as 每隔: two days between, or every second day?"""
    official: bool = False


class Piece(NamedTuple):
    kind: str
    value: Any
    start: int
    end: int
