"""From what was said to a recurrence: days, times, first firing, end and exceptions."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from clarion.language.when.calendar import (
    Daily,
    DayRule,
    Festival,
    FixedDates,
    LunarDays,
    Monthly,
    Weekly,
    Yearly,
    add_months,
)
from clarion.language.when.days import (
    NoSuchDay,
    ReadingContext,
    Unclear,
    counts_from_now,
    day_rule,
    days_of,
    named_days,
)
from clarion.language.when.instants import moved, options, resolve_once
from clarion.language.when.joining import in_same_part
from clarion.language.when.model import (
    Invalid,
    NeedsClarification,
    Once,
    Recurring,
    When,
)
from clarion.language.when.rules.recurrence import Recurrence, earlier
from clarion.language.when.stream import ClockWords, Date, Every, Lapse, Mention


def resolve_repeating(m: Mention, scene: ReadingContext) -> When:
    _fold_beside(m)
    _other_days_only(m)
    main = _one_rule(m, scene)
    if not m.beside or not isinstance(main, Recurring):
        return main
    rules: list[Recurrence] = []
    notes = list(main.assumptions)
    for other in m.beside:
        found = _one_rule(_as_beside(other, m), scene)
        if not isinstance(found, Recurring):
            return found
        rules.append(found.rule)
        notes += found.assumptions
    rule = replace(main.rule, beside=tuple(rules))
    return Recurring(rule, scene.span, tuple(dict.fromkeys(notes)))


def resolve_each(m: Mention, scene: ReadingContext) -> When:
    """At 7 and 7:30 pm: once each."""
    last = m.clocks[-1].part
    if last in ("am", "pm") and all(clock.part is None for clock in m.clocks[:-1]):
        m.clocks = [clock._replace(part=clock.part or last) for clock in m.clocks]
    rules: list[Recurrence] = []
    notes: list[str] = []
    part: str | None = None
    for clock in m.clocks:
        if clock.part is None and not clock.exact and part in _CARRIED and (clock.hour or 12) < 12:
            clock = clock._replace(part=part)
        part = clock.part
        if not any(one.exact for one in m.clocks):
            clock = _later_on(clock, [(0, rule.times[0]) for rule in rules[-1:]])
        one = replace_lead(m)
        one.clocks, one.lead, one.before = [clock], m.lead, m.before
        found = resolve_once(one, scene)
        if not isinstance(found, Once):
            return found
        if m.dates and not rules:  # Monday at 9 and again at 5: both on the same Monday
            m.dates = [Date(offset=(found.at.date() - scene.today).days)]
        day = FixedDates((found.at.date(),))
        rules.append(Recurrence(scene.zone, found.at, days=day, times=(found.at.time(),)))
        notes += found.assumptions
    if len({rule.starts_at for rule in rules}) == 1:  # 明天三点，下午的三点
        return found
    rules.sort(key=lambda rule: rule.starts_at)
    rule = replace(rules[0], beside=tuple(rules[1:]))
    return Recurring(rule, scene.span, tuple(dict.fromkeys(notes)))


_CARRIED = ("afternoon", "morning", "forenoon", "evening")


def _fold_beside(m: Mention) -> None:
    """Days that were said without an hour of their own ring at the hour before them."""
    own: list[Mention] = []
    for other in m.beside:
        part = m.clocks[0].part if len(m.clocks) == 1 and m.clocks[0].hour is None else None
        if part and len(other.clocks) == 1 and other.clocks[0].part == part:
            m.clocks = other.clocks  # 今晚和明晚十点
        by_week = m.every is None or m.every.unit in ("week", "dates", "month", "year")
        if not other.clocks and not own and by_week and other.every is None:
            m.dates += other.dates
        else:
            inherited = [in_same_part(m, clock) for clock in other.clocks]  # 晚上十点，周末十一点
            other.clocks = inherited or (own[-1] if own else m).clocks
            own.append(other)
    m.beside = own


def _other_days_only(m: Mention) -> None:
    """每天7点半，周末9点: on Sundays at nine alone."""
    if m.every not in (Every("day"), Every("workday")) or m.dates:
        return
    named = [said for other in m.beside for said in other.dates if not said.days and not said.nth]
    taken = {day for said in named for day in (said.weekdays or (5, 6))}
    taken |= {5, 6} if any(other.every == Every("weekend") for other in m.beside) else set()
    rest = {*range(7 if m.every == Every("day") else 5)} - taken
    if taken & {*range(7 if m.every == Every("day") else 5)} and rest:
        m.every, m.dates = Every("week"), [Date(weekdays=tuple(sorted(rest)))]


def _as_beside(other: Mention, m: Mention) -> Mention:
    """The rhythm, the start, the end and the exceptions are those of the first."""
    if other.every is None:
        other.every = m.every if m.every and m.every.unit not in _DAY_SETS else Every("week")
    other.start, other.until, other.last_for = m.start, m.until, m.last_for
    other.lead, other.before, other.lunar = m.lead, m.before, m.lunar
    other.skip, other.skip_holidays = m.skip, m.skip_holidays
    return other


_DAY_SETS = ("workday", "weekend", "offday", "day")


def _one_rule(m: Mention, scene: ReadingContext) -> When:
    every = m.every or Every("day")
    if every.whole and scene.alone and not (m.start or m.clocks or m.dates):
        every = Every("clock_hour")
    try:
        _within_span(m, every, scene)
        if every.unit in ("day", "workday") and _one_week(m):
            every = Every("dates")  # 下周一到周五每天
        if missing := _left_open(m, every):
            return NeedsClarification(missing, scene.span)
        if every.gap and every.unit in ("day", "week", "month", "year"):
            every = every._replace(n=2, gap=False)  # 隔一天: every second
        if wrong := _wrong_interval(every, scene):
            return Invalid(wrong, scene.span)
        if every.unit in ("second", "clock_hour"):
            return _interval(m, every, scene)
        return _by_days(m, every, scene)
    except NoSuchDay as error:
        return Invalid(error.why, scene.span)
    except Unclear as error:
        days = tuple(scene.at(day, scene.habits.day) for day in error.days)
        return NeedsClarification(error.what, scene.span, days)
    except (OverflowError, ValueError):
        return Invalid("beyond_calendar", scene.span)


def _one_week(m: Mention) -> bool:
    return len(m.dates) == 1 and bool(m.dates[0].weekdays) and m.dates[0].week is not None


def _wrong_interval(every: Every, scene: ReadingContext) -> str:
    if not every.n > 0:
        return "no_such_interval"
    too_often = every.unit == "second" and every.n < scene.habits.seconds_between
    return "too_often" if too_often else ""


def _left_open(m: Mention, every: Every) -> str:
    """一周两次, 一天三次: which days, whose three hours? Every Friday the 13th?"""
    if m.also and m.dates and m.dates[0].days and not m.dates[0].month and m.also[0].weekdays:
        return "day"
    steps = every.unit in ("second", "clock_hour")
    if steps and m.clocks and m.clocks[0].hour is None and m.to_clock is None:
        return "hour"  # 上午每隔20分钟: from when?
    if every.gap and every.n != 1 and every.unit in ("day", "week", "month", "year"):
        return "interval"  # 每隔两天: every second or every third?
    if m.often is not None and m.often[1] == "day" and 0 < len(m.clocks) < m.often[0]:
        return "" if _twice_round(m) else "hour"  # three times a day at nine
    if m.often is None or m.clocks:
        return ""
    if m.often[1] != "day" and not m.dates:
        return "weekdays" if m.often[1] == "week" else "day"
    return "hour" if m.often[0] > 1 and every.unit == "day" else ""


def _twice_round(m: Mention) -> bool:
    """Twice a day at nine: in the morning and in the evening."""
    clock = m.clocks[0]
    if m.often != (2, "day") or clock.hour is None or clock.part is not None or clock.exact:
        return False
    m.clocks = [clock._replace(part="am"), clock._replace(part="pm")]
    return True


def _within_span(m: Mention, every: Every, scene: ReadingContext) -> None:
    """下周每天8点, every day next month: the week or month bounds it, and names no day."""
    if m.after is not None:
        m.last_for, m.after = m.last_for or m.after, None
    if m.until and every == Every("day") and not m.start and len(m.dates) == 1:
        m.start, m.dates = Mention(dates=m.dates), []  # tomorrow until Friday, daily
    if every.unit not in ("day", "workday", "week", "weekend") or m.until:
        return
    if m.to_date and every.unit in ("week", "weekend") and not m.start:
        _opened_by_day(m)
    if m.start and m.to_date:
        m.until, m.to_date = Mention(dates=[m.to_date]), None
        return
    if every.unit in ("week", "weekend"):
        _bounded_by_month(m, scene)
        return
    if len(m.dates) != 1 or m.start:
        return
    said = m.dates[0]
    if m.to_date is not None:  # 12月1日到12月10日每天8点
        m.dates, m.start, m.until = [], Mention(dates=[said]), Mention(dates=[m.to_date])
        return
    _bounded_by_itself(m, said, every)


def _opened_by_day(m: Mention) -> None:
    """明天到6月28号每周一三五: the first day of the span is none of the rhythm's."""
    said = [*m.dates, *m.also]
    rhythm = [one for one in said if one.weekdays and one.week is None]
    opens = [one for one in said if one not in rhythm]
    if len(opens) == 1:
        m.start, m.dates, m.also = Mention(dates=opens), rhythm, []


def _bounded_by_itself(m: Mention, said: Date, every: Every) -> None:
    """The days of a week, a month or a feast; how long a feast lasts has to be said: 国庆七天."""
    if said.festival and every.unit == "day":
        if m.length is None:
            raise Unclear("day")
        m.dates, m.start, m.last_for = [], Mention(dates=[said]), m.length
        return
    if said == Date(week=said.week) and said.week is not None:
        first, last = said._replace(weekdays=(0,)), said._replace(weekdays=(6,))
    elif _only_month(said):  # every day in December
        first, last = said._replace(days=(1,)), said._replace(edge="end", edge_of="month")
    else:
        return
    m.dates, m.start, m.until = [], Mention(dates=[first]), Mention(dates=[last])


def _bounded_by_month(m: Mention, scene: ReadingContext) -> None:
    """九月份每个周四: the month bounds the weekdays."""
    spans = [said for said in (*m.dates, *m.also) if _only_month(said)]
    if len(spans) != 1 or m.start:
        return
    m.dates = [said for said in (*m.dates, *m.also) if said != spans[0]]
    m.also = []
    runs = spans[0] == Date(month=scene.today.month)  # every Saturday in May, said in May
    m.start = None if runs else Mention(dates=[spans[0]._replace(days=(1,))])
    m.until = Mention(dates=[spans[0]._replace(edge="end", edge_of="month")])


def _only_month(said: Date) -> bool:
    month = Date(month=said.month, month_offset=said.month_offset, year=said.year)
    return said == month and (said.month is not None or said.month_offset is not None)


def _clock_times(
    m: Mention, scene: ReadingContext
) -> tuple[list[tuple[int, time]], tuple[str, ...]] | str:
    """(days to add, time) for each time of day that was said."""
    clocks = m.clocks or (m.start.clocks if m.start else [])
    if m.start and m.start.clocks and all(clock.hour is None for clock in m.clocks):
        clocks = m.start.clocks  # starting tomorrow, 9pm every night
    times: list[tuple[int, time]] = []
    notes: list[str] = []
    part: str | None = None
    of_24 = any(clock.exact for clock in clocks)
    if len(clocks) == 2 and clocks[0] == clocks[1] and clocks[0].part is None:  # at 9 and 9
        clocks = [clocks[0]._replace(part="am"), clocks[1]._replace(part="pm")]
    for clock in clocks:
        if clock.part is None and not clock.exact and part in ("afternoon", "morning", "forenoon"):
            clock = clock._replace(part=part if clock.hour and clock.hour < 12 else None)
        part = clock.part
        if not of_24:
            clock = _later_on(clock, times)
        found = options(clock, scene.habits, dated=True, today=False, alarm=scene.alarm)
        if isinstance(found, str):
            return found
        times.append((found[0].plus, found[0].at))
        if found[0].assumed:
            notes.append(found[0].assumed)
    return times, tuple(dict.fromkeys(notes))


def _later_on(clock: ClockWords, times: list[tuple[int, time]]) -> ClockWords:
    """At 8, 2 and 8; at 10 and 6: a bare hour of a list comes after the one before it."""
    bare = clock.part is None and not clock.exact and clock.hour is not None and clock.hour < 12
    if not bare or not times or times[-1][0]:
        return clock
    last = times[-1][1]
    over = (clock.hour, clock.minute) <= (last.hour, last.minute)
    later = ((clock.hour or 0) + 12, clock.minute) > (last.hour, last.minute)
    return clock._replace(part="pm") if over and later else clock


class _Bounds(NamedTuple):
    start: datetime | None
    until: datetime | None


def _bounds(m: Mention, scene: ReadingContext) -> _Bounds | When:
    start = until = None
    if m.start is not None:
        at = _start_at(m.start, scene)
        if not isinstance(at, datetime):
            return at
        start = at
    if m.until is not None:
        at = _until_at(m.until, start or scene.base, scene)
        if not isinstance(at, datetime):
            return at
        until = at
    return _Bounds(start, until)


def _start_at(m: Mention, scene: ReadingContext) -> datetime | When:
    """The beginning of the day that was said, or the very instant when an hour was said."""
    if m.dates and not m.clocks:
        if m.dates[0] == Date(week=0):  # starting this week
            return scene.at(scene.today, time())
        days = days_of(m.dates[0], scene.today, scene.habits).days
        day = next((d for d in days if d >= scene.today), days[-1])
        return scene.at(day, time())
    if m.length is not None:
        return moved(scene.base, m.length, scene.zone)
    found = resolve_once(m, scene)
    if isinstance(found, Once) and m.after and not m.after.seconds and not m.clocks:
        return scene.at(found.at.date(), time())  # in three days: on that day
    return found.at if isinstance(found, Once) else found


def _until_at(m: Mention, after: datetime, scene: ReadingContext) -> datetime | When:
    if m.length is not None:
        return moved(after, m.length, scene.zone)
    later = scene._replace(base=after)
    if m.dates and not m.clocks:
        said = m.dates[0]
        from_start = said.month is None and said.week is None and said.offset is None
        today = after.date() if from_start else scene.today  # 6月13日到15日
        days = days_of(said, today, scene.habits).days
        day = next((d for d in days if d >= after.date()), days[-1])
        return scene.at(day, time(23, 59, 59))
    found = resolve_once(m, later)
    return found.at if isinstance(found, Once) else found


def _last(m: Mention, first: datetime, scene: ReadingContext) -> datetime | None:
    """连续7天: the end of the seventh day; 持续两小时: two hours on."""
    gone = m.last_for
    if gone is None:
        return None
    if gone.seconds and not gone.days and not gone.months:
        steps = m.every is not None and m.every.unit in ("second", "clock_hour")
        return moved(first, gone, scene.zone) if steps else None  # every day, for ten minutes
    day = add_months(first.date(), gone.months) + timedelta(days=int(gone.days) - 1)
    return scene.at(day, time(23, 59, 59))


def _count(m: Mention) -> int | None:
    count = m.count or (m.times if m.times and m.times > 1 else None)
    return count if count and 0 < count <= 10_000 else None


def _interval(m: Mention, every: Every, scene: ReadingContext) -> When:
    if m.to_clock is not None and not m.within and _by_weekdays(m):
        m.within = Every("week")  # every hour from 9 to 5, Monday to Friday
    if m.clocks and m.to_clock is not None and (m.within or not m.dates) and not m.start:
        return _stepped_days(m, every, scene)
    step = timedelta(hours=1) if every.unit == "clock_hour" else timedelta(seconds=every.n)
    bounds = _bounds(m, scene)
    if not isinstance(bounds, _Bounds):
        return bounds
    start, until = bounds.start, bounds.until
    if start is None and (m.clocks or m.dates or m.after):
        found = resolve_once(replace_lead(m), scene)
        if not isinstance(found, Once):
            return found
        start = found.at
        if m.to_clock is not None:
            to = replace_lead(m)
            to.clocks, to.to_clock = [_same_half(m)], None
            end = resolve_once(to, scene)
            until = end.at if isinstance(end, Once) else until
    elif start is None:
        start = _first_step(every, step, scene)
    elif start <= scene.base:
        start = scene.base + step
    until = until or _last(m, scene.base if not m.start else start, scene)
    if until is not None and until < start:
        return Invalid("ends_before_it_starts", scene.span)
    weekdays, days = _skipped(m, scene)
    rule = Recurrence(
        scene.clock_zone or scene.zone, start, until, _count(m), step=step,
        skip_weekdays=weekdays, skip_days=days, skip_holidays=m.skip_holidays,
    )  # fmt: skip
    return _checked(rule, (), scene)


def _by_weekdays(m: Mention) -> bool:
    return bool(m.dates) and all(len(d.weekdays) > 1 and d.week is None for d in m.dates)


def _same_half(m: Mention) -> ClockWords:
    end = m.to_clock
    assert end is not None, "asked only of a range"
    start = m.clocks[0]
    if end.part is None and start.part and not end.exact:
        return end._replace(part="pm" if start.part == "noon" else start.part)
    return end


def replace_lead(m: Mention) -> Mention:
    """The mention without its lead: only its own time is asked for."""
    bare = Mention(m.dates, list(m.clocks), m.also)
    bare.after, bare.shift, bare.lunar = m.after, m.shift, m.lunar
    return bare


def _first_step(every: Every, step: timedelta, scene: ReadingContext) -> datetime:
    if every.unit == "clock_hour":
        mark = scene.base.replace(minute=every.minute, second=0, microsecond=0)
        return mark if mark > scene.base else mark + step
    return (scene.base.astimezone(UTC) + step).astimezone(scene.zone)


def _stepped_days(m: Mention, every: Every, scene: ReadingContext) -> When:
    """每天8点到22点每两小时: the same steps on every day."""
    clocks = [m.clocks[0], _same_half(m)]
    ends: list[int] = []
    for clock in clocks:
        found = options(clock, scene.habits, dated=True, today=False, alarm=scene.alarm)
        if isinstance(found, str):
            return Invalid(found, scene.span)
        at = found[0]
        ends.append(at.plus * 86400 + at.at.hour * 3600 + at.at.minute * 60)
    if ends[1] <= ends[0] and clocks[1].part is None and (clocks[1].hour or 24) < 12:
        ends[1] += 43200  # 从九点到六点
    step = 3600 if every.unit == "clock_hour" else int(every.n)
    if ends[1] < ends[0] or step < 60:
        return Invalid("ends_before_it_starts", scene.span)
    seconds = [s for s in range(ends[0], ends[1] + 1, step) if s < 86400]
    times = [(0, time(s // 3600, s % 3600 // 60)) for s in seconds]
    return _with_times(m, m.within or Every("day"), times, (), scene)


def _by_days(m: Mention, every: Every, scene: ReadingContext) -> When:
    if len(m.dates) == 1 and m.dates[0].shift and not m.dates[0].festival:
        m.shift += m.dates[0].shift  # 每月28号前两天
        m.dates = [m.dates[0]._replace(shift=0)]
    read = _clock_times(m, scene)
    if isinstance(read, str):
        return Invalid(read, scene.span)
    times, notes = read
    if not times:
        times, notes = _filled_times(m, every, scene)
    return _with_times(m, every, times, notes, scene)


def _filled_times(
    m: Mention, every: Every, scene: ReadingContext
) -> tuple[list[tuple[int, time]], tuple[str, ...]]:
    if counts_from_now(m, every):
        return [(0, scene.base.time().replace(microsecond=0))], ("from_now",)
    return [(0, scene.habits.day)], ("hour_filled",)


def _with_times(
    m: Mention,
    every: Every,
    times: list[tuple[int, time]],
    notes: tuple[str, ...],
    scene: ReadingContext,
) -> When:
    bounds = _bounds(m, scene)
    if not isinstance(bounds, _Bounds):
        return bounds
    floor = max(bounds.start or scene.base, scene.base)
    anchor = floor.date()
    if counts_from_now(m, every):
        anchor = _one_interval_on(every, anchor)
    days, more = day_rule(m, every, anchor, scene)
    plus = {p for p, _ in times}
    if plus == {1} or (1 in plus and isinstance(days, Daily) and days.every == 1):
        days = _a_day_later(days)
    weekdays, dates = _skipped(m, scene)
    rule = Recurrence(
        scene.clock_zone or scene.zone, floor, bounds.until, days=days,
        times=tuple(sorted({t for _, t in times})), skip_weekdays=weekdays, skip_days=dates,
        skip_holidays=m.skip_holidays, lead=_lead(m),
    )  # fmt: skip
    return _started(rule, m, every, bounds, (*notes, *more), scene)


def _a_day_later(days: DayRule) -> DayRule:
    """每周五晚上12点 is Saturday's midnight."""
    if isinstance(days, Weekly):
        return replace(days, weekdays=tuple(sorted((d + 1) % 7 for d in days.weekdays)))
    if isinstance(days, FixedDates):
        return FixedDates(tuple(day + timedelta(days=1) for day in days.dates))
    return days


def _one_interval_on(every: Every, day: date) -> date:
    if every.unit == "day":
        return day + timedelta(days=int(every.n))
    if every.unit == "week":
        return day + timedelta(weeks=int(every.n))
    return add_months(day, int(every.n) * {"year": 12, "quarter": 3}.get(every.unit, 1))


def _lead(m: Mention) -> timedelta:
    gone = m.lead or m.before or Lapse()
    return timedelta(days=int(gone.days) + gone.months * 30 - m.shift, seconds=gone.seconds)


def _started(
    rule: Recurrence,
    m: Mention,
    every: Every,
    bounds: _Bounds,
    notes: tuple[str, ...],
    scene: ReadingContext,
) -> When:
    """Set the first firing as the start, so that counts and every-second-weeks begin with it."""
    after = scene.base if bounds.start is None else max(
        scene.base, bounds.start - timedelta(microseconds=1)
    )  # fmt: skip
    first = rule.next_after(after)
    if first is None:
        return Invalid("never_happens", scene.span)
    if every.n > 1 and rule.days is not None and not isinstance(rule.days, LunarDays | Festival):
        rule = replace(rule, days=_anchored(rule.days, (first + rule.lead).date(), int(every.n)))
    until = rule.until or _last(m, first, scene)
    start = earlier(first, -rule.lead, rule.zone) if rule.lead else first
    rule = replace(rule, starts_at=start, until=until, count=_count(m))
    if rule.until is not None and start > rule.until:
        return Invalid("past", scene.span)
    return Recurring(rule, scene.span, tuple(dict.fromkeys(notes)))


def _anchored(days: DayRule, first: date, n: int) -> DayRule:
    if isinstance(days, Daily | Weekly | Monthly | Yearly):
        return replace(days, anchor=first, every=n)
    return days


def _checked(rule: Recurrence, notes: tuple[str, ...], scene: ReadingContext) -> When:
    if rule.next_after(scene.base) is None:
        return Invalid("past", scene.span)
    return Recurring(rule, scene.span, tuple(dict.fromkeys(notes)))


def _skipped(m: Mention, scene: ReadingContext) -> tuple[tuple[int, ...], tuple[DayRule, ...]]:
    """Weekdays for ever; festivals every year; any other day once, when it comes next."""
    weekdays: set[int] = set()
    dates: list[date] = []
    rules: list[DayRule] = []
    for said in m.skip:
        if (said.weekdays or said.weekend) and said.week is None and not said.coming:
            weekdays |= {5, 6} if said.weekend else set(said.weekdays)
        elif said.festival and said.year is None and said.year_offset is None:
            rules.append(Festival(said.festival, said.shift))
        elif said.week is not None and said == Date(week=said.week):  # but not this week
            named = (said._replace(weekdays=(day,)) for day in range(7))
            dates += [day for one in named for day in days_of(one, scene.today, scene.habits).days]
        else:
            dates += named_days(said, scene)
    rules += [FixedDates(tuple(sorted(set(dates))))] if dates else []
    return tuple(sorted(weekdays)), tuple(rules)
