"""What contacts are told and what they answer: a page behind a link, a chat, a loudspeaker.


A call is one contact told of one reminder in one round. What a channel reports about it becomes a
receipt: it arrived, it was looked at, it was answered, each with when and by which way.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.ids import ContactId, DeviceId, Key, ReminderId, new_id
from clarion.base.signing import BadLink
from clarion.people.model import CLARION, Actor, Contact, Device, User
from clarion.people.ports import PeopleStore
from clarion.reminders import words
from clarion.reminders.decisions import escalation, moves
from clarion.reminders.decisions.decision import (
    Decide,
    Decision,
    LockedReminder,
    RingFacts,
    RingId,
    ToldContact,
    call_id,
    parts_of_call,
    planned,
)
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.guarded import GuardedReminders
from clarion.reminders.links import Grant, Links
from clarion.reminders.model import Reminder, policy_of
from clarion.reminders.ports import ContactCall, Reaction, ReminderStore, Ring, Search
from clarion.tasks.model import Level

DecideOnReminder: TypeAlias = Callable[[Actor, ReminderId, Decide], Awaitable[Decision]]
HOLD = timedelta(minutes=30)  # the time of "I'm on it" when no page asked for how long
LISTENS = timedelta(minutes=2)  # how long a loudspeaker waits for an answer
WAITS = timedelta(minutes=10)  # a device that comes back within this time is still told
OVER = Reaction("over")
BUTTONS = {"take": escalation.TOOK, "done": escalation.DONE, "cannot": escalation.CANNOT}


class ContactCalls:
    """`decide` changes a reminder and stops the devices that ring for it."""

    def __init__(
        self, store: ReminderStore, people: PeopleStore, clock: Clock, decide: DecideOnReminder
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._decide = decide

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
        """They are on it (`took`), it is `done`, or they `cannot`. Returns the changed reminder and
        the outcome. `by`: who said it, where several people read the same chat.
        """
        now = self._clock.now()
        who = replace(contact, name=f"{contact.name} ({by})") if by else contact
        change = await self._decide(
            CLARION,
            reminder_id,
            lambda scene: self._decided(scene, who, verb, now, now + hold, through),
        )
        return change.after, change.outcome

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
        """`take`, `done` or `cannot`; any other button is ignored."""
        reminder_id, contact_id, _ = parts_of_call(ring_id)
        contact = await self._people.contact(contact_id)
        if contact is None or not contact.agreed_ways or button not in BUTTONS:
            return OVER
        return await self._react(reminder_id, contact, BUTTONS[button], through)

    async def pressed_at(
        self, reminder_id: ReminderId, addresses: frozenset[str], button: str, by: str = ""
    ) -> tuple[Reaction, Contact] | None:
        """A button in a chat, pressed for the contact of that chat. None: there is none."""
        reminder = await self._store.get(reminder_id)
        if reminder is None or button not in BUTTONS:
            return None
        for contact in await self._people.contacts(reminder.user_id):
            if any(one.address in addresses for one in contact.agreed_ways):
                reaction = await self._react(reminder_id, contact, BUTTONS[button], "chat", by)
                return reaction, contact
        return None

    async def answered(self, ring_id: RingId, yes: bool | None) -> Reaction:
        """A yes means that they are on it; an unclear answer (None) is asked once more."""
        reminder_id, contact_id, _ = parts_of_call(ring_id)
        await self.receipt(ring_id, opened=True, through="device")
        contact = await self._people.contact(contact_id)
        if contact is None or not contact.agreed_ways:
            return OVER
        if yes is None:
            user = await self._people.user(contact.user_id)
            language = await contact_language(contact, user, self._people) if user else "en"
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
        language = await contact_language(contact, user, self._people)
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
        """The message arrived or, with `opened`, was read. Noted once."""
        reminder_id, contact_id, number = parts_of_call(ring_id)
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
        """The service accepted it but could not deliver it: their next way is tried at once."""
        reminder_id, contact_id, number = parts_of_call(ring_id)
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
        """Recent calls that a contact's device missed while it was offline."""
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
        language = await contact_language(here, user, self._people)
        call = ContactCall(
            id=call_id(reminder.id, contact.id, number),
            contact=contact,
            reminder=reminder,
            text=words.to_contact(user, reminder, language),
            link="",
            language=language,
        )
        return spoken(call, device, self._clock.now())


async def contact_language(contact: Contact, user: User, people: PeopleStore | None) -> str:
    """Their own, if they chose one or opened a page of ours. A device speaks its owner's language;
    for all others we know only the user's.
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


CONTACT = "con_"
PAGE = "page"
WORDS_MAX = 200  # letters: nobody listens to more
SHARED = "for_contacts"
"""In a user's context: the `phone` and `address` that their contacts may see."""
HOLD_LEAST, HOLD_MOST = timedelta(minutes=5), timedelta(hours=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallForHelp:
    """What a contact sees: whom it is about, what, since when, what was tried, who else knows."""

    reminder: Reminder
    user: User
    contact: Contact | None
    """None when the link is not a contact's: a device's own, or a contact who is gone."""
    rings: Sequence[RingFacts]
    devices: Sequence[Device]
    told: Sequence[tuple[str, ToldContact]]
    """Everybody who was told, by name."""
    holder: tuple[str, ToldContact] | None
    """Who is on it."""
    all_must: bool
    """Whether this contact has to answer too, though somebody else is on it."""
    now: datetime

    @property
    def shared(self) -> Mapping[str, str]:
        """What the person lets their contacts see: a phone number, an address."""
        said = self.user.context.get(SHARED)
        known = said if isinstance(said, Mapping) else {}
        return {name: str(known[name]) for name in ("phone", "address") if known.get(name)}


class LinkAnswers:
    def __init__(self, guarded: GuardedReminders, links: Links | None, calls: ContactCalls) -> None:
        self._guarded = guarded
        self._calls = calls
        self._people = guarded.people
        self._store = guarded.store
        self._clock = guarded.clock
        self._links = links

    async def open(self, token: str) -> CallForHelp:
        """What a link is about. Raises BadLink."""
        grant = await self._grant(token)
        reminder = await self._guarded.reminder(CLARION, grant.reminder_id)
        return await self._call(reminder, grant)

    async def confirm(self, token: str, through: str = PAGE) -> CallForHelp:
        """A contact confirms for the user; the history names the contact."""
        grant = await self._grant(token)
        if await self._people.contact(grant.contact_id) is not None:
            return await self._say(token, escalation.DONE, through)
        by, now = await self._device_name(grant.contact_id), self._clock.now()
        reminder = await self._guarded.change(
            CLARION,
            grant.reminder_id,
            lambda scene: moves.confirm(scene, now, by, grant.contact_id),
        )
        return await self._call(reminder, grant)

    async def take(self, token: str, hold: timedelta, through: str = PAGE) -> CallForHelp:
        """No other contact is told for that time, and those who were told hear who is on it."""
        if not HOLD_LEAST <= hold <= HOLD_MOST:
            raise BadInput("Between five minutes and four hours.")
        return await self._say(token, escalation.TOOK, through, hold)

    async def decline(self, token: str, through: str = PAGE) -> CallForHelp:
        """They cannot help: the next contact is told at once."""
        return await self._say(token, escalation.CANNOT, through)

    async def opened(self, token: str) -> None:
        """Their browser has shown the page, which no preview of a mail program does."""
        grant = await self._grant(token)
        if not grant.contact_id.startswith(CONTACT):
            return
        told = await self._store.told(grant.reminder_id)
        number = next((one.round for one in told if one.contact_id == grant.contact_id), 0)
        if number:
            call = call_id(grant.reminder_id, grant.contact_id, number)
            await self._calls.receipt(call, opened=True, through=PAGE)

    async def speak(self, token: str, text: str) -> CallForHelp:
        """Say it on the person's devices, once a minute at most, only while nobody has answered."""
        said = text.strip()
        if not 0 < len(said) <= WORDS_MAX:
            raise BadInput(f"1 to {WORDS_MAX} letters.")
        grant = await self._grant(token)
        call = await self.open(token)
        if call.contact is None or call.reminder.status not in escalation.UNANSWERED:
            return call
        now, contact = self._clock.now(), call.contact
        words = Reminder(
            id=ReminderId(new_id("rem", now)),
            user_id=call.user.id,
            content=f"{contact.name}: {said}",
            trigger_at=now,
            planned_at=now,
            created_at=now,
            created_by=contact.name,
            explicit=True,
            base=Level.HIGH,
        )
        minute = f"speak:{grant.reminder_id}:{contact.id}:{now:%Y%m%d%H%M}"
        once = Key(call.user.id, minute, "")
        await self._store.add(call.user.id, lambda _: planned(words, now), now, once)
        return await self._call(call.reminder, grant)

    async def _say(
        self, token: str, verb: str, through: str, hold: timedelta = HOLD
    ) -> CallForHelp:
        grant = await self._grant(token)
        contact = await self._people.contact(grant.contact_id)
        if contact is None:
            raise BadLink("This link is not valid.")
        reminder, _ = await self._calls.say(
            grant.reminder_id, contact, verb, through=through, hold=hold
        )
        return await self._call(reminder, grant)

    async def _call(self, reminder: Reminder, grant: Grant) -> CallForHelp:
        households = await self._people.households([reminder.user_id])
        household = households[reminder.user_id]
        names = {one.id: one.name for one in household.contacts}
        now = self._clock.now()
        told = await self._store.told(reminder.id)
        has_it = escalation.holder(told, now)
        known = [one for one in household.contacts if one.id == grant.contact_id]
        return CallForHelp(
            reminder=reminder,
            user=household.user,
            contact=known[0] if known else None,
            rings=await self._store.rings(reminder.id),
            devices=household.devices,
            told=[(names.get(one.contact_id, ""), one) for one in told],
            holder=(names.get(has_it.contact_id, ""), has_it) if has_it else None,
            all_must=bool(known) and known[0].order in policy_of(household.user, reminder).all_must,
            now=now,
        )

    async def _device_name(self, name: str) -> str:
        device = await self._people.device(DeviceId(name))
        return (device.name or device.kind.value) if device else name

    async def _grant(self, token: str) -> Grant:
        """Raises BadLink, also for a contact who was removed, has refused, or is another user's."""
        if self._links is None:
            raise BadLink("This link is not valid.")
        grant = self._links.read(token, self._clock.now())
        if not grant.contact_id.startswith(CONTACT):
            return grant  # a device's own
        contact = await self._people.contact(grant.contact_id)
        reminder = await self._store.get(grant.reminder_id)
        theirs = contact and reminder and contact.user_id == reminder.user_id
        if contact is None or not theirs or not contact.agreed_ways:
            raise BadLink("This link is not valid.")
        return grant
