"""What a second day, hour or wish adds to the first, takes back, or has from it."""

from clarion.language.when.stream import (
    ANY_HOUR,
    EVENINGS,
    HALVES,
    HOURS_OF,
    MORNINGS,
    ClockWords,
    Date,
    Every,
    Mention,
    Piece,
)

JOINING = frozenset(("and", "each"))
BESIDE = frozenset(("and", "sep"))
MINUTES_BACK = 120  # what is so little earlier than the hour before it goes with that one


def another_day(m: Mention, date: Date, links: set[str]) -> bool:
    weekly = m.every == Every("week") and bool(date.weekdays) and date.week is None
    if m.to_date and weekly and not (m.start or m.clocks):  # 下周一到30号每周一三五
        m.start, m.dates = Mention(dates=m.dates), [date]
        return True
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


def has_own_hour(m: Mention, date: Date, links: set[str]) -> bool:
    """…和周四15点: the day goes with the hour that follows it, or that stands before it."""
    if (m.dates or m.repeats) and _hours_of_its_own(m, links):
        m.beside[-1].dates.append(date)
        return True
    last = m.beside[-1] if m.beside else None
    if last and last.every and not last.dates and (not last.clocks or last.every == Every("week")):
        last.dates.append(date)  # weekdays at 7, and every Saturday …; at 7 … and 9 on Saturdays
        return True
    if links & BESIDE and m.clocks and _may_have_more_days(m, date, links):
        m.beside.append(Mention(dates=[date]))
        return True
    return False


def _hours_of_its_own(m: Mention, links: set[str]) -> bool:
    """At 7 on weekdays and 9 at weekends: the last hours go with the days that follow them."""
    own = m.hours_first
    if not own and m.every and m.every.unit in ("workday", "weekend", "week"):
        own = len(m.clocks) - 1  # weekdays at 7 and 9 at weekends
    if not 0 < own < len(m.clocks) or links - _ON or m.to_clock or m.to_date:
        return False
    m.beside.append(Mention(clocks=m.clocks[own:]))
    m.clocks = m.clocks[:own]
    return True


_ON = frozenset(("at", "on", "the"))


def _same_day_again(m: Mention, date: Date) -> bool:
    """明天（11月17日 周二）: a second name of the day, which has to agree."""
    if date.festival and m.clocks and not (m.dates[0].bare or m.dates[0].festival):
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
        return m.every is not None and m.every.unit in UNITS_OF_DAYS and by_week
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


def are_listed(last: ClockWords, read: ClockWords, links: set[str]) -> bool:
    """8点，12点; 每天8点20点; but 第一节课八点十分，七点半叫我 names two times."""
    if last.hour is None or read.hour is None:
        return False
    earlier = (last.hour - read.hour) * 60 + last.minute - read.minute
    if not links:  # one of the two alone would be half of what was asked for
        return not last.part and not read.part and earlier < 0
    return links == {"sep"} and not (read.part is None and 0 < earlier <= MINUTES_BACK)


def half_of_end(start: ClockWords, end: ClockWords) -> ClockWords:
    """7.30-9pm is in the evening; 11:30-1pm starts in the morning."""
    bare = start.part is None and not start.exact and start.hour is not None
    if not bare or end.part != "pm" or end.hour is None:
        return start
    over = (start.hour or 0, start.minute) > (end.hour, end.minute) and end.hour != 12
    early = over or (end.hour == 12 and start.hour != 12)
    return start._replace(part="am" if early else "pm")


def only_parts(clocks: list[ClockWords]) -> bool:
    return all(clock.hour is None for clock in clocks)


def one_clock(last: ClockWords, read: ClockWords, links: set[str]) -> ClockWords | None:
    """A part and an hour that say one time: 晚上…8点, 8点…晚上, nightly at 10pm."""
    if last.hour is None and read.hour is not None:
        if read.part is None or read.part == last.part:
            return with_part(read, last.part)
        if read.part in ("am", "pm") and not links & JOINING:
            return read
    if last.hour is not None and read.hour is None and not links & JOINING:
        if last.part is None:
            return with_part(last, read.part)
        if last.part == read.part or last.part == "midnight":  # at midnight tonight
            return last
        if read.part in HALVES.get(last.part, ()):  # 9pm every night
            return last
    if last.hour is not None and last.grain == "hour" and not links:
        return last if read == last._replace(hour=last.hour + 1) else None  # 九点十点
    return None


def contradict(last: ClockWords, read: ClockWords, links: set[str]) -> bool:
    """9am every evening: an hour of one half of the day, and a part of the other."""
    if not links and last.hour is None and last.part in EVENINGS and read.part in MORNINGS:
        return True  # 晚上早上八点
    hour, part = (last, read) if read.hour is None else (read, last)
    if links & BESIDE or hour.hour is None or part.hour is not None or part.part is None:
        return False
    return hour.part in HALVES and part.part not in HALVES[hour.part]


def with_part(read: ClockWords, part: str | None) -> ClockWords:
    return ClockWords(
        read.hour, read.minute, read.second, part, read.exact, read.grain, read.offset
    )


def other_rhythm(m: Mention, piece: Piece, links: set[str]) -> bool:
    """Other days with hours of their own: weekdays at 7 and weekends at 9; … and Thursdays."""
    if (m.dates or m.repeats) and _hours_of_its_own(m, links):
        m.beside[-1].every = piece.value
        return True
    if m.every is None and _is_weekly(m) and piece.value == Every("week"):
        m.every = piece.value  # 周一三五七点，二四六八点
    if m.every is None or not m.clocks or not links & BESIDE:
        return False
    if piece.start == piece.end or piece.value == m.every:
        m.joins = True
    elif m.every.unit in UNITS_OF_DAYS:
        m.beside.append(Mention())
        m.beside[-1].every = piece.value
    return True


UNITS_OF_DAYS = frozenset(("day", "week", "workday", "weekend", "offday"))


def is_weekly_pattern(said: Date) -> bool:
    """Monday to Friday, 周二四: several weekdays, and no week of theirs."""
    return len(said.weekdays) > 1 and said.week is None and not said.coming


def is_length(m: Mention) -> bool:
    """Only how long something takes: 练二十分钟口语."""
    said = m.dates or m.clocks or m.after or m.repeats or m.tells or m.event or m.vague
    return m.length is not None and not said


def has_weekly_hours(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """周一三五晚上八点健身，周二四早上七点跑步: other weekdays with an hour of their own."""
    if not (_is_weekly(wish) and _is_weekly(m)) or wish.lead or m.lead or m.corrects or m.shift:
        return False
    parted = any(piece.kind in ("sep", "and") for piece in pieces[wish.behind : m.first])
    return parted and not set(wish.dates[0].weekdays) & set(m.dates[0].weekdays)


def _is_weekly(m: Mention) -> bool:
    """Several weekdays of every week at an hour: 周二四早上七点, every Monday at 9."""
    said = m.dates[0] if len(m.dates) == 1 else Date()
    several = len(said.weekdays) > 1 or (bool(said.weekdays) and m.every == Every("week"))
    weekly = several and said.week is None and not said.coming and m.every in (None, Every("week"))
    return weekly and len(m.clocks) == 1 and m.clocks[0].hour is not None and not m.to_clock


def own_clause(m: Mention, pieces: list[Piece]) -> bool:
    """Alone behind a comma, but for a verb of a letter or two: ，吃7天; ，叫3次."""
    behind = m.behind
    while behind < len(pieces) and pieces[behind].kind == "glue":  # …，两点的; 十点以后吧
        behind += 1
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


_OPENERS = frozenset(("from", "between", "at", "on", "glue"))


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


def takes_hour_of_part(wish: Mention, m: Mention) -> bool:
    """今晚有聚会，七点; Saturday morning yoga at 9:30: a part of the day first, then its hour."""
    if len(wish.clocks) != 1 or wish.clocks[0].hour is not None or not m.clocks:
        return False
    part = wish.clocks[0].part
    within = [c.part in (None, part) or part in HALVES.get(c.part, ()) for c in m.clocks]
    hours = all(within) and all(clock.hour is not None for clock in m.clocks)
    more = m.dates or m.after or m.repeats or m.shift or wish.to_clock or wish.after
    if not hours or more:
        return False
    if any(clock.hour not in HOURS_OF.get(part, ANY_HOUR) for clock in m.clocks):
        m.alternative = True  # 中午太晒，…，七点我去跑: which of the two?
        return False
    wish.clocks, wish.to_clock = [in_same_part(wish, clock) for clock in m.clocks], m.to_clock
    return True


def completes(wish: Mention, m: Mention) -> bool:
    """明天…早上8点: a day first, then an hour. 每天…8点; 8点…每天."""
    if wish.repeats and m.repeats:
        same = wish.every == m.every and not wish.dates  # weekly reminder on Fridays
        return not wish.clocks and (same or not m.dates)
    if wish.after and not wish.after.seconds and not (wish.clocks or wish.dates):
        return bool(m.clocks) and not (m.dates or m.after or m.repeats or m.shift)
    if wish.after or m.after or wish.now:
        return False
    if wish.repeats and m.dates and not wish.dates and not m.clocks and wish.every is not None:
        return wish.every.unit in ("month", "year", "week")
    if wish.repeats or (m.repeats and not m.dates):
        return (bool(wish.clocks) != bool(m.clocks)) and not (wish.dates and m.dates)
    same_day = not m.dates or m.dates == wish.dates
    return bool(wish.dates) and not wish.clocks and bool(m.clocks) and same_day and not m.shift


def merged(one: Mention, other: Mention) -> Mention:
    one.dates = one.dates or other.dates
    one.after = one.after or other.after
    one.also += other.also
    one.clocks = one.clocks or other.clocks
    one.to_clock = one.to_clock or other.to_clock
    one.to_date = one.to_date or other.to_date
    if one.every and other.every and other.every.unit in ("second", "clock_hour"):
        one.within, one.every = one.every, other.every
    one.every = one.every or other.every
    one.often = one.often or other.often
    daily = one.every in (Every("day"), Every("workday"))
    if daily and len(one.dates) == 1 and _is_one_day(one.dates[0]):
        one.start, one.dates = one.start or Mention(dates=one.dates), []
    one.beside += other.beside
    one.lunar = one.lunar or other.lunar
    one.bad = one.bad or other.bad
    one.contradicts = one.contradicts or other.contradicts
    absorb(one, other)
    return one


def _is_one_day(said: Date) -> bool:
    """From tomorrow …, remind me every day: the first of all, and not the day of each year."""
    dated = bool(said.days) and (said.month is not None or said.month_offset is not None)
    return said.offset is not None or said.week is not None or dated


def absorb(wish: Mention, m: Mention) -> None:
    if wish.lead and m.lead and wish.lead != m.lead:
        wish.contradicts = True  # 提前五分钟和提前一小时都提醒我
    wish.lead = wish.lead or m.lead or m.before
    wish.count = wish.count or m.count
    wish.times = max(wish.times or 0, m.times or 0) or None
    wish.last_for = wish.last_for or m.last_for
    wish.start = wish.start or m.start
    wish.until = wish.until or m.until
    wish.shift = wish.shift or m.shift
    wish.skip += m.skip
    wish.skip_holidays = wish.skip_holidays or m.skip_holidays
    wish.spans += m.spans


def corrected(wish: Mention, m: Mention) -> Mention:
    """The last stance, with what it did not take back: 明天七点，不，八点."""
    spans = wish.spans
    if not m.dates and not m.after and not m.repeats:
        m.dates, m.also, m.every = wish.dates, wish.also, wish.every
        m.after = wish.after if wish.after and not wish.after.seconds else None
        m.clocks = [in_same_part(wish, clock) for clock in m.clocks]
    elif not m.clocks and not m.after:
        m.clocks = wish.clocks
    if len(m.dates) == 1 and wish.dates and wish.dates[0].weekdays and not m.repeats:
        said = m.dates[0]  # 下周三，不对，周四: of the same week
        if said == Date(weekdays=said.weekdays, english=said.english):
            m.dates = [said._replace(week=wish.dates[0].week)]
    m.spans = [*spans, m.said_before, *m.spans]
    return m


def inherited(m: Mention, event: Mention) -> Mention:
    """明天下午3点有会，2点半叫我: the day and the half of the day are the event's."""
    if not m.dates and not m.after and not m.repeats and (event.dates or event.repeats):
        m.shift = m.shift or event.shift
        m.dates, m.also, m.every = event.dates, event.also, event.every
        m.clocks = [in_same_part(event, clock) for clock in m.clocks]
    if event.dates and m.dates and _is_of_either_week(event.dates[0], m.dates[0]):
        m.alternative = True
    if len(m.dates) == 1 and event.dates and m.dates[0] == Date(days=m.dates[0].days):
        m.dates = [_same_month(event.dates[0], m.dates[0])]
    return m


def _is_of_either_week(event: Date, said: Date) -> bool:
    """下周一放假，周二叫我: the day behind it, or the one of this week?"""
    both = event.week == 1 and said == Date(weekdays=said.weekdays, english=said.english)
    return both and event.weekdays == tuple(day - 1 for day in said.weekdays)


def _same_month(event: Date, said: Date) -> Date:
    """12月26号考试，25号晚上提醒我: the day is of the month that was named."""
    if not event.days or event.lunar or event.bare:
        return said
    return said._replace(month=event.month, month_offset=event.month_offset, year=event.year)


def in_same_part(event: Mention, clock: ClockWords) -> ClockWords:
    bare = clock.part is None and not clock.exact and clock.hour is not None
    if not bare or not event.clocks:
        return clock
    usual = HOURS_OF.get(event.clocks[0].part, ANY_HOUR)
    if clock.hour not in usual and event.clocks[0].hour in usual:
        return clock  # an evening at six, remind me at three
    return clock._replace(part=event.clocks[0].part)


def is_day_beside(one: Mention, other: Mention) -> bool:
    """The night before my exam on 11 October: the second day tells the first."""
    told = one.shift and not (one.dates or one.after or one.repeats)
    if not told or not other.dates or other.repeats or other.shift or other.corrects:
        return False
    one.dates, one.also = other.dates, other.also
    return True


def one_of_content(
    wish: Mention, m: Mention, pieces: list[Piece], *, last_wins: bool
) -> Mention | None:
    """The wish, where the other of the two only tells what is to be done."""
    if is_length(wish) and (m.dates or m.clocks) and pieces[m.first - 1].kind == "sep":
        return m  # 练二十分钟口语，明天八点
    if _is_of_content(wish, m, pieces):
        return wish
    return m if not last_wins and _names_first(wish, m, pieces) else None


def _is_of_content(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """下午五点我要回复九点的邮件; …浇花十分钟: said of what is to be done, behind its own time."""
    if _is_for_a_day(wish, m, pieces):
        return True
    if pieces[m.first - 1].kind != "gap" or wish.behind >= m.first or m.after or m.repeats:
        return False
    if m.length and not (m.dates or m.clocks):
        behind = pieces[m.behind] if m.behind < len(pieces) else None
        closed = behind is not None and (behind.kind in ("sep", "gap") or behind.value == "of")
        return bool(wish.clocks or wish.after) and closed
    told = _tells_hour(wish) or wish.after or (wish.dates and not m.clocks)
    alone = bool(m.dates) != bool(m.clocks) and not m.shift
    return bool(told) and alone and _tells_which(m, pieces) and not is_of(wish, pieces)


def _is_for_a_day(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """At 5 confirm the hotel for Saturday."""
    led = wish.first == 0 and [piece.kind for piece in pieces[m.first - 2 : m.first]]
    return led == ["gap", "for"] and _tells_hour(wish) and bool(m.dates) and not m.clocks


def _tells_which(m: Mention, pieces: list[Piece]) -> bool:
    """九点的邮件, the 9 am email; the other small words behind a time bind nothing."""
    led = is_of(m, pieces)
    return led and (pieces[m.behind].value == "of" or pieces[m.first - 1].kind == "the")


def _names_first(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """The 9 am email at five, the Monday report tomorrow, Halloween candy tomorrow at 8."""
    if is_of(m, pieces) or m.corrects or m.instructs or wish.repeats or wish.after:
        return False
    feast = len(wish.dates) == 1 and bool(wish.dates[0].festival) and not wish.clocks
    feast = feast and wish.behind < len(pieces) and pieces[wish.behind].kind == "gap"
    if feast and (m.after or (m.dates and not m.dates[0].days)):
        return True
    if not _tells_which(wish, pieces):
        return False
    if m.after or m.repeats:
        return bool(wish.dates) and not _tells_hour(wish)
    days = bool(m.dates and wish.dates) and not wish.clocks
    return days or (_tells_hour(m) and (_tells_hour(wish) or bool(m.dates and wish.dates)))


def _tells_hour(m: Mention) -> bool:
    return bool(m.clocks) and m.clocks[0].hour is not None


def bounds_rhythm(m: Mention, rhythm: Mention) -> bool:
    """From tomorrow until June 28 remind me every Monday; 每天八点…，从明天到月底: its days."""
    to = Mention(dates=[m.to_date]) if m.to_date else m.until
    more = m.clocks or m.after or m.repeats or m.shift or m.lead or m.corrects
    if to is None or not m.dates or more or not rhythm.repeats or rhythm.until:
        return False
    rhythm.start, rhythm.until = rhythm.start or Mention(dates=m.dates), to
    return True


def ends_rhythm(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """每天八点吃药，吃到月底: the last day on which it is done."""
    pattern = wish.repeats or (len(wish.dates) == 1 and is_weekly_pattern(wish.dates[0]))
    only = m.through and m.dates and not (m.clocks or m.repeats or m.after or m.to_date or m.shift)
    led = pieces[m.first - 1] if m.first else None  # 到, 至: not the English word
    if not (pattern and only and led) or led.kind != "to" or led.end - led.start > 1:
        return False
    by_month = wish.every is not None and wish.every.unit in ("month", "quarter", "year")
    if (
        wish.until
        or not (wish.clocks or wish.repeats)
        or (by_month and (m.dates[0].weekdays or m.dates[0].weekend))
    ):
        return False  # 每月20号还款，遇到周末提前到周五
    wish.until = Mention(dates=m.dates)
    return True


def is_its_span(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    led = pieces[m.first - 1].kind in ("from", "between")
    return (led or own_clause(m, pieces)) and bounds_rhythm(m, wish)


def is_another_hour(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """每天八点吃一次，九点吃一次; 给张一点打电话，下午三点: an hour that is not the first again."""
    if not (wish.clocks and m.clocks) or m.dates or m.after or m.repeats or m.shift or m.corrects:
        return False
    one, other = wish.clocks[-1], m.clocks[0]
    if one.hour is None or other.hour is None:
        return False
    weekly = wish.repeats or (bool(wish.dates) and len(wish.dates[0].weekdays) > 1)
    if weekly:
        return any(piece.kind == "sep" for piece in pieces[wish.behind : m.behind])
    same = (one.hour % 12, one.minute) == (other.hour % 12, other.minute)
    return not same and own_clause(m, pieces)


def both_full(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """Two days with an hour each, and only a comma between them."""
    if not (wish.dates and wish.clocks and m.dates and m.clocks) or wish.repeats or m.repeats:
        return False
    between = pieces[wish.behind : m.first]
    listed = len(between) == 1 and between[0].kind == "sep" and not (m.corrects or m.shift)
    return listed and wish.dates != m.dates


def is_day(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """… the 7pm show on Saturday; dentist at 3 with Dr Lee on October 9; 五点看牙，两周后."""
    if m.clocks or len(m.dates) + bool(m.after) != 1:
        return False
    last = m.behind >= len(pieces) or pieces[m.behind].kind in ("sep", "to")
    parted = any(piece.kind == "sep" for piece in pieces[wish.behind : m.first])
    led, day = pieces[m.first - 1], pieces[m.first]
    spaced = led.end < day.start and led.kind != "at"  # …讨论10月9号, call Bob about October 9
    closed = last and ((not parted and spaced) or own_clause(m, pieces))
    if m.after:
        return closed and parted and not m.after.seconds
    said = m.dates[0]
    named = said.days or said.weekdays or said.festival or said.nth or said.edge or said.offset
    return said.english or (closed and bool(named) and not said.is_behind)
