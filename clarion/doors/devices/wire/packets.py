"""MQTT 3.1.1 as a server for devices needs it: QoS 0 outwards, QoS 0 and 1 inwards. Pure."""

import struct
from dataclasses import dataclass
from typing import TypeAlias

BODY_BYTES_MAX = 65_536
NAME_BYTES_MAX = 512

CONNECT, CONNACK, PUBLISH, PUBACK = 1, 2, 3, 4
SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK = 8, 9, 10, 11
PINGREQ, PINGRESP, DISCONNECT = 12, 13, 14

ACCEPTED, BAD_PROTOCOL, NOT_AUTHORISED = 0, 1, 5
USERNAME, PASSWORD, WILL = 0x80, 0x40, 0x04


class BadPacket(Exception):
    """The connection ends, because the beginning of the next packet is not known."""


@dataclass(frozen=True, slots=True)
class Connect:
    client_id: str
    username: str
    password: str
    keepalive: int
    level: int = 4


@dataclass(frozen=True, slots=True)
class Publish:
    topic: str
    payload: bytes
    packet_id: int | None = None
    """Set for QoS 1, which wants an acknowledgement."""


@dataclass(frozen=True, slots=True)
class Subscribe:
    packet_id: int
    count: int


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    packet_id: int


@dataclass(frozen=True, slots=True)
class PingRequest:
    pass


@dataclass(frozen=True, slots=True)
class Disconnect:
    pass


Packet: TypeAlias = Connect | Publish | Subscribe | Unsubscribe | PingRequest | Disconnect


def read_packet(first: int, body: bytes) -> Packet:
    """`first` is the first byte of the fixed header; `body` all that its length counts."""
    reader = _PacketReader(body)
    match first >> 4:
        case 1:
            return _connect(reader)
        case 3:
            return _publish(first, reader)
        case 8:
            return _subscribe(reader)
        case 10:
            return Unsubscribe(reader.number(2))
        case 12:
            return PingRequest()
        case 14:
            return Disconnect()
        case kind:
            raise BadPacket(f"packet of kind {kind}")


def _connect(reader: "_PacketReader") -> Connect:
    if reader.text() not in ("MQTT", "MQIsdp"):
        raise BadPacket("not MQTT")
    level, flags, keepalive = reader.number(1), reader.number(1), reader.number(2)
    client_id = reader.text()
    if flags & WILL:
        reader.text()
        reader.take(reader.number(2))
    username = reader.text() if flags & USERNAME else ""
    password = reader.text() if flags & PASSWORD else ""
    return Connect(client_id, username, password, keepalive, level)


def _publish(first: int, reader: "_PacketReader") -> Publish:
    quality = first >> 1 & 3
    if quality > 1:
        raise BadPacket("QoS above 1")
    topic = reader.text()
    packet_id = reader.number(2) if quality else None
    return Publish(topic, reader.rest(), packet_id)


def _subscribe(reader: "_PacketReader") -> Subscribe:
    packet_id, count = reader.number(2), 0
    while reader.left:
        reader.text()
        reader.number(1)
        count += 1
    if not count:
        raise BadPacket("subscription to nothing")
    return Subscribe(packet_id, count)


class _PacketReader:
    def __init__(self, body: bytes) -> None:
        self._body = body
        self._place = 0

    @property
    def left(self) -> int:
        return len(self._body) - self._place

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise BadPacket("shorter than it says")
        taken = self._body[self._place : self._place + count]
        self._place += count
        return taken

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def text(self) -> str:
        size = self.number(2)
        if size > NAME_BYTES_MAX:
            raise BadPacket("a name that is too long")
        try:
            return self.take(size).decode()
        except UnicodeDecodeError as error:
            raise BadPacket("a name that is no text") from error

    def rest(self) -> bytes:
        return self.take(self.left)


def connack(code: int) -> bytes:
    return bytes([CONNACK << 4, 2, 0, code])


def publish(topic: str, payload: bytes) -> bytes:
    name = topic.encode()
    body = struct.pack(">H", len(name)) + name + payload
    return bytes([PUBLISH << 4]) + length(len(body)) + body


def puback(packet_id: int) -> bytes:
    return struct.pack(">BBH", PUBACK << 4, 2, packet_id)


def suback(packet_id: int, count: int) -> bytes:
    """Accepted at QoS 0. Whatever a device subscribes to, it gets only its own messages."""
    return bytes([SUBACK << 4]) + length(2 + count) + struct.pack(">H", packet_id) + bytes(count)


def unsuback(packet_id: int) -> bytes:
    return struct.pack(">BBH", UNSUBACK << 4, 2, packet_id)


def pingresp() -> bytes:
    return bytes([PINGRESP << 4, 0])


def length(size: int) -> bytes:
    """Seven bits a byte, the low ones first."""
    size, low = divmod(size, 128)
    parts = bytearray([low])
    while size:
        parts[-1] |= 0x80
        size, low = divmod(size, 128)
        parts.append(low)
    return bytes(parts)
