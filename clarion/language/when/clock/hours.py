"""Which hour is meant: every rule about day parts, noon, midnight and the twelve-hour face.

`options` lists the readings of a time of day, the likeliest first. Each is a number of days to
add (今晚1点 is after midnight) and a time; whoever calls takes the first that is still to come.
"""

from collections.abc import Callable
from datetime import time
from typing import NamedTuple

from clarion.language.when.model import Habits
from clarion.language.when.stream import ClockWords


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
