"""A simulated device with the firmware's strict rules: it drops and crashes where firmware does.

`clarion device` is this with a keyboard; tests and benchmarks are this without one.
"""

import asyncio
import contextlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from clarion.base.clock import Clock, SystemClock
from clarion.doors.devices.session.codec import V2_HEADER, V3_HEADER, audio_frame

HELLO_SECONDS_MAX = 10.0
QUEUE_PACKETS = 20  # firmware 2.5; older ones had 40
NEEDS = {"alert": ("status", "message", "emotion"), "tts": ("state",), "stt": ("text",)}
TOOLS = ("self.get_device_status", "self.audio_speaker.set_volume", "self.reboot")


class FirmwareCrash(Exception):
    """What would make the real thing restart."""


class NoChannel(Exception):
    """The device shows that it cannot connect, and goes back to sleep."""


@dataclass(slots=True)
class Firmware:
    """The device's own state and everything it noticed. No I/O: messages in, replies out."""

    clock: Clock
    frame_seconds: float = 0.06
    auto_listen: bool = True
    state: str = "connecting"
    session_id: str = ""
    messages: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    packets: list[bytes] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    dropped: int = 0
    """Packets that came while it was not speaking."""
    overflowed: int = 0
    """Packets for which the queue had no room."""
    complaints: list[str] = field(default_factory=list)
    volume: int = 70
    volumes: list[int] = field(default_factory=list)
    """What it was set to, one after the other."""
    _plays_until: float = 0.0

    def hear_hello(self, message: dict[str, Any]) -> None:
        if "transport" not in message:
            raise FirmwareCrash("the server's hello has no transport")
        self.session_id = str(message.get("session_id") or "")
        audio = message.get("audio_params") or {}
        self.frame_seconds = audio.get("frame_duration", 60) / 1000
        self.state = "idle"

    def hear(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Take one message; answer with what the device sends back."""
        self.messages.append(message)
        kind = str(message.get("type"))
        missing = [name for name in NEEDS.get(kind, ()) if name not in message]
        if missing:
            self.complaints.append(f"{kind} without {missing}")
            return []
        if message.get("session_id") != self.session_id:
            self.complaints.append(f"{kind} without the session's id")
        if kind == "tts":
            return self._tts(message)
        if kind == "mcp":
            return self._mcp(message.get("payload") or {})
        return []

    def hear_packet(self, packet: bytes) -> None:
        if self.state != "speaking":
            self.dropped += 1
            return
        now = self.clock.monotonic()
        self._plays_until = max(self._plays_until, now) + self.frame_seconds
        if self._plays_until - now > QUEUE_PACKETS * self.frame_seconds:
            self._plays_until -= self.frame_seconds
            self.overflowed += 1
            return
        self.packets.append(packet)
        self.arrivals.append(now)

    def _tts(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        match message["state"]:
            case "start":
                self.state = "speaking"
            case "sentence_start":
                self.said.append(str(message.get("text")))
            case "stop" if self.state == "speaking":
                if self.clock.monotonic() < self._plays_until - self.frame_seconds:
                    self.complaints.append("stopped before the last packet was played")
                self.state = "listening" if self.auto_listen else "idle"
                self._plays_until = 0.0
                return [self.listen("start")] if self.auto_listen else []
        return []

    def listen(self, state: str, **more: Any) -> dict[str, Any]:
        mode = {"mode": "auto" if self.auto_listen else "manual"} if state == "start" else {}
        return {
            "session_id": self.session_id,
            "type": "listen",
            "state": state,
            **mode,
            **more,
        }

    def _call(self, params: dict[str, Any]) -> str:
        if params.get("name") == "self.get_device_status":
            return json.dumps({"audio_speaker": {"volume": self.volume}})
        if params.get("name") == "self.audio_speaker.set_volume":
            self.volume = int(params["arguments"]["volume"])
            self.volumes.append(self.volume)
        return "true"

    def _mcp(self, payload: dict[str, Any]) -> list[dict[str, Any]]:
        number = payload.get("id")
        if not isinstance(number, int):
            return []  # firmware ignores ids that are not numbers
        match payload.get("method"):
            case "initialize":
                result: dict[str, Any] = {"protocolVersion": "2024-11-05", "capabilities": {}}
            case "tools/list":
                result = {"tools": [{"name": name, "inputSchema": {}} for name in TOOLS]}
            case "tools/call":
                text = self._call(payload.get("params") or {})
                result = {"content": [{"type": "text", "text": text}], "isError": False}
            case _:
                return []
        reply = {"jsonrpc": "2.0", "id": number, "result": result}
        return [{"session_id": self.session_id, "type": "mcp", "payload": reply}]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedIdentity:
    """How it presents itself at the door."""

    token: str = ""
    device_id: str = "02:00:00:00:00:01"
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    version: int = 1
    persistent: bool = True
    mcp: bool = False
    query: str = ""
    by_query: bool = False
    """Show everything in the query, as browsers must."""

    def headers(self) -> dict[str, str]:
        if self.by_query:
            return {}
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {
            **token,
            "Protocol-Version": str(self.version),
            "Device-Id": self.device_id,
            "Client-Id": self.client_id,
        }

    def address(self, url: str) -> str:
        shown = f"device-id={self.device_id}&client-id={self.client_id}&authorization={self.token}"
        parts = [part for part in (self.query, shown if self.by_query else "") if part]
        return f"{url}?{'&'.join(parts)}" if parts else url


class SimulatedDevice:
    """`async with SimulatedDevice(url, identity) as device: …`. Reads until it is closed."""

    def __init__(
        self,
        url: str,
        identity: SimulatedIdentity | None = None,
        *,
        clock: Clock | None = None,
        auto_listen: bool = False,
        on_message: Callable[[dict[str, Any]], None] = lambda _message: None,
        on_packet: Callable[[bytes], None] = lambda _packet: None,
    ) -> None:
        self._url = url
        self._identity = identity or SimulatedIdentity()
        self._on_message = on_message
        self._on_packet = on_packet
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._awaited: list[tuple[Callable[[Firmware], bool], asyncio.Future[None]]] = []
        self.firmware = Firmware(clock or SystemClock(), auto_listen=auto_listen)
        self.closed = asyncio.Event()
        self.close_reason = ""

    async def __aenter__(self) -> "SimulatedDevice":
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS_MAX):
                await self._shake_hands()
        except TimeoutError:
            raise NoChannel("no hello from the server") from None

    async def _shake_hands(self) -> None:
        identity = self._identity
        self._socket = await connect(
            identity.address(self._url),
            additional_headers=identity.headers(),
            compression=None,
            proxy=None,
        )
        features = {"mcp": identity.mcp, "persistent": identity.persistent}
        audio = {"format": "opus", "sample_rate": 16000, "channels": 1, "frame_duration": 60}
        await self.send(
            {
                "type": "hello",
                "version": identity.version,
                "transport": "websocket",
                "features": {name: True for name, has in features.items() if has},
                "audio_params": audio,
            }
        )
        async for frame in self._socket:
            if isinstance(frame, str) and json.loads(frame).get("type") == "hello":
                self.firmware.hear_hello(json.loads(frame))
                break
        else:
            raise NoChannel("the server closed before its hello")
        self._reading = asyncio.create_task(self._read(), name="device-read")

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._reading is not None:
            await asyncio.wait([self._reading])

    def cut(self) -> None:
        """Break the connection without a goodbye, like a power cut."""
        assert self._socket is not None, "open it first"
        self._socket.transport.abort()

    async def send(self, message: dict[str, Any]) -> None:
        await self.send_raw(json.dumps(message, ensure_ascii=False))

    async def send_raw(self, frame: str | bytes) -> None:
        assert self._socket is not None, "open it first"
        await self._socket.send(frame)

    async def send_sound(self, packet: bytes) -> None:
        await self.send_raw(audio_frame(packet, self._identity.version))

    async def type(self, text: str) -> None:
        """Words in place of a voice, as clients with a keyboard send them."""
        await self.send(self.firmware.listen("detect", text=text))

    async def abort(self) -> None:
        await self.send({"type": "abort", "reason": "wake_word_detected"})

    async def until(self, fact: Callable[[Firmware], bool], within: float = 30.0) -> Firmware:
        """Wait for a fact about this device; TimeoutError when it does not come true."""
        if not fact(self.firmware):
            awaited = fact, asyncio.get_running_loop().create_future()
            self._awaited.append(awaited)
            try:
                async with asyncio.timeout(within):
                    await awaited[1]
            finally:
                self._awaited.remove(awaited)
        return self.firmware

    def _notice(self) -> None:
        for fact, future in self._awaited:
            if not future.done() and fact(self.firmware):
                future.set_result(None)

    async def _read(self) -> None:
        assert self._socket is not None
        with contextlib.suppress(ConnectionClosed):
            async for frame in self._socket:
                if isinstance(frame, str):
                    await self._take(json.loads(frame))
                else:
                    packet = unwrap(frame, self._identity.version)
                    self.firmware.hear_packet(packet)
                    self._on_packet(packet)
                self._notice()
        self.close_reason = self._socket.close_reason or ""
        self.firmware.state = "closed"
        self.closed.set()
        self._notice()

    async def _take(self, message: dict[str, Any]) -> None:
        replies = self.firmware.hear(message)
        self._on_message(message)
        for reply in replies:
            await self.send(reply)


def unwrap(frame: bytes, version: int) -> bytes:
    """As firmware does: the header's size is trusted, whatever is there."""
    if version == 2:
        size = V2_HEADER.unpack_from(frame)[4]
        return frame[V2_HEADER.size : V2_HEADER.size + size]
    if version == 3:
        size = V3_HEADER.unpack_from(frame)[2]
        return frame[V3_HEADER.size : V3_HEADER.size + size]
    return frame
