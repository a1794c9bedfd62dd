"""Sound over UDP for devices on MQTT: AES-128-CTR with the packet's own header as the counter.

The header is `u8 type=1, u8 flags, u16 length, u32 ssrc, u32 milliseconds, u32 sequence`. The
device builds its own from our nonce, so the nonce begins with 1 and has our connection's number
where the header has `ssrc`: that is how a datagram finds its session.
"""

import asyncio
import logging
import secrets
import struct
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

log = logging.getLogger(__name__)

HEADER = struct.Struct(">BBHIII")
AUDIO = 1
PAYLOAD_BYTES_MAX = 1_400  # one network packet
KEY_BYTES = 16


class UdpCall:
    """One session's sound, both ways."""

    def __init__(self, number: int, send: Callable[[bytes, Any], None]) -> None:
        self.number = number
        self.key = secrets.token_bytes(KEY_BYTES)
        self.nonce = HEADER.pack(AUDIO, 0, 0, number, 0, 0)
        self.heard: Callable[[bytes], None] = lambda _packet: None
        self.came = asyncio.Event()
        """Set by the first datagram: until then nobody knows where the device is."""
        self._send = send
        self._address: Any = None
        self._sequence = 0
        self._last = 0

    def terms(self, server: str, port: int) -> dict[str, Any]:
        """The `udp` part of our hello."""
        return {
            "server": server,
            "port": port,
            "encryption": "aes-128-ctr",
            "key": self.key.hex(),
            "nonce": self.nonce.hex(),
        }

    def receive(self, datagram: bytes, address: Any) -> None:
        """Old, repeated and malformed datagrams are dropped."""
        _, _, size, _, _, sequence = HEADER.unpack_from(datagram)
        payload = datagram[HEADER.size :]
        if size != len(payload) or sequence <= self._last:
            return
        self._last = sequence
        self._address = address
        self.came.set()
        if payload:
            self.heard(self._crypt(datagram[: HEADER.size], payload))

    def send(self, packet: bytes, at_ms: int) -> None:
        if self._address is None:
            return
        self._sequence += 1
        header = HEADER.pack(AUDIO, 0, len(packet), self.number, at_ms & 0xFFFFFFFF, self._sequence)
        self._send(header + self._crypt(header, packet), self._address)

    def _crypt(self, header: bytes, payload: bytes) -> bytes:
        cipher = Cipher(AES(self.key), CTR(header)).encryptor()
        return cipher.update(payload)


class UdpSwitch(asyncio.DatagramProtocol):
    """The one UDP port; finds the session of each datagram."""

    def __init__(self) -> None:
        self._transport: asyncio.DatagramTransport | None = None
        self._calls: dict[int, UdpCall] = {}

    @property
    def port(self) -> int:
        assert self._transport is not None, "open it first"
        return int(self._transport.get_extra_info("sockname")[1])

    async def open(self, host: str, port: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(lambda: self, local_addr=(host, port))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def begin(self) -> UdpCall:
        number = secrets.randbits(32)
        while number in self._calls:
            number = secrets.randbits(32)
        call = self._calls[number] = UdpCall(number, self._send)
        return call

    def end(self, call: UdpCall) -> None:
        self._calls.pop(call.number, None)

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        if not HEADER.size <= len(data) <= HEADER.size + PAYLOAD_BYTES_MAX or data[0] != AUDIO:
            return
        call = self._calls.get(HEADER.unpack_from(data)[3])
        if call is not None:
            call.receive(data, addr)

    def error_received(self, exc: Exception) -> None:
        log.debug("UDP: %s", exc)

    def _send(self, datagram: bytes, address: Any) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.sendto(datagram, address)
