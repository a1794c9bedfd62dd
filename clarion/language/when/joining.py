"""Two mentions that say one wish: what the second adds, takes back, or has from the first."""

from clarion.language.when.mention import Mention
from clarion.language.when.stream import ANY_HOUR, HALVES, HOURS_OF, ClockWords, Date


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
    return bool(wish.dates) and not wish.clocks and bool(m.clocks) and not m.dates and not m.shift


def merged(one: Mention, other: Mention) -> Mention:
    one.dates = one.dates or other.dates
    one.also += other.also
    one.clocks = one.clocks or other.clocks
    one.to_clock = one.to_clock or other.to_clock
    one.to_date = one.to_date or other.to_date
    if one.every and other.every and other.every.unit in ("second", "clock_hour"):
        one.within, one.every = one.every, other.every
    one.every = one.every or other.every
    one.often = one.often or other.often
    one.beside += other.beside
    one.lunar = one.lunar or other.lunar
    one.bad = one.bad or other.bad
    one.contradicts = one.contradicts or other.contradicts
    absorb(one, other)
    return one


def absorb(wish: Mention, m: Mention) -> None:
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
        m.clocks = [in_same_part(wish, clock) for clock in m.clocks]
    elif not m.clocks and not m.after:
        m.clocks = wish.clocks
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
