"""What people do to a reminder: update, snooze, confirm, cancel it. Decisions, pure.

Each may be repeated: what is already so stays so, and nothing is written.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from clarion.base.ids import DeviceId, ReminderId, new_id
from clarion.language.needs import DONE
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
from clarion.reminders.model import DISTRESS, MOVES, Reminder, ReminderStatus

COMES_AGAIN = timedelta(hours=1)
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

    `yes` is kept as the reason of its end: `done`, or only `heard`; a cry for help stays one.
    Everybody who was told hears of it, besides the `contact` who says so.
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
    told = ReminderConfirmed(
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
        events=(told,),
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
    """Who says yes to a test, wherever they say it, has heard it where it was tried."""
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
    told = ReminderCancelled(subject=reminder.id, user=reminder.user_id, by=by, reason=reason)
    return Decision(
        reminders=(gone,),
        drop=open_keys(reminder),
        events=(told,),
        effects=hushed(scene),
        outcome="cancelled",
    ) + goes_on(scene, now)


def snooze(scene: LockedReminder, now: datetime, until: datetime, by: str) -> Decision:
    """Pending at `until`, with all its attempts again, and in quiet hours too: it was asked for."""
    reminder = scene.reminder
    if may_come_again(reminder, now):
        return come_again(scene, now, until, by)
    if reminder.is_final:
        raise ReminderOver(reminder.id, reminder.status.value)
    if reminder.status is ReminderStatus.PENDING and reminder.trigger_at == until:
        return NOTHING
    moved = changed(reminder, now, ReminderStatus.PENDING, trigger_at=until, explicit=True, **FRESH)
    told = ReminderSnoozed(subject=reminder.id, user=reminder.user_id, until=until, by=by)
    return Decision(
        reminders=(moved,),
        drop=open_keys(reminder),
        tasks=(ring_task(moved, now),),
        events=(told,),
        effects=hushed(scene),
        outcome="snoozed",
    ) + goes_on(scene, now)


def may_come_again(reminder: Reminder, now: datetime) -> bool:
    """It was told and is over, but only just: people say "in ten minutes" a moment later."""
    just = reminder.ended_at is not None and now - reminder.ended_at <= COMES_AGAIN
    over = reminder.status is ReminderStatus.COMPLETED
    return over and just and reminder.reason != SNOOZED


def come_again(scene: LockedReminder, now: datetime, until: datetime, by: str) -> Decision:
    """The same as a reminder of its own; the one that is over stays over. Once only."""
    reminder = scene.reminder
    told = ReminderSnoozed(subject=reminder.id, user=reminder.user_id, until=until, by=by)
    noted = replace(reminder, version=reminder.version + 1, reason=SNOOZED)
    again = once_more(reminder, until, now, by)
    return planned(again, now) + Decision(reminders=(noted,), events=(told,), outcome="snoozed")


def once_more(told: Reminder, until: datetime, now: datetime, by: str) -> Reminder:
    return Reminder(
        id=ReminderId(new_id("rem", now)),
        user_id=told.user_id,
        content=told.content,
        trigger_at=until,
        planned_at=until,
        created_at=now,
        device_id=told.device_id,
        context=told.context,
        confirmation=told.confirmation,
        base=told.base,
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
    told = ReminderUpdated(
        subject=reminder.id,
        user=reminder.user_id,
        changed=tuple(sorted(differs)),
        trigger_at=after.trigger_at,
        by=by,
    )
    made = Decision(reminders=(after,), events=(told,), outcome="updated")
    if moves or "base" in differs:
        made += Decision(drop=open_keys(reminder), tasks=(ring_task(after, now),))
    return made + goes_on(scene, now) if moves else made


def hushed(scene: LockedReminder) -> tuple[Effect, ...]:
    """The device that is telling it now stops."""
    if scene.reminder.status is not ReminderStatus.TRIGGERED or scene.ring is None:
        return ()
    return (Hush(scene.ring.device_id, scene.ring.id),)
