"""What contacts answer, whatever the way: a page, a chat's buttons, a notification, a loudspeaker.

A call is one contact told of one reminder in one round. What a channel reports about it becomes a
receipt: it arrived, it was looked at, it was answered, each with when and by which way.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeAlias

from clarion.base.clock import Clock
from clarion.base.ids import ContactId, DeviceId, ReminderId
from clarion.people.access import CLARION, Actor
from clarion.people.model import Contact, Device, User
from clarion.people.ports import PeopleStore
from clarion.reminders import words
from clarion.reminders.decisions import escalation, moves
from clarion.reminders.decisions.decision import Decide, Decision, LockedReminder, RingId
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.model import Reminder
from clarion.reminders.ports import ContactCall, Reaction, ReminderStore, Ring, Search
from clarion.tasks.model import Level

CALL = "call:"
ChangeReminder: TypeAlias = Callable[[Actor, ReminderId, Decide], Awaitable[Reminder]]
HOLD = timedelta(minutes=30)  # who says so without a page is on it for this long
LISTENS = timedelta(minutes=2)  # how long a loudspeaker waits for a word
WAITS = timedelta(minutes=10)  # a device that comes back within this is still told
OVER = Reaction("over")
BUTTONS = {"take": escalation.TOOK, "done": escalation.DONE, "cannot": escalation.CANNOT}


def call_id(reminder_id: str, contact_id: str, number: int) -> RingId:
    return RingId(f"{CALL}{reminder_id}@{contact_id}@{number}")


def is_call(ring_id: str) -> bool:
    return ring_id.startswith(CALL)


def parts_of(ring_id: str) -> tuple[ReminderId, ContactId, int]:
    reminder_id, contact_id, number = ring_id.removeprefix(CALL).split("@")
    return ReminderId(reminder_id), ContactId(contact_id), int(number)


class ContactCalls:
    """`change` decides about a reminder and stops what rings because of it."""

    def __init__(
        self, store: ReminderStore, people: PeopleStore, clock: Clock, change: ChangeReminder
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._change = change

    async def say(
        self,
        reminder_id: ReminderId,
        contact: Contact,
        verb: str,
        *,
        through: str,
        hold: timedelta = HOLD,
        by: str = "",
    ) -> tuple[Reminder, str]:
        """They are on it (`took`), it is `done`, or they `cannot`; the reminder as it is then,
        and what it led to. `by`: who it was, where several read along.
        """
        now = self._clock.now()
        who = replace(contact, name=f"{contact.name} ({by})") if by else contact
        outcome: list[str] = []

        def decide(scene: LockedReminder) -> Decision:
            decided = self._decided(scene, who, verb, now, now + hold, through)
            outcome[:] = [decided.outcome]
            return decided

        reminder = await self._change(CLARION, reminder_id, decide)
        return reminder, outcome[0] if outcome else ""

    def _decided(
        self,
        scene: LockedReminder,
        contact: Contact,
        verb: str,
        now: datetime,
        until: datetime,
        through: str,
    ) -> Decision:
        if verb == escalation.TOOK:
            return escalation.take(scene, contact, now, until, through)
        if verb == escalation.CANNOT:
            return escalation.cannot(scene, contact, now, through)
        confirmed = moves.confirm(scene, now, contact.name, contact.id)
        return confirmed + escalation.said_done(scene, contact, now, through)

    async def pressed(self, ring_id: RingId, button: str, through: str = "push") -> Reaction:
        """`take`, `done` or `cannot`; any other button is none of ours."""
        reminder_id, contact_id, _ = parts_of(ring_id)
        contact = await self._people.contact(contact_id)
        if contact is None or not contact.agreed_ways or button not in BUTTONS:
            return OVER
        return await self._react(reminder_id, contact, BUTTONS[button], through)

    async def pressed_at(
        self, reminder_id: ReminderId, addresses: frozenset[str], button: str, by: str = ""
    ) -> tuple[Reaction, Contact] | None:
        """A button in a chat: whoever is the contact there. None: nobody is."""
        reminder = await self._store.get(reminder_id)
        if reminder is None or button not in BUTTONS:
            return None
        for contact in await self._people.contacts(reminder.user_id):
            if any(one.address in addresses for one in contact.agreed_ways):
                reaction = await self._react(reminder_id, contact, BUTTONS[button], "chat", by)
                return reaction, contact
        return None

    async def answered(self, ring_id: RingId, yes: bool | None) -> Reaction:
        """A yes means that they are on it; what stays unclear (None) is asked once more."""
        reminder_id, contact_id, _ = parts_of(ring_id)
        await self.receipt(ring_id, opened=True, through="device")
        contact = await self._people.contact(contact_id)
        if contact is None or not contact.agreed_ways:
            return OVER
        if yes is None:
            user = await self._people.user(contact.user_id)
            language = await language_of(contact, user, self._people) if user else "en"
            return Reaction("asked_again", words.SAID[language]["say which"], listen=True)
        verb = escalation.TOOK if yes else escalation.CANNOT
        return await self._react(reminder_id, contact, verb, "device")

    async def _react(
        self, reminder_id: ReminderId, contact: Contact, verb: str, through: str, by: str = ""
    ) -> Reaction:
        try:
            reminder, outcome = await self.say(reminder_id, contact, verb, through=through, by=by)
        except NoSuchReminder:
            return OVER
        said = await self._said(reminder, contact, outcome, verb)
        return Reaction("denied" if verb == escalation.CANNOT else "confirmed", said)

    async def _said(self, reminder: Reminder, contact: Contact, outcome: str, verb: str) -> str:
        user = await self._people.user(reminder.user_id)
        assert user is not None, "a reminder goes with its user"
        language = await language_of(contact, user, self._people)
        told = await self._store.told(reminder.id)
        if outcome == "taken":
            has_it = escalation.holder(told, self._clock.now())
            name = await self._name(has_it.contact_id) if has_it else ""
            until = has_it.until if has_it else None
            return words.to_helper("taken", user, language, name=name, until=until)
        if reminder.status not in escalation.UNANSWERED and verb != escalation.DONE:
            return words.to_helper("settled", user, language, name=reminder.confirmed_by or "")
        mine = [one.until for one in told if one.contact_id == contact.id and one.until]
        return words.to_helper(verb, user, language, until=max(mine, default=None))

    async def _name(self, contact_id: ContactId) -> str:
        found = await self._people.contact(contact_id)
        return found.name if found else ""

    async def receipt(self, ring_id: RingId, *, opened: bool = False, through: str = "") -> None:
        """It arrived, or with `opened` was looked at. Noted once."""
        reminder_id, contact_id, number = parts_of(ring_id)
        now, fact = self._clock.now(), "opened" if opened else "delivered"
        contact = await self._people.contact(contact_id)
        if contact is None:
            return
        try:
            await self._store.change(
                reminder_id,
                lambda s: escalation.reached(s, contact, now, number, (fact,), through),
                now,
            )
        except NoSuchReminder:
            return

    async def unreachable(self, ring_id: RingId, reason: str) -> None:
        """It was taken and did not arrive after all: their next way is tried at once."""
        reminder_id, contact_id, number = parts_of(ring_id)
        now = self._clock.now()
        contact = await self._people.contact(contact_id)
        if contact is None:
            return
        try:
            await self._store.change(
                reminder_id,
                lambda s: escalation.not_told(s, contact, reason, now, number),
                now,
            )
        except NoSuchReminder:
            return

    async def waiting_for(self, device: Device) -> list[Ring]:
        """Calls that a device of a contact has slept through: told lately, and nothing heard."""
        now, address, found = self._clock.now(), f"device:{device.id}", list[Ring]()
        for contact in await self._people.contacts_at(address):
            recent = Search(
                user_id=contact.user_id,
                status=tuple(escalation.UNANSWERED),
                since=now - timedelta(days=1),
                limit=20,
            )
            for reminder in await self._store.find(recent):
                for one in await self._store.told(reminder.id):
                    fresh = now - one.told_at < WAITS and one.said is None
                    if one.contact_id == contact.id and fresh and one.opened_at is None:
                        user = await self._people.user(contact.user_id)
                        assert user is not None, "a contact goes with their user"
                        found.append(await self._ring(reminder, contact, user, device, one.round))
        return found

    async def _ring(
        self, reminder: Reminder, contact: Contact, user: User, device: Device, number: int
    ) -> Ring:
        here = replace(contact, address=f"device:{device.id}")
        language = await language_of(here, user, self._people)
        call = ContactCall(
            id=call_id(reminder.id, contact.id, number),
            contact=contact,
            reminder=reminder,
            text=words.to_contact(user, reminder, language),
            link="",
            language=language,
        )
        return spoken(call, device, self._clock.now())


async def language_of(contact: Contact, user: User, people: PeopleStore | None) -> str:
    """Theirs, if they have chosen one or opened a page of ours. A device speaks its owner's; of
    anybody else we know only the user's.
    """
    if contact.language:
        return contact.language
    kind, _, device_id = contact.address.partition(":")
    if kind != "device" or people is None:
        return user.language
    device = await people.device(DeviceId(device_id))
    owner = await people.user(device.user_id) if device and device.user_id else None
    return owner.language if owner else user.language


def spoken(call: ContactCall, device: Device, now: datetime) -> Ring:
    """The call as a loudspeaker says it: a sentence and a question."""
    said = words.SAID[call.language]
    return Ring(
        id=call.id,
        reminder_id=call.reminder.id,
        attempt=1,
        user_id=device.user_id or call.contact.user_id,
        device=device,
        text=f"{call.text}{said['can you go']}",
        content=call.text,
        language=call.language,
        wants_confirmation=True,
        critical=call.reminder.base >= Level.CRITICAL,
        base=max(call.reminder.base, Level.HIGH),
        answer_by=now + LISTENS,
        link=call.link,
        buttons=(("take", said["button take"]), ("cannot", said["button cannot"])),
    )
