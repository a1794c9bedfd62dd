"""Who is told when nobody confirmed: the ladder of contacts, each after their delay. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clarion.base.ids import TaskId, new_id
from clarion.people.model import Contact
from clarion.reminders.decisions.decision import (
    ESCALATE,
    INFORM,
    NOTHING,
    Decision,
    LockedReminder,
    ToldContact,
)
from clarion.reminders.events import (
    ContactCannot,
    ContactNotTold,
    ContactTold,
    ContactTook,
    EscalationBegun,
)
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.tasks.model import Level, Queue, Task

TOOK, CANNOT, DONE = "took", "cannot", "done"
UNANSWERED = frozenset({ReminderStatus.TIMEOUT, ReminderStatus.FAILED})


def escalate_key(reminder: Reminder, contact: Contact) -> str:
    return f"escalate:{reminder.id}:{contact.id}"


def ladder_keys(reminder: Reminder, contacts: Sequence[Contact]) -> tuple[str, ...]:
    return tuple(escalate_key(reminder, contact) for contact in contacts)


def begin(reminder: Reminder, contacts: Sequence[Contact], now: datetime) -> Decision:
    """One task a rung. Each delay counts from the contact before."""
    if not contacts or reminder.is_test:
        return NOTHING
    told = EscalationBegun(
        subject=reminder.id,
        user=reminder.user_id,
        contacts=tuple(contact.id for contact in contacts),
    )
    return Decision(tasks=_ladder(reminder, contacts, now, now), events=(told,))


def _ladder(
    reminder: Reminder, contacts: Sequence[Contact], begins: datetime, now: datetime
) -> tuple[Task, ...]:
    tasks, at = [], begins
    for contact in contacts:
        at += timedelta(seconds=contact.delay)
        tasks.append(
            Task(
                id=TaskId(new_id("tsk", now)),
                kind=ESCALATE,
                due_at=at,
                payload={"reminder": reminder.id, "contact": contact.id},
                base=max(reminder.base, Level.HIGH),
                queue=Queue.RETRIES,
                key=escalate_key(reminder, contact),
                source=f"user:{reminder.user_id}",
            )
        )
    return tuple(tasks)


def was_told(scene: LockedReminder, contact: Contact) -> bool:
    return any(one.contact_id == contact.id for one in scene.told)


def rung(scene: LockedReminder, contact_id: str) -> Contact | None:
    """Whom to tell now; None when somebody confirmed, or they were told, or are gone."""
    if scene.reminder.status not in UNANSWERED:
        return None
    contact = next((one for one in scene.contacts if one.id == contact_id), None)
    return None if contact is None or was_told(scene, contact) else contact


def holder(told: Sequence[ToldContact], now: datetime) -> ToldContact | None:
    """Who has said "I'm on it", for as long as they said."""
    return next((one for one in told if one.said == TOOK and one.until and one.until > now), None)


def take(scene: LockedReminder, contact: Contact, now: datetime, until: datetime) -> Decision:
    """Nobody further is told until then, and everybody who was told hears who is on it.

    Of two who press at once, one takes it; the other is shown who.
    """
    reminder = scene.reminder
    known = _heard(scene, contact)
    if reminder.status not in UNANSWERED or known is None:
        return NOTHING
    has_it = holder(scene.told, now)
    if has_it is not None and has_it.contact_id != contact.id:
        return Decision(outcome="taken")
    untold = [one for one in scene.contacts if not was_told(scene, one)]
    event = ContactTook(
        subject=reminder.id,
        user=reminder.user_id,
        contact=contact.id,
        name=contact.name,
        until=until,
    )
    said = replace(known, said=TOOK, said_at=now, until=until)
    return Decision(
        said=((reminder.id, said),),
        drop=ladder_keys(reminder, untold),
        tasks=_ladder(reminder, untold, until, now),
        events=(event,),
        outcome=TOOK,
    ) + inform(scene, TOOK, contact.name, now, besides=contact.id)


def cannot(scene: LockedReminder, contact: Contact, now: datetime) -> Decision:
    """The next one is told at once, and the others after their delays."""
    reminder = scene.reminder
    known = _heard(scene, contact)
    if reminder.status not in UNANSWERED or known is None or known.said == CANNOT:
        return NOTHING
    untold = [one for one in scene.contacts if not was_told(scene, one)]
    has_it = holder(scene.told, now)
    free = has_it is None or has_it.contact_id == contact.id
    event = ContactCannot(
        subject=reminder.id, user=reminder.user_id, contact=contact.id, name=contact.name
    )
    said = replace(known, said=CANNOT, said_at=now, until=None)
    noted = Decision(said=((reminder.id, said),), events=(event,), outcome=CANNOT)
    if not untold or not free:
        return noted
    begins = now - timedelta(seconds=untold[0].delay)
    moved = Decision(
        drop=ladder_keys(reminder, untold), tasks=_ladder(reminder, untold, begins, now)
    )
    return noted + moved


def inform(
    scene: LockedReminder, what: str, by: str, now: datetime, *, besides: str = ""
) -> Decision:
    """One task for each contact who was told: they hear who is on it, or how it ended."""
    reminder = scene.reminder
    heard = [one for one in scene.contacts if was_told(scene, one) and one.id != besides]
    tasks = tuple(
        Task(
            id=TaskId(new_id("tsk", now)),
            kind=INFORM,
            due_at=now,
            payload={"reminder": reminder.id, "contact": one.id, "what": what, "by": by},
            base=max(reminder.base, Level.HIGH),
            queue=Queue.RETRIES,
            key=f"inform:{reminder.id}:{one.id}:{what}:{now.timestamp():.0f}",
            source=f"user:{reminder.user_id}",
        )
        for one in heard
    )
    return Decision(tasks=tasks)


def _heard(scene: LockedReminder, contact: Contact) -> ToldContact | None:
    return next((one for one in scene.told if one.contact_id == contact.id), None)


def not_told(scene: LockedReminder, contact: Contact, reason: str) -> Decision:
    reminder = scene.reminder
    event = ContactNotTold(
        subject=reminder.id,
        user=reminder.user_id,
        contact=contact.id,
        name=contact.name,
        reason=reason,
    )
    return Decision(events=(event,))


def told(scene: LockedReminder, contact: Contact) -> Decision:
    if was_told(scene, contact):
        return NOTHING
    reminder = scene.reminder
    event = ContactTold(
        subject=reminder.id, user=reminder.user_id, contact=contact.id, name=contact.name
    )
    return Decision(told=((reminder.id, contact),), events=(event,))
