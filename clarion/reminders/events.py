"""What happens to reminders, series, people and devices. Listed in docs/events.md."""

from dataclasses import dataclass
from datetime import datetime

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderCreated(Event):
    kind = "reminder.created"
    content: str
    trigger_at: datetime
    confirm: bool
    base: int
    by: str = ""
    series: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderUpdated(Event):
    kind = "reminder.updated"
    changed: tuple[str, ...]
    trigger_at: datetime
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderTriggered(Event):
    """A ring began. `late` is in seconds after the promised instant."""

    kind = "reminder.triggered"
    ring: str
    attempt: int
    device: str
    late: float
    planned_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RingMoved(Event):
    """The same attempt went on to another device."""

    kind = "ring.moved"
    ring: str
    attempt: int
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RingDelivered(Event):
    kind = "ring.delivered"
    ring: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RingHeard(Event):
    kind = "ring.heard"
    ring: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RingAnswered(Event):
    kind = "ring.answered"
    ring: str
    device: str
    label: str
    reason: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RingUnreachable(Event):
    kind = "ring.unreachable"
    ring: str
    device: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderAskedAgain(Event):
    """An answer was unclear, and the one follow-up question was asked."""

    kind = "reminder.asked_again"
    ring: str
    answer_by: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderSnoozed(Event):
    kind = "reminder.snoozed"
    until: datetime
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRetried(Event):
    """Nobody confirmed this attempt; the next one is planned."""

    kind = "reminder.retried"
    attempt: int
    next_at: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RingSent(Event):
    """A messenger took it. Whether somebody saw it is not known."""

    kind = "ring.sent"
    ring: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderReached(Event):
    """It had waited for a device, and one has taken it."""

    kind = "reminder.reached"
    ring: str
    device: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderWaits(Event):
    """No device could be reached; written once, however often we look for one."""

    kind = "reminder.waits"
    since: datetime
    next_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GuaranteeLost(Event):
    """It is not due yet, but nobody could hear it any more. `says` tells what to do."""

    kind = "reminder.guarantee_lost"
    trigger_at: datetime
    content: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuaranteeRestored(Event):
    """Somebody can hear it again."""

    kind = "reminder.guarantee_restored"
    trigger_at: datetime
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderHeld(Event):
    """Quiet hours: told in a digest when they end."""

    kind = "reminder.held"
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderPromised(Event):
    """Somebody said that they will do it now; we ask about it at `check_at`."""

    kind = "reminder.promised"
    by: str
    attempt: int
    check_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseChecked(Event):
    """We asked about a promise for the first or the second `time`."""

    kind = "reminder.checked"
    ring: str
    device: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderConfirmed(Event):
    kind = "reminder.confirmed"
    by: str
    attempt: int
    late: bool
    """After it had timed out or failed."""
    confirm: bool = True
    """Whether somebody had to say yes."""
    yes: str = "done"
    """`done`: they say it is done; `heard`: that they know of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderCompleted(Event):
    kind = "reminder.completed"
    how: str
    """`told`, `answered` or `digest`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderTimedOut(Event):
    kind = "reminder.timeout"
    attempt: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderFailed(Event):
    kind = "reminder.failed"
    reason: str
    confirm: bool = True
    """Whether somebody had to say yes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderCancelled(Event):
    kind = "reminder.cancelled"
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalationBegun(Event):
    kind = "reminder.escalated"
    contacts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactTold(Event):
    kind = "contact.told"
    contact: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactNotTold(Event):
    """It is tried again for about an hour; the next contact is told meanwhile."""

    kind = "contact.not_told"
    contact: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactReached(Event):
    """A receipt: it was `delivered` to their device, or `opened` by them."""

    kind = "contact.reached"
    contact: str
    name: str
    fact: str
    through: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactTook(Event):
    """A contact said "I'm on it": no other contact is told until then."""

    kind = "contact.took"
    contact: str
    name: str
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactCannot(Event):
    """A contact said "I can't": the next one is told at once."""

    kind = "contact.cannot"
    contact: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpCalled(Event):
    """Somebody called for help; these contacts are told at once."""

    kind = "help.called"
    text: str
    device: str
    contacts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestMade(Event):
    """Held and missed reminders were gathered into one; the subject is that one."""

    kind = "reminder.digest"
    held: tuple[str, ...]
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesCreated(Event):
    kind = "series.created"
    content: str
    pattern: str
    zone: str
    next_at: datetime | None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesUpdated(Event):
    kind = "series.updated"
    changed: tuple[str, ...]
    next_at: datetime | None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesAdvanced(Event):
    """Its next reminder was made. `missed` occurrences passed while nothing could ring."""

    kind = "series.advanced"
    reminder: str
    next_at: datetime
    missed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPaused(Event):
    kind = "series.paused"
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResumed(Event):
    kind = "series.resumed"
    next_at: datetime | None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSkipped(Event):
    kind = "series.skipped"
    skipped_at: datetime
    next_at: datetime | None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesEnded(Event):
    kind = "series.ended"
    by: str = ""
