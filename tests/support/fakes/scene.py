"""What a decision looks at, as plain values: for rules that are tested without any store."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from clarion.base.ids import DeviceId
from clarion.people.model import Contact, Device, Rotation, User
from clarion.reminders.decisions.decision import RingFacts, RingId, ToldContact
from clarion.reminders.model import Reminder, Series
from tests.support import build
from tests.support.build import ANA, KITCHEN
from tests.support.clock import START


@dataclass
class PlainScene:
    reminder: Reminder = field(default_factory=build.reminder)
    series: Series | None = None
    current: Reminder | None = None
    unfinished: Sequence[Reminder] = ()
    user: User = field(default_factory=build.user)
    devices: Sequence[Device] = field(default_factory=lambda: [build.device()])
    contacts: Sequence[Contact] = ()
    rotations: Sequence[Rotation] = ()
    ring: RingFacts | None = None
    waiting: Sequence[Reminder] = ()
    rung: dict[DeviceId, datetime] = field(default_factory=dict)
    told: Sequence[ToldContact] = ()

    def last_ring_on(self, device_id: DeviceId) -> datetime | None:
        return self.rung.get(device_id)

    def series_rang_at(self, before: datetime) -> datetime | None:
        return max((at for at in self.rung.values() if at <= before), default=None)


def a_ring(reminder: Reminder, **fields: object) -> RingFacts:
    given = {
        "id": RingId(f"{reminder.id}:{reminder.rings}"),
        "reminder_id": reminder.id,
        "user_id": ANA,
        "number": reminder.rings,
        "attempt": reminder.attempt,
        "device_id": KITCHEN,
        "text": "time for it",
        "answer_by": START,
        "fired_at": START,
        **fields,
    }
    return RingFacts(**given)  # type: ignore[arg-type]  # the test names them
