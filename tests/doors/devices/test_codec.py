import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.doors.devices.session import codec
from clarion.doors.devices.session.codec import (
    Abort,
    AudioFormat,
    BadMessage,
    Detect,
    Goodbye,
    Hello,
    Ignored,
    ListenMode,
    ListenStart,
    ListenStop,
    McpReply,
    Ping,
    Sound,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        pytest.param(
            '{"type":"hello","version":1,"transport":"websocket","features":{"mcp":true},'
            '"audio_params":{"format":"opus","sample_rate":16000,"channels":1,"frame_duration":20}}',
            Hello(1, "websocket", AudioFormat(16_000, 20), has_mcp=True),
            id="hello of py-xiaozhi",
        ),
        pytest.param('{"type":"hello"}', Hello(), id="bare hello"),
        pytest.param(
            '{"type":"hello","audio_params":{"sample_rate":"x","frame_duration":61}}',
            Hello(),
            id="hello with nonsense in it",
        ),
        pytest.param(
            '{"session_id":"","type":"listen","state":"start","mode":"realtime"}',
            ListenStart(ListenMode.REALTIME),
            id="listen in full duplex",
        ),
        pytest.param(
            '{"type":"listen","state":"start","mode":"later"}', ListenStart(), id="unknown mode"
        ),
        pytest.param('{"type":"listen","state":"stop"}', ListenStop(), id="listen stop"),
        pytest.param(
            '{"type":"listen","state":"detect","text":" 吃过了 "}', Detect("吃过了"), id="words"
        ),
        pytest.param('{"type":"listen","state":"detect"}', Detect(""), id="words without words"),
        pytest.param(
            '{"type":"abort","reason":"wake_word_detected"}',
            Abort("wake_word_detected"),
            id="abort",
        ),
        pytest.param(
            '{"type":"mcp","payload":{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}}',
            McpReply(2, {"tools": []}),
            id="tool result",
        ),
        pytest.param(
            '{"type":"mcp","payload":{"id":3,"error":{"code":-32601,"message":"no such tool"}}}',
            McpReply(3, {}, "no such tool"),
            id="tool error",
        ),
        pytest.param('{"type":"mcp","payload":{"id":"3"}}', Ignored("mcp"), id="id in words"),
        pytest.param('{"type":"iot","descriptors":[]}', Ignored("iot"), id="old firmware"),
        pytest.param('{"type":"goodbye","session_id":"s"}', Goodbye("s"), id="goodbye"),
        pytest.param('{"type":"ping"}', Ping(), id="ping"),
        pytest.param('{"type":"of tomorrow"}', Ignored("of tomorrow"), id="unknown"),
    ],
)
def test_what_devices_say_is_understood(text: str, meant: object) -> None:
    assert codec.read_text(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "42", '"hello"', "{}", '{"type":7}', "[" * 60_000),
        *('{"type":"listen"}', '{"type":"mcp"}', '{"type":"mcp","payload":[]}'),
    ],
)
def test_what_is_no_sentence_is_malformed(text: str) -> None:
    with pytest.raises(BadMessage):
        codec.read_text(text)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_packet_survives_its_framing(version: int) -> None:
    packet = bytes(range(200))

    framed = codec.audio_frame(packet, version, at_ms=120)

    assert codec.read_frame(framed, version) == Sound(packet)


def test_headers_are_laid_out_as_firmware_reads_them() -> None:
    assert codec.audio_frame(b"ab", 2, 258).hex() == "000200000000000000000102000000026162"
    assert codec.audio_frame(b"ab", 3).hex() == "000000026162"


def test_json_may_travel_in_a_binary_frame() -> None:
    text = b'{"type":"ping"}'
    framed = codec.V3_HEADER.pack(codec.JSON, 0, len(text)) + text

    assert codec.read_frame(framed, 3) == Ping()


@pytest.mark.parametrize(
    ("frame", "version"),
    [
        pytest.param(b"", 1, id="empty"),
        pytest.param(b"x" * 5_000, 1, id="too long for Opus"),
        pytest.param(b"short", 2, id="half a header"),
        pytest.param(b"abc", 3, id="three bytes"),
        pytest.param(codec.V2_HEADER.pack(2, 0, 0, 0, 9) + b"abc", 2, id="a size that lies"),
        pytest.param(codec.V3_HEADER.pack(7, 0, 3) + b"abc", 3, id="an unknown type"),
        pytest.param(codec.V3_HEADER.pack(1, 0, 2) + b"\xff\xfe", 3, id="text that is none"),
    ],
)
def test_a_frame_that_cannot_be_is_malformed(frame: bytes, version: int) -> None:
    with pytest.raises(BadMessage):
        codec.read_frame(frame, version)


@given(st.text() | JSON.map(lambda value: json.dumps({"type": value})))
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(BadMessage):
        codec.read_text(text)


@given(st.dictionaries(st.sampled_from(["state", "mode", "text", "payload", "version"]), JSON))
def test_no_field_breaks_the_reader(fields: dict[str, object]) -> None:
    for kind in ("hello", "listen", "mcp", "abort", "goodbye"):
        with contextlib.suppress(BadMessage):
            codec.read_text(codec.write_text({**fields, "type": kind}))


@given(st.binary(max_size=64), st.sampled_from([1, 2, 3]))
def test_no_bytes_break_the_reader(frame: bytes, version: int) -> None:
    with contextlib.suppress(BadMessage):
        codec.read_frame(frame, version)
