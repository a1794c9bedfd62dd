"""How long we wait for what. Plain values."""

from dataclasses import dataclass
from datetime import timedelta

from clarion.reminders.model import Reminder


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long we wait for what."""

    plain: timedelta = timedelta(seconds=30)
    """For an answer to a plain reminder."""
    wake: timedelta = timedelta(seconds=15)
    """For a device to take a ring."""
    busy: timedelta = timedelta(minutes=2)
    """For a device that is there and has something else to finish first."""
    look_again: timedelta = timedelta(seconds=60)
    """Before a device that was away is tried again."""
    offline: timedelta = timedelta(minutes=30)
    """Until a reminder that reached no device has failed."""
    gap: timedelta = timedelta(seconds=10)
    """Between two rings on one device."""
    late: timedelta = timedelta(minutes=2)
    """From when on a ring says that it is late."""
    missed: timedelta = timedelta(hours=4)
    """From when on an overdue reminder is told in a digest and does not ring."""
    snooze: timedelta = timedelta(minutes=10)
    """What the button means."""
    check_back: timedelta = timedelta(minutes=5)
    """From "on my way" until it is asked whether it is done."""


def wait_of(reminder: Reminder, patience: Patience) -> timedelta:
    config = reminder.confirmation
    return timedelta(seconds=config.timeout) if config.required else patience.plain
