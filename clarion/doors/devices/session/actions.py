"""What a session asks its connection to do, and the queue of what it has to say. Pure.

Actions are plain values: the line does them, in this order. Each ring is said at most once.
"""

from collections.abc import Sequence
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
    """The ring is accepted, and told when the present conversation is over."""

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


WAITING_MAX = 50  # more at once than anybody listens to; the rest waits in the database


class Agenda:
    def __init__(self, language: str) -> None:
        self._language = language
        self._waiting: list[Utterance] = []
        self._known: set[RingId] = set()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def knows(self, ring_id: RingId) -> bool:
        """Whether this session has told it or is going to."""
        return ring_id in self._known

    def has_waiting(self, ring_id: RingId) -> bool:
        """Whether it is still to be told."""
        return any(one.ring and one.ring.id == ring_id for one in self._waiting)

    def add(self, ring: Ring) -> None:
        if ring.id in self._known or len(self._waiting) >= WAITING_MAX:
            return
        self._known.add(ring.id)
        one = Utterance(ring.text, ring.language, ring, urgent=ring.critical)
        before = [self._comes_before(each, one) for each in self._waiting]
        self._waiting.insert(before.index(False) if False in before else len(before), one)

    def _comes_before(self, waiting: Utterance, new: Utterance) -> bool:
        """The urgent first; what only has to be told before what then waits for an answer."""
        if waiting.ring is None:
            return waiting.urgent or not new.urgent
        return _turn(waiting.ring) <= _turn(new.ring)

    def add_remark(self, text: str) -> None:
        if len(self._waiting) < WAITING_MAX:
            self._waiting.append(Utterance(text, self._language))

    def add_reply(self, text: str) -> None:
        """What answers the person comes before everything else."""
        self._waiting.insert(0, Utterance(text, self._language, urgent=True))

    def put_back(self, utterance: Utterance) -> None:
        self._waiting.insert(0, utterance)

    def drop(self, ring_id: RingId) -> None:
        """Do not tell it. It stays known, so that a settled ring is not repeated."""
        self._waiting = [one for one in self._waiting if not one.ring or one.ring.id != ring_id]

    def rings(self) -> list[Ring]:
        return [one.ring for one in self._waiting if one.ring]

    def unanswered(self, rings: Sequence[Ring]) -> Ring | None:
        """What was said last in an earlier session, and somebody may still say yes to."""
        open_still = [
            ring
            for ring in rings
            if ring.heard and ring.wants_confirmation and ring.id not in self._known
        ]
        return max(open_still, key=lambda ring: ring.answer_by, default=None)

    @property
    def first(self) -> Utterance | None:
        return self._waiting[0] if self._waiting else None

    def first_ring(self) -> Ring | None:
        return next((one.ring for one in self._waiting if one.ring), None)

    def pop(self, awaited: Ring | None) -> Utterance | None:
        """The next one to say; None while it would ask a second question beside `awaited`."""
        if not self._waiting:
            return None
        first = self._waiting[0]
        if awaited is None or first.urgent:
            return self._waiting.pop(0)
        asks_again = first.ring and first.ring.reminder_id == awaited.reminder_id
        only_tells = first.ring and not first.ring.wants_confirmation
        return self._waiting.pop(0) if asks_again or only_tells else None


def _turn(ring: Ring | None) -> tuple[bool, int, bool]:
    assert ring is not None, "remarks have no turn"
    return not ring.critical, -ring.base, ring.wants_confirmation
