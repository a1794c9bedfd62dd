"""People, their devices and their contacts, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum
from typing import Any

from clarion.base.ids import ContactId, DeviceId, UserId


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `begins` to `ends` in the user's zone; over midnight when `ends` is the smaller."""

    begins: time
    ends: time


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    id: UserId
    name: str = ""
    zone: str = "Asia/Shanghai"
    language: str = "zh"
    context: Mapping[str, Any] = field(default_factory=dict)
    """What is worth remembering when we speak to them: habits, preferences."""
    quiet: QuietHours | None = None
    created_at: datetime | None = None
    version: int = 1


class DeviceKind(StrEnum):
    XIAOZHI = "xiaozhi"
    MQTT = "mqtt"
    TELEGRAM = "telegram"
    CONSOLE_CHAT = "chat"
    BROWSER = "browser"
    TERMINAL = "terminal"
    WEBHOOK = "webhook"
    NOTIFY = "notify"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    id: DeviceId
    user_id: UserId | None
    """None until somebody has claimed it."""
    kind: DeviceKind
    name: str = ""
    address: str = ""
    """What its driver needs: a chat id, an MQTT client id, an Apprise address."""
    order: int = 0
    """Which of a user's devices is tried first: the smallest."""
    online: bool = False
    last_seen: datetime | None = None
    offline_since: datetime | None = None
    proved_at: datetime | None = None
    """When it last said something to its end, or somebody answered on it."""
    quiet: QuietHours | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What it told about itself: firmware, board, tools."""
    enabled: bool = True
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """Who is told when nobody confirmed: one rung of a user's ladder."""

    id: ContactId
    user_id: UserId
    name: str
    address: str
    """`device:<id>`, `chat:<id>`, or any Apprise address."""
    order: int = 0
    delay: int = 0
    """Seconds after the contact before."""
    version: int = 1


@dataclass(frozen=True, slots=True)
class Household:
    """Whom a reminder can reach: the user, their enabled devices in order, their contacts."""

    user: User
    devices: Sequence[Device] = ()
    contacts: Sequence[Contact] = ()
