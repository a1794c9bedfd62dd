"""Decides how a due reminder rings: which device, until when to wait, or hold, or miss. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.base.events import Event
from clarion.language.phrasing.words import check_back, phrase
from clarion.people.model import Device, User
from clarion.reminders.decisions import digest as digests
from clarion.reminders.decisions import escalation, series
from clarion.reminders.decisions.decision import (
    NOTHING,
    BeginRing,
    Decision,
    Hush,
    LockedReminder,
    RingFacts,
    RingId,
    changed,
    deadline_key,
    deadline_task,
    held_until,
    loud,
    pausing,
    ring_key,
    ring_task,
)
from clarion.reminders.decisions.endings import (
    complete,
    give_up,
    retry,
    unreached,
    waiting_deadline,
)
from clarion.reminders.events import (
    PromiseChecked,
    ReminderReached,
    ReminderTriggered,
    RingDelivered,
    RingHeard,
    RingMoved,
    RingSent,
    RingUnreachable,
)
from clarion.reminders.model import Patience, Reminder, ReminderStatus, in_order, wait_of
from clarion.tasks.model import Level


def begin(
    scene: LockedReminder,
    device: Device,
    now: datetime,
    patience: Patience,
    *,
    attempt: int,
    checked: int = 0,
) -> Decision:
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
    return Decision(
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


CHECKS_MAX = 2
"""How often a promise is asked about before it goes on as if nobody had answered."""


def fire(
    scene: LockedReminder, now: datetime, patience: Patience, *, on: Device | None = None
) -> Decision:
    """A pending reminder is due; or, with `on`, a device appeared that can take it early."""
    reminder = scene.reminder
    if reminder.status is not ReminderStatus.PENDING or reminder.held_until is not None:
        return NOTHING
    if on is None and reminder.trigger_at > now:
        return NOTHING  # it was snoozed; a task of its own waits for the new time
    absence = pausing(reminder, scene.user, now)
    if absence is not None:
        return digests.leave_out(scene, absence, now)
    if now - reminder.trigger_at > patience.missed:
        return digests.miss(scene, now)
    candidates = in_order(reminder, scene.devices) if on is None else [on]
    quiet = held_until(reminder, scene.user, candidates, now)
    if quiet is not None:
        return digests.hold(scene, now, quiet)
    zone = ZoneInfo(scene.user.zone)
    device = next(iter(loud(candidates, reminder, zone, now)), None)
    if device is None:
        return unreached(scene, now, patience)
    free_at = _free_at(scene, device, now, patience)
    if free_at > now and reminder.base < Level.CRITICAL:
        return Decision(again=free_at) if on is None else _soon(scene, free_at, now)
    begun = begin(scene, device, now, patience, attempt=reminder.attempt + 1)
    # A task that is running now is not dropped: it is the one that carries out the ring.
    plan = Decision(drop=(ring_key(reminder),)) if on is not None else NOTHING
    return begun + plan + series.goes_on(scene, now)


def _soon(scene: LockedReminder, at: datetime, now: datetime) -> Decision:
    """The device is there, and has just been told something else."""
    reminder = scene.reminder
    if reminder.trigger_at <= at:
        return NOTHING
    after = changed(reminder, now, ReminderStatus.PENDING, trigger_at=at)
    return Decision(reminders=(after,), drop=(ring_key(reminder),), tasks=(ring_task(after, now),))


def take(scene: LockedReminder, device: Device, now: datetime, patience: Patience) -> Decision:
    """A session of this device just opened: begin what waits for it."""
    reminder, ring = scene.reminder, scene.ring
    if reminder.status is ReminderStatus.PENDING and reminder.unreached_since is not None:
        return fire(scene, now, patience, on=device)
    if ring is None or ring.device_id != device.id:
        return NOTHING
    if ring.heard_at is not None and ring.answer_by <= now:
        return NOTHING  # its deadline is here, and says how it goes on
    # The session in which it was begun has broken, or ended before somebody answered.
    return _once_more(scene, ring)


def is_under_way(scene: LockedReminder, now: datetime) -> bool:
    """It rings, and there is still time to answer."""
    reminder = scene.reminder
    by = reminder.answer_by
    return reminder.status is ReminderStatus.TRIGGERED and by is not None and by > now


def ring_again(scene: LockedReminder) -> Decision:
    """The ring was begun and nobody knows what became of it: the same ring once more.

    A channel that has told it in this session does not tell it again.
    """
    ring = scene.ring
    return NOTHING if ring is None or _is_told(ring) else _once_more(scene, ring)


def _once_more(scene: LockedReminder, ring: RingFacts) -> Decision:
    device = next((one for one in scene.devices if one.id == ring.device_id), None)
    if scene.reminder.status is not ReminderStatus.TRIGGERED or device is None:
        return NOTHING  # a device that was removed: the deadline goes on to another one
    return Decision(effects=(BeginRing(ring, scene.reminder, device, scene.user),))


def queued(scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience) -> Decision:
    """The device is there and busy: it tells this next. That is not unreachable."""
    ring = _current(scene, ring_id)
    if ring is None or _is_told(ring):
        return NOTHING
    return _answer_by(scene.reminder, now + patience.busy, now)


def sent(scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience) -> Decision:
    """A messenger took it. A person is waited for, though nobody knows who has seen it."""
    ring = _current(scene, ring_id)
    if ring is None or _is_told(ring):
        return NOTHING
    told = RingSent(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, sent_at=now, unreachable_at=None)
    return _waits(scene, facts, now, patience) + Decision(events=(told,))


def pull_in(
    scene: LockedReminder, back: timedelta, now: datetime, patience: Patience, by: str
) -> Decision:
    """The clock was set back by so much: what we planned must not wait for the old clock.

    A time that a person chose stays as it is.
    """
    reminder = scene.reminder
    if reminder.status in escalation.UNANSWERED:
        return escalation.pull_in(scene, now)
    if reminder.status is ReminderStatus.TRIGGERED and reminder.answer_by is not None:
        most = now + max(wait_of(reminder, patience), patience.busy)
        return _answer_by(reminder, most, now) if reminder.answer_by > most else NOTHING
    since = reminder.unreached_since
    ours = reminder.attempt > 0 or since is not None
    if reminder.status is not ReminderStatus.PENDING or reminder.held_until:
        return NOTHING
    if not ours:
        return series.pull_in(scene, back, now, by)
    retry_after = timedelta(seconds=reminder.confirmation.retry_interval)
    most = now + (retry_after if since is None else patience.look_again)
    if reminder.trigger_at <= most:
        return NOTHING
    after = changed(
        reminder,
        now,
        ReminderStatus.PENDING,
        trigger_at=most,
        unreached_since=since and min(since, now),
    )
    return Decision(reminders=(after,), drop=(ring_key(reminder),), tasks=(ring_task(after, now),))


def delivered(
    scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience
) -> Decision:
    ring = _current(scene, ring_id)
    if ring is None or ring.heard_at is not None:
        return NOTHING
    if ring.delivered_at is not None:
        return _told_anew(scene, ring, now, patience)
    told = RingDelivered(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, delivered_at=now, unreachable_at=None)
    return _waits(scene, facts, now, patience) + Decision(events=(told,))


def _told_anew(
    scene: LockedReminder, ring: RingFacts, now: datetime, patience: Patience
) -> Decision:
    """A line broke in the middle, and another session begins again: nobody is cut short.

    A device whose line breaks again and again keeps nobody waiting for ever.
    """
    wait = wait_of(scene.reminder, patience)
    by = min(now + wait, ring.fired_at + patience.wake + 2 * wait)
    if scene.reminder.answer_by is None or by <= scene.reminder.answer_by:
        return NOTHING
    extended = Decision(rings=(replace(ring, answer_by=by),))
    return extended + _answer_by(scene.reminder, by, now)


def heard(scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience) -> Decision:
    """The wait for an answer counts from here: nobody answers before it was said."""
    ring = _current(scene, ring_id)
    if ring is None or ring.heard_at is not None:
        return NOTHING
    told = RingHeard(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, delivered_at=ring.delivered_at or now, heard_at=now)
    return _waits(scene, facts, now, patience) + Decision(events=(told,), proved=(ring.device_id,))


def unreachable(
    scene: LockedReminder, ring_id: RingId, reason: str, now: datetime, patience: Patience
) -> Decision:
    """The device could not be told: on to the user's next one, or look again later."""
    ring = _current(scene, ring_id)
    if ring is None or ring.heard_at is not None or ring.answered_at is not None:
        return NOTHING
    reminder = scene.reminder
    told = RingUnreachable(
        subject=ring.reminder_id,
        user=ring.user_id,
        ring=ring.id,
        device=ring.device_id,
        reason=reason,
    )
    known = reminder.unreached_since is not None  # that it is away was told when the wait began
    lost = Decision(rings=(replace(ring, unreachable_at=now),), events=() if known else (told,))
    drop = Decision(drop=waiting_deadline(reminder, now))
    zone = ZoneInfo(scene.user.zone)
    untried = [one for one in in_order(reminder, scene.devices) if one.id not in reminder.tried]
    device = next(iter(loud(untried, reminder, zone, now)), None)
    if device is None:
        return lost + drop + unreached(scene, now, patience)
    return lost + drop + begin(scene, device, now, patience, attempt=reminder.attempt)


def deadline(scene: LockedReminder, now: datetime, patience: Patience) -> Decision:
    """Nobody answered in time, or the device took nothing."""
    reminder, ring = scene.reminder, scene.ring
    if reminder.status is not ReminderStatus.TRIGGERED or reminder.answer_by is None:
        return NOTHING
    if reminder.answer_by > now:
        return NOTHING  # it was extended; a task of its own waits for that
    if ring is not None and not _is_told(ring):
        # It must not begin to ring when another one does, or the next attempt.
        silenced = Decision(effects=(Hush(ring.device_id, ring.id),))
        return silenced + unreachable(scene, ring.id, "no_session", now, patience)
    if not reminder.confirmation.required:
        return complete(scene, now, "told")
    if reminder.promised_at is not None and reminder.checked < CHECKS_MAX:
        return _check_back(scene, now, patience)
    if reminder.attempt < reminder.confirmation.max_retries:
        return retry(scene, now, "no_answer")
    return give_up(scene, now, "unconfirmed")


def _check_back(scene: LockedReminder, now: datetime, patience: Patience) -> Decision:
    """It was promised: ask once more, kindly, where it was promised."""
    reminder, last = scene.reminder, scene.ring
    there = [one for one in scene.devices if last is not None and one.id == last.device_id]
    device = next(iter([*there, *in_order(reminder, scene.devices)]), None)
    if device is None:
        return retry(scene, now, "no_answer")
    return begin(
        scene, device, now, patience, attempt=reminder.attempt, checked=reminder.checked + 1
    )


def _waits(scene: LockedReminder, facts: RingFacts, now: datetime, patience: Patience) -> Decision:
    """The device has it: from now on a person is waited for."""
    reminder = scene.reminder
    after = replace(
        reminder,
        version=reminder.version + 1,
        answer_by=now + wait_of(reminder, patience),
        unreached_since=None,
    )
    return Decision(
        reminders=(after,),
        events=reached(reminder, facts),
        rings=(replace(facts, answer_by=now + wait_of(reminder, patience)),),
        drop=(deadline_key(reminder),) if after.answer_by != reminder.answer_by else (),
        tasks=(deadline_task(after, now),),
    )


def _answer_by(reminder: Reminder, at: datetime, now: datetime) -> Decision:
    after = replace(reminder, version=reminder.version + 1, answer_by=at)
    return Decision(
        reminders=(after,),
        drop=(deadline_key(reminder),) if after.answer_by != reminder.answer_by else (),
        tasks=(deadline_task(after, now),),
    )


def _current(scene: LockedReminder, ring_id: RingId) -> RingFacts | None:
    """The ring, if it is still the one under way."""
    ring = scene.ring
    if ring is None or ring.id != ring_id:
        return None
    return ring if scene.reminder.status is ReminderStatus.TRIGGERED else None


def _is_told(ring: RingFacts) -> bool:
    facts = ring.sent_at, ring.delivered_at, ring.heard_at
    return any(at is not None for at in facts)


def _free_at(scene: LockedReminder, device: Device, now: datetime, patience: Patience) -> datetime:
    last = scene.last_ring_on(device.id)
    # A ring that lies ahead was rung before the clock was set back: it is over.
    if last is None or last > now or _same_minute(last, scene.reminder.trigger_at):
        return now
    return last + patience.gap


def _same_minute(one: datetime, other: datetime) -> bool:
    """What is due in the same minute is told in one go, a sentence each; the device orders it."""
    return one.replace(second=0, microsecond=0) == other.replace(second=0, microsecond=0)
