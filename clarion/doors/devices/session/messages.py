"""The sentences we send. Each is a plain object; the line adds `session_id` to all of them."""

from typing import Any, TypeAlias

from clarion.doors.devices.session.codec import AudioFormat

Message: TypeAlias = dict[str, Any]

PROTOCOL_OF_TOOLS = "2024-11-05"  # the revision of MCP that firmware implements


def hello(transport: str, audio: AudioFormat, udp: Message | None = None) -> Message:
    # Firmware reads `transport` without looking whether it is there, and crashes when it is not.
    extra = {"udp": udp} if udp else {}
    return {"type": "hello", "transport": transport, "audio_params": audio.params(), **extra}


def tts_start() -> Message:
    return {"type": "tts", "state": "start"}


def sentence_start(text: str) -> Message:
    return {"type": "tts", "state": "sentence_start", "text": text}


def tts_stop() -> Message:
    return {"type": "tts", "state": "stop"}


def stt(text: str) -> Message:
    return {"type": "stt", "text": text}


FACES = {"neutral": "🙂", "happy": "😊"}


def emotion(name: str) -> Message:
    """A face for the screen; clients without a picture for it show the text."""
    return {"type": "llm", "emotion": name, "text": FACES.get(name, "")}


def alert(status: str, message: str, emotion_name: str = "neutral") -> Message:
    """Text and a chime, also on an idle device. Firmware drops it unless all three are there."""
    return {"type": "alert", "status": status, "message": message, "emotion": emotion_name}


def notify(audio_url: str, text: str) -> Message:
    return {
        "type": "notify",
        "audio_url": audio_url,
        "subtitles": [{"start_ms": 0, "text": text}],
    }


def ping() -> Message:
    """Firmware ignores a type it does not know, and counts it as a sign of life."""
    return {"type": "ping"}


def pong() -> Message:
    return {"type": "pong"}


def goodbye() -> Message:
    return {"type": "goodbye"}


def mcp_request(number: int, method: str, params: Message) -> Message:
    # Firmware ignores an id that is not a number.
    return mcp({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def mcp_initialized() -> Message:
    return mcp({"jsonrpc": "2.0", "method": "notifications/initialized"})


def mcp(payload: Message) -> Message:
    return {"type": "mcp", "payload": payload}


def mcp_initialize(number: int, version: str) -> Message:
    return mcp_request(
        number,
        "initialize",
        {
            "protocolVersion": PROTOCOL_OF_TOOLS,
            # Some clients read it without looking whether it is there; an empty one means none.
            "capabilities": {"vision": {"url": "", "token": ""}},
            "clientInfo": {"name": "clarion", "version": version},
        },
    )


def mcp_list_tools(number: int, cursor: str) -> Message:
    return mcp_request(number, "tools/list", {"cursor": cursor, "withUserTools": True})


def mcp_call(number: int, name: str, arguments: Message) -> Message:
    return mcp_request(number, "tools/call", {"name": name, "arguments": arguments})
