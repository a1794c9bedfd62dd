"""Lengths of time and what is done with them: 5分钟后, in two hours, 提前10分钟, 过几天."""

from clarion.language.when.amounts import duration
from clarion.language.when.dates_en import english_date
from clarion.language.when.spec import Clock
from clarion.language.when.tokens import Pieces, Stream, one


def lapse_piece(s: Stream, i: int) -> Pieces | None:
    """5分钟后, two hours later, 3 days from now, 10 minutes before, 三天前."""
    read = duration(s, i)
    if read is None:
        return None
    gone, j = read
    kind, raw = s.kinds[j], s.tokens[j].raw
    if s.tokens[i].raw in _ABOUT and kind in ("after", "within"):
        return one(s, "vague", None, i, j + 1)
    if kind in ("after", "within", "later"):
        if raw == "after" and s.kinds[j + 1] not in ("end", "sep", "gap"):
            return one(s, "length", gone, i, j)
        return one(s, "after", gone, i, j + 1)
    from_now = s.kinds[j + 1] == "now" or s.tokens[j + 1].raw == "today"
    if raw == "from" and from_now:
        return one(s, "after", gone, i, j + 2)
    if kind in ("before", "ago") or raw in ("beforehand", "early"):
        return one(s, "before", gone, i, j + 1)
    if raw == "in" and s.tokens[j + 1].raw == "advance":
        return one(s, "before", gone, i, j + 2)
    return one(s, "length", gone, i, j)


_ABOUT = ("两三", "三四", "三五", "四五", "五六", "七八", "一两", "二三", "六七", "八九")


def in_piece(s: Stream, i: int) -> Pieces | None:
    """In 5 minutes; in the morning; in March."""
    j = i + 1
    while s.kinds[j] in ("about", "at", "the") and j < i + 3:
        j += 1
    read = duration(s, j)
    if read:
        j = read[1] + 1 if s.tokens[read[1]].raw == "time" else read[1]
        return one(s, "after", read[0], i, j)
    if s.kinds[j] == "several":
        return one(s, "vague", None, i, j + 2 if s.kinds[j + 1] == "unit" else j + 1)
    if s.kinds[j] == "a" and s.kinds[j + 1] in ("several", "gap"):
        end = j + 3 if s.kinds[j + 2] == "unit" else j + 2
        return one(s, "vague", None, i, end) if s.tokens[j + 1].raw in _SOON else None
    if s.kinds[j] == "part":
        return one(s, "clock", Clock(part=str(s.tokens[j].value), grain="part"), i, j + 1)
    found = english_date(s, j)
    return one(s, "date", found[0], i, found[1]) if found else None


_SOON = ("few", "while", "bit", "moment", "minute", "sec", "little", "jiffy")


def coming(s: Stream, i: int) -> Pieces | None:
    """Next 3 days, the coming two weeks, after 5 days, +15 minutes."""
    read = duration(s, i + 1)
    if read is None or s.tokens[i].value in (0, -1) or not s.tokens[i].raw.isascii():
        return None
    return one(s, "after", read[0], i, read[1])


def passing(s: Stream, i: int) -> Pieces | None:
    """过5分钟, 再过两个小时, 过几天."""
    read = duration(s, i + 1)
    if read is None:
        if s.kinds[i + 1] == "several":
            return one(s, "vague", None, i, i + 3 if s.kinds[i + 2] in ("unit", "ge") else i + 2)
        return None
    gone, j = read
    j = j + 1 if s.kinds[j] == "after" else j
    return one(s, "after", gone, i, j)


def lead_piece(s: Stream, i: int) -> Pieces | None:
    """提前10分钟, 前半小时, 早10分钟叫我."""
    j = i + 1
    read = duration(s, j)
    if read is None:
        if s.kinds[j] == "several" and s.kinds[i] == "lead":
            return one(s, "vague", None, i, j + 2)
        return None
    gone, end = read
    if s.kinds[i] == "before":
        if gone.days == 1 and not gone.seconds and not gone.months:
            return one(s, "shift", -1, i, end)
        return one(s, "lead", gone, i, end)
    return one(s, "lead", gone, i, end)


def vague_amount(s: Stream, i: int) -> Pieces | None:
    """几分钟后, a few days."""
    j = i + 1
    if s.kinds[j] == "ge":
        j += 1
    if s.kinds[j] in ("unit", "fen", "year"):
        j += 1
        if s.kinds[j] in ("after", "later", "within"):
            return one(s, "vague", None, i, j + 1)
    return None
