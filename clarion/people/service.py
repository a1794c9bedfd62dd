"""The verbs about users, their devices and their contacts."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Stale
from clarion.base.ids import ContactId, DeviceId, UserId, new_id
from clarion.base.paging import Page
from clarion.people.errors import (
    AlreadyThere,
    BadAddress,
    NeedsConsent,
    NoSuchContact,
    NoSuchDevice,
    NoSuchUser,
    TooManyContacts,
)
from clarion.people.habits import checked_wishes
from clarion.people.invitations import invite_task
from clarion.people.model import (
    CHAT_PLATFORMS,
    NEWCOMER,
    Actor,
    AwayDays,
    Contact,
    Device,
    DeviceKind,
    EscalationPolicy,
    FurtherWay,
    Newcomer,
    PeopleLimits,
    PersonAbsence,
    QuietHours,
    Rotation,
    User,
    checked_absence,
    known_zone,
    mark,
)
from clarion.people.ports import Addresses, PeopleStore
from clarion.tasks.model import Task

LANGUAGES = ("zh", "en")
NAME_LETTERS_MAX = 100
ID_LETTERS_MAX = 128
ADDRESS_LETTERS_MAX = 1_000
DELAY_MAX = 86_400  # seconds; a contact who is told a day later cannot help
TOLD_AT_ADDRESS = (DeviceKind.NOTIFY, DeviceKind.WEBHOOK)
ADDRESS_HINT = {
    DeviceKind.NOTIFY: "Any Apprise address, such as ntfy://topic.",
    DeviceKind.WEBHOOK: "An http:// or https:// address.",
}
CONTACT_HINT = "Such as device:dev_…, chat:123, or any Apprise address."
AWAY_MAX = 50  # of one contact
CHATS_MAX = 200  # more chats than one person writes in
KEEP: Any = object()
"""For `update_…`: this field stays as it is. None is a value."""

Moved = Callable[[User, str], Awaitable[int]]
MOVERS_AT_ONCE = 50
R = TypeVar("R", User, Device, Contact, Rotation)


@dataclass(frozen=True, slots=True)
class ChangedUser:
    user: User
    followed: int = 0
    """How many of their series went along into another zone."""


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
        """`moved` moves a person's series from their old time zone; it returns how many moved."""
        self._addresses = addresses
        self._moved = moved
        self._store = store
        self._clock = clock
        self._newcomer = newcomer
        self._limits = limits

    async def ensure_user(self, user_id: UserId, name: str = "", language: str = "") -> User:
        """The user of this id; when unknown, added with the usual zone, and language if none is
        given.
        """
        checked_id(user_id)
        now, spoken = self._clock.now(), language or self._newcomer.language
        begins = replace(
            self._newcomer.user(user_id), name=checked_name(name), language=spoken, created_at=now
        )
        return await self._store.ensure_user(begins, now)

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
        escalation: EscalationPolicy | None = None,
        absence: PersonAbsence | None = None,
    ) -> User:
        actor.must_see(user_id)
        if await self._store.user(user_id) is not None:
            raise AlreadyThere(f"There is a user {user_id!r} already.")
        self._remembered(context)  # checked before the user is added
        await self.ensure_user(user_id, name)
        return await self.update_user(
            actor,
            user_id,
            zone=zone or self._newcomer.zone,
            language=language or self._newcomer.language,
            context=context or {},
            quiet=quiet,
            escalation=escalation,
            absence=absence,
        )

    async def user(self, actor: Actor, user_id: UserId) -> User:
        actor.must_see(user_id)
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

    async def update_user(self, actor: Actor, user_id: UserId, **fields: Any) -> User:
        return (await self.change_user(actor, user_id, **fields)).user

    async def change_user(
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
        escalation: EscalationPolicy | None = KEEP,
        absence: PersonAbsence | None = KEEP,
    ) -> ChangedUser:
        found = await self.user(actor, user_id)
        if zone is not KEEP:
            known_zone(zone)
            await self._follow(found)  # first finish a move that a crash interrupted
        if language is not KEEP:
            checked_language(language)
        fields = {
            "name": name if name is KEEP else checked_name(name),
            "zone": zone,
            "language": language,
            "context": context if context is KEEP else self._remembered(context),
            "quiet": quiet,
            "escalation": escalation,
            "absence": absence if absence is KEEP else checked_absence(absence, self._clock.now()),
        }
        after, names = updated(replace(found, moved_from=None), fields, version)
        if after.zone != found.zone and self._moved is not None:
            after = replace(after, moved_from=found.zone)
        if names:
            await self._store.save_user(after, self._clock.now(), names)
        followed = await self._follow(after)
        return ChangedUser(replace(after, moved_from=None), followed)

    def _remembered(self, context: Mapping[str, Any] | None) -> Mapping[str, Any]:
        return checked_wishes(self._limits.context(context))

    async def _follow(self, user: User) -> int:
        """Move a person's series to their new zone; repeated after a crash in the middle."""
        if user.moved_from is None or self._moved is None:
            return 0
        followed = await self._moved(user, user.moved_from)
        await self._store.arrived(user, followed, self._clock.now())
        return followed

    async def follow_movers(self, _now: datetime) -> None:
        """After a crash: move the series of people whose zone has changed."""
        for user in await self._store.movers(MOVERS_AT_ONCE):
            await self._follow(user)

    async def remove_user(self, actor: Actor, user_id: UserId) -> None:
        """With all that is theirs. Removing twice is harmless."""
        actor.must_see(user_id)
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
        """Raises AlreadyThere when the id is taken, NoSuchUser when there is no such user."""
        await self._known(actor, user_id)
        if device_id and not actor.admin and device_id.partition(":")[0] in CHAT_PLATFORMS:
            raise NeedsConsent(device_id)  # it would receive what is said in the chat
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

    async def chat_device(
        self, address: str, kind: DeviceKind, name: str, language: str = ""
    ) -> Device:
        """The device of a chat, whatever its id. Made with the chat's first message."""
        found = await self._store.device_at(address) or await self._store.device(DeviceId(address))
        if found is not None:
            return found
        user = await self.ensure_user(UserId(address), name=name, language=language)
        made = Device(id=DeviceId(address), user_id=user.id, kind=kind, name=name, address=address)
        if await self._store.add_device(made, self._clock.now()):
            return made
        return await self.chat_device(address, kind, name, language)  # somebody was faster

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
            actor.must_see(owner)
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
        """Another `user_id` gives the device to somebody else: only admins may do that."""
        found = await self.device(actor, device_id)
        if user_id is not KEEP and user_id != found.user_id and user_id is not None:
            await self._known(actor, user_id)
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
        """Store presence; returns the device as it was before. Unknown devices are ignored."""
        return await self._store.device_seen(
            device_id, online=online, through=through, now=self._clock.now()
        )

    async def add_contact(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        name: str,
        address: str = "",
        order: int = 0,
        delay: int = 0,
        ways: Sequence[FurtherWay] = (),
        quiet: QuietHours | None = None,
        language: str = "",
        away: Sequence[AwayDays] = (),
        invite: bool = False,
    ) -> Contact:
        """They are told nothing before they have agreed at that address. A user's own address
        needs no consent, and an admin may give it for them, unless they are to be invited.
        """
        await self._known(actor, user_id)
        if len(await self._store.contacts(user_id)) >= self._limits.contacts_max:
            raise TooManyContacts(self._limits.contacts_max)
        now = self._clock.now()
        contact = Contact(
            id=ContactId(new_id("con", now)),
            user_id=user_id,
            name=checked_name(name),
            address=checked_address(address),
            order=order,
            delay=checked_delay(delay),
            ways=self._checked_ways(ways),
            quiet=quiet,
            language=checked_language(language) if language else "",
            away=checked_days(away),
            agreed=(),
        )
        contact, invites = await self._with_consent(actor, contact, invite=invite)
        await self._store.add_contact(contact, now, invites)
        return contact

    async def _with_consent(
        self, actor: Actor, contact: Contact, *, invite: bool = False
    ) -> tuple[Contact, list[Task]]:
        """Consent to own addresses, and to all if an admin adds them; invite at the others."""
        assert contact.agreed is not None, "whoever is written has marks"
        agreed, invites = set(contact.agreed), list[Task]()
        for way in contact.all_ways:
            if mark(way.address) in agreed:
                continue
            own = await self._check_contact(actor, contact.user_id, way.address)
            if own or (actor.admin and not invite):
                agreed.add(mark(way.address))
            else:
                invites.append(invite_task(contact, way.address, self._clock.now()))
        return replace(contact, agreed=tuple(sorted(agreed))), invites

    def _checked_ways(self, ways: Sequence[FurtherWay]) -> tuple[FurtherWay, ...]:
        if len(ways) > self._limits.ways_max:
            raise BadInput(f"A contact has at most {self._limits.ways_max} further ways.")
        return tuple(
            FurtherWay(checked_address(one.address, needed=True), checked_delay(one.after))
            for one in ways
        )

    async def contact(self, actor: Actor, contact_id: ContactId) -> Contact:
        found = await self._store.contact(contact_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchContact(contact_id)
        return found

    async def wards(self, user_id: UserId) -> list[User]:
        """Whom they look after: users who have a device or a chat of theirs as a contact."""
        return await self._store.wards(user_id)

    async def contacts(self, actor: Actor, user_id: UserId) -> list[Contact]:
        """The ladder, the first step first."""
        actor.must_see(user_id)
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
        ways: Sequence[FurtherWay] = KEEP,
        quiet: QuietHours | None = KEEP,
        language: str = KEEP,
        away: Sequence[AwayDays] = KEEP,
    ) -> Contact:
        """At another address they are asked again; until then they are told where they agreed."""
        found = await self.contact(actor, contact_id)
        fields = {
            "name": name if name is KEEP else checked_name(name),
            "address": address if address is KEEP else checked_address(address, needed=True),
            "order": order,
            "delay": delay if delay is KEEP else checked_delay(delay),
            "ways": ways if ways is KEEP else self._checked_ways(ways),
            "quiet": quiet,
            "language": language if language in (KEEP, "") else checked_language(language),
            "away": away if away is KEEP else checked_days(away),
        }
        after, names = updated(found, fields, version)
        invites: list[Task] = []
        if {"address", "ways"} & set(names):
            before = found.agreed
            if before is None:
                before = tuple(mark(one.address) for one in found.all_ways)
            after, invites = await self._with_consent(actor, replace(after, agreed=before))
        if names:
            await self._store.save_contact(after, self._clock.now(), names, invites)
        return after

    async def remove_contact(self, actor: Actor, contact_id: ContactId) -> None:
        await self.contact(actor, contact_id)
        await self._store.remove_contact(contact_id, self._clock.now())

    async def _check_device(
        self, actor: Actor, owner: UserId | None, kind: DeviceKind, address: str
    ) -> None:
        if not address and kind in TOLD_AT_ADDRESS:
            raise BadAddress(
                f"A device of kind {kind.value} is told at its address.", hint=ADDRESS_HINT[kind]
            )
        if not address:
            return
        if (
            kind in CHAT_PLATFORMS.values()
            and not actor.admin
            and not await self._has_chat(owner, address)
        ):
            raise NeedsConsent(f"chat:{address}")
        if self._addresses is not None:
            await self._addresses.check(kind, address)

    async def _check_contact(self, actor: Actor, owner: UserId, address: str) -> bool:
        """Whether it is the user's own. An address of another user is added only by that user."""
        kind, _, name = address.partition(":")
        if "://" in address:
            if self._addresses is not None:
                await self._addresses.check(DeviceKind.NOTIFY, address)
        elif kind == "device" and name:
            device = await self._store.device(DeviceId(name))
            if not actor.admin and (device is None or device.user_id != owner):
                raise NeedsConsent(address)
            if device is None:
                raise NoSuchDevice(name)
            return device.user_id == owner
        elif kind == "chat" and name:
            own = await self._has_chat(owner, name)
            if not actor.admin and not own:
                raise NeedsConsent(address)
            return own
        else:
            raise BadAddress(f"Nobody can be reached at {address!r}.", hint=CONTACT_HINT)
        return False

    async def owns(self, user_id: UserId, address: str) -> bool:
        """Whether it is their device or chat."""
        try:
            return await self._check_contact(Actor(user_id), user_id, address)
        except (NeedsConsent, BadAddress):
            return False

    async def _has_chat(self, owner: UserId | None, chat: str) -> bool:
        """A chat becomes a device with its first message: that shows its owner."""
        if owner is None:
            return False
        for kind in CHAT_PLATFORMS.values():
            theirs = await self._store.devices(user_id=owner, kind=kind, after="", limit=CHATS_MAX)
            if any(device.address == chat for device in theirs):
                return True
        return False

    async def _known(self, actor: Actor, user_id: UserId | None) -> None:
        """Raises NoSuchUser: a mistyped name must not create a user."""
        actor.must_see(user_id)
        if user_id is not None and await self._store.user(user_id) is None:
            raise NoSuchUser(user_id)


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


def checked_language(value: str) -> str:
    if value not in LANGUAGES:
        raise BadInput(f"The language {value!r} is not spoken here.", hint="zh or en.")
    return value


def checked_name(value: str) -> str:
    if len(value) > NAME_LETTERS_MAX:
        raise BadInput(f"A name has at most {NAME_LETTERS_MAX} letters.")
    return value.strip()


def checked_address(value: str, *, needed: bool = False) -> str:
    if len(value) > ADDRESS_LETTERS_MAX or (needed and not value.strip()):
        raise BadInput(
            f"An address has 1 to {ADDRESS_LETTERS_MAX} letters.",
            hint=CONTACT_HINT,
        )
    return value.strip()


def checked_days(days: Sequence[AwayDays]) -> tuple[AwayDays, ...]:
    if len(days) > AWAY_MAX or any(one.last < one.first for one in days):
        raise BadInput(f"At most {AWAY_MAX} times away, each from its first day to its last.")
    return tuple(days)


def checked_delay(seconds: int) -> int:
    if not 0 <= seconds <= DELAY_MAX:
        raise BadInput(f"A delay is from 0 to {DELAY_MAX} seconds.")
    return seconds
