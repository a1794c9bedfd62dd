"""Times of day as Chinese says them: 8点半, 八点差五分, 三点零五, 四点九."""

import re

from clarion.language.when.stream import ClockWords, HourFound, TokenStream, short_of
from clarion.language.when.words.beside_zh import (
    COUNTED,
    FOLLOWS_A_TIME,
    LATE_IN_DAY,
    LITTLE,
    MEASURE,
    NO_CLOCK,
)

HOURS_MISSPOKEN = 30  # 25点 is a slip that is told; 98点 is a score
_DAYS = frozenset(("weekday", "weekday_of", "weekend", "day", "festival", "hao", "ri"))


def points(s: TokenStream, i: int) -> HourFound | None:
    """8点, 8点半, 8点一刻, 8点05(分), 8点差五分, 8点过五分."""
    token, j = s.tokens[i], i + 2
    if isinstance(token.value, float) or _is_no_clock(s, i):
        return None
    if s.kinds[i - 1] == "ordinal" and i:
        return None
    minute, second, grain, j = _minute_part(s, j)
    hour = token.value
    if token.raw in _EITHER:
        hour //= 10  # 两三点, 八九点: the earlier one
    if minute is not None and minute < 0:
        return short_of(hour, -minute), j
    if hour > 24 or (hour == 24 and (minute or second)):
        return "no_such_hour", j
    if (minute or 0) > 59 or second > 59:
        return "no_such_minute", j
    exact = hour > 12 or hour == 0 or (len(token.raw) == 2 and token.raw[0] == "0")
    late = not exact and 4 <= hour < 12 and LATE_IN_DAY.match(s.tail(j - 1, 4)) is not None
    read = ClockWords(hour, minute or 0, second, "pm" if late else None, exact, grain)
    if s.kinds[j] == "meridiem":
        return read.in_part(str(s.tokens[j].value)), j + 1
    return read, j


_EITHER = ("一两", "两三", "二三", "三四", "四五", "五六", "六七", "七八", "八九", "九十", "十一二")


def _is_no_clock(s: TokenStream, i: int) -> bool:
    """Whether this 点 counts points or little things, or is a decimal one."""
    if s.tokens[i + 1].raw[0] != "点":
        return False
    tail = s.tail(i + 1, 6)
    if NO_CLOCK.match(tail) or _is_no_hour(s, i):
        return True
    if s.kinds[i + 2] == "num" and _is_decimal(s, i):
        return True
    if s.tokens[i].raw == "一" and s.tokens[i + 1].raw == "点":
        before = s.head(i, 1)
        if i and s.kinds[i - 1] in ("part", "day") and tail[:1] not in "点儿都也不没":
            return False  # 中午一点吃饭
        if s.kinds[i + 2] == "skip" and tail[0] == "点":
            return False  # 下午一点点名
        if i == 0 and s.kinds[2] == "gap" and not FOLLOWS_A_TIME.match(tail):
            return not {"verb", "recall"}.intersection(s.kinds)  # 一点红
        if (
            LITTLE.match(tail)
            or before in "快慢多少大小高低好轻近远有喝吃早了着长短热冷凉暖软松甜淡学买"
        ):
            return bool(before) or LITTLE.match(tail) is not None
    return False


def _is_no_hour(s: TokenStream, i: int) -> bool:
    token = s.tokens[i]
    if token.raw == "九十":  # 晚上九十点; else a score
        return not i or s.kinds[i - 1] not in ("part", "short_part", "day")
    return token.value > HOURS_MISSPOKEN and token.raw not in _EITHER


_TENS = re.compile("[十廿]")


def _is_decimal(s: TokenStream, i: int) -> bool:
    """二十点六, 三点一四, 零点五度: figures without 十 or 分 behind it, and nobody to be told."""
    after = s.tokens[i + 2]
    if after.kind != "num" or isinstance(after.value, float) or s.tokens[i + 1].raw != "点":
        return False
    spelled = len(after.raw) == 1 or not _TENS.search(after.raw)  # 零点三五毫米
    if spelled and not after.raw.isdecimal() and MEASURE.match(s.tail(i + 2, 4)):
        return True
    if len(after.raw) == 1 and s.kinds[i + 3] == "fen" and s.head(i, 2)[-1:] in ("得", "了", "考"):
        return s.head(i, 2) in ("得了", "考了", "得") or s.head(i) in "得考"
    led = s.kinds[i - 1] if i else "end"
    if s.kinds[i + 3] not in ("end", "sep") or led in _DAYS or led in ("part", "short_part"):
        return False
    # 三点零五 is said of the clock; 零点零五 is as much a number.
    places = after.raw.lstrip("零") if s.tokens[i].raw == "零" else after.raw
    figures = all(figure in "一二三四五六七八九" for figure in places)
    return figures and not any(kind in ("verb", "recall") for kind in s.kinds)


def _minute_part(s: TokenStream, j: int) -> tuple[int | None, int, str, int]:
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
    if kind == "hand_on":
        return _hand_on(s, j)
    if kind != "num" or isinstance(s.tokens[j].value, float):
        return None, 0, "hour", j
    return _on_the_face(s, j) or _counted_minutes(s, j)


def _on_the_face(s: TokenStream, j: int) -> tuple[int, int, str, int] | None:
    """七点三个字, 四点九: minutes as Cantonese counts them on the face."""
    token, following = s.tokens[j], s.kinds[j + 1]
    if following == "clock_marks" and 0 < token.value < 12:
        return token.value * s.tokens[j + 1].value, 0, "minute", j + 2
    if _HAND.fullmatch(token.raw) and following in _HAND_ENDS and _CANTONESE.search(s.text):
        return token.value * 5, 0, "minute", j + 1
    return None


def _counted_minutes(s: TokenStream, j: int) -> tuple[int | None, int, str, int]:
    token, following = s.tokens[j], s.kinds[j + 1]
    if following == "ke":
        return token.value * 15, 0, "minute", j + 2
    if following == "fen" or (
        s.tokens[j + 1].raw == "分钟" and s.kinds[j + 2] not in ("after", "before")
    ):
        return _seconds(s, j)
    two = len(token.raw) >= 2 and (token.raw[0] in "零〇0" or token.value >= 10)
    ranged = following in ("to", "dash") and s.kinds[j + 3] == "point"  # 11点05到15点08
    free = ranged or following not in _OTHERS_UNITS
    if two and len(token.raw) <= 3 and token.value < 100 and free and not COUNTED.match(s.tail(j)):
        return token.value, 0, "minute", j + 1
    return None, 0, "hour", j


_OTHERS_UNITS = frozenset(
    ("point", "month", "hao", "ri", "unit", "ge", "times", "year", "dash", "to")
)
_CANTONESE = re.compile(
    "听[日朝晚]|每朝|起身|[咗唔嘅喺嚟冇佢哋啲]|提我|[下晏]昼|朝早|而家|[接湊]仔|囡"
)
_HAND = re.compile("[一二三四五六七八九]|十一?")
_HAND_ENDS = frozenset(("verb", "end", "sep", "gap"))


def _hand_on(s: TokenStream, j: int) -> tuple[int | None, int, str, int]:
    """四点踏九, 八点踏半, 七点踏正: the figure of the face that the long hand stands on."""
    if s.tokens[j].raw[-1] == "正":
        return 0, 0, "minute", j + 1
    if s.kinds[j + 1] == "half":
        return 30, 0, "minute", j + 2
    if s.kinds[j + 1] == "num" and _HAND.fullmatch(s.tokens[j + 1].raw):
        return s.tokens[j + 1].value * 5, 0, "minute", j + 2
    return None, 0, "hour", j


def _seconds(s: TokenStream, j: int) -> tuple[int, int, str, int]:
    minute, k = s.tokens[j].value, j + 2
    if s.kinds[k] == "num" and s.kinds[k + 1] == "unit" and s.tokens[k + 1].value == "second":
        return minute, s.tokens[k].value, "second", k + 2
    return minute, 0, "minute", k


def minutes_short(s: TokenStream, i: int) -> HourFound | None:
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
