"""Calendars behind one door: months, lunar dates, solar terms, festivals, decreed workdays.

The libraries are imported when first needed: most sentences need none of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path

LUNAR_FIRST, LUNAR_LAST = 1900, 2100  # the years that the tables cover

_TERMS = (
    "小寒 大寒 立春 雨水 惊蛰 春分 清明 谷雨 立夏 小满 芒种 夏至 "
    "小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至"
)
TERMS = _TERMS.split()
LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def days_in(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else LENGTHS[month - 1]


def add_months(day: date, months: int) -> date:
    """A calendar month on, kept inside shorter months: 31 January plus one is 28 February."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, days_in(year, month)))


def nth_weekday(year: int, month: int, nth: int, weekday: int) -> date | None:
    """The second Tuesday is (2, 1), the last Friday (-1, 4); None when the month has no fifth."""
    if nth > 0:
        first = date(year, month, 1)
        day = 1 + (weekday - first.weekday()) % 7 + 7 * (nth - 1)
    else:
        last = days_in(year, month)
        day = last - (date(year, month, last).weekday() - weekday) % 7 + 7 * (nth + 1)
    return date(year, month, day) if 1 <= day <= days_in(year, month) else None


def nth_in_month(year: int, month: int, n: int, weekday: int) -> date | None:
    """The nth weekday; 7 counts days, 8 working days, 9 weeks of seven days."""
    length = days_in(year, month)
    if weekday < 7:
        return nth_weekday(year, month, n, weekday) if n else None
    if weekday == 9:
        n = (n - 1) * 7 + 1 if n > 0 else length - 6
    if weekday == 8:
        working = [d for k in range(1, length + 1) if is_workday(d := date(year, month, k))]
        return working[n - 1 if n > 0 else n] if 0 < abs(n) <= len(working) else None
    day = n if n > 0 else length + 1 + n
    return date(year, month, day) if 1 <= day <= length else None


@lru_cache(maxsize=4096)
def lunar(year: int, month: int, day: int, leap: bool = False) -> date | None:
    """A lunar date of that lunar year. The thirtieth of a short month is its last day.

    None when the year has no such leap month, or lies outside the tables.
    """
    from borax.calendars.lunardate import LCalendars, LunarDate

    if not LUNAR_FIRST <= year <= LUNAR_LAST or not 1 <= month <= 12 or not 1 <= day <= 30:
        return None
    if leap and LCalendars.leap_month(year) != month:
        return None
    day = min(day, LCalendars.ndays(year, month, int(leap)))
    moon = LunarDate(year, month, day, int(leap))
    return date.fromordinal(moon.to_solar_date().toordinal())


@lru_cache(maxsize=1024)
def lunar_months(year: int) -> tuple[tuple[int, bool, date, int], ...]:
    """(month, leap, first day, length) of each month of a lunar year."""
    from borax.calendars.lunardate import LCalendars

    months = []
    for month, length, leap in LCalendars.iter_year_month(year):
        first = lunar(year, month, 1, bool(leap))
        assert first is not None, "the tables have every month that they name"
        months.append((month, bool(leap), first, length))
    return tuple(months)


@lru_cache(maxsize=1024)
def lunar_day_from(today: date, months: int, day: int) -> date | None:
    """That day of the lunar month which is so many after today's; a 30th may be its last."""
    years = range(max(today.year - 1, LUNAR_FIRST), min(today.year + 1, LUNAR_LAST) + 1)
    firsts = sorted(first for year in years for _, _, first, _ in lunar_months(year))
    passed = sum(first <= today for first in firsts)
    index = passed - 1 + months
    if not passed or not 0 <= index < len(firsts) - 1:
        return None
    return min(firsts[index] + timedelta(days=day - 1), firsts[index + 1] - timedelta(days=1))


def solar_term(year: int, index: int) -> date | None:
    """The day of a solar term in a year; index 0 is 小寒 in January."""
    from borax.calendars.lunardate import TermUtils

    if not LUNAR_FIRST <= year <= LUNAR_LAST:
        return None
    return date(year, index // 2 + 1, TermUtils.parse_term_days(year)[index])


def easter(year: int) -> date:
    """Sunday after the first full moon of spring, by the anonymous Gregorian reckoning."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


Reckoning = Callable[[int], date | None]


def _fixed(month: int, day: int) -> Reckoning:
    return lambda year: date(year, month, day)


def _moon(month: int, day: int) -> Reckoning:
    return lambda year: lunar(year, month, day)


def _nth(month: int, nth: int, weekday: int, plus: int = 0) -> Reckoning:
    def reckon(year: int) -> date | None:
        day = nth_weekday(year, month, nth, weekday)
        return day + timedelta(days=plus) if day else None

    return reckon


def _eve() -> Reckoning:
    """The last day of that lunar year: 2026年除夕 is in February 2027."""

    def reckon(year: int) -> date | None:
        new_year = lunar(year + 1, 1, 1)
        return new_year - timedelta(days=1) if new_year else None

    return reckon


def _term(index: int, plus: int = 0) -> Reckoning:
    def reckon(year: int) -> date | None:
        day = solar_term(year, index)
        return day + timedelta(days=plus) if day else None

    return reckon


def _easter(plus: int) -> Reckoning:
    return lambda year: easter(year) + timedelta(days=plus)


def _orthodox_easter(plus: int) -> Reckoning:
    """By the Julian reckoning, told in our calendar; the two are 13 days apart until 2099."""

    def reckon(year: int) -> date:
        d = (19 * (year % 19) + 15) % 30
        e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
        julian = date(year, (d + e + 114) // 31, (d + e + 114) % 31 + 1)
        return julian + timedelta(days=13 + plus)

    return reckon


def _advent(plus: int) -> Reckoning:
    """The fourth Sunday before Christmas."""

    def reckon(year: int) -> date:
        christmas = date(year, 12, 25)
        return christmas - timedelta(days=22 + christmas.weekday() - plus)

    return reckon


HEBREW_EPOCH = -1373427  # the ordinal of the first day of the year one
HEBREW_YEARS = 3761  # what the Hebrew year that begins in autumn is ahead of ours


def _molad(year: int) -> int:
    """Days until the new moon of a Hebrew year, moved on where its weekday is not allowed."""
    months = (235 * year - 234) // 19
    day = 29 * months + (12084 + 13753 * months) // 25920
    return day + 1 if 3 * (day + 1) % 7 < 3 else day


def hebrew_new_year(year: int) -> date:
    """Rosh Hashanah in the autumn of one of our years."""
    hebrew = year + HEBREW_YEARS
    before, own, behind = (_molad(hebrew + n) for n in (-1, 0, 1))
    late = 2 if behind - own == 356 else int(own - before == 382)
    return date.fromordinal(HEBREW_EPOCH + own + late)


def _hebrew(plus: int) -> Reckoning:
    return lambda year: hebrew_new_year(year) + timedelta(days=plus)


def _hanukkah(plus: int) -> Reckoning:
    """The 25th of the third month; the second has a day more in long years."""

    def reckon(year: int) -> date:
        first = hebrew_new_year(year)
        long = (hebrew_new_year(year + 1) - first).days % 10 == 5
        return first + timedelta(days=83 + long + plus)

    return reckon


def _listed(*days: int) -> Reckoning:
    return {day // 10_000: date.fromisoformat(str(day)) for day in days}.get


RECKONINGS: dict[str, Callable[..., Reckoning]] = {
    "moon": _moon,
    "eve": _eve,
    "nth": _nth,
    "term": _term,
    "easter": _easter,
    "julian_easter": _orthodox_easter,
    "advent": _advent,
    "hebrew": _hebrew,
    "hanukkah": _hanukkah,
    "listed": _listed,
}


def _reckoning(said: str) -> Reckoning:
    """`12-25` is that day, `nth 5 2 6` the second Sunday of May, `easter -2` Good Friday.

    `listed 20261108 …` names each day, for a calendar that nobody here can reckon.
    """
    kind, *figures = said.split()
    if kind not in RECKONINGS:
        return _fixed(*(int(figure) for figure in kind.split("-")))
    return RECKONINGS[kind](*(int(figure) for figure in figures))


FESTIVALS = {f"term_{index}": _term(index) for index in range(len(TERMS))}
FESTIVALS_ZH = {f"term_{index}": f"{term} {term}节气 {term}日" for index, term in enumerate(TERMS)}
FESTIVALS_EN: dict[str, str] = {}
"""Each English spelling with the name of its festival; the first of a name is the usual one."""

_TABLE = Path(__file__).parent / "words" / "festivals.tsv"
for _row in _TABLE.read_text("utf-8").splitlines()[1:]:
    _name, _day, _chinese, _english = (*_row.split("\t"), "", "")[:4]
    FESTIVALS[_name] = _reckoning(_day)
    if _chinese:
        FESTIVALS_ZH[_name] = f"{FESTIVALS_ZH.get(_name, '')} {_chinese}".strip()
    FESTIVALS_EN |= dict.fromkeys(filter(None, _english.split(", ")), _name)


def festival(name: str, year: int) -> date | None:
    """The day of a festival whose (lunar) year is `year`; 腊八 of 2026 lies in January 2027."""
    return FESTIVALS[name](year) if 1 <= year <= 9998 else None


def festival_dates(name: str, since: date) -> Iterator[date]:
    """Its days from `since` on, year by year."""
    for year in range(since.year - 1, min(since.year + 100, 9999)):
        day = festival(name, year)
        if day is not None and day >= since:
            yield day


def decreed(year: int) -> bool:
    """Whether the official workdays of this year are known."""
    return year in _library_years()


def is_workday(day: date) -> bool:
    """By decree where there is one, else Monday to Friday."""
    if day.year not in _library_years():
        return day.weekday() < 5
    from chinese_calendar import is_workday as decreed_workday

    return bool(decreed_workday(day))


@lru_cache(maxsize=1)
def _library_years() -> frozenset[int]:
    from chinese_calendar.constants import holidays

    return frozenset(day.year for day in holidays)


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


def begun_earlier(rule: DayRule, by: timedelta) -> DayRule:
    """As if it were counted from a day at least so much earlier, in the same rhythm."""
    if isinstance(rule, Daily | Weekly):
        rhythm = DAY * rule.every * (7 if isinstance(rule, Weekly) else 1)
        return replace(rule, anchor=rule.anchor - rhythm * -(-by // rhythm))
    if isinstance(rule, Monthly | Yearly):
        years = rule.every * -(-by // (DAY * 365 * rule.every))
        return replace(rule, anchor=rule.anchor.replace(year=rule.anchor.year - years, day=1))
    return rule


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
