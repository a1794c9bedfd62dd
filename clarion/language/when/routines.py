"""Hours that are told by a person's day: 晚饭后半小时 is dinner and half an hour.

Amounts are counted from the hour at which the meal begins, as they are for blood sugar.
"""

from collections.abc import Mapping
from datetime import datetime, time, timedelta

from clarion.language.when.model import Habits
from clarion.language.when.stream import MEALS, ClockWords, Date, Every, Mention, Routine

BESIDE = 30  # minutes: 饭后 and 睡前, where nobody says how long
MEAL_LASTS = 120  # minutes in which 饭后 may still mean this meal
JUST_PAST = timedelta(hours=3)  # a bedtime just missed is tonight's, never silently tomorrow's
NIGHT_ENDS = 5  # who sleeps at one goes to bed in the night of the day before
DAY = 24 * 60
_MEAL_OF_PART = {
    "early": "breakfast", "morning": "breakfast", "forenoon": "breakfast", "noon": "lunch",
    "dusk": "dinner", "evening": "dinner", "tonight": "dinner",
}  # fmt: skip
_PART_OF = {"waking": "morning", "breakfast": "morning", "dinner": "evening", "sleeping": "evening"}


def by_routine(m: Mention, habits: Habits, base: datetime) -> tuple[str, ...] | None:
    """Put the hours into the mention, and say by which habit. None: it has to be asked for."""
    usual = habits.routines
    said = [one for one in m.routines if one is not None]
    hour_said = any(clock.hour is not None for clock in m.clocks)
    if not said and not m.after and not m.open_event and hour_said:
        m.event = False  # 下班前，下午五点四十: the hour was said
        return ()
    if not said or m.open_event or len(said) < len(m.routines) or m.after is not None:
        return None
    if hour_said:  # 睡前十点: the hour was said
        m.clocks = [_in_half(clock, said[0]) for clock in m.clocks]
        m.event = False
        return ()
    if usual is None:
        return None
    amount = m.length or m.lead or m.before
    if amount is not None and (amount.months or amount.days):
        return None
    apart = None if amount is None else int(amount.seconds // 60)
    named = [one for routine in said for one in _named(routine, m, usual, base)]
    minutes = [_minute(one, apart, usual) for one in named]
    if len(named) == 1 and not m.repeats and _soon(m):
        minutes = _still_ahead(named[0], minutes[0], apart, usual, base)
    if not minutes:
        return None
    if any(one.name == "meals" for one in said) and not m.repeats and not m.dates:
        m.every = Every("day")
    m.clocks = [_clock(minute) for minute in minutes]
    m.length = m.lead = m.before = None
    m.event = False
    spoken = named if len(named) < len(MEALS) else said
    return tuple(f"routine {one.name} {one.side} {apart or 0}" for one in spoken)


def _soon(m: Mention) -> bool:
    return not m.dates or m.dates[0] == Date(offset=0)


def _in_half(clock: ClockWords, routine: Routine) -> ClockWords:
    if clock.part is not None or clock.exact:
        return clock
    return clock._replace(part=_PART_OF.get(routine.name))


def _named(
    routine: Routine, m: Mention, usual: Mapping[str, time], base: datetime
) -> list[Routine]:
    """Which meals are meant, where none was named."""
    if routine.name not in ("meal", "meals"):
        return [routine]
    every = [routine._replace(name=meal) for meal in MEALS]
    if routine.name == "meals" or (m.repeats and not m.clocks):
        return every
    if m.clocks:
        meal = _MEAL_OF_PART.get(m.clocks[0].part or "")
        return [routine._replace(name=meal)] if meal else []
    if not _soon(m):
        return []  # 明天饭后: after which meal?
    now = base.hour * 60 + base.minute
    lasts = MEAL_LASTS if routine.side > 0 else 0
    ahead = [one for one in every if _of(usual[one.name]) + lasts > now]
    return ahead[:1] or ([] if m.dates else every[:1])


def _still_ahead(
    routine: Routine, minute: int, apart: int | None, usual: Mapping[str, time], base: datetime
) -> list[int]:
    """睡前 said ten minutes before bedtime is bedtime; said after it, it is asked about."""
    if routine.name == "waking":
        return [minute]  # who speaks is up: tomorrow's is meant
    gone = (base - _at(minute, base)) % timedelta(days=1)
    if gone >= JUST_PAST:
        return [minute]
    own = _minute(routine._replace(side=0), None, usual)
    left = (_at(own, base) - base) % timedelta(days=1)
    ahead = timedelta() < left <= timedelta(minutes=BESIDE)
    return [own] if apart is None and routine.side < 0 and ahead else []


def _at(minute: int, base: datetime) -> datetime:
    return base.replace(hour=0, minute=0, second=0) + timedelta(minutes=minute)


def _of(at: time) -> int:
    return at.hour * 60 + at.minute


def _minute(routine: Routine, apart: int | None, usual: Mapping[str, time]) -> int:
    """The minute of the day; beyond the last where the night goes on."""
    at = usual[routine.name]
    own = _of(at) + (DAY if routine.name == "sleeping" and at.hour < NIGHT_ENDS else 0)
    beside = 0 if routine == Routine("waking", 1) else BESIDE
    return own + routine.side * (beside if apart is None else apart)


def _clock(minute: int) -> ClockWords:
    night = minute >= DAY and minute < DAY + NIGHT_ENDS * 60
    hour, past = divmod(minute % DAY, 60)
    part = "evening" if night else None
    return ClockWords(hour, past, part=part, exact=True, grain="minute")
