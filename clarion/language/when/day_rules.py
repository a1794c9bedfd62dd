"""The days on which a recurrence falls: one small value a kind, each yielding dates in order.

Every rule answers `since(day)`: its dates from that day on, rising, each once. A rule that
can never match ends instead of searching for ever.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from clarion.language.when.calendar import (
    LUNAR_FIRST,
    LUNAR_LAST,
    days_in,
    festival_dates,
    is_workday,
    lunar,
    lunar_months,
    nth_weekday,
)

DAY = timedelta(days=1)
YEARS_AHEAD = 60  # beyond it no recurrence that people set is still of use
LAST_DAY = date(9998, 12, 31)


def _every_day(since: date) -> Iterator[date]:
    last = min(since.toordinal() + 366 * YEARS_AHEAD, LAST_DAY.toordinal())
    for ordinal in range(since.toordinal(), last):
        yield date.fromordinal(ordinal)


@dataclass(frozen=True, slots=True)
class Daily:
    every: int
    anchor: date

    def since(self, day: date) -> Iterator[date]:
        first = max(day, self.anchor)
        first += DAY * (-(first - self.anchor).days % self.every)
        last = min(first.toordinal() + 366 * YEARS_AHEAD, LAST_DAY.toordinal())
        for ordinal in range(first.toordinal(), last, self.every):
            yield date.fromordinal(ordinal)


@dataclass(frozen=True, slots=True)
class Weekly:
    weekdays: tuple[int, ...]
    every: int
    anchor: date
    """Any day of the week from which every second (third, ...) week is counted."""

    def since(self, day: date) -> Iterator[date]:
        week = self.anchor.toordinal() - self.anchor.weekday()
        for candidate in _every_day(max(day, date.fromordinal(week))):
            if candidate.weekday() in self.weekdays:
                weeks = (candidate.toordinal() - week) // 7
                if weeks % self.every == 0:
                    yield candidate


@dataclass(frozen=True, slots=True)
class Monthly:
    """Days of the month (-1 is the last), nth weekdays, nth workdays (-1 is the last)."""

    anchor: date
    every: int = 1
    days: tuple[int, ...] = ()
    nth: tuple[tuple[int, int], ...] = ()
    workdays: tuple[int, ...] = ()

    def since(self, day: date) -> Iterator[date]:
        first = max(day, self.anchor.replace(day=1))
        start = self.anchor.year * 12 + self.anchor.month - 1
        index = first.year * 12 + first.month - 1
        index += -(index - start) % self.every
        for month in range(index, min(index + 12 * YEARS_AHEAD, 9998 * 12), self.every):
            for found in self._of(month // 12, month % 12 + 1):
                if found >= first:
                    yield found

    def _of(self, year: int, month: int) -> list[date]:
        length = days_in(year, month)
        found = {
            date(year, month, day if day > 0 else length + 1 + day)
            for day in self.days
            if 1 <= (day if day > 0 else length + 1 + day) <= length
        }
        found.update(d for n, w in self.nth if (d := nth_weekday(year, month, n, w)))
        if self.workdays:
            working = [d for n in range(1, length + 1) if is_workday(d := date(year, month, n))]
            found.update(
                working[n - 1 if n > 0 else n] for n in self.workdays if abs(n) <= len(working)
            )
        return sorted(found)


@dataclass(frozen=True, slots=True)
class Yearly:
    """(month, day) pairs; 29 February comes in leap years only."""

    dates: tuple[tuple[int, int], ...]
    anchor: date
    every: int = 1

    def since(self, day: date) -> Iterator[date]:
        first = max(day, self.anchor.replace(month=1, day=1))
        year = first.year + -(first.year - self.anchor.year) % self.every
        for y in range(year, min(year + 2 * YEARS_AHEAD, 9998), self.every):
            for m, d in sorted(self.dates):
                if d <= days_in(y, m) and (found := date(y, m, d)) >= first:
                    yield found


@dataclass(frozen=True, slots=True)
class LunarDays:
    """Every lunar month when `month` is None, else once a lunar year.

    The thirtieth of a short month is its last day. A leap month is skipped in a yearly rule,
    unless `leap` asks for it, and counted in a monthly one.
    """

    days: tuple[int, ...]
    month: int | None = None
    leap: bool = False

    def since(self, day: date) -> Iterator[date]:
        first = max(day.year - 1, LUNAR_FIRST)
        for year in range(first, min(first + 2 * YEARS_AHEAD, LUNAR_LAST) + 1):
            for found in self._of(year):
                if found >= day:
                    yield found

    def _of(self, year: int) -> list[date]:
        if self.month is None:
            return [
                start + DAY * (d - 1)
                for _, _, start, length in lunar_months(year)
                for d in sorted({min(d, length) for d in self.days})
            ]
        found = (lunar(year, self.month, d, self.leap) for d in self.days)
        return sorted(d for d in set(found) if d)


@dataclass(frozen=True, slots=True)
class Festival:
    name: str
    shift: int = 0

    def since(self, day: date) -> Iterator[date]:
        for found in festival_dates(self.name, day - DAY * self.shift):
            yield found + DAY * self.shift


@dataclass(frozen=True, slots=True)
class Workdays:
    """Official: by decree, with make-up days; Monday to Friday for years without one."""

    official: bool = True
    off: bool = False
    """The other days instead: weekends and public holidays."""

    def since(self, day: date) -> Iterator[date]:
        for candidate in _every_day(day):
            works = is_workday(candidate) if self.official else candidate.weekday() < 5
            if works != self.off:
                yield candidate


@dataclass(frozen=True, slots=True)
class CronDays:
    """As cron reads them: when both kinds of day are limited, either may match."""

    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    either: bool

    def since(self, day: date) -> Iterator[date]:
        return (d for d in _every_day(day) if d.month in self.months and self._fits(d))

    def _fits(self, d: date) -> bool:
        by_day, by_weekday = d.day in self.days, d.weekday() in self.weekdays
        return by_day or by_weekday if self.either else by_day and by_weekday


@dataclass(frozen=True, slots=True)
class FixedDates:
    """Days that were named one by one: 明天和后天."""

    dates: tuple[date, ...]

    def since(self, day: date) -> Iterator[date]:
        return (found for found in sorted(set(self.dates)) if found >= day)


DayRule = (
    Daily | Weekly | Monthly | Yearly | LunarDays | Festival | Workdays | CronDays | FixedDates
)
KINDS: dict[str, type[DayRule]] = {
    kind.__name__: kind
    for kind in (
        Daily,
        Weekly,
        Monthly,
        Yearly,
        LunarDays,
        Festival,
        Workdays,
        CronDays,
        FixedDates,
    )
}
