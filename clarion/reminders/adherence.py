"""How one reminder ended, next to when it was meant: done, late or missed. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from clarion.reminders.model import ReminderStatus

LATE = timedelta(minutes=30)  # a pill half an hour later is still the morning's pill
MISSED = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)


@dataclass(frozen=True, slots=True)
class Outcome:
    planned_at: datetime
    ended_at: datetime
    status: ReminderStatus
    attempt: int

    @property
    def is_late(self) -> bool:
        """Done, but not at the first call, or long after it."""
        return self.attempt > 1 or self.ended_at - self.planned_at > LATE
