"""Days of a month as English says and writes them: March 5th, 25.12.2026, the last Friday."""

import re

from clarion.language.when.stream import Date, TokenStream
from clarion.language.when.words import fullness, words

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
        through = s.kinds[j] == "dash" or (
            s.kinds[j] == "and" and i and s.kinds[i - 1] == "between"
        )
        if through and s.kinds[j + 1] in ("num", "ord") and _is_day(s, j + 1):
            date, j = date._replace(last_day=int(s.tokens[j + 1].value)), j + 2
        if s.kinds[j] == "weekend":  # July 4th weekend
            return date._replace(beyond=(0, 5)), j + 1
    elif s.kinds[j] == "num" and 1900 <= s.tokens[j].value <= 2200:
        return date._replace(year=int(s.tokens[j].value)), j + 1
    return with_year(s, j, date)


def _is_a_name(s: TokenStream, i: int) -> bool:
    """June Carter sang it; a friend named April; dec the halls: a month needs company."""
    before, behind = s.kinds[i - 1] if i else "end", s.kinds[i + 1]
    if i > 1 and s.tokens[i - 1].raw == "." and s.tokens[i - 2].raw in _BEFORE_NAMES:
        return True  # Dr. August
    if behind == "the" and s.kinds[i + 2] not in ("num", "ord", "tens"):
        return True
    if behind == "dash" and s.tail(i, 2)[1:].isalpha() and s.kinds[i + 2] != "month_name":
        return True  # Mar-a-Lago
    if behind == "and" and before == "end" and "gap" in s.kinds[i + 2 : i + 4]:
        return True  # Dec and Ant; May and June are sisters
    if before == "end" and s.tokens[i + 1].raw == "from" and s.kinds[i + 2] == "gap":
        return True  # Jan from accounting
    if behind == "gap" and (before in ("a", "the") or s.kinds[:i] == ["month_name", "and"]):
        return True  # an august man, a May wedding, the June trip
    if before in ("gap", "ask") and behind in (_BEHIND_NAMES if before == "ask" else ("at",)):
        return True  # text April at noon
    if before in ("end", "sep", "verb") and behind == "gap":
        return s.tokens[i + 1].raw[0].isalpha()
    return before == "gap" and (behind == "gap" or s.tokens[i - 1].raw in _BEFORE_NAMES)


_BEHIND_NAMES = frozenset(words("at on day weekday about to gap"))
_BEFORE_NAMES = frozenset(
    words(
        "named called name dr mr ms mrs miss aunt auntie dear sister daughter cousin hi email meet "
        "with"
    )
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
    return s.kinds[j + 1] not in _NO_DAY


_NO_DAY = frozenset(words("meridiem oclock unit month_name letter_unit"))


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
    if s.kinds[k - 1] == "dash" and date.days and _is_dashed_year(s, k):
        return date._replace(year=fullness(token.value)), k + 1
    short = token.raw.strip() == "'" and s.kinds[k + 1] == "num" and date.edge is None
    if short and len(s.tokens[k + 1].raw) == 2:
        return date._replace(year=fullness(s.tokens[k + 1].value)), k + 2  # April '27
    if token.kind == "rel_word" and s.tokens[k + 1].value == "year":
        return date._replace(year_offset=int(token.value)), k + 2
    return date, j


def _is_dashed_year(s: TokenStream, k: int) -> bool:
    """15-Jan-27: nothing stands between the dash and what it joins."""
    token, dash, month = s.tokens[k], s.tokens[k - 1], s.tokens[k - 2]
    tight = dash.kind == "dash" and month.end == dash.start and dash.end == token.start
    named = month.kind == "month_name" and token.kind == "num" and s.kinds[k - 3] == "dash"
    return tight and named and len(token.raw) == 2 and token.raw.isdecimal()


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
    if s.kinds[j] == "quarter" and s.tokens[j + 1].raw not in ("past", "to"):
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
        of_a_thing = s.kinds[j + 1 : j + 3] == ["of", "gap"]  # nor the last day of term
        at_a_thing = n > 0 and following in ("gap", "at") and s.kinds[j + 2] == "gap"
        return None if of_a_thing or at_a_thing else 7
    if kind == "unit" and value == "week":
        return 9 if following in ("of", "in") else None
    return {"workday": 8, "weekend": 5}.get(kind)


_NUMBERED = frozenset(
    words(
        "century floor street avenue grade place row amendment anniversary birthday edition "
        "attempt try person one round season episode chapter page hole inning gear wedding "
        "shift element sense time dimension base class degree world generation quarter-final "
        "party wall estate"
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
    hour = s.kinds[j : j + 2] == ["half", "num"] or (
        s.kinds[j] == "quarter" and s.tokens[j + 1].raw in ("past", "to")
    )  # on the tenth half three
    if hour:
        return led in _BEFORE_DAYS
    if s.kinds[j : j + 2] == ["of", "gap"]:
        return False  # the first of many
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
    if k == j and s.kinds[k] != "rel_word":  # the first Thursday next month
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
    if kind == "quarter_code":  # the last Friday of Q2
        return with_year(s, k + 1, date._replace(quarter=int(value), edge_of="quarter"))
    of = k + 1 if kind == "rel_word" else k
    if s.kinds[of] == "quarter":
        return date._replace(quarter_offset=int(value or 0), edge_of="quarter"), of + 1
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
    alone = s.tokens[j].value == "day" or s.kinds[j] == "workday"
    alone = alone and s.kinds[j + 1] in ("end", "sep", "at")
    # "Last Friday" is past; "on the last Friday" is the month's.
    on_the = i > 1 and s.kinds[i - 2 : i] == ["on", "the"]
    if s.kinds[j + 1] not in ("of", "to_hour", "in") and not alone and not on_the:
        return None
    return nth_of_month(s, j, -1)
