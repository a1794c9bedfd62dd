"""What happens to people, devices and contacts."""

from dataclasses import dataclass

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAdded(Event):
    kind = "user.added"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUpdated(Event):
    kind = "user.updated"
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMoved(Event):
    kind = "user.moved"
    left: str
    zone: str
    series: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRemoved(Event):
    kind = "user.removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAdded(Event):
    kind = "device.added"
    device_kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceUpdated(Event):
    kind = "device.updated"
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRemoved(Event):
    kind = "device.removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSeen(Event):
    """It came online or went away; written only when that changes."""

    kind = "device.seen"
    online: bool
    through: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactAdded(Event):
    kind = "contact.added"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactUpdated(Event):
    kind = "contact.updated"
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactAgreed(Event):
    """They said, on the page of their invitation, that they want to be told."""

    kind = "contact.agreed"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactRefused(Event):
    kind = "contact.refused"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactRemoved(Event):
    kind = "contact.removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationChanged(Event):
    """Who takes turns was `added`, `changed` or `removed`."""

    kind = "rotation.changed"
    name: str
    how: str
