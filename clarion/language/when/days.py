"""Which day is meant, and which days again: weeks, months, years, festivals, the lunar calendar."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import islice
from typing import NamedTuple
from zoneinfo import ZoneInfo

from clarion.language.when.calendar import (
    Daily,
    DayRule,
    Festival,
    FixedDates,
    LunarDays,
    Monthly,
    Weekly,
    Workdays,
    Yearly,
    add_months,
    days_in,
    decreed,
    festival,
    festival_dates,
    lunar,
    lunar_day_from,
    nth_in_month,
)
from clarion.language.when.model import Habits, Span
from clarion.language.when.stream import WEEK, WEEKEND, Date, Every, Mention

EDGE_DAYS = {"season": 1, "start": 1, "early": 1, "middle": 11, "mid": 15, "late": 21}
# Festivals near the end of a lunar year fall into the year after: 今年腊八 may be in January.
LATE_IN_LUNAR_YEAR = frozenset(("lunar_eve", "laba", "kitchen_north", "kitchen_south"))
LONG_HOLIDAYS = frozenset(("spring", "national", "labour"))
YEARS_TRIED = 3  # this one, the next, and one more for days told from a date
LEAP_YEARS_TRIED = 12  # 29 February can be eight years away
SEASON_MONTHS = 3
MONTHS_TRIED = 7  # a fifth Monday is at most so far
LUNAR_YEARS_TRIED = 40  # a given leap month comes back after 19 years or more


class Days(NamedTuple):
    """The days that may be meant, the nearest first. Fixed: said so that only one can be."""

    days: tuple[date, ...]
    fixed: bool
    grain: str = "day"
    rolled: str = ""
    """The assumption when a later one than the first is taken."""
    cycle: str = "day"
    """After what time such a day comes again: what to propose when it is over."""


class ReadingContext(NamedTuple):
    """Who asks, when and where; and whether it is an alarm, which stays in the morning."""

    base: datetime
    today: date
    zone: ZoneInfo
    habits: Habits
    span: Span
    alarm: bool
    alone: bool
    """Nothing but a time was said: a pattern, or the answer to a question."""
    asked: bool
    """Somebody is to be reminded: what names no day is asked about."""
    clock_zone: ZoneInfo | None
    """Whose clock was meant, when another than the person's own was named."""

    def at(self, day: date, clock: time) -> datetime:
        """The instant in the zone; an hour that the clocks skip is moved on by the gap."""
        local = datetime.combine(day, clock, self.clock_zone or self.zone)
        return local.astimezone(UTC).astimezone(self.zone)


# As the class itself makes one, without the call between.
make_context: Callable[
    [tuple[datetime, date, ZoneInfo, Habits, Span, bool, bool, bool, ZoneInfo | None]],
    ReadingContext,
] = partial(tuple.__new__, ReadingContext)


class Unclear(Exception):
    """What was said leaves open which day; `what` is missing."""

    def __init__(self, what: str, days: tuple[date, ...] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.days = days


class NoSuchDay(Exception):
    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def days_of(said: Date, today: date, habits: Habits) -> Days:
    """Raises Unclear or NoSuchDay; OverflowError and ValueError for years beyond the calendar."""
    check(said)
    found = _kind(said)(said, today, habits)
    if said.beyond is not None and said.beyond[1] == 8 and said.festival in LONG_HOLIDAYS:
        _check_decreed(found.days, said.beyond[0])
    if said.beyond is not None:
        return found._replace(days=tuple(_counted(day, *said.beyond) for day in found.days))
    if said.after is not None:
        months, days = said.after.months, timedelta(days=int(said.after.days))
        found = found._replace(days=tuple(add_months(day, months) + days for day in found.days))
    if said.shift and not said.festival:
        return found._replace(days=tuple(d + timedelta(days=said.shift) for d in found.days))
    return found


def _check_decreed(days: tuple[date, ...], n: int) -> None:
    """国庆后第一个工作日: how long the holidays last is decreed for each year anew."""
    if n > 0 and not all(decreed(day.year) for day in days):
        raise Unclear("day")


def _counted(day: date, n: int, weekday: int) -> date:
    """The nth such weekday after the day; before it when n is negative. 8 is any workday."""
    if weekday == WEEK:  # the week of July 15; a Sunday opens its own, as calendars show it
        return day if day.weekday() == 6 else day - timedelta(days=day.weekday())
    if n == 0:  # 母亲节那周的周一
        return day + timedelta(days=weekday - day.weekday())
    if weekday == 8:
        step = timedelta(days=1 if n > 0 else -1)
        for _ in range(abs(n)):
            day += step
            while day.weekday() > 4:
                day += step
        return day
    if weekday == WEEKEND:
        weekday = 5
        if day.weekday() == 6:  # its own weekend is neither before it nor behind it
            day -= timedelta(days=1)
    if n > 0:
        return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1 + 7 * (n - 1))
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1 + 7 * (-n - 1))


def agrees(said: Date, day: date, today: date) -> bool:
    """Whether a second naming of the day can mean this one: （11月16日 周一）."""
    if said.offset is not None:
        return day == today + timedelta(days=said.offset)
    if said.weekdays or said.weekend:
        return day.weekday() in (said.weekdays or (5, 6))
    if said.festival:
        return any(festival(said.festival, y) == day for y in (day.year - 1, day.year))
    if said.lunar:
        return True
    same_month = said.month is None or said.month == day.month
    same_year = said.year is None or said.year == day.year
    return same_month and same_year and (not said.days or day.day in said.days)


def check(said: Date) -> None:
    """Raises NoSuchDay for what no calendar has: month 13, the 32nd, quarter five."""
    # Figures come from the text as they are: 农历12.2 names no day, though 12 and 13 do.
    if said.month is not None and not (_is_whole(said.month) and 1 <= said.month <= 12):
        raise NoSuchDay("no_such_month")
    if said.year is not None and not 1 <= said.year <= 9998:
        raise NoSuchDay("no_such_year")
    if said.quarter is not None and not 1 <= said.quarter <= 4:
        raise NoSuchDay("no_such_quarter")
    limit = 30 if said.lunar else 31
    if said.month is not None and not said.lunar:
        limit = days_in(2000, said.month)
    for day in said.days:
        if not _is_whole(day) or not 1 <= day <= limit:
            raise NoSuchDay("no_such_day")


def _is_whole(figure: float) -> bool:
    return isinstance(figure, int)


def _kind(said: Date) -> Callable[[Date, date, Habits], Days]:
    for name, rule in _RULES:
        if (value := getattr(said, name)) is not None and value is not False and value != ():
            return rule
    raise Unclear("day")


def _offset(said: Date, today: date, habits: Habits) -> Days:
    assert said.offset is not None, "chosen by it"
    months = 12 * (said.year_offset or 0) + (said.month_offset or 0)
    day = add_months(today, months) if months else today
    return Days((day + timedelta(said.offset) if said.offset else day,), fixed=True)


def _week_start(today: date, habits: Habits, weeks: int) -> date:
    return (
        today - timedelta(days=(today.weekday() - habits.week_start) % 7) + timedelta(weeks=weeks)
    )


def _weekdays(said: Date, today: date, habits: Habits) -> Days:
    if said.week is None:
        meant = said.weekdays[:1] if said.ranged else said.weekdays
        weekday = today.weekday()
        coming = sorted([(day - weekday) % 7 for day in meant])
        days = [today + timedelta(n + later) for later in (0, 7) for n in coming]
        return Days(tuple(days), fixed=False, rolled="week_rolled")
    start = _week_start(today, habits, said.week)
    days = [start + timedelta(days=(day - habits.week_start) % 7) for day in said.weekdays]
    if said.month is not None:
        raise Unclear("day")
    return Days(tuple(sorted(days)), fixed=True, cycle="week")


def _weekend(said: Date, today: date, habits: Habits) -> Days:
    if said.week is None:
        days = [today + timedelta(days=n) for n in range(8)]
        weekend = tuple(day for day in days if day.weekday() in (5, 6))
        first = [d for d in weekend if d.weekday() == 5 or d == today or d - timedelta(1) == today]
        return Days(tuple(first), fixed=False, rolled="day_rolled")
    start = _week_start(today, habits, said.week)
    days = [start + timedelta(days=n) for n in range(7)]
    return Days(tuple(day for day in days if day.weekday() in (5, 6)), fixed=True)


def _week(said: Date, today: date, habits: Habits) -> Days:
    assert said.week is not None, "chosen by it"
    if said.week == 0:
        raise Unclear("day")
    return Days((_week_start(today, habits, said.week),), fixed=True, grain="week")


def _years(said: Date, today: date) -> tuple[list[int], bool]:
    """The years that may be meant, and whether one was named."""
    if said.year is not None:
        return [said.year], True
    if said.year_offset is not None:
        return [today.year + said.year_offset], True
    tried = LEAP_YEARS_TRIED if said.month == 2 and 29 in said.days else YEARS_TRIED
    return list(range(today.year, today.year + tried)), False


def _months(said: Date, today: date) -> tuple[list[tuple[int, int]], bool]:
    """The (year, month) pairs that may be meant, and whether one was named."""
    if said.month is not None:
        years, named = _years(said, today)
        return [(year, said.month) for year in years], named
    if said.month_offset is not None:
        month = add_months(today.replace(day=1), said.month_offset)
        return [(month.year, month.month)], True
    first = today.replace(day=1)
    index = first.year * 12 + first.month - 1
    return [(n // 12, n % 12 + 1) for n in range(index, index + MONTHS_TRIED)], False


def _month_days(said: Date, today: date, habits: Habits) -> Days:
    if said.lunar:
        return _lunar_days(said, today)
    if said.bare:
        both = [_first(_month_days(said._replace(bare=False, lunar=moon), today, habits), today)
                for moon in (False, True)]  # fmt: skip
        raise Unclear("calendar", tuple(sorted(day for day in both if day)))
    months, named = _months(said, today)
    days = [
        date(year, month, day)
        for year, month in months
        for day in sorted(said.days)
        if day <= days_in(year, month)
    ]
    if not days:
        raise NoSuchDay("no_such_day")
    if said.month is not None:
        return Days(tuple(days), fixed=named, rolled="year_rolled", cycle="year")
    return Days(tuple(days), fixed=named, rolled="month_rolled", cycle="month")


def _first(found: Days, today: date) -> date | None:
    return next((day for day in found.days if day >= today), None)


def _lunar_days(said: Date, today: date) -> Days:
    if said.month_offset is not None:  # 下月初三: of the moon's next month
        told = [lunar_day_from(today, said.month_offset, day) for day in said.days]
        if None in told:
            raise NoSuchDay("no_such_lunar_day")
        return Days(tuple(sorted(day for day in told if day)), fixed=True)
    months = [said.month] if said.month else list(range(1, 13))
    if said.year is not None or said.year_offset is not None:
        years, named = _years(said, today)
    else:
        ahead = LUNAR_YEARS_TRIED if said.leap else YEARS_TRIED
        years, named = list(range(today.year - 1, today.year + ahead)), False
    days = sorted(
        day
        for year in years
        for month in months
        for wanted in said.days
        if (day := lunar(year, month, wanted, said.leap)) is not None
    )
    days = days if named else [day for day in days if day >= today][:24]
    if not days:
        raise NoSuchDay("no_such_lunar_day")
    return Days(tuple(days), fixed=named, rolled="year_rolled")


def _nth(said: Date, today: date, habits: Habits) -> Days:
    assert said.nth is not None, "chosen by it"
    n, weekday = said.nth
    if said.edge_of == "year":
        years, named = _years(said, today)
        days = [
            date(y, 12, 31) if n == -1 else date(y, 1, 1) + timedelta(days=n - 1) for y in years
        ]
        return Days(tuple(days), fixed=named, rolled="year_rolled")
    if said.edge_of == "quarter":
        whole = _quarter(said._replace(edge="start" if n > 0 else "end"), today, habits)
        found = [nth_in_month(day.year, day.month, n, weekday) or day for day in whole.days]
        return whole._replace(days=tuple(found))
    months, named = _months(said, today)
    days = [day for year, month in months if (day := nth_in_month(year, month, n, weekday))]
    if not days:
        raise NoSuchDay("no_such_day")
    return Days(tuple(days), fixed=named, rolled="month_rolled")


def _month(said: Date, today: date, habits: Habits) -> Days:
    """A month alone, or its edge: 3月, 下个月, 3月底."""
    months, named = _months(said, today)
    if said.coming and (today.month - (said.month or 0)) % 12 < SEASON_MONTHS:
        raise Unclear("day")  # this summer, said in July
    if said.edge is not None:
        days = [date(y, m, _edge_day(said.edge, y, m)) for y, m in months]
        return Days(tuple(days), fixed=named, rolled="year_rolled")
    if months[0] == (today.year, today.month):
        raise Unclear("day")
    days = [date(y, m, 1) for y, m in months]
    return Days(tuple(days), fixed=named, grain="month", rolled="year_rolled")


def _edge_day(edge: str, year: int, month: int) -> int:
    return days_in(year, month) if edge == "end" else EDGE_DAYS[edge]


def _quarter(said: Date, today: date, habits: Habits) -> Days:
    now = today.year * 4 + (today.month - 1) // 3
    if said.quarter is not None:
        years, named = _years(said, today)
        indexes = [year * 4 + said.quarter - 1 for year in years]
    elif said.quarter_offset is not None:
        indexes, named = [now + said.quarter_offset], True
    else:
        indexes, named = [now + n for n in range(YEARS_TRIED)], False
    days = tuple(_quarter_day(index, said.edge) for index in indexes)
    if said.edge is None and indexes[0] == now:
        raise Unclear("day")
    return Days(days, named, grain="day" if said.edge else "quarter", rolled="year_rolled")


def _quarter_day(index: int, edge: str | None) -> date:
    year, first = index // 4, index % 4 * 3 + 1
    if edge == "end":
        return date(year, first + 2, days_in(year, first + 2))
    return date(year, first + 1, 15) if edge == "mid" else date(year, first, 1)


def _edge(said: Date, today: date, habits: Habits) -> Days:
    """月底, 年初, 季度末 with nothing that says of which."""
    if said.edge_of == "quarter":
        return _quarter(said, today, habits)
    if said.edge_of == "week":
        return _weekdays(said._replace(weekdays=(0,)), today, habits)
    if said.edge_of == "month":
        return _month(said, today, habits)._replace(rolled="month_rolled")
    years, named = _years(said, today)
    month, day = {"end": (12, 31), "mid": (7, 1)}.get(said.edge or "", (1, 1))
    return Days(tuple(date(y, month, day) for y in years), fixed=named, rolled="year_rolled")


def _year(said: Date, today: date, habits: Habits) -> Days:
    years, _ = _years(said, today)
    if years[0] == today.year:
        raise Unclear("day")
    grain = "year" if years[0] > today.year else "day"
    return Days((date(years[0], 1, 1),), fixed=True, grain=grain)


def _festival(said: Date, today: date, habits: Habits) -> Days:
    assert said.festival is not None, "chosen by it"
    move = timedelta(days=said.shift)
    if said.year is None and said.year_offset is None:
        dates: Iterator[date] = festival_dates(said.festival, today - move)
        days = tuple(day + move for day in islice(dates, 2))
        if not days:
            raise Unclear("day")  # its table ends before
        return Days(days, fixed=False, rolled="year_rolled")
    years, _ = _years(said, today)
    year = years[0]
    if said.year is None and said.festival in LATE_IN_LUNAR_YEAR:
        new_year = lunar(today.year, 1, 1)
        year -= new_year is not None and today < new_year  # in January the old year still runs
    day = festival(said.festival, year)
    if day is None:
        raise NoSuchDay("no_such_lunar_day")
    return Days((day + move,), fixed=True, cycle="year")


_RULES: tuple[tuple[str, Callable[[Date, date, Habits], Days]], ...] = (
    ("offset", _offset),
    ("festival", _festival),
    ("nth", _nth),
    ("days", _month_days),
    ("weekdays", _weekdays),
    ("weekend", _weekend),
    ("week", _week),
    ("quarter", _quarter),
    ("quarter_offset", _quarter),
    ("month", _month),
    ("month_offset", _month),
    ("edge", _edge),
    ("year", _year),
    ("year_offset", _year),
)


ODD_DAYS = 15  # so many days of a month are every second one


def counts_from_now(m: Mention, every: Every) -> bool:
    """每两天, 每三个月 with no day, hour or start: the first is one interval away."""
    if m.dates or m.clocks or m.start or m.often:
        return False
    return every.n > 1 or every.unit in ("month", "year", "week", "quarter")


def day_rule(
    m: Mention, every: Every, anchor: date, scene: ReadingContext
) -> tuple[DayRule, tuple[str, ...]]:
    n = int(every.n)
    # Before the first firing is known every unit counts; `_started` then anchors the interval.
    counted = n if counts_from_now(m, every) or m.start else 1
    if every.unit == "workday":
        return _workdays(every, scene)
    if every.unit == "weekend":
        return Weekly((5, 6), 1, anchor), ()
    if every.unit == "offday":
        return Workdays(True, off=True), ()
    if every.unit == "dates":
        dates = [day for said in m.dates for day in named_days(said, scene)]
        return FixedDates(tuple(sorted(set(dates)))), ()
    named = _joined(m)
    if named is not None and (named.weekdays or named.weekend) and not named.nth:
        days = named.weekdays or (5, 6)
        return Weekly(
            tuple(sorted(days)), n if n > 1 and every.unit == "week" and m.start else 1, anchor
        ), ()
    if every.unit == "week":
        return Weekly((anchor.weekday(),), counted, anchor), ()
    if every.unit == "day" and named is None:
        return Daily(counted, anchor), ()
    if every.unit == "quarter":
        return _quarterly(named, anchor), ()
    if every.unit == "month" or (every.unit == "day" and named and named.days and not named.month):
        return _monthly(named, m, n, anchor, counted)
    return _yearly(named, m, n, anchor, scene)


def named_days(said: Date, scene: ReadingContext) -> list[date]:
    """The days that one naming means, those to come: 12月5号和20号, 下周一三五."""
    found = days_of(said, scene.today, scene.habits)
    ahead = [day for day in found.days if day >= scene.today]
    if found.fixed:
        return ahead
    return ahead[: 1 if said.ranged else max(len(said.days), len(said.weekdays), 1)]


def _workdays(every: Every, scene: ReadingContext) -> tuple[DayRule, tuple[str, ...]]:
    official = every.official or scene.habits.official_workdays
    known = decreed(scene.today.year + (scene.today.month == 12)) if official else True
    return Workdays(official), () if known else ("workdays_not_decreed",)


def _joined(m: Mention) -> Date | None:
    """Several days of one kind as one: 5号和20号."""
    if not m.dates:
        return None
    first = m.dates[0]
    if m.lunar and first.days:
        first = first._replace(lunar=True, bare=False)
    for said in (first, *m.dates[1:]):
        check(said)
    for other in m.dates[1:]:
        if other.weekdays and first.weekdays:
            first = first._replace(weekdays=first.weekdays + other.weekdays)
        elif other.days and first.days and first.month == other.month:
            first = first._replace(days=first.days + other.days)
    return first


def _monthly(
    named: Date | None, m: Mention, n: int, anchor: date, counted: int
) -> tuple[DayRule, tuple[str, ...]]:
    if named is None:
        start = m.start.dates[0] if m.start and m.start.dates else None
        if start is not None and start.days and not start.lunar:
            return Monthly(anchor, n, days=(anchor.day,)), ()
        return Monthly(anchor, counted, days=(anchor.day,)), _short_months((anchor.day,))
    if named.lunar:
        return LunarDays(tuple(sorted(named.days)), None), ()
    every = n if m.start else 1
    several = tuple(said.nth for said in m.dates if said.nth is not None and said.nth[1] < 7)
    if len(several) > 1:
        return Monthly(anchor, every, nth=several), ()
    if len(m.dates) > 1 and any(_month_day(said) for said in m.dates):
        days = {day for said in m.dates for day in (*said.days, _month_day(said)) if day}
        return Monthly(anchor, every, days=tuple(sorted(days))), _short_months(tuple(days))
    if named.nth is not None:
        return _monthly_nth(named.nth, anchor, every), ()
    if named.edge is not None:
        return Monthly(anchor, every, days=(_month_day(named),)), ()
    if not named.days:
        raise Unclear("day")
    if any(not 1 <= day <= 31 for day in named.days):
        raise NoSuchDay("no_such_day")
    return Monthly(anchor, every, days=tuple(sorted(named.days))), _short_months(named.days)


def _month_day(said: Date) -> int:
    """The edge of a month as a day of it, -1 its last; 0 when it is none: 每月1号和最后一天."""
    if said.nth is not None and said.nth[1] == 7:
        return said.nth[0]
    edges = {"end": -1, "start": 1, "early": 1, "middle": 11, "mid": 15, "late": 21}
    return edges.get(said.edge or "", 0)


def _quarterly(named: Date | None, anchor: date) -> DayRule:
    """The same place in every quarter; with no place said, three months on."""
    first = anchor.replace(month=(anchor.month - 1) // 3 * 3 + 1, day=1)
    if named is None:
        return Monthly(anchor, 3, days=(anchor.day,))
    if named.nth is not None and named.nth[1] < 9:
        return _monthly_nth(named.nth, add_months(first, 2) if named.nth[0] < 0 else first, 3)
    if named.edge == "end":
        return Monthly(add_months(first, 2), 3, days=(-1,))
    return Monthly(first, 3, days=named.days or (1,))


def _short_months(days: tuple[int, ...]) -> tuple[str, ...]:
    """The 31st is missed in half of the months; among every second day nobody misses it."""
    missed = any(day > 28 for day in days) and len(days) < ODD_DAYS
    return ("short_months_skipped",) if missed else ()


def _monthly_nth(nth: tuple[int, int], anchor: date, every: int) -> Monthly:
    n, weekday = nth
    if weekday < 7:
        return Monthly(anchor, every, nth=((n, weekday),))
    if weekday == 8:
        return Monthly(anchor, every, workdays=(n,))
    return Monthly(anchor, every, days=(n,))


def _yearly(
    named: Date | None, m: Mention, n: int, anchor: date, scene: ReadingContext
) -> tuple[DayRule, tuple[str, ...]]:
    if named is None:
        return Yearly(((anchor.month, anchor.day),), anchor, n), ()
    if named.festival:
        return Festival(named.festival, named.shift), ()
    if named.bare:
        days_of(named, scene.today, scene.habits)  # raises Unclear with both readings
    if named.lunar:
        return LunarDays(tuple(sorted(named.days)), named.month, named.leap), ()
    if named.nth is not None and named.month is None and named.nth[1] == 7:  # 每年最后一天
        ends = ((12, 31),) if named.nth[0] == -1 else ((1, 1),) if named.nth[0] == 1 else ()
        if ends:
            return Yearly(ends, anchor.replace(month=1, day=1), n), ()
    if named.nth is not None and (named.month or named.nth[1] < 7):  # 每年最后一个周五
        return _yearly_nth(named.nth, named.month or (1 if named.nth[0] > 0 else 12), anchor), ()
    days = days_of(named, scene.today, scene.habits).days
    dates = {(day.month, day.day) for day in days[:1]}
    for other in m.dates[1:]:
        dates |= {(d.month, d.day) for d in days_of(other, scene.today, scene.habits).days[:1]}
    notes = ("leap_years_only",) if (2, 29) in dates else ()
    return Yearly(tuple(sorted(dates)), anchor.replace(month=1, day=1), 1), notes


def _yearly_nth(nth: tuple[int, int], month: int, anchor: date) -> Monthly:
    return _monthly_nth(nth, date(anchor.year, month, 1), 12)
