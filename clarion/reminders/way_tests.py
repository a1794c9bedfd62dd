"""Tests of devices and contacts: does it ring, does the message arrive, does somebody answer?

A test is a reminder of its own: its history shows what happened, and a yes is the proof that the
guarantee uses. Nobody else is told.
"""

from datetime import datetime, timedelta

from clarion.base.ids import ContactId, DeviceId, ReminderId, TaskId, UserId, new_id
from clarion.people.errors import NoSuchContact, NoSuchDevice, NotAgreed
from clarion.people.model import Actor, Contact, Device
from clarion.reminders import words
from clarion.reminders.decisions.decision import (
    TEST_CONTACT,
    Decision,
    LockedReminder,
    created,
    deadline_task,
    known_device,
    planned,
)
from clarion.reminders.guarded import GuardedReminders
from clarion.reminders.model import (
    TEST,
    TESTED_CONTACT,
    ConfirmationConfig,
    Reminder,
    ReminderStatus,
)
from clarion.tasks.model import Level, Queue, Task

RING_ASKS = ConfirmationConfig(required=True, timeout=60, max_retries=1)
MESSAGE_ASKS = ConfirmationConfig(required=True, timeout=3_600, max_retries=1)  # people are busy


class WayTests:
    def __init__(self, guarded: GuardedReminders) -> None:
        self._guarded = guarded

    async def device(self, actor: Actor, device_id: DeviceId) -> Reminder:
        """Ring this device now and ask for an answer, once."""
        device = await self._guarded.people.device(device_id)
        if device is None or device.user_id is None or not actor.may_see(device.user_id):
            raise NoSuchDevice(device_id)
        return await self._ring(actor, device, device.user_id)

    async def contact(self, actor: Actor, contact_id: ContactId) -> Reminder:
        """Tell this contact now that it is a test, and wait for their answer.

        A contact with a device or a chat answers there, all others by the link.
        """
        people = self._guarded.people
        contact = await people.contact(contact_id)
        if contact is None or not actor.may_see(contact.user_id):
            raise NoSuchContact(contact_id)
        if not contact.agreed_ways:
            raise NotAgreed(contact.name)
        device = await self._device_of(contact)
        if device is not None and device.user_id is not None:
            return await self._ring(actor, device, device.user_id, contact)
        now = self._guarded.clock.now()

        def decide(scene: LockedReminder) -> Decision:
            said = words.test_of(scene.user, scene.user.language, "test_page")
            test = _test(actor, contact.user_id, said, now, contact, MESSAGE_ASKS)
            return ask(test, contact, now)

        added = await self._guarded.store.add(contact.user_id, decide, now, None)
        return added.change.reminders[0]

    async def _ring(
        self, actor: Actor, device: Device, owner: UserId, contact: Contact | None = None
    ) -> Reminder:
        now = self._guarded.clock.now()
        ward = await self._guarded.people.user(contact.user_id) if contact else None

        def decide(scene: LockedReminder) -> Decision:
            known_device(scene, device.id)
            about = ward or scene.user
            said = words.test_of(about, scene.user.language, "test_ring" if contact else "test")
            return planned(_test(actor, owner, said, now, contact, RING_ASKS, device), now)

        added = await self._guarded.store.add(owner, decide, now, None)
        return added.change.reminders[0]

    async def _device_of(self, contact: Contact) -> Device | None:
        kind, _, name = contact.address.partition(":")
        if kind == "device":
            return await self._guarded.people.device(DeviceId(name))
        return await self._guarded.people.device_at(name) if kind == "chat" else None


def _test(
    actor: Actor,
    owner: UserId,
    content: str,
    now: datetime,
    contact: Contact | None,
    asks: ConfirmationConfig,
    device: Device | None = None,
) -> Reminder:
    by_message = device is None
    return Reminder(
        id=ReminderId(new_id(TEST.removesuffix("_"), now)),
        user_id=owner,
        content=content,
        trigger_at=now,
        planned_at=now,
        created_at=now,
        device_id=device.id if device else None,
        created_by=actor.label,
        explicit=True,
        base=Level.HIGH,
        confirmation=asks,
        context={TESTED_CONTACT: contact.id} if contact else {},
        status=ReminderStatus.TRIGGERED if by_message else ReminderStatus.PENDING,
        attempt=1 if by_message else 0,
        answer_by=now + timedelta(seconds=asks.timeout) if by_message else None,
    )


def ask(test: Reminder, contact: Contact, now: datetime) -> Decision:
    """Tell the contact at once; the test waits for their answer."""
    tell = Task(
        id=TaskId(new_id("tsk", now)),
        kind=TEST_CONTACT,
        due_at=now,
        payload={"reminder": test.id, "contact": contact.id},
        base=Level.HIGH,
        queue=Queue.REMINDERS,
        source=f"user:{test.user_id}",
    )
    return Decision(
        reminders=(test,), tasks=(tell, deadline_task(test, now)), events=(created(test),)
    )
