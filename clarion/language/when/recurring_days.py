"""The days of a recurrence, from what was said: which rule fits, and where it is anchored."""

from datetime import date

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
    decreed,
)
from clarion.language.when.days import NoSuchDay, Unclear, check, days_of
from clarion.language.when.instants import ReadingContext
from clarion.language.when.mention import Mention
from clarion.language.when.stream import Date, Every

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
    if named.nth is not None and named.month is not None:
        return _yearly_nth(named.nth, named.month, anchor), ()
    days = days_of(named, scene.today, scene.habits).days
    dates = {(day.month, day.day) for day in days[:1]}
    for other in m.dates[1:]:
        dates |= {(d.month, d.day) for d in days_of(other, scene.today, scene.habits).days[:1]}
    notes = ("leap_years_only",) if (2, 29) in dates else ()
    return Yearly(tuple(sorted(dates)), anchor.replace(month=1, day=1), 1), notes


def _yearly_nth(nth: tuple[int, int], month: int, anchor: date) -> Monthly:
    return _monthly_nth(nth, date(anchor.year, month, 1), 12)
