"""Parsers of foreign bytes, fed with broken ones: they refuse with a sentence, and at once.

A seeded few hundred of each for every run; `FUZZ=10000` makes it a long one.
"""

import os
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clarion.base.errors import ClarionError
from clarion.doors.devices.ota import facts_of, read_body
from clarion.doors.http.api.ics import _parsed as read_calendar
from clarion.doors.http.hosts import is_address, name_of
from clarion.doors.notify.apprise import check_kind
from clarion.exits.reach import Reach
from clarion.language.request import read
from clarion.language.when import parse
from clarion.language.when.parse import read_pattern
from clarion.webhooks.service import check_url

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
    "boots of devices": (
        (BODY,),
        lambda text: facts_of(read_body(text.encode(errors="surrogatepass")), text),
    ),
}


@pytest.mark.parametrize("name", PARSERS)
def test_broken_bytes_are_refused_at_once(name: str) -> None:
    seeds, parser = PARSERS[name]
    dice = random.Random(f"{name} 26")
    for _ in range(COUNT):
        text = broken(dice, dice.choice(seeds))
        began = time.thread_time()
        try:
            parser(text)
        except ClarionError:
            pass
        except Exception as error:  # noqa: BLE001  each is a defect, and the text shows which
            pytest.fail(f"{text!r}: {error!r}")
        assert time.thread_time() - began < SECONDS_MAX, text
