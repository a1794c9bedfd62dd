"""English durations and clock times inside a reply: where they stand, and what they come to."""

import re
from datetime import time

from clarion.language.when.words import ENGLISH, ENGLISH_TENS

VALUES = {**ENGLISH, **ENGLISH_TENS, "seventy": 70, "eighty": 80}
_ONE = "|".join(sorted(VALUES, key=len, reverse=True))
_N = rf"(?:\d+(?:\.\d+)?|(?:{_ONE})(?:[ -](?:{_ONE}))?)"
_SPAN = re.compile(
    rf"(?:another (?!hour|day|week)|about |around |like |maybe |roughly |in about |in )*(?:"
    rf"(?P<half>(?:a )?half (?:an |a )?(?:hour|hr)(?! ago))"
    rf"|(?P<quarter>(?:a )?quarter (?:of )?(?:an )?hour)|(?P<three>three quarters of an hour)"
    rf"|(?P<one>another (?:hour|day|week)(?![a-z]))"
    rf"|(?<![a-z])(?P<n>{_N}|an?|a couple(?: more)?(?: of)?|couple(?: more)?(?: of)?)(?: or so)?"
    rf"(?:(?: or | to |-| - )(?P<upto>{_N}))?(?P<andhalf> and a half)?"
    r"(?: more| good| extra| short| full)*"
    rf"[ -]?(?P<unit>minutes?|min|hours?|hrs?|h|days?|weeks?)(?![a-z])(?P<plus> and a half)?"
    rf"(?: and (?P<extra>{_N}) (?:minutes?|min))?)"
)
_HALVES = "am|pm|in the morning|in the afternoon|in the evening|at night|tonight"
_CLOCK = re.compile(
    r"(?P<lead>(?:at|until|till|til|by|around|about|after|past|before|for|to|@) )?"
    r"(?:about |around |like )?(?:"
    rf"(?P<noon>noon|midday)|(?P<midnight>midnight)"
    rf"|(?P<off>quarter|half|{_N})(?: minutes)? (?P<way>past|after|to|till|before) "
    rf"(?P<hour>\d{{1,2}}|{_ONE})"
    rf"|(?P<h>\d{{1,2}}|{_ONE})"
    r"(?::(?P<m>\d\d)| (?P<mw>oh five|fifteen|thirty|forty[ -]five|forty|twenty|ten))?)"
    rf"(?: ?(?P<half>{_HALVES}|oclock|o clock|sharp))?(?: ?(?P<half2>{_HALVES}))?(?![a-z\d])"
)
_BARE = re.compile(
    rf"(?:give me|in|another|wait|snooze|snooze for) (?:another |about |like )?({_N})(?: more)?$"
)
_LEADS = frozenset(("at", "until", "till", "til", "by", "around", "@", "after", "past", "before"))
_MOVES = re.compile(r"push|move|shift|bump|delay|postpone")
_UNITS = {"m": 1, "h": 60, "d": 1440, "w": 10080}


def number(text: str) -> float:
    if text[0].isdigit():
        return float(text)
    return float(sum(VALUES[part] for part in re.split(r"[ -]", text)))


def length(text: str) -> int | None:
    """Minutes; also of "give me twenty", "again in 5", where minutes are meant."""
    bare = _BARE.search(text)
    return minutes(text) if bare is None else round(number(bare[1]))


def minutes(text: str) -> int | None:
    span = _SPAN.search(text)
    found = None if span is None else _minutes(span)
    return None if found is None else round(found)


def _minutes(span: re.Match[str]) -> float | None:
    for name, value in (("half", 30.0), ("quarter", 15.0), ("three", 45.0)):
        if span[name]:
            return value
    if span["one"]:
        return float(_UNITS[span["one"][8]])
    named, unit = span["n"], span["unit"][0]
    if named in ("a", "an"):
        if unit == "m":
            return None  # "a minute" is no sixty seconds
        count = 1.0
    elif "couple" in named:
        count = 2.0
    else:
        count = number(span["upto"] or named)
    count += 0.5 if span["andhalf"] or span["plus"] else 0
    return count * _UNITS[unit] + (number(span["extra"]) if span["extra"] else 0)


def _is_clock(clock: re.Match[str]) -> bool:
    if clock["noon"] or clock["midnight"]:
        return True
    if clock["way"]:
        return True
    sure = clock["m"] or clock["half"] or clock["half2"]
    lead = (clock["lead"] or "").strip() in _LEADS
    if clock["lead"] == "to " and _MOVES.search(clock.string):
        lead = True
    return bool(sure or lead) and number(clock["h"]) <= 24


def clock(text: str) -> tuple[time, bool, int] | None:
    """The clock time in a text, whether its half of the day is open, and how many days ahead."""
    days = 1 if "tomorrow" in text else 0
    for found in _CLOCK.finditer(text):
        if _is_clock(found):
            at_, open_half = _time(found, text)
            return at_, open_half, days
    return None


def _time(found: re.Match[str], text: str) -> tuple[time, bool]:
    if found["noon"]:
        return time(12), False
    if found["midnight"]:
        return time(0), False
    total = _spoken_minutes(found)
    half = found["half2"] or found["half"] or ""
    if half in ("", "sharp", "oclock", "o clock"):
        half = next(
            (
                word
                for word in ("morning", "evening", "afternoon", "tonight", "dinner")
                if word in text
            ),
            "",
        )
    later = half.endswith(("pm", "afternoon", "evening", "night", "dinner"))
    hour = total // 60 % 24
    if later and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    return time(hour, total % 60), not half and hour <= 12


def _spoken_minutes(found: re.Match[str]) -> int:
    if not found["way"]:
        words = {"oh five": 5, "forty five": 45, "forty-five": 45}
        extra = int(found["m"] or 0) or (
            words.get(found["mw"]) or int(number(found["mw"])) if found["mw"] else 0
        )
        return int(number(found["h"])) * 60 + extra
    off = {"quarter": 15, "half": 30}.get(found["off"]) or int(number(found["off"]))
    sign = 1 if found["way"] in ("past", "after") else -1
    return int(number(found["hour"])) * 60 + sign * off
