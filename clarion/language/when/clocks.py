"""Times of day: 8点半, 差五分八点, 20:30, "half past eight", 早8点, "3 in the afternoon"."""

import re

from clarion.language.when.hours_said import (
    Found,
    four_figures,
    from_to,
    full_hour,
    letter,
    part_follows,
    past_or_to,
    short_of,
    with_meridiem,
    with_minutes,
    with_part,
)
from clarion.language.when.spec import Clock
from clarion.language.when.tokens import Stream

# 2点建议 and 三点水 are no times, nor is 二十点五度; 一点 is often "a little".
_NO_CLOCK = re.compile(
    "建议|意见|要求|内容|问题|理由|原因|想法|希望(?!我)|经验|看法|体会|好处|坏处|式|水(?![费壶电果])|血|区别|优势|"
    "说明|思考|启示|共识|方案|伤害|透视|一线"
)
_LITTLE = re.compile(
    "点|儿|都|也|不|没|钱|小|水|吃|菜|盐|糖|事|东西|心|用|零食|力|时间|希望|帮助|进步|意思"
)
_MEASURE = re.compile("度|元|块|米|%|倍|折|公|千|升|岁|万|亿|厘|毫|斤|吨|分之|英|平|个点|号楼")
_COUNTED = re.compile(
    "[个名位斤块元页瓶只盒片粒件条本张米份杯人辆台套箱袋包斤颗岁圈章集]|公里|道题|%|号[楼线]"
)
PARTS_OF = {"am": "am", "pm": "pm"}


def clock(s: Stream, i: int) -> Found | None:
    """The time of day that starts at token `i`, with the day part before or behind it."""
    kind = s.kinds[i]
    if kind in ("part", "short_part"):
        return _with_part(s, i)
    found = _face(s, i)
    return _behind(s, found) if found else None


def _with_part(s: Stream, i: int) -> Found | None:
    part, j = str(s.tokens[i].value), i + 1
    short = s.kinds[i] == "short_part"
    while s.kinds[j] == "part":  # 晚上半夜三点: the later word is the closer one
        part, j = str(s.tokens[j].value), j + 1
    k = j
    if s.kinds[k] in ("glue", "at", "about") or (s.kinds[k] == "sep" and s.tokens[k].raw in "，,"):
        k += 1
    found = _face(s, k) or _with_dot(s, k)
    if found is None:
        if short and (i == 0 or s.kinds[i - 1] not in _DAYS or s.kinds[j] == "gap"):
            return None
        return Clock(part=part, grain="part"), j
    read, end = found
    if isinstance(read, str):
        return read, end
    return with_part(read, part), end


def _with_dot(s: Stream, k: int) -> Found | None:
    """下午3.30: minutes behind a dot, because a part of the day stands before."""
    token = s.tokens[k]
    hour, _, minute = token.raw.partition(".")
    if not isinstance(token.value, float) or len(minute) != 2 or token.value >= 24:
        return None
    return (Clock(int(hour), int(minute), grain="minute"), k + 1) if minute < "60" else None


_DAYS = frozenset(("weekday", "weekday_of", "weekend", "day", "festival", "hao", "ri"))


def _behind(s: Stream, found: Found) -> Found:
    """8点 am, "8 in the morning", "3 this afternoon", "8 tonight" (the day is read elsewhere)."""
    read, j = found
    if isinstance(read, str):
        return found
    k = j
    if s.kinds[k] == "in" or (
        s.kinds[k] == "at" and s.kinds[k + 1] == "part" and s.tokens[k + 1].raw == "night"
    ):
        k += 1
    else:
        return found
    if s.kinds[k] == "the":
        k += 1
    if s.kinds[k] == "part":
        return with_part(read, str(s.tokens[k].value)), k + 1
    return found


def _face(s: Stream, i: int) -> Found | None:
    kind = s.kinds[i]
    if kind == "clock":
        return _written(s, i)
    if kind == "clock_word":
        hour, minute = s.tokens[i].value
        return Clock(hour, minute, exact=True, part="midnight" if hour == 0 else "noon"), i + 1
    if kind == "cha":
        return _short_of(s, i)
    if kind in ("num", "tens"):
        return _spoken(s, i)
    if kind in ("half", "quarter", "a"):
        return past_or_to(s, i)
    return None


def _written(s: Stream, i: int) -> Found:
    raw = s.tokens[i].raw.replace("h", ":").replace(" ", "")
    if raw.isdecimal():  # 170000 behind a T
        raw = ":".join(raw[n : n + 2] for n in range(0, len(raw), 2))
    parts = re.split("[:.]", raw)
    hour, minute = int(parts[0]), int(parts[1])
    second = int(parts[2]) if len(parts) > 2 else 0
    j = i + 1
    part, offset = None, None
    if s.kinds[j] == "meridiem":
        part, j = str(s.tokens[j].value), j + 1
    elif s.tokens[j].raw in ("a", "p") and s.tokens[i].end >= s.tokens[j].start - 1:
        part = s.tokens[j].raw + "m"
        j = j + 2 if s.tokens[j + 1].raw == "m" else j + 1
    elif s.tokens[j].raw == "z":
        offset, j = "+00:00", j + 1
    elif s.kinds[j] == "point" or s.kinds[j] == "fen" or s.kinds[j] == "oclock":
        j += 1
    zone = re.match(r" ?([+-]\d\d):?(\d\d)(?!\d)", s.text[s.tokens[i].end : s.tokens[i].end + 8])
    # 9:00-11:00 is a range; only behind a T does a minus open an offset.
    stamped = i > 0 and s.tokens[i - 1].raw == "t"
    if zone and offset is None and part is None and (stamped or zone[1][0] == "+"):
        offset = f"{zone[1]}:{zone[2]}"
        while s.tokens[j].start < s.tokens[i].end + zone.end() and s.kinds[j] != "end":
            j += 1
    if not _fits(hour, minute, second, part):
        return _why(hour, minute), j
    exact = parts[0][0] == "0" or hour > 12
    grain = "second" if len(parts) > 2 else "minute"
    return Clock(hour, minute, second, part, exact and part is None, grain, offset), j


def _fits(hour: int, minute: int, second: int, part: str | None) -> bool:
    if part in ("am", "pm") and not 0 <= hour <= 23:
        return False
    return (hour < 24 and minute < 60 and second < 60) or (hour, minute, second) == (24, 0, 0)


def _why(hour: int, minute: int) -> str:
    return "no_such_hour" if hour > 23 and (hour, minute) != (24, 0) else "no_such_minute"


def _short_of(s: Stream, i: int) -> Found | None:
    """差五分八点, 差一刻九点."""
    if s.kinds[i + 1] != "num":
        return None
    minutes = s.tokens[i + 1].value
    j = i + 3
    if s.kinds[i + 2] == "ke" or s.tokens[i + 2].raw == "刻钟":
        minutes *= 15
    elif s.kinds[i + 2] != "fen" and s.tokens[i + 2].raw != "分钟":
        return None
    if s.kinds[j] == "past" and s.tokens[j].raw in ("到", "就"):
        j += 1
    if s.kinds[j] in ("to", "glue"):
        j += 1
    if s.kinds[j] != "num" or s.kinds[j + 1] != "point":
        return None
    return short_of(s.tokens[j].value, minutes), j + 2


# What makes the number before it a date or a count, without a further look.
_NEVER_HOURS = frozenset(("month", "hao", "year", "ri", "times", "ge", "fen", "gap", "end"))


def _spoken(s: Stream, i: int) -> Found | None:
    """A number that a word makes an hour: 8点, 8 pm, eight o'clock, ten to six, 3-5pm."""
    token = s.tokens[i]
    following = s.kinds[i + 1]
    if following == "point":
        return _points(s, i)
    if isinstance(token.value, float):
        return None
    lettered = letter(s, i) or four_figures(s, i)
    if i > 2 and s.kinds[i - 3] in ("between", "from", "at"):
        lettered = lettered or from_to(s, i)
    if lettered or following in _NEVER_HOURS:
        return lettered
    if following == "meridiem":
        return with_meridiem(s, i)
    if following == "oclock":
        return _oclock(s, i)
    if following == "ish":
        later = s.kinds[i + 2] == "meridiem"
        return with_meridiem(s, i, 2) if later else (Clock(token.value), i + 2)
    if token.value == 12 and following == "clock_word":
        return _face(s, i + 1)
    return from_to(s, i) or _before_part(s, i) or past_or_to(s, i) or with_minutes(s, i)


def _oclock(s: Stream, i: int) -> Found:
    read = full_hour(s.tokens[i].value)
    if s.kinds[i + 2] == "meridiem" and isinstance(read, Clock):
        return with_part(read, str(s.tokens[i + 2].value)), i + 3
    return read, i + 2


def _before_part(s: Stream, i: int) -> Found | None:
    """The 8 of "8 tonight" and "8 in the morning"."""
    hour = s.tokens[i].value
    return (Clock(int(hour)), i + 1) if 0 < hour <= 12 and part_follows(s, i + 1) else None


def _points(s: Stream, i: int) -> Found | None:
    """8点, 8点半, 8点一刻, 8点05(分), 8点差五分, 8点过五分."""
    token, j = s.tokens[i], i + 2
    if isinstance(token.value, float) or _is_no_clock(s, i):
        return None
    if s.kinds[i - 1] == "ordinal" and i:
        return None
    minute, second, grain, j = _minute_part(s, j)
    hour = token.value
    if hour > 24 and token.raw in _EITHER:
        hour //= 10  # 八九点: the earlier one
    if minute is not None and minute < 0:
        return short_of(hour, -minute), j
    if hour > 24 or (hour == 24 and (minute or second)):
        return "no_such_hour", j
    if (minute or 0) > 59 or second > 59:
        return "no_such_minute", j
    exact = hour > 12 or hour == 0 or (len(token.raw) == 2 and token.raw[0] == "0")
    read = Clock(hour, minute or 0, second, None, exact, grain)
    if s.kinds[j] == "meridiem":
        return with_part(read, str(s.tokens[j].value)), j + 1
    return read, j


_EITHER = ("一两", "两三", "二三", "三四", "四五", "五六", "六七", "七八", "八九")


def _is_no_clock(s: Stream, i: int) -> bool:
    """Whether this 点 counts points or little things, or is a decimal one."""
    if s.tokens[i + 1].raw[0] != "点":
        return False
    tail = s.tail(i + 1, 6)
    if _NO_CLOCK.match(tail):
        return True
    if s.tokens[i].raw == "一" and s.tokens[i + 1].raw == "点":
        before = s.head(i, 1)
        if _LITTLE.match(tail) or before in "快慢多少大小高低好轻近远有喝吃早了着长短热冷甜淡学买":
            return bool(before) or _LITTLE.match(tail) is not None
    after = s.tokens[i + 2]
    if after.kind == "num" and len(after.raw) == 1 and s.kinds[i + 3] == "gap":
        return _MEASURE.match(s.tail(i + 2, 3)) is not None
    return False


def _minute_part(s: Stream, j: int) -> tuple[int | None, int, str, int]:
    """Minutes (negative: short of the hour) and seconds behind an hour, with the grain."""
    kind = s.kinds[j]
    if kind == "half":
        return 30, 0, "minute", j + 1
    if s.tokens[j].raw == "过" and s.kinds[j + 1] == "num":
        j, kind = j + 1, "num"
    if s.tokens[j].raw in ("零", "〇") and s.kinds[j + 1] == "num" and s.tokens[j + 1].value < 10:
        end = j + 3 if s.kinds[j + 2] == "fen" else j + 2
        return int(s.tokens[j + 1].value), 0, "minute", end  # 3点零5分
    if kind == "cha" and s.kinds[j + 1] == "num":
        quarter = 15 if s.kinds[j + 2] == "ke" or s.tokens[j + 2].raw == "刻钟" else 1
        if quarter == 15 or s.kinds[j + 2] == "fen" or s.tokens[j + 2].raw == "分钟":
            return -s.tokens[j + 1].value * quarter, 0, "minute", j + 3
    if kind != "num" or isinstance(s.tokens[j].value, float):
        return None, 0, "hour", j
    token, following = s.tokens[j], s.kinds[j + 1]
    if following == "ke":
        return token.value * 15, 0, "minute", j + 2
    if following == "fen" or (
        s.tokens[j + 1].raw == "分钟" and s.kinds[j + 2] not in ("after", "before")
    ):
        return _seconds(s, j)
    two = len(token.raw) >= 2 and (token.raw[0] in "零〇0" or token.value >= 10)
    free = following not in (
        "point",
        "month",
        "hao",
        "ri",
        "unit",
        "ge",
        "times",
        "year",
        "dash",
        "to",
    )
    if two and len(token.raw) <= 3 and token.value < 100 and free and not _COUNTED.match(s.tail(j)):
        return token.value, 0, "minute", j + 1
    return None, 0, "hour", j


def _seconds(s: Stream, j: int) -> tuple[int, int, str, int]:
    minute, k = s.tokens[j].value, j + 2
    if s.kinds[k] == "num" and s.kinds[k + 1] == "unit" and s.tokens[k + 1].value == "second":
        return minute, s.tokens[k].value, "second", k + 2
    return minute, 0, "minute", k
