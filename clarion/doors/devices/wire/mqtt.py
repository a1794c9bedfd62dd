"""Devices on any MQTT broker: presence by last will, wake-up, and answers without a session."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

import aiomqtt

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, Unavailable
from clarion.base.ids import DeviceId
from clarion.base.place import Position
from clarion.doors.devices.ports import Directory
from clarion.doors.devices.session.limits import Callers
from clarion.doors.devices.wire import topics
from clarion.doors.devices.wire.presence import Presence
from clarion.doors.devices.wire.topics import Answered, DeviceStatus, Positioned, RingTaken, Topics
from clarion.people.model import Device
from clarion.reminders.ports import Facts, Ring, RingId

log = logging.getLogger(__name__)

DOOR = "mqtt"
KEEPALIVE = 10  # seconds; a broker that froze is noticed after fifteen
RECONNECT_AFTER = timedelta(seconds=1)
GRACE = 5.0  # seconds in which devices come back to a broker that was restarted
WORK_MAX = 5_000  # messages handled at once; more come only from faulty devices
WORK_SECONDS_MAX = 30.0
# Without this the acknowledgement of one message waits 40 ms for the next one.
NODELAY = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """`mqtt://user:password@host:1883`; `mqtts://` is encrypted."""

    url: str
    prefix: str = "clarion"

    def client(self) -> aiomqtt.Client:
        parts = urlsplit(self.url)
        secure = parts.scheme == "mqtts"
        return aiomqtt.Client(
            parts.hostname or "127.0.0.1",
            parts.port or (8883 if secure else 1883),
            username=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            keepalive=KEEPALIVE,
            timeout=5,
            tls_params=aiomqtt.TLSParameters() if secure else None,
            socket_options=NODELAY,
            max_queued_incoming_messages=10_000,
        )


class Broker:
    """A `Pass` that keeps the connection, and a `Driver` for devices that are behind it."""

    name = "mqtt"

    def __init__(
        self,
        address: BrokerAddress,
        facts: Facts,
        presence: Presence,
        directory: Directory,
        clock: Clock,
        *,
        arrived: Callable[[DeviceId], None] = lambda _device: None,
        positions: Sequence[Callable[[DeviceId, Position], Awaitable[None]]] = (),
    ) -> None:
        """`positions`: told where a known device says that it is."""
        self._address = address
        self._positions = positions
        self._facts = facts
        self._presence = presence
        self._directory = directory
        self._clock = clock
        self._topics = Topics(address.prefix)
        self._callers = Callers()
        self._client: aiomqtt.Client | None = None
        self._unsure: set[DeviceId] = set()
        self._judging: asyncio.TimerHandle | None = None
        self._work: set[asyncio.Task[None]] = set()
        self.arrived = arrived
        """Told when a device took what it was woken for."""
        self.connected = asyncio.Event()

    # The connection

    async def run_once(self) -> datetime | None:
        """Keep one connection until it is lost."""
        try:
            async with self._address.client() as client:
                for subscription in self._topics.subscriptions:
                    await client.subscribe(subscription, qos=1)
                self._client = client
                self.connected.set()
                log.info("connected to the MQTT broker")
                async for message in client.messages:
                    self._receive(str(message.topic), message.payload)
        except aiomqtt.MqttError as error:
            if self._client is not None:
                log.warning("MQTT broker is away: %s", error)
        finally:
            self._client = None
            self.connected.clear()
            self._expect_reconnects()
        return self._clock.now() + RECONNECT_AFTER

    async def close(self) -> None:
        if self._judging is not None:
            self._judging.cancel()
        for task in tuple(self._work):
            task.cancel()

    def _expect_reconnects(self) -> None:
        """A crashed broker sends no last wills: devices that do not come back count as offline."""
        self._unsure |= set(self._presence.present(DOOR))
        if self._unsure and self._judging is None:
            self._judging = asyncio.get_running_loop().call_later(GRACE, self._judge)

    def _judge(self) -> None:
        self._judging = None
        gone, self._unsure = self._unsure, set()
        for device_id in gone:
            self._spawn(self._presence.left(device_id, DOOR))

    # From devices

    def _receive(self, topic: str, payload: Any) -> None:
        if not isinstance(payload, bytes | bytearray):
            return
        said = self._topics.read(topic, bytes(payload))
        if said is None:
            log.debug("not understood on MQTT", extra={"topic": topic[:200]})
        elif isinstance(said, DeviceStatus):
            self._unsure.discard(said.device_id)
            self._spawn(self._status(said))
        elif not self._callers.may_call(said.device_id, self._clock.monotonic()):
            log.warning("device talks too much", extra={"device": said.device_id})
        elif isinstance(said, RingTaken):
            self._spawn(self._taken(said))
        elif isinstance(said, Positioned):
            self._spawn(self._positioned(said))
        else:
            self._spawn(self._answered(said))

    async def _status(self, status: DeviceStatus) -> None:
        device = await self._directory.device(status.device_id)
        if device is None or not device.enabled:
            return  # an unknown device: it may use the broker, but we ignore it
        if not status.online:
            await self._presence.left(status.device_id, DOOR)
            return
        await self._presence.came(status.device_id, DOOR)
        if status.facts:
            await self._directory.learn(status.device_id, status.facts)

    async def _positioned(self, said: Positioned) -> None:
        device = await self._directory.device(said.device_id)
        if device is None or not device.enabled:
            return
        at = said.at or self._clock.now()
        for tell in self._positions:
            await tell(said.device_id, Position(said.place, at, said.accuracy_m))

    async def _taken(self, taken: RingTaken) -> None:
        if await self._is_for(taken.device_id, taken.ring_id):
            self.arrived(taken.device_id)
            await self._facts.delivered(taken.ring_id)
            await self._facts.heard(taken.ring_id)

    async def _answered(self, answer: Answered) -> None:
        if not await self._is_for(answer.device_id, answer.ring_id):
            return
        self.arrived(answer.device_id)
        if answer.button:
            reaction = await self._facts.pressed(answer.ring_id, answer.button)
        else:
            reaction = await self._facts.answered(answer.ring_id, answer.text)
        if reaction.say:
            await self._publish(answer.device_id, "say", {"text": reaction.say})

    async def _is_for(self, device_id: DeviceId, ring_id: RingId) -> bool:
        """A device may only report its own rings, whatever the broker lets it publish."""
        waiting = await self._facts.waiting_for(device_id)
        return any(ring.id == ring_id for ring in waiting)

    # To devices

    def reaches(self, device: Device) -> bool:
        return self._client is not None and DOOR in self._presence.through(device.id)

    async def wake(self, ring: Ring) -> bool:
        await self._publish_text(ring.device.id, "wake", topics.wake(ring))
        return True

    async def tell(self, device: Device, text: str) -> bool:
        await self._publish(device.id, "say", {"text": text})
        return True

    async def hush(self, device: Device, ring_id: RingId) -> None:
        with suppress(Unavailable):
            await self._publish(device.id, "hush", {"ring": ring_id})

    async def _publish(self, device_id: DeviceId, what: str, message: dict[str, Any]) -> None:
        await self._publish_text(device_id, what, topics.write(message))

    async def _publish_text(self, device_id: DeviceId, what: str, text: str) -> None:
        if self._client is None:
            raise Unavailable("Cannot reach the MQTT broker.", retry_after=5)
        try:
            await self._client.publish(self._topics.of(device_id, what), text, qos=1)
        except aiomqtt.MqttError as error:
            raise Unavailable("Cannot reach the MQTT broker.", retry_after=5) from error

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if len(self._work) >= WORK_MAX:
            work.close()
            return
        task = asyncio.create_task(self._guarded(work), name="mqtt-work")
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            async with asyncio.timeout(WORK_SECONDS_MAX):
                await work
        except ClarionError as error:
            log.warning("MQTT message not handled: %s", error)
        except Exception:
            log.exception("MQTT message not handled")
