"""Days that come again in every month, quarter or year: the last Friday of each month."""

from clarion.language.when.dates.english import english_date
from clarion.language.when.stream import Date, Every, Piece, Pieces, TokenStream, one


def ordinal_of_every(s: TokenStream, i: int) -> Pieces | None:
    """The last day of every month, the first Monday of each month, the 5th of every month."""
    if listed := _listed_of_every(s, i):
        return listed
    if s.tokens[i + 1].value == "day" and s.tokens[i + 2].raw == "before":
        return _day_before_every(s, i)
    found = english_date(s, i)
    if found is None:
        return None
    date, j = found
    k = j
    while s.kinds[k] in ("of", "to_hour", "in"):
        k += 1
    lunar = s.kinds[k + 1] == "lunar_word" and bool(date.days)
    if lunar:
        k, date = k + 1, date._replace(lunar=True)
    every = "lunar_word" if lunar else "every"
    if s.kinds[k] != every or s.kinds[k + 1] != "unit" or not (date.nth or date.days):
        return None
    unit = str(s.tokens[k + 1].value)
    if unit not in ("month", "year", "quarter"):
        return None
    rhythm = {"month": Every("month"), "year": Every("year"), "quarter": Every("quarter")}[unit]
    day = Piece("date", date, s.tokens[i].start, s.tokens[j - 1].end)
    return [day, Piece("every", rhythm, s.tokens[k].start, s.tokens[k + 1].end)], k + 2


def edge_of_every(s: TokenStream, i: int) -> Pieces | None:
    """The end of every month, the start of each quarter."""
    edge = str(s.tokens[i].value)
    j = i + 1 if s.tokens[i].raw.endswith(" of") else i + 2
    unit = str(s.tokens[j + 1].value)
    if s.kinds[j] != "every" or s.kinds[j - 1] not in ("of", "end_of") or unit not in _EDGED:
        return None
    every = one(s, "every", Every(unit), i, j + 2)[0]
    return [*every, *one(s, "date", Date(edge=edge, edge_of=unit), i, j + 2)[0]], j + 2


_EDGED = ("month", "quarter", "year")


def _day_before_every(s: TokenStream, i: int) -> Pieces | None:
    """The day before the last day of every month."""
    inner = ordinal_of_every(s, i + 3)
    if inner is None or inner[0][0].value.nth != (-1, 7):
        return None
    day = inner[0][0]._replace(value=Date(nth=(-2, 7)), start=s.tokens[i].start)
    return [day, *inner[0][1:]], inner[1]


def _listed_of_every(s: TokenStream, i: int) -> Pieces | None:
    """The second and fourth Tuesday of every month; the 1st and the last day of each month."""
    items: list[tuple[Date, int, int]] = []
    j = i
    for _ in range(6):
        j = j + 1 if s.kinds[j] == "the" else j
        item = _month_item(s, j)
        if item is None:
            return None
        items.append((item[0], j, item[1]))
        j = item[1]
        if s.kinds[j] not in ("and", "sep"):
            break
        j = j + 2 if s.kinds[j + 1] == "and" else j + 1
    k = j + 1 if s.kinds[j] in ("of", "to_hour", "in") else j
    if len(items) < 2 or s.kinds[k] != "every" or s.tokens[k + 1].value != "month":
        return None
    last = items[-1][0].nth
    pieces: list[Piece] = []
    for said, start, end in items:
        if said.days and last is not None and last[1] < 7:  # the second … Tuesday
            said = Date(nth=(said.days[0], last[1]))
        pieces += one(s, "and", None, start, start + 1)[0] if pieces else []
        pieces += one(s, "date", said, start, end)[0]
    return [*pieces, *one(s, "every", Every("month"), k, k + 2)[0]], k + 2


def _month_item(s: TokenStream, j: int) -> tuple[Date, int] | None:
    """The 5th, the third Monday, the last day: one of a list of days of a month."""
    if s.tokens[j].raw == "last":
        n, k = -1, j + 1
    elif s.kinds[j] == "ord":
        n, k = int(s.tokens[j].value), j + 1
    else:
        return None
    if s.kinds[k] == "weekday":
        return Date(nth=(n, int(s.tokens[k].value))), k + 1
    if s.kinds[k] == "workday":
        return Date(nth=(n, 8)), k + 1
    if s.tokens[k].value == "day":
        return Date(nth=(n, 7)), k + 1
    return (Date(days=(n,)), k) if n > 0 else None


def two_in_month(s: TokenStream, i: int, j: int) -> Pieces:
    """Every first and third Monday (of the month)."""
    last = english_date(s, j + 2)
    assert last is not None, "an ordinal and a weekday are a date"
    day = int(s.tokens[j + 3].value)
    every = one(s, "every", Every("month"), i, j)[0]
    first = one(s, "date", Date(nth=(int(s.tokens[j].value), day)), j, j + 1)[0]
    joint = one(s, "and", None, j + 1, j + 2)[0]
    second = one(s, "date", Date(nth=(int(s.tokens[j + 2].value), day)), j + 2, last[1])[0]
    return [*every, *first, *joint, *second], last[1]


def every_nth(s: TokenStream, i: int, j: int, found: tuple[Date, int]) -> Pieces:
    rhythm = Every("year" if found[0].month else "month")
    every = Piece("every", rhythm, s.tokens[i].start, s.tokens[i].end)
    return [every, Piece("date", found[0], s.tokens[j].start, s.tokens[found[1] - 1].end)], found[1]
