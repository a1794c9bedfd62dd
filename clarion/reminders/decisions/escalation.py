"""Who is told when nobody confirmed: steps of contacts, each after its delay, in rounds. Pure.

A step is one contact, or several of the same order with no delay between them. Without an answer
a contact is told at their further addresses, and the whole ladder is repeated as often as the
policy says.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.base.ids import TaskId, new_id
from clarion.people.model import WARN_CONTACTS, Contact, EscalationPolicy
from clarion.people.oncall import Roster, climbed
from clarion.reminders.decisions.decision import (
    ESCALATE,
    INFORM,
    NOTHING,
    RECEIPT,
    ROUND,
    Decision,
    LockedReminder,
    ToldContact,
    quiet_until,
)
from clarion.reminders.events import (
    ContactCannot,
    ContactNotTold,
    ContactReached,
    ContactTold,
    ContactTook,
    EscalationBegun,
)
from clarion.reminders.model import DISTRESS, Reminder, ReminderStatus, policy_of
from clarion.tasks.model import Level, Queue, Task

TOOK, CANNOT, DONE, WELL = "took", "cannot", "done", "well"
UNHEARD, HEARD_AGAIN = "unheard", "heard_again"
WARNED_ONCE = timedelta(hours=1)  # six reminders and one broken router are one message
UNANSWERED = frozenset({ReminderStatus.TIMEOUT, ReminderStatus.FAILED})
ASK_EVERY = timedelta(seconds=30)  # what Pushover allows is one look every five
SAME_PRESS = timedelta(minutes=5)  # a smaller difference is the same press, sent again
LAST_WAY = 1_000  # no way follows


def ladder_now(scene: LockedReminder, reminder: Reminder, now: datetime) -> list[Contact]:
    """The contacts to call now, by rotation, absence and policy."""
    policy = policy_of(scene.user, reminder)
    if not scene.rotations and not policy.only and not any(one.away for one in scene.contacts):
        return list(scene.contacts)
    zone = ZoneInfo(scene.user.zone)
    return climbed(scene.contacts, scene.rotations, zone, now, policy)


def escalate_key(reminder: Reminder, contact: Contact, number: int = 1, way: int = 0) -> str:
    """The first round and the first way are not named, as in keys of earlier versions."""
    key = f"escalate:{reminder.id}:{contact.id}"
    return key if (number, way) == (1, 0) else f"{key}:{number}:{way}"


def round_key(reminder: Reminder, number: int) -> str:
    return f"round:{reminder.id}:{number}"


def round_of(told: Sequence[ToldContact]) -> int:
    return max((one.round for one in told), default=1)


def called_off(scene: LockedReminder) -> Decision:
    """No other contact is told. A contact who is being told right now hears the state too."""
    reminder, number = scene.reminder, round_of(scene.told)
    rounds = (number, number + 1)
    calls_to_come = tuple(
        escalate_key(reminder, contact, each, way)
        for contact in scene.contacts
        for each in rounds
        for way in range(len(contact.agreed_ways))
    )
    rounds_to_come = tuple(round_key(reminder, each + 1) for each in rounds)
    return Decision(drop=rounds_to_come, drop_waiting=calls_to_come)


def begin(
    scene: LockedReminder, reminder: Reminder, now: datetime, *, everybody: bool = False
) -> Decision:
    """One task per step. Each delay counts from the contact before. `everybody`: all at once,
    on call or not.
    """
    contacts = ladder_now(scene, reminder, now)
    if everybody:
        contacts = [replace(one, delay=0) for one in scene.contacts]
    if not contacts or reminder.is_test:
        return NOTHING
    event = EscalationBegun(
        subject=reminder.id,
        user=reminder.user_id,
        contacts=tuple(contact.id for contact in contacts),
    )
    policy = policy_of(scene.user, reminder)
    return Decision(events=(event,)) + _climb(reminder, contacts, now, now, 1, policy)


def _climb(
    reminder: Reminder,
    contacts: Sequence[Contact],
    begins: datetime,
    now: datetime,
    number: int,
    policy: EscalationPolicy,
) -> Decision:
    """The tasks of one round, and the task of the next round for when nobody answers."""
    tasks = list(_ladder(reminder, contacts, begins, now, number))
    if tasks and number < policy.rounds:
        ends = tasks[-1].due_at + timedelta(seconds=policy.pause)
        tasks.append(_round_task(reminder, number + 1, ends, now))
    return Decision(tasks=tuple(tasks))


def _ladder(
    reminder: Reminder, contacts: Sequence[Contact], begins: datetime, now: datetime, number: int
) -> tuple[Task, ...]:
    tasks, at = [], begins
    for contact in contacts:
        at += timedelta(seconds=contact.delay)
        tasks.append(_tell_task(reminder, contact, at, now, number))
    return tuple(tasks)


def _tell_task(
    reminder: Reminder, contact: Contact, at: datetime, now: datetime, number: int, way: int = 0
) -> Task:
    payload = {"reminder": reminder.id, "contact": contact.id, "round": number, "way": way}
    key = escalate_key(reminder, contact, number, way)
    return _task(reminder, ESCALATE, payload, at, now, key)


def _round_task(reminder: Reminder, number: int, at: datetime, now: datetime) -> Task:
    payload = {"reminder": reminder.id, "round": number}
    return _task(reminder, ROUND, payload, at, now, round_key(reminder, number))


def _task(
    reminder: Reminder, kind: str, payload: dict[str, object], at: datetime, now: datetime, key: str
) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=kind,
        due_at=at,
        payload=payload,
        base=max(reminder.base, Level.HIGH),
        queue=Queue.RETRIES,
        key=key,
        source=f"user:{reminder.user_id}",
    )


def was_told(scene: LockedReminder, contact: Contact, number: int = 1) -> bool:
    return any(one.contact_id == contact.id and one.round >= number for one in scene.told)


def next_contact(
    scene: LockedReminder, contact_id: str, now: datetime, number: int = 1, way: int = 0
) -> Contact | None:
    """Whom to tell now, and at which address. None when somebody confirmed or is on it, or this
    contact was told, has answered, or was removed.
    """
    contact = next((one for one in scene.contacts if one.id == contact_id), None)
    if scene.reminder.status not in UNANSWERED or contact is None:
        return None
    if not way:
        contact = _whose_turn(scene, contact, now, number)
    if way >= len(contact.agreed_ways) or is_held(scene, now):
        return None
    known = _heard(scene, contact)
    if way and known is not None and known.said is not None:
        return None
    if not way and was_told(scene, contact, number):
        return None
    return replace(contact, address=contact.agreed_ways[way].address)


def _whose_turn(scene: LockedReminder, contact: Contact, now: datetime, number: int) -> Contact:
    """Of a rotation, the contact who is on call now: that may have changed since the task was
    planned. The others follow after that one was told.
    """
    zone = ZoneInfo(scene.user.zone)
    for rotation in scene.rotations:
        members = {*rotation.members, *rotation.holiday_members}
        if contact.id not in members:
            continue
        on_call = Roster(rotation, scene.contacts, zone).on_call(now)
        others = [one for one in scene.contacts if one.id in members]
        turns = [one for one in (on_call, contact, *others) if one is not None]
        return next((one for one in turns if not was_told(scene, one, number)), contact)
    return contact


def quiet_for(scene: LockedReminder, contact: Contact, now: datetime, number: int) -> Decision:
    """In their quiet hours the others are told first, at once, and they themselves afterwards.

    Quiet hours do not count for critical reminders, nor when there is nobody else to tell.
    """
    reminder, zone = scene.reminder, ZoneInfo(scene.user.zone)
    ends = quiet_until(contact.quiet, zone, now)
    if ends is None or reminder.base >= Level.CRITICAL:
        return NOTHING
    others = [
        one
        for one in ladder_now(scene, reminder, now)
        if one.id != contact.id
        and not was_told(scene, one, number)
        and quiet_until(one.quiet, zone, now) is None
    ]
    if not others:
        return NOTHING
    return _at_once(reminder, others, now, number) + Decision(retry_at=ends)


def _at_once(
    reminder: Reminder, contacts: Sequence[Contact], now: datetime, number: int
) -> Decision:
    """The first of them now, the others after their delays."""
    begins = now - timedelta(seconds=contacts[0].delay)
    return Decision(
        drop=tuple(escalate_key(reminder, one, number) for one in contacts),
        tasks=_ladder(reminder, contacts, begins, now, number),
    )


def next_round(scene: LockedReminder, now: datetime, number: int) -> Decision:
    """Nobody has answered, or the time of who was on it is over: everybody is told again.

    Those who said that they cannot help are asked last, when there is nobody else.
    """
    reminder = scene.reminder
    if reminder.status not in UNANSWERED or round_of(scene.told) >= number:
        return NOTHING
    if is_held(scene, now):
        has_it = holder(scene.told, now)
        return Decision(retry_at=has_it.until if has_it else None)
    cannot_help = {one.contact_id for one in scene.told if one.said == CANNOT}
    ladder = ladder_now(scene, reminder, now)
    able = [one for one in ladder if one.id not in cannot_help] or ladder
    return _climb(reminder, able, now, now, number, policy_of(scene.user, reminder))


def holder(told: Sequence[ToldContact], now: datetime) -> ToldContact | None:
    """The contact who said "I'm on it", as long as their time lasts."""
    return next((one for one in told if one.said == TOOK and one.until and one.until > now), None)


def is_held(scene: LockedReminder, now: datetime) -> bool:
    """Somebody is on it, and no other contact of their step has to answer too."""
    has_it = holder(scene.told, now)
    return has_it is not None and not _missing(scene, scene.told, has_it.contact_id, now)


def all_must(scene: LockedReminder, contact_id: str, now: datetime) -> bool:
    """Whether everybody of their step has to answer."""
    needed = policy_of(scene.user, scene.reminder).all_must
    if not needed:
        return False
    ladder = ladder_now(scene, scene.reminder, now)
    return any(one.id == contact_id and one.order in needed for one in ladder)


def _missing(
    scene: LockedReminder, told: Sequence[ToldContact], contact_id: str, now: datetime
) -> bool:
    """Whether somebody of the step has to answer as well and has not."""
    if not all_must(scene, contact_id, now):
        return False
    ladder = ladder_now(scene, scene.reminder, now)
    order = next(one.order for one in ladder if one.id == contact_id)
    on_it = {one.contact_id for one in told if one.said == TOOK and one.until and one.until > now}
    return any(one.order == order and one.id not in on_it for one in ladder)


def take(
    scene: LockedReminder, contact: Contact, now: datetime, until: datetime, through: str = ""
) -> Decision:
    """No other contact is told until then, and everybody who was told hears who is on it. When that
    time is over and it is not done, all are told again.

    Of two who press at once, one takes it; the other is shown who. In a step in which all must
    answer, the others are still told. Pressing again, or sending the same press again, changes
    nothing.
    """
    reminder = scene.reminder
    known = _heard(scene, contact)
    if reminder.status not in UNANSWERED or known is None:
        return NOTHING
    if known.said == TOOK and known.until and timedelta() <= until - known.until < SAME_PRESS:
        return Decision(outcome=TOOK)
    has_it = holder(scene.told, now)
    if has_it and has_it.contact_id != contact.id and not all_must(scene, contact.id, now):
        return Decision(outcome="taken")
    event = ContactTook(
        subject=reminder.id,
        user=reminder.user_id,
        contact=contact.id,
        name=contact.name,
        until=until,
    )
    said = replace(known, said=TOOK, said_at=now, until=until, through=through)
    noted = Decision(said=((reminder.id, said),), events=(event,), outcome=TOOK)
    lapses = _round_task(reminder, round_of(scene.told) + 1, until, now)
    others = [one for one in scene.told if one.contact_id != contact.id]
    waits = _missing(scene, [*others, said], contact.id, now)
    held = NOTHING if waits else called_off(scene)
    lapsing = Decision(tasks=(lapses,))
    return noted + held + lapsing + inform(scene, TOOK, contact.name, now, besides=contact.id)


def cannot(scene: LockedReminder, contact: Contact, now: datetime, through: str = "") -> Decision:
    """The next one is told at once, and the others after their delays."""
    reminder = scene.reminder
    known = _heard(scene, contact)
    if reminder.status not in UNANSWERED or known is None or known.said == CANNOT:
        return NOTHING
    number = round_of(scene.told)
    ladder = ladder_now(scene, reminder, now)
    untold = [one for one in ladder if not was_told(scene, one, number)]
    has_it = holder(scene.told, now)
    free = has_it is None or has_it.contact_id == contact.id
    event = ContactCannot(
        subject=reminder.id, user=reminder.user_id, contact=contact.id, name=contact.name
    )
    said = replace(known, said=CANNOT, said_at=now, until=None, through=through)
    noted = Decision(said=((reminder.id, said),), events=(event,), outcome=CANNOT)
    if not untold or not free:
        return noted
    return noted + _at_once(reminder, untold, now, number)


def said_done(scene: LockedReminder, contact: Contact, now: datetime, through: str) -> Decision:
    known = _heard(scene, contact)
    if known is None or known.said == DONE:
        return NOTHING
    said = replace(known, said=DONE, said_at=now, until=None, through=through)
    return Decision(said=((scene.reminder.id, said),))


def reached(
    scene: LockedReminder,
    contact: Contact,
    now: datetime,
    number: int,
    facts: Sequence[str],
    through: str,
) -> Decision:
    """It was `delivered` or `opened`: each is written once, also when it comes before we noted that
    they were told.
    """
    known, fresh = _heard(scene, contact), NOTHING
    if known is None or known.round < number:
        known = ToldContact(contact_id=contact.id, told_at=now, round=number)
        fresh = told(scene, contact, now, number, LAST_WAY)
    new = [one for one in facts if getattr(known, f"{one}_at") is None]
    if not new:
        return fresh
    reminder = scene.reminder
    events = tuple(
        ContactReached(
            subject=reminder.id,
            user=reminder.user_id,
            contact=contact.id,
            name=contact.name,
            fact=one,
            through=through,
        )
        for one in new
    )
    noted = replace(known, **{f"{one}_at": now for one in new})  # type: ignore[arg-type]  # instants
    return fresh + Decision(said=((reminder.id, noted),), events=events)


def receipt_task(
    reminder: Reminder, contact: Contact, receipt: str, number: int, way: int, now: datetime
) -> Decision:
    """No task without a receipt."""
    if not receipt:
        return NOTHING
    payload = {
        "reminder": reminder.id,
        "contact": contact.id,
        "receipt": receipt,
        "round": number,
        "way": way,
    }
    key = f"receipt:{reminder.id}:{contact.id}:{number}:{way}"
    return Decision(tasks=(_task(reminder, RECEIPT, payload, now + ASK_EVERY, now, key),))


def pull_in(scene: LockedReminder, now: datetime) -> Decision:
    """The clock was set back: contacts still to be told wait for their delay and no longer."""
    reminder = scene.reminder
    number = round_of(scene.told)
    ladder = ladder_now(scene, reminder, now)
    untold = [one for one in ladder if not was_told(scene, one, number)]
    is_ours = reminder.status in UNANSWERED and not reminder.is_test
    if not is_ours or not untold or holder(scene.told, now) is not None:
        return NOTHING
    return Decision(
        drop=tuple(escalate_key(reminder, one, number) for one in untold),
        tasks=_ladder(reminder, untold, now, now, number),
    )


def inform(
    scene: LockedReminder, what: str, by: str, now: datetime, *, besides: str = ""
) -> Decision:
    """One task for each contact who was told: they hear who is on it, or how it ended."""
    heard = [one for one in scene.contacts if was_told(scene, one) and one.id != besides]
    return Decision(tasks=tuple(_inform_task(scene.reminder, one, what, by, now) for one in heard))


def _inform_task(reminder: Reminder, contact: Contact, what: str, by: str, now: datetime) -> Task:
    payload: dict[str, object] = {"reminder": reminder.id, "contact": contact.id}
    key = f"inform:{reminder.id}:{contact.id}:{what}:{now.timestamp():.0f}"
    return _task(reminder, INFORM, payload | {"what": what, "by": by}, now, now, key)


def warn(scene: LockedReminder, what: str, now: datetime) -> Decision:
    """Tell the first contact that nobody could hear a coming reminder, or that somebody can again,
    if the person wants that. Once an hour, however many reminders it concerns.
    """
    agreed = [one for one in scene.contacts if one.agreed_ways]
    if scene.user.context.get(WARN_CONTACTS) is not True or not agreed:
        return NOTHING
    first = [one for one in agreed if one.order == agreed[0].order]
    hour = int(now.timestamp() // WARNED_ONCE.total_seconds())
    tasks = [_inform_task(scene.reminder, one, what, "", now) for one in first]
    return Decision(
        tasks=tuple(
            replace(task, key=f"warn:{one.id}:{what}:{hour}")
            for one, task in zip(first, tasks, strict=True)
        )
    )


def how_it_ended(reminder: Reminder, contact: str = "") -> str:
    """Done; or, when somebody took back their own call for help, that they are well."""
    return WELL if reminder.reason == DISTRESS and not contact else DONE


def _heard(scene: LockedReminder, contact: Contact) -> ToldContact | None:
    return next((one for one in scene.told if one.contact_id == contact.id), None)


def not_told(
    scene: LockedReminder,
    contact: Contact,
    reason: str,
    now: datetime | None = None,
    number: int = 1,
    way: int = 0,
) -> Decision:
    """It is tried again there, and with `now` also at their next way at once."""
    reminder = scene.reminder
    event = ContactNotTold(
        subject=reminder.id,
        user=reminder.user_id,
        contact=contact.id,
        name=contact.name,
        reason=reason,
    )
    noted = Decision(events=(event,))
    if now is None:
        return noted
    return noted + _further(scene, contact, now, number, way, at_once=True)


def told(
    scene: LockedReminder, contact: Contact, now: datetime, number: int = 1, way: int = 0
) -> Decision:
    """They were told; without an answer they are told at their next way. They also hear what
    happened while the message was on its way.
    """
    further = _how_it_stands(scene, contact, now) or _further(scene, contact, now, number, way)
    if was_told(scene, contact, number):
        return further
    reminder = scene.reminder
    event = ContactTold(
        subject=reminder.id, user=reminder.user_id, contact=contact.id, name=contact.name
    )
    known = ToldContact(contact_id=contact.id, told_at=now, round=number)
    return Decision(told=((reminder.id, known),), events=(event,)) + further


def cut_off(
    scene: LockedReminder, contact_id: str, now: datetime, number: int, way: int
) -> Decision:
    """Telling them was interrupted and is no longer needed. The message may have gone out, so they
    hear the present state: for somebody who heard of an alarm, its end matters most.
    """
    known = [one for one in scene.contacts if one.id == contact_id and way < len(one.agreed_ways)]
    if not known or was_told(scene, known[0], number):
        return NOTHING
    return _how_it_stands(scene, known[0], now) or NOTHING


def _how_it_stands(scene: LockedReminder, contact: Contact, now: datetime) -> Decision | None:
    """A line about who is on it, or how it ended; None while nobody else is on it."""
    reminder, has_it = scene.reminder, holder(scene.told, now)
    if reminder.status is ReminderStatus.CONFIRMED:
        what, by = how_it_ended(reminder), reminder.confirmed_by
    elif has_it and has_it.contact_id != contact.id and is_held(scene, now):
        names = {one.id: one.name for one in scene.contacts}
        what, by = TOOK, names.get(has_it.contact_id, "")
    else:
        return None
    return Decision(tasks=(_inform_task(reminder, contact, what, by, now),))


def _further(
    scene: LockedReminder,
    contact: Contact,
    now: datetime,
    number: int,
    way: int,
    *,
    at_once: bool = False,
) -> Decision:
    known = next((one for one in scene.contacts if one.id == contact.id), None)
    if known is None or way + 1 >= len(known.agreed_ways) or scene.reminder.is_test:
        return NOTHING
    after = 0 if at_once else known.agreed_ways[way + 1].after
    at = now + timedelta(seconds=after)
    return Decision(tasks=(_tell_task(scene.reminder, known, at, now, number, way + 1),))
