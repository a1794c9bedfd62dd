"""Times of day as English says them: ten to nine, half eight, 3-5pm, 15h, eight thirty."""

import re

from clarion.language.when.stream import ClockWords, HourFound, TokenStream, short_of
from clarion.language.when.words import NUMBERED, words

# What makes the number before it a date or a count, without a further look.
_NEVER_HOURS = frozenset(("month", "hao", "year", "ri", "times", "ge", "fen", "gap", "end"))


def spoken(s: TokenStream, i: int) -> HourFound | None:
    """A number that a word makes an hour: 8 pm, eight o'clock, ten to six, 3-5pm."""
    token = s.tokens[i]
    following = s.kinds[i + 1]
    if isinstance(token.value, float):
        return with_dot(s, i) if _dot_is_colon(s, i) else None
    lettered = _letter(s, i) or _four_figures(s, i) or _in_list(s, i) or _between_commas(s, i)
    if lettered is None and following == "letter_unit":
        lettered = _hour_mark(s, i)
    if lettered or following in _NEVER_HOURS:
        return lettered or (_with_minutes(s, i) if s.tokens[i + 1].raw in ("oh", "o") else None)
    if following == "meridiem":
        asks = s.tokens[i + 2].raw == "i" and s.tokens[i + 3].raw in ("right", "wrong", "late")
        return None if asks else _with_meridiem(s, i)  # 10 am I right
    if following == "oclock":
        return _oclock(s, i)
    if following == "ish":
        later = s.kinds[i + 2] == "meridiem"
        return _with_meridiem(s, i, 2) if later else (ClockWords(token.value), i + 2)
    if token.value == 12 and following == "clock_word":
        return named_hour(s, i + 1)
    if following == "unit" or _minutes_to(s, i):
        return past_or_to(s, i)  # 20 minutes to six
    if following == "dash" and s.tokens[i + 2].raw in _MINUTES_SAID:  # six-fifteen pm
        return _with_minutes(s, i)
    found = _from_to(s, i) or _before_part(s, i) or past_or_to(s, i)
    return found or _with_minutes(s, i) or _spaced(s, i)


_MINUTES_SAID = frozenset(("ten", "fifteen", "twenty", "thirty", "forty", "fifty"))


def _in_list(s: TokenStream, i: int) -> HourFound | None:
    opened = i > 2 and s.kinds[i - 3] in ("between", "from", "at")
    listed = i > 2 and s.kinds[i - 1] in ("and", "sep", "or")
    if not (opened or listed) or past_or_to(s, i):
        return None  # at 5 and 20 past 6
    found = _from_to(s, i) if opened else None
    return found or (_in_hour_list(s, i) if listed else None)


def _oclock(s: TokenStream, i: int) -> HourFound:
    read, j = _full_hour(s.tokens[i].value), i + 2
    j = j + 1 if s.kinds[j] == "oclock" else j  # eight o'clock sharp
    if s.kinds[j] == "meridiem" and isinstance(read, ClockWords):
        return read.in_part(str(s.tokens[j].value)), j + 1
    return read, j


def _before_part(s: TokenStream, i: int) -> HourFound | None:
    """The 8 of "8 tonight", "8 in the morning", and of "8 on Thursday" behind no other word."""
    hour = s.tokens[i].value
    told = _part_follows(s, i + 1) or (
        _day_follows(s, i + 1) and (not i or s.kinds[i - 1] != "gap")
    )
    told = told or s.kinds[i + 1 : i + 4] == ["in", "the", "meridiem"]
    told = told and not _hour_behind(s, i)
    told = told or _is_told_at(s, i)
    told = told or (i > 2 and s.kinds[i - 1] == "and" and _day_and_hour(s, i))
    if not told or not 0 < hour <= 12 or NUMBERED.search(s.text, 0, s.tokens[i].start):
        return None  # season 2 tonight, a table for 4 tonight
    return ClockWords(int(hour)), i + 1


def _hour_behind(s: TokenStream, i: int) -> bool:
    """Essay draft one tonight at nine: what has a number is of that day, and its hour follows."""
    led = s.kinds[i - 1] if i else "end"
    at = next((k for k in range(i + 2, i + 5) if s.kinds[k] == "at"), None)
    return led in ("gap", "a", "not") and at is not None and s.kinds[at + 1] in _HOUR_BEGINS


def _is_told_at(s: TokenStream, i: int) -> bool:
    """Remind me tomorrow 10 to …, remind me 10 tomorrow to …: what is to be done follows."""
    if s.kinds[i + 1] not in ("to", "day") or not i or "ask" not in s.kinds:
        return False
    done = s.kinds[i + 1 : i + 3] == ["to", "gap"] and s.kinds[i - 1] in ("day", "weekday")
    return done or (s.kinds[i - 1] == "me" and s.kinds[i + 1 : i + 3] == ["day", "to"])


_HOUR_BEGINS = frozenset(words("num tens half quarter clock clock_word"))


def _day_and_hour(s: TokenStream, i: int) -> bool:
    """The 3 of "at 2 today and 3 tomorrow"."""
    return s.kinds[i + 1] in ("day", "weekday") and s.kinds[i - 2] in ("day", "weekday")


def with_dot(s: TokenStream, k: int) -> HourFound | None:
    """下午3.30: minutes behind a dot, because a part of the day stands before."""
    token = s.tokens[k]
    hour, _, minute = token.raw.partition(".")
    if not isinstance(token.value, float) or len(minute) != 2 or token.value >= 24:
        return None
    return (ClockWords(int(hour), int(minute), grain="minute"), k + 1) if minute < "60" else None


def named_hour(s: TokenStream, i: int) -> HourFound | None:
    """Noon, midnight; but a midnight snack is one at any hour."""
    if s.tokens[i].raw == "midnight" and not i and s.kinds[1] == "gap":
        return None
    hour, minute = s.tokens[i].value
    return ClockWords(hour, minute, exact=True, part="midnight" if hour == 0 else "noon"), i + 1


def _letter(s: TokenStream, i: int) -> HourFound | None:
    """9a, 11p."""
    token, mark = s.tokens[i], s.tokens[i + 1]
    if mark.raw not in ("a", "p") or mark.start != token.end or not 0 < token.value <= 12:
        return None
    if (i and s.head(i) in "坐座排") or NUMBERED.search(s.text, 0, token.start):
        return None  # seat 12A
    return ClockWords(token.value, part=mark.raw + "m"), i + 2


def _four_figures(s: TokenStream, i: int) -> HourFound | None:
    """0830h, 1430 hours: hours that last only where a word says so; Friday 0900."""
    raw, unit = s.tokens[i].raw, s.tokens[i + 1]
    if len(raw) != 4 or not raw.isdecimal() or not raw.isascii():
        return None
    named = unit.raw in ("h", "hrs", "hours") and not (i and s.kinds[i - 1] in _LASTING)
    dated = _beside_day(s, i, s.kinds[i - 1] if i else "end")
    hour, minute = divmod(int(raw), 100)
    if hour > 23 or minute > 59 or not (named or dated or _in_figures(s, i)):
        return None
    if NUMBERED.search(s.text, 0, s.tokens[i].start):  # call 555-0142 tomorrow
        return None
    return ClockWords(hour, minute, exact=True, grain="minute"), i + 2 if named else i + 1


def _beside_day(s: TokenStream, i: int, led: str) -> bool:
    """1630 tomorrow, 1730 on Friday, July 23 1730; but the 1800 paid on Friday are no hour."""
    j = i + 2 if s.kinds[i + 1] in ("on", "sep") else i + 1
    k = j + 1 if s.kinds[j] == "the" else j
    k = k + 1 if s.kinds[k] == "num" and "month_name" in s.kinds[k + 1 : k + 3] else k
    behind = s.kinds[k] if k > i + 1 or s.kinds[k] != "ord" else "gap"  # 1215 Fifth Street
    is_year = 1900 <= s.tokens[i].value <= 2100
    opens = led in ("end", "sep", "at") and (behind in _NAMED_DAYS or behind == "rel_word")
    opens = opens and (not is_year or behind in ("day", "weekday"))
    last = i - 2 if i > 1 and led in ("sep", "dash", "after", "at") else i - 1
    of_month = "month_name" in s.kinds[max(0, i - 5) : i] and not is_year
    of_span = last > 0 and s.kinds[last - 1 : last + 1] == ["rel_word", "unit"]  # next week 1730
    named = of_month or of_span or (last >= 0 and s.kinds[last] in _NAMED_DAYS)
    zeroed = s.tokens[i].raw[0] == "0" and (named or behind in ("day", "weekday"))
    return zeroed or opens or (named and s.kinds[i + 1] in ("end", "sep", "ask"))


_NAMED_DAYS = frozenset(words("day weekday festival date month_name ord"))


def _in_figures(s: TokenStream, i: int) -> bool:
    """The 1400 and the 2000 of "at 0800, 1400 and 2000"; but at 1300, 2000 people."""
    behind = s.tokens[i + 1]
    if behind.kind == "num" or (behind.kind == "gap" and behind.raw not in ("to", "remind")):
        return False
    j = i
    while s.kinds[j - 1] in ("and", "sep", "or") and j > 1:
        j -= 1
    raw = s.tokens[j - 1].raw
    listed = 1 < j < i and len(raw) == 4 and raw.isascii() and raw.isdecimal()
    return listed and (s.kinds[j - 2] == "at" or _in_figures(s, j - 1))


_LASTING = frozenset(("in", "for", "every", "after", "plus", "a"))
_LAPSED = frozenset(("after", "later", "before", "ago", "unit", "num", "within"))


def _hour_mark(s: TokenStream, i: int) -> HourFound | None:
    """15h: half past the figure of a length only where the word before says that it lasts."""
    hour, mark = s.tokens[i].value, s.tokens[i + 1]
    if mark.raw != "h" or mark.start != s.tokens[i].end or not 13 <= hour <= 24:
        return None
    if (i and s.kinds[i - 1] in _LASTING) or s.kinds[i + 2] in _LAPSED:
        return None
    return ClockWords(hour, exact=True), i + 2


def _minutes_to(s: TokenStream, i: int) -> bool:
    """Ten to nine tonight, at 10 to 9: minutes before an hour, not hours from ten to nine."""
    token = s.tokens[i]
    j = i + 1
    if token.kind == "tens" and s.kinds[j] == "dash":
        j += 1
    if token.kind == "tens" and s.kinds[j] == "num":
        j += 1
    return (
        (
            token.raw.isalpha()
            or token.value > 12
            or s.kinds[max(i - 1, 0)] == "at"
            or _runs_back(s, i, j)
        )
        and token.value in (5, 10, 15, 20, 25)
        and s.tokens[j].raw in ("to", "till", "til", "before", "of")
        and (not i or s.kinds[i - 1] not in ("from", "between"))
    )


def _runs_back(s: TokenStream, i: int, j: int) -> bool:
    """10 to 8 tomorrow morning: no morning lasts from ten to eight."""
    earlier = s.kinds[j + 1] == "num" and s.tokens[j + 1].value < s.tokens[i].value
    part = next((t.value for t in s.tokens[j + 2 : j + 5] if t.kind == "part"), None)
    return earlier and part == "morning"


def _between_commas(s: TokenStream, i: int) -> HourFound | None:
    """Tomorrow, 10, hairdresser: a number of its own behind a day."""
    hour = s.tokens[i].value
    if i < 2 or s.tokens[i - 1].raw != "," or s.tokens[i + 1].raw != "," or not 0 < hour <= 12:
        return None
    dated = s.kinds[i - 2] in ("day", "weekday", "ord", "date")
    return (ClockWords(hour), i + 1) if dated and s.tokens[i].raw.isascii() else None


def _in_hour_list(s: TokenStream, i: int) -> HourFound | None:
    """The 14 and the 20 of "at 8, 14 and 20 hundred hours", the 4 of "at 3 or 4"."""
    j = i - 1
    for _ in range(6):
        if s.kinds[j] in ("and", "sep", "or") and s.kinds[j - 1] in _LISTED_HOURS:
            j -= 3 if s.kinds[j - 1] == "meridiem" else 2
        elif s.kinds[j] == "sep" or (s.kinds[j] == "and" and s.kinds[j - 1] == "sep"):
            j -= 1
        else:
            break
    if s.kinds[j] != "at" or j == i - 1 or s.kinds[i + 1] == "at":
        return None  # one at 8 am and two at 8 pm
    if s.tokens[i + 1].raw == "hundred" and s.tokens[i].value <= 24:
        end = i + 3 if s.tokens[i + 2].raw in ("hours", "hrs") else i + 2
        return ClockWords(s.tokens[i].value, exact=True), end
    return _bare(s, i)


_LISTED_HOURS = frozenset(("num", "clock", "clock_word", "meridiem"))


def _from_to(s: TokenStream, i: int) -> HourFound | None:
    """The 3 of "3-5pm", of "between 3 and 5pm" and of 3到5点: the other end makes it an hour."""
    joint = s.kinds[i + 1]
    led = s.kinds[i - 1] if i else "end"
    if _is_other_end(s, i, led):
        return _bare(s, i)
    between = joint == "and" and led == "between"
    if s.kinds[i + 2] in ("clock", "clock_word") and (
        between or (led == "from" and joint in ("to", "until"))
    ):
        return _bare(s, i)  # from 10 until 11:30
    if s.kinds[i + 1 : i + 3] == ["dash", "clock"] and led in _BEFORE_SPAN:
        return _bare(s, i)  # Friday 2-3:30pm
    either = joint == "or" and s.kinds[i + 3] in ("meridiem", "point")
    if (joint not in ("dash", "to", "until") and not between and not either) or s.kinds[
        i + 2
    ] != "num":
        return None
    hour, other = s.tokens[i].value, s.tokens[i + 2].value
    if isinstance(other, float) or not (0 < other <= 24 and 0 < hour <= 24):
        return None
    if s.kinds[i + 3] == "point":
        return ClockWords(hour, exact=hour > 12), i + 1
    if _part_follows(s, i + 3):
        named = next(s.tokens[k] for k in range(i + 3, i + 6) if s.kinds[k] in ("part", "day"))
        part = named.value if named.kind == "part" else named.value[1]
        return ClockWords(hour, part=part), i + 1
    if s.kinds[i + 3] != "meridiem":
        opens = _opens(s, i - 1) or _behind_day(s, i) or _before_day(s, i)
        return _bare(s, i) if opens and _bare(s, i + 2) else None
    part = str(s.tokens[i + 3].value)
    if part == "pm" and hour > other and other != 12:
        part = "am"  # 10-2pm starts in the morning
    return ClockWords(hour, part=part), i + 1


_BEFORE_SPAN = frozenset(words("end sep day weekday at from"))


def _before_day(s: TokenStream, i: int) -> bool:
    """My shift is 2 till 10 on Friday."""
    on = s.kinds[i + 3] == "on" and s.kinds[i + 4] in ("weekday", "the")
    return s.kinds[i + 1] in ("to", "until") and (on or s.kinds[i + 3] in ("weekday", "day"))


def _behind_day(s: TokenStream, i: int) -> bool:
    """Saturday, 11 to 1: where the first number is none of the minutes that an hour is told by."""
    last = i - 2 if i > 1 and s.kinds[i - 1] == "sep" else i - 1
    dated = last >= 0 and s.kinds[last] in ("day", "weekday") and s.kinds[i + 3] in ("end", "sep")
    dashed = s.kinds[i + 1] == "dash" and isinstance(s.tokens[i + 2].value, int)
    until = s.tokens[i + 2].value if dashed else 0  # tomorrow, 9-5; Friday 9-12
    over_noon = 12 > s.tokens[i].value >= 7 and (until == 12 or 7 > until > 0)
    over_noon = over_noon and (not last or s.kinds[last - 1] not in ("dash", "to"))  # Mon-Fri 9-5
    dated = dated and (over_noon or s.kinds[i + 1] in ("to", "until"))
    return dated and s.tokens[i].value not in (5, 10, 15, 20, 25)


def _is_other_end(s: TokenStream, i: int, led: str) -> bool:
    """At 9 and 21; between 8 and 20; from 9:30 to 11 next Tuesday."""
    if i > 1 and led in ("to", "until", "dash") and s.kinds[i - 2] in _HOURS:
        return True
    ends = i > 1 and led in ("to", "until") and s.kinds[i - 2] == "num"
    if ends and (_behind_day(s, i - 2) or _before_day(s, i - 2)):
        return True
    if i > 2 and led == "and" and s.kinds[i - 3] == "between" and s.kinds[i - 2] in _HOURS:
        return True  # between noon and 2
    if i < 3 or led not in ("and", "or", "to", "until", "dash"):
        return False
    listed = s.kinds[i - 3] == "at" and s.kinds[i - 2] == "num" and led in ("and", "or")
    return (listed or _opens(s, i - 3)) and not past_or_to(s, i)


_HOURS = frozenset(words("clock meridiem clock_word"))


def _opens(s: TokenStream, i: int) -> bool:
    """Between 8 and 20, from 9 to 5: the word before makes both numbers hours."""
    if i < 0 or s.kinds[i + 1] != "num" or s.kinds[i + 3] != "num":
        return False
    return s.kinds[i] == "between" or (s.kinds[i] == "from" and s.kinds[i + 2] in ("to", "until"))


def _bare(s: TokenStream, i: int) -> HourFound | None:
    hour = s.tokens[i].value
    if isinstance(hour, float) or not 0 <= hour <= 24 or s.kinds[i + 1] in _NOT_BARE:
        return None
    return ClockWords(hour, exact=hour > 12), i + 1


_NOT_BARE = frozenset(
    ("unit", "month_name", "times", "letter_unit", "gap", "of", "meridiem", "point", "oclock")
)


def _part_follows(s: TokenStream, j: int) -> bool:
    """… in the afternoon, at night, tomorrow morning: what makes a bare number an hour."""
    if s.kinds[j] == "day" and s.tokens[j].raw.isascii():
        in_part = s.kinds[j + 1 : j + 4] == ["in", "the", "part"]
        return in_part or s.kinds[j + 1] == "part" or s.tokens[j].value[1] is not None
    if s.tokens[j].raw == "this":
        return s.kinds[j + 1] == "part"
    if s.kinds[j] == "at":
        return s.tokens[j + 1].raw == "night"
    return s.kinds[j] == "in" and s.kinds[j + 1] == "the" and s.kinds[j + 2] == "part"


def _day_follows(s: TokenStream, j: int) -> bool:
    """8 on Thursday, 9 at weekends, 11 every morning: a bare number before a day."""
    if s.kinds[j] == "every":
        return s.kinds[j + 1] in ("part", "weekday")
    weekend = s.kinds[j + 1 : j + 3] == ["the", "weekend"]  # 8 at the weekend
    return s.kinds[j] in ("on", "at") and (weekend or s.kinds[j + 1] in _DAYS)


_DAYS = frozenset(("weekday", "weekdays", "weekends", "workdays"))


def _full_hour(hour: int) -> ClockWords | str:
    return ClockWords(hour, exact=hour > 12) if 0 <= hour <= 24 else "no_such_hour"


def _with_meridiem(s: TokenStream, i: int, ahead: int = 1) -> HourFound:
    hour, part = s.tokens[i].value, str(s.tokens[i + ahead].value)
    raw = s.tokens[i].raw
    if i > 1 and s.tokens[i - 1].raw == ":" and s.kinds[i - 2] == "num":
        return "no_such_minute", i + ahead + 1  # 8:5 pm
    if len(raw) in (3, 4) and raw.isdecimal():  # 730pm
        minute, hour = hour % 100, hour // 100
        if hour <= 12 and minute < 60:
            return ClockWords(hour, minute, part=part, grain="minute"), i + 2
    end = i + ahead + 1
    fits = 0 <= hour <= (12 if part == "am" else 23)  # 13 pm is 13:00, 13 am is no hour
    return (ClockWords(hour, part=part) if fits else "no_such_hour"), end


def _spaced(s: TokenStream, i: int) -> HourFound | None:
    """9 30 am."""
    hour, minute, part = s.tokens[i : i + 3]
    if minute.kind != "num" or part.kind != "meridiem" or not 0 < hour.value <= 12:
        return None
    if len(minute.raw) != 2 or not minute.raw.isdecimal() or minute.raw > "59":
        return None
    return ClockWords(hour.value, int(minute.raw), part=str(part.value), grain="minute"), i + 3


def _with_minutes(s: TokenStream, i: int) -> HourFound | None:
    """Eight thirty, three fifteen pm."""
    raw = s.tokens[i].raw
    if not raw.isalpha() or not raw.isascii() or not 1 <= s.tokens[i].value <= 12:
        return None
    value: int | None = None
    j = i + 1
    if s.kinds[j] == "dash" and s.kinds[j + 1] in ("tens", "num"):  # seven-thirty
        j += 1
    if s.tokens[j].raw in ("oh", "o") and s.kinds[j + 1] == "num" and s.tokens[j + 1].value < 10:
        value, j = s.tokens[j + 1].value, j + 2  # seven oh five
    elif s.kinds[j] == "tens" and s.tokens[j].value <= 50:
        value, j = s.tokens[j].value, j + 1
        if s.kinds[j] == "dash" and s.kinds[j + 1] == "num":
            j += 1
        if s.kinds[j] == "num" and 0 < s.tokens[j].value < 10 and s.tokens[j].raw.isalpha():
            value, j = (value or 0) + s.tokens[j].value, j + 1
    elif s.kinds[j] == "num" and s.tokens[j].raw.isalpha() and 10 <= s.tokens[j].value <= 19:
        value, j = s.tokens[j].value, j + 1
    if value is None or s.kinds[j] in ("unit", "times"):
        return None
    part = None
    if s.kinds[j] == "meridiem":
        part, j = str(s.tokens[j].value), j + 1
    return ClockWords(s.tokens[i].value, value, part=part, grain="minute"), j


def past_or_to(s: TokenStream, i: int) -> HourFound | None:
    """Half past eight, (a) quarter to nine, ten past 3, 20 minutes to six, half eight."""
    j = i + 1 if s.kinds[i] == "a" else i
    minutes = {"half": 30, "quarter": 15}.get(s.kinds[j], 0)
    j += 1
    if not minutes:
        if s.kinds[j - 1] not in ("num", "tens") or isinstance(s.tokens[j - 1].value, float):
            return None
        minutes, j = _minutes(s, j - 1)
    if s.kinds[j] == "dash" and s.tokens[j + 1].raw in _DASHED:  # half-past six
        j += 1
    link = s.tokens[j].raw
    odds = s.kinds[j + 2] == "gap" or (i > 1 and s.tokens[i - 2].raw == "odds")
    if link == "to" and odds and (s.tokens[j - 1].raw.isdecimal() or s.tokens[j + 2].raw in _ODDS):
        return None  # 10 to 1 odds, a 10 to 1 shot, five to one odds
    if link == "to" and not i and _BETS.match(s.text, s.tokens[j + 1].start):
        return None  # ten to one he's late
    if s.kinds[j - 1] == "half" and s.kinds[j] == "num" and _names_hour(s, i, j):
        return _around(s, j, 30, later=True)  # half eight, as the British say it
    if link not in ("past", "after", "to", "before", "till", "til", "of") or not 0 < minutes < 60:
        return None
    if link in _NO_MINUTES and minutes % 5 and s.tokens[j - 1].value != "minute":
        return None  # three to one, page 3 of 10, from 7 till 9
    if link in ("after", "before") and NUMBERED.search(s.text, 0, s.tokens[i].start):
        return None  # gate 10 after 3
    j = j + 2 if s.kinds[j + 1] == "dash" else j + 1  # ten-to-nine
    return _around(s, j, minutes, later=link in ("past", "after"))


_ODDS = frozenset(words("odds shot favourite favorite outsider chance ratio majority vote win"))
_NO_MINUTES = frozenset(("to", "of", "till", "til", "before"))
_DASHED = frozenset(("past", "to", "after"))
_BETS = re.compile(r"(?:one|1) (?:he|she|it|they|we|you|i|the|that)\b")


def _names_hour(s: TokenStream, i: int, j: int) -> bool:
    """Half eight; half 8 tonight, at half 8: in figures a word of time has to stand beside it."""
    led = s.kinds[i - 1] if i else "end"
    return s.tokens[j].raw.isalpha() or s.kinds[j + 1] != "gap" or led in _LEADING_HOURS


_LEADING_HOURS = frozenset(("at", "day", "weekday", "part", "me"))


def _minutes(s: TokenStream, j: int) -> tuple[int, int]:
    """Ten, twenty-five, 20 minutes: before "to" or "past"."""
    minutes, j = int(s.tokens[j].value), j + 1
    if minutes == 5 and s.kinds[j] == "and" and s.tokens[j + 1].raw == "twenty":
        return 25, j + 2  # five and twenty to four
    if s.kinds[j] == "dash" and s.kinds[j - 1] == "tens":
        j += 1
    if s.kinds[j] == "num" and s.tokens[j].raw.isalpha() and minutes in (20, 30, 40, 50):
        minutes, j = minutes + int(s.tokens[j].value), j + 1
    if s.kinds[j] == "unit" and s.tokens[j].value == "minute":
        j += 1
    return minutes, j


def _around(s: TokenStream, j: int, minutes: int, *, later: bool) -> HourFound | None:
    if s.kinds[j] == "clock_word":
        hour, _ = s.tokens[j].value
        total = (hour * 60 + (minutes if later else -minutes)) % 1440
        return ClockWords(total // 60, total % 60, exact=True, grain="minute"), j + 1
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    hour = s.tokens[j].value
    if not 1 <= hour <= 24 or s.kinds[j + 1] in ("unit", "month_name", "letter_unit", "of"):
        return None
    j += 1
    if s.kinds[j] == "oclock":
        j += 1
    part = None
    if s.kinds[j] == "meridiem":
        part, j = str(s.tokens[j].value), j + 1
    if later:
        return ClockWords(hour, minutes, part=part, exact=hour > 12, grain="minute"), j
    read = short_of(hour, minutes)
    return (read.in_part(part) if isinstance(read, ClockWords) else read), j


def _dot_is_colon(s: TokenStream, i: int) -> bool:
    """9.30 tonight, my 9.15, Friday 7.45: a word of time beside it, and no price or measure."""
    if not s.tokens[i].raw.isascii() or _PRICED.match(s.text, s.tokens[i].end):
        return False
    if _part_follows(s, i + 1) or s.kinds[i + 1] in ("day", "weekday", "oclock"):
        return True
    if s.kinds[i + 1] in ("dash", "to", "until") and (
        s.kinds[i + 2] == "clock" or s.kinds[i + 2 : i + 4] == ["num", "meridiem"]
    ):
        return True  # 2.30-4pm
    if _day_follows(s, i + 1):
        return not i or s.kinds[i - 1] != "gap"
    led = s.kinds[i - 1] if i else "end"
    if led == "end":
        whole = s.count == 1 and s.tokens[i].raw[-3:] in (".15", ".30", ".45")
        return s.kinds[i + 1] == "ask" or whole  # 9.30: the whole of an answer
    if led == "the" and s.tokens[i + 1].raw in _TIMED_THINGS:
        return True
    if s.kinds[i + 1] in ("end", "sep") and s.tokens[i - 1].raw in _TIMED_THINGS:
        return True  # dentist 9.30
    alarm = led == "for" and i > 1 and s.kinds[i - 2] == "alarm"
    return alarm or led in _LEADS_CLOCK or s.tokens[i - 1].raw == "my"


_PRICED = re.compile(
    r" ?(?:%|[€$£¥]|euros?|dollars?|pounds?|bucks?|k[mg]|miles?|percent|each|per|points?|l\b|m\b)"
)
_TIMED_THINGS = frozenset(
    words(
        "meeting train bus flight appointment call class show film ferry service slot session "
        "dentist doctor haircut hairdresser interview lunch dinner breakfast brunch lesson "
        "appt mtg checkup vet coffee drinks"
    )
)
_LEADS_CLOCK = frozenset(words("day weekday from until between at month_name ord"))
