"""Times of day: 8点半, 差五分八点, 20:30, "half past eight", 早8点, "3 in the afternoon", at 8."""

import re

from clarion.language.when.hours.english import named_hour, past_or_to, spoken, with_dot
from clarion.language.when.stream import (
    EVENINGS,
    HALVES,
    MORNINGS,
    ClockWords,
    Date,
    HourFound,
    Piece,
    Pieces,
    TokenStream,
    one,
    short_of,
)
from clarion.language.when.words import words
from clarion.language.when.words.beside_zh import (
    COUNTED,
    FOLLOWS_A_TIME,
    LATE_IN_DAY,
    LITTLE,
    MEASURE,
    NO_CLOCK,
    POETIC,
)


def clock(s: TokenStream, i: int) -> HourFound | None:
    """The time of day that starts at token `i`, with the day part before or behind it."""
    kind = s.kinds[i]
    if kind in ("part", "short_part"):
        return _with_part(s, i)
    found = face(s, i)
    return _behind(s, found) if found else None


def _with_part(s: TokenStream, i: int) -> HourFound | None:
    part, j = str(s.tokens[i].value), i + 1
    short = s.kinds[i] == "short_part"
    if s.tokens[i].raw == "晚" and s.head(i) == "最":
        return face(s, j)  # 最晚四点: no later than
    while s.kinds[j] == "part":  # 晚上半夜三点: the later word is the closer one
        if part in EVENINGS and s.tokens[j].value in MORNINGS:
            return ClockWords(part=part, grain="part"), j  # 晚上早上八点: no hour is of both
        late = part in ("evening", "tonight", "late", "night") and s.tokens[j].value == "dawn"
        part, j = "small_hours" if late else str(s.tokens[j].value), j + 1
    k = j
    if s.kinds[k] in ("glue", "at", "about") or (s.kinds[k] == "sep" and s.tokens[k].raw in "，,"):
        k += 1
    found = face(s, k) or with_dot(s, k)
    if found is None:
        lone = i == 0 or s.kinds[i - 1] not in _DAYS_TOLD
        if lone and "verb" not in s.kinds and s.kinds[j] != "end" and _is_picture(s, i, j):
            return None
        if short and (i == 0 or s.kinds[i - 1] not in _DAYS or s.kinds[j] == "gap"):
            return None
        return ClockWords(part=part, grain="part"), j
    read, end = found
    if isinstance(read, str):
        return read, end
    return read.in_part(part), end


def _is_picture(s: TokenStream, i: int, j: int) -> bool:
    """黄昏恋, 清晨的阳光: the name of a thing, or of what it is like."""
    of_a_thing = s.tokens[j].raw == "的" and s.kinds[j + 1] == "gap"
    alarm = s.tokens[j + 1].raw in ("闹钟", "闹铃") and s.kinds[j + 2] in ("end", "sep", "verb")
    of_a_thing = of_a_thing and not alarm
    if s.tokens[j].raw == "时分":
        return False
    return s.tokens[i].raw in POETIC or (of_a_thing and not s.tokens[i].raw.isascii())


_DAYS = frozenset(("weekday", "weekday_of", "weekend", "day", "festival", "hao", "ri"))
_DAYS_TOLD = _DAYS | frozenset(words("unit after edge rel date nth_day"))


def _behind(s: TokenStream, found: HourFound) -> HourFound:
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
    if s.kinds[k] == "part" and _halves_agree(read.part, str(s.tokens[k].value)):
        return read.in_part(str(s.tokens[k].value)), k + 1
    if s.kinds[k] == "meridiem" and read.part is None and k > j + 1:
        return read.in_part(str(s.tokens[k].value)), k + 1  # 3 in the AM
    return found


def _halves_agree(half: str | None, part: str) -> bool:
    """10 pm in the morning says two things."""
    return half not in HALVES or part in HALVES[half]


def face(s: TokenStream, i: int) -> HourFound | None:
    kind = s.kinds[i]
    if kind == "clock":
        return _written(s, i)
    if kind == "clock_word":
        return named_hour(s, i)
    if kind == "ish_hour":
        return ClockWords(int(s.tokens[i].value)), i + 1
    if kind == "cha":
        return minutes_short(s, i)
    if kind in ("num", "tens"):
        return points(s, i) if s.kinds[i + 1] == "point" else spoken(s, i)
    if kind in ("half", "quarter", "a"):
        return past_or_to(s, i)
    return None


def _written(s: TokenStream, i: int) -> HourFound:
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
    elif s.kinds[j] in ("point", "fen", "oclock") or s.tokens[j].raw in ("hours", "hrs", "h"):
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
    return ClockWords(hour, minute, second, part, exact and part is None, grain, offset), j


def _fits(hour: int, minute: int, second: int, part: str | None) -> bool:
    if part in ("am", "pm") and not 0 <= hour <= 23:
        return False
    return (hour < 24 and minute < 60 and second < 60) or (hour, minute, second) == (24, 0, 0)


def _why(hour: int, minute: int) -> str:
    return "no_such_hour" if hour > 23 and (hour, minute) != (24, 0) else "no_such_minute"


HOURS_MISSPOKEN = 30  # 25点 is a slip that is told; 98点 is a score


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
    late = not exact and 4 <= hour < 12 and _is_late(s, i, j)
    read = ClockWords(hour, minute or 0, second, "pm" if late else None, exact, grain)
    if s.kinds[j] == "meridiem":
        return read.in_part(str(s.tokens[j].value)), j + 1
    return read, j


def _is_late(s: TokenStream, i: int, j: int) -> bool:
    """六点下班, 下班前六点: the one half of the day in which people go home."""
    led = i > 0 and s.kinds[i - 1] in ("event", "leaving") and s.tokens[i - 1].raw[:2] in _LEFT
    return led or LATE_IN_DAY.match(s.tail(j - 1, 4)) is not None


_LEFT = ("下班", "放学", "放工", "收工")
_EITHER = ("一两", "两三", "二三", "三四", "四五", "五六", "六七", "七八", "八九", "九十", "十一二")


def _is_no_clock(s: TokenStream, i: int) -> bool:
    """Whether this 点 counts points or little things, or is a decimal one."""
    if s.tokens[i + 1].raw[0] != "点":
        return False
    tail = s.tail(i + 1, 6)
    counted = s.kinds[i + 2] not in _BEHIND_HOURS and NO_CLOCK.match(tail)
    if _is_no_hour(s, i) or (counted and not _is_dated(s, i, tail)):
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
            or before in "快慢多少大小高低好轻近远有喝吃早了着长短热冷凉暖软松甜淡学买这那另某"
        ):
            return bool(before) or LITTLE.match(tail) is not None
    return False


def _is_dated(s: TokenStream, i: int, tail: str) -> bool:
    """明天上午十点方案评审, 周五八点血检: behind a day the hour is one, whatever comes at it."""
    led = i > 0 and (s.kinds[i - 1] in _DAYS_TOLD or s.kinds[i - 1] in ("part", "short_part"))
    return led and tail[:1] not in "几式"


def _is_no_hour(s: TokenStream, i: int) -> bool:
    token = s.tokens[i]
    if token.raw == "九十":  # 晚上九十点; else a score
        return not i or s.kinds[i - 1] not in ("part", "short_part", "day")
    said = token.value <= HOURS_MISSPOKEN or (token.value < 60 and "verb" in s.kinds)
    return not said and token.raw not in _EITHER


_TENS = re.compile("[十廿]")
_BEHIND_HOURS = ("verb", "half", "end", "sep")  # most: they are spared a long pattern


def _is_decimal(s: TokenStream, i: int) -> bool:
    """二十点六, 三点一四, 零点五度: figures without 十 or 分 behind it, and nobody to be told."""
    after = s.tokens[i + 2]
    if after.kind != "num" or isinstance(after.value, float) or s.tokens[i + 1].raw != "点":
        return False
    if s.tail(i + 2, 1) in ("元", "块") and (not i or s.kinds[i - 1] in ("gap", "sep")):
        return True  # 五点三十九元
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
    place = s.kinds[j + 2] == "gap" or s.kinds[j + 3] not in _OTHERS_UNITS
    there = following == "to" and place  # 八点五十到银行, 两点三十到三号楼
    back = s.tokens[j + 1].raw == "回" and s.kinds[j + 2] in ("gap", "skip")  # 八点二十回老家
    free = ranged or there or back or following not in _OTHERS_UNITS
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


def clock_piece(s: TokenStream, i: int) -> Pieces | None:
    found = clock(s, i)
    if found is None:
        return None
    read, end = found
    return one(s, "bad" if isinstance(read, str) else "clock", read, i, end)


def day_with_part(s: TokenStream, i: int) -> Pieces | None:
    """明天; 今晚八点半: a day and an evening in one word, and the hour that belongs to both."""
    part = s.tokens[i].value[1]
    if part is None:
        plain = s.kinds[i + 1] in _SHIFTS_NO_DAY and not s.tokens[i].raw.isascii()
        return one(s, "date", Date(offset=s.tokens[i].value[0]), i, i + 1) if plain else None
    if s.tokens[i].raw[0] == "当" and i and _NAMED_DAYS.intersection(s.kinds[:i]):
        return one(s, "clock", ClockWords(part=part, grain="part"), i, i + 1)  # 中秋节当晚
    day = Piece("date", Date(offset=s.tokens[i].value[0]), s.tokens[i].start, s.tokens[i].end)
    j = i + 1
    while s.kinds[j] in ("glue", "at", "sep", "about") and j < i + 3:
        j += 1
    told = i > 0 and s.kinds[i - 1] in _HOURS_SAID and s.kinds[i + 1] == "sep"
    found = None if told else clock(s, j)  # 8 tonight, 8 tomorrow
    if found is not None:
        read, end = found
        if isinstance(read, str):
            return [day, *one(s, "bad", read, j, end)[0]], end
        if read.part == "midnight" and part == "tonight":
            return [day, *one(s, "clock", read, j, end)[0]], end
        if part in ("evening", "tonight") and read.part == "dawn" and read.hour is not None:
            read = read._replace(part=None)
            part = "small_hours"  # 今晚凌晨一点
        if read.part is None or read.part == part:
            piece = Piece(
                "clock", read._replace(part=part), s.tokens[j].start, s.tokens[end - 1].end
            )
            return [day, piece], end
    tail = Piece("clock", ClockWords(part=part, grain="part"), day.end, day.end)
    return [day, tail], i + 1


_HOURS_SAID = frozenset(("num", "clock", "meridiem", "oclock"))
# What follows most days; all else may tell another day from this one: 明天的后天.
_SHIFTS_NO_DAY = frozenset(words("part short_part clock verb gap end sep"))
_NAMED_DAYS = frozenset(words("festival hao ri weekday weekday_of weekend date day"))


def at_hour(s: TokenStream, i: int) -> Pieces | None:
    """At 8, by 5, around noon, at night: a bare number is an hour here."""
    j = i + 1
    while s.kinds[j] in ("about", "at") and j < i + 3:
        j += 1
    found = clock(s, j)
    if found:
        return one(s, "bad" if isinstance(found[0], str) else "clock", found[0], i, found[1])
    k = j + 1 if s.kinds[j] == "a" else j
    if s.kinds[k] in _MINUTES and s.tokens[k + 1].raw in ("to", "past") and _closes(s, k + 2):
        return one(s, "vague", None, i, k + 2)  # at (a) quarter to: of which hour?
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    led = s.tokens[i - 1].raw if i else ""
    if led in _AT_A_LEVEL or (s.tokens[i].raw == "by" and i and s.kinds[i - 1] == "num"):
        return None  # tied at 2; one by one
    if s.tokens[i].raw == "by" and 2020 <= s.tokens[j].value < 2060:
        return one(s, "vague", None, i, j + 1)  # by 2030: of the day or of the century?
    return _bare_hour(s, i, j)


_MINUTES = frozenset(("num", "tens", "quarter", "half"))
_AT_A_LEVEL = frozenset(words("tied level stuck capped priced valued sold rated ranked"))


def _closes(s: TokenStream, j: int) -> bool:
    return s.kinds[j] in ("end", "sep")


def _bare_hour(s: TokenStream, i: int, j: int) -> Pieces | None:
    value, raw, following = s.tokens[j].value, s.tokens[j].raw, s.kinds[j + 1]
    if (
        len(raw) in (3, 4)
        and raw.isascii()
        and raw.isdecimal()
        and value % 100 < 60
        and value < 2400
    ):
        end = j + 2 if s.tokens[j + 1].raw in ("hours", "hrs") else j + 1
        if s.kinds[end] in ("num", "ord") or (s.kinds[end] == "gap" and not _is_done_at(s, i, end)):
            return None  # call at 555 0199; at 1215 Fifth Street
        if len(raw) == 3 and _OVEN.search(s.text):
            return None  # bake it at 350
        exact = raw[0] == "0" or value >= 1300
        return one(
            s, "clock", ClockWords(value // 100, value % 100, exact=exact, grain="minute"), i, end
        )
    if s.tokens[j + 1].raw == "h" and s.tokens[i].kind == "at" and 0 <= value <= 24:  # @ 14h
        return one(s, "clock", ClockWords(int(value), exact=True), i, j + 2)
    following = "gap" if s.tokens[j + 1].raw == "time" else following  # at 5 time for a pill
    if (
        following in ("unit", "month_name", "times", "dash", "letter_unit", "month", "hao")
        or value > 24
    ):
        return None
    if (following == "gap" and _is_of_next(s, i, j)) or s.tokens[j + 1].raw in _NO_HOUR:
        return None
    if value == 1 and s.tokens[j + 1].raw == "with" and _is_harmony(s, i, j):
        return None
    if following == "to" and s.kinds[j + 2] == "num" and s.tokens[j + 2].value > 24:
        return one(s, "bad", "no_such_hour", i, j + 3)  # at 10 to 25
    read = ClockWords(int(value), exact=value > 12)
    k = j + 1
    if s.kinds[k] == "in" and s.kinds[k + 1] == "the" and s.kinds[k + 2] == "part":
        return one(s, "clock", read._replace(part=str(s.tokens[k + 2].value)), i, k + 3)
    return one(s, "clock", read, i, k)


def _is_done_at(s: TokenStream, i: int, end: int) -> bool:
    """At 2100 lock the shed: what is to be done, and no people, metres or street."""
    raw = s.tokens[end].raw
    opens = not i or s.kinds[i - 1] in ("day", "weekday", "sep")
    counted = raw in _NO_HOUR or raw[-1] == "s" or _STREET.match(s.text, s.tokens[end - 1].end)
    return raw in ("to", "remind") or (opens and not counted and s.kinds[end + 1] == "the")


def _is_of_next(s: TokenStream, i: int, j: int) -> bool:
    """About seven people, at 21 Elm Street; but "this evening around seven call her"."""
    if s.tokens[i].raw in ("about", "around", "roughly"):
        dated = i > 0 and s.kinds[i - 1] in ("part", "day", "weekday")
        return not dated or s.tokens[i].raw != "around"
    return _STREET.match(s.text, s.tokens[j].end) is not None


_STREET = re.compile(  # the party at 21 Elm Street
    r" (?:(?!(?:the|an?|my|our|to|in|on|by|at|of|down|up|and|for)\b)[a-z'.]+ ){1,3}"
    r"(?:street|road|avenue|ave|lane|drive|close|crescent|boulevard|blvd|terrace|gardens)\b"
)
_OVEN = re.compile(r"\b(?:bake|baking|oven|roast|broil|preheat|cook|grill|fry)\b")


def _is_harmony(s: TokenStream, i: int, j: int) -> bool:
    """At one with nature; but lunch at 1 with Bob."""
    led = i > 0 and s.tokens[i - 1].raw in _BEING
    return led or any(token.raw in _WHOLE for token in s.tokens[j + 2 : j + 4])


_WHOLE = frozenset(words("nature god universe world earth land sea myself yourself himself"))
_BEING = frozenset(words("is be being am are was were feel feels i'm he's she's"))
_NO_HOUR = frozenset(  # by 10 percent, at one with nature, at 3 points
    words(
        "percent % point points stage dollars pounds people years degrees km miles feet foot ft "
        "eleven"  # the shop
    )
)
