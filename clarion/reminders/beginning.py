"""One ring begins: its number, its words, and the deadline by which a device must have it. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.base.events import Event
from clarion.language.phrasing import check_back, phrase
from clarion.reminders.change import (
    BeginRing,
    Change,
    RingFacts,
    RingId,
    Scene,
    deadline_task,
)
from clarion.reminders.events import (
    PromiseChecked,
    ReminderReached,
    ReminderTriggered,
    RingMoved,
)
from clarion.reminders.model import Device, Reminder, ReminderStatus, User
from clarion.reminders.patience import Patience, wait_of


def begin(
    scene: Scene,
    device: Device,
    now: datetime,
    patience: Patience,
    *,
    attempt: int,
    checked: int = 0,
) -> Change:
    """A ring on this device, with the deadline by which it must have taken it.

    `checked`: the ring asks for so many-th time what became of a promise.
    """
    reminder, user = scene.reminder, scene.user
    promised = reminder.unreached_since or reminder.trigger_at
    delay = now - promised
    late = delay if attempt == 1 and delay >= patience.late else None
    after = replace(
        reminder,
        status=ReminderStatus.TRIGGERED,
        version=reminder.version + 1,
        attempt=attempt,
        rings=reminder.rings + 1,
        tried=(*(reminder.tried if not checked else ()), device.id),
        answer_by=now + patience.wake,
        asked_again=False,
        checked=checked or reminder.checked,
    )
    facts = RingFacts(
        id=RingId(f"{reminder.id}:{after.rings}"),
        reminder_id=reminder.id,
        user_id=reminder.user_id,
        number=after.rings,
        attempt=attempt,
        device_id=device.id,
        text=words_of(after, user, now, late),
        answer_by=now + patience.wake + wait_of(reminder, patience),
        fired_at=now,
    )
    # Looking for a device that is away is no call: it is told when one has taken it.
    told = () if reminder.unreached_since else (called(reminder, facts, delay, checked),)
    return Change(
        reminders=(after,),
        begun=(facts,),
        tasks=(deadline_task(after, now),),
        events=told,
        effects=(BeginRing(facts, after, device, user, late),),
        outcome="rung",
    )


def called(reminder: Reminder, facts: RingFacts, delay: timedelta, checked: int = 0) -> Event:
    """`reminder` as it was before this ring."""
    if checked:
        return PromiseChecked(
            subject=reminder.id,
            user=reminder.user_id,
            ring=facts.id,
            device=facts.device_id,
            time=checked,
        )
    if facts.attempt == reminder.attempt:
        return RingMoved(
            subject=reminder.id,
            user=reminder.user_id,
            ring=facts.id,
            attempt=facts.attempt,
            device=facts.device_id,
        )
    return triggered(reminder, facts, delay)


def triggered(reminder: Reminder, facts: RingFacts, delay: timedelta) -> Event:
    return ReminderTriggered(
        subject=reminder.id,
        user=reminder.user_id,
        ring=facts.id,
        attempt=facts.attempt,
        device=facts.device_id,
        late=max(0.0, delay.total_seconds()),
        planned_at=reminder.planned_at or reminder.trigger_at,
    )


def reached(reminder: Reminder, facts: RingFacts) -> tuple[Event, ...]:
    """What is told when a device took it: nothing, unless it had been waited for."""
    since = reminder.unreached_since
    if since is None:
        return ()
    told = ReminderReached(
        subject=reminder.id,
        user=reminder.user_id,
        ring=facts.id,
        device=facts.device_id,
        since=since,
    )
    return triggered(reminder, facts, facts.fired_at - since), told


def words_of(reminder: Reminder, user: User, now: datetime, late: timedelta | None) -> str:
    if "digest" in reminder.context or reminder.is_test:
        return reminder.content  # whole sentences already
    if reminder.promised_at is not None and reminder.checked:
        return check_back(reminder.content, lang=user.language, seed=f"{reminder.checked}")
    return phrase(
        reminder.content,
        attempt=reminder.attempt,
        confirm=reminder.confirmation.required,
        name=user.name,
        lang=user.language,
        local_hour=now.astimezone(ZoneInfo(user.zone)).hour,
        late=late,
        seed=reminder.id,
    )
