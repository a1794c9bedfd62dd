"""Days of a month as English says them: March 5th, the 5th, the last Friday of May, mid June."""

from clarion.language.when.spec import Date
from clarion.language.when.tokens import Stream

Found = tuple[Date, int]


def skip(s: Stream, i: int, *kinds: str) -> int:
    while s.kinds[i] in kinds:
        i += 1
    return i


def month_name(s: Stream, i: int) -> Found | None:
    """March 5th, March 5, 2027, March 2027, March."""
    month, j = int(s.tokens[i].value), i + 1
    if s.tokens[i].raw in ("may", "march", "mar") and not _is_month(s, i):
        return None
    if s.tokens[j].raw == ".":
        j += 1
    j = skip(s, j, "the")
    if s.kinds[j] == "dash" and s.kinds[j + 1] == "num":
        j += 1
    date = Date(month=month)
    if s.kinds[j] in ("num", "ord", "tens") and _is_day(s, j):
        day, j = _day_number(s, j)
        if s.kinds[j] == "dash" and s.kinds[j + 1] in ("num", "ord") and _is_day(s, j + 1):
            j += 2
        date = date._replace(days=(day,))
    elif s.kinds[j] == "num" and 1900 <= s.tokens[j].value <= 2200:
        return date._replace(year=int(s.tokens[j].value)), j + 1
    return with_year(s, j, date)


def _is_month(s: Stream, i: int) -> bool:
    """Whether "may" or "march" is the month and not the verb."""
    before = s.kinds[i - 1] if i else "end"
    if before == "end":
        return s.kinds[i + 1] in ("num", "ord", "the", "end", "sep", "dash", "tens", "rel_word")
    return s.kinds[i + 1] in ("num", "ord", "the") or before in (
        "ord", "num", "of", "to_hour", "in", "rel_word", "every", "on", "until", "from", "dash",
    )  # fmt: skip


def _is_day(s: Stream, j: int) -> bool:
    """5 in "March 5" is a day, in "March 5 pm" an hour, in "March 2027" neither."""
    token = s.tokens[j]
    if token.kind == "num" and (isinstance(token.value, float) or token.value > 99):
        return False
    return s.kinds[j + 1] not in ("meridiem", "oclock", "unit", "month_name")


def _day_number(s: Stream, j: int) -> tuple[int, int]:
    """Fifth, 5, twenty-first, twenty first."""
    value = int(s.tokens[j].value)
    if s.kinds[j] != "tens":
        return value, j + 1
    k = skip(s, j + 1, "dash")
    if s.kinds[k] in ("ord", "num") and 0 < s.tokens[k].value < 10:
        return value + int(s.tokens[k].value), k + 1
    return value, j + 1


def with_year(s: Stream, j: int, date: Date) -> Found:
    k = skip(s, j, "sep") if s.tokens[j].raw == "," else j
    k = skip(s, k, "of", "to_hour", "in", "dash")
    token = s.tokens[k]
    four = token.kind == "num" and len(token.raw) == 4 and 1900 <= token.value <= 2200
    if four and s.kinds[k + 1] not in ("unit", "meridiem"):
        return date._replace(year=int(token.value)), k + 1
    if token.kind == "rel_word" and s.tokens[k + 1].value == "year":
        return date._replace(year_offset=int(token.value)), k + 2
    return date, j


def day_of_month(s: Stream, i: int) -> Found | None:
    """5 March, 5th of March 2027, the 5th, first Monday of next month, twenty-first of June."""
    if s.kinds[i] == "num" and isinstance(s.tokens[i].value, float):
        return None
    if s.kinds[i + 1] == "quarter_code" and 1900 <= s.tokens[i].value <= 2200:
        quarter = int(s.tokens[i + 1].value)
        return Date(year=s.tokens[i].value, quarter=quarter, edge_of="quarter"), i + 2
    day, j = _day_number(s, i)
    if s.kinds[j] in ("to", "dash") and s.kinds[j + 1] in ("num", "ord"):  # 13 to 15 of July
        k = skip(s, j + 2, "of")
        if s.kinds[k] == "month_name":
            return with_year(s, k + 1, Date(month=int(s.tokens[k].value), days=(day,)))
    k = skip(s, j, "of", "to_hour", "dash")
    if s.kinds[k] == "month_name" and day <= 99:
        end = k + 2 if s.tokens[k + 1].raw == "." else k + 1
        return with_year(s, end, Date(month=int(s.tokens[k].value), days=(day,)))
    if s.kinds[j - 1] != "ord":
        return None
    return nth_of_month(s, j, day)


def nth_of_month(s: Stream, j: int, n: int) -> Found | None:
    if s.tokens[j].raw == "last" and s.kinds[j + 1] in ("weekday", "workday", "unit"):
        n, j = -n, j + 1  # the second last Friday
    if s.kinds[j] == "weekday":
        return _of_month(s, j + 1, Date(nth=(n, int(s.tokens[j].value))))
    if s.kinds[j] == "workday":
        return _of_month(s, j + 1, Date(nth=(n, 8)))
    if s.kinds[j] == "unit" and s.tokens[j].value == "day":
        return _of_month(s, j + 1, Date(nth=(n, 7)))
    if s.kinds[j] == "quarter":
        return with_year(s, j + 1, Date(quarter=n, edge_of="quarter"))
    if s.kinds[j] == "unit" and s.tokens[j].value == "week" and s.kinds[j + 1] in ("of", "in"):
        return _of_month(s, j + 1, Date(nth=(n, 9)))
    if s.tokens[j].raw.isalpha() and s.kinds[j] in ("unit", "gap"):
        return None if n <= 31 and s.kinds[j] == "unit" else _day_of_month(s, j, n)
    return _day_of_month(s, j, n)


def _day_of_month(s: Stream, j: int, n: int) -> Found | None:
    """The 5th, 5th and 20th; "the second thing" is none."""
    word = s.tokens[j - 1].raw
    spoken = s.kinds[j] == "num" and s.tokens[j].raw.isalpha()  # the second one
    if word.isalpha() and (s.kinds[j] == "gap" or spoken):
        return None
    days = [n]
    while s.kinds[j] in ("and", "sep") and s.kinds[skip(s, j + 1, "the", "and")] == "ord":
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


def _lunar_month(s: Stream, k: int) -> tuple[bool, int] | None:
    """The 8th (leap) lunar month: whether it is a leap one, and where it ends."""
    if s.kinds[k] != "ord":
        return None
    leap = s.kinds[k + 1] == "leap_word"
    j = k + 2 if leap else k + 1
    lunar = s.kinds[j] == "lunar_word" and s.tokens[j + 1].value == "month"
    return (leap, j + 2) if lunar else None


def _of_month(s: Stream, j: int, date: Date) -> Found | None:
    """… of the month, of next month, of March (2027), in March, of every month."""
    k = skip(s, j, "of", "to_hour", "in")
    if k == j:
        return date, j
    k = skip(s, k, "the")
    kind, value = s.kinds[k], s.tokens[k].value
    if kind == "month_name":
        return with_year(s, k + 1, date._replace(month=int(value)))
    if kind == "rel_word" and s.tokens[k + 1].value in ("month", "year"):
        offset = int(value)
        if s.tokens[k + 1].value == "year":
            return date._replace(year_offset=offset, edge_of="year"), k + 2
        return date._replace(month_offset=offset), k + 2
    if kind == "unit" and value in ("month", "year"):
        return date._replace(edge_of="year" if value == "year" else None), k + 1
    return date, j


def last_of_month(s: Stream, i: int) -> Found | None:
    """The last Friday of …, the last day of …; the past is left to `_relative`."""
    j = i + 1
    if s.kinds[j] not in ("weekday", "unit", "workday"):
        return None
    alone = s.tokens[j].value == "day" and s.kinds[j + 1] in ("end", "sep", "at")
    # "Last Friday" is past; "on the last Friday" is the month's.
    on_the = i > 1 and s.kinds[i - 2 : i] == ["on", "the"]
    if s.kinds[j + 1] not in ("of", "to_hour", "in") and not alone and not on_the:
        return None
    return nth_of_month(s, j, -1)


def edge_of(s: Stream, i: int) -> Found | None:
    """End of (the) month, start of next year, middle of next week."""
    edge = str(s.tokens[i].value)
    j = skip(s, i + 1, "of", "to_hour", "dash")
    if j == i + 1 and s.kinds[j] != "month_name":
        return None
    j = skip(s, j, "the")
    n = 0
    if s.kinds[j] == "rel_word":
        n, j = int(s.tokens[j].value), j + 1
    kind, unit = s.kinds[j], s.tokens[j].value
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


def quarter_code(s: Stream, i: int) -> Found | None:
    return with_year(s, i + 1, Date(quarter=int(s.tokens[i].value), edge_of="quarter"))
