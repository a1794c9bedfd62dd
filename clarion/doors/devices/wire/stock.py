"""Our own MQTT endpoint for stock firmware, which subscribes to nothing and yet has to be woken.

The device keeps this connection from boot on. A session is a hello over it, JSON over it, and
sound over UDP; between sessions we push a tool call, a notice or an alert.
"""

import asyncio
import base64
import itertools
import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, assert_never

from fastapi import APIRouter, Response

from clarion.base.errors import NotFound
from clarion.base.ids import DeviceId
from clarion.doors.devices.ports import Guest, Visit
from clarion.doors.devices.session import codec, messages
from clarion.doors.devices.session.leftovers import Left, Leftovers
from clarion.doors.devices.session.words import wake_reason
from clarion.doors.devices.wire import packets
from clarion.doors.devices.wire.gateway import TOOL, client_id
from clarion.doors.devices.wire.pacing import LEAD
from clarion.doors.devices.wire.packets import (
    BadPacket,
    Connect,
    Disconnect,
    Packet,
    PingRequest,
    Publish,
    Subscribe,
    Unsubscribe,
)
from clarion.doors.devices.wire.registry import Reception
from clarion.doors.devices.wire.udp import UdpCall, UdpSwitch
from clarion.people.model import Device
from clarion.reminders.ports import Facts, Ring, RingId

log = logging.getLogger(__name__)

DOOR = "stock"
CONNECT_SECONDS_MAX = 10.0
KEEPALIVE = 60  # seconds, as our OTA answer asks for
KEEPALIVE_MAX = 300
SEND_BYTES_MAX = 262_144  # waiting for a device that takes nothing
INBOX_MAX = 500
READY_SECONDS_MAX = 5.0


def mqtt_part(endpoint: str, hardware: str, client: str, token: str) -> dict[str, Any]:
    """What the OTA answer tells a device about this endpoint. The token is its password."""
    return {
        "endpoint": endpoint,
        "client_id": client_id(hardware, client),
        "username": base64.b64encode(json.dumps({"server": "clarion"}).encode()).decode(),
        "password": token,
        "publish_topic": "device-server",
        "subscribe_topic": f"devices/p2p/{hardware.replace(':', '_')}",
        "keepalive": KEEPALIVE,
    }


class StockLine:
    """One device's connection, and its session when there is one."""

    def __init__(
        self,
        reception: Reception,
        switch: UdpSwitch,
        server: str,
        guest: Guest,
        topic: str,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._reception = reception
        self._switch = switch
        self.server = server
        """Under which name or address this device reaches us."""
        self._topic = topic
        self._writer = writer
        self._session: asyncio.Task[None] | None = None
        self._inbox: asyncio.Queue[str | bytes | None] = asyncio.Queue(INBOX_MAX)
        self.guest = guest

    @property
    def in_session(self) -> bool:
        return self._session is not None and not self._session.done()

    def push(self, message: dict[str, Any]) -> None:
        """Send on the device's topic. Stock firmware listens to it without subscribing."""
        if self._writer.is_closing():
            raise ConnectionError("the device has gone")
        if self._writer.transport.get_write_buffer_size() > SEND_BYTES_MAX:
            self._writer.transport.abort()
            raise ConnectionError("the device takes nothing")
        payload = codec.write_text(message).encode()
        self._writer.write(packets.publish(self._topic, payload))

    def receive(self, payload: bytes) -> None:
        text = payload.decode(errors="replace")
        if '"hello"' in text and not self.in_session:
            self._begin(text)
        elif self.in_session:
            self._put(text)

    async def end(self) -> None:
        self._put(None)
        if self._session is not None:
            await asyncio.wait([self._session], timeout=READY_SECONDS_MAX)

    def _put(self, item: str | bytes | None) -> None:
        with suppress(
            asyncio.QueueFull
        ):  # too much at once: packets that do not fit are dropped, as over UDP
            self._inbox.put_nowait(item)

    def _begin(self, hello: str) -> None:
        self._inbox = asyncio.Queue(INBOX_MAX)
        self._put(hello)
        call = self._switch.begin()
        call.heard = self._put
        self._session = asyncio.create_task(self._serve(call), name="stock-session")

    async def _serve(self, call: UdpCall) -> None:
        wire = StockWire(self, call)
        terms = call.terms(self.server, self._switch.port)
        try:
            await self._reception.serve(self.guest, wire, self._incoming(), udp=terms)
        finally:
            self._switch.end(call)

    async def _incoming(self) -> AsyncIterator[str | bytes]:
        inbox = self._inbox
        while (item := await inbox.get()) is not None:
            yield item

    def hang_up(self) -> None:
        self._put(None)


class StockWire:
    door = "udp"
    lead = LEAD
    version = 1  # a datagram has a header of its own

    def __init__(self, line: StockLine, call: UdpCall) -> None:
        self._line = line
        self._call = call
        self._session_id = ""

    def agree(self, version: int) -> None:
        return None

    async def ready(self) -> bool:
        """Sound that is sent before the device's first datagram is lost."""
        try:
            async with asyncio.timeout(READY_SECONDS_MAX):
                await self._call.came.wait()
        except TimeoutError:
            return False
        return True

    async def send(self, message: dict[str, Any]) -> None:
        self._session_id = str(message.get("session_id") or self._session_id)
        self._line.push(message)

    async def send_audio(self, packet: bytes, at_ms: int) -> None:
        self._call.send(packet, at_ms)

    async def close(self, code: int, reason: str) -> None:
        """The device ends its session only when the id in the goodbye is its own."""
        if self._session_id:
            with suppress(ConnectionError):
                self._line.push({**messages.goodbye(), "session_id": self._session_id})
            self._session_id = ""
        self._line.hang_up()


class StockEndpoint:
    """A `BackgroundRunner`: listens until it is cancelled."""

    name = "stock devices"

    def __init__(
        self, reception: Reception, host: str, port: int, udp_port: int, server: str
    ) -> None:
        """`server` is how devices reach our UDP port; empty: as they reached this one."""
        self._reception = reception
        self._host = host
        self._port = port
        self._udp_port = udp_port
        self._server = server
        self._switch = UdpSwitch()
        self._lines: dict[DeviceId, StockLine] = {}
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self.listening = asyncio.Event()
        self.port = port

    def get(self, device_id: DeviceId) -> StockLine | None:
        return self._lines.get(device_id)

    async def run(self) -> None:
        await self._switch.open(self._host, self._udp_port)
        server = await asyncio.start_server(self._serve, self._host, self._port)
        self.port = int(server.sockets[0].getsockname()[1])
        self.listening.set()
        try:
            async with server:
                await server.serve_forever()
        finally:
            for writer in tuple(self._open):
                writer.transport.abort()
            if self._open:
                await asyncio.wait(self._open.values(), timeout=READY_SECONDS_MAX)
            self._switch.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        caller = str((writer.get_extra_info("peername") or ("",))[0])
        task = asyncio.current_task()
        assert task is not None
        self._open[writer] = task
        try:
            if self._reception.refusal(caller) is None:
                await self._attend(reader, writer)
        except (BadPacket, OSError, EOFError, TimeoutError) as error:
            log.debug("stock line ended: %s", error, extra={"caller": caller})
        except Exception:
            log.exception("stock line failed", extra={"caller": caller})
        finally:
            del self._open[writer]
            writer.close()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(CONNECT_SECONDS_MAX):
            asked = await read_one(reader, begins=True)
            assert isinstance(asked, Connect), "read_one lets nothing else begin"
            guest = await self._admit(asked)
        if guest is None:
            writer.write(packets.connack(packets.NOT_AUTHORISED))
            await writer.drain()
            return
        writer.write(packets.connack(packets.ACCEPTED))
        topic = f"devices/p2p/{hardware_of(asked.client_id).replace(':', '_')}"
        server = self._server or str(writer.get_extra_info("sockname")[0])
        line = StockLine(self._reception, self._switch, server, guest, topic, writer)
        self._lines[guest.device_id] = line
        await self._reception.presence.came(guest.device_id, DOOR)
        try:
            await self._listen(line, reader, writer, patience_of(asked.keepalive))
        finally:
            await line.end()
            if self._lines.get(guest.device_id) is line:
                del self._lines[guest.device_id]
                await self._reception.presence.left(guest.device_id, DOOR)

    async def _admit(self, asked: Connect) -> Guest | None:
        visit = Visit(token=asked.password, hardware=hardware_of(asked.client_id))
        return await self._reception.doorman.admit(visit)

    async def _listen(
        self,
        line: StockLine,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        patience: float,
    ) -> None:
        packet: Packet | None = None
        while not isinstance(packet, Disconnect):
            async with asyncio.timeout(patience):
                packet = await read_one(reader)
            self._take(line, packet, writer)

    def _take(self, line: StockLine, packet: Packet, writer: asyncio.StreamWriter) -> None:
        match packet:
            case Publish(_, payload, packet_id):
                if packet_id is not None:
                    writer.write(packets.puback(packet_id))
                line.receive(payload)
            case Subscribe(packet_id, count):
                writer.write(packets.suback(packet_id, count))
            case Unsubscribe(packet_id):
                writer.write(packets.unsuback(packet_id))
            case PingRequest():
                writer.write(packets.pingresp())
            case Disconnect():
                pass
            case Connect():
                raise BadPacket("CONNECT twice")
            case _:
                assert_never(packet)


async def read_one(reader: asyncio.StreamReader, *, begins: bool = False) -> Packet:
    """One packet; the one that `begins` a connection has to be CONNECT."""
    first = (await reader.readexactly(1))[0]
    if begins and first >> 4 != packets.CONNECT:
        raise BadPacket("something before CONNECT")
    size = 0
    for place in range(4):
        byte = (await reader.readexactly(1))[0]
        size |= (byte & 0x7F) << 7 * place
        if not byte & 0x80:
            break
    else:
        raise BadPacket("a length without an end")
    if size > packets.BODY_BYTES_MAX:
        raise BadPacket("too long")
    return packets.read_packet(first, await reader.readexactly(size))


def hardware_of(name: str) -> str:
    """`GID_x@@@aa_bb_cc_dd_ee_ff@@@uuid` names the machine in its middle."""
    parts = name.split("@@@")
    return parts[1].replace("_", ":").lower() if len(parts) >= 2 else name


def patience_of(keepalive: int) -> float:
    """One and a half times what the device promised, as the protocol says."""
    return min(keepalive or KEEPALIVE_MAX, KEEPALIVE_MAX) * 1.5


SOUND_PATH = "/xiaozhi/sound/"
NOTIFY_SINCE = (2, 5)
SOUNDS_MAX = 1_000
STATUS = {"zh": "提醒", "en": "Reminder"}


class Sounds(Protocol):
    async def ogg(self, text: str, language: str) -> bytes: ...


class SoundShelf:
    """Sentences that a device may fetch as a file, under names that cannot be guessed."""

    def __init__(self, sounds: Sounds, base_url: str, port: int = 80) -> None:
        """Without a `base_url`, devices fetch from where they are connected, at `port`."""
        self._sounds = sounds
        self._base_url = base_url.rstrip("/")
        self._port = port
        self._kept: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def put(self, text: str, language: str, host: str) -> str:
        """The address under which it can be fetched."""
        name = secrets.token_urlsafe(16)
        self._kept[name] = text, language
        if len(self._kept) > SOUNDS_MAX:
            self._kept.popitem(last=False)
        base = self._base_url or f"http://{host}:{self._port}"
        return f"{base}{SOUND_PATH}{name}.ogg"

    async def get(self, name: str) -> bytes:
        kept = self._kept.get(name)
        if kept is None:
            raise NotFound("There is no such sound.")
        return await self._sounds.ogg(*kept)


def sound_routes(shelf: SoundShelf) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get(SOUND_PATH + "{name}.ogg")
    async def sound(name: str) -> Response:
        return Response(await shelf.get(name), media_type="audio/ogg")

    return router


@dataclass(slots=True)
class StockDriver:
    """Implements `Driver`."""

    endpoint: StockEndpoint
    facts: Facts
    shelf: SoundShelf
    leftovers: Leftovers
    arrived: Callable[[DeviceId], None]
    """Told when a device took what it can take: an alert opens no session."""
    name: str = "stock"
    # Above every number that a session asks with.
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(10_001))

    def reaches(self, device: Device) -> bool:
        line = self.endpoint.get(device.id)
        return line is not None and not line.in_session

    async def wake(self, ring: Ring) -> bool:
        line = self.endpoint.get(ring.device.id)
        if line is None:
            return False
        if TOOL in (ring.device.facts.get("tools") or ()):
            arguments = {"reason": wake_reason(ring.id)}
            line.push(messages.mcp_call(next(self._numbers), TOOL, arguments))
            return True
        self._show(line, ring)
        # It was shown and it chimed; the session that may follow tells it in full.
        self.leftovers.keep(ring.device.id, Left([ring]))
        await self.facts.delivered(ring.id)
        self.arrived(ring.device.id)
        return True

    async def tell(self, device: Device, text: str) -> bool:
        line = self.endpoint.get(device.id)
        if line is None:
            return False
        line.push(messages.alert(STATUS["zh"], text))
        return True

    async def hush(self, device: Device, ring_id: RingId) -> None:
        return None

    def _show(self, line: StockLine, ring: Ring) -> None:
        if firmware_of(ring.device) >= NOTIFY_SINCE:
            address = self.shelf.put(ring.text, ring.language, line.server)
            line.push(messages.notify(address, ring.text))
            return
        status = STATUS.get(ring.language, STATUS["en"])
        line.push(messages.alert(status, ring.text, "happy"))


def firmware_of(device: Device) -> tuple[int, ...]:
    parts = str(device.facts.get("firmware") or "0").split(".")
    return tuple(int(part) for part in parts if part.isdecimal())
