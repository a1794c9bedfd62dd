"""What reminders need from outside. Stores, doors and language models implement these."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from clarion.base.events import StoredEvent
from clarion.base.ids import DeviceId, Key, ReminderId, SeriesId, UserId
from clarion.people.model import Contact, Device
from clarion.reminders.decisions.decision import Decide, Decision, RingFacts, ToldContact
from clarion.reminders.decisions.decision import RingId as RingId
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.tasks.model import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """What a device is asked to say, and how long we wait for an answer."""

    id: RingId
    reminder_id: ReminderId
    attempt: int
    user_id: UserId
    device: Device
    text: str
    content: str
    """The task itself, short, for screens and buttons."""
    language: str
    wants_confirmation: bool
    critical: bool
    answer_by: datetime
    base: int = Level.NORMAL
    """How urgent it is, 0 to 100: of several, the most urgent is told first."""
    heard: bool = False
    """It was said to the end in an earlier session, and an answer may still come."""
    link: str = ""
    """A page with more, for devices that can show one."""
    buttons: tuple[tuple[str, str], ...] = ()
    """Names and labels of other buttons than the usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactCall:
    """One contact is told of one reminder."""

    id: RingId
    contact: Contact
    """With the address at which they are told."""
    reminder: Reminder
    text: str
    link: str
    """Their page; empty: there is nothing to answer."""
    language: str
    asks: bool = True
    """Whether somebody is looked for; else they only hear how it goes."""


@dataclass(frozen=True, slots=True)
class Added:
    id: str
    existed: bool
    """True when the key had been used before: nothing was added now."""
    change: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    user_id: UserId | None = None
    """None: everybody's."""
    status: tuple[ReminderStatus, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    series_id: SeriesId | None = None
    text: str = ""
    """Somewhere in the content, whatever its case."""
    limit: int = 50
    after: tuple[datetime, str] | None = None
    """The instant and id of the last one seen."""


class ReminderStore(Protocol):
    """Each method is one transaction: lock, decide, write everything."""

    async def add(
        self,
        user_id: UserId,
        decide: Decide,
        now: datetime,
        key: Key | None,
        *,
        known: bool = False,
    ) -> Added:
        """Write what `decide` returns for this user, who is added if unknown; raises NoSuchUser
        instead where they have to be `known`.

        With a key that was used before nothing is written, and the earlier id is returned.
        """
        ...

    async def change(self, reminder_id: ReminderId, decide: Decide, now: datetime) -> Decision:
        """Returns the decision, with the reminder as it was `before`. Raises NoSuchReminder."""
        ...

    async def change_series(self, series_id: SeriesId, decide: Decide, now: datetime) -> Decision:
        """The same for a series: `series_before`. Raises NoSuchSeries."""
        ...

    async def change_user(self, user_id: UserId, decide: Decide, now: datetime) -> Decision:
        """For decisions about several reminders of one user: the digest."""
        ...

    async def get(self, reminder_id: ReminderId) -> Reminder | None: ...

    async def find(self, search: Search) -> list[Reminder]:
        """By trigger instant, then id."""
        ...

    async def get_series(self, series_id: SeriesId) -> Series | None: ...

    async def find_series(
        self, user_id: UserId | None, *, after: str, limit: int
    ) -> list[Series]: ...

    async def told(self, reminder_id: ReminderId) -> list[ToldContact]:
        """Which contacts were told of it, the first one first."""
        ...

    async def rings(self, reminder_id: ReminderId) -> list[RingFacts]: ...

    async def history(self, subject: str) -> list[StoredEvent]: ...

    async def waiting_for(self, device_id: DeviceId, now: datetime) -> list[ReminderId]:
        """Open reminders that a session of this device could take: those that ring on it, heard or
        not, and those that are due with no device reached. The most urgent first.
        """
        ...

    async def planned_ahead(self, now: datetime, *, after: str = "") -> list[ReminderId]:
        """Reminders that wait for an answer, a retry or a device, or are the next of a series. A
        page at a time, by id; the rest with the last one as `after`.
        """
        ...

    async def last_noted(self) -> datetime | None:
        """When the newest event happened, by the clock of that time; None: there are no events."""
        ...

    async def put_back(self, before: datetime, now: datetime) -> int:
        """Plan again what was due before then and still waits, in case its task was lost.

        Adding a task that waits already changes nothing.
        """
        ...


class Channel(Protocol):
    """A way to reach devices of some kinds. Edges implement it; `Channels` picks one by kind."""

    async def ring(self, ring: Ring) -> None:
        """Begin to ring: wake the device, open a session, speak. Returns when that has begun.

        The outcome is reported through `Facts`, perhaps minutes later. Raises `Unreachable` when
        the device surely cannot be reached now. The same ring twice is told once.
        """
        ...

    async def hush(self, device: Device, ring_id: RingId) -> None:
        """Stop ringing: it was confirmed elsewhere, cancelled or snoozed. Harmless if over."""
        ...

    async def say(self, device: Device, text: str) -> None:
        """Say something that needs no answer: a follow-up, a digest, a missed notice."""
        ...


class Facts(Protocol):
    """What channels report back. Each may come twice, late, or for a ring that is over."""

    async def queued(self, ring_id: RingId) -> None:
        """The device is online and will tell it after something else."""
        ...

    async def sent(self, ring_id: RingId) -> None:
        """A messenger took it; whether it arrived is not known."""
        ...

    async def delivered(self, ring_id: RingId) -> None:
        """The device took it: a session is open and the words are on their way."""
        ...

    async def heard(self, ring_id: RingId) -> None:
        """The whole text was played, or the message was shown."""
        ...

    async def unreachable(self, ring_id: RingId, reason: str) -> None: ...

    async def answered(self, ring_id: RingId, text: str) -> "Reaction":
        """Somebody answered. Returns what to do and say next."""
        ...

    async def pressed(self, ring_id: RingId, button: str) -> "Reaction":
        """A button instead of words: `confirm`, `snooze` (ten minutes), `cancel`."""
        ...

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        """The rings for a session that just opened: those not yet heard, and those that were
        `heard` and may still be answered.
        """
        ...

    async def seen(
        self,
        device_id: DeviceId,
        *,
        online: bool,
        through: str,
        kept: Callable[[], None] = lambda: None,
    ) -> None:
        """Presence; a device that came online gets its waiting rings at once.

        `kept`: called between the two, when reminders that are set from now on count with it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the answer led to. `say` is spoken next; `listen` keeps the session open."""

    outcome: str
    """`confirmed`, `snoozed`, `denied`, `promised`, `asked_again`, `conversation`, `cancelled`,
    `over`; `aside`: what rings still waits for its answer.
    """
    say: str = ""
    listen: bool = False


class Notifier(Protocol):
    """Reaches contacts outside: any Apprise address, a chat, another device."""

    async def tell(self, call: ContactCall) -> str:
        """Raises `Unavailable` when the contact cannot be told now. Returns the receipt with which
        one can ask for the delivery state; empty: there is none.
        """
        ...

    async def look_up(self, contact: Contact, receipt: str) -> "MessageFate":
        """Raises `Unavailable`."""
        ...

    async def withdraw(self, contact: Contact, receipt: str) -> None:
        """It is over: stop calling them. Raises `Unavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class MessageFate:
    """How far a message got."""

    delivered: bool = False
    opened: bool = False
    over: bool = False
    """Nothing further will become known."""


class Conversation(Protocol):
    """Handles words that answer no open question: small talk, a new request."""

    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str: ...


class TimeReader(Protocol):
    async def read_time(self, text: str, base: datetime, zone: ZoneInfo) -> datetime | None:
        """An instant after `base` for words that the grammar could not read."""
        ...
