"""RRULE in and out. Reading leans on dateutil, wrapped so that no rule can search for ever."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from clarion.base.errors import Unprocessable
from clarion.language.when.calendar import (
    CronDays,
    Daily,
    DayRule,
    Monthly,
    Weekly,
    Workdays,
    Yearly,
)
from clarion.language.when.words import words

WEEKDAYS = words("MO TU WE TH FR SA SU")
SECONDS = {"MINUTELY": 60, "HOURLY": 3600}  # no SECONDLY: nobody can answer so often
PARTS = frozenset(
    words(
        "FREQ INTERVAL COUNT UNTIL WKST BYDAY BYMONTHDAY BYMONTH BYHOUR BYMINUTE BYSECOND "
        "BYSETPOS BYYEARDAY BYWEEKNO BYEASTER"
    )
)
YEAR_MIN, YEAR_MAX = 1900, 2300  # zones are not known far beyond these
LETTERS_MAX = 500
FIRINGS_MAX = 30_000
COUNT_MAX = 10_000  # as many daily doses as a lifetime of 27 years has


class RruleParts(NamedTuple):
    """Either a `step` of real time, or a `line` that dateutil reads."""

    starts_at: datetime
    until: datetime | None
    times: int | None
    step: timedelta | None
    line: str | None


LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def looks_like_rrule(text: str) -> bool:
    return re.match(r"\s*(?:RRULE:|DTSTART|FREQ=)", text, re.IGNORECASE) is not None


def read_rrule(text: str, zone: ZoneInfo, starts_at: datetime) -> RruleParts:
    clean, starts_at = _split_start(text[:LETTERS_MAX].strip().upper(), zone, starts_at)
    parts = _parts(clean, text)
    starts_at = starts_at.astimezone(zone)
    freq, interval = parts.get("FREQ", ""), int(parts.get("INTERVAL", "1"))
    count = int(parts["COUNT"]) if "COUNT" in parts else None
    until = _until(parts["UNTIL"], zone, text) if "UNTIL" in parts else None
    if freq in SECONDS:
        if any(name.startswith("BY") for name in parts):
            raise _wrong(text, "a rule by the hour or less takes no BY… parts here")
        step = timedelta(seconds=SECONDS[freq] * interval)
        return RruleParts(starts_at, until, count, step, None)
    if freq == "SECONDLY":
        raise _wrong(text, "nothing rings more often than once a minute")
    _refuse_endless(parts, text)
    kept = {k: v for k, v in parts.items() if k not in ("COUNT", "UNTIL")}
    if "DTSTART" not in text.upper():
        kept |= _full_hours(parts)
    line = ";".join(f"{name}={value}" for name, value in kept.items())
    try:
        first = next(instants(line, zone, starts_at, starts_at - timedelta(seconds=1)), None)
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        raise _wrong(text, str(error)) from error
    if first is None:
        raise _wrong(text, "it never fires")
    return RruleParts(starts_at, until, count, None, line)


def _full_hours(parts: dict[str, str]) -> dict[str, str]:
    """BYHOUR=9 without a start is nine sharp, not nine and the seconds at which it was said."""
    finer = {"BYHOUR": ("BYMINUTE", "BYSECOND"), "BYMINUTE": ("BYSECOND",)}
    named = [name for said, names in finer.items() if said in parts for name in names]
    return {name: "0" for name in named if name not in parts}


def instants(line: str, zone: ZoneInfo, starts_at: datetime, after: datetime) -> Iterator[datetime]:
    """Its firings later than `after`, in order, as instants of the zone."""
    from dateutil.rrule import rrulestr

    start = starts_at.astimezone(zone).replace(tzinfo=None)
    rule = rrulestr(line, dtstart=start)
    # An hour early: a skipped or doubled hour must not hide the firing right after it.
    since = after.astimezone(zone).replace(tzinfo=None) - timedelta(hours=3)
    previous = after
    for naive in rule.xafter(since, count=FIRINGS_MAX, inc=True):
        instant = naive.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if instant > previous:
            previous = instant
            yield instant


def step_text(step: timedelta) -> str | None:
    """None for steps that are no whole minutes."""
    seconds = int(step.total_seconds())
    for name, size in (("HOURLY", 3600), ("MINUTELY", 60)):
        if seconds % size == 0:
            return f"FREQ={name};INTERVAL={seconds // size}"
    return None


def days_text(days: DayRule, times: tuple[time, ...], skipped: tuple[int, ...]) -> str | None:
    """None when RRULE cannot say these days, or these times in one rule."""
    which, clock = _days_text(days, skipped), _clock_text(times)
    return f"{which};{clock}" if which and clock else None


def ending_text(until: datetime | None, count: int | None) -> str:
    text = f";UNTIL={until.astimezone(UTC):%Y%m%dT%H%M%SZ}" if until is not None else ""
    return text + (f";COUNT={count}" if count is not None else "")


def _split_start(text: str, zone: ZoneInfo, starts_at: datetime) -> tuple[str, datetime]:
    lines = [line for line in re.split(r"[\r\n]+", text) if line]
    for line in lines:
        match = re.match(r"DTSTART(?:;TZID=[^:]*)?:(\d{8}(?:T\d{6}Z?)?)$", line)
        if match:
            if not YEAR_MIN <= int(match[1][:4]) <= YEAR_MAX:
                raise _wrong(text, f"DTSTART has to be from {YEAR_MIN} to {YEAR_MAX}")
            starts_at = _until(match[1], zone, text)
    rules = [line.removeprefix("RRULE:") for line in lines if not line.startswith("DTSTART")]
    return (rules[0] if len(rules) == 1 else ""), starts_at


def _parts(clean: str, text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in clean.rstrip(";").split(";")]
    parts = {name: value for name, _, value in pairs}
    unknown = [name for name in parts if name not in PARTS]
    if unknown or "FREQ" not in parts or not all(parts.values()):
        raise _wrong(text, "it needs FREQ and parts that RFC 5545 knows")
    for name, least, most in (("INTERVAL", 1, 10_000), ("COUNT", 1, COUNT_MAX)):
        value = parts.get(name, "1")
        if not value.isdecimal() or not least <= int(value[:9]) <= most:
            raise _wrong(text, f"{name} has to be {least} to {most}")
    return parts


def _refuse_endless(parts: dict[str, str], text: str) -> None:
    """What can never match would be searched for until the year 9999."""
    if parts["FREQ"] not in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"):
        raise _wrong(text, "FREQ is not known")
    if parts["FREQ"] == "DAILY" and "BYSETPOS" in parts:
        raise _wrong(text, "BYSETPOS means nothing within a day")
    try:
        months = [int(m) for m in parts.get("BYMONTH", "1").split(",")]
        days = [abs(int(d)) for d in parts.get("BYMONTHDAY", "1").split(",")]
    except ValueError as error:
        raise _wrong(text, "a month or day is no number") from error
    if not all(1 <= month <= 12 for month in months):
        raise _wrong(text, "there is no such month")
    if not any(1 <= day <= LONGEST_MONTH[month - 1] for month in months for day in days):
        raise _wrong(text, "no such day ever comes")


def _until(value: str, zone: ZoneInfo, text: str) -> datetime:
    if value[:4].isdecimal() and int(value[:4]) > YEAR_MAX:
        value = f"{YEAR_MAX}{value[4:]}"  # calendars write the year 9999 for ever
    try:
        if len(value) == 8:
            last = datetime.strptime(value, "%Y%m%d").replace(tzinfo=zone)
            return last.replace(hour=23, minute=59, second=59)
        if value.endswith("Z"):
            return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).astimezone(zone)
        return datetime.strptime(value, "%Y%m%dT%H%M%S").replace(tzinfo=zone)
    except (ValueError, OverflowError) as error:
        raise _wrong(text, f"{value!r} is no date") from error


def _days_text(days: DayRule, skipped: tuple[int, ...]) -> str | None:
    if skipped:
        if not isinstance(days, Daily) or days.every != 1:
            return None
        days = Weekly(tuple(d for d in range(7) if d not in skipped), 1, days.anchor)
    match days:
        case Daily(every=n):
            return f"FREQ=DAILY;INTERVAL={n}"
        case Weekly(weekdays=w, every=n):
            return f"FREQ=WEEKLY;INTERVAL={n};WKST=MO;BYDAY=" + ",".join(WEEKDAYS[d] for d in w)
        case Workdays(official=False, off=False):
            return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        case Monthly(every=n, days=d, nth=(), workdays=()):
            return f"FREQ=MONTHLY;INTERVAL={n};BYMONTHDAY=" + ",".join(map(str, d))
        case Monthly(every=n, days=(), nth=nth, workdays=()):
            named = ",".join(f"{k}{WEEKDAYS[w]}" for k, w in nth)
            return f"FREQ=MONTHLY;INTERVAL={n};BYDAY={named}"
        case Yearly(dates=((month, day),), every=n):
            return f"FREQ=YEARLY;INTERVAL={n};BYMONTH={month};BYMONTHDAY={day}"
        case CronDays(either=False):
            return _cron_text(days)
        case _:
            return None


def _cron_text(days: CronDays) -> str:
    parts = ["FREQ=DAILY"]
    if len(days.months) < 12:
        parts.append("BYMONTH=" + ",".join(map(str, days.months)))
    if len(days.days) < 31:
        parts.append("BYMONTHDAY=" + ",".join(map(str, days.days)))
    if len(days.weekdays) < 7:
        parts.append("BYDAY=" + ",".join(WEEKDAYS[d] for d in days.weekdays))
    return ";".join(parts)


def _clock_text(times: tuple[time, ...]) -> str | None:
    hours = sorted({at.hour for at in times})
    minutes = sorted({at.minute for at in times})
    if len(set(times)) != len(hours) * len(minutes) or any(at.second for at in times):
        return None
    named = [",".join(map(str, values)) for values in (hours, minutes)]
    return f"BYHOUR={named[0]};BYMINUTE={named[1]};BYSECOND=0"


def _wrong(text: str, why: str) -> Unprocessable:
    return Unprocessable(
        f"{text[:80]!r} cannot be used as a recurrence: {why}.",
        hint="For example 'FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=0'.",
    )
