"""Days as English tells them: next Monday, in two weeks, the day after Christmas, the end of Q3."""

from clarion.language.when.dates.months import (
    Found,
    day_of_month,
    last_of_month,
    month_name,
    skip,
    with_year,
    written_date,
)
from clarion.language.when.stream import WEEK, WEEKEND, Date, Lapse, TokenStream, duration
from clarion.language.when.words import WEEKENDS


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


_NO_TAIL = frozenset(("end", "sep", "at", "clock", "num", "part", "ask"))


def _weekday_tail(s: TokenStream, j: int, date: Date) -> Found:
    if s.kinds[j] in _NO_TAIL:
        return date, j
    k = skip(s, j, "of", "the", "to_hour")
    if s.kinds[k] == "rel_word" and s.kinds[k + 1] == "unit" and s.tokens[k + 1].value == "week":
        return date._replace(week=int(s.tokens[k].value), english=False), k + 2
    if s.kinds[k] == "festival" and s.tokens[k + 1].raw == "week":  # Monday of Thanksgiving week
        return Date(festival=str(s.tokens[k].value), beyond=(0, date.weekdays[0])), k + 2
    full = len(s.tokens[j - 1].raw) > 3  # she sat next to me
    if full and s.tokens[j].raw == "next" and s.kinds[j + 1] in ("end", "sep", "to", "at", "ask"):
        return date._replace(week=1, english=False), j + 1  # Tuesday next
    weeks = {"week": 7, "fortnight": 14}.get(s.tokens[j].raw)
    if weeks and s.kinds[j + 1] not in ("of", "gap", "rel_word"):
        return date._replace(shift=weeks), j + 1  # Wednesday week
    beside = {"after next": 2, "before last": -2}.get(f"{s.tokens[j].raw} {s.tokens[j + 1].raw}")
    if beside and s.kinds[j + 2] not in ("weekday", "unit"):
        return date._replace(week=beside, english=False), j + 2
    return _counted_from(s, j, 1, date.weekdays[0]) or (date, j)


def _counted_from(s: TokenStream, j: int, n: int, weekday: int) -> Found | None:
    """… after Christmas, … before the 5th: a weekday counted from another day."""
    if s.tokens[j].raw not in ("after", "before", "following"):
        return None
    found = _plain(s, j + 1)
    if found is None or (found[0].weekdays and found[0].week is None):
        return None
    sign = -1 if s.tokens[j].raw == "before" else 1
    return found[0]._replace(beyond=(sign * n, weekday)), found[1]


def _ordinal(s: TokenStream, i: int) -> Found | None:
    """The 5th; the third Tuesday; the third Tuesday after Christmas."""
    found = _half_of(s, i) or day_of_month(s, i)
    if found and found[0].nth and found[0].nth[1] < 7 and found[0].nth[0] > 0:
        if s.tokens[found[1]].raw == "from" and s.kinds[found[1] + 1] == "now":
            return Date(offset=0, beyond=found[0].nth, english=True), found[1] + 2
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
    if kind == "weekend" or (kind == "workday" and n > 0):  # the next business day
        weekend = Date(weekend=True, week=n, english=True)
        return weekend if kind == "weekend" else Date(offset=0, beyond=(1, 8), english=True), j + 1
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
            found = _weekday(s, k)
            assert found is not None, "a weekday token is a weekday"
            return found[0]._replace(week=n, english=False), found[1]
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
    if s.kinds[i + 1] == "day" and s.tokens[i + 1].value[1]:
        return None  # the end of today is an hour of it
    if s.kinds[i + 1] in ("weekday", "quarter_code") and s.kinds[i + 2] == "gap":
        return None  # the Tuesday test
    return None if s.kinds[i + 1] == "the" else english_date(s, i + 1)


def _after_next(s: TokenStream, i: int) -> Found | None:
    """(The) day after tomorrow, the week after next, a week from Friday, two days before …"""
    read = duration(s, i)
    if read is None:
        return _unit_after(s, i) if s.kinds[i] == "unit" else None
    gone, j = read
    if gone.seconds or gone.months:
        if s.kinds[j] == "day" and not gone.seconds and s.tokens[j].value[1] is None:
            return Date(offset=s.tokens[j].value[0], after=gone), j + 1  # a month today
        return None if gone.seconds else _months_beside(s, j, gone)
    days = int(gone.days)
    if gone.grain == "week" and s.kinds[j] == "day":  # a week tomorrow
        return _beside(s, j, days)
    if gone.grain == "week" and s.kinds[j] in ("on", "rel_word") and s.kinds[j + 1] == "weekday":
        return _beside(s, j if s.kinds[j] == "rel_word" else j + 1, days)  # a week on Tuesday
    if s.tokens[j].raw not in ("from", "after", "before") or (i and s.kinds[i - 1] == "for"):
        return None  # for three days from Friday
    return _beside(s, j + 1, -days if s.tokens[j].raw == "before" else days)


def _unit_after(s: TokenStream, i: int) -> Found | None:
    """Day after tomorrow, week after next, week from Friday."""
    unit, link = str(s.tokens[i].value), s.tokens[i + 1].raw
    if unit == "month" and link == "end" and s.kinds[i + 2] in _BEHIND_EDGE:  # month end, 4pm
        return Date(month_offset=0, edge="end", edge_of="month"), i + 2
    if link == "after" and s.tokens[i + 2].raw == "next":
        return _two_on(s, unit, i + 3)
    if unit == "week" and link in _WEEK_OF and (found := _plain(s, skip(s, i + 2, "the"))):
        inner = found[0].days or found[0].festival
        return (found[0]._replace(beyond=(0, WEEK)), found[1]) if inner else None
    if unit == "day" and link in ("after", "before"):
        return _beside(s, i + 2, 1 if link == "after" else -1)
    if unit == "week" and link in ("from", "after", "before"):
        return _beside(s, i + 2, -7 if link == "before" else 7)
    return None


_BEHIND_EDGE = frozenset(("end", "sep", "at", "ask", "clock", "num"))
_WEEK_OF = ("of", "beginning", "commencing", "starting")


def _half_of(s: TokenStream, i: int) -> Found | None:
    """The second half of July, of the year, of 2028: its first day."""
    if (
        s.kinds[i] != "ord"
        or s.tokens[i].value not in (1, 2)
        or s.kinds[i + 1 : i + 3] != ["half", "of"]
    ):
        return None
    later, j = s.tokens[i].value == 2, skip(s, i + 3, "the")
    n, j = (int(s.tokens[j].value), j + 1) if s.kinds[j] == "rel_word" else (0, j)
    edge, month = "mid" if later else "season", 7 if later else 1
    if s.kinds[j] == "month_name":
        return with_year(s, j + 1, Date(month=int(s.tokens[j].value), edge=edge, edge_of="month"))
    if s.tokens[j].value == "month":
        return Date(month_offset=n, edge=edge, edge_of="month"), j + 1
    half = Date(month=month, edge="season", edge_of="month")
    if s.tokens[j].value == "year" and not n:
        return half._replace(year_offset=0), j + 1
    found = with_year(s, j, half)
    return found if found[0].year else None


def _months_beside(s: TokenStream, j: int, gone: Lapse) -> Found | None:
    """A year from Christmas, two months before the 5th of May; of today `lengths` knows."""
    found = _plain(s, j + 1) if s.tokens[j].raw in ("from", "after", "before") else None
    if found is None or found[0].offset == 0:
        return None
    gone = gone.reversed() if s.tokens[j].raw == "before" else gone
    return found[0]._replace(after=gone), found[1]


def _two_on(s: TokenStream, unit: str, j: int) -> Found | None:
    """The week after next (on Friday), the month after next (on the 5th)."""
    return _relative_unit(s, j - 1, 2, unit) if unit in ("week", "month", "year") else None


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
    j = j + 1 if s.kinds[j] == "the" or s.kinds[j : j + 2] == ["rel_word", "rel_word"] else j
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
    if s.kinds[i + 1] == "eve":
        return with_year(s, i + 2, Date(festival=name, shift=-1))
    return with_year(s, i + 1, Date(festival=name))


def _eve(s: TokenStream, i: int) -> Found | None:
    """The eve of Thanksgiving."""
    return _beside(s, i + 2, -1) if s.kinds[i + 1] == "of" else None


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
    if [token.raw for token in s.tokens[i + 1 : i + 4]] == ["after", "this", "one"]:
        return Date(weekend=True, week=1, english=True), i + 4
    if counted := _counted_from(s, i + 1, 1, WEEKEND):  # the weekend before Christmas
        return counted
    found = _plain(s, skip(s, i + 2, "the")) if s.tokens[i + 1].raw == "of" else None
    if found and (found[0].days or found[0].festival):  # the weekend of July 23
        return found[0]._replace(beyond=(0, 5)), found[1]
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
    "eve": _eve,
    "weekend": _weekend,
    "season": _season,
}
