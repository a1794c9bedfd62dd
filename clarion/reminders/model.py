"""What a reminder is and which moves it may make. Plain values: no clock, no store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum
from typing import Any, Generic, TypeVar

from clarion.base.ids import ContactId, DeviceId, ReminderId, SeriesId, UserId
from clarion.language.needs import needs_of
from clarion.tasks.model import Level

T = TypeVar("T")


class ReminderStatus(StrEnum):
    PENDING = "pending"
    TRIGGERED = "triggered"
    CONFIRMED = "confirmed"
    COMPLETED = "completed"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    FAILED = "failed"


TEST = "tst_"
FINAL = frozenset(ReminderStatus) - {ReminderStatus.PENDING, ReminderStatus.TRIGGERED}

MOVES: Mapping[ReminderStatus, frozenset[ReminderStatus]] = {
    ReminderStatus.PENDING: frozenset(
        {
            ReminderStatus.PENDING,  # snoozed, updated, looked again for a device
            ReminderStatus.TRIGGERED,
            ReminderStatus.CONFIRMED,  # done before it rang: people are early too
            ReminderStatus.COMPLETED,  # told in a digest
            ReminderStatus.CANCELLED,
            ReminderStatus.FAILED,
        }
    ),
    ReminderStatus.TRIGGERED: frozenset(
        {
            ReminderStatus.PENDING,  # snoozed, or to be asked again
            ReminderStatus.CONFIRMED,
            ReminderStatus.COMPLETED,
            ReminderStatus.TIMEOUT,
            ReminderStatus.CANCELLED,
            ReminderStatus.FAILED,
        }
    ),
    # A late yes still counts: grandmother answers after the daughter was told.
    ReminderStatus.TIMEOUT: frozenset({ReminderStatus.CONFIRMED}),
    ReminderStatus.FAILED: frozenset({ReminderStatus.CONFIRMED}),
    ReminderStatus.CONFIRMED: frozenset(),
    ReminderStatus.COMPLETED: frozenset(),
    ReminderStatus.CANCELLED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class ConfirmationConfig:
    """Whether somebody has to say yes, and how patiently we ask. Times in seconds."""

    required: bool = False
    timeout: int = 300
    retry_interval: int = 60
    max_retries: int = 3
    confirm_keywords: tuple[str, ...] = ()
    needs: str = ""
    """Which yes counts: `heard` (done or aware) or `done`. Empty: as its task needs it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    id: ReminderId
    user_id: UserId
    content: str
    trigger_at: datetime
    created_at: datetime
    device_id: DeviceId | None = None
    """Where to ring; None means wherever the user's devices are found, in their order."""
    context: Mapping[str, Any] = field(default_factory=dict)
    confirmation: ConfirmationConfig = ConfirmationConfig()
    status: ReminderStatus = ReminderStatus.PENDING
    attempt: int = 0
    """How often it has rung; the ring under way is number `attempt`."""
    base: int = Level.NORMAL
    series_id: SeriesId | None = None
    planned_at: datetime | None = None
    """When it was meant to ring at first; `trigger_at` moves with every snooze and retry."""
    answer_by: datetime | None = None
    version: int = 1
    """Rises with every change: the ETag of the doors."""
    reason: str = ""
    """Why it ended as it did: `device_offline_too_long`, `unconfirmed`, `missed`."""
    created_by: str = ""
    explicit: bool = False
    """The user chose an instant inside their own quiet hours: it rings all the same."""
    rings: int = 0
    """How many rings were begun, those that reached nobody included: numbers the next one."""
    tried: tuple[DeviceId, ...] = ()
    """The devices that were tried since it was last due, in that order."""
    unreached_since: datetime | None = None
    """Since when it is due and no device could be reached."""
    asked_again: bool = False
    """The one follow-up question of this attempt was asked."""
    held_until: datetime | None = None
    """When it will be told in a digest: held by quiet hours, or missed."""
    ended_at: datetime | None = None
    confirmed_by: str = ""
    reach_lost_at: datetime | None = None
    """When it was noticed, before it is due, that nobody could hear it."""
    promised_at: datetime | None = None
    """When somebody said that they will do it now; it is asked about again soon."""
    checked: int = 0
    """How often it was asked about since then."""

    @property
    def is_final(self) -> bool:
        return self.status in FINAL

    @property
    def needs(self) -> str:
        """Which yes counts: `heard` or `done`."""
        return self.confirmation.needs or needs_of(self.content)

    @property
    def is_test(self) -> bool:
        """Rung on one device alone to see that it works; no contact is troubled."""
        return self.id.startswith(TEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What a recurring reminder comes from. `rule` is what `Recurrence.dump` wrote."""

    id: SeriesId
    user_id: UserId
    content: str
    rule: str
    zone: str
    created_at: datetime
    pattern: str = ""
    """What the person said or wrote: a cron expression, an RRULE, words."""
    device_id: DeviceId | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    confirmation: ConfirmationConfig = ConfirmationConfig()
    base: int = Level.NORMAL
    enabled: bool = True
    ends_at: datetime | None = None
    count: int | None = None
    made: int = 0
    """How many reminders it has yielded."""
    missed: int = 0
    skipped: tuple[datetime, ...] = ()
    next_at: datetime | None = None
    current: ReminderId | None = None
    """The reminder made for `next_at`, until it rings, is moved or ends."""
    explicit: bool = False
    """The user chose hours inside their own quiet hours: they are kept."""
    ended_at: datetime | None = None
    """None while it may still yield reminders, now or after `resume`."""
    version: int = 1


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `begins` to `ends` in the user's zone; over midnight when `ends` is the smaller."""

    begins: time
    ends: time


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    id: UserId
    name: str = ""
    zone: str = "Asia/Shanghai"
    language: str = "zh"
    context: Mapping[str, Any] = field(default_factory=dict)
    """What is worth remembering when we speak to them: habits, preferences."""
    quiet: QuietHours | None = None
    created_at: datetime | None = None
    version: int = 1


class DeviceKind(StrEnum):
    XIAOZHI = "xiaozhi"
    MQTT = "mqtt"
    TELEGRAM = "telegram"
    CONSOLE_CHAT = "chat"
    BROWSER = "browser"
    TERMINAL = "terminal"
    WEBHOOK = "webhook"
    NOTIFY = "notify"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    id: DeviceId
    user_id: UserId | None
    """None until somebody has claimed it."""
    kind: DeviceKind
    name: str = ""
    address: str = ""
    """What its driver needs: a chat id, an MQTT client id, an Apprise address."""
    order: int = 0
    """Which of a user's devices is tried first: the smallest."""
    online: bool = False
    last_seen: datetime | None = None
    offline_since: datetime | None = None
    proved_at: datetime | None = None
    """When it last said something to its end, or somebody answered on it."""
    quiet: QuietHours | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What it told about itself: firmware, board, tools."""
    enabled: bool = True
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """Who is told when nobody confirmed: one rung of a user's ladder."""

    id: ContactId
    user_id: UserId
    name: str
    address: str
    """`device:<id>`, `chat:<id>`, or any Apprise address."""
    order: int = 0
    delay: int = 0
    """Seconds after the contact before."""
    version: int = 1


@dataclass(frozen=True, slots=True)
class Household:
    """Whom a reminder can reach: the user, their enabled devices in order, their contacts."""

    user: User
    devices: Sequence[Device] = ()
    contacts: Sequence[Contact] = ()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a long list. `next_cursor` asks for the part after it; None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None = None
