"""A devices' door for tests: real sockets and lines, and facts that are kept in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from fastapi import FastAPI

from clarion.base.clock import Clock, SystemClock
from clarion.base.ids import DeviceId, ReminderId, UserId
from clarion.doors.devices.ports import Ears, Guest, Newcomers, Visit, Voice
from clarion.doors.devices.session.limits import DOWNLINK, SessionLimits, SessionSettings
from clarion.doors.devices.session.words import is_wake_word
from clarion.doors.devices.wake.channel import DeviceChannel
from clarion.doors.devices.wake.wake import Driver, Wakes
from clarion.doors.devices.wire.line import LineServices
from clarion.doors.devices.wire.presence import Presence
from clarion.doors.devices.wire.registry import Reception, Registry
from clarion.doors.devices.wire.websocket import websocket_routes
from clarion.people.model import Device, DeviceKind
from clarion.reminders.ports import Facts, Reaction, Ring, RingId
from tests.support.clock import START
from tests.support.http import serving

ANA = UserId("ana")
SPEAKER = DeviceId("dev_speaker")
TOKEN = "tok_speaker.secret"
YES = ("吃过了", "好的", "知道了", "yes")


def a_device(device_id: str = SPEAKER, **changes: Any) -> Device:
    device = Device(id=DeviceId(device_id), user_id=ANA, kind=DeviceKind.XIAOZHI, online=True)
    return replace(device, **changes)


def a_ring(number: int = 1, attempt: int = 1, **changes: Any) -> Ring:
    reminder_id = ReminderId(f"rem_{number}")
    ring = Ring(
        id=RingId(f"{reminder_id}:{attempt}"),
        reminder_id=reminder_id,
        attempt=attempt,
        user_id=ANA,
        device=a_device(),
        text=f"该吃第{number}片药了",
        content="吃药",
        language="zh",
        wants_confirmation=True,
        critical=False,
        answer_by=START + timedelta(minutes=5),
    )
    return replace(ring, **changes)


def says_yes(text: str, _ring: Ring) -> bool:
    return text in YES


class MemoryFacts:
    """Keeps the port's promises in memory: a ring waits until it was answered."""

    def __init__(self) -> None:
        self.waiting: dict[RingId, Ring] = {}
        self.happened: list[tuple[str, str]] = []
        self.online: dict[DeviceId, bool] = {}
        self.keeps_told = True
        """Whether a ring that was delivered and not answered waits for the next session."""
        self._changed = asyncio.Condition()

    async def queued(self, ring_id: RingId) -> None:
        await self._note("queued", ring_id)

    async def sent(self, ring_id: RingId) -> None:
        await self._note("sent", ring_id)

    async def delivered(self, ring_id: RingId) -> None:
        await self._note("delivered", ring_id)

    async def heard(self, ring_id: RingId) -> None:
        ring = self.waiting.get(ring_id)
        if ring and not ring.wants_confirmation:
            del self.waiting[ring_id]
        await self._note("heard", ring_id)

    async def unreachable(self, ring_id: RingId, reason: str) -> None:
        await self._note("unreachable", f"{ring_id} {reason}")

    async def answered(self, ring_id: RingId, text: str) -> Reaction:
        await self._note("answered", f"{ring_id} {text}")
        if ring_id not in self.waiting:
            return Reaction("over")
        if text in YES:
            del self.waiting[ring_id]
            return Reaction("confirmed", "好的，记下了。")
        return Reaction("asked_again", "吃了吗？", listen=True)

    async def pressed(self, ring_id: RingId, button: str) -> Reaction:
        await self._note("pressed", f"{ring_id} {button}")
        self.waiting.pop(ring_id, None)
        return Reaction("confirmed")

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        told = [about for what, about in self.happened if what == "delivered"]
        return [
            ring
            for ring in self.waiting.values()
            if ring.device.id == device_id and (self.keeps_told or ring.id not in told)
        ]

    async def seen(
        self,
        device_id: DeviceId,
        *,
        online: bool,
        through: str,
        kept: Callable[[], None] = lambda: None,
    ) -> None:
        self.online[device_id] = online
        kept()
        await self._note("online" if online else "offline", f"{device_id} {through}")

    async def until(self, *wanted: tuple[str, str], within: float = 30.0) -> None:
        async with asyncio.timeout(within), self._changed:
            await self._changed.wait_for(lambda: all(one in self.happened for one in wanted))

    async def until_offline(self, device_id: DeviceId, *, online: bool = False) -> None:
        async with asyncio.timeout(30), self._changed:
            await self._changed.wait_for(lambda: self.online.get(device_id) is online)

    async def until_online(self, device_id: DeviceId) -> None:
        await self.until_offline(device_id, online=True)

    async def _note(self, what: str, about: str) -> None:
        async with self._changed:
            self.happened.append((what, str(about)))
            self._changed.notify_all()


class ShortVoice:
    """A few packets a sentence; the first byte says which one it is."""

    def __init__(self, count: int = 3) -> None:
        self.count = count
        self.asked: list[str] = []

    async def packets(self, text: str, language: str) -> Sequence[bytes]:
        self.asked.append(text)
        return [bytes([number]) + text.encode()[:8] for number in range(self.count)]


class Echo:
    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str:
        return f"你说了{text}"


class MemoryDirectory:
    def __init__(self) -> None:
        self.devices: dict[DeviceId, Device] = {SPEAKER: a_device()}
        self.learnt: list[dict[str, Any]] = []

    async def device(self, device_id: DeviceId) -> Device | None:
        return self.devices.get(device_id)

    async def learn(self, device_id: DeviceId, facts: Mapping[str, Any]) -> None:
        self.learnt.append(dict(facts))


class OneKey:
    """Lets in who has the token; a token `tok_speaker.<n>` makes a device of its own."""

    def __init__(self) -> None:
        self.guest = Guest(SPEAKER, ANA)

    async def admit(self, visit: Visit) -> Guest | None:
        if visit.token == TOKEN:
            return self.guest
        name, _, number = visit.token.partition(".")
        if name == "tok_speaker" and number.isdecimal():
            return Guest(DeviceId(f"dev_{number}"), ANA)
        return None


@dataclass(slots=True)
class Door:
    """Everything a test may look at or push."""

    url: str
    facts: MemoryFacts
    registry: Registry
    presence: Presence
    wakes: Wakes
    channel: DeviceChannel
    directory: MemoryDirectory
    reception: Reception
    doorman: OneKey = field(default_factory=OneKey)
    app: FastAPI = field(default_factory=FastAPI)

    @property
    def guest(self) -> Guest:
        """What is known of the speaker when it calls."""
        return self.doorman.guest

    @guest.setter
    def guest(self, guest: Guest) -> None:
        self.doorman.guest = guest

    async def wait_for(self, ring: Ring) -> None:
        """Written down, and told when the device calls."""
        self.facts.waiting[ring.id] = ring

    async def ring(self, ring: Ring) -> None:
        """As the reminders do: written down first, then rung."""
        self.facts.waiting[ring.id] = ring
        await self.channel.ring(ring)


@asynccontextmanager
async def devices_door(
    *,
    voice: Voice | None = None,
    ears: Ears | None = None,
    clock: Clock | None = None,
    limits: SessionLimits | None = None,
    drivers: Sequence[Driver] = (),
    facts: MemoryFacts | None = None,
    heart: Facts | None = None,
    lines_max: int = 5_000,
    patience: float = 8.0,
    newcomers: Newcomers | None = None,
) -> AsyncIterator[Door]:
    """With a `heart`, that is told instead of `facts`, which then stay empty."""
    facts = facts or MemoryFacts()
    told = heart or facts
    clock = clock or SystemClock()
    directory = MemoryDirectory()
    settings = SessionSettings(limits or SessionLimits(), DOWNLINK, "1", says_yes, is_wake_word)
    lines = LineServices(told, Echo(), directory, clock, voice or ShortVoice(), ears, settings)
    registry = Registry(lines_max)
    presence = Presence(told, clock)
    wakes = Wakes(drivers, told, patience)
    registry.on_open(wakes.opened)
    doorman = OneKey()
    reception = Reception(lines, doorman, registry, presence, newcomers)
    app = FastAPI()
    app.include_router(websocket_routes(reception))
    async with serving(app) as base:
        url = base.replace("http://", "ws://") + "/xiaozhi/v1/"
        channel = DeviceChannel(registry, wakes)
        door = Door(
            url, facts, registry, presence, wakes, channel, directory, reception, doorman, app
        )
        try:
            yield door
        finally:
            await wakes.close()
            registry.close_all("test is over")
