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
    deadline_moves,
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
    """A ring on this device, with the deadline by which the device must have taken it.

    `checked`: how often it was asked whether a promise was kept, this ring included.
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
    # Looking for an offline device is not a ring yet: the event is written when one takes it.
    events = () if reminder.unreached_since else (called(reminder, facts, delay, checked),)
    return Decision(
        reminders=(after,),
        begun=(facts,),
        tasks=(deadline_task(after, now),),
        events=events,
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
    """The event when a device took it; none, unless it had waited for a device."""
    since = reminder.unreached_since
    if since is None:
        return ()
    event = ReminderReached(
        subject=reminder.id,
        user=reminder.user_id,
        ring=facts.id,
        device=facts.device_id,
        since=since,
    )
    return triggered(reminder, facts, facts.fired_at - since), event


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
        return NOTHING  # it was snoozed: another task waits for the new time
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
        return Decision(retry_at=free_at) if on is None else _soon(scene, free_at, now)
    begun = begin(scene, device, now, patience, attempt=reminder.attempt + 1)
    # The running task is not dropped: it carries out this ring.
    plan = Decision(drop=(ring_key(reminder),)) if on is not None else NOTHING
    return begun + plan + series.goes_on(scene, now)


def _soon(scene: LockedReminder, at: datetime, now: datetime) -> Decision:
    """The device is online and has just told something else."""
    reminder = scene.reminder
    if reminder.trigger_at <= at:
        return NOTHING
    after = changed(reminder, now, ReminderStatus.PENDING, trigger_at=at)
    return Decision(reminders=(after,), drop=(ring_key(reminder),), tasks=(ring_task(after, now),))


def take(scene: LockedReminder, device: Device, now: datetime, patience: Patience) -> Decision:
    """A session of this device just opened: begin the rings that wait for it."""
    reminder, ring = scene.reminder, scene.ring
    if reminder.status is ReminderStatus.PENDING and reminder.unreached_since is not None:
        return fire(scene, now, patience, on=device)
    if ring is None or ring.device_id != device.id:
        return NOTHING
    if ring.heard_at is not None and ring.answer_by <= now:
        return NOTHING  # its deadline is due and decides what follows
    # The session of that ring broke, or ended before somebody answered.
    return _once_more(scene, ring)


def is_under_way(scene: LockedReminder, now: datetime) -> bool:
    """It rings, and there is still time to answer."""
    reminder = scene.reminder
    by = reminder.answer_by
    return reminder.status is ReminderStatus.TRIGGERED and by is not None and by > now


def ring_again(scene: LockedReminder) -> Decision:
    """The ring was begun and its outcome is unknown: the same ring once more.

    A channel that has told it in this session does not repeat it.
    """
    ring = scene.ring
    return NOTHING if ring is None or _is_told(ring) else _once_more(scene, ring)


def _once_more(scene: LockedReminder, ring: RingFacts) -> Decision:
    device = next((one for one in scene.devices if one.id == ring.device_id), None)
    if scene.reminder.status is not ReminderStatus.TRIGGERED or device is None:
        return NOTHING  # the device was removed: the deadline chooses another one
    return Decision(effects=(BeginRing(ring, scene.reminder, device, scene.user),))


def queued(scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience) -> Decision:
    """The device is online but busy and tells this next. It does not count as unreachable."""
    ring = _current(scene, ring_id)
    if ring is None or _is_told(ring):
        return NOTHING
    return _answer_by(scene.reminder, now + patience.busy, now)


def sent(scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience) -> Decision:
    """A messenger took it. We wait for an answer, though nobody knows who has seen it."""
    ring = _current(scene, ring_id)
    if ring is None or _is_told(ring):
        return NOTHING
    event = RingSent(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, sent_at=now, unreachable_at=None)
    return _waits(scene, facts, now, patience) + Decision(events=(event,))


def pull_in(
    scene: LockedReminder, back: timedelta, now: datetime, patience: Patience, by: str
) -> Decision:
    """The clock was set back by that much: our own plans must not wait for the old clock.

    A time that a person chose does not change.
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
        return _start_over(scene, ring, now, patience)
    event = RingDelivered(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, delivered_at=now, unreachable_at=None)
    return _waits(scene, facts, now, patience) + Decision(events=(event,))


def _start_over(
    scene: LockedReminder, ring: RingFacts, now: datetime, patience: Patience
) -> Decision:
    """A connection broke in the middle, and the next session starts from the beginning.

    A device whose connection keeps breaking does not extend the wait for ever.
    """
    wait = wait_of(scene.reminder, patience)
    by = min(now + wait, ring.fired_at + patience.wake + 2 * wait)
    if scene.reminder.answer_by is None or by <= scene.reminder.answer_by:
        return NOTHING
    extended = Decision(rings=(replace(ring, answer_by=by),))
    return extended + _answer_by(scene.reminder, by, now)


def heard(scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience) -> Decision:
    """The wait for an answer begins here: nobody can answer before it was said."""
    ring = _current(scene, ring_id)
    if ring is None or ring.heard_at is not None:
        return NOTHING
    event = RingHeard(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, delivered_at=ring.delivered_at or now, heard_at=now)
    return _waits(scene, facts, now, patience) + Decision(events=(event,), proved=(ring.device_id,))


def unreachable(
    scene: LockedReminder, ring_id: RingId, reason: str, now: datetime, patience: Patience
) -> Decision:
    """The device could not be reached: try the user's next one, or look again later."""
    ring = _current(scene, ring_id)
    if ring is None or ring.heard_at is not None or ring.answered_at is not None:
        return NOTHING
    reminder = scene.reminder
    event = RingUnreachable(
        subject=ring.reminder_id,
        user=ring.user_id,
        ring=ring.id,
        device=ring.device_id,
        reason=reason,
    )
    known = reminder.unreached_since is not None  # the event was written when the wait began
    lost = Decision(rings=(replace(ring, unreachable_at=now),), events=() if known else (event,))
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
        return NOTHING  # it was extended: another task waits for the new deadline
    if ring is not None and not _is_told(ring):
        # The old device must not start ringing during the next attempt.
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
    """It was promised: ask once more, kindly, on the same device."""
    reminder, last = scene.reminder, scene.ring
    there = [one for one in scene.devices if last is not None and one.id == last.device_id]
    device = next(iter([*there, *in_order(reminder, scene.devices)]), None)
    if device is None:
        return retry(scene, now, "no_answer")
    return begin(
        scene, device, now, patience, attempt=reminder.attempt, checked=reminder.checked + 1
    )


def _waits(scene: LockedReminder, facts: RingFacts, now: datetime, patience: Patience) -> Decision:
    """The device has it: from now on we wait for a person."""
    reminder = scene.reminder
    after = replace(
        reminder,
        version=reminder.version + 1,
        answer_by=now + wait_of(reminder, patience),
        unreached_since=None,
    )
    waits = Decision(
        reminders=(after,),
        events=reached(reminder, facts),
        rings=(replace(facts, answer_by=now + wait_of(reminder, patience)),),
    )
    return waits + deadline_moves(reminder, after, now)


def _answer_by(reminder: Reminder, at: datetime, now: datetime) -> Decision:
    after = replace(reminder, version=reminder.version + 1, answer_by=at)
    return Decision(reminders=(after,)) + deadline_moves(reminder, after, now)


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
    # A ring in the future was made before the clock was set back: it is over.
    if last is None or last > now or _same_minute(last, scene.reminder.trigger_at):
        return now
    return last + patience.gap


def _same_minute(one: datetime, other: datetime) -> bool:
    """Reminders of the same minute are told together, one sentence each; the device orders them."""
    return one.replace(second=0, microsecond=0) == other.replace(second=0, microsecond=0)
