"""What a device's last session left undone, for its next one. Lives in this process only.

When a connection breaks in the middle of a sentence, the ring was not told; and a question that was
heard may be answered minutes later. The next session takes over both.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime

from clarion.base.ids import DeviceId
from clarion.reminders.ports import Ring, RingId

DEVICES_MAX = 10_000


@dataclass(slots=True)
class Left:
    unheard: list[Ring] = field(default_factory=list)
    """Begun, or shown on a screen, and not spoken to the end."""
    unanswered: Ring | None = None
    """Heard, and somebody may still say yes."""


class Leftovers:
    def __init__(self) -> None:
        self._left: OrderedDict[DeviceId, Left] = OrderedDict()

    def keep(self, device_id: DeviceId, more: Left) -> None:
        if not more.unheard and more.unanswered is None:
            return
        left = self._left.setdefault(device_id, Left())
        known = {ring.id for ring in left.unheard}
        left.unheard += [ring for ring in more.unheard if ring.id not in known]
        if more.unanswered is not None and more.unanswered.wants_confirmation:
            left.unanswered = more.unanswered
        self._left.move_to_end(device_id)
        if len(self._left) > DEVICES_MAX:
            self._left.popitem(last=False)

    def take(self, device_id: DeviceId, now: datetime) -> Left:
        """What is still worth telling or hearing; this session takes it over."""
        left = self._left.pop(device_id, Left())
        still = left.unanswered if left.unanswered and now < left.unanswered.answer_by else None
        return Left([ring for ring in left.unheard if now < ring.answer_by], still)

    def forget(self, device_id: DeviceId, ring_id: RingId) -> None:
        """It was settled elsewhere."""
        left = self._left.get(device_id)
        if left is None:
            return
        left.unheard = [ring for ring in left.unheard if ring.id != ring_id]
        if left.unanswered is not None and left.unanswered.id == ring_id:
            left.unanswered = None
