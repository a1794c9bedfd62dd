"""Parsers of foreign bytes, fed with broken ones: they refuse with a sentence, and at once.

A seeded few hundred of each for every run; `FUZZ=10000` makes it a long one. Heads and bodies of
requests go over the wire to the server itself: what reads them is not ours alone.
"""

import asyncio
import base64
import contextlib
import json
import os
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clarion.access.connecting import resource_of
from clarion.access.oauth import OAuthRefused, is_document, is_redirect, leads_to, read_client
from clarion.base.errors import ClarionError
from clarion.base.ids import DeviceId
from clarion.doors.devices.ota import facts_of, read_body
from clarion.doors.devices.session.codec import BadMessage, read_frame, read_text
from clarion.doors.devices.wire.packets import BadPacket, read_packet
from clarion.doors.devices.wire.topics import read_object, read_position, read_status
from clarion.doors.http.api.calendar import _parsed as read_calendar
from clarion.doors.http.middleware import is_address, name_of
from clarion.doors.http.oauth.endpoints import once_each
from clarion.doors.notify.apprise import check_kind
from clarion.exits.reach import Reach
from clarion.language.answer import reader
from clarion.language.request import read
from clarion.language.understand import Situation, understand
from clarion.language.when import parse
from clarion.language.when.parse import read_pattern
from clarion.voice import opus
from clarion.voice.sound import Pcm
from clarion.webhooks.service import check_url
from tests.security.conftest import Wire
from tests.support.doors import Doors

COUNT = int(os.environ.get("FUZZ", "150"))
SECONDS_MAX = 1.0  # of this thread's own work, however busy the machine is
NOW = datetime(2030, 1, 7, 8, tzinfo=UTC)
ZONE = ZoneInfo("Asia/Shanghai")

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VTIMEZONE
TZID:Europe/Paris
END:VTIMEZONE
BEGIN:VEVENT
UID:1
SUMMARY:Dentist\\, at "home"
DTSTART;TZID=Europe/Paris:20300109T080000
RRULE:FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20400101T000000Z
EXDATE:20300209T080000Z
END:VEVENT
END:VCALENDAR
"""
SENTENCES = (
    "明天早上8点半提醒我吃药，要确认",
    "每个月最后一个工作日下午三点交房租",
    "every other Tuesday at quarter past 9 except holidays until March",
    "in 1 hour and 30 minutes tell grandma to call, urgent",
    "农历八月十五晚上七点到九点之间",
)
PATTERNS = (
    "0 8 * * *",
    "*/15 9-17 * * 1-5",
    "0 0 29 2 *",
    "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=4",
    "DTSTART:20300101T000000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2",
    "FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR",
    "每周一三五下午4点",
)
ADDRESSES = (
    "json://[::ffff:127.0.0.1]:80/path?a=b",
    "https://user@example.com:443/%7e?x=1#y",
    "mailto://u:p@example.com?smtp=[::1]",
    "fcm://p/d?+keyfile=/etc/passwd",
)
BODY = '{"application": {"version": "1"}, "board": {"type": "x"}, "mac_address": "aa:bb"}'
ODD = ("\0", "\ud800", "９", "٣", "-", "999999999999999999999", "𠮷", "\u202e", "\n", "%00", "'")


def broken(dice: random.Random, text: str) -> str:
    """A few letters changed, cut, doubled or swapped for odd ones."""
    letters = list(text)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(letters) + 1)
        match dice.randrange(4):
            case 0:
                letters[at:at] = dice.choice(ODD)
            case 1:
                del letters[at : at + dice.randint(1, 8)]
            case 2:
                letters[at:at] = letters[dice.randrange(len(letters) + 1) :][:40]
            case _:
                letters[at : at + 1] = str(dice.randrange(10**6))
    return "".join(letters)


def any_address(text: str) -> None:
    check_kind(text)
    check_url(text)


def any_host(text: str) -> None:
    is_address(name_of(text.lower()))
    Reach().refuse_now(text)


def bytes_of(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def any_packet(text: str) -> None:
    data = bytes_of(text)
    for first in (0x10, 0x30, 0x32, 0x82, 0xA2):
        read_packet(first, data)


def any_topic(text: str) -> None:
    device, data = DeviceId("d"), bytes_of(text)
    read_status(device, data)
    read_position(device, read_object(data))


def any_frame(text: str) -> None:
    for version in (1, 2, 3):
        read_frame(bytes_of(text), version)
    read_text(text)


def any_grant(text: str) -> None:
    given = once_each(text)
    redirect = given.get("redirect_uri", text)
    is_redirect(redirect)
    leads_to(["http://127.0.0.1:1/cb"], redirect)
    is_document(given.get("client_id", text))
    resource_of(given.get("resource", ""), "https://clarion.example")


def any_client(text: str) -> None:
    told = json.loads(text)
    if isinstance(told, dict):
        read_client(told, "c", NOW)


def any_sound(text: str) -> None:
    data = text.encode("latin-1", errors="replace")
    opus.Decoder(16_000).decode(data[200:260])
    opus.read_any(data, 16_000)


REFUSALS = (ClarionError, BadPacket, BadMessage, OAuthRefused, json.JSONDecodeError)
CONNECT = "\0\4MQTT\4\xc2\0\x3c\0\3abc\0\4user\0\2pw"
PUBLISH = '\0\x1dclarion/devices/kitchen/status{"online": true, "latitude": 31.2}'
HELLO = '{"type": "hello", "version": 3, "audio_params": {"format": "opus", "sample_rate": 16000}}'
LISTEN = '{"type": "listen", "state": "detect", "text": "你好", "session_id": "1"}'
GRANT = (
    "response_type=code&client_id=https%3A%2F%2Fx.example%2Fa&redirect_uri=http%3A%2F%2F127.0.0.1"
    "%3A5000%2Fcb&code_challenge=abc&code_challenge_method=S256&state=1&resource=x&scope=reminders"
)
CLIENT = '{"redirect_uris": ["https://x.example/cb"], "client_name": "x", "grant_types": ["a"]}'
LONG = "give me 99999999999999 more minutes"
ANSWERS = (LONG, "吃了吃了，刚吃完", "not yet, give me ten more minutes", "好的", "no, I'm asleep")


def ogg_text() -> str:
    """A short Ogg, each byte as a letter, so that it is broken like all others."""
    spoken = Pcm(bytes(range(256)) * 60, 16_000)
    return opus.ogg(opus.encode(spoken, 16_000, 60), 16_000, 60).decode("latin-1")


PARSERS: dict[str, tuple[tuple[str, ...], Callable[[str], object]]] = {
    "calendars": (
        (CALENDAR,),
        lambda text: read_calendar(text.encode(errors="surrogatepass"), ZONE.key),
    ),
    "patterns": (PATTERNS, lambda text: read_pattern(text, ZONE, NOW)),
    "times": (SENTENCES, lambda text: parse(text, NOW, ZONE)),
    "requests": (SENTENCES, lambda text: read(text, NOW, ZONE)),
    "addresses": (ADDRESSES, any_address),
    "hosts": (("[::1]:8520", "clarion.lan:8520", "127.0.0.1"), any_host),
    "boots of devices": ((BODY,), lambda text: facts_of(read_body(bytes_of(text)), text)),
    "MQTT packets": ((CONNECT, PUBLISH), any_packet),
    "MQTT topics": ((PUBLISH[2:], '{"online": true, "latitude": 1, "longitude": 2}'), any_topic),
    "messages of devices": ((HELLO, LISTEN, "\0\0\0\5abcde"), any_frame),
    "OAuth parameters": ((GRANT,), any_grant),
    "OAuth clients": ((CLIENT,), any_client),
    "replies": (ANSWERS, lambda text: reader.read(text, "take the pills")),
    "utterances": (SENTENCES + ANSWERS, lambda text: understand(text, Situation(asked=text))),
}


def test_broken_sound_is_silence_or_a_refusal() -> None:
    dice, seed = random.Random("sound 26"), ogg_text()
    for _ in range(COUNT):
        began = time.thread_time()
        with contextlib.suppress(ClarionError):
            any_sound(broken(dice, seed))
        assert time.thread_time() - began < SECONDS_MAX


# Halves of letters, as JSON may name them.
HALVES = '{"text": "\\ud800 明天8点\\udfff提醒我", "user_id": "ana"}'
REQUEST = (
    "POST /api/v1/reminders/preview HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
    "Content-Type: application/json\r\nConnection: close\r\nContent-Length: {size}\r\n\r\n{body}"
)


async def test_broken_requests_are_answered_or_let_go(wire: Wire, doors: Doors) -> None:
    """Heads are broken letter by letter; bodies are deep, cut, and of every wrong kind."""
    dice = random.Random("requests 26")
    body = json.dumps({"text": "明天8点", "user_id": "ana"})
    deep = "[" * 20_000, '{"a":' * 9_000, '{"text": ' + "9" * 5_000 + "}", "\ufeff{}", "nul", HALVES
    for turn in range(COUNT):
        said = deep[turn] if turn < len(deep) else broken(dice, body)
        whole = REQUEST.format(
            host=wire.host, token=doors.tokens["ana"], size=len(bytes_of(said)), body=said
        )
        if turn % 2 and turn >= len(deep):
            head, gap, rest = whole.partition("\r\n\r\n")
            whole = broken(dice, head) + gap + rest
        async with asyncio.timeout(20):  # against hanging, nothing else
            answer = await wire.send(bytes_of(whole) + b"\r\n\r\n", ended=True)
        assert not answer.startswith(b"HTTP/1.1 5"), whole
    assert b" 200 " in await wire.get("/health/live")


DEEP = "[" * 15_000  # deeper than any reader of JSON goes, and short enough for every door


@pytest.mark.parametrize(
    ("method", "path", "query"),
    [
        ("POST", "/oauth/register", ""),
        ("POST", "/ota", ""),
        ("POST", "/mcp", ""),
        ("POST", "/api/v1/reminders", ""),
        ("GET", "/api/v1/events/log", base64.urlsafe_b64encode(DEEP[:3_000].encode()).decode()),
        ("GET", "/api/v1/reminders", base64.urlsafe_b64encode(DEEP[:3_000].encode()).decode()),
    ],
)
async def test_what_is_nested_too_deep_is_refused(
    doors: Doors, method: str, path: str, query: str
) -> None:
    asked = {"cursor": query} if query else None
    body = None if query else DEEP.encode()
    async with doors.client("ana") as ana:
        answer = await ana.request(
            method, path, content=body, params=asked, headers={"Content-Type": "application/json"}
        )

    assert 400 <= answer.status_code < 500, answer.text


@pytest.mark.parametrize("name", PARSERS)
def test_broken_bytes_are_refused_at_once(name: str) -> None:
    seeds, parser = PARSERS[name]
    dice = random.Random(f"{name} 26")
    for _ in range(COUNT):
        text = broken(dice, dice.choice(seeds))
        began = time.thread_time()
        try:
            parser(text)
        except REFUSALS:
            pass
        except Exception as error:  # noqa: BLE001  each is a defect, and the text shows which
            pytest.fail(f"{text!r}: {error!r}")
        assert time.thread_time() - began < SECONDS_MAX, text
