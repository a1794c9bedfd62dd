"""How a reminder rings: which device, how long we wait, when we give up. Decisions, pure.

Each is made on a locked reminder and written at once, so a task that comes twice or late
finds that it is no longer asked for, and does nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.language.phrasing import phrase
from clarion.reminders import digests, escalation
from clarion.reminders.change import (
    NOTHING,
    BeginRing,
    Change,
    RingFacts,
    RingId,
    Scene,
    changed,
    deadline_key,
    deadline_task,
    ring_key,
    ring_task,
)
from clarion.reminders.events import (
    ReminderCompleted,
    ReminderFailed,
    ReminderRetried,
    ReminderTimedOut,
    ReminderTriggered,
    ReminderWaits,
    RingDelivered,
    RingHeard,
    RingMoved,
    RingUnreachable,
)
from clarion.reminders.model import Device, Reminder, ReminderStatus, User
from clarion.reminders.moves import hushed
from clarion.reminders.quiet import held_until, loud
from clarion.reminders.recurring import goes_on
from clarion.tasks.model import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long we wait for what."""

    plain: timedelta = timedelta(seconds=30)
    """For an answer to a plain reminder."""
    wake: timedelta = timedelta(seconds=15)
    """For a device to take a ring."""
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


def fire(scene: Scene, now: datetime, patience: Patience, *, on: Device | None = None) -> Change:
    """A pending reminder is due; or, with `on`, a device appeared that can take it early."""
    reminder = scene.reminder
    if reminder.status is not ReminderStatus.PENDING or reminder.held_until is not None:
        return NOTHING
    if on is None and reminder.trigger_at > now:
        return NOTHING  # it was snoozed; a task of its own waits for the new time
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
    free_at = _free_at(scene, device, patience)
    if free_at > now and reminder.base < Level.CRITICAL:
        return Change(again=free_at) if on is None else _soon(scene, free_at, now)
    begun = _begin(scene, device, now, patience, attempt=reminder.attempt + 1)
    # A task that is running now is not dropped: it is the one that carries out the ring.
    plan = Change(drop=(ring_key(reminder),)) if on is not None else NOTHING
    return begun + plan + goes_on(scene, now)


def _soon(scene: Scene, at: datetime, now: datetime) -> Change:
    """The device is there, and has just been told something else."""
    reminder = scene.reminder
    if reminder.trigger_at <= at:
        return NOTHING
    after = changed(reminder, now, ReminderStatus.PENDING, trigger_at=at)
    return Change(reminders=(after,), drop=(ring_key(reminder),), tasks=(ring_task(after, now),))


def take(scene: Scene, device: Device, now: datetime, patience: Patience) -> Change:
    """A session of this device just opened: begin what waits for it."""
    reminder, ring = scene.reminder, scene.ring
    if reminder.status is ReminderStatus.PENDING and reminder.unreached_since is not None:
        return fire(scene, now, patience, on=device)
    if ring is not None and ring.device_id == device.id:
        return ring_again(scene)
    return NOTHING


def ring_again(scene: Scene) -> Change:
    """The ring was begun and nobody knows what became of it: the same ring once more.

    A channel that has told it in this session does not tell it again.
    """
    reminder, ring = scene.reminder, scene.ring
    if reminder.status is not ReminderStatus.TRIGGERED or ring is None or _is_told(ring):
        return NOTHING
    device = next((one for one in scene.devices if one.id == ring.device_id), None)
    if device is None:
        return NOTHING  # it was removed; the deadline goes on to another one
    return Change(effects=(BeginRing(ring, reminder, device, scene.user),))


def delivered(scene: Scene, ring_id: RingId, now: datetime, patience: Patience) -> Change:
    ring = _current(scene, ring_id)
    if ring is None or ring.delivered_at is not None:
        return NOTHING
    told = RingDelivered(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, delivered_at=now, unreachable_at=None)
    return _waits(scene, facts, now, patience) + Change(events=(told,))


def heard(scene: Scene, ring_id: RingId, now: datetime, patience: Patience) -> Change:
    """The wait for an answer counts from here: nobody answers before it was said."""
    ring = _current(scene, ring_id)
    if ring is None or ring.heard_at is not None:
        return NOTHING
    told = RingHeard(
        subject=ring.reminder_id, user=ring.user_id, ring=ring.id, device=ring.device_id
    )
    facts = replace(ring, delivered_at=ring.delivered_at or now, heard_at=now)
    return _waits(scene, facts, now, patience) + Change(events=(told,))


def unreachable(
    scene: Scene, ring_id: RingId, reason: str, now: datetime, patience: Patience
) -> Change:
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
    lost = Change(rings=(replace(ring, unreachable_at=now),), events=(told,))
    drop = Change(drop=_deadline_of(reminder, now))
    zone = ZoneInfo(scene.user.zone)
    untried = [one for one in in_order(reminder, scene.devices) if one.id not in reminder.tried]
    device = next(iter(loud(untried, reminder, zone, now)), None)
    if device is None:
        return lost + drop + unreached(scene, now, patience)
    return lost + drop + _begin(scene, device, now, patience, attempt=reminder.attempt)


def deadline(scene: Scene, now: datetime, patience: Patience) -> Change:
    """Nobody answered in time, or the device took nothing."""
    reminder, ring = scene.reminder, scene.ring
    if reminder.status is not ReminderStatus.TRIGGERED or reminder.answer_by is None:
        return NOTHING
    if reminder.answer_by > now:
        return NOTHING  # it was extended; a task of its own waits for that
    if ring is not None and not _is_told(ring):
        return unreachable(scene, ring.id, "no_session", now, patience)
    if not reminder.confirmation.required:
        return complete(scene, now, "told")
    if reminder.attempt < reminder.confirmation.max_retries:
        return retry(scene, now, "no_answer")
    return give_up(scene, now, "unconfirmed")


def retry(scene: Scene, now: datetime, why: str) -> Change:
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
    )
    told = ReminderRetried(
        subject=reminder.id, user=reminder.user_id, attempt=reminder.attempt, next_at=at, why=why
    )
    return Change(
        reminders=(after,),
        drop=_deadline_of(reminder, now),
        tasks=(ring_task(after, now),),
        events=(told,),
        effects=hushed(scene),
        outcome="denied",
    )


def give_up(scene: Scene, now: datetime, reason: str) -> Change:
    """Nobody confirmed, however often it was asked: the contacts are told."""
    reminder = scene.reminder
    after = changed(reminder, now, ReminderStatus.TIMEOUT, reason=reason)
    told = ReminderTimedOut(
        subject=reminder.id, user=reminder.user_id, attempt=reminder.attempt, reason=reason
    )
    ended = Change(
        reminders=(after,),
        drop=_deadline_of(reminder, now),
        events=(told,),
        effects=hushed(scene),
        outcome="timeout",
    )
    return ended + escalation.begin(after, scene.contacts, now)


def complete(scene: Scene, now: datetime, how: str) -> Change:
    reminder = scene.reminder
    after = changed(reminder, now, ReminderStatus.COMPLETED)
    told = ReminderCompleted(subject=reminder.id, user=reminder.user_id, how=how)
    return Change(
        reminders=(after,),
        drop=_deadline_of(reminder, now),
        events=(told,),
        effects=hushed(scene) if how == "told" else (),
        outcome="completed",
    )


def unreached(scene: Scene, now: datetime, patience: Patience) -> Change:
    """No device at all: look again later, and give up when that has gone on for too long."""
    reminder = scene.reminder
    since = reminder.unreached_since or now
    if now - since >= patience.offline:
        return _fail(scene, now)
    rung = reminder.status is ReminderStatus.TRIGGERED
    after = changed(
        reminder,
        now,
        ReminderStatus.PENDING,
        trigger_at=now + patience.look_again,
        unreached_since=since,
        # A ring that nobody took is no attempt: the next one is as gentle as this one was.
        attempt=reminder.attempt - rung,
        answer_by=None,
        tried=(),
    )
    told = ReminderWaits(
        subject=reminder.id, user=reminder.user_id, since=since, next_at=after.trigger_at
    )
    waits = Change(
        reminders=(after,), tasks=(ring_task(after, now),), events=(told,), outcome="waits"
    )
    return waits if rung else waits + goes_on(scene, now)


def _fail(scene: Scene, now: datetime) -> Change:
    reminder = scene.reminder
    reason = "device_offline_too_long" if scene.devices else "no_device"
    after = changed(reminder, now, ReminderStatus.FAILED, reason=reason)
    told = ReminderFailed(subject=reminder.id, user=reminder.user_id, reason=reason)
    failed = Change(reminders=(after,), events=(told,), outcome="failed")
    return failed + escalation.begin(after, scene.contacts, now) + goes_on(scene, now)


def in_order(reminder: Reminder, devices: Sequence[Device]) -> list[Device]:
    """The device that was asked for, then the user's others in their order."""
    return sorted(devices, key=lambda one: one.id != reminder.device_id)


def wait_of(reminder: Reminder, patience: Patience) -> timedelta:
    config = reminder.confirmation
    return timedelta(seconds=config.timeout) if config.required else patience.plain


def _begin(
    scene: Scene, device: Device, now: datetime, patience: Patience, *, attempt: int
) -> Change:
    """A ring on this device, with the deadline by which it must have taken it."""
    reminder, user = scene.reminder, scene.user
    moved = attempt == reminder.attempt
    promised = reminder.unreached_since or reminder.trigger_at
    delay = now - promised
    late = delay if attempt == 1 and delay >= patience.late else None
    after = replace(
        reminder,
        status=ReminderStatus.TRIGGERED,
        version=reminder.version + 1,
        attempt=attempt,
        rings=reminder.rings + 1,
        tried=(*reminder.tried, device.id),
        answer_by=now + patience.wake,
        asked_again=False,
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
    told: ReminderTriggered | RingMoved
    if moved:
        told = RingMoved(
            subject=reminder.id,
            user=reminder.user_id,
            ring=facts.id,
            attempt=attempt,
            device=device.id,
        )
    else:
        told = ReminderTriggered(
            subject=reminder.id,
            user=reminder.user_id,
            ring=facts.id,
            attempt=attempt,
            device=device.id,
            late=max(0.0, delay.total_seconds()),
            planned_at=reminder.planned_at or reminder.trigger_at,
        )
    return Change(
        reminders=(after,),
        begun=(facts,),
        tasks=(deadline_task(after, now),),
        events=(told,),
        effects=(BeginRing(facts, after, device, user, late),),
        outcome="rung",
    )


def words_of(reminder: Reminder, user: User, now: datetime, late: timedelta | None) -> str:
    if "digest" in reminder.context:
        return reminder.content  # whole sentences already
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


def _waits(scene: Scene, facts: RingFacts, now: datetime, patience: Patience) -> Change:
    """The device has it: from now on a person is waited for."""
    reminder = scene.reminder
    after = replace(
        reminder,
        version=reminder.version + 1,
        answer_by=now + wait_of(reminder, patience),
        unreached_since=None,
    )
    return Change(
        reminders=(after,),
        rings=(replace(facts, answer_by=now + wait_of(reminder, patience)),),
        drop=(deadline_key(reminder),) if after.answer_by != reminder.answer_by else (),
        tasks=(deadline_task(after, now),),
    )


def _current(scene: Scene, ring_id: RingId) -> RingFacts | None:
    """The ring, if it is still the one under way."""
    ring = scene.ring
    if ring is None or ring.id != ring_id:
        return None
    return ring if scene.reminder.status is ReminderStatus.TRIGGERED else None


def _is_told(ring: RingFacts) -> bool:
    return ring.delivered_at is not None or ring.heard_at is not None


def _free_at(scene: Scene, device: Device, patience: Patience) -> datetime:
    last = scene.last_ring_on(device.id)
    return last + patience.gap if last is not None else datetime.min.replace(tzinfo=ZoneInfo("UTC"))


def _deadline_of(reminder: Reminder, now: datetime) -> tuple[str, ...]:
    """The deadline that still waits. One that is due is running: it is what decides this."""
    waits = reminder.answer_by is not None and reminder.answer_by > now
    return (deadline_key(reminder),) if waits else ()
