"""A person's day: when they get up, eat and sleep, as told or learned from answers. Pure.

`{"habits": {"dinner": "19:00", "learn": true}}` in their context; what is not there is usual.
"""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from clarion.base.errors import BadInput
from clarion.language.when.model import PARTS, ROUTINES
from clarion.people.model import WARN_CONTACTS, User, habits_of, said_habits

HABITS = ("day", *PARTS, *ROUTINES)
"""What a person may have an hour for."""
LEARN = "learn"
"""Whether the hours of meals, waking and sleeping may move with their answers; off unless set."""
ROUTINE = "routine"
"""In a reminder's context: the one hour of the day that told its time."""
ANOTHER_DAY = timedelta(hours=2)  # a later answer means an unusual day
ON_TIME = timedelta(minutes=5)
PART_OF_IT = 4  # a habit moves by a quarter, so that one late evening changes little
EARLIER = timedelta(minutes=10)  # when it was done long before
APART = timedelta(minutes=30)  # a meal keeps this distance from what comes before and after it
LONG_DONE = re.compile(r"早就|早已|老早|早都|\balready\b|\bages ago\b|\blong ago\b", re.IGNORECASE)
_DAY = datetime(2000, 1, 1)  # noqa: DTZ001  any day: only its hours count


def checked_wishes(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check the settings that Clarion itself reads: `habits` and `warn_contacts`."""
    if not isinstance(context.get(WARN_CONTACTS, False), bool):
        raise BadInput("warn_contacts is not yes or no.", hint="true or false.")
    return checked_habits(context)


def checked_habits(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """Hours of the day under names that are known: `{"dinner": "19:00"}`."""
    habits = context.get("habits")
    if habits is None:
        return context
    if not isinstance(habits, Mapping):
        raise BadInput("The habits are not an object.", hint='For example {"dinner": "19:00"}.')
    if not isinstance(habits.get(LEARN, False), bool):
        raise BadInput("learn is not yes or no.", hint="true or false.")
    for name, at in habits.items():
        if name == LEARN:
            continue
        if name not in HABITS:
            raise BadInput(f"There is no habit {name!r}.", hint=f"One of: {', '.join(HABITS)}.")
        try:
            known = time.fromisoformat(at).tzinfo is None
        except (TypeError, ValueError):
            known = False
        if not known:
            raise BadInput(f"The habit {name} is not an hour of the day.", hint="Such as 19:00.")
    return context


def with_habit(user: User, name: str, at: time) -> Mapping[str, Any]:
    """Their context with that hour."""
    return {**user.context, "habits": {**said_habits(user), name: f"{at:%H:%M}"}}


def learned(
    user: User, routine: object, planned: datetime, answered: datetime, words: str
) -> Mapping[str, Any] | None:
    """Their context after a yes to what was set by a routine. None: nothing is learned from it.

    The hour moves a quarter of the way to the time of the answer, and ten minutes back when it was
    done long before; never past the habits before and after it in the day.
    """
    if said_habits(user).get(LEARN) is not True or routine not in ROUTINES:
        return None
    usual = habits_of(user).routines or ROUTINES
    name = str(routine)
    late = answered - planned
    if LONG_DONE.search(words):
        step = -EARLIER
    elif ON_TIME < late <= ANOTHER_DAY:
        step = timedelta(minutes=late // timedelta(minutes=PART_OF_IT))
    else:
        return None
    at = _between(usual, name, datetime.combine(_DAY, usual[name]) + step)
    return with_habit(user, name, at) if at != usual[name] else None


def _between(usual: Mapping[str, time], name: str, at: datetime) -> time:
    """Keep a distance to the habits before and after; sleep after midnight has none after it."""
    order = list(ROUTINES)
    place = order.index(name)
    before, after = order[place - 1 : place] if place else [], order[place + 1 : place + 2]
    first = [datetime.combine(_DAY, usual[one]) + APART for one in before]
    last = [datetime.combine(_DAY, usual[one]) - APART for one in after]
    own = datetime.combine(_DAY, usual[name])
    if (first and at < first[0]) or (last and at > last[0]) or at.date() != _DAY.date():
        return own.time()
    return at.time()
