"""Quiet hours and absences: whether somebody is left in peace now, and until when. Pure."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.people.model import Device, PersonAbsence, QuietHours, User
from clarion.reminders.model import Reminder
from clarion.tasks.model import Level

DAY = timedelta(days=1)
LOOK_AGAIN = timedelta(minutes=15)
"""How soon it is noticed that somebody came back early."""


def quiet_until(quiet: QuietHours | None, zone: ZoneInfo, at: datetime) -> datetime | None:
    """When it ends, if `at` is inside; None when it is not quiet. `begins == ends`: never."""
    if quiet is None or quiet.begins == quiet.ends:
        return None
    today = at.astimezone(zone).date()
    for day in (today - DAY, today):  # yesterday's night may still last
        begins = datetime.combine(day, quiet.begins, zone)
        last_day = day if quiet.ends > quiet.begins else day + DAY
        ends = datetime.combine(last_day, quiet.ends, zone)
        if begins <= at < ends:
            return ends
    return None


def waits(reminder: Reminder) -> bool:
    """Only plain ones wait, and not those that the user wanted inside the quiet hours."""
    critical = reminder.base >= Level.CRITICAL
    return not (critical or reminder.confirmation.required or reminder.explicit)


def held_until(
    reminder: Reminder, user: User, candidates: Iterable[Device], at: datetime
) -> datetime | None:
    """Until when to hold it: the user's quiet hours, or those of every device it could use."""
    if not waits(reminder):
        return None
    zone = ZoneInfo(user.zone)
    ends = quiet_until(user.quiet, zone, at)
    if ends is not None:
        return ends
    each = [quiet_until(device.quiet, zone, at) for device in candidates]
    quiet = [end for end in each if end is not None]
    return min(quiet) if quiet and len(quiet) == len(each) else None


def loud(
    devices: Iterable[Device], reminder: Reminder, zone: ZoneInfo, at: datetime
) -> list[Device]:
    """The devices that may speak now."""
    return [
        device
        for device in devices
        if not waits(reminder) or quiet_until(device.quiet, zone, at) is None
    ]


def pausing(reminder: Reminder, user: User, at: datetime) -> PersonAbsence | None:
    """The absence for which it would not ring then; None when it rings."""
    absence = user.absence
    if absence is None or not absence.covers(at) or reminder.is_test:
        return None
    if reminder.series_id is None and reminder.created_at > absence.set_at:
        return None
    must = reminder.needs == "done" or reminder.base >= Level.CRITICAL
    return None if absence.medicines and must else absence


def look_again(absence: PersonAbsence, now: datetime) -> datetime:
    """A full quarter of an hour, so that all that waits is looked at together."""
    size = LOOK_AGAIN.total_seconds()
    soon = datetime.fromtimestamp((now.timestamp() // size + 1) * size, now.tzinfo)
    return min(absence.ends or soon, soon)
