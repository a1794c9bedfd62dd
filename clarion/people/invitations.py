"""Contacts are asked once whether they want to be told, at each address, by a link.

The link of an invitation goes only to that address, so a yes comes from the person who reads
there. A contact without an address gets a link that somebody passes on: with it they name where
they want to be told, and are asked there.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.ids import ContactId, TaskId, UserId, new_id
from clarion.base.signing import BadLink, opened, signed
from clarion.people.errors import BadAddress, NeedsConsent, NoSuchContact
from clarion.people.model import Actor, Contact, DeviceKind, User, mark
from clarion.people.ports import Addresses, PeopleStore
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.ports import Again, Claim

INVITE = "contact.invite"
INVITATION_LIFE = timedelta(days=30)
ADDRESS_LETTERS_MAX = 1_000
SAID = {
    "zh": "{who}想请您帮忙：{who}有事没有确认时，会在这里通知您。同意或不同意，请打开链接：",
    "en": "{who} asks you for help: when {who} does not confirm something, you would be told"
    " here. Open the link to agree or refuse:",
}
SOMEBODY = {"zh": "有人", "en": "Somebody"}


class Messenger(Protocol):
    async def send(self, address: str, title: str, text: str) -> None:
        """Raises Unavailable when it was not taken."""
        ...


@dataclass(frozen=True, slots=True)
class Invitation:
    contact: Contact
    user: User
    """Whose contact they would be."""
    address: str
    """Where they would be told; empty: they name it."""


def invite_task(contact: Contact, address: str, now: datetime) -> Task:
    return Task(
        id=TaskId(new_id("tsk", now)),
        kind=INVITE,
        due_at=now,
        payload={"contact": contact.id, "mark": mark(address)},
        base=Level.NORMAL,
        queue=Queue.MESSAGES,
        key=f"invite:{contact.id}:{mark(address)}",
        source=f"user:{contact.user_id}",
    )


class Owners(Protocol):
    async def owns(self, user_id: UserId, address: str) -> bool: ...


class Invitations:
    """`address` is where our pages are: `https://clarion.example`."""

    def __init__(
        self,
        store: PeopleStore,
        owners: Owners,
        clock: Clock,
        key: bytes,
        address: str,
        messenger: Messenger,
        addresses: Addresses | None = None,
    ) -> None:
        self._store = store
        self._owners = owners
        self._clock = clock
        self._key = key
        self._address = address.rstrip("/")
        self._messenger = messenger
        self._addresses = addresses

    def link(self, contact: Contact, address: str = "") -> str:
        """Without an address it may be passed on by hand: it agrees to nothing by itself."""
        until = self._clock.now() + INVITATION_LIFE
        named = mark(address) if address else "-"
        return f"{self._address}/i/{signed(self._key, f'{contact.id} {named}', until)}"

    async def invite(self, claim: Claim) -> Again | None:
        """Ask at one address, unless they have answered meanwhile."""
        contact = await self._store.contact(ContactId(claim.task.payload["contact"]))
        asked = claim.task.payload["mark"]
        user = await self._store.user(contact.user_id) if contact else None
        if contact is None or user is None or contact.refused_at:
            return None
        known = [one.address for one in contact.all_ways if mark(one.address) == asked]
        if not known or contact.has_agreed(known[0]):
            return None
        language = contact.language or user.language
        text = SAID[language].format(who=user.name or SOMEBODY[language])
        await self._messenger.send(known[0], "Clarion", f"{text}\n{self.link(contact, known[0])}")
        return None

    async def ask_again(self, actor: Actor, contact_id: ContactId) -> str:
        """Ask once more at every address that has not agreed. Returns the link to pass on when
        there is no address. A contact who refused is not asked again.
        """
        contact = await self._store.contact(contact_id)
        if contact is None or not actor.may_see(contact.user_id):
            raise NoSuchContact(contact_id)
        if contact.refused_at is not None:
            return ""
        now = self._clock.now()
        waiting = [one.address for one in contact.all_ways if not contact.has_agreed(one.address)]
        await self._store.ask([invite_task(contact, one, now) for one in waiting], now)
        return "" if contact.address else self.link(contact)

    async def open(self, token: str) -> Invitation:
        """Raises BadLink, also for a contact or an address that is gone."""
        contact_id, _, named = opened(self._key, token, self._clock.now()).partition(" ")
        contact = await self._store.contact(ContactId(contact_id))
        user = await self._store.user(contact.user_id) if contact else None
        if contact is None or user is None:
            raise BadLink("This link is not valid.")
        if named == "-":
            return Invitation(contact, user, "")
        here = [one.address for one in contact.all_ways if mark(one.address) == named]
        if not here:
            raise BadLink("This link is not valid.")
        return Invitation(contact, user, here[0])

    async def agree(self, token: str, language: str, address: str = "") -> Invitation:
        """They want to be told at the address to which the link was sent. With a link that was
        passed on, they name an address and are asked there.
        """
        invited = await self.open(token)
        now = self._clock.now()
        if invited.address:
            await self._store.agree(invited.contact.id, invited.address, language, now)
            return await self.open(token)
        await self._name(invited.contact, address.strip(), now)
        return await self.open(token)

    async def _name(self, contact: Contact, address: str, now: datetime) -> None:
        if contact.address:
            return  # named before; the page says so
        if "://" not in address or len(address) > ADDRESS_LETTERS_MAX:
            raise BadAddress("That is no address.", hint="Such as ntfy://topic or mailto://….")
        if self._addresses is not None:
            await self._addresses.check(DeviceKind.NOTIFY, address)
        named = replace(contact, address=address, version=contact.version + 1)
        await self._store.save_contact(named, now, ["address"], [invite_task(named, address, now)])

    async def accept(self, actor: Actor, token: str, address: str) -> Invitation:
        """A user of this Clarion names a device or a chat of their own."""
        invited = await self.open(token)
        if actor.user_id is None or not await self._owners.owns(actor.user_id, address):
            raise NeedsConsent(address)
        me = await self._store.user(actor.user_id)
        language = me.language if me else ""
        await self._store.agree(invited.contact.id, address, language, self._clock.now())
        return await self.open(token)

    async def refuse(self, token: str) -> Invitation:
        """They are told nothing from now on, whatever they agreed to before."""
        invited = await self.open(token)
        await self._store.refuse(invited.contact.id, self._clock.now())
        return await self.open(token)
