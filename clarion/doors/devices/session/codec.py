"""Messages between devices and us, as values. Pure: bytes and text in, messages out.

A message that cannot be read raises `BadMessage`; the caller decides how often that is forgiven.
Fields that devices omit or misspell get the firmware's default.
"""

import json
import struct
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

TEXT_BYTES_MAX = 65_536  # eight times the largest page of tools that firmware sends
AUDIO_BYTES_MAX = 4_096  # three full Opus frames of 20 ms are 3 825 bytes
WORDS_MAX = 1_000  # what one person says in one breath is far below

V2_HEADER = struct.Struct(">HHIII")  # version, type, reserved, milliseconds, size
V3_HEADER = struct.Struct(">BBH")  # type, reserved, size
OPUS, JSON = 0, 1
GATEWAY = 20
"""The framing of a gateway: version 2, of whose header only the time and the size count."""

FRAME_MS = (10, 20, 40, 60, 80, 100, 120)
RATES = (8_000, 12_000, 16_000, 24_000, 48_000)  # the ones Opus knows


class BadMessage(Exception):
    """What was received is not a message of the protocol."""


class ListenMode(StrEnum):
    AUTO = "auto"
    MANUAL = "manual"
    REALTIME = "realtime"


MODES = {mode.value: mode for mode in ListenMode}


@dataclass(frozen=True, slots=True)
class AudioFormat:
    """How sound travels in one direction: always Opus, always mono."""

    rate: int = 16_000
    frame_ms: int = 60

    def params(self) -> dict[str, Any]:
        return {
            "format": "opus",
            "sample_rate": self.rate,
            "channels": 1,
            "frame_duration": self.frame_ms,
        }


@dataclass(frozen=True, slots=True)
class Hello:
    version: int = 1
    transport: str = "websocket"
    audio: AudioFormat = AudioFormat()
    has_mcp: bool = False
    persistent: bool = False
    """The device keeps its line open between conversations: ours and browsers do."""


@dataclass(frozen=True, slots=True)
class ListenStart:
    mode: ListenMode = ListenMode.AUTO


@dataclass(frozen=True, slots=True)
class ListenStop:
    pass


@dataclass(frozen=True, slots=True)
class Detect:
    """The wake word, or words that somebody typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Abort:
    reason: str = ""


@dataclass(frozen=True, slots=True)
class McpReply:
    id: int
    result: dict[str, Any] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class Goodbye:
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Ping:
    pass


@dataclass(frozen=True, slots=True)
class Ignored:
    """Well formed but not needed: `iot`, `pong`, messages of later firmware."""

    kind: str


@dataclass(frozen=True, slots=True)
class Sound:
    """One Opus packet from the microphone."""

    packet: bytes


Said: TypeAlias = (
    Hello | ListenStart | ListenStop | Detect | Abort | McpReply | Goodbye | Ping | Ignored
)
Heard: TypeAlias = Said | Sound


def read_text(text: str) -> Said:
    if len(text) > TEXT_BYTES_MAX:
        raise BadMessage("too long")
    message = _parsed(text)
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadMessage("no type")
    kind = message["type"]
    reader = READERS.get(kind)
    return reader(message) if reader else Ignored(kind[:40])


def _hello(message: dict[str, Any]) -> Hello:
    features = _object(message.get("features"))
    audio = _object(message.get("audio_params"))
    return Hello(
        version=_number(message.get("version"), 1),
        transport=str(message.get("transport") or "websocket"),
        audio=AudioFormat(
            rate=_one_of(audio.get("sample_rate"), RATES, 16_000),
            frame_ms=_one_of(audio.get("frame_duration"), FRAME_MS, 60),
        ),
        has_mcp=bool(features.get("mcp")),
        persistent=bool(features.get("persistent")),
    )


def _listen(message: dict[str, Any]) -> Said:
    match message.get("state"):
        case "start":
            return ListenStart(MODES.get(str(message.get("mode")), ListenMode.AUTO))
        case "stop":
            return ListenStop()
        case "detect" | "text":
            text = message.get("text")
            return Detect(text.strip()[:WORDS_MAX] if isinstance(text, str) else "")
        case _:
            raise BadMessage("listen without a state")


def _mcp(message: dict[str, Any]) -> Said:
    payload = message.get("payload")
    if isinstance(payload, str):
        payload = _parsed(payload)  # some clients wrap it twice
    if not isinstance(payload, dict):
        raise BadMessage("mcp without a payload")
    number = payload.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        return Ignored("mcp")  # a notification, or an answer that nobody asked for
    error = payload.get("error")
    words = str(_object(error).get("message") or error) if error else ""
    return McpReply(number, _object(payload.get("result")), words)


READERS: dict[str, Any] = {
    "hello": _hello,
    "listen": _listen,
    "abort": lambda message: Abort(str(message.get("reason") or "")[:40]),
    "mcp": _mcp,
    "goodbye": lambda message: Goodbye(str(message.get("session_id") or "")),
    "ping": lambda _message: Ping(),
}


def read_frame(data: bytes, version: int) -> Heard:
    """One binary frame in the framing that was agreed: a packet, or JSON inside of it."""
    if data.startswith(OBJECT) and data.rstrip().endswith(b"}"):
        return _text_of(data)  # a client that sends all its text as bytes
    kind, payload = _unwrap(data, version)
    if kind == JSON:
        return _text_of(payload)
    if kind != OPUS or not payload:
        raise BadMessage("no packet")
    if len(payload) > AUDIO_BYTES_MAX:
        raise BadMessage("too long")
    return Sound(payload)


OBJECT = (b'{"', b"{ ", b"{\n", b"{\r")
"""How an object begins. A packet of sound that also ends like one does not exist in practice."""


def _text_of(payload: bytes) -> Said:
    try:
        return read_text(payload.decode())
    except UnicodeDecodeError as error:
        raise BadMessage("not text") from error


def _unwrap(data: bytes, version: int) -> tuple[int, bytes]:
    """Bytes behind the announced size are ignored."""
    if version in (2, GATEWAY):
        if len(data) < V2_HEADER.size:
            raise BadMessage("short header")
        _, kind, _, _, size = V2_HEADER.unpack_from(data)
        kind = OPUS if version == GATEWAY else kind
        payload = data[V2_HEADER.size :]
    elif version == 3:
        if len(data) < V3_HEADER.size:
            raise BadMessage("short header")
        kind, _, size = V3_HEADER.unpack_from(data)
        payload = data[V3_HEADER.size :]
    else:
        return OPUS, data
    if size > len(payload):
        raise BadMessage("shorter than its size")
    return kind, payload[:size]


def audio_frame(packet: bytes, version: int, at_ms: int = 0) -> bytes:
    """The device trusts `size` unchecked, so it is exact."""
    if version in (2, GATEWAY):
        return V2_HEADER.pack(2, OPUS, 0, at_ms & 0xFFFFFFFF, len(packet)) + packet
    if version == 3:
        return V3_HEADER.pack(OPUS, 0, len(packet)) + packet
    return packet


def write_text(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessage("not JSON") from error


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: Any, default: int) -> int:
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1_000
    return int(value) if fits else default


def _one_of(value: Any, known: tuple[int, ...], default: int) -> int:
    return int(value) if isinstance(value, int | float) and value in known else default
