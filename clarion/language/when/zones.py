"""Whose clock the hours are read from, when somebody says so: 纽约时间, 9am EST, 15:00 UTC+3."""

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clarion.language.when.tokens import Pieces, Stream, one
from clarion.language.when.wordlist import words

# What may stand right before a code of letters; elsewhere "est" and "pt" are words.
_HOURS = frozenset(words("clock num meridiem point clock_word oclock fen half part"))
_OFFSET = re.compile(r" ?([+-]) ?(\d{1,2})(?::?(\d\d))?(?!\d)")
_HALF_HOURS = {
    "+0330": "Asia/Tehran",
    "+0430": "Asia/Kabul",
    "+0530": "Asia/Kolkata",
    "+0545": "Asia/Kathmandu",
    "+0630": "Asia/Yangon",
    "+0930": "Australia/Darwin",
}
HOURS_MAX = 14  # the widest offset that any place has


def zone_piece(s: Stream, i: int) -> Pieces | None:
    """北京时间, "Tokyo time", and codes of letters behind an hour or before 时间."""
    name, j = str(s.tokens[i].value), i + 1
    if s.kinds[i] == "zone_code":
        behind = i > 0 and s.kinds[i - 1] in _HOURS
        j = i + 2 if s.tokens[j].raw in ("时间", "time") else j
        if not behind and j == i + 1:
            return None
        if name == "UTC" and j == i + 1 and (shifted := _shifted(s, i)):
            name, j = shifted
    return one(s, "zone", name, i, j)


def _shifted(s: Stream, i: int) -> tuple[str, int] | None:
    """UTC+8, GMT-05:00. The names of Etc count westward, hence the turned sign."""
    end = s.tokens[i].end
    read = _OFFSET.match(s.text, end)
    if read is None or int(read[2]) > HOURS_MAX:
        return None
    j = i + 1
    while s.kinds[j] != "end" and s.tokens[j].start < read.end():
        j += 1
    if read[3] and int(read[3]):
        name = _HALF_HOURS.get(f"{read[1]}{int(read[2]):02}{read[3]}")
        return (name, j) if name else None
    return f"Etc/GMT{'-' if read[1] == '+' else '+'}{int(read[2])}", j


def zone_of(name: str) -> ZoneInfo | None:
    """None where this machine has no table for the place."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
