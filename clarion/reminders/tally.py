"""How much of it went well: the shares confirmed, late and missed, by day. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from clarion.language.needs import HEARD
from clarion.reminders.adherence import MISSED, Outcome
from clarion.reminders.model import Reminder, ReminderStatus


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of the reminders that are over. Cancelled ones count for nothing."""

    total: int = 0
    confirmed: int = 0
    """Somebody said yes; the late ones are among them."""
    completed: int = 0
    """Plain ones that were told."""
    late: int = 0
    missed: int = 0
    open: int = 0
    """Not over yet, and not in the total."""
    done: int = 0
    """Of the confirmed: those where somebody said that it is done."""
    heard: int = 0
    """Of the confirmed: those where somebody only said that they know of it."""
    promised: int = 0
    """Somebody said that they will do it, and nobody has said yet that it is done."""

    @property
    def share_confirmed(self) -> float | None:
        """Of those that somebody had to confirm; None when there were none."""
        asked = self.confirmed + self.missed
        return self.confirmed / asked if asked else None

    @property
    def share_late(self) -> float | None:
        return self.late / self.confirmed if self.confirmed else None

    @property
    def share_missed(self) -> float | None:
        return self.missed / self.total if self.total else None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, name) + getattr(other, name) for name in Tally.__slots__))


@dataclass(frozen=True, slots=True)
class Adherence:
    whole: Tally
    days: tuple[tuple[date, Tally], ...]
    """By the day for which each was planned, in the user's zone."""


def tally(reminder: Reminder) -> Tally:
    if reminder.reason == "distress":
        return Tally()  # a cry for help is nothing that was forgotten
    promised = int(reminder.promised_at is not None)
    if reminder.status in MISSED:
        return Tally(total=1, missed=1, promised=promised)
    if reminder.status is ReminderStatus.CONFIRMED:
        heard = int(reminder.reason == HEARD)
        late = int(was_late(reminder))
        return Tally(total=1, confirmed=1, late=late, done=1 - heard, heard=heard)
    if reminder.status is ReminderStatus.COMPLETED:
        return Tally(total=1, completed=1)
    return Tally() if reminder.is_final else Tally(open=1, promised=promised)


def was_late(reminder: Reminder) -> bool:
    planned = reminder.planned_at or reminder.trigger_at
    ended = reminder.ended_at or planned
    return Outcome(planned, ended, reminder.status, reminder.attempt).is_late


def measure(reminders: Iterable[Reminder], zone: ZoneInfo) -> Adherence:
    days: defaultdict[date, Tally] = defaultdict(Tally)
    whole = Tally()
    for one in reminders:
        day = (one.planned_at or one.trigger_at).astimezone(zone).date()
        days[day] += tally(one)
        whole += tally(one)
    return Adherence(whole, tuple(sorted(days.items())))
