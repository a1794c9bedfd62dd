"""What a session asks of the line that carries it. Plain values: the line does, in this order."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from clarion.reminders.ports import Ring, RingId


@dataclass(frozen=True, slots=True, eq=False)
class Utterance:
    """Something to say. Compared by identity: the same words may be said twice."""

    text: str
    language: str
    ring: Ring | None = None
    urgent: bool = False
    """Said before what waits, and without waiting for the answer to something else."""


@dataclass(frozen=True, slots=True)
class Send:
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Speak:
    """Turn it into sound and send that in pace: `begun`, then `sentence`s, then `spoken`."""

    utterance: Utterance


@dataclass(frozen=True, slots=True)
class StopSound:
    """Stop the sound at once: not one more frame."""


@dataclass(frozen=True, slots=True)
class Take:
    """Ask what waits for this device, and hand it to `take`."""


@dataclass(frozen=True, slots=True)
class Queued:
    """It is taken, and has to wait for what is being said or answered."""

    ring_id: RingId


@dataclass(frozen=True, slots=True)
class RingDeliveredAction:
    ring_id: RingId


@dataclass(frozen=True, slots=True)
class HeardOut:
    ring_id: RingId


@dataclass(frozen=True, slots=True)
class Ask:
    """Somebody answered: ask what that means, and hand it to `reacted`."""

    ring_id: RingId
    text: str


@dataclass(frozen=True, slots=True)
class Converse:
    """Words that answer nothing: get a reply, and hand it to `replied`."""

    text: str


@dataclass(frozen=True, slots=True)
class OpenEar:
    """The microphone is on; `ends_itself` when it is ours to notice the end of speech."""

    rate: int
    ends_itself: bool


@dataclass(frozen=True, slots=True)
class FeedSound:
    packet: bytes


@dataclass(frozen=True, slots=True)
class CloseEar:
    """The microphone is off; what was said until now is complete."""


@dataclass(frozen=True, slots=True)
class Learn:
    """Something about the device that the next session has to know."""

    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Close:
    code: int
    reason: str


Action: TypeAlias = (
    Send
    | Speak
    | StopSound
    | Take
    | Queued
    | RingDeliveredAction
    | HeardOut
    | Ask
    | Converse
    | OpenEar
    | FeedSound
    | CloseEar
    | Learn
    | Close
)

NORMAL, GOING_AWAY, PROTOCOL_ERROR, POLICY, TOO_BIG = 1000, 1001, 1002, 1008, 1009
