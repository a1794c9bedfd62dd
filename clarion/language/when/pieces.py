"""Tokens to pieces: each the largest thing that the words at a place can be.

A piece knows nothing of its neighbours; `compose` joins them into one wish.
"""

from collections.abc import Callable

from clarion.language.when.corrections import (
    bar,
    instead,
    make_it,
    moved_from,
    moved_to,
    one_after,
)
from clarion.language.when.dates.beside import NAMED_DAYS, later_in, of_named_day
from clarion.language.when.dates.chinese import chinese_date
from clarion.language.when.dates.english import english_date
from clarion.language.when.dates.months import written_date
from clarion.language.when.hours.clock import at_hour, clock, clock_piece, day_with_part
from clarion.language.when.hours.marks import past_every_hour
from clarion.language.when.hours.parts import half_of_day, lunch, part_piece, this_part
from clarion.language.when.idioms import (
    asked,
    at_meal,
    both_at,
    bought_then,
    day_parts,
    dotted,
    earlier,
    early_and_late,
    edge_of_every,
    given,
    listed_weekdays,
    lunar_every,
    made,
    numbered_festival,
    ordinal_of_every,
    recalled,
    so_many_weekdays,
    spaced_date,
    that_is,
    two_weekdays,
    verse,
    written_piece,
    year_behind,
)
from clarion.language.when.lengths import (
    LASTING,
    after_hour,
    alarm_for,
    coming,
    counted_days,
    in_piece,
    lapse_piece,
    lasting_clock,
    lead_piece,
    open_lead,
    passing,
    these_days,
    vague_amount,
)
from clarion.language.when.names import (
    SITTING,
    WISHED,
    abbreviated,
    is_weak,
    names_a_thing,
    numbered,
    persons,
    weds,
)
from clarion.language.when.rhythms import (
    at_intervals,
    count_piece,
    every_piece,
    parity_piece,
)
from clarion.language.when.stream import (
    UNREAD,
    UNREAD_DAY,
    ClockWords,
    Date,
    Every,
    Piece,
    Pieces,
    TokenStream,
    duration,
    lapse,
    make_piece,
    one,
)
from clarion.language.when.words import words
from clarion.language.when.zones import zone_piece

# Words that are pieces by themselves.
PLAIN = frozenset(
    words(
        "gap sep quote verb recall vague event and or each glue from start to until until_end "
        "except except_end total last_for for not correct no now dash between workday "
        "holiday_off about at on the of then in lunar other weekdays weekends next_hour"
    )
)


_ALONE = {"later": "vague", "past": "gap"}


def read_pieces(s: TokenStream) -> list[Piece]:
    pieces: list[Piece] = []
    i = 0
    while i < s.count:
        kind = s.kinds[i]
        if kind == "gap":  # most words say nothing of time
            token = s.tokens[i]
            pieces.append(make_piece(("gap", None, token.start, token.end)))
            i += 1
            continue
        found: Pieces | None = None
        rules = RULES.get(kind, ())
        if kind in RULES_BEFORE:  # most numbers are told by the word behind them
            rules = RULES_BEFORE[kind].get(s.kinds[i + 1], rules)
        for rule in rules:
            found = rule(s, i)
            if found:
                break
        if found:
            pieces += found[0]
            i = found[1]
            continue
        token = s.tokens[i]
        kind = token.kind if token.kind in PLAIN else _ALONE.get(token.kind, "gap")
        value = TIME_WORDS.get(token.kind, token.value) if kind == "gap" else token.value
        pieces.append(make_piece((kind, value, token.start, token.end)))
        i += 1
    return pieces


TIME_WORDS = dict.fromkeys(
    words(
        "half quarter num tens ord unit weekday weekend part meridiem point fen ke times month "
        "year season quarter_code clock date chu parts edge"
    ),
    UNREAD,
) | dict.fromkeys(
    words("weekdays weekends workdays every every_gap festival ordinal last everyday rel"),
    UNREAD_DAY,
)


def _festival(s: TokenStream, i: int) -> Pieces | None:
    """国庆期间, 春节后: some day of several."""
    led = s.tokens[i - 1].raw if i else ""
    if led == "like" or (led == "of" and i > 1 and s.tokens[i - 2].raw == "days"):
        return one(s, "gap", None, i, i + 1)  # a lot like Christmas, the twelve days of it
    if s.tokens[i + 1].raw == "期间" or s.head(i, 2) in ("过完", "过了"):
        return one(s, "vague", "day", i, i + 2 if s.tokens[i + 1].raw == "期间" else i + 1)
    last = i + 2 if s.kinds[i + 1] == "holiday_off" else i + 1
    if s.kinds[last] == "last":  # 劳动节假期最后一天: by decree
        return one(s, "vague", "day", i, last + 3 if s.kinds[last + 1] == "num" else last + 1)
    found = clock_piece(s, i + 1) if s.tokens[i].raw[-1] == "夜" else None
    if found and found[0][0].kind == "clock" and _is_open(found[0][0].value):
        read = found[0][0].value._replace(part="evening")  # 平安夜八点
        return [*(_date(s, i) or ([], 0))[0], found[0][0]._replace(value=read)], found[1]
    dated = _date(s, i)
    after = dated and s.kinds[dated[1]] == "after" and dated[1] == i + 1
    if after and clock(s, i + 2) is None:  # 国庆节后上班
        return one(s, "vague", "day", i, i + 2)
    return dated


def _is_open(read: ClockWords) -> bool:
    return read.part is None and not read.exact


def _date(s: TokenStream, i: int) -> Pieces | None:
    english = s.tokens[i].raw.isascii() and s.kinds[i] not in ("rel", "lunar")
    if english and s.kinds[i] in ("festival", "day", "weekend"):
        return _english(s, i)
    found = chinese_date(s, i) or (english_date(s, i) if english else None)
    if found is None:
        return None
    if is_weak(found[0]) and names_a_thing(s, i, found[1]):
        return None
    return one(s, "date", found[0], i, found[1])


def _english(s: TokenStream, i: int) -> Pieces | None:
    found = english_date(s, i)
    return one(s, "date", found[0], i, found[1]) if found else None


def _weekday(s: TokenStream, i: int) -> Pieces | None:
    if not s.tokens[i].raw.isascii():
        return _date(s, i)
    behind = i + 2 if s.kinds[i + 1] == "and" else i + 1  # sun and sand
    lone = (i == 0 or s.kinds[i - 1] in ("gap", "the")) and s.kinds[behind] == "gap"
    listed = s.kinds[i + 1 : i + 4] == ["sep", "gap", "and"] and s.tokens[i].raw == "sun"
    if listed and i == 0:
        return None  # sun, sea and sand
    if s.tokens[i].raw in ("sat", "sun", "wed", "mon") and lone and s.tokens[i + 1].raw != "/":
        return None  # he sat down; sun cream
    if weds(s, i):
        return None  # wed the two
    if i and s.tokens[i].raw in ("sun", "sat") and s.tokens[i - 1].raw in SITTING:
        return None  # in the sun; he sat for hours
    if s.kinds[i + 1] in ("in", "on") and s.tokens[i].raw in ("sat", "wed"):
        j = i + 3 if s.kinds[i + 2] == "the" else i + 2
        if s.kinds[j] != "part":
            return None  # I sat in the sun
    if s.tail(i, 1) in ("-", ".") and s.kinds[i + 2] == "gap" and s.tail(i, 2)[1:].isalpha():
        return None  # fri-ends, monday.com
    found = _english(s, i)
    if found and s.kinds[found[1]] == "part" and s.tokens[found[1]].raw[-1] == "s":
        week = make_piece(("every", Every("week"), s.tokens[i].start, s.tokens[i].start))
        return [week, *found[0]], found[1]  # Thursday mornings at 10
    return found


def _weekend(s: TokenStream, i: int) -> Pieces | None:
    """This weekend; but "how was your weekend" asks about the one that is over."""
    led = s.tokens[i - 1].raw if i else ""
    theirs = led == "your" and not WISHED.intersection(s.kinds)
    some = led in ("a", "day") and s.tokens[i].raw.isascii()  # a weekend warrior, a 3-day weekend
    return None if theirs or some else _date(s, i)


def _both_days(s: TokenStream, i: int) -> Pieces | None:
    """Both days this weekend, both days of the weekend."""
    found = english_date(s, i + 1) or english_date(s, i + 2)
    if found is None or not found[0].weekend:
        return None
    saturday = found[0]._replace(weekend=False, weekdays=(5, 6), coming=found[0].week in (None, 0))
    return one(s, "date", saturday._replace(week=found[0].week or None), i, found[1])


def _since(s: TokenStream, i: int) -> Pieces | None:
    """Since Monday, since 4pm: it lies behind us."""
    found = english_date(s, i + 1) or clock(s, i + 1)
    return one(s, "bad", "past", i, found[1]) if found else None


def _before_rhythm(s: TokenStream, i: int) -> Pieces | None:
    """11月30号之前每天晚上九点: a day on which the rhythm ends."""
    day = i > 0 and (s.kinds[i - 1] in NAMED_DAYS or s.kinds[i - 1] == "edge")
    dated = day and s.kinds[i + 1] in _RHYTHMS
    return one(s, "until_rhythm", None, i, i + 1) if dated else None


_RHYTHMS = frozenset(words("everyday every every_gap workday every_week"))


def _up_to(s: TokenStream, i: int) -> Pieces | None:
    """八点之前, 十点以前不要叫我: it belongs to the time before it."""
    led = i > 0 and s.kinds[i - 1] in _TIMES and not s.tokens[i].raw.isascii()
    closed = s.kinds[i + 1] in ("end", "sep", "verb", "not")
    return one(s, "glue", None, i, i + 1) if led and closed else None


_TIMES = frozenset(("point", "fen", "clock", "part", "half", "ke"))


def _after_hour(s: TokenStream, i: int) -> Pieces | None:
    """Thursday after 5, tonight before 10: an hour where nothing follows that it could count."""
    closed = s.kinds[i + 1] == "num" and s.kinds[i + 2] in _BEHIND_HOUR
    day = s.kinds[i + 2] in ("day", "weekday") or (i > 0 and s.kinds[i - 1] in _DAYS_OR_PARTS)
    dated = s.tokens[i].raw == "before" and day  # tonight before 10, before 6 today
    after = s.tokens[i].raw.endswith("after")  # any time after 5
    dated = dated and (not i or s.kinds[i - 1] != "not")
    fits = closed and s.tokens[i + 1].raw.isascii() and (after or dated)
    return at_hour(s, i) if fits and s.tokens[i + 1].value <= 12 else None


_BEHIND_HOUR = frozenset(("end", "sep", "on", "day", "weekday", "ask", "to"))
_DAYS_OR_PARTS = frozenset(("day", "weekday", "part"))


def _minutes_before(s: TokenStream, i: int) -> Pieces | None:
    """Remind me 5 before the 10 am call."""
    told = s.kinds[i + 2] == "the" or s.tokens[i + 2].raw == "my"
    if not told or "ask" not in s.kinds or clock(s, i + 3) is None:
        return None
    return one(s, "lead", lapse(s.tokens[i].value, "minute"), i, i + 3)


def _by_hour(s: TokenStream, i: int) -> Pieces | None:
    """On 6 May before 10pm."""
    of_month = "month_name" in s.kinds[max(0, i - 2) : i]
    dated = of_month or (i > 0 and s.kinds[i - 1] in _DAYS_BEFORE)
    found = clock_piece(s, i + 1) if dated and s.tokens[i].raw == "before" else None
    if found is None or found[0][0].kind != "clock":
        return None
    return [found[0][0]._replace(start=s.tokens[i].start)], found[1]


_DAYS_BEFORE = frozenset(("day", "weekday", "date", "ord", "festival"))


def _earlier_than(s: TokenStream, i: int) -> Pieces | None:
    """明天早点提醒我: earlier than what?"""
    asked = i and s.tokens[i].raw in ("早点", "早一点") and s.kinds[i + 1] == "verb"
    return one(s, "vague", None, i, i + 1) if asked else None


def _on_weekdays(s: TokenStream, i: int) -> Pieces | None:
    """周末早上十点、平时早上七点: every other day than the weekend's."""
    other = s.tokens[i].raw == "平时" and {"weekend", "weekends", "weekday"} & set(s.kinds)
    timed = s.kinds[i + 1] in ("part", "short_part", "num", "clock")
    return one(s, "every", Every("workday"), i, i + 1) if other and timed else None


def _leaving(s: TokenStream, i: int) -> Pieces | None:
    """今天下班提醒我, 到家叫我: when that is nobody said; 五点下班提醒我 says it."""
    open_hour = s.kinds[i + 1] == "verb" and not _TOLD_HOURS.intersection(s.kinds[:i])
    return one(s, "event", None, i, i + 1) if open_hour else None


_TOLD_HOURS = frozenset(("point", "clock", "after"))


def _idly_vague(s: TokenStream, i: int) -> Pieces | None:
    """最近提醒我; 最近怎么样 asks for nothing."""
    wished = s.count == 1 or WISHED.intersection(s.kinds)
    return one(s, "vague" if wished else "gap", None, i, i + 1)


def _letters_of_days(s: TokenStream, i: int) -> Pieces | None:
    """MWF at 6 am."""
    return one(s, "date", Date(weekdays=s.tokens[i].value, english=True), i, i + 1)


def _on_the_number(s: TokenStream, j: int) -> tuple[Date, int] | None:
    """On the 18: a day of the month where nothing follows that it could count."""
    if s.kinds[j : j + 2] != ["the", "num"] or s.kinds[j + 2] not in ("end", "sep", "at"):
        return None
    day = s.tokens[j + 1].value
    fits = isinstance(day, int) and 0 < day <= 31 and s.tokens[j + 1].raw.isdecimal()
    return (Date(days=(day,)), j + 2) if fits else None


def _now(s: TokenStream, i: int) -> Pieces | None:
    """Now; "now what" asks for nothing, and 现在十点，… says only what the clock shows."""
    j = i + 2 if s.kinds[i + 1] == "glue" else i + 1
    shown = clock(s, j) if s.kinds[j] in ("num", "part", "clock") else None
    if shown and s.kinds[shown[1]] == "sep" and not s.tokens[i].raw.isascii():
        return one(s, "gap", None, i, shown[1])
    idle = s.tokens[i + 1].raw in ("what", "that", "then", "where", "it", "it's")
    if i and s.tokens[i - 1].raw in ("may", "can", "i", "we", "they", "he", "she"):
        idle = idle or s.kinds[i + 1] == "gap"  # you may now kiss the bride
    return one(s, "gap", None, i, i + 1) if idle else None


def _ending(s: TokenStream, i: int) -> Pieces | None:
    """…截止 behind a day ends there; before one it opens the end."""
    if s.tokens[i].raw == "截止" and s.kinds[i + 1] in ("end", "sep", "verb", "gap"):
        return one(s, "until_end", None, i, i + 1)
    return None


def _skipping(s: TokenStream, i: int) -> Pieces | None:
    """这周五跳过: behind its day it closes the exception."""
    behind = i and s.kinds[i + 1] in ("end", "sep", "verb")
    return one(s, "except_end", None, i, i + 1) if behind else None


def _days_on(s: TokenStream, i: int) -> Pieces | None:
    """明后天: two days in one word."""
    token = s.tokens[i]
    pieces: list[Piece] = []
    for offset in token.value:
        pieces.append(Piece("and", None, token.start, token.start))
        pieces.append(Piece("date", Date(offset=offset), token.start, token.end))
    return pieces[1:], i + 1


def _the_coming(s: TokenStream, i: int) -> Pieces | None:
    """For the next week: as long, and no day of it."""
    lasts = i and s.kinds[i + 1] == "rel_word" and s.tokens[i - 1].raw in LASTING
    return coming(s, i + 1) if lasts else None


def _still_to_go(s: TokenStream, i: int) -> Pieces | None:
    """还有三天就是发布会，九点提醒我: on which day? 还有两天就是周六 tells it."""
    read = duration(s, i + 1) if s.tokens[i].raw == "还有" else None
    if read is None or read[0].seconds or not WISHED.intersection(s.kinds):
        return None
    behind = s.kinds[read[1] :]
    told = NAMED_DAYS.intersection(behind) or not {"point", "clock"}.intersection(behind)
    return None if told else one(s, "vague", "day", i, read[1])


def _that(s: TokenStream, i: int) -> Pieces | None:
    """Remind me that morning: a part of the day that was named."""
    return one(s, "the", "that", i, i + 1) if s.kinds[i + 1] == "part" else None


def _late_in(s: TokenStream, i: int) -> Pieces | None:
    """Late next week: on which day of it?"""
    week = s.kinds[i + 1] == "rel_word" and s.tokens[i + 2].value == "week"
    return one(s, "vague", "day", i, i + 3) if week and s.tokens[i].raw == "late" else None


def _about(s: TokenStream, i: int) -> Pieces | None:
    """Tomorrow about the Friday deadline: what it is about, and no hour."""
    if s.tokens[i].raw != "about":
        return None
    if i and s.kinds[i - 1] == "gap" and s.kinds[i + 1] in NAMED_DAYS:
        found = english_date(s, i + 1) if "ask" in s.kinds[: i - 1] else None
        if found and s.kinds[found[1]] in ("end", "sep"):
            return one(s, "gap", None, i, found[1])  # to text 8 people about Sunday
    thing = s.kinds[i + 1] == "the" and s.kinds[i + 2] != "ord"
    if s.tokens[i + 1].raw.endswith("'s"):
        return one(s, "gap", None, i, i + 2)  # about Friday's deadline
    return one(s, "sep", "about", i, i + 1) if thing else None


def _on(s: TokenStream, i: int) -> Pieces | None:
    j = i + 1
    again = ordinal_of_every(s, j) if s.kinds[j] in ("the", "ord") else None
    again = every_piece(s, j) if s.kinds[j] == "other" else again
    if again:
        return [again[0][0]._replace(start=s.tokens[i].start), *again[0][1:]], again[1]
    if s.kinds[j] == "date":
        return one(s, "date", *_with_start(written_date(s, j), i))
    found = english_date(s, j) or _on_the_number(s, j)
    if found:
        return one(s, "date", found[0], i, found[1])
    if s.kinds[j] in ("weekdays", "weekends", "workdays", "parity"):
        plural = every_piece(s, j)
        if plural:
            pieces = [plural[0][0]._replace(start=s.tokens[i].start), *plural[0][1:]]
            return pieces, plural[1]
    return None


def _with_start(found: tuple[Date, int] | None, i: int) -> tuple[Date, int, int]:
    assert found is not None, "a written date is always read"
    return found[0], i, found[1]


def _same_hour(s: TokenStream, i: int) -> Pieces | None:
    """后天这个时候, same time tomorrow; but: …, this time remind me on Thursday."""
    opens = s.tokens[i].raw == "this time" and s.kinds[i + 1] == "ask"
    return one(s, "sep" if opens else "same_hour", None, i, i + 1)


def _number(s: TokenStream, i: int) -> Pieces | None:
    """A length that something is done with, a date, or a length alone: in this order."""
    following = s.kinds[i + 1]
    of_month = following == "ri" and s.head(i) == "月"  # 每月5日前
    if (
        of_month
        or following in ("month", "hao")
        or (following == "year" and s.tokens[i].value > 999)
    ):
        return _date(s, i)
    lapse = lapse_piece(s, i)
    if lapse and lapse[0][0].kind != "length":
        return lapse
    return _date(s, i) or lapse


Rule = Callable[[TokenStream, int], Pieces | None]
RULES: dict[str, tuple[Rule, ...]] = {
    "num": (year_behind, count_piece, numbered_festival, clock_piece, _number),
    "tens": (clock_piece, lapse_piece, _english),
    "half": (past_every_hour, count_piece, clock_piece, lapse_piece),
    "quarter": (past_every_hour, clock_piece, lapse_piece),
    "parity": (parity_piece,),
    "a": (every_piece, clock_piece, _english, count_piece, lapse_piece),
    "couple": (_english, count_piece, lapse_piece),
    "cha": (clock_piece,),
    "clock": (verse, lasting_clock, clock_piece),
    "clock_word": (clock_piece,),
    "ish_hour": (clock_piece,),
    "part": (part_piece,),
    "short_part": (early_and_late, earlier, clock_piece),
    "day": (of_named_day, day_with_part, _date),
    "shift_day": (of_named_day,),
    "date": (lapse_piece, written_piece),
    "in": (in_piece,),
    "pass": (passing,),
    "past": (passing,),
    "lead": (lead_piece,),
    "before": (lead_piece, _before_rhythm, _up_to, _by_hour, _after_hour),
    "at": (past_every_hour, at_intervals, _about, at_hour),
    "on": (_on,),
    "the": (one_after, _the_coming, ordinal_of_every, later_in, _english),
    "rel_word": (this_part, so_many_weekdays, coming, ordinal_of_every, _english),
    "after": (coming, after_hour, _after_hour, _up_to),
    "until": (_ending,),
    "except": (_skipping,),
    "plus": (coming,),
    "quarter_code": (_english,),
    "these_days": (these_days,),
    "several": (vague_amount, so_many_weekdays),
    "once": (every_piece,),
    "zone": (zone_piece,),
    "same_hour": (_same_hour,),
    "zone_code": (zone_piece,),
}
_NUMBERS: dict[str, tuple[Rule, ...]] = {
    "point": (clock_piece,),
    "hao": (_number,),
    "month": (count_piece, _number),
    "year": (count_piece, _number),
    "meridiem": (clock_piece, _number),
    "past": (past_every_hour, *RULES["num"]),
    "unit": (past_every_hour, count_piece, clock_piece, _number),
    "ge": (so_many_weekdays, counted_days, *RULES["num"]),
    "num": (spaced_date, *RULES["num"]),
    "sep": (dotted, *RULES["num"]),
}
for _kind in ("part", "short_part", "clock", "weekday"):
    _NUMBERS[_kind] = (listed_weekdays, dotted, *RULES["num"])
for _kind in ("workday", "workdays", "weekdays"):
    _NUMBERS[_kind] = (counted_days, *RULES["num"])
_BEFORE_WORDS: dict[str, tuple[Rule, ...]] = dict.fromkeys(("gap", "the"), ())
RULES_BEFORE = {"num": _NUMBERS, "the": _BEFORE_WORDS}
"""What is tried where the word behind tells more than the word itself."""
for _kind in words(
    "rel year weekday_of weekend lunar solar lunar_month named_month leap chu new_year_day "
    "festival edge last first nth_day half_year"
):
    RULES[_kind] = (_date,)
for _kind in words(
    "every every_gap everyday every_week every_year every_month every_hour every_unit"
):
    RULES[_kind] = (every_piece,)
for _kind in ("weekdays", "weekends", "workday", "workdays", "offday", "holiday_off"):
    RULES[_kind] = (every_piece,)
RULES["nth_day"] = (of_named_day, _date)
RULES["weekday"] = (persons, _weekday)
RULES["weekend"] = (_weekend,)
RULES["festival"] = (_festival,)
RULES["ordinal"] = (two_weekdays, _date, numbered)
RULES["ordinal_back"] = (_date,)
RULES["lunar"] = (lunar_every, _date)
RULES["for"] = (alarm_for,)
RULES["ord"] = (ordinal_of_every, _english)
RULES["month_name"] = (_english,)
RULES["end_of"] = (edge_of_every, _late_in, _english)
RULES["unit"] = (_english,)
RULES["season"] = (_english,)
RULES["ask"] = (asked,)
RULES["make"] = (made,)
RULES["give"] = (given,)
RULES["not"] = RULES["let"] = RULES["remember"] = (recalled,)
RULES["parts"] = (day_parts,)
RULES["days_on"] = (_days_on,)
RULES["hour_and_half"] = (lapse_piece,)
RULES["meridiem"] = (half_of_day,)
RULES["lunch"] = (lunch, at_meal)
RULES["that"] = (_that,)
RULES["and"] = (_still_to_go,)
RULES["correct"] = RULES["no"] = (instead,)
RULES["meal"] = (at_meal,)
RULES["bar"] = (bar,)
RULES["open_lead"] = (open_lead,)
RULES["that_is"] = (that_is,)
RULES["now"] = (_now,)
RULES["leaving"] = (_leaving,)
RULES["idly_vague"] = (_idly_vague,)
RULES_BEFORE["num"]["before"] = (_minutes_before, *RULES["num"])
RULES["from"] = (moved_from,)
RULES["to"] = (moved_to,)
RULES["sep"] = (abbreviated,)
RULES["letters_of_days"] = (_letters_of_days,)
RULES["eve"] = (_english,)
RULES["since"] = (_since,)
RULES["both"] = (_both_days, both_at)
RULES["skip"] = (_earlier_than, _on_weekdays)
RULES["make_it"] = (make_it,)
RULES["last_for"] = (so_many_weekdays,)
RULES["edge"] = (bought_then, _date)
RULES["other"] = (every_piece,)
