"""A sentence as tokens, the amounts among them, and the values that the grammar makes of them.

Lengths are read here because dates, hours and rhythms are all told by them: 一个半小时.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple


class TimeToken(NamedTuple):
    kind: str
    value: Any
    start: int
    end: int
    raw: str


# As the class itself makes one, without the call between: a sentence has dozens of them.
make_token: Callable[[tuple[str, Any, int, int, str]], TimeToken] = partial(
    tuple.__new__, TimeToken
)
END = TimeToken("end", None, 0, 0, "")
PADDING = 8  # no rule looks further ahead than this
_ENDS, _END_KINDS = [END] * PADDING, ["end"] * PADDING


class TokenStream:
    """The tokens of a sentence, with ends enough behind them that a rule may look ahead."""

    __slots__ = ("count", "kinds", "original", "text", "tokens")

    def __init__(self, text: str, tokens: list[TimeToken], original: str = "") -> None:
        self.text = text
        self.original = original
        self.count = len(tokens)
        self.kinds = [token[0] for token in tokens]
        self.kinds += _END_KINDS
        self.tokens = tokens
        tokens += _ENDS

    def is_capital(self, index: int) -> bool:
        """Whether it was written with a capital, and not all else too."""
        start, written = self.tokens[index].start, self.original
        moved = len(written) != len(self.text) or written.isupper()
        return not moved and written[start : start + 1].isupper()

    def tail(self, index: int, letters: int = 3) -> str:
        """The letters that follow the token at `index`."""
        end = self.tokens[index].end
        return self.text[end : end + letters]

    def head(self, index: int, letters: int = 1) -> str:
        """The letters that stand before the token at `index`."""
        start = self.tokens[index].start
        return self.text[max(0, start - letters) : start]


class Lapse(NamedTuple):
    """A length of time: months and days by the calendar, seconds by the clock."""

    months: int = 0
    days: float = 0
    seconds: float = 0
    grain: str = "minute"

    def reversed(self) -> "Lapse":
        return Lapse(-self.months, -self.days, -self.seconds, self.grain)

    def plus(self, other: "Lapse") -> "Lapse":
        return Lapse(
            self.months + other.months,
            self.days + other.days,
            self.seconds + other.seconds,
            other.grain,
        )


_LAPSES = {
    "second": (0, 0, 1),
    "minute": (0, 0, 60),
    "ke": (0, 0, 900),
    "hour": (0, 0, 3600),
    "day": (0, 1, 0),
    "week": (0, 7, 0),
    "fortnight": (0, 14, 0),
    "month": (1, 0, 0),
    "quarter": (3, 0, 0),
    "year": (12, 0, 0),
    "decade": (120, 0, 0),
}
GRAINS = {"ke": "minute", "fortnight": "week", "decade": "year"}


def lapse(amount: float, unit: str) -> Lapse:
    """Half a day is twelve hours, half a month fifteen days, half a year six months."""
    one = _LAPSES[unit]
    months, days, seconds = one[0] * amount, one[1] * amount, one[2] * amount
    if months != int(months):
        days += (months - int(months)) * 30
    if days != int(days):
        seconds += (days - int(days)) * 86400
    return Lapse(int(months), int(days), seconds, GRAINS.get(unit, unit))


WEEK, WEEKEND = 9, 10


class Date(NamedTuple):
    """A day as it was said. What is None was not said."""

    offset: int | None = None
    weekdays: tuple[int, ...] = ()
    weekend: bool = False
    week: int | None = None
    month: int | None = None
    month_offset: int | None = None
    quarter: int | None = None
    quarter_offset: int | None = None
    year: int | None = None
    year_offset: int | None = None
    days: tuple[int, ...] = ()
    edge: str | None = None
    edge_of: str | None = None
    nth: tuple[int, int] | None = None
    """(which, weekday); weekday 7 is any day, 8 a workday, 9 a week."""
    lunar: bool | None = None
    leap: bool = False
    festival: str | None = None
    shift: int = 0
    beyond: tuple[int, int] | None = None
    """(which, weekday) counted from the day: the third Tuesday after it is (3, 1).

    Weekday 8 is a workday, WEEKEND the Saturday of a weekend, WEEK the day that opens its week.
    """
    after: Lapse | None = None
    english: bool = False
    bare: bool = False
    """八月十五: nothing says which calendar is meant."""
    ranged: bool = False
    last_day: int = 0
    """July 13-15: the day of the month on which the range ends."""
    coming: bool = False
    """This Friday: one day, though no week was counted."""

    @property
    def is_behind(self) -> bool:
        counts = (self.offset, self.week, self.month_offset, self.year_offset)
        return any((n or 0) < 0 for n in counts)

    @property
    def names_no_day(self) -> bool:
        """Q4, March, next year: the report of it, and no day."""
        day = self.offset is not None or self.days or self.weekdays or self.festival or self.nth
        return not day and not self.weekend and self.edge is None


class ClockWords(NamedTuple):
    """A time of day as it was said; without an hour it is a day part alone."""

    hour: int | None = None
    minute: int = 0
    second: int = 0
    part: str | None = None
    exact: bool = False
    """Written in 24 hours (08:00, 20点): not to be moved to the afternoon."""
    grain: str = "hour"
    offset: str | None = None
    """A UTC offset that was written with it: Z, +08:00."""

    def in_part(self, part: str | None) -> "ClockWords":
        """Written out, because it is called for most sentences and `_replace` is slow."""
        return ClockWords(
            self.hour, self.minute, self.second, part or self.part, self.exact, self.grain,
            self.offset,
        )  # fmt: skip


HourFound = tuple[ClockWords | str, int]
"""A clock, or the reason why there is no such time; and where it ends."""


def short_of(hour: int, minutes: int) -> ClockWords | str:
    if not 0 < minutes < 60:
        return "no_such_minute"
    if not 0 <= hour <= 24:
        return "no_such_hour"
    earlier = hour - 1 if hour > 1 else hour + 11 if hour == 1 else 23
    return ClockWords(earlier, 60 - int(minutes), exact=hour > 13, grain="minute")


HALVES: dict[str | None, tuple[str, ...]] = {
    "am": ("am", "night", "dawn", "early", "morning", "forenoon", "small_hours"),
    "pm": ("pm", "noon", "lunch", "afternoon", "dusk", "evening", "tonight", "late", "night"),
}
"""The parts of the day that a meridiem may stand beside."""
ANY_HOUR = frozenset(range(25))
HOURS_OF: dict[str | None, frozenset[int]] = {
    **dict.fromkeys(("early", "morning", "forenoon"), frozenset(range(4, 13))),
    **dict.fromkeys(("noon", "lunch"), frozenset((11, 12, 13, 14, 1, 2))),
    **dict.fromkeys(("evening", "tonight", "late"), ANY_HOUR - {0, 1, 2, 3, 4, 13, 14, 15, 16}),
    "afternoon": frozenset((*range(1, 8), *range(12, 20))),
    "dusk": frozenset((*range(4, 10), *range(16, 22))),
}
"""The hours, as either face shows them, that are said of a part of the day."""
MORNINGS = frozenset(("early", "morning", "forenoon"))
EVENINGS = frozenset(("dusk", "evening"))
"""Parts that no hour is of both: 晚上早上八点."""


class Every(NamedTuple):
    unit: str
    n: float = 1
    gap: bool = False
    """Said as 每隔: two days between, or every second day?"""
    official: bool = False
    whole: bool = False
    """每小时 and not 每隔一小时: as a pattern of its own it means the full hours."""
    minute: int = 0
    """Every hour on the half hour: where in the hour."""


MEALS = ("breakfast", "lunch", "dinner")


class Routine(NamedTuple):
    """`name` is of `ROUTINES`, "meal" (one that was not named) or "meals" (all of them)."""

    name: str
    side: int
    """-1 before it, 0 at it, 1 after it."""


class Piece(NamedTuple):
    kind: str
    value: Any
    start: int
    end: int


make_piece: Callable[[tuple[str, Any, int, int]], Piece] = partial(tuple.__new__, Piece)
UNREAD, UNREAD_DAY = "unread", "unread day"
"""The value of a gap that is a word of time, of which no rule could make anything."""
Pieces = tuple[list[Piece], int]
"""What was read at a place, and the token behind it."""


def one(s: TokenStream, kind: str, value: object, i: int, end: int) -> Pieces:
    """A single piece that covers the tokens from `i` to before `end`."""
    return [make_piece((kind, value, s.tokens[i].start, s.tokens[end - 1].end))], end


# A number behind a date is not its continuation when one of these makes it something else.
OTHERWISE = frozenset((
    "point", "month", "unit", "fen", "ge", "times", "year", "meridiem", "hao", "ri", "ke", "num",
    "half", "weekday", "part_of",
))  # fmt: skip


Read = tuple[float, int]


def amount(s: TokenStream, i: int) -> Read | None:
    """A number that may come before a unit, and where it ends."""
    kind = s.kinds[i]
    if kind == "num":
        if s.kinds[i + 1] == "dozen":  # two dozen, one hundred
            return s.tokens[i].value * s.tokens[i + 1].value, i + 2
        return s.tokens[i].value, i + 1
    if kind == "tens":
        value = s.tokens[i].value
        j = i + 2 if s.kinds[i + 1] == "dash" else i + 1
        if s.kinds[j] == "num" and 0 < s.tokens[j].value < 10 and s.tokens[j].raw.isalpha():
            return value + s.tokens[j].value, j + 1
        return value, i + 1
    if kind == "a":
        return _article(s, i)
    if kind == "couple":
        return 2, i + 2 if s.kinds[i + 1] in ("of", "to_hour") else i + 1
    return None


def _article(s: TokenStream, i: int) -> Read | None:
    following = s.kinds[i + 1]
    if following == "couple":
        return amount(s, i + 1)
    if following == "dozen":
        return s.tokens[i + 1].value, i + 2
    if following in ("unit", "half", "quarter"):
        return 1, i + 1
    return None


_FRACTIONS = {"half": 0.5, "quarter": 0.25}


def _fraction(s: TokenStream, i: int) -> float:
    """1/2, 3/4: a date only where no unit follows; 0 for all else."""
    part, _, whole = s.tokens[i].raw.partition("/")
    fits = part.isdecimal() and whole.isdecimal() and 0 < int(part) < int(whole)
    return int(part) / int(whole) if fits else 0


def _of_a_unit(s: TokenStream, j: int) -> int:
    """Where the unit stands: half an hour, half of an hour, a half-hour."""
    j = j + 1 if s.kinds[j] in ("of", "to_hour", "dash") else j
    return j + 1 if s.kinds[j] in ("a", "ge") else j


def duration(s: TokenStream, i: int) -> tuple[Lapse, int] | None:
    """The longest length of time that starts at token `i`."""
    found = _single(s, i)
    if found is None:
        return None
    total, j = found
    for _ in range(5):
        k = j
        if s.kinds[k] == "and" or (s.kinds[k] == "sep" and s.tokens[k].raw == ","):
            k += 1
        if s.kinds[k] == "num" and s.tokens[k].raw == "零" and s.kinds[k + 1] == "num":
            k += 1
        more = _single(s, k) or _minutes_behind(s, k, total)
        if more is None or _size(more[0]) >= _size(total):
            break
        total, j = total.plus(more[0]), more[1]
    return total, j


def _minutes_behind(s: TokenStream, k: int, total: Lapse) -> tuple[Lapse, int] | None:
    """An hour and ten before, in an hour and ten, 1 hr 50, 一小时三刻: nobody said minutes."""
    if total.grain != "hour" or s.kinds[k] not in ("num", "tens"):
        return None
    value, led = s.tokens[k].value, s.kinds[k - 1] == "and"
    if s.kinds[k + 1] == "ke" and value in (1, 3):
        return lapse(15 * value, "minute"), k + 2
    told = s.kinds[k + 1] in (_TOLD if led and value < 10 else _CLOSING)
    told = told or (led and s.kinds[k + 1 : k + 3] == ["from", "now"])
    fits = (0 if led else 9) < value < 60 and s.tokens[k].raw.isascii()
    return (lapse(value, "minute"), k + 1) if told and fits else None


_TOLD = frozenset(("before", "after", "later", "ago"))
_CLOSING = _TOLD | {"end", "sep", "ask", "to"}


def _size(one: Lapse) -> float:
    return one.months * 2_600_000 + one.days * 86400 + one.seconds


def _single(s: TokenStream, i: int) -> tuple[Lapse, int] | None:
    if s.kinds[i] == "half" or (s.kinds[i] == "a" and s.kinds[i + 1] == "half"):
        return _half(s, i if s.kinds[i] == "half" else i + 1)
    if s.kinds[i] == "quarter" or (s.kinds[i] == "a" and s.kinds[i + 1] == "quarter"):
        return _quarter(s, i if s.kinds[i] == "quarter" else i + 1, 1)
    if s.kinds[i] == "date":
        part = _fraction(s, i)
        return _with_unit(s, _of_a_unit(s, i + 1), part) if part else None
    if s.kinds[i] == "hour_and_half":  # 个半钟
        return lapse(1.5, "hour"), i + 1
    read = amount(s, i)
    if read is None:
        return None
    value, j = read
    if s.kinds[j] in _UNITS_OF_THEIR_OWN:
        return _own_unit(s, j, value)
    if s.kinds[j + 1] in ("quarter", "unit") and s.tokens[j].raw in ("-", "more"):
        j += 1  # three-quarters, a ten-minute, 2 more minutes
    if s.kinds[j] == "quarter":
        return _quarter(s, j, value)
    return _with_fraction(s, j, value)


_UNITS_OF_THEIR_OWN = frozenset(("hour_and_half", "clock_marks"))


def _own_unit(s: TokenStream, j: int, value: float) -> tuple[Lapse, int] | None:
    """两个半钟, 三个字后, 过三个字."""
    if s.kinds[j] == "hour_and_half":
        return lapse(value + 0.5, "hour"), j + 1
    passes = s.kinds[j - 2] in ("pass", "past", "lead") and j > 1
    if s.kinds[j + 1] != "after" and not passes:
        return None
    return lapse(value * s.tokens[j].value, "minute"), j + 1


def _with_fraction(s: TokenStream, j: int, value: float) -> tuple[Lapse, int] | None:
    if s.kinds[j : j + 2] == ["ge", "half"] and s.kinds[j + 2] != "ge":
        value, j = value + 0.5, j + 2
        if s.kinds[j] == "month":
            return lapse(value, "month"), j + 1
    elif s.tokens[j].raw == "½":
        value, j = value + 0.5, j + 1
    elif s.kinds[j] == "date" and (part := _fraction(s, j)):  # 1 1/2 hours
        value, j = value + part, j + 1
    elif more := _and_a_part(s, j):
        value, j = value + more, j + 3
    return _with_unit(s, j, value)


def _half(s: TokenStream, i: int) -> tuple[Lapse, int] | None:
    one = s.kinds[i + 1] == "num" and s.tokens[i + 1].value == 1
    return _with_unit(s, i + 2 if one else _of_a_unit(s, i + 1), 0.5)


def _quarter(s: TokenStream, i: int, count: float) -> tuple[Lapse, int] | None:
    """Quarters of an hour; a quarter hour."""
    if s.kinds[i + 1] == "unit" and s.tokens[i + 1].value == "hour":
        return lapse(count * 15, "minute"), i + 2
    of_an = s.kinds[i + 1] in ("of", "to_hour") and s.kinds[i + 2] == "a"
    if of_an and s.kinds[i + 3] == "unit" and s.tokens[i + 3].value == "hour":
        return lapse(count * 15, "minute"), i + 4
    return None


def _with_unit(s: TokenStream, i: int, value: float) -> tuple[Lapse, int] | None:
    if s.kinds[i] == "fen_half":  # 两分半钟
        return lapse(value + 0.5, "minute"), i + 1
    unit = unit_at(s, i)
    if unit is None or value > 1_000_000:
        return None
    total = lapse(value, unit)
    j = i + 1
    if s.kinds[j] == "half" and s.kinds[j + 1] not in ("unit", "ge", "part"):
        return total.plus(lapse(0.5, unit)), j + 1
    more = _and_a_part(s, j)
    if more and s.kinds[j + 3] not in ("unit", "of"):
        return total.plus(lapse(more, unit)), j + 3
    return total, j


def _and_a_part(s: TokenStream, j: int) -> float:
    """… and a half, and a quarter, and three quarters."""
    if s.kinds[j] != "and" or s.kinds[j + 1] not in ("a", "num"):
        return 0
    return _FRACTIONS.get(s.kinds[j + 2], 0) * float(s.tokens[j + 1].value)


def _spaced_hour(s: TokenStream, i: int) -> bool:
    """1/2 h: of the letters only this one may stand apart."""
    return s.tokens[i].raw == "h" and s.head(i, 2)[:1].isdigit()


def unit_at(s: TokenStream, i: int) -> str | None:
    """The unit that this token names after a number, if it names one."""
    kind = s.kinds[i]
    if kind == "unit":
        return str(s.tokens[i].value)
    if kind == "fen":
        return "minute"
    if kind == "year":
        return "year"
    if kind == "ri":
        return "day"
    if kind == "letter_unit" and (s.head(i).isdigit() or _spaced_hour(s, i)):
        return str(s.tokens[i].value)
    if kind == "ord" and s.tokens[i].raw == "second":
        return "second"
    if kind == "part" and s.tokens[i].raw in ("nights", "mornings", "evenings", "afternoons"):
        return "day"  # for the next three nights
    if kind == "quarter" and s.tokens[i].raw == "quarters":
        return "quarter"
    return None


class Mention:
    """One wish about time, as it is gathered.

    What was not said stays at the class's own value: making one has to be cheap.
    """

    dates: list[Date]
    also: list[Date]
    """The same day said again: 明天（11月16日 周一）. All have to agree."""
    clocks: list[ClockWords]
    to_date: Date | None = None
    to_clock: ClockWords | None = None
    after: Lapse | None = None
    before: Lapse | None = None
    lead: Lapse | None = None
    shift: int = 0
    every: Every | None = None
    within: Every | None = None
    """每天8点到22点每两小时: the days whose hours are stepped through."""
    often: tuple[int, str] | None = None
    length: Lapse | None = None
    last_for: Lapse | None = None
    times: int | None = None
    count: int | None = None
    start: "Mention | None" = None
    until: "Mention | None" = None
    skip_holidays: bool = False
    lunar: bool = False
    zone: str | None = None
    """Whose clock the hours are read from, when it was said: 纽约时间."""
    through: bool = False
    """到月底…: its day was led by a word of ending, and 结束 may still follow."""
    between: bool = False
    """Between 9am and 5pm: its "and" joins the ends of a range."""
    vague: bool = False
    event: bool = False
    """Told by something that happens: 下班后, 睡前."""
    routines: tuple[Routine | None, ...] = ()
    """What happens, where it is of a person's day; None where it is something else."""
    open_event: bool = False
    """三点半下班前, 生日那天零点: the hour is no other name of what happens."""
    now: bool = False
    next_hour: bool = False
    """下个整点, at the top of the hour."""
    same_hour: bool = False
    """At the hour at which it was said: 后天这个时候."""
    vague_day: bool = False
    """这两天: some day of a few."""
    joins: bool = False
    """Mondays at 9 and Thursdays …: an "and" was read, and its day is still to come."""
    joined: bool = False
    """Opened by an "and": what is said of it is said of the one before too."""
    dismissed: bool = False
    """明天不用: said not to be meant, by words behind it."""
    contradicts: bool = False
    """9am every evening: which of the two was a slip?"""
    bad: str | None = None
    negated: bool = False
    corrects: bool = False
    alternative: bool = False
    said_before: tuple[int, int] = (0, 0)
    """Where the 不 or 改成 stood that opened it."""
    beside: list["Mention"]
    """每周一10点和周四15点: days with hours of their own."""
    hours_first: int = 0
    """How many hours stood before its first day: at 7 on weekdays, and 9 at weekends."""
    first: int = 0
    """Index of its first piece, and of the piece behind its last."""
    behind: int = 0

    def __init__(
        self,
        dates: list[Date] | None = None,
        clocks: list[ClockWords] | None = None,
        also: list[Date] | None = None,
        first: int = 0,
    ) -> None:
        self.dates = dates if dates is not None else []
        self.clocks = clocks if clocks is not None else []
        self.also = also if also is not None else []
        self.skip: list[Date] = []
        self.beside: list[Mention] = []
        self.spans: list[tuple[int, int]] = []
        self.first = first

    @property
    def timed(self) -> bool:
        return bool(self.clocks or self.after or self.now or self.next_hour)

    @property
    def dated(self) -> bool:
        return bool(self.dates or self.after or self.shift)

    @property
    def repeats(self) -> bool:
        return self.every is not None or self.often is not None

    @property
    def only_qualifies(self) -> bool:
        """A zone or 这个时候 alone: nothing that could be waited for."""
        if self.zone is None and not self.same_hour:
            return False
        said = self.dates or self.clocks or self.after or self.repeats or self.now or self.bad
        return not (said or self.tells or self.vague or self.event)

    @property
    def instructs(self) -> bool:
        """Says nothing of when by itself: a lead, a count, an end."""
        said = self.dates or self.clocks or self.after or self.repeats or self.now or self.bad
        return not said and not self.vague and not self.event and self.tells

    @property
    def tells(self) -> bool:
        return bool(
            self.lead or self.before or self.count or self.last_for or self.start
            or self.until or self.skip or self.skip_holidays or self.shift or self.times
        )  # fmt: skip
