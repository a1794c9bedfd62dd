"""Times of day: 8点半, 差五分八点, 20:30, "half past eight", 早8点, "3 in the afternoon", at 8."""

import re

from clarion.language.when.hours.chinese import minutes_short, points
from clarion.language.when.hours.english import (
    between_commas,
    day_follows,
    dot_is_colon,
    four_figures,
    from_to,
    full_hour,
    hour_mark,
    in_hour_list,
    letter,
    minutes_to,
    part_follows,
    past_or_to,
    spaced,
    with_meridiem,
    with_minutes,
)
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
)
from clarion.language.when.words import words
from clarion.language.when.words.beside_zh import POETIC


def clock(s: TokenStream, i: int) -> HourFound | None:
    """The time of day that starts at token `i`, with the day part before or behind it."""
    kind = s.kinds[i]
    if kind in ("part", "short_part"):
        return _with_part(s, i)
    found = _face(s, i)
    return _behind(s, found) if found else None


def _with_part(s: TokenStream, i: int) -> HourFound | None:
    part, j = str(s.tokens[i].value), i + 1
    short = s.kinds[i] == "short_part"
    if s.tokens[i].raw == "晚" and s.head(i) == "最":
        return _face(s, j)  # 最晚四点: no later than
    while s.kinds[j] == "part":  # 晚上半夜三点: the later word is the closer one
        if part in EVENINGS and s.tokens[j].value in MORNINGS:
            return ClockWords(part=part, grain="part"), j  # 晚上早上八点: no hour is of both
        late = part in ("evening", "tonight", "late", "night") and s.tokens[j].value == "dawn"
        part, j = "small_hours" if late else str(s.tokens[j].value), j + 1
    k = j
    if s.kinds[k] in ("glue", "at", "about") or (s.kinds[k] == "sep" and s.tokens[k].raw in "，,"):
        k += 1
    found = _face(s, k) or _with_dot(s, k)
    if found is None:
        lone = i == 0 or s.kinds[i - 1] not in _DAYS
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
    return s.tokens[i].raw in POETIC or (of_a_thing and not s.tokens[i].raw.isascii())


def _with_dot(s: TokenStream, k: int) -> HourFound | None:
    """下午3.30: minutes behind a dot, because a part of the day stands before."""
    token = s.tokens[k]
    hour, _, minute = token.raw.partition(".")
    if not isinstance(token.value, float) or len(minute) != 2 or token.value >= 24:
        return None
    return (ClockWords(int(hour), int(minute), grain="minute"), k + 1) if minute < "60" else None


_DAYS = frozenset(("weekday", "weekday_of", "weekend", "day", "festival", "hao", "ri"))


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


def _face(s: TokenStream, i: int) -> HourFound | None:
    kind = s.kinds[i]
    if kind == "clock":
        return _written(s, i)
    if kind == "clock_word":
        hour, minute = s.tokens[i].value
        if s.tokens[i].raw == "midnight" and not i and s.kinds[1] == "gap":
            return None  # midnight snack
        return ClockWords(hour, minute, exact=True, part="midnight" if hour == 0 else "noon"), i + 1
    if kind == "cha":
        return minutes_short(s, i)
    if kind in ("num", "tens"):
        return _spoken(s, i)
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
    elif s.kinds[j] in ("point", "fen", "oclock") or s.tokens[j].raw in ("hours", "hrs"):
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


# What makes the number before it a date or a count, without a further look.
_NEVER_HOURS = frozenset(("month", "hao", "year", "ri", "times", "ge", "fen", "gap", "end"))


def _spoken(s: TokenStream, i: int) -> HourFound | None:
    """A number that a word makes an hour: 8点, 8 pm, eight o'clock, ten to six, 3-5pm."""
    token = s.tokens[i]
    following = s.kinds[i + 1]
    if following == "point":
        return points(s, i)
    if isinstance(token.value, float):
        return _with_dot(s, i) if dot_is_colon(s, i) else None
    lettered = letter(s, i) or four_figures(s, i) or _in_list(s, i) or between_commas(s, i)
    if lettered is None and following == "letter_unit":
        lettered = hour_mark(s, i)
    if lettered or following in _NEVER_HOURS:
        return lettered or (with_minutes(s, i) if s.tokens[i + 1].raw == "oh" else None)
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
    found = from_to(s, i) or _before_part(s, i) or past_or_to(s, i)
    return found or with_minutes(s, i) or spaced(s, i)


def _in_list(s: TokenStream, i: int) -> HourFound | None:
    if i < 3 or past_or_to(s, i):
        return None  # at 5 and 20 past 6
    found: HourFound | None = None
    if s.kinds[i - 3] in ("between", "from", "at"):
        found = from_to(s, i)
    if found is None and s.kinds[i - 1] in ("and", "sep", "or"):
        found = in_hour_list(s, i)
    return found


def _oclock(s: TokenStream, i: int) -> HourFound:
    read = full_hour(s.tokens[i].value)
    if s.kinds[i + 2] == "meridiem" and isinstance(read, ClockWords):
        return read.in_part(str(s.tokens[i + 2].value)), i + 3
    return read, i + 2


def _before_part(s: TokenStream, i: int) -> HourFound | None:
    """The 8 of "8 tonight", "8 in the morning", and of "8 on Thursday" behind no other word."""
    hour = s.tokens[i].value
    told = part_follows(s, i + 1) or (day_follows(s, i + 1) and (not i or s.kinds[i - 1] != "gap"))
    told = told or s.kinds[i + 1 : i + 4] == ["in", "the", "meridiem"]
    told = told or (i > 2 and s.kinds[i - 1] == "and" and _day_and_hour(s, i))
    return (ClockWords(int(hour)), i + 1) if 0 < hour <= 12 and told else None


def _day_and_hour(s: TokenStream, i: int) -> bool:
    """The 3 of "at 2 today and 3 tomorrow"."""
    return s.kinds[i + 1] in ("day", "weekday") and s.kinds[i - 2] in ("day", "weekday")


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
    found = clock(s, j)
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
    if s.kinds[j] in _MINUTES and s.tokens[j + 1].raw in ("to", "past") and _closes(s, j + 2):
        return one(s, "vague", None, i, j + 2)  # at ten to: of which hour?
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    if s.tokens[i].raw == "by" and i and s.kinds[i - 1] == "num":  # one by one
        return None
    return _bare_hour(s, i, j)


_MINUTES = frozenset(("num", "tens", "quarter", "half"))


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
        if s.kinds[end] in ("num", "ord") or (
            s.kinds[end] == "gap" and s.tokens[end].raw not in ("to", "remind")
        ):
            return None  # call at 555 0199; at 1215 Fifth Street
        if len(raw) == 3 and _OVEN.search(s.text):
            return None  # bake it at 350
        exact = raw[0] == "0" or value >= 1300
        return one(
            s, "clock", ClockWords(value // 100, value % 100, exact=exact, grain="minute"), i, end
        )
    if s.tokens[j + 1].raw == "h" and s.tokens[i].kind == "at" and 0 <= value <= 24:  # @ 14h
        return one(s, "clock", ClockWords(int(value), exact=True), i, j + 2)
    if (
        following in ("unit", "month_name", "times", "dash", "letter_unit", "month", "hao")
        or value > 24
    ):
        return None
    if s.tokens[i].raw in ("about", "around", "roughly") and following == "gap":
        return None
    if s.tokens[j + 1].raw in _NO_HOUR or (value == 1 and s.tokens[j + 1].raw == "with"):
        return None
    if following == "to" and s.kinds[j + 2] == "num" and s.tokens[j + 2].value > 24:
        return one(s, "bad", "no_such_hour", i, j + 3)  # at 10 to 25
    read = ClockWords(int(value), exact=value > 12)
    k = j + 1
    if s.kinds[k] == "in" and s.kinds[k + 1] == "the" and s.kinds[k + 2] == "part":
        return one(s, "clock", read._replace(part=str(s.tokens[k + 2].value)), i, k + 3)
    return one(s, "clock", read, i, k)


_OVEN = re.compile(r"\b(?:bake|baking|oven|roast|broil|preheat|cook|grill|fry)\b")
_NO_HOUR = frozenset(  # by 10 percent, at one with nature, at 3 points
    words("percent % point points stage dollars pounds people years degrees km miles feet foot ft")
)


def half_of_day(s: TokenStream, i: int) -> Pieces | None:
    """Tuesday PM, tomorrow am: a half of the day where no hour stands beside it; PM 2:30."""
    found = clock(s, i + 1) if s.kinds[i + 1] == "clock" else None
    if found and isinstance(found[0], ClockWords) and found[0].part is None:
        return one(s, "clock", found[0]._replace(part=s.tokens[i].value), i, found[1])
    if not i or s.kinds[i - 1] not in ("day", "weekday", "ord") or s.kinds[i + 1] in _HOURS:
        return None
    part = "afternoon" if s.tokens[i].value == "pm" else "morning"
    return one(s, "clock", ClockWords(part=part, grain="part"), i, i + 1)


_HOURS = frozenset(("num", "clock", "at"))


def lunch(s: TokenStream, i: int) -> Pieces | None:
    """Tomorrow lunch: the usual hour, where nothing says what is done with the lunch."""
    day = i - 2 if i > 1 and s.tokens[i - 1].raw == "at" else i - 1
    if day < 0 or s.kinds[day] not in ("day", "weekday") or s.kinds[i + 1] == "gap":
        return None
    return one(s, "clock", ClockWords(part="lunch", grain="part"), i, i + 1)


def this_part(s: TokenStream, i: int) -> Pieces | None:
    """This morning, this evening; next morning is told from another day."""
    if s.kinds[i + 1] != "part":
        return None
    offset = {"this": 0, "next": 1, "following": 1}.get(s.tokens[i].raw)
    if offset is None:
        if s.tokens[i].raw != "last":
            return None
        offset = -1
    start, middle, end = s.tokens[i].start, s.tokens[i].end, s.tokens[i + 1].end
    day = Piece("date", Date(offset=offset), start, middle)
    part = ClockWords(part=str(s.tokens[i + 1].value), grain="part")
    found = _after_part(s, i + 2)
    if found:
        return [day, Piece("clock", found[0]._replace(part=part.part), middle, found[2])], found[1]
    return [day, Piece("clock", part, middle, end)], i + 2


def _after_part(s: TokenStream, i: int) -> tuple[ClockWords, int, int] | None:
    """… at 8 behind a day part."""
    if s.kinds[i] not in ("at", "clock", "num"):
        return None
    found = at_hour(s, i) if s.kinds[i] == "at" else clock_piece(s, i)
    if found and isinstance(found[0][0].value, ClockWords):
        return found[0][0].value, found[1], found[0][0].end
    return None


def part_piece(s: TokenStream, i: int) -> Pieces | None:
    """Morning at 8, 早上8点."""
    if s.tokens[i].raw.isascii():
        if part_of_a_name(s, i):
            return None
        found = _after_part(s, i + 1)
        if found:
            part = found[0].part or str(s.tokens[i].value)
            night = part == "am" and s.tokens[i].value == "tonight"  # Saturday night at 12:30am
            after = night and (found[0].hour or 0) % 12 < SMALL_HOURS
            read = found[0]._replace(part="small_hours" if after else part)
            return [Piece("clock", read, s.tokens[i].start, found[2])], found[1]
    return clock_piece(s, i)


def part_of_a_name(s: TokenStream, i: int) -> bool:
    """Good morning; afternoon tea; midnight snack: a part of the day needs company."""
    led = s.tokens[i - 1].raw if i else ""
    if led == "good":
        return True
    lone = not i or s.kinds[i - 1] in ("gap", "the")
    if led and s.tokens[i].raw == "night" and s.kinds[i - 1] == "gap" and s.kinds[i + 1] == "end":
        return not _WISHES.intersection(s.kinds)  # silent night
    return lone and s.kinds[i + 1] == "gap" and not _WISHES.intersection(s.kinds)


SMALL_HOURS = 5  # until then it is still the night of the day before
_WISHES = frozenset(("ask", "verb", "make", "remember", "alarm"))


def alarm_for(s: TokenStream, i: int) -> Pieces | None:
    """Set an alarm for 5: a bare hour, because an alarm is set for it."""
    return at_hour(s, i) if i and s.kinds[i - 1] == "alarm" and s.kinds[i + 2] != "unit" else None
