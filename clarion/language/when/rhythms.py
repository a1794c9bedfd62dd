"""What says that something happens again, and how often: 每两周, 隔天, "every other Tuesday"."""

import re
from collections.abc import Callable

from clarion.language.when.dates.english import english_date
from clarion.language.when.dates.weeks import ONE_TO_SEVEN
from clarion.language.when.hours.marks import before_the_hour, mark_before, minute_mark
from clarion.language.when.stream import (
    OTHERWISE,
    ClockWords,
    Date,
    Every,
    Lapse,
    Piece,
    Pieces,
    TokenStream,
    amount,
    duration,
    one,
)

TIMES_A_DAY_MAX = 24


def every_piece(s: TokenStream, i: int) -> Pieces | None:
    rule = _RULES.get(s.kinds[i])
    found = rule(s, i) if rule else None
    if found and s.tokens[found[1]].raw == "都" and _is_usual(s, found[1] - 1):
        return None
    return found


def _every(s: TokenStream, i: int) -> Pieces | None:
    """每 and "every": what follows says what is counted."""
    gap = s.kinds[i] == "every_gap"
    j = i + 1
    if s.kinds[j] in ("pass", "every") or s.tokens[j].raw in ("过", "single"):  # 逢每月5号
        j += 1
    if s.kinds[j] == "several":
        return one(s, "vague", None, i, j + 2 if s.kinds[j + 1] == "unit" else j + 1)
    if s.tokens[j].raw == "second" and s.kinds[j + 1] in ("end", "sep"):
        return one(s, "every", Every("second", 1), i, j + 1)
    if s.kinds[j] == "other" or (s.kinds[j] == "ord" and s.kinds[j + 1] in _BEHIND_ORDINAL):
        return _every_other(s, i, j)
    if s.tokens[j].raw == "last":
        found = english_date(s, j)
        if s.kinds[j + 1] == "weekday" and not (found and found[0].nth):
            found = Date(nth=(-1, int(s.tokens[j + 1].value))), j + 2
        if found and found[0].nth:
            return _every_nth(s, i, j, found)
    read = duration(s, j)
    if read and s.tokens[i].raw[-2:] == "一个" and s.kinds[j] == "half":  # 每一个半小时
        return _once(s, i, Every("second", read[0].seconds * 3, gap), read[1])
    if read:
        return _every_lapse(s, i, read[1], gap)
    return _every_word(s, i, j)


_BEHIND_ORDINAL = frozenset(("unit", "weekday", "of", "and", "sep", "end", "at"))


def _every_lapse(s: TokenStream, i: int, end: int, gap: bool) -> Pieces | None:
    gone, _ = duration(s, i + 1) or duration(s, i + 2) or (None, 0)
    return _once(s, i, _of_lapse(gone, gap=gap), end) if gone is not None else None


def _of_lapse(gone: Lapse, *, gap: bool) -> Every:
    if gone.months:
        years = gone.months % 12 == 0 and gone.grain == "year"
        return Every("year", gone.months // 12, gap) if years else Every("month", gone.months, gap)
    if gone.seconds:
        return Every("second", gone.seconds + gone.days * 86400, gap)
    weeks = gone.grain == "week" and gone.days % 7 == 0
    return Every("week", gone.days // 7, gap) if weeks else Every("day", gone.days, gap)


def _once(s: TokenStream, i: int, every: Every, end: int) -> Pieces:
    """The rhythm, with the 一次 that says nothing more, or the times a day that do."""
    j = end
    if s.kinds[j] == "num" and s.kinds[j + 1] == "times":
        times = int(s.tokens[j].value)
        if times == 1:
            return one(s, "every", every, i, j + 2)
        if (
            every.n == 1
            and every.unit in ("day", "week", "month", "year")
            and times <= TIMES_A_DAY_MAX
        ):
            return one(s, "often", (times, every.unit), i, j + 2)
    return one(s, "every", every, i, end)


def _every_other(s: TokenStream, i: int, j: int) -> Pieces | None:
    """Every other day, every second Tuesday, every third week."""
    n = 2 if s.kinds[j] == "other" else int(s.tokens[j].value)
    if s.kinds[j : j + 4] == ["ord", "and", "ord", "weekday"]:
        return _two_in_month(s, i, j)
    of_month = english_date(s, j) if s.kinds[j] == "ord" else None
    if of_month and of_month[0].nth and of_month[1] > j + 2:  # every 2nd Friday of the month
        return _every_nth(s, i, j, of_month)
    if s.kinds[j + 1] == "unit":
        unit = str(s.tokens[j + 1].value)
        if unit in ("minute", "hour"):
            return one(
                s, "every", Every("second", n * (60 if unit == "minute" else 3600)), i, j + 2
            )
        return one(s, "every", Every(unit, n), i, j + 2)
    if s.kinds[j + 1] == "part":  # every other night at 9
        return one(s, "every", Every("day", n), i, j + 1)
    if s.kinds[j + 1] == "weekday" and n == 2:
        found = english_date(s, j + 1)
        assert found is not None, "a weekday is a date"
        week = Piece("every", Every("week", n), s.tokens[i].start, s.tokens[j].end)
        return [
            week,
            Piece("date", found[0], s.tokens[j + 1].start, s.tokens[found[1] - 1].end),
        ], found[1]
    return _every_nth(s, i, j, of_month) if of_month else None


def _two_in_month(s: TokenStream, i: int, j: int) -> Pieces:
    """Every first and third Monday (of the month)."""
    last = english_date(s, j + 2)
    assert last is not None, "an ordinal and a weekday are a date"
    day = int(s.tokens[j + 3].value)
    every = one(s, "every", Every("month"), i, j)[0]
    first = one(s, "date", Date(nth=(int(s.tokens[j].value), day)), j, j + 1)[0]
    joint = one(s, "and", None, j + 1, j + 2)[0]
    second = one(s, "date", Date(nth=(int(s.tokens[j + 2].value), day)), j + 2, last[1])[0]
    return [*every, *first, *joint, *second], last[1]


def _every_nth(s: TokenStream, i: int, j: int, found: tuple[Date, int]) -> Pieces:
    rhythm = Every("year" if found[0].month else "month")
    every = Piece("every", rhythm, s.tokens[i].start, s.tokens[i].end)
    return [every, Piece("date", found[0], s.tokens[j].start, s.tokens[found[1] - 1].end)], found[1]


# What 每 makes of a word that stays where it is: 每|周五 is a week, 每|早上 a day.
_BEFORE = {
    "part": Every("day"),
    "clock_word": Every("day"),
    "weekday": Every("week"),
    "weekdays": Every("week"),
    "month_name": Every("year"),
    "festival": Every("year"),
    "lunar_month": Every("year"),
    "lunar": Every("year"),
    "chu": Every("month"),
}
_WORDS = {
    "month": Every("month"),
    "year": Every("year"),
    "weekend": Every("weekend"),
    "quarter": Every("quarter"),
    "half_year": Every("month", 6),
    "ri": Every("day"),
    "fen": Every("second", 60),
}


def _every_word(s: TokenStream, i: int, j: int) -> Pieces | None:
    kind, value = s.kinds[j], s.tokens[j].value
    if kind == "unit":
        return _every_unit(s, i, j, str(value))
    if kind in _WORDS:
        return _once(s, i, _WORDS[kind], j + 1)
    if kind in _BEFORE:
        return _every_fortnight(s, i, j) or one(s, "every", _BEFORE[kind], i, j)
    if kind == "short_part":
        return _every_short_part(s, i, j)
    if kind in ("workday", "workdays"):
        return _with_night(s, j, one(s, "every", Every("workday", official=bool(value)), i, j + 1))
    if kind in ("offday", "holiday_off"):
        return one(s, "every", _off(s, j), i, j + 1)
    if kind == "every_hour":
        return every_piece(s, j)
    if kind == "parity":
        found = parity_piece(s, j)
        return found and ([found[0][0]._replace(start=s.tokens[i].start), *found[0][1:]], found[1])
    if kind == "edge":
        of = {"quarter": Every("quarter"), "year": Every("year")}.get(value[0])
        return one(s, "every", of or Every("month"), i, j)
    return _every_number(s, i, j)


def _every_fortnight(s: TokenStream, i: int, j: int) -> Pieces | None:
    """Every Monday fortnight."""
    if s.kinds[j] != "weekday" or s.tokens[j + 1].value != "fortnight":
        return None
    day = Date(weekdays=(int(s.tokens[j].value),), english=True)
    week = one(s, "every", Every("week", 2), i, j)[0]
    return [*week, *one(s, "date", day, j, j + 2)[0]], j + 2


def _off(s: TokenStream, j: int) -> Every:
    """非工作日 is the weekend; 节假日 and what is said by law follow the decrees."""
    return Every("weekend") if s.tokens[j].value is False else Every("offday", official=True)


def _offdays(s: TokenStream, i: int) -> Pieces | None:
    """节假日早上9点; where something is only kept out of a rhythm, `gather` reads it."""
    if s.kinds[i] == "holiday_off":
        led = s.kinds[i - 1] if i else "end"
        closed = s.kinds[i + 1] in ("except_end", "not", "end", "gap", "sep", "verb")
        if s.tokens[i].raw not in _HOLIDAYS or closed or led not in ("end", "sep", "and"):
            return None
    return one(s, "every", _off(s, i), i, i + 1)


_HOLIDAYS = ("节假日", "法定节假日", "法定假日", "公众假期", "假日")


def _every_short_part(s: TokenStream, i: int, j: int) -> Pieces:
    """每晚, 每早7点."""
    daily = one(s, "every", Every("day"), i, j)
    if s.kinds[j + 1] in ("num", "clock"):
        return daily
    token = s.tokens[j]
    part = Piece("clock", ClockWords(part=str(token.value), grain="part"), token.start, token.end)
    return [*daily[0], part], j + 1


def _every_number(s: TokenStream, i: int, j: int) -> Pieces | None:
    """每3月5日? 每逢5号, 每8点; "every 5th", "each May 5"."""
    if s.kinds[j] in ("num", "ord") and s.kinds[j + 1] in ("month", "month_name"):
        return one(s, "every", Every("year"), i, j)
    if s.kinds[j] == "num" and s.kinds[j + 1] == "hao":
        return one(s, "every", Every("month"), i, j)
    if s.tokens[j].value == 1 and s.kinds[j : j + 3] == ["num", "ge", "weekday"]:
        return one(s, "every", Every("week", 2), i, j + 2)  # 每隔一个星期六
    if s.kinds[j] == "num" and s.kinds[j + 1] in ("point", "meridiem"):
        return one(s, "every", Every("day"), i, j)
    if s.kinds[j] == "clock":
        return one(s, "every", Every("day"), i, j)
    if s.kinds[j] == "num" and s.tokens[i].raw[-1] == "逢" and s.tokens[j].value in _MARKETS:
        if s.head(i) == "月":
            days = tuple(range(s.tokens[j].value, 31, 10))  # 每月逢五
            return one(s, "date", Date(days=days), i, j + 1)
        return one(s, "vague", "day", i, j + 1)  # 逢五逢十: market days, of which calendar?
    if s.kinds[j] == "date" and s.tokens[j].raw.count("/") == 1:  # each 4/15
        return one(s, "every", Every("year"), i, j)
    return None


_MARKETS = (3, 5, 6, 9, 10)
_SECONDS = {"second": 1, "minute": 60, "ke": 900, "hour": 3600}


# 120公里每小时, 100 km per hour, 30 frames per second: what goes by in it.
_SPEED = re.compile(r"(?:公里|千米|[米里升度次页字元块吨瓦转帧])$")


def _is_rate(s: TokenStream, j: int, unit: str) -> bool:
    """心率每分钟72次, 每秒三十帧: how fast, and nobody is to be told."""
    counted = s.kinds[j + 1] == "num" and s.tokens[j + 1].value != 1
    return unit in ("second", "minute") and counted and _nobody_asked(s)


def _every_unit(s: TokenStream, i: int, j: int, unit: str) -> Pieces | None:
    if _is_rate(s, j, unit):
        return None
    if unit in _SECONDS:
        rate = s.tokens[i].raw == "per" and s.kinds[i - 1] not in ("once", "times")
        if _nobody_asked(s) and (rate or _SPEED.search(s.text, 0, s.tokens[i].start)):
            return None
        if unit == "hour" and (mark := minute_mark(s, j + 1) or mark_before(s, i, j)):
            return one(s, "every", Every("clock_hour", minute=mark[0]), i, mark[1])
        if s.kinds[j + 1 : j + 4] == ["and", "a", "half"]:
            return _once(s, i, Every("second", _SECONDS[unit] * 1.5), j + 4)
        return _once(s, i, Every("second", _SECONDS[unit], whole=unit == "hour"), j + 1)
    if unit in ("month", "quarter", "year") and s.kinds[j + 1 : j + 3] == ["dash", "end_of"]:
        day = one(s, "date", Date(edge=str(s.tokens[j + 2].value), edge_of=unit), j, j + 3)
        return [*one(s, "every", Every(unit), i, j)[0], *day[0]], day[1]  # every month-end
    if unit == "quarter":
        return _once(s, i, Every("quarter"), j + 1)
    if unit == "fortnight":
        return _once(s, i, Every("week", 2), j + 1)
    if (
        unit == "week"
        and s.kinds[j + 1] == "num"
        and s.kinds[j + 2] not in ("times", "point", "ge")
    ):
        # 每星期1、3、5 where the number belongs to the week.
        return one(s, "every", Every("week"), i, j + 1)
    return _once(s, i, Every(unit), j + 1)


def at_intervals(s: TokenStream, i: int) -> Pieces | None:
    """At 20 minute intervals, at intervals of two hours."""
    if "intervals" not in s.text:
        return None
    led = s.tokens[i + 1].raw == "intervals" and s.kinds[i + 2] == "of"
    read = duration(s, i + 3 if led else i + 1)
    if read is None or not (led or s.tokens[read[1]].raw == "intervals"):
        return None
    return one(s, "every", _of_lapse(read[0], gap=False), i, read[1] if led else read[1] + 1)


def parity_piece(s: TokenStream, i: int) -> Pieces | None:
    """单号早上7点, 逢双日, every odd day: the days of the month with such a figure."""
    led = s.kinds[i - 1] if i else "end"
    if s.tokens[i].raw.isascii():
        fits = led in ("every", "on", "end", "sep", "ask", "the", "verb", "at", "meridiem", "clock")
    else:
        timed = s.kinds[i + 1] in _BEHIND_PARITY
        opens = led in ("end", "sep", "and", "verb", "glue", "part", "month")
        fits = s.tokens[i].raw[0] == "逢" or led == "every" or (timed and opens)
    if not fits:
        return None
    days = tuple(range(1 if s.tokens[i].value else 2, 32, 2))
    month = Piece("every", Every("month"), s.tokens[i].start, s.tokens[i].start)
    return [month, *one(s, "date", Date(days=days), i, i + 1)[0]], i + 1


_BEHIND_PARITY = frozenset(("part", "short_part", "clock", "num", "verb", "end", "sep", "glue"))


def _everyday(s: TokenStream, i: int) -> Pieces | None:
    token = s.tokens[i]
    if token.raw[0] == token.raw[-1] and _only_said(s, i):
        return None
    if _is_usual(s, i):
        return None
    led = s.kinds[i - 1] in ("the", "a") and _nobody_asked(s) if i else True
    if token.raw.isascii() and led and _is_of_a_thing(s, i):
        return None
    every = Every("day", int(token.value))
    if named := _WITH_PART.get(token.raw):
        part = Piece("clock", ClockWords(part=named, grain="part"), token.end, token.end)
        return [Piece("every", every, token.start, token.end), part], i + 1
    return _once(s, i, every, i + 1)


_WITH_PART = {"nightly": "tonight", "每朝": "morning", "朝朝": "morning"}


def _is_usual(s: TokenStream, i: int) -> bool:
    """每天都很开心, 每年都这样: said of what always is."""
    j = i if s.tokens[i].raw[-1] == "都" else i + 1
    said = s.kinds[j + 1] in ("gap", "glue")
    return s.tokens[j].raw[-1:] == "都" and said and _nobody_asked(s)


def _nobody_asked(s: TokenStream) -> bool:
    return not _TIMED.intersection(s.kinds)


def _only_said(s: TokenStream, i: int) -> bool:
    """天天开心, 跟他天天吵: said of a habit, with no hour and nobody to be told."""
    if s.kinds[i - 1] == "gap" and i:
        return True
    return s.kinds[i + 1] == "gap" and _nobody_asked(s)


_HOURS = frozenset(("point", "clock", "part", "short_part", "meridiem", "at"))
_TIMED = _HOURS | {"verb", "recall", "ask"}


def _fixed(every: Every) -> "Rule":
    return lambda s, i: None if _is_usual(s, i) else _once(s, i, every, i + 1)


def _on_the_hour(s: TokenStream, i: int) -> Pieces | None:
    return before_the_hour(s, i) or _fixed(Every("clock_hour"))(s, i)


def _fortnight(s: TokenStream, i: int) -> Pieces | None:
    """隔周, 双周; 隔周五 with the day in the same word."""
    every = Every("week", 2, gap=s.tokens[i].value == 1)  # 单周: which weeks are odd?
    day = s.tokens[i + 1].raw
    if s.tokens[i].raw[-1] == "周" and day in ONE_TO_SEVEN and s.kinds[i + 2] not in OTHERWISE:
        named = Date(weekdays=(ONE_TO_SEVEN.index(day),))
        return [
            *one(s, "every", every, i, i + 1)[0],
            *one(s, "date", named, i + 1, i + 2)[0],
        ], i + 2
    return _once(s, i, every, i + 1)


def _unit_word(s: TokenStream, i: int) -> Pieces | None:
    """Weekly, hourly, monthly."""
    unit, n = s.tokens[i].value
    if _is_of_a_thing(s, i):
        return None
    if unit == "hour":
        if mark := minute_mark(s, i + 1):
            return one(s, "every", Every("clock_hour", minute=mark[0]), i, mark[1])
        return one(s, "every", Every("second", 3600, whole=True), i, i + 1)
    if unit == "quarter":
        return one(s, "every", Every("quarter"), i, i + 1)
    return one(s, "every", Every(unit, n), i, i + 1)


def _is_of_a_thing(s: TokenStream, i: int) -> bool:
    """The weekly sync, daily bread: a thing, not a rhythm."""
    if s.kinds[i + 1] != "gap":
        return False
    if i and s.kinds[i - 1] in ("clock", "meridiem") and "day" in s.kinds[:i]:
        return True  # tomorrow at 8:20 quarterly report
    if i:
        idle = s.kinds[i - 1] == "a" and not _COMPANY.intersection(s.kinds)
        return idle or s.kinds[i - 1] in ("the", "gap", "end")
    return not _COMPANY.intersection(s.kinds) or _PRICE.search(s.text) is not None


_PRICE = re.compile(
    r"^\w+ [a-z]+ (?:costs?|is|was|for)\b.*[£$€¥] ?\d"
)  # yearly subscription costs £80
_COMPANY = frozenset(("at", "on", "clock", "meridiem", "weekday", "weekdays", "ask", "verb", "num"))


def _plural(s: TokenStream, i: int) -> Pieces | None:
    """Mondays, on weekdays, weekends, 工作日."""
    kind, token = s.kinds[i], s.tokens[i]
    if kind in ("workday", "workdays"):
        counted = i > 1 and s.kinds[i - 2 : i] == ["num", "ge"]  # 8个工作日: a length
        if counted or (kind == "workday" and token.raw.isascii() and s.kinds[i + 1] != "part"):
            return None
        every = one(s, "every", Every("workday", official=bool(token.value)), i, i + 1)
        return _with_night(s, i, every)
    if kind == "weekends":
        return one(s, "every", Every("weekend"), i, i + 1)
    days = [int(token.value)]
    j = i + 1
    while s.kinds[j] in ("and", "sep") and s.kinds[j + 1] in ("weekdays", "and"):
        j += 2 if s.kinds[j + 1] == "weekdays" else 1
        days.append(int(s.tokens[j - 1].value or 0) if s.kinds[j - 1] == "weekdays" else days[-1])
    week = Piece("every", Every("week"), token.start, token.start)
    named = Date(weekdays=tuple(dict.fromkeys(days)), english=True)
    return [week, Piece("date", named, token.start, s.tokens[j - 1].end)], j


def _with_night(s: TokenStream, i: int, every: Pieces) -> Pieces:
    """Weeknights at nine; every weeknight."""
    if not s.tokens[i].raw.startswith("weeknight"):
        return every
    night, end = ClockWords(part="tonight", grain="part"), s.tokens[i].end
    return [*every[0], Piece("clock", night, end, end)], every[1]


def _often(s: TokenStream, i: int) -> Pieces | None:
    """Once a day, twice a week; three times a day comes by `count_piece`."""
    n, j = int(s.tokens[i].value), i + 1
    if n == 1 and s.kinds[j] == "every":
        found = _every(s, j)
        if found is None:
            return None
        first = found[0][0]._replace(start=s.tokens[i].start)
        return [first, *found[0][1:]], found[1]
    return _per(s, i, j, n)


def _per(s: TokenStream, i: int, j: int, n: int) -> Pieces | None:
    if s.kinds[j] not in ("a", "every") or s.kinds[j + 1] != "unit":
        if s.kinds[j] not in ("everyday", "every_unit") or n == 1:
            return None
        unit = "day" if s.kinds[j] == "everyday" else s.tokens[j].value[0]
        return one(s, "often", (n, unit), i, j + 1)  # twice daily, three times weekly
    unit = str(s.tokens[j + 1].value)
    if n == 1:
        if unit == "fortnight":
            return one(s, "every", Every("week", 2), i, j + 2)
        if unit in _SECONDS:
            return one(s, "every", Every("second", _SECONDS[unit]), i, j + 2)
        return one(s, "every", Every(unit), i, j + 2)
    return one(s, "often", (n, unit), i, j + 2)


def _alternate(s: TokenStream, i: int) -> Pieces | None:
    """Alternate Fridays, alternate weeks."""
    if s.tokens[i].raw != "alternate":
        return None
    if s.kinds[i + 1] in ("weekdays", "weekday"):
        days = english_date(s, i + 1) if s.kinds[i + 1] == "weekday" else None
        named = days or (Date(weekdays=(int(s.tokens[i + 1].value),), english=True), i + 2)
        week = one(s, "every", Every("week", 2), i, i + 1)[0]
        return [*week, *one(s, "date", named[0], i + 1, named[1])[0]], named[1]
    return _every_other(s, i, i) if s.kinds[i + 1] == "unit" else None


def count_piece(s: TokenStream, i: int) -> Pieces | None:
    """3次, three times a day, 一天三次, 一周一次."""
    read = amount(s, i)
    if read is None:
        return _half_once(s, i) if s.kinds[i] == "half" else None
    n, j = read
    if s.kinds[j] == "times" and n == int(n):
        often = _per(s, i, j + 1, int(n))
        return often or one(s, "times", int(n), i, j + 1)
    if n != 1 and s.kinds[j] != "unit":
        return None
    unit = {"ri": "day", "month": "month", "year": "year"}.get(s.kinds[j])
    if s.kinds[j] == "unit":
        unit = str(s.tokens[j].value)
    j = j + 1 if s.tokens[j + 1].raw in ("响", "报") else j  # 两分钟响一次
    if unit is None or s.kinds[j + 1] != "num" or s.kinds[j + 2] != "times":
        return None
    return _frequency(s, i, j, unit, n)


def _half_once(s: TokenStream, i: int) -> Pieces | None:
    """半小时一次, 半个月一次."""
    read = duration(s, i)
    if read is None or s.kinds[read[1]] != "num" or s.kinds[read[1] + 1] != "times":
        return None
    once = s.tokens[read[1]].value == 1
    return one(s, "every", _of_lapse(read[0], gap=False), i, read[1] + 2) if once else None


def _frequency(s: TokenStream, i: int, j: int, unit: str, n: float) -> Pieces | None:
    times = int(s.tokens[j + 1].value)
    if times == 1:
        if unit in _SECONDS:
            return one(s, "every", Every("second", _SECONDS[unit] * n), i, j + 3)
        return one(s, "every", Every(unit, n), i, j + 3)
    if n > 1:  # 三天两次
        return one(s, "vague", None, i, j + 3)
    return one(s, "often", (times, unit), i, j + 3) if n == 1 else None


Rule = Callable[[TokenStream, int], Pieces | None]
_RULES: dict[str, Rule] = {
    "every": _every,
    "every_gap": _every,
    "everyday": _everyday,
    "every_week": _fortnight,
    "every_year": _fixed(Every("year")),
    "every_month": _fixed(Every("month")),
    "every_hour": _on_the_hour,
    "every_unit": _unit_word,
    "weekdays": _plural,
    "weekends": _plural,
    "workday": _plural,
    "workdays": _plural,
    "offday": _offdays,
    "holiday_off": _offdays,
    "once": _often,
    "other": _alternate,
    "parity": parity_piece,
    "a": lambda s, i: None,
}
