"""What reminders need from outside. Stores, doors and language models implement these."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol

from clarion.base.ids import DeviceId, ReminderId, UserId
from clarion.reminders.model import Contact, Device, Reminder

RingId = NewType("RingId", str)
"""`<reminder id>:<attempt>`: one attempt to tell, told at most once in a device's session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """What a device is asked to say, and until when an answer is waited for."""

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


class Channel(Protocol):
    """A way to devices of some kinds. Edges implement it; one `Channels` picks by kind."""

    async def ring(self, ring: Ring) -> None:
        """Begin to tell: wake, open a session, speak. Returns when it has begun.

        How it went comes back through `Facts`, also after minutes. Raises `Unreachable` when the
        device surely cannot be reached now. Ringing the same ring twice tells it once.
        """
        ...

    async def hush(self, device: Device, ring_id: RingId) -> None:
        """Stop telling: it was confirmed elsewhere, cancelled or snoozed. Harmless if over."""
        ...

    async def say(self, device: Device, text: str) -> None:
        """Tell something that wants no answer: a follow-up, a digest, a missed notice."""
        ...


class Facts(Protocol):
    """What channels report back. Each may come twice, late, or for a ring that is over."""

    async def delivered(self, ring_id: RingId) -> None:
        """The device took it: a session is open and the words are on their way."""
        ...

    async def heard(self, ring_id: RingId) -> None:
        """Playback ended, or the message was shown."""
        ...

    async def unreachable(self, ring_id: RingId, reason: str) -> None: ...

    async def answered(self, ring_id: RingId, text: str) -> "Reaction":
        """Somebody said something back. Says what to do and to say next."""
        ...

    async def pressed(self, ring_id: RingId, button: str) -> "Reaction":
        """A button instead of words: `confirm`, `snooze` (ten minutes), `cancel`."""
        ...

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        """What a session that just opened has to take: rings not yet heard or answered."""
        ...

    async def seen(self, device_id: DeviceId, *, online: bool, through: str) -> None:
        """Presence; a device that came online gets what waits for it at once."""
        ...


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the answer led to. `say` is spoken next; `listen` keeps the session open."""

    outcome: str
    """`confirmed`, `snoozed`, `denied`, `asked_again`, `conversation`, `cancelled`, `over`."""
    say: str = ""
    listen: bool = False


class Notifier(Protocol):
    """Reaches contacts outside: any Apprise address, a chat, another device."""

    async def tell(self, contact: Contact, reminder: Reminder, text: str, link: str) -> None:
        """Raises `Unavailable` when the contact cannot be told now."""
        ...


class Conversation(Protocol):
    """Where words go that answer no open question: small talk, a new request."""

    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str: ...
