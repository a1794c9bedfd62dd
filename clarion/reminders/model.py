"""What a reminder is and which moves it may make. Plain values: no clock, no store."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from clarion.base.ids import ContactId, DeviceId, ReminderId, SeriesId, UserId
from clarion.language.medicine import is_taken
from clarion.people.model import Device, EscalationPolicy, User
from clarion.tasks.model import Level


class ReminderStatus(StrEnum):
    PENDING = "pending"
    TRIGGERED = "triggered"
    CONFIRMED = "confirmed"
    COMPLETED = "completed"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    FAILED = "failed"


TEST = "tst_"
DISTRESS = "distress"
"""The reason of a reminder that stands for a cry for help, also when it was taken back."""
TESTED_CONTACT = "tested_contact"
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
    # A late yes still counts: a grandmother answers after her daughter was told.
    ReminderStatus.TIMEOUT: frozenset({ReminderStatus.CONFIRMED}),
    ReminderStatus.FAILED: frozenset({ReminderStatus.CONFIRMED}),
    ReminderStatus.CONFIRMED: frozenset(),
    ReminderStatus.COMPLETED: frozenset(),
    ReminderStatus.CANCELLED: frozenset(),
}


# Which yes a task needs: that it was heard, or that it is done.
HEARD, DONE = "heard", "done"
_SAYS_DONE = re.compile(
    r"(?:确认|问|看|确保|保证|直到|等|跟我说|告诉你|盯)(?:一下|着|下|到)?(?:我|她|他)?(?:是不是|有没有)?[^，,。]{0,6}"
    r"(?:了没|了吗|没[有吃做]|吃了|做了|做完|完成|办完|喝了|吃完|吃下)|"
    r"[完好过](?:了|之后|以后)?(?:再|就|要|会|得|必须|记得|我)*(?:告诉|跟|和)(?:我|你)(?:说|讲|一声)?|"
    r"[完好](?:了)?才(?:算|停|行)|\b(?:until|till|unless) it(?:'?s|'?s been| is| has been)"
    r"(?: actually| really)? (?:done|finished|taken)\b|"
    r"\b(?:tell|let) you (?:know )?(?:when|once|after|that) (?:it'?s|it is|i'?m|i am|i'?ve|i have) "
    r"\w+|"
    r"\b(?:until|till|unless) i(?:'ve| have)?(?: actually| really)? (?:say |tell you )?"
    r"(?:it'?s |i'?m |that it'?s )?(?:done|finished|taken|did|do|took|have taken|have done)\b|"
    r"\bmake sure (?:that )?i(?:'ve| have)?(?: actually| really)? "
    r"(?:did|do|done|take|took|taken|have)\b|"
    r"\bcheck (?:that |whether |if )i(?:'ve| have)? ",
    re.IGNORECASE,
)


def needs_of(content: str, said: str = "") -> str:
    """`done` or `heard`, for a task and the sentence in which it was asked for."""
    if _SAYS_DONE.search(said):
        return DONE
    return DONE if is_taken(content) else HEARD


TITLES = (  # requests without a content of their own
    (re.compile(r"起床|叫醒|\bwake\b", re.IGNORECASE), {"zh": "起床", "en": "wake up"}),
    (re.compile(r"闹[钟鐘铃]|\balarm\b", re.IGNORECASE), {"zh": "闹钟", "en": "alarm"}),
    (
        re.compile(
            r"计时|計時|定时|[叫喊]我|[叫喊]一[下声]|"
            r"\b(?:timer|countdown|call me|(?:shout|nudge|buzz|ping|bell))\b",
            re.IGNORECASE,
        ),
        {"zh": "时间到了", "en": "time's up"},
    ),
)
CLOCKS = frozenset(word for _, titles in TITLES for word in titles.values())
"""Contents of alarms and timers: they say no more than that it is time."""


@dataclass(frozen=True, slots=True)
class ConfirmationConfig:
    """Whether somebody has to say yes, and how often and how long we ask. Times in seconds."""

    required: bool = False
    timeout: int = 300
    retry_interval: int = 60
    max_retries: int = 3
    confirm_keywords: tuple[str, ...] = ()
    needs: str = ""
    """Which yes counts: `heard` (done or aware) or `done`. Empty: as its task needs it."""
    escalation: EscalationPolicy | None = None
    """How contacts are told of it; None: as the person has it."""


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
    def to_do(self) -> str:
        """What an answer is about. A test asks only for an answer: its text, which says what to
        answer, must not count as the thing to do.
        """
        return "" if self.is_test else self.content

    @property
    def is_test(self) -> bool:
        """A trial of one device or contact; nobody else is told."""
        return self.id.startswith(TEST)

    @property
    def tests_contact(self) -> ContactId | None:
        """The contact whose answer to a test proves that they can be reached."""
        named = self.context.get(TESTED_CONTACT) if self.is_test else None
        return ContactId(named) if named else None


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


def in_order(reminder: Reminder, devices: Sequence[Device]) -> list[Device]:
    """The requested device first, then the user's others; a test uses one device only."""
    if reminder.is_test:
        return [one for one in devices if one.id == reminder.device_id]
    return sorted(devices, key=lambda one: one.id != reminder.device_id)


def policy_of(user: User, reminder: Reminder) -> EscalationPolicy:
    """The reminder's own, else the person's."""
    return reminder.confirmation.escalation or user.escalation or USUAL_POLICY


USUAL_POLICY = EscalationPolicy()
PATIENCE = Patience()
