"""Devices in a test: they speak, stay silent or are away, and everything is written down."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.base.ids import DeviceId
from clarion.people.model import Contact, Device
from clarion.reminders.contact_calls import spoken
from clarion.reminders.errors import Unreachable
from clarion.reminders.model import Reminder
from clarion.reminders.ports import ContactCall, Facts, MessageFate, Ring, RingId
from clarion.talk.dialogue import Said


@dataclass(frozen=True, slots=True)
class Spoken:
    at: datetime
    device: DeviceId
    ring: Ring


async def nowhere(ring: Ring) -> None:
    raise Unreachable(f"Nothing leads to {ring.device.id}.")


@dataclass
class Outside:
    """What happened in the world, however often a server was started anew."""

    clock: Clock
    spoken: list[Spoken] = field(default_factory=list)
    hushed: list[RingId] = field(default_factory=list)
    said: list[tuple[DeviceId, str]] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    """Contact and words."""
    invited: list[tuple[str, str]] = field(default_factory=list)
    """Address and words."""
    links: list[str] = field(default_factory=list)
    away: set[str] = field(default_factory=set)
    """Devices that cannot be reached."""
    mute: set[str] = field(default_factory=set)
    """Devices that take a ring and never say a word about it."""
    busy: dict[DeviceId, list[Ring]] = field(default_factory=dict)
    """Devices that are talking: what waits for its turn there."""
    broken: int = 0
    """So many times a ring fails on its way, for a reason that is not the device's."""
    dead: set[str] = field(default_factory=set)
    """Addresses at which nobody can be told."""
    deaf: set[str] = field(default_factory=set)
    """Contacts who cannot be told now."""
    speakers: dict[str, Device] = field(default_factory=dict)
    """Addresses of contacts that are loudspeakers."""
    rings_on: Callable[[Ring], Awaitable[None]] = field(default=nowhere)
    receipts: dict[str, str] = field(default_factory=dict)
    """Addresses whose service gives receipts."""
    fates: dict[str, MessageFate] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    """Receipts whose service does not answer."""
    withdrawn: list[str] = field(default_factory=list)
    while_telling: Callable[[], Awaitable[object]] | None = None
    """What happens while the next message to a contact is on its way."""
    kept: dict[str, Reminder] = field(default_factory=dict)
    """How things stood at the end, by content."""
    sessions: dict[DeviceId, set[RingId]] = field(default_factory=dict)
    """What each device has been told in its session: a device of the real world knows it too."""

    def reconnect(self, device: str) -> None:
        """The session breaks, and another one opens when it is rung."""
        self.sessions.pop(DeviceId(device), None)

    @property
    def rings(self) -> list[tuple[str, str, int]]:
        """When, where and at which attempt something was spoken."""
        return [(one.at.strftime("%H:%M"), one.device, one.ring.attempt) for one in self.spoken]

    @property
    def last(self) -> Ring:
        return self.spoken[-1].ring


class RecordingChannel:
    """Speaks at once; a device tells the same ring once in a session."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.facts: Facts | None = None

    async def ring(self, ring: Ring) -> None:
        assert self.facts is not None, "join it to Facts first"
        outside, device = self.outside, ring.device.id
        if outside.broken:
            outside.broken -= 1
            raise ConnectionResetError("the database was restarted")
        if device in outside.away:
            raise Unreachable("It is away.")
        if device in outside.mute:
            return
        if device in outside.busy:
            outside.busy[device].append(ring)
            await self.facts.queued(ring.id)
            return
        told = outside.sessions.setdefault(device, set())
        if ring.id not in told:
            told.add(ring.id)
            outside.spoken.append(Spoken(outside.clock.now(), device, ring))
        await self.facts.delivered(ring.id)
        await self.facts.heard(ring.id)

    async def hush(self, device: Device, ring_id: RingId) -> None:
        self.outside.hushed.append(ring_id)
        for device_id, waiting in self.outside.busy.items():
            self.outside.busy[device_id] = [one for one in waiting if one.id != ring_id]

    async def say(self, device: Device, text: str) -> None:
        self.outside.said.append((device.id, text))


class RecordingNotifier:
    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    async def tell(self, call: ContactCall) -> str:
        contact = call.contact
        if contact.name in self.outside.deaf or contact.address in self.outside.dead:
            raise Unavailable("Nobody picks up.", retry_after=60)
        self.outside.told.append((contact.name, call.text))
        self.outside.links.append(call.link)
        if self.outside.while_telling is not None:
            happens, self.outside.while_telling = self.outside.while_telling, None
            await happens()
        if call.asks and (device := self.outside.speakers.get(contact.address)) is not None:
            await self.outside.rings_on(spoken(call, device, self.outside.clock.now()))
        return self.outside.receipts.get(contact.address, "") if call.asks else ""

    async def look_up(self, contact: Contact, receipt: str) -> MessageFate:
        if receipt in self.outside.silent:
            raise Unavailable("The service does not answer.")
        return self.outside.fates.get(receipt, MessageFate())

    async def withdraw(self, contact: Contact, receipt: str) -> None:
        self.outside.withdrawn.append(receipt)


class RecordingMessenger:
    """Takes invitations."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside

    async def send(self, address: str, title: str, text: str) -> None:
        if address in self.outside.deaf:
            raise Unavailable("Nobody picks up.", retry_after=60)
        self.outside.invited.append((address, text))


class SmallTalk:
    """Repeats what was said to it."""

    async def reply(
        self, history: Sequence[Said], known: Mapping[str, object], user_text: str, lang: str
    ) -> str | None:
        return f"You said: {user_text}"
