"""Who is on duty: shifts, rest, crews, what they can do. Pure."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache

from clarion.dispatch.model import Shift, Team

PATTERNS_MAX = 500  # of shifts that are remembered; a city has a few dozen


def offered(team: Team) -> Mapping[str, int]:
    """What it can do now: its equipment, and the skills of its crew on duty.

    A person with several skills counts for each of them; an event that needs both asks for more.
    """
    if not team.crew:
        return team.capabilities
    found = dict(team.capabilities)
    for person in team.crew:
        if person.on_duty:
            for skill in person.skills:
                found[skill] = found.get(skill, 0) + 1
    return found


def people(team: Team) -> int:
    return sum(one.on_duty for one in team.crew)


def off_duty(team: Team, now: datetime, zone: tzinfo) -> str:
    """Why it cannot be called now: `rests`, `off_shift`, `crew`, or empty."""
    if team.rests_until is not None and team.rests_until > now:
        return "rests"
    if team.shifts and not any(starts <= now < ends for starts, ends in _near(team, now, zone)):
        return "off_shift"
    if people(team) < team.crew_min:
        return "crew"
    return ""


def on_duty_since(team: Team, now: datetime, zone: tzinfo) -> datetime | None:
    """Since when it has been on shift and rested; None: always."""
    begun = [starts for starts, ends in _near(team, now, zone) if starts <= now < ends]
    return max([*begun, *([team.rests_until] if team.rests_until else [])], default=None)


def on_duty_at(team: Team, now: datetime, zone: tzinfo) -> datetime | None:
    """When its rest or its time off ends; None: not by itself, or not this week."""
    coming = [starts for starts, _ in _near(team, now, zone)]
    if team.rests_until is not None:
        coming.append(team.rests_until)
    return min((one for one in coming if one > now), default=None)


def _near(team: Team, now: datetime, zone: tzinfo) -> Sequence[tuple[datetime, datetime]]:
    return _spans(team.shifts, now.astimezone(zone).date(), zone) if team.shifts else ()


@lru_cache(PATTERNS_MAX)
def _spans(
    shifts: tuple[Shift, ...], today: date, zone: tzinfo
) -> Sequence[tuple[datetime, datetime]]:
    """Shifts from yesterday until a week from now. Thousands of teams share a few patterns."""
    found = []
    for shift in shifts:
        starts, ends = time.fromisoformat(shift.starts), time.fromisoformat(shift.ends)
        for day in (today + timedelta(days=number) for number in range(-1, 8)):
            if day.isoweekday() in shift.days:
                last = day if starts < ends else day + timedelta(days=1)
                begins = datetime.combine(day, starts, zone)
                found.append((begins, datetime.combine(last, ends, zone)))
    return found
