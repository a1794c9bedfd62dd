"""Cron expressions of five fields, with names, lists, ranges and steps; and the @-words."""

import re
from datetime import date, time
from typing import NamedTuple

from clarion.base.errors import Unprocessable
from clarion.language.when.calendar import CronDays
from clarion.language.when.words import words

MONTHS = words("jan feb mar apr may jun jul aug sep oct nov dec")
WEEKDAYS = words("sun mon tue wed thu fri sat")
WORDS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
LETTERS_MAX = 500
_PART = re.compile(r"(?:(\*|\?)|(\w+)(?:-(\w+))?)(?:/(\d+))?", re.ASCII)
ANY_DAY = date(2000, 1, 1)


class CronParts(NamedTuple):
    days: CronDays
    times: tuple[time, ...]
    each_hour: bool


def looks_like_cron(text: str) -> bool:
    """Five fields, of which the minutes have no names: "every day at 9 am" is a sentence."""
    parts = text.split()
    return text.strip().lower() in WORDS or (
        len(parts) == 5
        and parts[0][0] in "0123456789*?"
        and all(re.fullmatch(r"[\w*,/?-]+", part, re.ASCII) for part in parts)
    )


def read_cron(expr: str) -> CronParts:
    fields = WORDS.get(expr.strip().lower(), expr[:LETTERS_MAX]).lower().split()
    if len(fields) != 5:
        raise _wrong(expr, "it needs five fields: minute hour day month weekday")
    minutes = _values(expr, fields[0], 0, 59)
    hours = _values(expr, fields[1], 0, 23)
    weekdays = {(day - 1) % 7 for day in _values(expr, fields[4], 0, 7, WEEKDAYS)}
    limited = [not fields[n].startswith(("*", "?")) for n in (2, 4)]
    days = CronDays(
        days=_values(expr, fields[2], 1, 31),
        months=_values(expr, fields[3], 1, 12, MONTHS, first=1),
        weekdays=tuple(sorted(weekdays)),
        either=all(limited),
    )
    if next(days.since(ANY_DAY), None) is None:
        raise _wrong(expr, "no such day ever comes")
    times = tuple(time(hour, minute) for hour in hours for minute in minutes)
    return CronParts(days, times, each_hour=len(hours) == 24)


def _values(
    expr: str, field: str, low: int, high: int, names: list[str] | None = None, first: int = 0
) -> tuple[int, ...]:
    found: set[int] = set()
    for part in field.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise _wrong(expr, f"{part!r} is no value, range or step")
        star, one, other, step = match.groups()
        if star:
            start, end = low, high
        else:
            start = _number(expr, one, names, first)
            end = _number(expr, other, names, first) if other else (high if step else start)
        if not low <= start <= high or not low <= end <= high or start > end:
            raise _wrong(expr, f"{part!r} is outside {low}-{high}")
        if step is not None and not 0 < int(step[:9]) <= 10_000:
            raise _wrong(expr, f"{part!r} has a step that never ends")
        found.update(range(start, end + 1, int(step[:9]) if step else 1))
    return tuple(sorted(found))


def _number(expr: str, word: str, names: list[str] | None, first: int) -> int:
    if names and word in names:
        return names.index(word) + first
    if not word.isdecimal() or len(word) > 4:
        raise _wrong(expr, f"{word!r} is no number")
    return int(word)


def _wrong(expr: str, why: str) -> Unprocessable:
    return Unprocessable(
        f"{expr[:80]!r} is no cron expression: {why}.",
        hint="Five fields, for example '0 9 * * 1-5' for nine o'clock on weekdays.",
    )
