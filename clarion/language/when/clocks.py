"""Times of day: 8点半, 差五分八点, 20:30, "half past eight", 早8点, "3 in the afternoon"."""

import re

from clarion.language.when.stream import ClockWords, TimeToken, TokenStream

Found = tuple[ClockWords | str, int]
"""A clock, or the reason why there is no such time; and where it ends."""


def letter(s: TokenStream, i: int) -> Found | None:
    """9a, 11p."""
    token, mark = s.tokens[i], s.tokens[i + 1]
    if mark.raw not in ("a", "p") or mark.start != token.end or not 0 < token.value <= 12:
        return None
    return ClockWords(token.value, part=mark.raw + "m"), i + 2


def four_figures(s: TokenStream, i: int) -> Found | None:
    """0830h, 1430 hours: a number of hours only where something says that they last."""
    raw, unit = s.tokens[i].raw, s.tokens[i + 1]
    if len(raw) != 4 or not raw.isdecimal() or not raw.isascii():
        return None
    if unit.raw not in ("h", "hrs", "hours") or (i and s.kinds[i - 1] in _LASTING):
        return None
    hour, minute = divmod(int(raw), 100)
    if hour > 23 or minute > 59:
        return None
    return ClockWords(hour, minute, exact=True, grain="minute"), i + 2


_LASTING = frozenset(("in", "for", "every", "after", "plus", "a"))
_LAPSED = frozenset(("after", "later", "before", "ago", "unit", "num", "within"))


def hour_mark(s: TokenStream, i: int) -> Found | None:
    """15h: half past the figure of a length only where the word before says that it lasts."""
    hour, mark = s.tokens[i].value, s.tokens[i + 1]
    if mark.raw != "h" or mark.start != s.tokens[i].end or not 13 <= hour <= 24:
        return None
    if (i and s.kinds[i - 1] in _LASTING) or s.kinds[i + 2] in _LAPSED:
        return None
    return ClockWords(hour, exact=True), i + 2


def minutes_to(s: TokenStream, i: int) -> bool:
    """Ten to nine tonight: minutes in words before an hour, not hours from ten to nine."""
    token = s.tokens[i]
    j = i + 1
    if token.kind == "tens" and s.kinds[j] == "num":
        j += 1
    return (
        (token.raw.isalpha() or token.value > 12)
        and token.value in (5, 10, 15, 20, 25)
        and s.tokens[j].raw in ("to", "till", "til", "before", "of")
        and (not i or s.kinds[i - 1] not in ("from", "between"))
    )


def in_hour_list(s: TokenStream, i: int) -> Found | None:
    """The 14 and the 20 of "at 8, 14 and 20 hundred hours", the 4 of "at 3 or 4"."""
    j = i - 1
    for _ in range(6):
        if s.kinds[j] in ("and", "sep", "or") and s.kinds[j - 1] == "num":
            j -= 2
        elif s.kinds[j] == "sep" or (s.kinds[j] == "and" and s.kinds[j - 1] == "sep"):
            j -= 1
        else:
            break
    if s.kinds[j] != "at" or j == i - 1:
        return None
    if s.tokens[i + 1].raw == "hundred" and s.tokens[i].value <= 24:
        end = i + 3 if s.tokens[i + 2].raw in ("hours", "hrs") else i + 2
        return ClockWords(s.tokens[i].value, exact=True), end
    return _bare(s, i)


def from_to(s: TokenStream, i: int) -> Found | None:
    """The 3 of "3-5pm", of "between 3 and 5pm" and of 3到5点: the other end makes it an hour."""
    joint = s.kinds[i + 1]
    led = s.kinds[i - 1] if i else "end"
    if i > 2 and led in ("and", "or", "to", "until", "dash"):
        listed = s.kinds[i - 3] == "at" and s.kinds[i - 2] == "num" and led in ("and", "or")
        if listed or _opens(s, i - 3):  # at 9 and 21; between 8 and 20
            return _bare(s, i)
    between = joint == "and" and led == "between"
    if (joint not in ("dash", "to") and not between) or s.kinds[i + 2] != "num":
        return None
    hour, other = s.tokens[i].value, s.tokens[i + 2].value
    if isinstance(other, float) or not (0 < other <= 24 and 0 < hour <= 24):
        return None
    if s.kinds[i + 3] == "point":
        return ClockWords(hour, exact=hour > 12), i + 1
    if part_follows(s, i + 3):
        named = next(s.tokens[k] for k in range(i + 3, i + 6) if s.kinds[k] in ("part", "day"))
        part = named.value if named.kind == "part" else named.value[1]
        return ClockWords(hour, part=part), i + 1
    if s.kinds[i + 3] != "meridiem":
        return _bare(s, i) if _opens(s, i - 1) and _bare(s, i + 2) else None
    part = str(s.tokens[i + 3].value)
    if part == "pm" and hour > other and other != 12:
        part = "am"  # 10-2pm starts in the morning
    return ClockWords(hour, part=part), i + 1


def _opens(s: TokenStream, i: int) -> bool:
    """Between 8 and 20, from 9 to 5: the word before makes both numbers hours."""
    if i < 0 or s.kinds[i + 1] != "num" or s.kinds[i + 3] != "num":
        return False
    return s.kinds[i] == "between" or (s.kinds[i] == "from" and s.kinds[i + 2] in ("to", "until"))


def _bare(s: TokenStream, i: int) -> Found | None:
    hour = s.tokens[i].value
    if isinstance(hour, float) or not 0 <= hour <= 24 or s.kinds[i + 1] in _NOT_BARE:
        return None
    return ClockWords(hour, exact=hour > 12), i + 1


_NOT_BARE = frozenset(
    ("unit", "month_name", "times", "letter_unit", "gap", "of", "meridiem", "point", "oclock")
)


def part_follows(s: TokenStream, j: int) -> bool:
    """… in the afternoon, at night, tomorrow morning: what makes a bare number an hour."""
    if s.kinds[j] == "day" and s.tokens[j].raw.isascii():
        return s.kinds[j + 1] == "part" or s.tokens[j].value[1] is not None
    if s.tokens[j].raw == "this":
        return s.kinds[j + 1] == "part"
    if s.kinds[j] == "at":
        return s.tokens[j + 1].raw == "night"
    return s.kinds[j] == "in" and s.kinds[j + 1] == "the" and s.kinds[j + 2] == "part"


def full_hour(hour: int) -> ClockWords | str:
    return ClockWords(hour, exact=hour > 12) if 0 <= hour <= 24 else "no_such_hour"


def with_meridiem(s: TokenStream, i: int, ahead: int = 1) -> Found:
    hour, part = s.tokens[i].value, str(s.tokens[i + ahead].value)
    raw = s.tokens[i].raw
    if len(raw) in (3, 4) and raw.isdecimal():  # 730pm
        minute, hour = hour % 100, hour // 100
        if hour <= 12 and minute < 60:
            return ClockWords(hour, minute, part=part, grain="minute"), i + 2
    end = i + ahead + 1
    return (ClockWords(hour, part=part) if 0 <= hour <= 23 else "no_such_hour"), end


def with_minutes(s: TokenStream, i: int) -> Found | None:
    """Eight thirty, three fifteen pm."""
    raw = s.tokens[i].raw
    if not raw.isalpha() or not raw.isascii() or not 1 <= s.tokens[i].value <= 12:
        return None
    value: int | None = None
    j = i + 1
    if s.kinds[j] == "tens" and s.tokens[j].value <= 50:
        value, j = s.tokens[j].value, j + 1
        if s.kinds[j] == "dash" and s.kinds[j + 1] == "num":
            j += 1
        if s.kinds[j] == "num" and 0 < s.tokens[j].value < 10 and s.tokens[j].raw.isalpha():
            value, j = (value or 0) + s.tokens[j].value, j + 1
    elif s.kinds[j] == "num" and s.tokens[j].raw.isalpha() and 10 <= s.tokens[j].value <= 19:
        value, j = s.tokens[j].value, j + 1
    if value is None or s.kinds[j] in ("unit", "times"):
        return None
    part = None
    if s.kinds[j] == "meridiem":
        part, j = str(s.tokens[j].value), j + 1
    return ClockWords(s.tokens[i].value, value, part=part, grain="minute"), j


def past_or_to(s: TokenStream, i: int) -> Found | None:
    """Half past eight, (a) quarter to nine, ten past 3, 20 minutes to six, half eight."""
    j = i + 1 if s.kinds[i] == "a" else i
    if s.kinds[j] == "half":
        minutes, j = 30, j + 1
    elif s.kinds[j] == "quarter":
        minutes, j = 15, j + 1
    elif s.kinds[j] in ("num", "tens") and not isinstance(s.tokens[j].value, float):
        minutes, j = s.tokens[j].value, j + 1
        if s.kinds[j] == "num" and s.tokens[j].raw.isalpha() and minutes in (20, 30, 40, 50):
            minutes, j = minutes + s.tokens[j].value, j + 1
        if s.kinds[j] == "unit" and s.tokens[j].value == "minute":
            j += 1
    else:
        return None
    link = s.tokens[j].raw
    if s.kinds[j - 1] == "half" and s.kinds[j] == "num" and s.tokens[j].raw.isalpha():
        return _around(s, j, 30, later=True)  # half eight, as the British say it
    if link not in ("past", "after", "to", "before", "till", "til", "of") or not 0 < minutes < 60:
        return None
    return _around(s, j + 1, minutes, later=link in ("past", "after"))


def _around(s: TokenStream, j: int, minutes: int, *, later: bool) -> Found | None:
    if s.kinds[j] == "clock_word":
        hour, _ = s.tokens[j].value
        total = (hour * 60 + (minutes if later else -minutes)) % 1440
        return ClockWords(total // 60, total % 60, exact=True, grain="minute"), j + 1
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    hour = s.tokens[j].value
    if not 1 <= hour <= 24 or s.kinds[j + 1] in ("unit", "month_name", "letter_unit", "of"):
        return None
    j += 1
    if s.kinds[j] == "oclock":
        j += 1
    part = None
    if s.kinds[j] == "meridiem":
        part, j = str(s.tokens[j].value), j + 1
    if later:
        return ClockWords(hour, minutes, part=part, exact=hour > 12, grain="minute"), j
    read = short_of(hour, minutes)
    return (with_part(read, part) if isinstance(read, ClockWords) else read), j


def short_of(hour: int, minutes: int) -> ClockWords | str:
    if not 0 < minutes < 60:
        return "no_such_minute"
    if not 0 <= hour <= 24:
        return "no_such_hour"
    earlier = hour - 1 if hour > 1 else hour + 11 if hour == 1 else 23
    return ClockWords(earlier, 60 - int(minutes), exact=hour > 13, grain="minute")


def with_part(read: ClockWords, part: str | None) -> ClockWords:
    return ClockWords(
        read.hour, read.minute, read.second, part or read.part, read.exact, read.grain, read.offset
    )


# 2点建议 and 三点水 are no times, nor is 二十点五度; 一点 is often "a little".
_NO_CLOCK = re.compile(
    "建议|意见|要求|内容|问题|理由|原因|想法|希望(?!我)|经验|看法|体会|好处|坏处|式|水(?![费壶电果])|血|区别|优势|"
    "说明|思考|启示|共识|方案|伤害|透视|一线"
)
_LITTLE = re.compile(
    "点|儿|都|也|不|没|钱|小|水|吃|菜|盐|糖|事|东西|心|用|零食|力|时间|希望|帮助|进步|意思"
)
_MEASURE = re.compile(
    "度|元|块|米|%|倍|折|公|千|升|岁|万|亿|厘|毫|斤|吨|分之|英|平|个点|个百分|号楼"
)
HOURS_MISSPOKEN = 30  # 25点 is a slip that is told; 98点 is a score
# Words of time that are names and pictures as often: they need a day, an hour or a wish.
_POETIC = frozenset(("黎明", "拂晓", "破晓", "黄昏", "午夜", "子夜", "五更"))
_COUNTED = re.compile(
    "[个名位斤块元页瓶只盒片粒件条本张米份杯人辆台套箱袋包斤颗岁圈章集]|公里|道题|%|号[楼线]"
)


def clock(s: TokenStream, i: int) -> Found | None:
    """The time of day that starts at token `i`, with the day part before or behind it."""
    kind = s.kinds[i]
    if kind in ("part", "short_part"):
        return _with_part(s, i)
    found = _face(s, i)
    return _behind(s, found) if found else None


def _with_part(s: TokenStream, i: int) -> Found | None:
    part, j = str(s.tokens[i].value), i + 1
    short = s.kinds[i] == "short_part"
    while s.kinds[j] == "part":  # 晚上半夜三点: the later word is the closer one
        late = part in ("evening", "tonight", "late", "night") and s.tokens[j].value == "dawn"
        part, j = "small_hours" if late else str(s.tokens[j].value), j + 1
    k = j
    if s.kinds[k] in ("glue", "at", "about") or (s.kinds[k] == "sep" and s.tokens[k].raw in "，,"):
        k += 1
    found = _face(s, k) or _with_dot(s, k)
    if found is None:
        lone = i == 0 or s.kinds[i - 1] not in _DAYS
        if lone and s.tokens[i].raw in _POETIC and s.kinds[j] == "gap" and "verb" not in s.kinds:
            return None
        if short and (i == 0 or s.kinds[i - 1] not in _DAYS or s.kinds[j] == "gap"):
            return None
        return ClockWords(part=part, grain="part"), j
    read, end = found
    if isinstance(read, str):
        return read, end
    return with_part(read, part), end


def _with_dot(s: TokenStream, k: int) -> Found | None:
    """下午3.30: minutes behind a dot, because a part of the day stands before."""
    token = s.tokens[k]
    hour, _, minute = token.raw.partition(".")
    if not isinstance(token.value, float) or len(minute) != 2 or token.value >= 24:
        return None
    return (ClockWords(int(hour), int(minute), grain="minute"), k + 1) if minute < "60" else None


def _dot_is_colon(s: TokenStream, i: int) -> bool:
    """9.30 tonight, my 9.15, Friday 7.45: a word of time beside it, and no price or measure."""
    if not s.tokens[i].raw.isascii() or _PRICED.match(s.text, s.tokens[i].end):
        return False
    if part_follows(s, i + 1) or s.kinds[i + 1] in ("day", "weekday", "oclock"):
        return True
    led = s.kinds[i - 1] if i else "end"
    if led == "end":
        return s.kinds[i + 1] == "ask"
    return led in _LEADS_CLOCK or s.tokens[i - 1].raw == "my"


_PRICED = re.compile(
    r" ?(?:%|[€$£¥]|euros?|dollars?|pounds?|bucks?|k[mg]|miles?|percent|each|per|points?|l\b|m\b)"
)
_LEADS_CLOCK = frozenset(("day", "weekday", "from", "until", "between", "at"))
_DAYS = frozenset(("weekday", "weekday_of", "weekend", "day", "festival", "hao", "ri"))


def _behind(s: TokenStream, found: Found) -> Found:
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


def _face(s: TokenStream, i: int) -> Found | None:
    kind = s.kinds[i]
    if kind == "clock":
        return _written(s, i)
    if kind == "clock_word":
        hour, minute = s.tokens[i].value
        return ClockWords(hour, minute, exact=True, part="midnight" if hour == 0 else "noon"), i + 1
    if kind == "cha":
        return _short_of(s, i)
    if kind in ("num", "tens"):
        return _spoken(s, i)
    if kind in ("half", "quarter", "a"):
        return past_or_to(s, i)
    return None


def _written(s: TokenStream, i: int) -> Found:
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
    return ClockWords(hour, minute, second, part, exact and part is None, grain, offset), j


def _fits(hour: int, minute: int, second: int, part: str | None) -> bool:
    if part in ("am", "pm") and not 0 <= hour <= 23:
        return False
    return (hour < 24 and minute < 60 and second < 60) or (hour, minute, second) == (24, 0, 0)


def _why(hour: int, minute: int) -> str:
    return "no_such_hour" if hour > 23 and (hour, minute) != (24, 0) else "no_such_minute"


def _short_of(s: TokenStream, i: int) -> Found | None:
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


def _spoken(s: TokenStream, i: int) -> Found | None:
    """A number that a word makes an hour: 8点, 8 pm, eight o'clock, ten to six, 3-5pm."""
    token = s.tokens[i]
    following = s.kinds[i + 1]
    if following == "point":
        return _points(s, i)
    if isinstance(token.value, float):
        return _with_dot(s, i) if _dot_is_colon(s, i) else None
    lettered = letter(s, i) or four_figures(s, i) or _in_list(s, i)
    if lettered is None and following == "letter_unit":
        lettered = hour_mark(s, i)
    if lettered or following in _NEVER_HOURS:
        return lettered
    if following == "meridiem":
        return with_meridiem(s, i)
    if following == "oclock":
        return _oclock(s, i)
    if following == "ish":
        later = s.kinds[i + 2] == "meridiem"
        return with_meridiem(s, i, 2) if later else (ClockWords(token.value), i + 2)
    if token.value == 12 and following == "clock_word":
        return _face(s, i + 1)
    if minutes_to(s, i):
        return past_or_to(s, i)
    return from_to(s, i) or _before_part(s, i) or past_or_to(s, i) or with_minutes(s, i)


def _in_list(s: TokenStream, i: int) -> Found | None:
    if i < 3:
        return None
    found: Found | None = None
    if s.kinds[i - 3] in ("between", "from", "at"):
        found = from_to(s, i)
    if found is None and s.kinds[i - 1] in ("and", "sep", "or"):
        found = in_hour_list(s, i)
    return found


def _oclock(s: TokenStream, i: int) -> Found:
    read = full_hour(s.tokens[i].value)
    if s.kinds[i + 2] == "meridiem" and isinstance(read, ClockWords):
        return with_part(read, str(s.tokens[i + 2].value)), i + 3
    return read, i + 2


def _before_part(s: TokenStream, i: int) -> Found | None:
    """The 8 of "8 tonight" and "8 in the morning"."""
    hour = s.tokens[i].value
    return (ClockWords(int(hour)), i + 1) if 0 < hour <= 12 and part_follows(s, i + 1) else None


def _points(s: TokenStream, i: int) -> Found | None:
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
    read = ClockWords(hour, minute or 0, second, None, exact, grain)
    if s.kinds[j] == "meridiem":
        return with_part(read, str(s.tokens[j].value)), j + 1
    return read, j


_EITHER = ("一两", "两三", "二三", "三四", "四五", "五六", "六七", "七八", "八九")


def _is_no_clock(s: TokenStream, i: int) -> bool:
    """Whether this 点 counts points or little things, or is a decimal one."""
    if s.tokens[i + 1].raw[0] != "点":
        return False
    tail = s.tail(i + 1, 6)
    if _NO_CLOCK.match(tail) or _is_no_hour(s.tokens[i]):
        return True
    if s.kinds[i + 2] == "num" and _is_decimal(s, i):
        return True
    if s.tokens[i].raw == "一" and s.tokens[i + 1].raw == "点":
        before = s.head(i, 1)
        if _LITTLE.match(tail) or before in "快慢多少大小高低好轻近远有喝吃早了着长短热冷甜淡学买":
            return bool(before) or _LITTLE.match(tail) is not None
    return False


def _is_no_hour(token: TimeToken) -> bool:
    return token.value > HOURS_MISSPOKEN and token.raw not in _EITHER


def _is_decimal(s: TokenStream, i: int) -> bool:
    """二十点六, 三点一四, 零点五度: figures without 十 or 分 behind it, and nobody to be told."""
    after = s.tokens[i + 2]
    if after.kind != "num" or isinstance(after.value, float) or s.tokens[i + 1].raw != "点":
        return False
    if len(after.raw) == 1 and _MEASURE.match(s.tail(i + 2, 4)):
        return True
    led = s.kinds[i - 1] if i else "end"
    if s.kinds[i + 3] not in ("end", "sep") or led in _DAYS or led in ("part", "short_part"):
        return False
    figures = all(figure in "一二三四五六七八九" for figure in after.raw)
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
    if two and len(token.raw) <= 3 and token.value < 100 and free and not _COUNTED.match(s.tail(j)):
        return token.value, 0, "minute", j + 1
    return None, 0, "hour", j


_OTHERS_UNITS = frozenset(
    ("point", "month", "hao", "ri", "unit", "ge", "times", "year", "dash", "to")
)
_CANTONESE = re.compile("听[日朝晚]|[咗唔嘅喺嚟冇佢哋啲]|提我|[下晏]昼|朝早|而家|[接湊]仔|囡")
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
