"""From what was said to an instant: the one place that decides, checks and reports.

Every decision that was not said is an assumption code in the result. `options` lists the readings
of a time of day, the likeliest first. Each is a number of days to add (今晚1点 is after midnight)
and a time; whoever calls takes the first that is still to come.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from clarion.language.when.calendar import add_months
from clarion.language.when.days import Days, NoSuchDay, ReadingContext, Unclear, agrees, days_of
from clarion.language.when.model import (
    GRAIN_NAMED,
    Grain,
    Habits,
    Invalid,
    NeedsClarification,
    Once,
    When,
)
from clarion.language.when.stream import ClockWords, Date, Lapse, Mention


class HourOption(NamedTuple):
    plus: int
    at: time
    assumed: str = ""
    """The code of what was decided and not said."""


def options(
    clock: ClockWords, habits: Habits, *, dated: bool, today: bool, alarm: bool
) -> list[HourOption] | str:
    """The readings of this time of day; a string says why there is none."""
    if clock.hour is None:
        return _part_alone(clock.part or "", habits)
    if clock.part is not None:
        return _in_part(clock)
    if clock.exact or clock.hour in (0, 24):
        return _exact(clock, today=today)
    return _face(clock, dated=dated, today=today, alarm=alarm)


def _time(clock: ClockWords, hour: int) -> time:
    return time(hour % 24, clock.minute, clock.second)


def _part_alone(part: str, habits: Habits) -> list[HourOption]:
    plus = 1 if part == "night" and habits.hour_of(part).hour < 12 else 0
    return [HourOption(plus, habits.hour_of(part), "part_hour")]


def _exact(clock: ClockWords, *, today: bool) -> list[HourOption]:
    assert clock.hour is not None, "a part alone is read elsewhere"
    if clock.hour == 24:
        return [HourOption(1, _time(clock, 0))]
    readings = [HourOption(0, _time(clock, clock.hour))]
    if clock.hour == 0 and today:
        readings.append(HourOption(1, _time(clock, 0), "end_of_day"))
    return readings


def _face(clock: ClockWords, *, dated: bool, today: bool, alarm: bool) -> list[HourOption]:
    """An hour from 1 to 12 and nothing that tells which half of the day."""
    hour = clock.hour or 0
    morning, later = _time(clock, hour), _time(clock, hour + 12)
    if hour == 12:
        noon, midnight = HourOption(0, morning), HourOption(1, later, "midnight_meant")
        if not dated:
            return [HourOption(0, later, "midnight_meant"), noon, midnight]
        return [noon, midnight] if today else [noon]
    if alarm:
        return [HourOption(0, morning)]
    if hour <= 5:
        return [HourOption(0, later, "afternoon_meant")]
    early = HourOption(0, morning, "morning_meant" if dated else "")
    evening = HourOption(0, later, "evening_meant")
    return [early, evening] if today or not dated else [early]


def _in_part(clock: ClockWords) -> list[HourOption] | str:
    rule = _PARTS[clock.part or ""]
    found = rule(clock.hour or 0)
    if found is None:
        return "part_contradicts_hour"
    plus, hour = found
    return [HourOption(plus, _time(clock, hour))]


def _am(hour: int) -> tuple[int, int] | None:
    return 0, (0 if hour == 12 else hour)


def _pm(hour: int) -> tuple[int, int] | None:
    return 0, (hour + 12 if hour < 12 else hour)


def _dawn(hour: int) -> tuple[int, int] | None:
    if hour in (12, 24):
        return 0, 0
    return (0, hour) if hour < 12 else None


def _morning(hour: int) -> tuple[int, int] | None:
    return (0, hour) if hour <= 12 else None


def _noon(hour: int) -> tuple[int, int] | None:
    if 1 <= hour <= 3:
        return 0, hour + 12
    return (0, hour) if 9 <= hour <= 15 else None


def _afternoon(hour: int) -> tuple[int, int] | None:
    if hour == 0 or hour == 24:
        return None
    return 0, (hour if hour >= 12 else hour + 12)


def _dusk(hour: int) -> tuple[int, int] | None:
    if 3 <= hour <= 9:
        return 0, hour + 12
    return (0, hour) if 15 <= hour <= 21 else None


def _evening(hour: int) -> tuple[int, int] | None:
    if hour in (0, 12, 24):
        return 1, 0
    if hour <= 4:
        return 1, hour
    if hour in (13, 14, 15):
        return None
    return 0, (hour + 12 if hour < 12 else hour)


def _tonight(hour: int) -> tuple[int, int] | None:
    """English evenings start at four."""
    return (0, hour + 12) if hour in (4, 5) else _evening(hour)


def _night(hour: int) -> tuple[int, int] | None:
    return (1, hour) if hour in (5, 6) else _evening(hour)


def _late(hour: int) -> tuple[int, int] | None:
    return (1, hour) if hour == 5 else _evening(hour)


def _small_hours(hour: int) -> tuple[int, int] | None:
    """今晚凌晨一点: the night that is coming."""
    return (1, hour % 12) if hour <= 12 else None


_PARTS: dict[str, Callable[[int], tuple[int, int] | None]] = {
    "am": _am,
    "pm": _pm,
    "dawn": _dawn,
    "early": _morning,
    "morning": _morning,
    "forenoon": _morning,
    "noon": _noon,
    "lunch": _noon,
    "afternoon": _afternoon,
    "dusk": _dusk,
    "evening": _evening,
    "tonight": _tonight,
    "late": _late,
    "small_hours": _small_hours,
    "night": _night,
    "midnight": lambda hour: (1, 0),
}


DAYS_TRIED = 3  # an hour that is past today comes tomorrow; midnight may need one more
LOOSE_EDGES = ("mid", "middle", "early", "late", "season")
SMALL_HOURS = 4  # until then "tomorrow" may mean the day that has already begun


def resolve_once(m: Mention, scene: ReadingContext) -> When:
    try:
        found = _once(m, scene)
        if isinstance(found, Once):
            found = _led(m, found, scene)
    except NoSuchDay as error:
        return Invalid(error.why, scene.span)
    except Unclear as error:
        times = _one_clock(m)
        at = times.at if times else scene.habits.day
        return NeedsClarification(
            error.what, scene.span, tuple(scene.at(day, at) for day in error.days)
        )
    except (OverflowError, ValueError):
        return Invalid("beyond_calendar", scene.span)
    return found


def resolve_end(m: Mention, scene: ReadingContext) -> When:
    """The class is from 5 to 6:30, 10 minutes before it ends: told from where a range ends."""
    end, m.to_clock = m.to_clock, None
    gone = Mention()
    gone.lead, gone.before, m.lead, m.before = m.lead, m.before, None, None
    told = gone.lead or gone.before
    if end is None or end.hour is None or m.repeats or m.event or m.now or not told:
        return NeedsClarification("event", scene.span)
    found, readings = resolve_once(m, scene), options(
        end, scene.habits, dated=True, today=False, alarm=False
    )  # fmt: skip
    if not isinstance(found, Once) or isinstance(readings, str):
        return found
    at, begun = readings[0].at, found.at
    apart = (at.hour - begun.hour) * 3600 + (at.minute - begun.minute) * 60
    round_ = 86400 if end.part or end.exact else 43200
    over = moved(begun, Lapse(seconds=apart % round_), scene.zone)
    return _led(gone, found._replace(at=over, grain=Grain.MINUTE), scene)


def _one_clock(m: Mention) -> HourOption | None:
    if not m.clocks:
        return None
    found = options(m.clocks[0], Habits(), dated=True, today=False, alarm=False)
    return found[0] if isinstance(found, list) else None


def _once(m: Mention, scene: ReadingContext) -> When:
    if m.now and not (m.dates or m.clocks or m.after):
        return Once(scene.base, Grain.SECOND, scene.span)
    if m.next_hour:
        full = scene.base.replace(minute=0, second=0) + timedelta(hours=1)
        return Once(full, Grain.HOUR, scene.span)
    if m.after is not None:
        return _after(m, m.after, scene)
    if m.before is not None and _is_ago(m):
        return Invalid("past", scene.span)
    if m.dates:
        said = _lunar_if(m)
        if m.same_hour or m.now:
            said = _as_today(said)
        found = days_of(said, scene.today, scene.habits)
        if not m.also and _names_no_day(said, found, scene):
            raise Unclear("day")
        return _on_days(m, found, scene)
    if m.shift:
        raise Unclear("event")  # the day after what?
    return _on_days(m, _days_tried(scene.today), scene)


@lru_cache(maxsize=64)
def _days_tried(today: date) -> Days:
    days = tuple(today + timedelta(days=n) for n in range(-1, DAYS_TRIED))
    return Days(days, fixed=False, rolled="day_rolled")


def _as_today(said: Date) -> Date:
    """Same time next week, 明年此时: this day of it."""
    span = Date(week=said.week, month_offset=said.month_offset, year_offset=said.year_offset)
    return said._replace(week=None, offset=7 * (said.week or 0)) if said == span else said


def _is_ago(m: Mention) -> bool:
    """两年前的今天, two weeks before yesterday: behind us, and no lead before something."""
    today = len(m.dates) == 1 and m.dates[0].offset is not None and m.dates[0].offset <= 0
    return today and m.before is not None and not m.before.seconds and not m.clocks


def _names_no_day(said: Date, found: Days, scene: ReadingContext) -> bool:
    """明年提醒我, 月中提醒我: a guess would be weeks away from what is meant."""
    if found.grain == "year":
        return not scene.alone
    if not scene.asked or found.grain in ("week", "month", "quarter"):
        return scene.asked
    loose = said.edge_of == "month" and said.edge in LOOSE_EDGES
    return loose or (said.nth is not None and said.nth[1] == 9)  # in the first week of April


def _lunar_if(m: Mention) -> Date:
    """农历 that stood a little before its date."""
    said = m.dates[0]
    if len(m.dates) > 1 and said.weekdays and all(d.weekdays and d.week is None for d in m.dates):
        said = said._replace(weekdays=tuple(w for d in m.dates for w in d.weekdays))
    return said._replace(lunar=True, bare=False) if m.lunar and said.days else said


def moved(at: datetime, by: Lapse, zone: ZoneInfo, sign: int = 1) -> datetime:
    """Months and days by the calendar at the same time of day, the rest in real seconds."""
    local = at.replace(tzinfo=zone)
    if by.months or by.days:
        day = add_months(at.date(), sign * by.months) + timedelta(days=sign * int(by.days))
        local = datetime.combine(day, at.time(), zone)
    return (local.astimezone(UTC) + sign * timedelta(seconds=by.seconds)).astimezone(zone)


def _is_weekday(said: Date) -> bool:
    return said == Date(weekdays=said.weekdays, english=said.english)


def _after(m: Mention, gone: Lapse, scene: ReadingContext) -> When:
    by = gone._replace(days=gone.days + m.shift) if m.shift else gone
    at = moved(scene.base, by, scene.zone)
    if m.dates and gone.grain == "week" and _is_weekday(m.dates[0]):
        said = m.dates[0]._replace(week=int(gone.days) // 7)  # 三周后的周二 is of that week
        return _on_days(m, days_of(said, scene.today, scene.habits), scene)
    if m.dates and gone.grain in ("week", "month", "year"):
        days = days_of(m.dates[0], at.date(), scene.habits)
        return _on_days(m, days._replace(fixed=False), scene)
    if m.clocks and not gone.seconds:
        return _on_days(m, Days((at.date(),), fixed=True), scene)
    if m.dates and not gone.seconds:
        return Invalid("dates_disagree", scene.span)
    return Once(at, _grain_of(gone), scene.span)


def _grain_of(gone: Lapse) -> Grain:
    """In two weeks is a day; in an hour and a half is a minute."""
    if not gone.seconds:
        return Grain.DAY
    return Grain.SECOND if gone.grain == "second" else Grain.MINUTE


def _on_days(m: Mention, found: Days, scene: ReadingContext) -> When:
    if m.shift:
        beside = timedelta(days=m.shift)
        found = found._replace(days=tuple(day + beside for day in found.days))
    if m.also:
        found = _agreeing(m.also, found, scene)
        if not found.days:
            return Invalid("dates_disagree", scene.span)
    if not m.clocks and (m.same_hour or m.now):
        now = ClockWords(scene.base.hour, scene.base.minute, exact=True, grain="minute")
        return _at_clock(m, now, found, scene)
    if not m.clocks:
        return _day_alone(found, scene)
    return _at_clock(m, m.clocks[0], found, scene)


def _agreeing(also: list[Date], found: Days, scene: ReadingContext) -> Days:
    days = tuple(d for d in found.days if all(agrees(a, d, scene.today) for a in also))
    first = next((day for day in found.days if day >= scene.today), None)
    weekday = next((a.weekdays[0] for a in also if len(a.weekdays) == 1), None)
    if first is not None and weekday is not None and first.weekday() != weekday:
        # 周一8号, though the 8th is a Tuesday: which of the two was a slip?
        away = (weekday - first.weekday() + 3) % 7 - 3
        beside = first + timedelta(days=away)
        raise Unclear("weekday", tuple(sorted((first, beside))))
    return found._replace(days=days)


def _day_alone(found: Days, scene: ReadingContext) -> When:
    """Nine o'clock on the day; when today's nine is past, the person is asked for an hour."""
    over = found.days[0] == scene.today and scene.at(scene.today, scene.habits.day) <= scene.base
    if over and (found.fixed or found.rolled not in ("week_rolled", "day_rolled")):
        return _ask_hour(scene)
    for index, day in enumerate(found.days):
        at = scene.at(day, scene.habits.day)
        if at > scene.base:
            notes = _notes(found, index, "hour_filled")
            if found.grain == "day":
                return _once_at(at, Grain.DAY, notes, found, scene)
            return Once(at, GRAIN_NAMED[found.grain], scene.span, notes)
    return _past(found.days[-1], scene.habits.day, found, scene)


def _ask_hour(scene: ReadingContext) -> When:
    ahead = [scene.at(scene.today, at) for at in sorted(set(scene.habits.parts.values()))]
    return NeedsClarification("hour", scene.span, tuple(at for at in ahead if at > scene.base))


def _notes(found: Days, index: int, code: str) -> tuple[str, ...]:
    notes = (code,) if code else ()
    return (*notes, found.rolled) if index and found.rolled not in ("", "day_rolled") else notes


def _once_at(
    at: datetime, grain: Grain, notes: tuple[str, ...], found: Days, scene: ReadingContext
) -> Once:
    night = scene.base.hour < SMALL_HOURS and found.fixed
    if night and found.days[0] == scene.today + timedelta(days=1):
        notes = (*notes, "calendar_tomorrow")
    return Once(at, grain, scene.span, notes)


def _at_clock(m: Mention, clock: ClockWords, found: Days, scene: ReadingContext) -> When:
    if clock.offset is not None and clock.hour is not None:
        return _with_offset(clock, found, scene)
    dated = bool(m.dates or m.after)
    today = found.fixed and found.days[0] == scene.today
    loose = dated and not found.fixed and found.days[0] == scene.today
    readings = options(clock, scene.habits, dated=dated, today=today, alarm=scene.alarm)
    if isinstance(readings, str):
        return Invalid(readings, scene.span)
    for index, day in enumerate(found.days):
        for option in readings if index or not loose else readings[:1]:
            at = scene.at(day + timedelta(option.plus) if option.plus else day, option.at)
            early = day < scene.today and not _is_this_night(at, option, m, scene)
            if at > scene.base and not early:
                if index and found.cycle == "year" and found.days[0] == scene.today:
                    return _past(found.days[0], option.at, found, scene)  # today's date, at 6
                return _chosen(at, clock, option, found, index, scene)
    part_now = clock.hour is None and today and clock.part in _still_on(scene.base.hour)
    if part_now:
        return _ask_hour(scene)
    last = readings[0]
    return _past(found.days[-1] + timedelta(days=last.plus), last.at, found, scene)


def _is_this_night(at: datetime, option: HourOption, m: Mention, scene: ReadingContext) -> bool:
    """Yesterday is tried only for nights: 半夜三点 said at 01:00 is two hours away."""
    return bool(option.plus) and at.date() == scene.today and not m.dates


def _still_on(hour: int) -> tuple[str, ...]:
    if hour >= 18:
        return ("evening", "tonight", "dusk", "late", "night")
    if hour >= 12:
        return ("afternoon", "noon") if hour < 18 else ()
    return ("morning", "forenoon", "early") if hour >= 5 else ("dawn", "night")


def _chosen(
    at: datetime,
    clock: ClockWords,
    option: HourOption,
    found: Days,
    index: int,
    scene: ReadingContext,
) -> Once:
    notes = _notes(found, index, option.assumed)
    rolled = found.rolled == "day_rolled" and at.date() > scene.today and not found.fixed
    if rolled and option.plus == 0:
        notes = (*notes, "day_rolled")
    return _once_at(at, GRAIN_NAMED[clock.grain], notes, found, scene)


def _with_offset(clock: ClockWords, found: Days, scene: ReadingContext) -> When:
    """An instant written with its offset is that instant, whatever the zone."""
    hour = clock.hour or 0
    for day in found.days:
        text = f"{day.isoformat()}T{hour % 24:02}:{clock.minute:02}:{clock.second:02}{clock.offset}"
        at = datetime.fromisoformat(text).astimezone(scene.zone)
        if at > scene.base:
            return Once(at, GRAIN_NAMED[clock.grain], scene.span)
    return _past(found.days[-1], time(hour % 24, clock.minute), found, scene)


def _past(day: date, at: time, found: Days, scene: ReadingContext) -> Invalid:
    """Said as a day that is over. What may have been meant: the next such hour, week, or year."""
    ahead = scene.at(scene.today, at)
    if ahead <= scene.base:
        ahead = scene.at(scene.today + timedelta(days=1), at)
    if found.cycle == "week":
        weeks = (scene.today - day).days // 7 + 1
        weekly = [scene.at(day + timedelta(weeks=n), at) for n in (weeks - 1, weeks, weeks + 1)]
        ahead = next(proposal for proposal in weekly if proposal > scene.base)
    elif found.cycle == "month":
        monthly = [scene.at(add_months(day, n), at) for n in range(1, 14)]
        ahead = next((proposal for proposal in monthly if proposal > scene.base), ahead)
    elif found.cycle == "year":
        return Invalid("past", scene.span, _next_year(day, at, scene))
    return Invalid("past", scene.span, ahead)


def _next_year(day: date, at: time, scene: ReadingContext) -> datetime | None:
    for year in (scene.today.year, scene.today.year + 1):
        anniversary = add_months(day, 12 * (year - day.year))
        proposal = scene.at(anniversary, at)
        if proposal > scene.base:
            return proposal
    return None


def _led(m: Mention, found: Once, scene: ReadingContext) -> When:
    """Ring earlier by the lead; a lead that reaches into the past leaves nothing to ring."""
    lead = m.lead or m.before
    if lead is None:
        return found
    if found.grain == Grain.DAY and 0 < lead.seconds < 86400:
        return _ask_hour(scene)  # 周五前两小时: two hours before when?
    at = moved(found.at, lead, scene.zone, sign=-1)
    if at <= scene.base:
        return Invalid("lead_too_long", scene.span, found.at)
    coarse = found.grain in (Grain.HOUR, Grain.PART) and lead.seconds
    grain = Grain.MINUTE if coarse else found.grain
    return Once(at, grain, found.span, found.assumptions)
