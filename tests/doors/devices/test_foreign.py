"""Clients that nobody here wrote: every freedom that the protocol leaves them is taken."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.devices import SPEAKER, TOKEN, a_ring, devices_door
from tests.support.foreign import MINIMAL, by_gateway, foreign, second, third

BEARER = f"Bearer {TOKEN}"
FULL = {
    "type": "hello",
    "version": 1,
    "transport": "websocket",
    "features": {"mcp": True, "aec": True, "glyph_push": False},
    "text_font": "puhui-14-1",
    "audio_params": {
        "format": "opus",
        "sample_rate": 24000,
        "channels": 1,
        "frame_duration": 20,
    },
}


class Listener:
    """Keeps what microphones bring, and when a device says that it was all."""

    def __init__(self) -> None:
        self.opened: list[bool] = []
        self.heard: list[bytes] = []
        self.finished = 0
        self.words: Callable[[str], None] = lambda _text: None

    def open(
        self, *, rate: int, ends_itself: bool, voice: Callable[[], None], words: Any
    ) -> "Listener":
        self.opened.append(ends_itself)
        self.words = words
        return self

    def feed(self, packet: bytes) -> None:
        self.heard.append(packet)

    def finish(self) -> None:
        self.finished += 1
        self.words("吃过了")

    def close(self) -> None:
        return None


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": BEARER, "Protocol_Version": "1", "Device_Id": "02:00:00:00:00:01"},
        {"AUTHORIZATION": BEARER, "DEVICE_ID": "02:00:00:00:00:01", "CLIENT_ID": "c"},
        {"authorization": TOKEN},
        {"authorization": f"bearer  {TOKEN} "},
        {"Authorization": BEARER, "Protocol_Version": "seven"},
    ],
    ids=["firmware", "shouted", "bare token", "untidy", "strange version"],
)
async def test_headers_are_read_however_they_are_written(headers: dict[str, str]) -> None:
    async with devices_door() as door, foreign(door.url, FULL, **headers) as client:
        greeting = client.messages[0]

    assert greeting["transport"] == "websocket"
    assert greeting["session_id"]
    assert greeting["audio_params"] == {
        "format": "opus",
        "sample_rate": 24000,
        "channels": 1,
        "frame_duration": 60,
    }


@pytest.mark.parametrize(
    "query",
    [
        f"device-id=m1&client-id=c1&authorization={quote(BEARER)}",
        f"Device-Id=m1&Client-Id=c1&Authorization={TOKEN}",
        f"device_id=m1&client_id=c1&token={TOKEN}",
    ],
    ids=["browser", "as headers", "underscores"],
)
async def test_a_query_takes_the_place_of_headers(query: str) -> None:
    async with devices_door() as door, foreign(f"{door.url}?{query}", MINIMAL) as client:
        assert client.messages[0]["type"] == "hello"


@pytest.mark.parametrize("path", ["", "/", "/xiaozhi/v1", "/xiaozhi/v1/"])
async def test_an_address_needs_no_path(path: str) -> None:
    async with devices_door() as door:
        url = door.url.removesuffix("/xiaozhi/v1/") + path
        async with foreign(url, MINIMAL, Authorization=BEARER) as client:
            assert client.messages[0]["type"] == "hello"


@pytest.mark.parametrize(
    "hello",
    [
        MINIMAL,
        {"type": "hello", "version": "1", "features": None, "audio_params": None},
        {"type": "hello", "features": [], "audio_params": {"sample_rate": "16000"}},
        {**FULL, "audio_params": {**FULL["audio_params"], "frame_duration": 40}},  # type: ignore[dict-item]  # as clients write it
    ],
    ids=["nothing else", "nulls", "wrong kinds", "40 ms"],
)
async def test_a_hello_may_leave_out_what_it_likes(hello: dict[str, Any]) -> None:
    async with devices_door() as door, foreign(door.url, hello, Authorization=BEARER) as client:
        await client.say(type="ping")
        await client.a("pong")


@pytest.mark.parametrize(
    ("version", "hello"),
    [
        ("1", json.dumps(MINIMAL).encode()),
        ("1", json.dumps(FULL, indent=1).encode()),
        ("2", second(json.dumps(MINIMAL).encode(), kind=1)),
        ("3", third(json.dumps(MINIMAL).encode(), kind=1)),
        ("3", json.dumps(MINIMAL).encode()),
    ],
    ids=["raw", "raw and indented", "sixteen bytes", "four bytes", "raw though framed"],
)
async def test_text_may_come_as_bytes(version: str, hello: bytes) -> None:
    headers = {"Authorization": BEARER, "Protocol_Version": version}
    async with devices_door() as door, foreign(door.url, hello, **headers) as client:
        assert client.messages[0]["type"] == "hello"


async def test_sound_and_words_before_the_hello_are_survived() -> None:
    async with devices_door() as door, foreign(door.url, Authorization=BEARER) as client:
        await client.socket.send(b"\xf8\xff\xfe")
        await client.say(type="listen", state="start", mode="auto")
        await client.say(**MINIMAL)

        assert (await client.a("hello"))["transport"] == "websocket"


@pytest.mark.parametrize(
    ("shown", "hello", "header_bytes"),
    [
        ({}, {**MINIMAL, "version": 1}, 0),
        ({}, {**MINIMAL, "version": 2}, 16),
        ({}, {**MINIMAL, "version": 3}, 4),
        ({"Protocol_Version": "3"}, MINIMAL, 4),
        ({"Protocol_Version": "1"}, {**MINIMAL, "version": 3}, 0),
    ],
    ids=["first", "second by hello", "third by hello", "third by header", "the header counts"],
)
async def test_the_framing_is_the_one_that_the_client_names(
    shown: dict[str, str], hello: dict[str, Any], header_bytes: int
) -> None:
    shown = {"Authorization": BEARER, **shown}
    async with devices_door() as door, foreign(door.url, hello, **shown) as client:
        await door.ring(a_ring())
        await client.a("tts", "stop")
        frames = client.sound

    assert [frame[header_bytes] for frame in frames] == [0, 1, 2]
    if header_bytes == 16:
        assert [int.from_bytes(frame[12:16]) for frame in frames] == [len(frames[0]) - 16] * 3
        assert [int.from_bytes(frame[8:12]) for frame in frames] == [0, 60, 120]
    if header_bytes == 4:
        assert [int.from_bytes(frame[2:4]) for frame in frames] == [len(frames[0]) - 4] * 3


async def test_sound_comes_between_start_and_stop_and_every_message_names_the_session() -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        await door.ring(a_ring())
        await client.a("tts", "stop")
        names = [
            "sound" if isinstance(one, bytes) else one.get("state") or one["type"]
            for one in client.frames
        ]

    told = names[names.index("start") :]
    assert told == ["start", "sentence_start", "sound", "sound", "sound", "stop"]
    assert {one["session_id"] for one in client.messages} == {client.messages[0]["session_id"]}


@pytest.mark.parametrize("mode", ["auto", "realtime", "manual", "whatever"])
@pytest.mark.parametrize(
    ("version", "framed"),
    [("1", bytes), ("2", second), ("3", third)],
    ids=["raw", "sixteen bytes", "four bytes"],
)
async def test_a_microphone_is_heard_in_every_mode_and_framing(
    mode: str, version: str, framed: Callable[[bytes], bytes]
) -> None:
    ears = Listener()
    shown = {"Authorization": BEARER, "Protocol_Version": version}
    async with devices_door(ears=ears) as door, foreign(door.url, MINIMAL, **shown) as client:
        await client.say(type="listen", state="start", mode=mode)
        for number in range(3):
            await client.socket.send(framed(bytes([number, 255])))
        await client.say(type="listen", state="stop")
        assert (await client.a("stt"))["text"] == "吃过了"

    assert ears.opened == [mode != "manual"]
    assert ears.heard == [bytes([number, 255]) for number in range(3)]


async def test_a_gateways_own_header_is_understood() -> None:
    ears = Listener()
    async with devices_door(ears=ears) as door:
        url = f"{door.url}?from=mqtt_gateway&authorization={TOKEN}"
        async with foreign(url, {**MINIMAL, "version": 2}, Protocol_Version="2") as client:
            await client.say(type="listen", state="start", mode="auto")
            await client.socket.send(by_gateway(b"opus"))
            await client.say(type="listen", state="stop")
            await client.a("stt")

    assert ears.heard == [b"opus"]


async def test_typed_words_without_a_session_id_are_an_answer() -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        await door.ring(a_ring())
        await client.a("tts", "stop")
        await client.say(type="listen", state="detect", text="吃过了", session_id="")

        assert (await client.a("stt"))["text"] == "吃过了"
        assert (await client.a("tts", "sentence_start"))["text"] == "好的，记下了。"
        assert door.facts.waiting == {}


@pytest.mark.parametrize("reason", [{"reason": "wake_word_detected"}, {"reason": None}, {}])
async def test_abort_is_answered_by_a_stop(reason: dict[str, Any]) -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        await door.ring(a_ring(text="很长的一句话。" * 10))
        await client.a("tts", "sentence_start")
        await client.say(type="abort", **reason)
        await client.a("tts", "stop")
        await client.say(type="ping")
        await client.a("pong")

        assert isinstance(client.frames[-2], dict), "not one packet after the stop"


async def test_what_is_unknown_is_ignored() -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        for kind in ("iot", "pong", "speak_ready", "custom", "from the future"):
            await client.say(type=kind, descriptors=[], states=[])
        await client.say(type="listen", state="start", mode="auto", extra={"deep": [1]})
        await client.say(type="ping", timestamp=1)

        assert (await client.a("pong"))["session_id"]


async def test_a_ping_of_the_socket_itself_is_answered() -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        await (await client.socket.ping())


async def test_goodbye_ends_the_session_cleanly() -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        await client.say(type="goodbye")

        assert (await client.until_closed())[0] == 1000


@pytest.mark.parametrize("wrapped", [False, True], ids=["object", "text in text"])
async def test_tools_are_asked_for_page_by_page(wrapped: bool) -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        first = await client.tool_call("initialize")
        result = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}}
        payload: Any = {"jsonrpc": "2.0", "id": first["id"], "result": result}
        await client.say(type="mcp", payload=json.dumps(payload) if wrapped else payload)
        initialized = await client.tool_call("notifications/initialized")
        listing = await client.tool_call("tools/list")
        await client.say(type="mcp", payload={"jsonrpc": "2.0", "method": "notifications/progress"})
        await client.reply(listing, tools=[{"name": "self.one"}], nextCursor="self.two")
        further = await client.tool_call("tools/list")
        many = [{"name": f"self.t{number}", "description": "长" * 60} for number in range(30)]
        await client.reply(further, tools=many, nextCursor="")
        await client.say(type="ping")
        await client.a("pong")
        await door.facts.until(("online", f"{SPEAKER} websocket"))

    assert isinstance(first["id"], int)
    assert "id" not in initialized
    assert listing["params"]["cursor"] == ""
    assert further["params"]["cursor"] == "self.two"
    assert len(door.directory.learnt[0]["tools"]) == 31


async def test_a_device_that_refuses_its_tools_rings_all_the_same() -> None:
    async with devices_door() as door, foreign(door.url, FULL, Authorization=BEARER) as client:
        asked = await client.tool_call("initialize")
        refusal = {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "?"}}
        await client.say(type="mcp", payload=refusal)
        await door.ring(a_ring())

        assert (await client.a("tts", "sentence_start"))["text"] == "该吃第1片药了"
