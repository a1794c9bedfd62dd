"""How a ring ends when nobody confirmed it: asked again, looked for again, given up. Pure."""

from datetime import datetime, timedelta

from clarion.reminders.decisions import escalation
from clarion.reminders.decisions.decision import (
    NOTHING,
    Decision,
    LockedReminder,
    changed,
    deadline_key,
    ring_task,
)
from clarion.reminders.decisions.moves import hushed
from clarion.reminders.decisions.series import goes_on
from clarion.reminders.events import (
    ReminderCompleted,
    ReminderFailed,
    ReminderRetried,
    ReminderTimedOut,
    ReminderWaits,
)
from clarion.reminders.model import Patience, Reminder, ReminderStatus


def retry(scene: LockedReminder, now: datetime, why: str) -> Decision:
    """Pending again in the retry interval; the next ring has a firmer tone."""
    reminder = scene.reminder
    at = now + timedelta(seconds=reminder.confirmation.retry_interval)
    after = changed(
        reminder,
        now,
        ReminderStatus.PENDING,
        trigger_at=at,
        answer_by=None,
        tried=(),
        asked_again=False,
        promised_at=None,
        checked=0,
    )
    event = ReminderRetried(
        subject=reminder.id, user=reminder.user_id, attempt=reminder.attempt, next_at=at, why=why
    )
    return Decision(
        reminders=(after,),
        drop=waiting_deadline(reminder, now),
        tasks=(ring_task(after, now),),
        events=(event,),
        effects=hushed(scene),
        outcome="denied",
    )


def give_up(scene: LockedReminder, now: datetime, reason: str) -> Decision:
    """Nobody confirmed after all attempts: the contacts are told."""
    reminder = scene.reminder
    after = changed(reminder, now, ReminderStatus.TIMEOUT, reason=reason)
    event = ReminderTimedOut(
        subject=reminder.id, user=reminder.user_id, attempt=reminder.attempt, reason=reason
    )
    ended = Decision(
        reminders=(after,),
        drop=waiting_deadline(reminder, now),
        events=(event,),
        effects=hushed(scene),
        outcome="timeout",
    )
    return ended + ladder(scene, after, now)


def ladder(scene: LockedReminder, after: Reminder, now: datetime) -> Decision:
    return escalation.begin(scene, after, now)


def complete(scene: LockedReminder, now: datetime, how: str) -> Decision:
    reminder = scene.reminder
    after = changed(reminder, now, ReminderStatus.COMPLETED)
    event = ReminderCompleted(subject=reminder.id, user=reminder.user_id, how=how)
    return Decision(
        reminders=(after,),
        drop=waiting_deadline(reminder, now),
        events=(event,),
        effects=hushed(scene) if how == "told" else (),
        outcome="completed",
    )


def unreached(scene: LockedReminder, now: datetime, patience: Patience) -> Decision:
    """No device can be reached: look again later, and give up after too long."""
    reminder = scene.reminder
    since = min(reminder.unreached_since or now, now)  # the clock may have been set back
    if now - since >= patience.offline or reminder.is_test:
        return _fail(scene, now)
    was_ringing = reminder.status is ReminderStatus.TRIGGERED
    after = changed(
        reminder,
        now,
        ReminderStatus.PENDING,
        trigger_at=now + patience.look_again,
        unreached_since=since,
        # A ring that no device took is not an attempt: the next one is equally gentle.
        attempt=reminder.attempt - was_ringing,
        answer_by=None,
        tried=(),
    )
    event = ReminderWaits(
        subject=reminder.id, user=reminder.user_id, since=since, next_at=after.trigger_at
    )
    waits = Decision(
        reminders=(after,),
        tasks=(ring_task(after, now),),
        events=(event,) if reminder.unreached_since is None else (),
        outcome="waits",
    )
    return waits if was_ringing else waits + goes_on(scene, now)


def fail_test(scene: LockedReminder, now: datetime) -> Decision:
    """The contact could not be told: the test is over, and its history says why."""
    reminder = scene.reminder
    if reminder.status is not ReminderStatus.TRIGGERED:
        return NOTHING
    return _fail(scene, now, "not_told") + Decision(drop=waiting_deadline(reminder, now))


def _fail(scene: LockedReminder, now: datetime, reason: str = "") -> Decision:
    reminder = scene.reminder
    reason = reason or ("device_offline_too_long" if scene.devices else "no_device")
    after = changed(reminder, now, ReminderStatus.FAILED, reason=reason)
    event = ReminderFailed(
        subject=reminder.id,
        user=reminder.user_id,
        reason=reason,
        confirm=reminder.confirmation.required,
    )
    failed = Decision(reminders=(after,), events=(event,), outcome="failed")
    return failed + ladder(scene, after, now) + goes_on(scene, now)


def waiting_deadline(reminder: Reminder, now: datetime) -> tuple[str, ...]:
    """The deadline that still waits. A due one is running: it makes this decision."""
    waits = reminder.answer_by is not None and reminder.answer_by > now
    return (deadline_key(reminder),) if waits else ()
