"""One wish about time, as it is gathered: everything that was said of it, and where it stands."""

from collections.abc import Callable

from clarion.language.when.stream import (
    EVENINGS,
    HALVES,
    MORNINGS,
    ClockWords,
    Date,
    Every,
    Lapse,
    Piece,
    Routine,
)

JOINING = frozenset(("and", "each"))
BESIDE = frozenset(("and", "sep"))
MINUTES_BACK = 120  # what is so little earlier than the hour before it goes with that one
THROUGH = frozenset(("to", "dash", "until"))


class Mention:
    """What was not said stays at the class's own value: making one has to be cheap."""

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
        said = self.dates or self.clocks or self.after or self.repeats or self.now or self.bad
        qualifies = self.zone is not None or self.same_hour
        return qualifies and not (said or self.tells or self.vague or self.event)

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


def _date(m: Mention, piece: Piece, links: set[str]) -> bool:
    date: Date = piece.value
    if date.last_day or date.edge is not None:
        date = _taken_apart(m, date)
    if "lunar" in links or m.lunar:
        m.lunar = True
    if m.joins:
        links, m.joins = {*links, "and"}, False
    if links & THROUGH and _ends_there(m, date):
        return True
    if m.clocks and _has_own_hour(m, date, links):
        return True
    if not m.dates and not m.repeats:
        m.hours_first = len(m.clocks)
    if not m.dates:
        m.dates.append(date)
        m.through = bool(links & THROUGH)
        return True
    if links & THROUGH:
        m.to_date = date
        return m.every is not None or not m.until
    return _another_day(m, date, links)


def _another_day(m: Mention, date: Date, links: set[str]) -> bool:
    in_month = bool(date.days) or (date.nth is not None and date.nth[1] > 6)
    if links & JOINING and in_month and m.every == Every("week") and m.dates[-1].weekdays:
        m.beside.append(Mention(dates=[date]))  # every Saturday and the last day of the month
        m.beside[-1].every = Every("month")
        return True
    listed = "sep" in links and len(date.weekdays) > 1 and not date.ranged and not m.repeats
    if listed and m.dates[0].offset is not None:  # tomorrow, Thursday and Saturday
        m.dates.append(date)
        return True
    if links & JOINING or (m.repeats and "sep" in links and alike(m.dates[-1], date)):
        m.dates.append(date)
        return True
    return _same_day_again(m, date)


def _taken_apart(m: Mention, date: Date) -> Date:
    """July 13-15 ends on another day; the end of Friday is its evening."""
    if date.last_day and not m.dates:
        m.to_date = date._replace(days=(date.last_day,), last_day=0)
        date = date._replace(last_day=0)
    if date.edge and date.weekdays:  # the end of Friday
        part = "dusk" if date.edge == "end" else "morning"
        m.clocks = m.clocks or [ClockWords(part=part, grain="part")]
        date = date._replace(edge=None)
    return date


def _ends_there(m: Mention, date: Date) -> bool:
    """从明天起到1月3号; 每天8点到周五; 晚上8点到明天早上10点."""
    if (m.start or m.repeats) and not m.until and not m.dates:
        m.until = Mention(dates=[date])
        return True
    if m.clocks and not m.dates:
        m.to_date = date
        return True
    return False


def _has_own_hour(m: Mention, date: Date, links: set[str]) -> bool:
    """…和周四15点: the day goes with the hour that follows it, or that stands before it."""
    if (m.dates or m.repeats) and _hours_of_its_own(m, links):
        m.beside[-1].dates.append(date)
        return True
    if m.beside and m.beside[-1].every and not (m.beside[-1].clocks or m.beside[-1].dates):
        m.beside[-1].dates.append(date)  # weekdays at 7, and every Saturday …
        return True
    if links & BESIDE and m.clocks and _may_have_more_days(m, date, links):
        m.beside.append(Mention(dates=[date]))
        return True
    return False


def _hours_of_its_own(m: Mention, links: set[str]) -> bool:
    """At 7 on weekdays and 9 at weekends: the last hours go with the days that follow them."""
    if not 0 < m.hours_first < len(m.clocks) or links - _ON or m.to_clock or m.to_date:
        return False
    m.beside.append(Mention(clocks=m.clocks[m.hours_first :]))
    m.clocks = m.clocks[: m.hours_first]
    return True


_ON = frozenset(("at", "on", "the"))


def _same_day_again(m: Mention, date: Date) -> bool:
    """明天（11月17日 周二）: a second name of the day, which has to agree."""
    if date.festival and m.clocks and m.dates[0].days and not m.dates[0].bare:
        return True  # 12/24晚上七点圣诞晚会: what is on, and no other day
    if date.festival and m.dates[0].bare:  # 八月十五中秋节: the festival tells which calendar
        m.dates[0] = date
        return True
    if date == Date(week=date.week) and m.repeats and m.clocks:  # 每周二8点，下周除外
        m.dates.append(date)
        return True
    if date == Date(week=date.week) and m.dates[0].weekdays and m.dates[0].week is None:
        m.dates[0] = m.dates[0]._replace(week=date.week)  # Wednesday evening next week
        return True
    if _style(date) not in {_style(known) for known in (*m.dates, *m.also)}:
        m.also.append(date)
        if _VAGUER.index(_style(date)) < _VAGUER.index(_style(m.dates[0])) and len(m.dates) == 1:
            m.dates[0], m.also[-1] = m.also[-1], m.dates[0]
        return True
    return False


def _may_have_more_days(m: Mention, date: Date, links: set[str]) -> bool:
    """每周一10点和周四15点; 工作日7点、周末9点; 明天8点和后天9点."""
    if m.to_date or m.until or (m.every and m.every.unit in ("second", "clock_hour")):
        return False
    if not m.dates:  # 工作日7点半，周末9点
        by_week = bool(date.weekend or date.weekdays) and date.week is None
        return m.every is not None and m.every.unit in _DAYS and by_week
    if "and" not in links:
        weekly = len(m.dates[-1].weekdays) > 1 and m.dates[-1].week is None
        return (m.repeats or weekly) and alike(m.dates[-1], date)
    return not m.repeats or alike(m.dates[-1], date)


# Of two names for one day the earlier in this row decides, the other has to agree.
_VAGUER = ("offset", "days", "festival", "nth", "weekdays", "week", "span")


def _style(date: Date) -> str:
    for name in ("offset", "festival", "month", "days", "weekdays", "weekend", "week", "nth"):
        if (value := getattr(date, name)) is not None and value is not False and value != ():
            return "days" if name == "month" else "weekdays" if name == "weekend" else name
    return "span"


def alike(one: Date, other: Date) -> bool:
    return _style(one) == _style(other)


def _clock(m: Mention, piece: Piece, links: set[str]) -> bool:
    read: ClockWords = piece.value
    if m.until is not None and m.until.dates and not m.until.clocks and m.clocks and not links:
        m.until.clocks.append(read)
        return True
    if not m.clocks and links & THROUGH and m.every and m.every.unit in ("second", "clock_hour"):
        m.until = Mention(clocks=[read])
        return True
    if not m.clocks:
        m.clocks.append(read)
        m.between = "between" in links
        return True
    if m.beside and not (links & THROUGH):
        return _clock(m.beside[-1], piece, links - {"sep"})
    if len(m.clocks) > 1 and _only_parts(m.clocks) and read.part is None and read.hour:
        m.clocks = [_with_part(read, clock.part) for clock in m.clocks]  # 早晚七点
        return True
    last = m.clocks[-1]
    if m.to_date is not None and m.to_clock is None and not links:
        m.to_clock = read
        return True
    if links & THROUGH or ("and" in links and m.between):
        m.clocks[-1], m.to_clock = _half_of_end(last, read), read
        return True
    m.contradicts = m.contradicts or _contradict(last, read, links)
    together = last if m.contradicts else _together(last, read, links)
    if together is not None:
        m.clocks[-1] = together
        return True
    side_by_side = not links and last.part and read.part and last.part != read.part
    listed = _listed(last, read, links)
    if listed or links & JOINING or (m.repeats and ("sep" in links or side_by_side)):
        m.clocks.append(read)
        return True
    return False


def _listed(last: ClockWords, read: ClockWords, links: set[str]) -> bool:
    """8点，12点; 每天8点20点; but 第一节课八点十分，七点半叫我 names two times."""
    if last.hour is None or read.hour is None:
        return False
    earlier = (last.hour - read.hour) * 60 + last.minute - read.minute
    if not links:  # one of the two alone would be half of what was asked for
        return not last.part and not read.part and earlier < 0
    return links == {"sep"} and not (read.part is None and 0 < earlier <= MINUTES_BACK)


def _half_of_end(start: ClockWords, end: ClockWords) -> ClockWords:
    """7.30-9pm is in the evening; 11:30-1pm starts in the morning."""
    bare = start.part is None and not start.exact and start.hour is not None
    if not bare or end.part != "pm" or end.hour is None:
        return start
    over = (start.hour or 0, start.minute) > (end.hour, end.minute) and end.hour != 12
    early = over or (end.hour == 12 and start.hour != 12)
    return start._replace(part="am" if early else "pm")


def _only_parts(clocks: list[ClockWords]) -> bool:
    return all(clock.hour is None for clock in clocks)


def _together(last: ClockWords, read: ClockWords, links: set[str]) -> ClockWords | None:
    """A part and an hour that say one time: 晚上…8点, 8点…晚上, nightly at 10pm."""
    if last.hour is None and read.hour is not None:
        if read.part is None or read.part == last.part:
            return _with_part(read, last.part)
        if read.part in ("am", "pm") and not links & JOINING:
            return read
    if last.hour is not None and read.hour is None and not links & JOINING:
        if last.part is None:
            return _with_part(last, read.part)
        if last.part == read.part or last.part == "midnight":  # at midnight tonight
            return last
        if read.part in HALVES.get(last.part, ()):  # 9pm every night
            return last
    if last.hour is not None and last.grain == "hour" and not links:
        return last if read == last._replace(hour=last.hour + 1) else None  # 九点十点
    return None


def _contradict(last: ClockWords, read: ClockWords, links: set[str]) -> bool:
    """9am every evening: an hour of one half of the day, and a part of the other."""
    if not links and last.hour is None and last.part in EVENINGS and read.part in MORNINGS:
        return True  # 晚上早上八点
    hour, part = (last, read) if read.hour is None else (read, last)
    if links & BESIDE or hour.hour is None or part.hour is not None or part.part is None:
        return False
    return hour.part in HALVES and part.part not in HALVES[hour.part]


def _with_part(read: ClockWords, part: str | None) -> ClockWords:
    return ClockWords(
        read.hour, read.minute, read.second, part, read.exact, read.grain, read.offset
    )


def _clocks(m: Mention, piece: Piece, links: set[str]) -> bool:
    m.clocks += piece.value
    return True


def _every(m: Mention, piece: Piece, links: set[str]) -> bool:
    steps = piece.value.unit in ("second", "clock_hour")
    if m.after is not None and m.every is None and steps:
        m.start = Mention()  # in an hour, then every ten minutes
        m.start.after, m.after = m.after, None
    if not m.repeats and not m.dates:
        m.hours_first = len(m.clocks)
    other = piece.value.unit in _DAYS or (piece.value == Every("month") and "and" in links)
    if other and _other_rhythm(m, piece, links):
        return True
    if m.every is not None and m.every.unit == "week" and piece.value == Every("week"):
        return True  # biweekly on Fridays
    if m.every is not None and piece.value.unit != m.every.unit:
        # 周一到周五每天, 每天每小时: the days of the first, the steps of the second.
        if steps:
            m.within = m.every
        elif m.every.unit in ("second", "clock_hour"):
            m.within = piece.value
            return True
        elif piece.value.unit == "day":
            return True
    m.lunar = m.lunar or "lunar" in links
    m.every = piece.value
    return True


def _other_rhythm(m: Mention, piece: Piece, links: set[str]) -> bool:
    """Other days with hours of their own: weekdays at 7 and weekends at 9; … and Thursdays."""
    if (m.dates or m.repeats) and _hours_of_its_own(m, links):
        m.beside[-1].every = piece.value
        return True
    if m.every is None or not m.clocks or not links & BESIDE:
        return False
    if piece.start == piece.end or piece.value == m.every:
        m.joins = True
    elif m.every.unit in _DAYS:
        m.beside.append(Mention())
        m.beside[-1].every = piece.value
    return True


_DAYS = frozenset(("day", "week", "workday", "weekend", "offday"))


def _length(m: Mention, piece: Piece, links: set[str]) -> bool:
    if links & {"last_for", "for"}:
        m.last_for = piece.value
    else:
        listed = "and" in links and "sep" not in links  # 10 minutes and 20 minutes
        m.vague = m.vague or (listed and bool(m.length or m.last_for))
        m.length = piece.value
    return True


def _times(m: Mention, piece: Piece, links: set[str]) -> bool:
    if "total" in links or "for" in links:
        m.count = piece.value
    else:
        m.times = piece.value
    return True


def _set(name: str) -> "Adder":
    def add(m: Mention, piece: Piece, links: set[str]) -> bool:
        if getattr(m, name):
            return False
        setattr(m, name, piece.value)
        return True

    return add


def _after(m: Mention, piece: Piece, links: set[str]) -> bool:
    """我睡一会儿，半小时后叫我: the second clause says how long."""
    if m.after or (m.vague and not m.vague_day and "sep" in links):
        return False
    m.after = piece.value
    return True


def _vague(m: Mention, piece: Piece, links: set[str]) -> bool:
    m.vague, m.vague_day = True, piece.value == "day"
    return True


def _shift(m: Mention, piece: Piece, links: set[str]) -> bool:
    """周六9点，前一天晚上: a clause of its own, told from the one before."""
    if m.shift or ("sep" in links and (m.dates or m.clocks)):
        return False
    m.shift = piece.value
    return True


def _event(m: Mention, piece: Piece, links: set[str]) -> bool:
    is_day = piece.value == Routine("day", 0)
    hours_first = piece.value is None and any(clock.hour is not None for clock in m.clocks)
    m.open_event = m.open_event or is_day or hours_first
    m.event, m.routines = True, (*m.routines, None if is_day else piece.value)
    return True


def _now(m: Mention, piece: Piece, links: set[str]) -> bool:
    """Now; between now and Friday leaves the day open."""
    open_day = "between" in links
    m.vague = m.vague_day = m.vague or open_day
    m.now = not open_day
    return True


def _flag(name: str) -> "Adder":
    def add(m: Mention, piece: Piece, links: set[str]) -> bool:
        setattr(m, name, True)
        return True

    return add


Adder = Callable[[Mention, Piece, set[str]], bool]
ADDERS: dict[str, Adder] = {
    "date": _date,
    "clock": _clock,
    "clocks": _clocks,
    "after": _after,
    "lasting": _set("last_for"),
    "before": _set("before"),
    "lead": _set("lead"),
    "shift": _shift,
    "often": _set("often"),
    "bad": _set("bad"),
    "zone": _set("zone"),
    "every": _every,
    "length": _length,
    "times": _times,
    "vague": _vague,
    "same_hour": _flag("same_hour"),
    "event": _event,
    "now": _now,
    "next_hour": _flag("next_hour"),
}


def own_clause(m: Mention, pieces: list[Piece]) -> bool:
    """Alone behind a comma, but for a verb of a letter or two: ，吃7天; ，叫3次."""
    behind = m.behind + 1 if _closing_de(m, pieces) else m.behind  # …，两点的
    ends = behind >= len(pieces) or pieces[behind].kind == "sep"
    if not ends or m.first == 0:
        return False
    first = m.first
    while first and pieces[first - 1].kind in _OPENERS:  # ，从九点到六点
        first -= 1
    before = pieces[first - 1] if first else pieces[m.first - 1]
    if before.kind == "gap" and before.end - before.start <= 2 and m.first > 1:
        before = pieces[m.first - 2]
    return before.kind == "sep"


def _closing_de(m: Mention, pieces: list[Piece]) -> bool:
    return m.behind < len(pieces) and pieces[m.behind].kind == "glue"


_OPENERS = frozenset(("from", "between", "at", "on"))


def clause_opening(m: Mention, pieces: list[Piece]) -> tuple[int, int]:
    before = pieces[m.first - 1]
    return (before.start, before.end) if before.kind == "gap" else (0, 0)


def is_of(m: Mention, pieces: list[Piece]) -> bool:
    """…的会: the time belongs to a thing."""
    if m.behind >= len(pieces):
        return False
    behind = pieces[m.behind]
    if m.first and pieces[m.first - 1].kind == "the" and behind.kind == "gap" and not m.repeats:
        return True  # the 3pm meeting, the Friday report
    if m.behind + 1 >= len(pieces):
        return False
    return (
        behind.kind == "glue"
        and behind.end - behind.start == 1
        and pieces[m.behind + 1].kind == "gap"
    )
