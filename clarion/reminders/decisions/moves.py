"""What people do with a reminder: update, snooze, confirm, cancel it. Decisions, pure.

Each may be repeated: the second time changes nothing and writes nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from clarion.base.ids import DeviceId, ReminderId, new_id
from clarion.reminders.decisions.decision import (
    NOTHING,
    Decision,
    Effect,
    Hush,
    LockedReminder,
    changed,
    open_keys,
    planned,
    ring_task,
)
from clarion.reminders.decisions.escalation import called_off, how_it_ended, inform
from clarion.reminders.decisions.series import goes_on
from clarion.reminders.errors import NotPending, ReminderOver
from clarion.reminders.events import (
    ReminderCancelled,
    ReminderConfirmed,
    ReminderSnoozed,
    ReminderUpdated,
)
from clarion.reminders.model import DISTRESS, DONE, MOVES, Reminder, ReminderStatus

SNOOZED_LATE_WITHIN = timedelta(hours=1)
SNOOZED = "snoozed"
FRESH: Mapping[str, Any] = {
    "attempt": 0,
    "tried": (),
    "unreached_since": None,
    "asked_again": False,
    "answer_by": None,
    "held_until": None,
    "promised_at": None,
    "checked": 0,
}
"""A reminder that was given a new time begins anew."""


def confirm(
    scene: LockedReminder, now: datetime, by: str, contact: str = "", *, yes: str = DONE
) -> Decision:
    """Somebody says it is done: before it rang, while it rings, or long after it gave up.

    `yes` is stored as the reason of its end: `done` or only `heard`; a call for help keeps its own.
    Everybody who was told hears of it, except the `contact` who says so.
    """
    reminder = scene.reminder
    if reminder.status in {ReminderStatus.CONFIRMED, ReminderStatus.COMPLETED}:
        return NOTHING
    if ReminderStatus.CONFIRMED not in MOVES[reminder.status]:
        raise ReminderOver(reminder.id, reminder.status.value)
    late = reminder.is_final
    reason = DISTRESS if reminder.reason == DISTRESS else yes
    done = changed(
        reminder, now, ReminderStatus.CONFIRMED, confirmed_by=by, reason=reason, held_until=None
    )
    event = ReminderConfirmed(
        subject=reminder.id,
        user=reminder.user_id,
        by=by,
        attempt=reminder.attempt,
        late=late,
        confirm=reminder.confirmation.required,
        yes=yes,
    )
    confirmed = Decision(
        reminders=(done,),
        drop=open_keys(reminder),
        events=(event,),
        effects=hushed(scene),
        proved=_proved(scene),
        reached=(reminder.tests_contact,) if reminder.tests_contact else (),
        outcome="confirmed",
    )
    if late:
        confirmed += called_off(scene)
        confirmed += inform(scene, how_it_ended(reminder, contact), by, now, besides=contact)
    return confirmed + goes_on(scene, now)


def _proved(scene: LockedReminder) -> tuple[DeviceId, ...]:
    """A yes to a test, given anywhere, proves the device or contact that was tested."""
    ring = scene.ring
    if ring is None or ring.unreachable_at is not None or not scene.reminder.is_test:
        return ()
    return (ring.device_id,)


def cancel(scene: LockedReminder, now: datetime, by: str, reason: str = "") -> Decision:
    reminder = scene.reminder
    if reminder.status is ReminderStatus.CANCELLED:
        return NOTHING
    if reminder.is_final:
        raise ReminderOver(reminder.id, reminder.status.value)
    gone = changed(reminder, now, ReminderStatus.CANCELLED, reason=reason, held_until=None)
    event = ReminderCancelled(subject=reminder.id, user=reminder.user_id, by=by, reason=reason)
    return Decision(
        reminders=(gone,),
        drop=open_keys(reminder),
        events=(event,),
        effects=hushed(scene),
        outcome="cancelled",
    ) + goes_on(scene, now)


def snooze(scene: LockedReminder, now: datetime, until: datetime, by: str) -> Decision:
    """Pending at `until`, with all its attempts, also in quiet hours: the user asked for it."""
    reminder = scene.reminder
    if may_snooze_late(reminder, now):
        return snooze_late(scene, now, until, by)
    if reminder.is_final:
        raise ReminderOver(reminder.id, reminder.status.value)
    if reminder.status is ReminderStatus.PENDING and reminder.trigger_at == until:
        return NOTHING
    moved = changed(reminder, now, ReminderStatus.PENDING, trigger_at=until, explicit=True, **FRESH)
    event = ReminderSnoozed(subject=reminder.id, user=reminder.user_id, until=until, by=by)
    return Decision(
        reminders=(moved,),
        drop=open_keys(reminder),
        tasks=(ring_task(moved, now),),
        events=(event,),
        effects=hushed(scene),
        outcome="snoozed",
    ) + goes_on(scene, now)


def may_snooze_late(reminder: Reminder, now: datetime) -> bool:
    """It was told and ended only just now: people say "in ten minutes" a moment later."""
    just = reminder.ended_at is not None and now - reminder.ended_at <= SNOOZED_LATE_WITHIN
    over = reminder.status is ReminderStatus.COMPLETED
    return over and just and reminder.reason != SNOOZED


def snooze_late(scene: LockedReminder, now: datetime, until: datetime, by: str) -> Decision:
    """Set the same as a new reminder; the one that ended does not change. Once only."""
    reminder = scene.reminder
    event = ReminderSnoozed(subject=reminder.id, user=reminder.user_id, until=until, by=by)
    noted = replace(reminder, version=reminder.version + 1, reason=SNOOZED)
    later = once_more(reminder, until, now, by)
    return planned(later, now) + Decision(reminders=(noted,), events=(event,), outcome="snoozed")


def once_more(reminder: Reminder, until: datetime, now: datetime, by: str) -> Reminder:
    return Reminder(
        id=ReminderId(new_id("rem", now)),
        user_id=reminder.user_id,
        content=reminder.content,
        trigger_at=until,
        planned_at=until,
        created_at=now,
        device_id=reminder.device_id,
        context=reminder.context,
        confirmation=reminder.confirmation,
        base=reminder.base,
        explicit=True,
        created_by=by,
    )


def update(scene: LockedReminder, now: datetime, fields: Mapping[str, Any], by: str) -> Decision:
    """Other words, another time, another device: only while it is pending."""
    reminder = scene.reminder
    if reminder.status is not ReminderStatus.PENDING:
        raise NotPending(reminder.id, reminder.status.value)
    differs = {name: value for name, value in fields.items() if getattr(reminder, name) != value}
    if not differs:
        return NOTHING
    moves = "trigger_at" in differs
    values = {**differs, **FRESH} if moves else differs
    after = changed(reminder, now, ReminderStatus.PENDING, **values)
    if moves and reminder.series_id is None:
        after = replace(after, planned_at=after.trigger_at)
    event = ReminderUpdated(
        subject=reminder.id,
        user=reminder.user_id,
        changed=tuple(sorted(differs)),
        trigger_at=after.trigger_at,
        by=by,
    )
    made = Decision(reminders=(after,), events=(event,), outcome="updated")
    if moves or "base" in differs:
        made += Decision(drop=open_keys(reminder), tasks=(ring_task(after, now),))
    return made + goes_on(scene, now) if moves else made


def hushed(scene: LockedReminder) -> tuple[Effect, ...]:
    """Stop the device that is telling it now."""
    if scene.reminder.status is not ReminderStatus.TRIGGERED or scene.ring is None:
        return ()
    return (Hush(scene.ring.device_id, scene.ring.id),)
