"""Who is told when nobody confirmed: the ladder of contacts, each after their delay. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from clarion.base.ids import TaskId, new_id
from clarion.reminders.change import ESCALATE, NOTHING, Change, Scene
from clarion.reminders.events import ContactNotTold, ContactTold, EscalationBegun
from clarion.reminders.model import Contact, Reminder, ReminderStatus
from clarion.tasks.model import Level, Queue, Task

UNANSWERED = frozenset({ReminderStatus.TIMEOUT, ReminderStatus.FAILED})


def escalate_key(reminder: Reminder, contact: Contact) -> str:
    return f"escalate:{reminder.id}:{contact.id}"


def ladder_keys(reminder: Reminder, contacts: Sequence[Contact]) -> tuple[str, ...]:
    return tuple(escalate_key(reminder, contact) for contact in contacts)


def begin(reminder: Reminder, contacts: Sequence[Contact], now: datetime) -> Change:
    """One task a rung. Each delay counts from the contact before."""
    if not contacts:
        return NOTHING
    tasks, at = [], now
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
    told = EscalationBegun(
        subject=reminder.id,
        user=reminder.user_id,
        contacts=tuple(contact.id for contact in contacts),
    )
    return Change(tasks=tuple(tasks), events=(told,))


def rung(scene: Scene, contact_id: str) -> Contact | None:
    """Whom to tell now; None when somebody confirmed, or they were told, or are gone."""
    if scene.reminder.status not in UNANSWERED:
        return None
    contact = next((one for one in scene.contacts if one.id == contact_id), None)
    return None if contact is None or scene.was_told(contact) else contact


def not_told(scene: Scene, contact: Contact, reason: str) -> Change:
    reminder = scene.reminder
    event = ContactNotTold(
        subject=reminder.id,
        user=reminder.user_id,
        contact=contact.id,
        name=contact.name,
        reason=reason,
    )
    return Change(events=(event,))


def told(scene: Scene, contact: Contact) -> Change:
    if scene.was_told(contact):
        return NOTHING
    reminder = scene.reminder
    event = ContactTold(
        subject=reminder.id, user=reminder.user_id, contact=contact.id, name=contact.name
    )
    return Change(told=((reminder.id, contact),), events=(event,))
