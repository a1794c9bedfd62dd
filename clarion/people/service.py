"""The verbs about users, their devices and their contacts."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Stale
from clarion.base.ids import ContactId, DeviceId, UserId, new_id
from clarion.base.paging import Page
from clarion.people.access import Actor
from clarion.people.errors import (
    AlreadyThere,
    NeedsConsent,
    NoSuchContact,
    NoSuchDevice,
    NoSuchUser,
)
from clarion.people.limits import PeopleLimits, known_zone
from clarion.people.model import Contact, Device, DeviceKind, QuietHours, User
from clarion.people.ports import Addresses, PeopleStore

LANGUAGES = ("zh", "en")
NAME_LETTERS_MAX = 100
ID_LETTERS_MAX = 128
ADDRESS_LETTERS_MAX = 1_000
DELAY_MAX = 86_400  # seconds; a contact who is told the day after is no help
CHATS = (DeviceKind.TELEGRAM, DeviceKind.CONSOLE_CHAT)
PLATFORMS = ("telegram", "console")  # a chat's id, and that of its device, begins with one
CHATS_MAX = 200  # more chats than one person writes in
KEEP: Any = object()
"""For `update_…`: this field stays as it is. None is a value."""

Moved = Callable[[User, str], Awaitable[object]]
R = TypeVar("R", User, Device, Contact)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What a user begins with who has said nothing yet."""

    zone: str = "UTC"
    language: str = "zh"


NEWCOMER = Newcomer()
LIMITS = PeopleLimits()


class People:
    def __init__(
        self,
        store: PeopleStore,
        clock: Clock,
        *,
        newcomer: Newcomer = NEWCOMER,
        limits: PeopleLimits = LIMITS,
        addresses: Addresses | None = None,
        moved: Moved | None = None,
    ) -> None:
        """`moved` is told of a person whose zone changed, and which it was before."""
        self._addresses = addresses
        self._moved = moved
        self._store = store
        self._clock = clock
        self._newcomer = newcomer
        self._limits = limits

    async def ensure_user(self, user_id: UserId, name: str = "") -> User:
        """The user of this id; added with the usual zone and language when unknown."""
        checked_id(user_id)
        begins = User(
            id=user_id,
            name=checked_name(name),
            zone=self._newcomer.zone,
            language=self._newcomer.language,
            created_at=self._clock.now(),
        )
        return await self._store.ensure_user(begins, self._clock.now())

    async def add_user(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        name: str = "",
        zone: str | None = None,
        language: str | None = None,
        context: Mapping[str, Any] | None = None,
        quiet: QuietHours | None = None,
    ) -> User:
        self._only(actor, user_id)
        if await self._store.user(user_id) is not None:
            raise AlreadyThere(f"There is a user {user_id!r} already.")
        await self.ensure_user(user_id, name)
        return await self.update_user(
            actor,
            user_id,
            zone=zone or self._newcomer.zone,
            language=language or self._newcomer.language,
            context=context or {},
            quiet=quiet,
        )

    async def user(self, actor: Actor, user_id: UserId) -> User:
        self._only(actor, user_id)
        found = await self._store.user(user_id)
        if found is None:
            raise NoSuchUser(user_id)
        return found

    async def users(
        self, actor: Actor, *, limit: int = 50, cursor: str | None = None
    ) -> Page[User]:
        if not actor.admin:
            own = await self._store.user(actor.user_id) if actor.user_id else None
            return Page((own,) if own else ())
        size = self._limits.page(limit)
        found = await self._store.users(after=cursor or "", limit=size + 1)
        return page_of(found, size)

    async def update_user(
        self,
        actor: Actor,
        user_id: UserId,
        *,
        version: int | None = None,
        name: str = KEEP,
        zone: str = KEEP,
        language: str = KEEP,
        context: Mapping[str, Any] = KEEP,
        quiet: QuietHours | None = KEEP,
    ) -> User:
        found = await self.user(actor, user_id)
        if zone is not KEEP:
            known_zone(zone)
        if language is not KEEP and language not in LANGUAGES:
            raise BadInput(f"The language {language!r} is not spoken here.", hint="zh or en.")
        fields = {
            "name": name if name is KEEP else checked_name(name),
            "zone": zone,
            "language": language,
            "context": context if context is KEEP else self._limits.context(context),
            "quiet": quiet,
        }
        after, names = updated(found, fields, version)
        if names:
            await self._store.save_user(after, self._clock.now(), names)
        if after.zone != found.zone and self._moved is not None:
            await self._moved(after, found.zone)
        return after

    async def remove_user(self, actor: Actor, user_id: UserId) -> None:
        """With all that is theirs. Removing twice is harmless."""
        self._only(actor, user_id)
        await self._store.remove_user(user_id, self._clock.now())

    async def add_device(
        self,
        actor: Actor,
        *,
        kind: DeviceKind,
        user_id: UserId | None,
        device_id: DeviceId | None = None,
        name: str = "",
        address: str = "",
        order: int = 0,
        quiet: QuietHours | None = None,
        facts: Mapping[str, Any] | None = None,
        enabled: bool = True,
    ) -> Device:
        """Raises AlreadyThere when the id is taken. The user is added when unknown."""
        self._only(actor, user_id)
        if user_id is not None:
            await self.ensure_user(user_id)
        if device_id and not actor.admin and device_id.partition(":")[0] in PLATFORMS:
            raise NeedsConsent(device_id)  # whoever has that id hears what is said in the chat
        await self._check_device(actor, user_id, kind, address.strip())
        now = self._clock.now()
        device = Device(
            id=checked_id(device_id) if device_id else DeviceId(new_id("dev", now)),
            user_id=user_id,
            kind=kind,
            name=checked_name(name),
            address=checked_address(address),
            order=order,
            quiet=quiet,
            facts=self._limits.context(facts),
            enabled=enabled,
        )
        if not await self._store.add_device(device, now):
            raise AlreadyThere(f"There is a device {device.id!r} already.")
        return device

    async def device(self, actor: Actor, device_id: DeviceId) -> Device:
        found = await self._store.device(device_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchDevice(device_id)
        return found

    async def chat_device(self, address: str, kind: DeviceKind, name: str) -> Device:
        """The one device that a chat is, whatever its id. Made when the chat first speaks."""
        found = await self._store.device_at(address) or await self._store.device(DeviceId(address))
        if found is not None:
            return found
        user = await self.ensure_user(UserId(address), name=name)
        made = Device(id=DeviceId(address), user_id=user.id, kind=kind, name=name, address=address)
        if await self._store.add_device(made, self._clock.now()):
            return made
        return await self.chat_device(address, kind, name)  # somebody was faster

    async def devices(
        self,
        actor: Actor,
        *,
        user_id: UserId | None = None,
        kind: DeviceKind | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Device]:
        """An admin without `user_id` sees everybody's."""
        owner = user_id if actor.admin else user_id or actor.user_id
        if not actor.admin:
            self._only(actor, owner)
        size = self._limits.page(limit)
        found = await self._store.devices(
            user_id=owner, kind=kind, after=cursor or "", limit=size + 1
        )
        return page_of(found, size)

    async def update_device(
        self,
        actor: Actor,
        device_id: DeviceId,
        *,
        version: int | None = None,
        user_id: UserId | None = KEEP,
        name: str = KEEP,
        address: str = KEEP,
        order: int = KEEP,
        quiet: QuietHours | None = KEEP,
        facts: Mapping[str, Any] = KEEP,
        enabled: bool = KEEP,
    ) -> Device:
        """Another `user_id` gives the device to somebody else: that is for admins."""
        found = await self.device(actor, device_id)
        if user_id is not KEEP and user_id != found.user_id and user_id is not None:
            self._only(actor, user_id)
            await self.ensure_user(user_id)
        if address is not KEEP and address != found.address:
            await self._check_device(actor, found.user_id, found.kind, address.strip())
        fields = {
            "user_id": user_id,
            "name": name if name is KEEP else checked_name(name),
            "address": address if address is KEEP else checked_address(address),
            "order": order,
            "quiet": quiet,
            "facts": facts if facts is KEEP else self._limits.context(facts),
            "enabled": enabled,
        }
        after, names = updated(found, fields, version)
        if names:
            await self._store.save_device(after, self._clock.now(), names)
        return after

    async def remove_device(self, actor: Actor, device_id: DeviceId) -> None:
        await self.device(actor, device_id)
        await self._store.remove_device(device_id, self._clock.now())

    async def seen(self, device_id: DeviceId, *, online: bool, through: str = "") -> Device | None:
        """Write down presence; the device as it was before. Unknown devices are ignored."""
        return await self._store.device_seen(
            device_id, online=online, through=through, now=self._clock.now()
        )

    async def add_contact(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        name: str,
        address: str,
        order: int = 0,
        delay: int = 0,
    ) -> Contact:
        self._only(actor, user_id)
        await self._check_contact(actor, user_id, address.strip())
        await self.ensure_user(user_id)
        now = self._clock.now()
        contact = Contact(
            id=ContactId(new_id("con", now)),
            user_id=user_id,
            name=checked_name(name),
            address=checked_address(address, needed=True),
            order=order,
            delay=checked_delay(delay),
        )
        await self._store.add_contact(contact, now)
        return contact

    async def contact(self, actor: Actor, contact_id: ContactId) -> Contact:
        found = await self._store.contact(contact_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchContact(contact_id)
        return found

    async def ward(self, actor: Actor, user_id: UserId, name: str) -> User | None:
        """Whom this user may remind under that name: somebody who has them as a contact, called
        so themself, or called so among this user's own contacts. None: nobody.
        """
        self._only(actor, user_id)
        trusting = await self._store.wards(user_id)
        wanted = name.strip().casefold()
        named = [one for one in trusting if one.name.casefold() == wanted]
        for contact in await self._store.contacts(user_id):
            if contact.name.casefold() == wanted and contact.address.startswith("device:"):
                device = await self._store.device(DeviceId(contact.address.partition(":")[2]))
                named += [one for one in trusting if device and one.id == device.user_id]
        return named[0] if named else None

    async def contacts(self, actor: Actor, user_id: UserId) -> list[Contact]:
        """The ladder, the first rung first."""
        self._only(actor, user_id)
        return await self._store.contacts(user_id)

    async def update_contact(
        self,
        actor: Actor,
        contact_id: ContactId,
        *,
        version: int | None = None,
        name: str = KEEP,
        address: str = KEEP,
        order: int = KEEP,
        delay: int = KEEP,
    ) -> Contact:
        found = await self.contact(actor, contact_id)
        if address is not KEEP and address != found.address:
            await self._check_contact(actor, found.user_id, address.strip())
        fields = {
            "name": name if name is KEEP else checked_name(name),
            "address": address if address is KEEP else checked_address(address, needed=True),
            "order": order,
            "delay": delay if delay is KEEP else checked_delay(delay),
        }
        after, names = updated(found, fields, version)
        if names:
            await self._store.save_contact(after, self._clock.now(), names)
        return after

    async def remove_contact(self, actor: Actor, contact_id: ContactId) -> None:
        await self.contact(actor, contact_id)
        await self._store.remove_contact(contact_id, self._clock.now())

    async def _check_device(
        self, actor: Actor, owner: UserId | None, kind: DeviceKind, address: str
    ) -> None:
        if not address:
            return
        if kind in CHATS and not actor.admin and not await self._has_chat(owner, address):
            raise NeedsConsent(f"chat:{address}")
        if self._addresses is not None:
            await self._addresses.check(kind, address)

    async def _check_contact(self, actor: Actor, owner: UserId, address: str) -> None:
        """A contact may ring what belongs to the user; what is another's needs their consent."""
        kind, _, name = address.partition(":")
        if "://" in address:
            if self._addresses is not None:
                await self._addresses.check(DeviceKind.NOTIFY, address)
        elif kind == "device" and not actor.admin:
            device = await self._store.device(DeviceId(name))
            if device is None or device.user_id != owner:
                raise NeedsConsent(address)
        elif kind == "chat" and not actor.admin and not await self._has_chat(owner, name):
            raise NeedsConsent(address)

    async def _has_chat(self, owner: UserId | None, chat: str) -> bool:
        """Chats become devices when somebody writes there: that shows whose they are."""
        if owner is None:
            return False
        for kind in CHATS:
            theirs = await self._store.devices(user_id=owner, kind=kind, after="", limit=CHATS_MAX)
            if any(device.address == chat for device in theirs):
                return True
        return False

    def _only(self, actor: Actor, user_id: UserId | None) -> None:
        if not actor.may_see(user_id):
            raise NoSuchUser(user_id or "")


def updated(found: R, fields: Mapping[str, Any], version: int | None) -> tuple[R, list[str]]:
    """The next version with what differs, and the names of those fields."""
    if version is not None and version != found.version:
        raise Stale(
            f"{found.id!r} is at version {found.version}, not {version}.",
            hint="Read it again, then change it.",
        )
    differs = {
        name: value
        for name, value in fields.items()
        if value is not KEEP and getattr(found, name) != value
    }
    if not differs:
        return found, []
    return replace(found, version=found.version + 1, **differs), sorted(differs)


def page_of(found: list[R], size: int) -> Page[R]:
    more = len(found) > size
    return Page(tuple(found[:size]), found[size - 1].id if more else None)


def checked_id(value: Any) -> Any:
    if not 0 < len(value) <= ID_LETTERS_MAX or not value.isprintable() or value != value.strip():
        raise BadInput(f"An id has 1 to {ID_LETTERS_MAX} letters that can be printed.")
    return value


def checked_name(value: str) -> str:
    if len(value) > NAME_LETTERS_MAX:
        raise BadInput(f"A name has at most {NAME_LETTERS_MAX} letters.")
    return value.strip()


def checked_address(value: str, *, needed: bool = False) -> str:
    if len(value) > ADDRESS_LETTERS_MAX or (needed and not value.strip()):
        raise BadInput(
            f"An address has 1 to {ADDRESS_LETTERS_MAX} letters.",
            hint="Such as device:dev_…, chat:123, or any Apprise address.",
        )
    return value.strip()


def checked_delay(seconds: int) -> int:
    if not 0 <= seconds <= DELAY_MAX:
        raise BadInput(f"A delay is from 0 to {DELAY_MAX} seconds.")
    return seconds
