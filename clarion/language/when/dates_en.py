"""Days as English says them: next Monday, March 5th, the last Friday of the month, in two weeks."""

from clarion.language.when.amounts import duration
from clarion.language.when.dates_written import written_date
from clarion.language.when.months_en import (
    day_of_month,
    edge_of,
    last_of_month,
    month_name,
    quarter_code,
    skip,
    with_year,
)
from clarion.language.when.spec import Date
from clarion.language.when.tokens import Stream

Found = tuple[Date, int]


def english_date(s: Stream, i: int) -> Found | None:
    start = _START.get(s.kinds[i])
    return start(s, i) if start else None


def _day(s: Stream, i: int) -> Found | None:
    return Date(offset=s.tokens[i].value[0], english=True), i + 1


def _weekday(s: Stream, i: int) -> Found | None:
    """Monday; Monday and Thursday; Monday to Friday; Monday next week; Tuesday after next."""
    days = [int(s.tokens[i].value)]
    j, ranged = i + 1, False
    if s.tokens[j].raw == "." and len(s.tokens[i].raw) <= 5:
        j += 1
    for _ in range(8):
        k = skip(s, j, "sep") if s.tokens[j].raw == "," else j
        k = k + 1 if s.tokens[k].raw == "/" else skip(s, k, "and")
        through = s.kinds[k] in ("to", "until", "dash")
        k = k + 1 if through else k
        if s.kinds[k] not in ("weekday", "weekdays") or (k == j and not through):
            break
        day = int(s.tokens[k].value)
        ranged = ranged or through
        days += (
            [(days[-1] + n) % 7 for n in range(1, (day - days[-1]) % 7 + 1)] if through else [day]
        )
        j = k + 1
    date = Date(weekdays=tuple(dict.fromkeys(days)), ranged=ranged, english=True)
    return _weekday_tail(s, j, date)


def _weekday_tail(s: Stream, j: int, date: Date) -> Found:
    k = skip(s, j, "of", "the", "to_hour")
    if s.kinds[k] == "rel_word" and s.kinds[k + 1] == "unit" and s.tokens[k + 1].value == "week":
        return date._replace(week=int(s.tokens[k].value), english=False), k + 2
    if s.tokens[j].raw == "after" and s.tokens[j + 1].raw == "next":
        return date._replace(week=2, english=False), j + 2
    return _counted_from(s, j, 1, date.weekdays[0]) or (date, j)


def _counted_from(s: Stream, j: int, n: int, weekday: int) -> Found | None:
    """… after Christmas, … before the 5th: a weekday counted from another day."""
    if s.tokens[j].raw not in ("after", "before", "following"):
        return None
    found = _plain(s, j + 1)
    if found is None or found[0].weekdays:
        return None
    sign = -1 if s.tokens[j].raw == "before" else 1
    return found[0]._replace(beyond=(sign * n, weekday)), found[1]


def _ordinal(s: Stream, i: int) -> Found | None:
    """The 5th; the third Tuesday; the third Tuesday after Christmas."""
    found = day_of_month(s, i)
    if found and found[0].nth and found[0].nth[1] < 7 and found[0].nth[0] > 0:
        return _counted_from(s, found[1], *found[0].nth) or found
    return found


def _relative(s: Stream, i: int) -> Found | None:
    """Next Monday, this weekend, next week, this month, next year, next March."""
    n, j = int(s.tokens[i].value), i + 1
    kind, value = s.kinds[j], s.tokens[j].value
    if kind == "weekday":
        found = _weekday(s, j)
        assert found is not None, "a weekday token is a weekday"
        # "This Thursday" is the coming one; "next" one is that of the calendar's next week.
        n = 0 if s.tokens[i].raw in ("coming", "upcoming") else n
        return found[0]._replace(week=None if n == 0 else n), found[1]
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
    if kind == "festival":
        return Date(festival=str(value), year_offset=None), j + 1
    if kind == "season":
        return with_year(s, j + 1, Date(month=int(value), edge="start", edge_of="month"))
    return None


def _relative_unit(s: Stream, j: int, n: int, unit: str) -> Found:
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


def _the(s: Stream, i: int) -> Found | None:
    if s.tokens[i + 1].raw in ("the", "sun") and s.kinds[i + 2] in ("gap", "end", "the"):
        return None  # the sun is no Sunday
    return None if s.kinds[i + 1] == "the" else english_date(s, i + 1)


def _after_next(s: Stream, i: int) -> Found | None:
    """(The) day after tomorrow, the week after next, a week from Friday, two days before …"""
    read = duration(s, i)
    if read is None and s.kinds[i] == "unit":
        unit = str(s.tokens[i].value)
        if s.tokens[i + 1].raw == "after" and s.tokens[i + 2].raw == "next":
            return _two_on(unit, i + 3)
        if unit == "day" and s.tokens[i + 1].raw in ("after", "before"):
            return _beside(s, i + 2, 1 if s.tokens[i + 1].raw == "after" else -1)
        if unit == "week" and s.tokens[i + 1].raw in ("from", "after", "before"):
            return _beside(s, i + 2, -7 if s.tokens[i + 1].raw == "before" else 7)
        return None
    if read is None:
        return None
    gone, j = read
    if gone.seconds or gone.months:
        return None
    days = int(gone.days)
    if gone.grain == "week" and s.kinds[j] == "day":  # a week tomorrow
        return _beside(s, j, days)
    if gone.grain == "week" and s.kinds[j] == "on" and s.kinds[j + 1] == "weekday":
        return _beside(s, j + 1, days)  # a week on Tuesday
    if s.tokens[j].raw not in ("from", "after", "before"):
        return None
    return _beside(s, j + 1, -days if s.tokens[j].raw == "before" else days)


def _two_on(unit: str, j: int) -> Found | None:
    dates = {"week": Date(week=2), "month": Date(month_offset=2), "year": Date(year_offset=2)}
    return (dates[unit], j) if unit in dates else None


def _beside(s: Stream, j: int, days: int) -> Found | None:
    found = _plain(s, j)
    if found is None:
        return None
    date, end = found
    if date.offset is not None:
        return Date(offset=date.offset + days, english=True), end
    return date._replace(shift=days), end


def _plain(s: Stream, j: int) -> Found | None:
    """A day that is not itself told from another one, so that no sentence nests for ever."""
    j = j + 1 if s.kinds[j] == "the" else j
    if s.kinds[j] == "date":
        return written_date(s, j)
    if s.kinds[j] in ("num", "ord", "tens"):
        return day_of_month(s, j)
    if s.kinds[j] in ("day", "weekday", "rel_word", "month_name", "festival"):
        return _START[s.kinds[j]](s, j)
    return None


def _festival(s: Stream, i: int) -> Found | None:
    return with_year(s, i + 1, Date(festival=str(s.tokens[i].value)))


def _rel_or_last(s: Stream, i: int) -> Found | None:
    if s.tokens[i].raw == "last":
        found = last_of_month(s, i)
        if found:
            return found
    return _relative(s, i)


def _weekend(s: Stream, i: int) -> Found | None:
    return Date(weekend=True, week=None, english=True), i + 1


def _amount_or_day(s: Stream, i: int) -> Found | None:
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
}
