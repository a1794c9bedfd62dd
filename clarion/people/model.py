"""People, their devices and contacts, as plain values, and how much may be said about them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any, NewType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clarion.base.errors import BadInput
from clarion.base.ids import ContactId, DeviceId, UserId
from clarion.language.when.model import ROUTINES, Habits
from clarion.people.errors import NoSuchUser

LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `begins` to `ends` in the user's zone; past midnight when `ends` is earlier."""

    begins: time
    ends: time


@dataclass(frozen=True, slots=True)
class EscalationPolicy:
    """How contacts are told: how many rounds, and how many of them have to answer."""

    rounds: int = 1
    """How often the ladder is climbed while nobody answers."""
    pause: int = 600
    """Seconds from the last step until the ladder begins again."""
    all_must: tuple[int, ...] = ()
    """Orders of the steps in which everybody has to be on it, not just one."""
    only: tuple[str, ...] = ()
    """Ids of the contacts and rotations that are called at all; empty: everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAbsence:
    """A holiday or a stay in hospital: during it, no reminder rings for this person."""

    begins: datetime = LONG_AGO
    ends: datetime | None = None
    """None: until somebody ends it."""
    medicines: bool = True
    """What must be done, such as a medicine, and what is critical ring all the same."""
    set_at: datetime = LONG_AGO
    """Reminders set after this instant do ring: the person who sets them knows of the absence."""

    def covers(self, at: datetime) -> bool:
        return self.begins <= at and (self.ends is None or at < self.ends)


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
    moved_from: str | None = None
    """The zone they left, until all that is theirs has followed them."""
    escalation: EscalationPolicy | None = None
    """How their contacts are told; a reminder may have its own."""
    absence: PersonAbsence | None = None


@dataclass(frozen=True, slots=True)
class Newcomer:
    """The defaults of a new user."""

    zone: str = "UTC"
    language: str = "zh"

    def user(self, user_id: UserId) -> User:
        return User(id=user_id, zone=self.zone, language=self.language)


NEWCOMER = Newcomer()


def habits_of(user: User) -> Habits:
    """When they mean "in the morning", and when they eat and sleep."""
    usual, said = Habits(routines=ROUTINES), said_habits(user)
    parts = {part: _clock(said.get(part), at) for part, at in usual.parts.items()}
    routines = {name: _clock(said.get(name), at) for name, at in ROUTINES.items()}
    return Habits(day=_clock(said.get("day"), usual.day), parts=parts, routines=routines)


def said_habits(user: User) -> Mapping[str, Any]:
    """The hours that they told or that were learned, by name."""
    said = user.context.get("habits")
    return said if isinstance(said, Mapping) else {}


def _clock(said: object, usual: time) -> time:
    try:
        return time.fromisoformat(str(said)) if said is not None else usual
    except ValueError:
        return usual  # a habit that cannot be read is none


class DeviceKind(StrEnum):
    XIAOZHI = "xiaozhi"
    MQTT = "mqtt"
    TELEGRAM = "telegram"
    MATRIX = "matrix"
    CONSOLE_CHAT = "chat"
    BROWSER = "browser"
    TERMINAL = "terminal"
    WEBHOOK = "webhook"
    NOTIFY = "notify"
    PUSH = "push"


CHAT_PLATFORMS = {
    "telegram": DeviceKind.TELEGRAM,
    "matrix": DeviceKind.MATRIX,
    "console": DeviceKind.CONSOLE_CHAT,
}
"""A chat's id begins with its platform, and so does the id of the device that it is."""


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


class ContactConsent(StrEnum):
    ASKED = "asked"
    AGREED = "agreed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class AwayDays:
    """From the first day to the last, both included."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class FurtherWay:
    """Another address of a contact, used after this many seconds without an answer."""

    address: str
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A person who is told when nobody confirmed: one step of a user's ladder.

    Nobody is told anything before they agreed to it, address by address.
    """

    id: ContactId
    user_id: UserId
    name: str
    address: str
    """`device:<id>`, `chat:<id>`, or any Apprise address; empty until they have named one."""
    order: int = 0
    delay: int = 0
    """Seconds after the contact before."""
    proved_at: datetime | None = None
    """When they last answered a test."""
    version: int = 1
    ways: tuple[FurtherWay, ...] = ()
    """Where they are told when they say nothing at `address`, one after the other."""
    quiet: QuietHours | None = None
    """In the user's zone: others are told first, unless it is critical."""
    language: str = ""
    """Theirs, once they have opened a page of ours; empty: the user's."""
    agreed: tuple[str, ...] | None = None
    """Marks of the addresses at which they agreed to be told. None: added before anybody was
    asked, which counts as a yes."""
    refused_at: datetime | None = None
    away: tuple[AwayDays, ...] = ()
    """On these days others are called instead, unless everybody is away."""

    @property
    def all_ways(self) -> tuple[FurtherWay, ...]:
        first = (FurtherWay(self.address),) if self.address else ()
        return (*first, *self.ways)

    @property
    def agreed_ways(self) -> tuple[FurtherWay, ...]:
        """Where they may be told, in order."""
        if self.refused_at is not None:
            return ()
        return tuple(one for one in self.all_ways if self.has_agreed(one.address))

    @property
    def consent(self) -> ContactConsent:
        if self.refused_at is not None:
            return ContactConsent.REFUSED
        return ContactConsent.AGREED if self.agreed_ways else ContactConsent.ASKED

    def moved(self, before: str, after: str) -> "Contact":
        """One of their addresses has changed its name. The consent given for it remains."""
        agreed = self.agreed
        if agreed is not None and mark(before) in agreed:
            agreed = (*agreed, mark(after))
        ways = tuple(
            replace(way, address=after) if way.address == before else way for way in self.ways
        )
        address = after if self.address == before else self.address
        return replace(self, address=address, ways=ways, agreed=agreed)

    def has_agreed(self, address: str) -> bool:
        return self.agreed is None or mark(address) in self.agreed


def mark(address: str) -> str:
    """A hash of an address, which does not reveal the secrets in it."""
    return hashlib.sha256(address.encode()).hexdigest()[:16]


RotationId = NewType("RotationId", str)


class ShiftLength(StrEnum):
    DAY = "day"
    WEEK = "week"

    @property
    def days(self) -> int:
        return 1 if self is ShiftLength.DAY else 7


@dataclass(frozen=True, slots=True)
class Override:
    """One contact replaces whoever has the turn."""

    contact_id: ContactId
    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """One step of the ladder on which several contacts take turns."""

    id: RotationId
    user_id: UserId
    name: str
    every: ShiftLength
    hands_over: time
    begins_on: date
    """The first day of the first member's first shift; for weeks also the weekday."""
    members: tuple[ContactId, ...]
    order: int = 0
    delay: int = 0
    overrides: tuple[Override, ...] = ()
    holidays: tuple[AwayDays, ...] = ()
    """Days on which the `holiday_members` take turns, day by day."""
    holiday_members: tuple[ContactId, ...] = ()
    version: int = 1


@dataclass(frozen=True, slots=True)
class Household:
    """Whom a reminder can reach: the user, their enabled devices in order, their contacts, and the
    rotations among those.
    """

    user: User
    devices: Sequence[Device] = ()
    contacts: Sequence[Contact] = ()
    rotations: Sequence[Rotation] = ()


@dataclass(frozen=True, slots=True)
class Actor:
    """`name` is what the history shows."""

    user_id: UserId | None
    admin: bool = False
    name: str = ""

    def may_see(self, owner: UserId | None) -> bool:
        return self.admin or (owner is not None and owner == self.user_id)

    def must_see(self, owner: UserId | None) -> None:
        """Raises NoSuchUser: to an actor who may not see them, they do not exist."""
        if not self.may_see(owner):
            raise NoSuchUser(owner or "")

    @property
    def label(self) -> str:
        return self.name or self.user_id or ("admin" if self.admin else "")


CLARION = Actor(None, admin=True, name="clarion")
"""For what Clarion does of its own accord."""


WARN_CONTACTS = "warn_contacts"
"""In a person's context: tell a contact when nobody could hear what comes within a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleLimits:
    context_bytes_max: int = 16_384
    page_max: int = 500
    contacts_max: int = 50
    ways_max: int = 5

    def context(self, context: Mapping[str, Any] | None) -> Mapping[str, Any]:
        kept = dict(context or {})
        try:
            size = len(json.dumps(kept, ensure_ascii=False).encode()) if kept else 0
        except (TypeError, ValueError):
            raise BadInput("The context is not JSON.") from None
        if size > self.context_bytes_max:
            raise BadInput(f"The context has {size} bytes; at most {self.context_bytes_max}.")
        return kept

    def page(self, limit: int) -> int:
        if not 1 <= limit <= self.page_max:
            raise BadInput(f"The limit is {limit}; it must be from 1 to {self.page_max}.")
        return limit


def checked_absence(absence: PersonAbsence | None, now: datetime) -> PersonAbsence | None:
    """The absence to store: it begins now at the earliest."""
    if absence is None:
        return None
    kept = replace(absence, begins=max(absence.begins, now), set_at=now)
    if kept.ends is None or kept.ends > kept.begins:
        return kept
    raise BadInput("The absence is over before it begins, or already.", hint="Name a later end.")


def known_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(
            f"There is no time zone {name!r}.", hint="Use a name such as Asia/Shanghai."
        ) from None
