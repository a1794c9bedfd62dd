"""Days as English says and writes them: next Monday, March 5th, 25.12.2026, in two weeks."""

import re

from clarion.language.when.stream import WEEKEND, Date, Lapse, TokenStream, duration
from clarion.language.when.words import WEEKENDS, fullness, words

Found = tuple[Date, int]


def written_date(s: TokenStream, i: int) -> Found | None:
    """2027-03-05, 2027/3/5, 20270305, 3/5, 3/5/2027, 25.12.2026, 2027-03."""
    raw = s.tokens[i].raw
    parts = [int(part) for part in re.split(r"[-/.]", raw)]
    j = i + 1
    if s.tokens[j].raw == "t" and s.kinds[j + 1] in ("clock", "num"):
        j += 1
    if len(parts) == 1:
        return Date(year=parts[0] // 10000, month=parts[0] // 100 % 100, days=(parts[0] % 100,)), j
    if len(parts) == 2 and max(parts) > 99:
        return Date(year=max(parts), month=min(parts)), j
    if parts[0] > 31 and len(parts) == 3:
        year, month, day = parts
    else:
        month, day = parts[0], parts[1]
        year = fullness(parts[2]) if len(parts) == 3 else 0
        if (month > 12 >= day) or ("." in raw and day <= 12):
            month, day = day, month
    return Date(year=year or None, month=month, days=(day,)), j


def skip(s: TokenStream, i: int, *kinds: str) -> int:
    while s.kinds[i] in kinds:
        i += 1
    return i


def month_name(s: TokenStream, i: int) -> Found | None:
    """March 5th, March 5, 2027, March 2027, March."""
    month, j = int(s.tokens[i].value), i + 1
    if s.tokens[i].raw in ("may", "march", "mar") and not _is_month(s, i):
        return None
    if _is_a_name(s, i):
        return None
    if s.tokens[j].raw == ".":
        j += 1
    j = skip(s, j, "the")
    if (s.kinds[j] == "dash" or s.tokens[j].raw == "/") and s.kinds[j + 1] == "num":
        j += 1
    date = Date(month=month)
    if s.kinds[j] in ("num", "ord", "tens") and _is_day(s, j):
        day, j = _day_number(s, j)
        date = date._replace(days=(day,))
        if s.kinds[j] == "dash" and s.kinds[j + 1] in ("num", "ord") and _is_day(s, j + 1):
            date, j = date._replace(last_day=int(s.tokens[j + 1].value)), j + 2
    elif s.kinds[j] == "num" and 1900 <= s.tokens[j].value <= 2200:
        return date._replace(year=int(s.tokens[j].value)), j + 1
    return with_year(s, j, date)


def _is_a_name(s: TokenStream, i: int) -> bool:
    """June Carter sang it; a friend named April; dec the halls: a month needs company."""
    before, behind = s.kinds[i - 1] if i else "end", s.kinds[i + 1]
    if behind == "the" and s.kinds[i + 2] not in ("num", "ord", "tens"):
        return True
    if behind == "dash" and s.tail(i, 2)[1:].isalpha() and s.kinds[i + 2] != "month_name":
        return True  # Mar-a-Lago
    if behind == "and" and before == "end" and "gap" in s.kinds[i + 2 : i + 4]:
        return True  # Dec and Ant; May and June are sisters
    if behind == "gap" and (before == "a" or s.kinds[:i] == ["month_name", "and"]):
        return True  # an august man, a May wedding
    if before in ("gap", "ask") and behind in (_BEHIND_NAMES if before == "ask" else ("at",)):
        return True  # text April at noon
    if before in ("end", "sep", "verb") and behind == "gap":
        return s.tokens[i + 1].raw[0].isalpha()
    return before == "gap" and (behind == "gap" or s.tokens[i - 1].raw in _BEFORE_NAMES)


_BEHIND_NAMES = frozenset(words("at on day weekday about to gap"))
_BEFORE_NAMES = frozenset(
    words("named called name aunt auntie miss dear sister daughter mrs cousin hi email meet with")
)


def _is_month(s: TokenStream, i: int) -> bool:
    """Whether "may" or "march" is the month and not the verb."""
    before = s.kinds[i - 1] if i else "end"
    if s.tokens[i + 1].raw == "/" and s.kinds[i + 2] == "num":
        return True
    if before == "rel_word" and s.tokens[i - 1].raw == "this" and s.kinds[i + 1] == "gap":
        return False  # this may take longer
    if s.kinds[i + 1] == "the" and s.kinds[i + 2] not in ("num", "ord", "tens"):
        return False  # may the force
    if before == "end":
        alone = s.kinds[i + 1] in ("end", "sep") and s.tokens[i].raw != "mar"
        return alone or s.kinds[i + 1] in ("num", "ord", "the", "dash", "tens", "rel_word")
    return s.kinds[i + 1] in ("num", "ord", "the", "tens") or before in (
        "ord", "num", "of", "to_hour", "in", "rel_word", "every", "on", "until", "from", "dash",
    )  # fmt: skip


def _is_day(s: TokenStream, j: int) -> bool:
    """5 in "March 5" is a day, in "March 5 pm" an hour, in "March 2027" neither."""
    token = s.tokens[j]
    if token.kind == "num" and (isinstance(token.value, float) or token.value > 99):
        return False
    return s.kinds[j + 1] not in ("meridiem", "oclock", "unit", "month_name")


def _day_number(s: TokenStream, j: int) -> tuple[int, int]:
    """Fifth, 5, twenty-first, twenty first."""
    value = int(s.tokens[j].value)
    if s.kinds[j] != "tens":
        return value, j + 1
    k = skip(s, j + 1, "dash")
    if s.kinds[k] in ("ord", "num") and 0 < s.tokens[k].value < 10:
        return value + int(s.tokens[k].value), k + 1
    return value, j + 1


def with_year(s: TokenStream, j: int, date: Date) -> Found:
    k = skip(s, j, "sep") if s.tokens[j].raw == "," else j
    k = skip(s, k, "of", "to_hour", "in", "dash")
    token = s.tokens[k]
    four = token.kind == "num" and len(token.raw) == 4 and 1900 <= token.value <= 2200
    if four and s.kinds[k + 1] not in ("unit", "meridiem"):
        return date._replace(year=int(token.value)), k + 1
    short = token.raw.strip() == "'" and s.kinds[k + 1] == "num" and date.edge is None
    if short and len(s.tokens[k + 1].raw) == 2:
        return date._replace(year=fullness(s.tokens[k + 1].value)), k + 2  # April '27
    if token.kind == "rel_word" and s.tokens[k + 1].value == "year":
        return date._replace(year_offset=int(token.value)), k + 2
    return date, j


def day_of_month(s: TokenStream, i: int) -> Found | None:
    """5 March, 5th of March 2027, the 5th, first Monday of next month, twenty-first of June."""
    if s.kinds[i] == "num" and isinstance(s.tokens[i].value, float):
        return None
    if (year := _year_first(s, i)) is not None:
        return year
    if s.kinds[i + 1] == "quarter_code" and 1900 <= s.tokens[i].value <= 2200:
        quarter = int(s.tokens[i + 1].value)
        return Date(year=s.tokens[i].value, quarter=quarter, edge_of="quarter"), i + 2
    day, j = _day_number(s, i)
    last = skip(s, j + 1, "the")
    if s.kinds[j] in ("to", "dash", "until") and s.kinds[last] in ("num", "ord", "tens"):
        until, k = _day_number(s, last)  # 13 to 15 of July
        k = skip(s, k, "of")
        if s.kinds[k] == "month_name":
            month = int(s.tokens[k].value)
            return with_year(s, k + 1, Date(month=month, days=(day,), last_day=until))
    k = skip(s, j, "of", "to_hour", "dash")
    if s.tokens[i].raw == "ides of" and s.tokens[k].value not in (3, 5, 7, 10):
        day = 13
    if s.kinds[k] == "month_name" and day <= 99:
        end = k + 2 if s.tokens[k + 1].raw == "." else k + 1
        return with_year(s, end, Date(month=int(s.tokens[k].value), days=(day,)))
    if s.kinds[j - 1] != "ord":
        return None
    return nth_of_month(s, j, day)


def _year_first(s: TokenStream, i: int) -> Found | None:
    """2018 March 18."""
    if s.kinds[i] != "num" or len(s.tokens[i].raw) != 4 or not 1900 <= s.tokens[i].value <= 2200:
        return None
    j = skip(s, i + 1, "dash")
    found = month_name(s, j) if s.kinds[j] == "month_name" else None
    if found is None or not found[0].days:
        return None
    return found[0]._replace(year=int(s.tokens[i].value)), found[1]


def nth_of_month(s: TokenStream, j: int, n: int) -> Found | None:
    if s.tokens[j].raw == "last" and s.kinds[j + 1] in ("weekday", "workday", "unit"):
        n, j = -n, j + 1  # the second last Friday
    day = _counted_day(s, j, n)
    if day is not None:
        return _of_month(s, j + 1, Date(nth=(n, day)))
    if s.kinds[j] == "quarter":
        return with_year(s, j + 1, Date(quarter=n, edge_of="quarter"))
    if s.tokens[j].raw in _NUMBERED or (s.kinds[j] == "gap" and _led_in(s, j - 1)):
        return None
    if s.tokens[j].raw.isalpha() and s.kinds[j] in ("unit", "gap"):
        return None if s.kinds[j] == "unit" else _day_of_month(s, j, n)
    return _day_of_month(s, j, n)


def _counted_day(s: TokenStream, j: int, n: int) -> int | None:
    """What is counted in a month, as `Date.nth` has it."""
    kind, value, following = s.kinds[j], s.tokens[j].value, s.kinds[j + 1]
    if kind == "weekday":
        return int(value)
    if kind == "unit" and value == "day":  # my first day at school is none
        return None if n > 0 and following in ("gap", "at") and s.kinds[j + 2] == "gap" else 7
    if kind == "unit" and value == "week":
        return 9 if following in ("of", "in") else None
    return {"workday": 8, "weekend": 5}.get(kind)


_NUMBERED = frozenset(
    words(
        "century floor street avenue grade place row amendment anniversary birthday edition "
        "attempt try person one round season episode chapter page hole inning gear wedding "
        "time dimension base class degree world generation quarter-final party wall estate"
    )
)


def _led_in(s: TokenStream, i: int) -> bool:
    """In the 19th …: of a century or a row; a day of the month is led by "on"."""
    led = i - 1 if i and s.kinds[i - 1] == "the" else i
    return led > 0 and s.tokens[led - 1].raw == "in"


def _day_of_month(s: TokenStream, j: int, n: int) -> Found | None:
    """The 5th, 5th and 20th; "the second thing" is none."""
    word = s.tokens[j - 1].raw
    if word.isalpha() and not _spoken_day(s, j):
        return None
    days = [n]
    unwanted = j > 1 and "not" in s.kinds[max(0, j - 3) : j - 1]  # not the 20th, the 21st
    while (
        not unwanted
        and s.kinds[j] in ("and", "sep")
        and s.kinds[skip(s, j + 1, "the", "and")] == "ord"
    ):
        k = skip(s, j + 1, "the", "and")
        days.append(int(s.tokens[k].value))
        j = k + 1
    k = skip(s, j, "of", "to_hour", "the")
    date = Date(days=tuple(days))
    lunar = _lunar_month(s, k) if k > j else None
    if lunar is not None:
        return date._replace(month=int(s.tokens[k].value), lunar=True, leap=lunar[0]), lunar[1]
    if s.kinds[k] == "rel_word" and s.tokens[k + 1].value == "month":
        return date._replace(month_offset=int(s.tokens[k].value)), k + 2
    if s.kinds[k] == "unit" and s.tokens[k].value == "month" and k > j:
        return date, k + 1
    return date, j


def _spoken_day(s: TokenStream, j: int) -> bool:
    """On the second; the third at 5: not the second one, nor second to none."""
    led = s.kinds[j - 2] if j > 1 else "end"
    if s.kinds[j] == "num" and s.tokens[j].raw.isalpha():
        return False
    of_month = s.kinds[j + 1] in ("every", "month_name", "rel_word")
    of_month = of_month or (s.kinds[j + 1] == "the" and s.tokens[j + 2].value == "month")
    led_by_itself = led in _BEFORE_DAYS or (s.kinds[j] == "of" and of_month)
    return led_by_itself and s.kinds[j] in _BEHIND_DAYS


_BEFORE_DAYS = frozenset(words("the on weekday every tens dash and until from to"))
_BEHIND_DAYS = frozenset(
    words(
        "end sep at of to_hour and or clock num part ask dash to until every rel_word in meridiem"
    )
)


def _lunar_month(s: TokenStream, k: int) -> tuple[bool, int] | None:
    """The 8th (leap) lunar month: whether it is a leap one, and where it ends."""
    if s.kinds[k] != "ord":
        return None
    leap = s.kinds[k + 1] == "leap_word"
    j = k + 2 if leap else k + 1
    lunar = s.kinds[j] == "lunar_word" and s.tokens[j + 1].value == "month"
    return (leap, j + 2) if lunar else None


def _of_month(s: TokenStream, j: int, date: Date) -> Found | None:
    """… of the month, of next month, of March (2027), in March, of every month."""
    k = skip(s, j, "of", "to_hour", "in")
    if k == j:
        return date, j
    k = skip(s, k, "the")
    kind, value = s.kinds[k], s.tokens[k].value
    if kind == "season":
        return None  # the first day of spring
    if value == "new_year":
        return date._replace(month=1), k + 1
    if kind == "month_name":
        return with_year(s, k + 1, date._replace(month=int(value)))
    if kind == "rel_word" and s.tokens[k + 1].value in ("month", "year"):
        offset = int(value)
        if s.tokens[k + 1].value == "year":
            return _of_year(date._replace(year_offset=offset)), k + 2
        return date._replace(month_offset=offset), k + 2
    if kind == "unit" and value in ("month", "year"):
        return _of_year(date) if value == "year" else date, k + 1
    dated, end = with_year(s, k, date)
    return (_of_year(dated), end) if dated.year is not None else (date, j)


def _of_year(date: Date) -> Date:
    """The first Monday of a year lies in its first month, the last Friday in its last."""
    if date.nth is not None and date.nth[1] < 7 and -5 < date.nth[0] < 5:
        return date._replace(month=1 if date.nth[0] > 0 else 12)
    return date._replace(edge_of="year")


def last_of_month(s: TokenStream, i: int) -> Found | None:
    """The last Friday of …, the last day of …; the past is left to `_relative`."""
    j = i + 1
    if s.kinds[j] not in ("weekday", "unit", "workday", "weekend"):
        return None
    alone = s.tokens[j].value == "day" and s.kinds[j + 1] in ("end", "sep", "at")
    # "Last Friday" is past; "on the last Friday" is the month's.
    on_the = i > 1 and s.kinds[i - 2 : i] == ["on", "the"]
    if s.kinds[j + 1] not in ("of", "to_hour", "in") and not alone and not on_the:
        return None
    return nth_of_month(s, j, -1)


def edge_of(s: TokenStream, i: int) -> Found | None:
    """End of (the) month, start of next year, middle of next week."""
    edge = str(s.tokens[i].value)
    j = skip(s, i + 1, "of", "to_hour", "dash")
    dated = s.kinds[j] == "month_name" or (edge == "mid" and len(s.tokens[j].raw) == 4)
    if j == i + 1 and not dated and not s.tokens[i].raw.endswith(" of"):
        return None
    j = skip(s, j, "the")
    if s.kinds[j] == "weekday" or s.kinds[j : j + 2] == ["rel_word", "weekday"]:
        k = skip(s, j, "rel_word")  # the end of this Sunday
        return Date(weekdays=(int(s.tokens[k].value),), english=True, edge=edge), k + 1
    return _edge_of_span(s, j, edge)


def _edge_of_span(s: TokenStream, j: int, edge: str) -> Found | None:
    n = 0
    if s.kinds[j] == "rel_word":
        n, j = int(s.tokens[j].value), j + 1
    kind, unit = s.kinds[j], s.tokens[j].value
    if kind == "num" and len(s.tokens[j].raw) == 4 and 1900 <= unit <= 2200 and not n:
        return Date(year=int(unit), edge=edge, edge_of="year"), j + 1  # the end of 2027
    if edge in ("early", "late") and kind != "month_name" and unit != "month":
        return None
    if kind == "quarter_code":
        return with_year(s, j + 1, Date(quarter=int(unit), edge=edge, edge_of="quarter"))
    if kind == "month_name":
        return with_year(s, j + 1, Date(month=int(unit), edge=edge, edge_of="month"))
    if kind == "quarter":
        return Date(quarter_offset=n, edge=edge, edge_of="quarter"), j + 1
    if kind != "unit" or unit not in ("week", "month", "year"):
        return None
    if unit == "week":
        day = {"end": 4, "start": 0, "mid": 2}[edge]
        return Date(week=n, weekdays=(day,)), j + 1
    if unit == "month":
        return Date(month_offset=n, edge=edge, edge_of="month"), j + 1
    return Date(year_offset=n, edge=edge, edge_of="year"), j + 1


def quarter_code(s: TokenStream, i: int) -> Found | None:
    return with_year(s, i + 1, Date(quarter=int(s.tokens[i].value), edge_of="quarter"))


def english_date(s: TokenStream, i: int) -> Found | None:
    start = _START.get(s.kinds[i])
    return start(s, i) if start else None


def _day(s: TokenStream, i: int) -> Found | None:
    offset = s.tokens[i].value[0]
    weeks = {"week": 7, "fortnight": 14}.get(s.tokens[i + 1].raw)
    if weeks and s.kinds[i + 2] in ("end", "sep", "at", "to"):
        return Date(offset=offset + weeks, english=True), i + 2  # tomorrow week
    return Date(offset=offset, english=True), i + 1


def _weekday(s: TokenStream, i: int) -> Found | None:
    """Monday; Monday and Thursday; Monday to Friday; Monday next week; Tuesday after next."""
    days = [int(s.tokens[i].value)]
    j, ranged = i + 1, False
    if s.tokens[j].raw == "." and len(s.tokens[i].raw) <= 5:
        j += 1
    unwanted = "not" in s.kinds[max(0, i - 2) : i]  # not (on) Thursday, Friday at noon
    for _ in range(8):
        k = skip(s, j, "sep") if s.tokens[j].raw == "," and not unwanted else j
        k = k + 1 if s.tokens[k].raw == "/" else skip(s, k, "and")
        through = s.kinds[k] in ("to", "until", "dash")
        k = k + 1 if through else k
        beside = s.kinds[k] == "weekday" and not unwanted  # Mon Wed Fri
        if s.kinds[k] not in ("weekday", "weekdays") or (k == j and not (through or beside)):
            break
        day = int(s.tokens[k].value)
        ranged = ranged or through
        days += (
            [(days[-1] + n) % 7 for n in range(1, (day - days[-1]) % 7 + 1)] if through else [day]
        )
        j = k + 1
    date = Date(weekdays=tuple(dict.fromkeys(days)), ranged=ranged, english=True)
    return _weekday_tail(s, j, date)


def _weekday_tail(s: TokenStream, j: int, date: Date) -> Found:
    k = skip(s, j, "of", "the", "to_hour")
    if s.kinds[k] == "rel_word" and s.kinds[k + 1] == "unit" and s.tokens[k + 1].value == "week":
        return date._replace(week=int(s.tokens[k].value), english=False), k + 2
    weeks = {"week": 7, "fortnight": 14}.get(s.tokens[j].raw)
    if weeks and s.kinds[j + 1] not in ("of", "gap", "rel_word"):
        return date._replace(shift=weeks), j + 1  # Wednesday week
    beside = {"after next": 2, "before last": -2}.get(f"{s.tokens[j].raw} {s.tokens[j + 1].raw}")
    if beside:
        return date._replace(week=beside, english=False), j + 2
    return _counted_from(s, j, 1, date.weekdays[0]) or (date, j)


def _counted_from(s: TokenStream, j: int, n: int, weekday: int) -> Found | None:
    """… after Christmas, … before the 5th: a weekday counted from another day."""
    if s.tokens[j].raw not in ("after", "before", "following"):
        return None
    found = _plain(s, j + 1)
    if found is None or found[0].weekdays:
        return None
    sign = -1 if s.tokens[j].raw == "before" else 1
    return found[0]._replace(beyond=(sign * n, weekday)), found[1]


def _ordinal(s: TokenStream, i: int) -> Found | None:
    """The 5th; the third Tuesday; the third Tuesday after Christmas."""
    found = day_of_month(s, i)
    if found and found[0].nth and found[0].nth[1] < 7 and found[0].nth[0] > 0:
        return _counted_from(s, found[1], *found[0].nth) or found
    return found


def _relative(s: TokenStream, i: int) -> Found | None:
    """Next Monday, this weekend, next week, this month, next year, next March."""
    n, j = int(s.tokens[i].value), i + 1
    kind, value = s.kinds[j], s.tokens[j].value
    if kind == "weekday":
        found = _weekday(s, j)
        assert found is not None, "a weekday token is a weekday"
        # "This Thursday" is the coming one; "next" one is that of the calendar's next week.
        n = 0 if s.tokens[i].raw in ("coming", "upcoming") else n
        if n == 0 and found[0].week is None:
            return found[0]._replace(coming=True), found[1]
        return found[0]._replace(week=n), found[1]
    if kind == "weekend":
        return Date(weekend=True, week=n, english=True), j + 1
    if kind == "unit" and value in ("week", "month", "quarter", "year"):
        return _relative_unit(s, j, n, str(value))
    if kind == "quarter":
        return Date(quarter_offset=n, edge_of="quarter"), j + 1
    if kind == "month_name":
        found = month_name(s, j)
        if found and found[0].year is None:
            return found[0]._replace(year_offset=n or None), found[1]
        return found
    over = -1 if n < 0 else None  # last Christmas, last summer
    if kind == "festival":
        return Date(festival=str(value), year_offset=over), j + 1
    if kind == "season":
        season = Date(month=int(value), edge="season", edge_of="month", year_offset=over)
        return with_year(s, j + 1, season._replace(coming=n == 0))
    return None


def _relative_unit(s: TokenStream, j: int, n: int, unit: str) -> Found:
    """Next week (on) Monday; next month on the 5th; next month."""
    k = skip(s, j + 1, "on", "the", "sep")
    if unit == "week":
        if s.kinds[k] == "weekday":
            return _weekday(s, k)[0]._replace(week=n, english=False), k + 1  # type: ignore[index]
        return Date(week=n), j + 1
    if unit == "month":
        if s.kinds[k] == "ord" and k > j + 1:
            return Date(month_offset=n, days=(s.tokens[k].value,)), k + 1
        return Date(month_offset=n), j + 1
    if unit == "quarter":
        return Date(quarter_offset=n, edge_of="quarter"), j + 1
    return Date(year_offset=n), j + 1


def _the(s: TokenStream, i: int) -> Found | None:
    if s.tokens[i + 1].raw in ("the", "sun") and s.kinds[i + 2] in ("gap", "end", "the"):
        return None  # the sun is no Sunday
    return None if s.kinds[i + 1] == "the" else english_date(s, i + 1)


def _after_next(s: TokenStream, i: int) -> Found | None:
    """(The) day after tomorrow, the week after next, a week from Friday, two days before …"""
    read = duration(s, i)
    if read is None:
        return _unit_after(s, i) if s.kinds[i] == "unit" else None
    gone, j = read
    if gone.seconds or gone.months:
        return None if gone.seconds else _months_beside(s, j, gone)
    days = int(gone.days)
    if gone.grain == "week" and s.kinds[j] == "day":  # a week tomorrow
        return _beside(s, j, days)
    if gone.grain == "week" and s.kinds[j] in ("on", "rel_word") and s.kinds[j + 1] == "weekday":
        return _beside(s, j if s.kinds[j] == "rel_word" else j + 1, days)  # a week on Tuesday
    if s.tokens[j].raw not in ("from", "after", "before"):
        return None
    return _beside(s, j + 1, -days if s.tokens[j].raw == "before" else days)


def _unit_after(s: TokenStream, i: int) -> Found | None:
    """Day after tomorrow, week after next, week from Friday."""
    unit, link = str(s.tokens[i].value), s.tokens[i + 1].raw
    if link == "after" and s.tokens[i + 2].raw == "next":
        return _two_on(unit, i + 3)
    if unit == "day" and link in ("after", "before"):
        return _beside(s, i + 2, 1 if link == "after" else -1)
    if unit == "week" and link in ("from", "after", "before"):
        return _beside(s, i + 2, -7 if link == "before" else 7)
    return None


def _months_beside(s: TokenStream, j: int, gone: Lapse) -> Found | None:
    """A year from Christmas, two months before the 5th of May; of today `lengths` knows."""
    found = _plain(s, j + 1) if s.tokens[j].raw in ("from", "after", "before") else None
    if found is None or found[0].offset == 0:
        return None
    gone = gone.reversed() if s.tokens[j].raw == "before" else gone
    return found[0]._replace(after=gone), found[1]


def _two_on(unit: str, j: int) -> Found | None:
    dates = {"week": Date(week=2), "month": Date(month_offset=2), "year": Date(year_offset=2)}
    return (dates[unit], j) if unit in dates else None


def _beside(s: TokenStream, j: int, days: int) -> Found | None:
    found = _plain(s, j)
    if found is None:
        return None
    date, end = found
    if date.offset is not None:
        return Date(offset=date.offset + days, english=True), end
    return date._replace(shift=days), end


def _plain(s: TokenStream, j: int) -> Found | None:
    """A day that is not itself told from another one, so that no sentence nests for ever."""
    j = j + 1 if s.kinds[j] == "the" else j
    if s.kinds[j] == "date":
        return written_date(s, j)
    if s.kinds[j] in ("num", "ord", "tens"):
        return day_of_month(s, j)
    if s.kinds[j] in ("day", "weekday", "rel_word", "month_name", "festival"):
        return _START[s.kinds[j]](s, j)
    return None


def _festival(s: TokenStream, i: int) -> Found | None:
    name = str(s.tokens[i].value)
    if s.kinds[i + 1] == "weekend" and name in WEEKENDS:  # Labor Day weekend
        side = (WEEKENDS[name], WEEKEND if WEEKENDS[name] else 5)
        return with_year(s, i + 2, Date(festival=name, beyond=side))
    return with_year(s, i + 1, Date(festival=str(s.tokens[i].value)))


def _season(s: TokenStream, i: int) -> Found | None:
    """Spring 2027, in the summer; a season alone is often a coil."""
    found = with_year(s, i + 1, Date(month=int(s.tokens[i].value), edge="season", edge_of="month"))
    led = i > 0 and (s.kinds[i - 1] == "in" or s.kinds[max(0, i - 2) : i] == ["in", "the"])
    return found if found[0].year is not None or led else None


def _rel_or_last(s: TokenStream, i: int) -> Found | None:
    found = last_of_month(s, i) if s.tokens[i].raw == "last" else None
    return found or _relative(s, i)


def _weekend(s: TokenStream, i: int) -> Found | None:
    if s.tokens[i + 1].raw == "after" and s.tokens[i + 2].raw == "next":
        return Date(weekend=True, week=2, english=True), i + 3
    if counted := _counted_from(s, i + 1, 1, WEEKEND):  # the weekend before Christmas
        return counted
    return Date(weekend=True, week=None, english=True), i + 1


def _amount_or_day(s: TokenStream, i: int) -> Found | None:
    return _after_next(s, i) or day_of_month(s, i)


_START = {
    "quarter_code": quarter_code,
    "day": _day,
    "weekday": _weekday,
    "rel_word": _rel_or_last,
    "month_name": month_name,
    "num": _amount_or_day,
    "tens": _amount_or_day,
    "ord": _ordinal,
    "the": _the,
    "end_of": edge_of,
    "unit": _after_next,
    "a": _after_next,
    "couple": _after_next,
    "festival": _festival,
    "weekend": _weekend,
    "season": _season,
}
