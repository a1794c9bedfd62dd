"""What the verbs about people need from a store."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from clarion.base.ids import ContactId, DeviceId, UserId
from clarion.people.model import (
    Contact,
    Device,
    DeviceKind,
    Household,
    Rotation,
    RotationId,
    User,
)
from clarion.tasks.model import Task


class PeopleStore(Protocol):
    """Users, their devices and their contacts. Versions guard: a stale write raises Stale."""

    async def ensure_user(self, user: User, now: datetime) -> User:
        """Add the user if unknown; returns the stored one."""
        ...

    async def user(self, user_id: UserId) -> User | None: ...
    async def users(self, *, after: str, limit: int) -> list[User]: ...
    async def save_user(self, user: User, now: datetime, changed: Sequence[str]) -> None: ...
    async def movers(self, limit: int) -> list[User]:
        """People whose series have not all followed them yet."""
        ...

    async def arrived(self, user: User, series: int, now: datetime) -> bool:
        """Note that all their series have followed; False when that was noted before."""
        ...

    async def remove_user(self, user_id: UserId, now: datetime) -> bool:
        """Together with all their data."""
        ...

    async def add_device(self, device: Device, now: datetime) -> bool:
        """False when there is a device with this id already."""
        ...

    async def device(self, device_id: DeviceId) -> Device | None: ...
    async def device_at(self, address: str) -> Device | None:
        """The device of a chat with this address; the oldest, should there be several."""
        ...

    async def devices(
        self, *, user_id: UserId | None, kind: DeviceKind | None, after: str, limit: int
    ) -> list[Device]: ...
    async def households(self, user_ids: Sequence[UserId]) -> dict[UserId, Household]:
        """Whom their reminders can reach; unknown users are left out."""
        ...

    async def save_device(self, device: Device, now: datetime, changed: Sequence[str]) -> None: ...
    async def remove_device(self, device_id: DeviceId, now: datetime) -> bool: ...
    async def device_seen(
        self, device_id: DeviceId, *, online: bool, through: str, now: datetime
    ) -> Device | None:
        """Store presence; returns the device as it was before."""
        ...

    async def add_contact(self, contact: Contact, now: datetime, tasks: Sequence[Task]) -> None:
        """Together with the tasks that invite them, in one transaction."""
        ...

    async def agree(
        self, contact_id: ContactId, address: str, language: str, now: datetime
    ) -> Contact | None:
        """They want to be told at this address, which becomes theirs if they had none; an
        earlier refusal ends. None when the contact was removed.
        """
        ...

    async def ask(self, tasks: Sequence[Task], now: datetime) -> None:
        """Send invitations."""
        ...

    async def refuse(self, contact_id: ContactId, now: datetime) -> Contact | None:
        """They want to be told nothing, nowhere."""
        ...

    async def contact(self, contact_id: ContactId) -> Contact | None: ...
    async def contacts(self, user_id: UserId) -> list[Contact]: ...
    async def contacts_at(self, address: str) -> list[Contact]:
        """Contacts of any user who have this address, first or further, and have agreed."""
        ...

    async def wards(self, user_id: UserId) -> list[User]:
        """Users who have a device or a chat of this user as a contact."""
        ...

    async def save_contact(
        self, contact: Contact, now: datetime, changed: Sequence[str], tasks: Sequence[Task] = ()
    ) -> None: ...
    async def remove_contact(self, contact_id: ContactId, now: datetime) -> bool: ...


class RotationStore(Protocol):
    """Versions guard: a stale write raises Stale."""

    async def rotations(self, user_id: UserId) -> list[Rotation]: ...
    async def rotation(self, rotation_id: RotationId) -> Rotation | None: ...
    async def add(self, rotation: Rotation, now: datetime) -> None: ...
    async def save(self, rotation: Rotation, now: datetime) -> None: ...
    async def remove(self, rotation: Rotation, now: datetime) -> None: ...


class Addresses(Protocol):
    """Knows which outside addresses can be used at all."""

    async def check(self, kind: DeviceKind, address: str) -> None:
        """Raises BadInput or Forbidden; a contact's address is checked as `notify`."""
        ...
