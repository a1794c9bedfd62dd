"""A stock device: MQTT for words by a foreign client library, encrypted UDP for sound."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import aiomqtt
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from clarion.base.clock import SystemClock
from clarion.doors.devices.simulator import Firmware

MAC = "aa:bb:cc:dd:ee:ff"


class Speakerphone(asyncio.DatagramProtocol):
    """The device's UDP side: builds its headers from the nonce, as firmware does."""

    def __init__(self, terms: dict[str, Any], hear: Callable[[bytes], None]) -> None:
        self._key = bytes.fromhex(terms["key"])
        self._nonce = bytes.fromhex(terms["nonce"])
        self._hear = hear
        self._sent = 0
        self._heard = 0
        self.transport: Any = None
        self.complaints: list[str] = []
        assert self._nonce[0] == 1, "firmware takes the packet's type from the nonce"

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        size = int.from_bytes(data[2:4], "big")
        sequence = int.from_bytes(data[12:16], "big")
        if data[0] != 1 or size != len(data) - 16 or sequence != self._heard + 1:
            self.complaints.append(f"packet {sequence} of {size} bytes after {self._heard}")
            return
        self._heard = sequence
        self._hear(self._crypt(data[:16], data[16:]))

    def say(self, packet: bytes, *, sequence: int | None = None) -> None:
        self._sent = sequence if sequence is not None else self._sent + 1
        header = (
            self._nonce[:2]
            + len(packet).to_bytes(2, "big")
            + self._nonce[4:8]
            + (self._sent * 60).to_bytes(4, "big")
            + self._sent.to_bytes(4, "big")
        )
        self.transport.sendto(header + self._crypt(header, packet))

    def _crypt(self, header: bytes, payload: bytes) -> bytes:
        return Cipher(AES(self._key), CTR(header)).encryptor().update(payload)


class StockDevice:
    def __init__(self, port: int, token: str, *, client: str = "c1") -> None:
        self._port = port
        self._token = token
        self._name = f"GID_clarion@@@{MAC.replace(':', '_')}@@@{client}"
        self._stack = AsyncExitStack()
        self._client: aiomqtt.Client | None = None
        self._reading: asyncio.Task[None] | None = None
        self._awaited: list[tuple[Callable[[Firmware], bool], asyncio.Future[None]]] = []
        self.firmware = Firmware(SystemClock())
        self.phone: Speakerphone | None = None
        self.idle_messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def __aenter__(self) -> "StockDevice":
        self._client = await self._stack.enter_async_context(
            aiomqtt.Client(
                "127.0.0.1",
                self._port,
                identifier=self._name,
                username="e30=",
                password=self._token,
                keepalive=60,
            )
        )
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
        if self.phone is not None:
            self.phone.transport.close()
        await self._stack.aclose()

    async def send(self, message: dict[str, Any]) -> None:
        assert self._client is not None
        await self._client.publish("device-server", json.dumps(message), qos=0)

    async def open_session(self) -> None:
        self.firmware.state = "connecting"
        audio = {"format": "opus", "sample_rate": 16000, "channels": 1, "frame_duration": 60}
        await self.send({"type": "hello", "version": 3, "transport": "udp", "audio_params": audio})
        await self.until(lambda it: it.state == "idle")

    async def until(self, fact: Callable[[Firmware], bool]) -> Firmware:
        if not fact(self.firmware):
            awaited = fact, asyncio.get_running_loop().create_future()
            self._awaited.append(awaited)
            async with asyncio.timeout(30):
                await awaited[1]
        return self.firmware

    def _notice(self) -> None:
        for fact, future in self._awaited:
            if not future.done() and fact(self.firmware):
                future.set_result(None)

    def _hear_packet(self, packet: bytes) -> None:
        self.firmware.hear_packet(packet)
        self._notice()

    async def _read(self) -> None:
        assert self._client is not None
        async for message in self._client.messages:
            assert isinstance(message.payload, bytes)
            await self._take(json.loads(message.payload))
            self._notice()

    async def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "hello":
            if self.phone is not None:
                self.phone.transport.close()
            terms = message["udp"]
            loop = asyncio.get_running_loop()
            _, self.phone = await loop.create_datagram_endpoint(
                lambda: Speakerphone(terms, self._hear_packet),
                remote_addr=(terms["server"], terms["port"]),
            )
            self.firmware.hear_hello(message)
        elif message["type"] == "goodbye":
            self.firmware.state = "closed"
        elif self.firmware.session_id and self.firmware.state != "closed":
            for reply in self.firmware.hear(message):
                await self.send(reply)
        else:
            self.idle_messages.put_nowait(message)
