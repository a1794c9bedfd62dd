"""The verbs behind a contact's link: what is known, "I'm on it", "it's done", "I can't"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from clarion.base.errors import BadInput
from clarion.base.ids import DeviceId, ReminderId, new_id
from clarion.base.once import Key
from clarion.base.signing import BadLink
from clarion.people.access import CLARION
from clarion.people.model import Contact, Device, User
from clarion.reminders.contact_calls import HOLD, ContactCalls, call_id
from clarion.reminders.decisions import escalation, moves
from clarion.reminders.decisions.decision import RingFacts, ToldContact
from clarion.reminders.decisions.series import planned
from clarion.reminders.guarded import GuardedReminders
from clarion.reminders.links import Grant, Links
from clarion.reminders.model import Reminder
from clarion.tasks.model import Level

CONTACT = "con_"
PAGE = "page"
WORDS_MAX = 200  # letters: more than that nobody listens to
SHARED = "for_contacts"
"""In a user's context: the `phone` and `address` that their contacts may see."""
HOLD_LEAST, HOLD_MOST = timedelta(minutes=5), timedelta(hours=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallForHelp:
    """What a contact sees: who, what, since when, what was tried, and who else knows."""

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
        """Nobody further is told for so long, and those who were told hear who is on it."""
        if not HOLD_LEAST <= hold <= HOLD_MOST:
            raise BadInput("Between five minutes and four hours.")
        return await self._say(token, escalation.TOOK, through, hold)

    async def decline(self, token: str, through: str = PAGE) -> CallForHelp:
        """They cannot help: the next contact is told at once."""
        return await self._say(token, escalation.CANNOT, through)

    async def opened(self, token: str) -> None:
        """Their browser has shown the page: no preview of a mail program does that."""
        grant = await self._grant(token)
        if not grant.contact_id.startswith(CONTACT):
            return
        told = await self._store.told(grant.reminder_id)
        number = next((one.round for one in told if one.contact_id == grant.contact_id), 0)
        if number:
            call = call_id(grant.reminder_id, grant.contact_id, number)
            await self._calls.receipt(call, opened=True, through=PAGE)

    async def speak(self, token: str, text: str) -> CallForHelp:
        """Say it on the person's devices, once a minute at most; only while they are looked for."""
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
            all_must=bool(known)
            and known[0].order in escalation.policy_of(household.user, reminder).all_must,
            now=now,
        )

    async def _device_name(self, name: str) -> str:
        device = await self._people.device(DeviceId(name))
        return (device.name or device.kind.value) if device else name

    async def _grant(self, token: str) -> Grant:
        """Raises BadLink, also for a contact who was removed, has refused, or is another's."""
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
