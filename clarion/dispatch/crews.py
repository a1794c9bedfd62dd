"""Who is on duty: shifts, rest, crews, what they can do. Pure."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta, tzinfo

from clarion.dispatch.model import Shift, Team


def offered(team: Team) -> Mapping[str, int]:
    """What it can do now: what it has, and what the people on duty bring along.

    Somebody with several skills counts for each of them; who needs both at once asks for more.
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
    if team.shifts and not any(_works(shift, now.astimezone(zone)) for shift in team.shifts):
        return "off_shift"
    if people(team) < team.crew_min:
        return "crew"
    return ""


def _works(shift: Shift, local: datetime) -> bool:
    starts, ends = time.fromisoformat(shift.starts), time.fromisoformat(shift.ends)
    today, yesterday = local.isoweekday(), (local - timedelta(days=1)).isoweekday()
    at = local.time()
    if starts < ends:
        return today in shift.days and starts <= at < ends
    return (today in shift.days and at >= starts) or (yesterday in shift.days and at < ends)
