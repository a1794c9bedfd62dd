"""A decision as a value: everything it writes at once, and the effects that follow."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NewType, Protocol, TypeAlias
from zoneinfo import ZoneInfo

from clarion.base.events import Event
from clarion.base.ids import ContactId, DeviceId, ReminderId, TaskId, UserId, new_id
from clarion.people.errors import NoSuchDevice
from clarion.people.model import (
    Actor,
    Contact,
    Device,
    Household,
    PersonAbsence,
    QuietHours,
    Rotation,
    User,
)
from clarion.reminders.events import ReminderCreated
from clarion.reminders.model import FINAL, MOVES, Reminder, ReminderStatus, Series
from clarion.tasks.model import Level, Queue, Task

RingId = NewType("RingId", str)
"""`<reminder id>:<number of the ring>`: told at most once in a device's session."""
CALL = "call:"
"""So begins the id of a ring at a contact: `call:<reminder id>@<contact id>@<round>`."""

RING = "reminder.ring"
DEADLINE = "reminder.deadline"
ESCALATE = "reminder.escalate"
INFORM = "reminder.inform"
ROUND = "reminder.round"
RECEIPT = "reminder.receipt"
TEST_CONTACT = "reminder.test_contact"
DIGEST = "reminder.digest"


def reminder_of(ring_id: RingId) -> ReminderId:
    return ReminderId(ring_id.rpartition(":")[0])


def call_id(reminder_id: str, contact_id: str, number: int) -> RingId:
    return RingId(f"{CALL}{reminder_id}@{contact_id}@{number}")


def is_call(ring_id: str) -> bool:
    return ring_id.startswith(CALL)


def parts_of_call(ring_id: str) -> tuple[ReminderId, ContactId, int]:
    reminder_id, contact_id, number = ring_id.removeprefix(CALL).split("@")
    return ReminderId(reminder_id), ContactId(contact_id), int(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class RingFacts:
    """One attempt on one device, and the four facts about it, each when it happened."""

    id: RingId
    reminder_id: ReminderId
    user_id: UserId
    number: int
    attempt: int
    device_id: DeviceId
    text: str
    answer_by: datetime
    fired_at: datetime
    sent_at: datetime | None = None
    """A messenger took it; whether it arrived is not known."""
    delivered_at: datetime | None = None
    heard_at: datetime | None = None
    answered_at: datetime | None = None
    unreachable_at: datetime | None = None
    label: str = ""
    """What the answer meant: CONFIRMED, DENIED, UNCLEAR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldContact:
    """A contact who was told of a reminder, and what they said to it."""

    contact_id: ContactId
    told_at: datetime
    said: str | None = None
    """`took` or `cannot`; None while they have said nothing."""
    said_at: datetime | None = None
    until: datetime | None = None
    """For `took`: until then nobody else is told."""
    round: int = 1
    """In which round of the ladder they were last told."""
    delivered_at: datetime | None = None
    """It arrived at their device: known only where the way tells."""
    opened_at: datetime | None = None
    """They have looked at it: opened the page, touched the notification, heard it."""
    through: str = ""
    """By which way they answered: `page`, `chat`, `ntfy`, `push`, `device`, …"""


@dataclass(frozen=True, slots=True)
class BeginRing:
    """Ask the channel to ring. Repeated after a crash; the channel rings once."""

    facts: RingFacts
    reminder: Reminder
    device: Device
    user: User
    late: timedelta | None = None
    """None when it is on time."""


@dataclass(frozen=True, slots=True)
class Hush:
    device_id: DeviceId
    ring_id: RingId


Effect: TypeAlias = BeginRing | Hush


@dataclass(frozen=True, slots=True)
class CallContact:
    """Whom to tell about which reminder, as both were while the reminder was locked."""

    contact: Contact
    reminder: Reminder
    user: User


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """All of it is written, or nothing. A record of version 1 is new; any other one replaces
    the version before it. `drop` are keys of tasks that are no longer needed.
    """

    reminders: tuple[Reminder, ...] = ()
    series: tuple[Series, ...] = ()
    begun: tuple[RingFacts, ...] = ()
    """New rings."""
    rings: tuple[RingFacts, ...] = ()
    """What became known about rings that were begun before."""
    told: tuple[tuple[ReminderId, ToldContact], ...] = ()
    """Who was told; in a new round their earlier answer is over."""
    said: tuple[tuple[ReminderId, ToldContact], ...] = ()
    """What contacts said who had been told."""
    proved: tuple[DeviceId, ...] = ()
    """Devices that were heard to the end, or answered on."""
    reached: tuple[ContactId, ...] = ()
    """Contacts who answered a test."""
    tasks: tuple[Task, ...] = ()
    drop: tuple[str, ...] = ()
    moved: tuple[tuple[str, Task], ...] = ()
    """The key of a task that is no longer needed, and the one that takes its place."""
    drop_waiting: tuple[str, ...] = ()
    """Keys of tasks that need not begin; what runs just now, or was cut off, comes to its end."""
    events: tuple[Event, ...] = ()
    effects: tuple[Effect, ...] = ()
    outcome: str = ""
    """What it led to, for whoever asked."""
    retry_at: datetime | None = None
    """Nothing could be decided yet: look again then."""
    call: CallContact | None = None
    """The contact who is told next. Nothing is written about it before they were."""
    before: Reminder | None = None
    """The reminder as it was found; the store fills it in."""
    series_before: Series | None = None

    @property
    def after(self) -> Reminder:
        """The reminder after the decision."""
        assert self.before is not None, "this decision was not about one reminder"
        same = (one for one in self.reminders if one.id == self.before.id)
        return next(same, self.before)

    def __add__(self, other: "Decision") -> "Decision":
        return Decision(
            reminders=self.reminders + other.reminders,
            series=self.series + other.series,
            begun=self.begun + other.begun,
            rings=self.rings + other.rings,
            told=self.told + other.told,
            said=self.said + other.said,
            proved=self.proved + other.proved,
            reached=self.reached + other.reached,
            tasks=self.tasks + other.tasks,
            drop=self.drop + other.drop,
            moved=self.moved + other.moved,
            drop_waiting=self.drop_waiting + other.drop_waiting,
            events=self.events + other.events,
            effects=self.effects + other.effects,
            outcome=self.outcome or other.outcome,
            retry_at=self.retry_at or other.retry_at,
            call=self.call or other.call,
        )


NOTHING = Decision()


class LockedReminder(Protocol):
    """What a decision may look at: one consistent view, its reminder locked until the end."""

    @property
    def reminder(self) -> Reminder: ...
    @property
    def series(self) -> Series | None:
        """The series of the reminder, or the one that is being changed; locked as well."""
        ...

    @property
    def current(self) -> Reminder | None:
        """The last reminder of the series, if it has not rung yet."""
        ...

    @property
    def unfinished(self) -> Sequence[Reminder]:
        """The series' reminders that are not over: waiting, ringing, snoozed, asking again."""
        ...

    @property
    def user(self) -> User: ...
    @property
    def devices(self) -> Sequence[Device]:
        """The user's enabled devices, in the order of use."""
        ...

    @property
    def contacts(self) -> Sequence[Contact]:
        """The contacts who may be told, the first step first. Who is called now: `ladder_now`."""
        ...

    @property
    def rotations(self) -> Sequence[Rotation]:
        """The rotations in which contacts take turns."""
        ...

    @property
    def ring(self) -> RingFacts | None:
        """The newest ring of the reminder."""
        ...

    @property
    def waiting(self) -> Sequence[Reminder]:
        """The user's held and missed reminders that were in no digest yet."""
        ...

    def last_ring_on(self, device_id: DeviceId) -> datetime | None:
        """When the device last rang and could be reached."""
        ...

    def series_rang_at(self, before: datetime) -> datetime | None:
        """The last time until then that a reminder of the series rang."""
        ...

    @property
    def told(self) -> Sequence[ToldContact]:
        """Who was told of the reminder, the first one first."""
        ...


Decide: TypeAlias = Callable[[LockedReminder], Decision]


def changed(
    reminder: Reminder, now: datetime, status: ReminderStatus, **fields: object
) -> Reminder:
    """The next version of it. Only moves of the table are allowed."""
    assert status in MOVES[reminder.status], f"{reminder.status} cannot become {status}"
    if status in FINAL:
        fields = {"ended_at": now, "answer_by": None, "unreached_since": None, **fields}
    return replace(reminder, status=status, version=reminder.version + 1, **fields)  # type: ignore[arg-type]  # named by the callers above


def ring_key(reminder: Reminder) -> str:
    """One key for one plan: after a snooze the old task has no effect."""
    return f"ring:{reminder.id}:{reminder.attempt}:{reminder.trigger_at.timestamp():.6f}"


def ring_task(reminder: Reminder, now: datetime) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=RING,
        due_at=reminder.trigger_at,
        payload={"reminder": reminder.id},
        base=reminder.base,
        queue=Queue.RETRIES if reminder.attempt else Queue.REMINDERS,
        key=ring_key(reminder),
        source=f"user:{reminder.user_id}",
    )


def created(reminder: Reminder) -> ReminderCreated:
    return ReminderCreated(
        subject=reminder.id,
        user=reminder.user_id,
        content=reminder.content,
        trigger_at=reminder.trigger_at,
        confirm=reminder.confirmation.required,
        base=reminder.base,
        by=reminder.created_by,
        series=reminder.series_id,
    )


def planned(reminder: Reminder, now: datetime) -> Decision:
    """A new reminder with the task that will ring it."""
    return Decision(
        reminders=(reminder,), tasks=(ring_task(reminder, now),), events=(created(reminder),)
    )


def deadline_key(reminder: Reminder) -> str:
    by = reminder.answer_by.timestamp() if reminder.answer_by else 0
    return f"deadline:{reminder.id}:{reminder.attempt}:{by:.6f}"


def deadline_task(reminder: Reminder, now: datetime) -> Task:
    assert reminder.answer_by is not None, "only what waits has a deadline"
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=DEADLINE,
        due_at=reminder.answer_by,
        payload={"reminder": reminder.id},
        base=reminder.base,
        queue=Queue.RETRIES,
        key=deadline_key(reminder),
        source=f"user:{reminder.user_id}",
    )


def deadline_moves(before: Reminder, after: Reminder, now: datetime) -> Decision:
    """The deadline of what rings, from the one instant to the other."""
    task = deadline_task(after, now)
    if before.answer_by == after.answer_by:
        return Decision(tasks=(task,))  # changes nothing while it waits
    return Decision(moved=((deadline_key(before), task),))


def open_keys(reminder: Reminder) -> tuple[str, ...]:
    """The keys of the tasks that wait for the reminder in its present state."""
    if reminder.status is ReminderStatus.PENDING:
        return (ring_key(reminder),)
    if reminder.status is ReminderStatus.TRIGGERED:
        return (deadline_key(reminder),)
    return ()


DAY = timedelta(days=1)
ABSENCE_CHECKED_EVERY = timedelta(minutes=15)
"""How soon it is noticed that somebody came back early."""


def known_device(scene: LockedReminder, device_id: DeviceId | None) -> None:
    if device_id is not None and all(device.id != device_id for device in scene.devices):
        raise NoSuchDevice(device_id)


def household_of(scene: LockedReminder) -> Household:
    """Whom a reminder of this user can reach."""
    ladder = scene.contacts
    return Household(scene.user, scene.devices, ladder, scene.rotations if ladder else ())


def is_explicit(actor: Actor, user: User, at: datetime) -> bool:
    """The user has chosen an instant inside their own quiet hours."""
    chosen = actor.user_id == user.id
    return chosen and quiet_until(user.quiet, ZoneInfo(user.zone), at) is not None


def quiet_until(quiet: QuietHours | None, zone: ZoneInfo, at: datetime) -> datetime | None:
    """When the quiet hours end, if `at` is inside; else None. `begins == ends`: never quiet."""
    if quiet is None or quiet.begins == quiet.ends:
        return None
    today = at.astimezone(zone).date()
    for day in (today - DAY, today):  # the night that began yesterday may still last
        begins = datetime.combine(day, quiet.begins, zone)
        last_day = day if quiet.ends > quiet.begins else day + DAY
        ends = datetime.combine(last_day, quiet.ends, zone)
        if begins <= at < ends:
            return ends
    return None


def waits(reminder: Reminder) -> bool:
    """Only plain reminders wait, and not those that the user set inside the quiet hours."""
    critical = reminder.base >= Level.CRITICAL
    return not (critical or reminder.confirmation.required or reminder.explicit)


def held_until(
    reminder: Reminder, user: User, candidates: Iterable[Device], at: datetime
) -> datetime | None:
    """The end of the user's quiet hours, or of those of all devices that it could use."""
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


def next_absence_check(absence: PersonAbsence, now: datetime) -> datetime:
    """Rounded to a quarter of an hour, so that all waiting reminders are looked at together."""
    size = ABSENCE_CHECKED_EVERY.total_seconds()
    soon = datetime.fromtimestamp((now.timestamp() // size + 1) * size, now.tzinfo)
    return min(absence.ends or soon, soon)
