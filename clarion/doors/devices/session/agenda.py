"""What a session still has to say, in its order, each ring at most once. Pure."""

from collections.abc import Sequence

from clarion.doors.devices.session.actions import Utterance
from clarion.reminders.ports import Ring, RingId

WAITING_MAX = 50  # nobody listens to more in one go; the rest waits in the database


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
        place = sum(each.urgent for each in self._waiting) if ring.critical else len(self._waiting)
        self._waiting.insert(place, one)

    def add_remark(self, text: str) -> None:
        if len(self._waiting) < WAITING_MAX:
            self._waiting.append(Utterance(text, self._language))

    def add_reply(self, text: str) -> None:
        """What answers the person comes before everything else."""
        self._waiting.insert(0, Utterance(text, self._language, urgent=True))

    def put_back(self, utterance: Utterance) -> None:
        self._waiting.insert(0, utterance)

    def drop(self, ring_id: RingId) -> None:
        """Not to be told any more. It stays known: what was settled is not told again."""
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

    def first_ring(self) -> Ring | None:
        return next((one.ring for one in self._waiting if one.ring), None)

    def pop(self, awaited: Ring | None) -> Utterance | None:
        """The next one to say; None while it would talk over the answer that is awaited."""
        if not self._waiting:
            return None
        first = self._waiting[0]
        asks_again = awaited and first.ring and first.ring.reminder_id == awaited.reminder_id
        if awaited and not first.urgent and not asks_again:
            return None
        return self._waiting.pop(0)
