"""Lengths of time and what is done with them: 5分钟后, in two hours, 提前10分钟, 过几天."""

import re

from clarion.language.when.dates.english import english_date
from clarion.language.when.hours.clock import at_hour, clock
from clarion.language.when.stream import (
    ClockWords,
    Date,
    Every,
    Lapse,
    Pieces,
    TokenStream,
    duration,
    lapse,
    make_piece,
    one,
)
from clarion.language.when.words import words


def lapse_piece(s: TokenStream, i: int) -> Pieces | None:
    """5分钟后, two hours later, 3 days from now, 10 minutes before, 三天前."""
    if s.kinds[i + 1] in ("loosely", "several", "about") and duration(s, i) is None:
        return _roughly(s, i)
    read = duration(s, i)
    if read is None:
        return None
    return lapse_piece_of(s, i, *read)


def lapse_piece_of(s: TokenStream, i: int, gone: Lapse, j: int) -> Pieces:
    """What the words behind a length make of it."""
    j = j + 1 if s.tokens[j].raw.strip() == "'" else j  # ten minutes' notice
    kind, raw = s.kinds[j], s.tokens[j].raw
    raw = "before" if raw == "b4" else raw
    if kind == "event" and raw.startswith("before ") and _tells_event(s, j, raw):
        return one(s, "before", gone, i, j + 1)  # an hour before dinner at 7
    from_now = s.kinds[j + 1] == "now" or s.tokens[j + 1].raw == "today"
    if raw in ("after", "from", "before") and i and s.kinds[i - 1] == "for" and not from_now:
        return one(s, "length", gone, i, j)  # for two hours from 2pm
    if raw in ("after", "before") and (bare := _bare_hour(s, j + 1)):
        lead = gone if raw == "before" else gone.reversed()
        return [*one(s, "lead", lead, i, j + 1)[0], *bare[0]], bare[1]
    if raw in ("after", "from"):
        return _told_from(s, i, j, gone)
    if kind in ("after", "within", "later"):
        within = kind == "within" and s.kinds[j + 1] in ("every", "every_gap", "everyday")
        meant = "vague" if s.tokens[i].raw in _ABOUT else "lasting" if within else "after"
        return one(s, meant, gone, i, j + 1)
    if raw == "before" and s.tokens[j - 1].raw in ("nights", "evenings") and not gone.seconds:
        evening = make_piece(("clock", _EVENING, s.tokens[j].end, s.tokens[j].end))
        return [*one(s, "shift", -int(gone.days), i, j + 1)[0], evening], j + 1
    if kind in ("before", "ago") or raw in ("beforehand", "early"):
        return one(s, "before", gone, i, j + 1)
    return _by_next_word(s, i, j, gone) or one(s, "length", gone, i, j)


def _tells_event(s: TokenStream, j: int, raw: str) -> bool:
    """Before my dinner with Sam; before dinner on Friday at 7."""
    with_somebody = raw.startswith("before my ") and s.tokens[j + 1].raw == "with"
    return with_somebody or bool(_CLOCKS.intersection(s.kinds[j + 1 :]))


_CLOCKS = frozenset(("clock", "meridiem", "oclock", "at", "clock_word"))
_EVENING = ClockWords(part="tonight", grain="part")


def lasting_clock(s: TokenStream, i: int) -> Pieces | None:
    """1h30 from now, 2:30 hours later, a timer of 1h15: a length, though a clock shows it so."""
    read = _shown_by_clock(s, i)
    if read is None:
        return None
    gone, j = read
    if s.kinds[j] in ("after", "later", "ago", "before") or s.tokens[j].raw == "from":
        return lapse_piece_of(s, i, gone, j)
    timer = any(token.raw in ("timer", "countdown") for token in s.tokens[:i])
    return one(s, "length", gone, i, j) if timer else None


def _by_next_word(s: TokenStream, i: int, j: int, gone: Lapse) -> Pieces | None:
    """Ten minutes in advance, a ten-minute warning, an hour's heads up, 10 minutes apart."""
    raw = s.tokens[j].raw
    if raw == "in" and s.tokens[j + 1].raw == "advance":
        return one(s, "before", gone, i, j + 2)
    if raw in ("is", "are") and s.tokens[j + 1].raw == "up" and gone.seconds:
        return one(s, "after", gone, i, j + 2)  # tell me when twenty minutes are up
    if raw in ("warning", "notice"):
        return one(s, "lead", gone, i, j + 1)
    if raw == "out" and not gone.seconds and s.kinds[j + 1] in ("end", "sep"):
        return one(s, "before", gone, i, j + 1)  # sixty days out
    up = j + 2 if s.kinds[j + 1] == "dash" else j + 1
    if raw == "heads" and s.tokens[up].raw == "up":
        return one(s, "lead", gone, i, up + 1)
    if raw == "into":
        return one(s, "event", None, i, j + 1)  # an hour into the flight
    if raw == "apart" and gone.seconds:
        return one(s, "every", Every("second", gone.seconds), i, j + 1)
    return None


def _bare_hour(s: TokenStream, j: int) -> Pieces | None:
    """The 3 of "an hour before 3"."""
    if s.kinds[j] != "num" or s.kinds[j + 1] not in ("end", "sep", "to"):
        return None
    hour = s.tokens[j].value
    return one(s, "clock", ClockWords(hour), j, j + 1) if hour in range(1, 13) else None


def _told_from(s: TokenStream, i: int, j: int, gone: Lapse) -> Pieces:
    """… after noon, … from now; the rest is told from a day, which `dates.english` reads."""
    k = j + 2 if s.kinds[j + 1] == "the" or s.tokens[j + 1].raw in ("my", "our") else j + 1
    if clock(s, k):  # two hours after noon, after the 9 o'clock news: the other way
        return one(s, "lead", gone.reversed(), i, k)
    from_now = s.kinds[j + 1] == "now" or s.tokens[j + 1].raw == "today"
    if s.tokens[j].raw == "from":
        return one(s, "after", gone, i, j + 2) if from_now else one(s, "length", gone, i, j)
    if s.tokens[j + 1].raw in ("i", "he", "she", "we", "they", "you"):
        return one(s, "event", None, i, j + 1)  # two hours after I take it
    alone = s.kinds[j + 1] in ("end", "sep", "gap")
    return one(s, "after", gone, i, j + 1) if alone else one(s, "length", gone, i, j)


def _roughly(s: TokenStream, i: int) -> Pieces | None:
    """十来分钟后, 二十多天后: the person is asked."""
    j = i + 3 if s.kinds[i + 2] == "ge" else i + 2
    if s.kinds[j] == "point":  # 十来点
        return one(s, "vague", None, i, j + 1)
    timed = s.kinds[j] in ("unit", "fen", "year", "month") and s.kinds[j + 1] == "after"
    return one(s, "vague", None, i, j + 2) if timed else None


_ABOUT = ("两三", "三四", "三五", "四五", "五六", "七八", "一两", "二三", "六七", "八九")


def in_piece(s: TokenStream, i: int) -> Pieces | None:
    """In 5 minutes; in the morning; in March."""
    j = i + 1
    while s.kinds[j] in ("about", "at", "the", "glue") and s.tokens[j].raw != "at" and j < i + 3:
        j += 1  # but it gets in at ten to four
    counted = bool(i) and s.kinds[i - 1] == "num" and s.kinds[j] == "num"  # one in ten
    if s.tokens[j].raw == "sun" or (i and s.kinds[i - 1] == "unit" and s.kinds[j] == "a"):
        return None  # in the sun; how many seconds in a minute
    decade = s.kinds[j - 1] == "the" and s.tokens[j + 1].raw == "s"  # in the 60s
    if decade or (counted and s.kinds[j + 1] != "unit"):
        return None
    if s.kinds[j] == "num" and len(s.tokens[j].raw) == 4 and 1900 <= s.tokens[j].value <= 2200:
        alone = s.kinds[j + 1] in ("end", "sep", "ask", "to")
        return one(s, "date", Date(year=s.tokens[j].value), i, j + 1) if alone else None
    if s.kinds[j] == "a" and s.tokens[j + 1].raw in ("sec", "second") and s.kinds[j + 2] == "end":
        return one(s, "vague", None, i, j + 2)
    if told := _in_length(s, i, j):
        return told
    k = j + 2 if s.kinds[j : j + 2] == ["rel_word", "couple"] else j  # in the next couple of days
    if k > j or s.kinds[j] == "several":
        k = k + 1 if s.kinds[k] in ("of", "several") else k
        return one(s, "vague", None, i, k + 1 if s.kinds[k] == "unit" else k)
    if s.kinds[j] == "a" and s.kinds[j + 1] in ("several", "gap"):
        end = j + 3 if s.kinds[j + 2] == "unit" else j + 2
        return one(s, "vague", None, i, end) if s.tokens[j + 1].raw in _SOON else None
    if s.kinds[j] == "part":
        return one(s, "clock", ClockWords(part=str(s.tokens[j].value), grain="part"), i, j + 1)
    found = english_date(s, j)
    return one(s, "date", found[0], i, found[1]) if found else None


def _in_length(s: TokenStream, i: int, j: int) -> Pieces | None:
    """… 3 working days, … another two weeks' time, … an hour or two."""
    if working := _workdays_on(s, j):
        return one(s, "date", working[0], i, working[1])
    j = j + 1 if s.tokens[j].raw == "another" else j
    read = duration(s, j) or _minutes_alone(s, j) or _the_next(s, j)
    linked = s.kinds[j + 1] in _LINKED or (read is not None and s.kinds[read[1]] == "or")
    if linked and (open_end := _between_two(s, j, read)):
        return one(s, "vague", None, i, open_end)
    if read is None:
        return None
    if s.kinds[read[1]] == "before" and i and s.tokens[i - 1].raw in _DONE_IN:
        return one(s, "lead", read[0], i + 1, read[1] + 1)  # check in 24 hours before …
    if s.tokens[j + 1].raw == "d" and s.tokens[j].raw in "234" and _FILMED.search(s.text):
        return one(s, "gap", None, i, read[1])  # see it in 3D
    j = read[1] + 1 if s.tokens[read[1]].raw.strip() == "'" else read[1]
    return one(s, "after", read[0], i, j + 1 if s.tokens[j].raw == "time" else j)


_DONE_IN = frozenset(words("check checking clock sign log hand turn send phone call dial plug"))
_FILMED = re.compile(
    r"\b(?:film|movie|cinema|imax|ticket|watch|see|print|model|render|draw|game|scan|tv)"
)


def _between_two(s: TokenStream, j: int, read: tuple[Lapse, int] | None) -> int | None:
    """In an hour or two, in 5-10 minutes: where it ends, if it leaves open how long."""
    if read and s.kinds[read[1] : read[1] + 2] == ["or", "num"]:
        return read[1] + 2
    first = ("num", "tens") if s.kinds[j + 1] in ("to", "or") else ("num",)  # twenty-five is one
    counted = s.kinds[j + 2] in ("num", "tens") and s.kinds[j + 3] == "unit"
    return j + 4 if s.kinds[j] in first and s.kinds[j + 1] in _LINKED and counted else None


_LINKED = frozenset(("to", "dash", "or"))


def _the_next(s: TokenStream, j: int) -> tuple[Lapse, int] | None:
    """In the next hour."""
    hour = s.kinds[j + 1] == "unit" and s.tokens[j + 1].value in ("hour", "minute")
    named = hour and s.tokens[j].raw == "next"
    return (lapse(1, str(s.tokens[j + 1].value)), j + 2) if named else None


def _minutes_alone(s: TokenStream, j: int) -> tuple[Lapse, int] | None:
    """In 15', in fifteen, in 1h15: minutes, where nothing else is counted."""
    if shown := _shown_by_clock(s, j):
        return shown
    if s.kinds[j] not in ("num", "tens") or isinstance(s.tokens[j].value, float):
        return None
    minutes = lapse(s.tokens[j].value, "minute")
    if s.tokens[j + 1].raw[:1] == "'" and s.tokens[j + 1].start == s.tokens[j].end:
        return minutes, j + 2
    again = s.kinds[j + 1] == "and" and s.kinds[j + 2] in ("in", "glue")  # in 10 and in 20
    closed = again or s.kinds[j + 1] in ("end", "sep", "ask", "to")
    return (minutes, j + 1) if closed and s.tokens[j].value in _ROUND else None


def _shown_by_clock(s: TokenStream, j: int) -> tuple[Lapse, int] | None:
    """1h15, 1:30 hours."""
    shown = _SHOWN.fullmatch(s.tokens[j].raw) if s.kinds[j] == "clock" else None
    if shown is None or (shown[2] == ":" and s.tokens[j + 1].value != "hour"):
        return None
    read = lapse(int(shown[1]), "hour").plus(lapse(int(shown[3]), "minute"))
    return read, j + 1 if shown[2] == "h" else j + 2


_SHOWN = re.compile(r"(\d+)([h:])(\d\d)")
_ROUND = (5, 10, 15, 20, 25, 30, 40, 45, 50)


def counted_days(s: TokenStream, i: int) -> Pieces | None:
    """三个工作日后, 3 business days from now, two Fridays from now."""
    found = _workdays_on(s, i)
    days = s.kinds[i + 1] == "weekdays" and isinstance(s.tokens[i].value, int)
    if found is None and days:
        day = int(s.tokens[i + 1].value)
        found = Date(offset=0, beyond=(s.tokens[i].value, day), english=True), i + 2
    if found is None:
        return None
    date, j = found
    if s.kinds[j] == "ago":
        return one(s, "bad", "past", i, j + 1)
    if s.kinds[j] in ("after", "later", "within"):
        return one(s, "date", date, i, j + 1)
    if s.tokens[j].raw == "from" and s.kinds[j + 1] in ("now", "day"):
        offset = s.tokens[j + 1].value[0] if s.kinds[j + 1] == "day" else 0
        return one(s, "date", date._replace(offset=offset), i, j + 2)
    return None


def _workdays_on(s: TokenStream, i: int) -> tuple[Date, int] | None:
    if s.kinds[i] != "num" or not isinstance(s.tokens[i].value, int):
        return None
    j = i + 2 if s.kinds[i + 1] == "ge" else i + 1
    if s.kinds[j] not in ("workday", "workdays") or not 0 < s.tokens[i].value < WORKDAYS_MAX:
        return None
    return Date(offset=0, beyond=(s.tokens[i].value, 8), english=True), j + 1


WORKDAYS_MAX = 1000  # four years of them; beyond that nobody counts

_SOON = ("few", "while", "bit", "moment", "minute", "sec", "little", "jiffy")


def coming(s: TokenStream, i: int) -> Pieces | None:
    """Next 3 days, the coming two weeks, after 5 days, +15 minutes."""
    led = i - 2 if i > 1 and s.kinds[i - 1] == "the" else i - 1
    lasting = s.kinds[i] == "rel_word" and led >= 0 and s.tokens[led].raw in LASTING
    j = (
        i + 2
        if s.kinds[i + 1] in ("about", "at", "glue") or s.tokens[i + 1].raw == "another"
        else i + 1
    )
    read = duration(s, j)
    if read is None and lasting and s.kinds[i + 1] == "unit":  # for the next week
        read = lapse(1, str(s.tokens[i + 1].value)), i + 2
    if read is None or s.tokens[i].value in (0, -1) or not s.tokens[i].raw.isascii():
        return None
    if lasting or _days_with_hour(s, i, *read):
        return one(s, "lasting", read[0], i, read[1])
    return one(s, "after", read[0], i, read[1])


def _days_with_hour(s: TokenStream, i: int, gone: Lapse, j: int) -> bool:
    """Next three days at 10am: the hour of each of them, and not of the last."""
    if s.tokens[i].raw not in ("next", "coming", "following") or gone.seconds or gone.months:
        return False
    led = s.kinds[i - 2 if i > 1 and s.kinds[i - 1] == "the" else i - 1] if i else "sep"
    if gone.days < 2 or led == "in":
        return False
    hour = s.kinds[j : j + 2] == ["at", "num"] or clock(s, j + 1 if s.kinds[j] == "at" else j)
    return bool(hour) or led in ("clock", "clock_word", "meridiem")


LASTING = ("for", "over", "during", "throughout")


def after_hour(s: TokenStream, i: int) -> Pieces | None:
    """下午三点后二十分钟, 三点之后一小时: so long behind the hour."""
    hour = i > 0 and s.kinds[i - 1] in _HOURS and not s.tokens[i].raw.isascii()
    read = duration(s, i + 1) if hour else None
    closed = read is not None and s.kinds[read[1]] in ("end", "sep", "verb", "gap")
    return one(s, "lead", read[0].reversed(), i, read[1]) if read and closed else None


_HOURS = frozenset(words("point fen clock half ke"))


def these_days(s: TokenStream, i: int) -> Pieces:
    """这三天晚上九点."""
    return one(s, "lasting", lapse(s.tokens[i].value, "day"), i, i + 1)


def passing(s: TokenStream, i: int) -> Pieces | None:
    """过5分钟, 再过两个小时, 过几天; the past two days are over."""
    read = duration(s, i + 1)
    if s.tokens[i].raw == "past":
        return one(s, "bad", "past", i, read[1]) if read else None
    if read and s.tokens[i + 1].raw in _ABOUT:  # 过两三天
        return one(s, "vague", None, i, read[1])
    if read is None:
        if s.kinds[i + 1] == "several":
            return one(s, "vague", None, i, i + 3 if s.kinds[i + 2] in ("unit", "ge") else i + 2)
        return None
    gone, j = read
    j = j + 1 if s.kinds[j] == "after" else j
    return one(s, "after", gone, i, j)


def lead_piece(s: TokenStream, i: int) -> Pieces | None:
    """提前10分钟, 前半小时, 早10分钟叫我."""
    j = i + 1
    read = duration(s, j)
    if read is None:
        if s.kinds[j] == "several" and (s.kinds[i] == "lead" or _is_of_day(s, i)):
            return one(s, "vague", None, i, j + 2)
        return _open_lead(s, i, j) if s.kinds[i] == "lead" else None
    gone, end = read
    if s.kinds[i] == "before":
        if gone.days == 1 and not gone.seconds and not gone.months:
            return one(s, "shift", -1, i, end)
        return one(s, "lead", gone, i, end)
    return one(s, "lead", gone, i, end)


def _is_of_day(s: TokenStream, i: int) -> bool:
    """生日之前几天, 会议之前几分钟; but 前几天 alone lies behind us."""
    return s.tokens[i].raw in ("之前", "以前", "前") and i > 0 and s.kinds[i - 1] != "sep"


def _open_lead(s: TokenStream, i: int, j: int) -> Pieces | None:
    """提前一点提醒我, 提前一会儿: by how much?"""
    little = s.kinds[j : j + 2] == ["num", "point"] and s.tokens[j].raw == "一"
    end = j + 2 if little else j + 1
    loose = little or s.kinds[j] in ("point", "vague") or s.tokens[j].raw in _LITTLE
    closed = s.kinds[end] in ("verb", "end", "sep")
    return one(s, "lead", Lapse(grain="open"), i, end) if loose and closed else None


def open_lead(s: TokenStream, i: int) -> Pieces | None:
    """七点二十要到，你看着提醒我: as early as it takes, which nobody can tell."""
    return one(s, "lead", Lapse(grain="open"), i, i + 1)


_LITTLE = ("一些", "一点儿", "一点点")


def vague_amount(s: TokenStream, i: int) -> Pieces | None:
    """几分钟后, a few days."""
    j = i + 1
    if s.kinds[j] == "ge":
        j += 1
    if s.kinds[j : j + 2] == ["times", "a"] and s.kinds[j + 2] == "unit":
        return one(s, "vague", None, i, j + 3)  # a few times a week
    if s.kinds[j] in ("unit", "fen", "year"):
        j += 1
        if s.kinds[j] in ("after", "later", "within"):
            return one(s, "vague", None, i, j + 1)
        if s.tokens[j].raw == "from" and s.kinds[j + 1] == "now":
            return one(s, "vague", None, i, j + 2)
    return None


def alarm_for(s: TokenStream, i: int) -> Pieces | None:
    """Set an alarm for 5: a bare hour, because an alarm is set for it."""
    timed = bool(i) and s.kinds[i - 1] == "alarm" and duration(s, i + 1) is None
    return at_hour(s, i) if timed else None
