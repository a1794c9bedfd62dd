"""Reminders held by quiet hours or an absence, or missed by downtime, told as one. Pure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from clarion.base.ids import ReminderId, TaskId, new_id
from clarion.people.model import PersonAbsence
from clarion.reminders import words
from clarion.reminders.decisions import escalation
from clarion.reminders.decisions.decision import (
    DIGEST,
    NOTHING,
    Decision,
    LockedReminder,
    changed,
    next_absence_check,
    planned,
    ring_task,
)
from clarion.reminders.decisions.series import goes_on
from clarion.reminders.events import (
    DigestMade,
    ReminderCancelled,
    ReminderCompleted,
    ReminderFailed,
    ReminderHeld,
)
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.tasks.model import Level, Task

GATHER = timedelta(seconds=30)  # after a start, until all that was missed is known


def hold(scene: LockedReminder, now: datetime, until: datetime) -> Decision:
    """Hold it during quiet hours; it is told when they end, together with all that was held."""
    reminder = scene.reminder
    after = changed(
        reminder,
        now,
        ReminderStatus.PENDING,
        held_until=until,
        trigger_at=until,
        unreached_since=None,
        tried=(),
    )
    event = ReminderHeld(subject=reminder.id, user=reminder.user_id, until=until)
    held = Decision(
        reminders=(after,),
        tasks=(digest_task(after, now),),
        events=(event,),
        outcome="held",
    )
    return held + goes_on(scene, now)


def leave_out(scene: LockedReminder, absence: PersonAbsence, now: datetime) -> Decision:
    """It is due while they are away. A series goes on afterwards; others are told afterwards."""
    reminder = scene.reminder
    if reminder.series_id is None:
        return hold(scene, now, next_absence_check(absence, now))
    gone = changed(reminder, now, ReminderStatus.CANCELLED, reason="absence")
    event = ReminderCancelled(
        subject=reminder.id, user=reminder.user_id, by="clarion", reason="absence"
    )
    left_out = Decision(reminders=(gone,), events=(event,), outcome="left_out")
    return left_out + goes_on(scene, now)


def miss(scene: LockedReminder, now: datetime) -> Decision:
    """Too long overdue to ring: a notice instead, and contacts are told if it needed a yes."""
    reminder = scene.reminder
    at = datetime.fromtimestamp(-(-(now + GATHER).timestamp() // 60) * 60, UTC)  # a full minute
    after = changed(reminder, now, ReminderStatus.FAILED, reason="missed", held_until=at)
    event = ReminderFailed(
        subject=reminder.id,
        user=reminder.user_id,
        reason="missed",
        confirm=reminder.confirmation.required,
    )
    missed = Decision(
        reminders=(after,),
        tasks=(digest_task(after, now),),
        events=(event,),
        outcome="missed",
    )
    if reminder.confirmation.required:
        missed += escalation.begin(scene, after, now)
    return missed + goes_on(scene, now)


def digest_task(held: Reminder, now: datetime) -> Task:
    """One task for all reminders of a user that are held until the same moment."""
    at = held.held_until
    assert at is not None, "only what is held is gathered"
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=DIGEST,
        due_at=at,
        payload={"user": held.user_id},
        base=Level.NORMAL,
        key=f"digest:{held.user_id}:{at.timestamp():.0f}",
        source=f"user:{held.user_id}",
    )


def _hold_on(scene: LockedReminder, now: datetime, until: datetime) -> Decision:
    """They are still away: tell it later."""
    later = [replace(one, held_until=until, version=one.version + 1) for one in _due(scene, now)]
    tasks = (digest_task(later[0], now),) if later else ()
    return Decision(reminders=tuple(later), tasks=tasks)


def _due(scene: LockedReminder, now: datetime) -> list[Reminder]:
    return [one for one in scene.waiting if one.held_until is not None and one.held_until <= now]


def gather(scene: LockedReminder, now: datetime) -> Decision:
    """Tell all waiting reminders as one. Those that need a yes ring by themselves, and so does a
    single held one.
    """
    absence = scene.user.absence
    if absence is not None and absence.covers(now):
        return _hold_on(scene, now, next_absence_check(absence, now))
    due = _due(scene, now)
    pending = [one for one in due if one.status is ReminderStatus.PENDING]
    asks = [one for one in pending if one.confirmation.required]
    held = [one for one in pending if not one.confirmation.required]
    missed = [one for one in due if one.status is ReminderStatus.FAILED]
    alone = held if len(held) == 1 and not missed else []
    rings = sum((_release(one, now) for one in (*asks, *alone)), NOTHING)
    if not missed and len(held) < 2:
        return rings
    return rings + _told_as_one(scene, held, missed, now)


def _told_as_one(
    scene: LockedReminder, held: list[Reminder], missed: list[Reminder], now: datetime
) -> Decision:
    due = [*held, *missed]
    notice = Reminder(
        id=ReminderId(new_id("rem", now)),
        user_id=due[0].user_id,
        content=words.digest(scene.user, held, missed, now),
        trigger_at=now,
        planned_at=now,
        created_at=now,
        context={"digest": [one.id for one in due]},
        created_by="clarion",
    )
    made = DigestMade(
        subject=notice.id,
        user=notice.user_id,
        held=tuple(one.id for one in held),
        missed=tuple(one.id for one in missed),
    )
    change = planned(notice, now) + Decision(events=(made,))
    for one in held:
        done = changed(one, now, ReminderStatus.COMPLETED, reason="digest", held_until=None)
        event = ReminderCompleted(subject=one.id, user=one.user_id, how="digest")
        change += Decision(reminders=(done,), events=(event,))
    for one in missed:
        change += Decision(reminders=(replace(one, held_until=None, version=one.version + 1),))
    return change


def _release(reminder: Reminder, now: datetime) -> Decision:
    after = changed(reminder, now, ReminderStatus.PENDING, held_until=None, trigger_at=now)
    return Decision(reminders=(after,), tasks=(ring_task(after, now),))
