"""The verbs behind a contact's link: what is known, "I'm on it", "it's done", "I can't"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from clarion.base.errors import BadInput
from clarion.base.ids import DeviceId
from clarion.people.access import CLARION
from clarion.people.model import Contact, Device, User
from clarion.reminders.decisions import escalation, moves
from clarion.reminders.decisions.decision import Decision, LockedReminder, RingFacts, ToldContact
from clarion.reminders.errors import BadLink
from clarion.reminders.links import Grant, Links
from clarion.reminders.model import Reminder
from clarion.reminders.verbs import Verbs

SayIt: TypeAlias = Callable[[LockedReminder, Contact], Decision]
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
    now: datetime


class LinkVerbs(Verbs):
    _links: Links | None

    async def open_link(self, token: str) -> CallForHelp:
        """What a link is about. Raises BadLink."""
        grant = self._grant(token)
        reminder = await self._reminder(CLARION, grant.reminder_id)
        return await self._call(reminder, grant)

    async def confirm_by_link(self, token: str) -> CallForHelp:
        """A contact confirms for the user; the history names the contact."""
        grant = self._grant(token)
        contact = await self._people.contact(grant.contact_id)
        by = contact.name if contact else await self._device_name(grant.contact_id)
        now = self._clock.now()
        reminder = await self._change(
            CLARION,
            grant.reminder_id,
            lambda scene: moves.confirm(scene, now, by, grant.contact_id),
        )
        return await self._call(reminder, grant)

    async def take_by_link(self, token: str, hold: timedelta) -> CallForHelp:
        """Nobody further is told for so long, and those who were told hear who is on it."""
        if not HOLD_LEAST <= hold <= HOLD_MOST:
            raise BadInput("Between five minutes and four hours.")
        now = self._clock.now()
        return await self._say(token, lambda s, one: escalation.take(s, one, now, now + hold))

    async def decline_by_link(self, token: str) -> CallForHelp:
        """They cannot help: the next contact is told at once."""
        now = self._clock.now()
        return await self._say(token, lambda s, one: escalation.cannot(s, one, now))

    async def _say(self, token: str, decide: SayIt) -> CallForHelp:
        grant = self._grant(token)
        contact = await self._people.contact(grant.contact_id)

        def decided(scene: LockedReminder) -> Decision:
            return decide(scene, contact) if contact else Decision()

        reminder = await self._change(CLARION, grant.reminder_id, decided)
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
            now=now,
        )

    async def _device_name(self, name: str) -> str:
        device = await self._people.device(DeviceId(name))
        return (device.name or device.kind.value) if device else name

    def _grant(self, token: str) -> Grant:
        if self._links is None:
            raise BadLink("This link is not valid.")
        return self._links.read(token, self._clock.now())
