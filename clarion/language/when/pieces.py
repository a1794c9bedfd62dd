"""Tokens to pieces: each the largest thing that the words at a place can be.

A piece knows nothing of its neighbours; `compose` joins them into one wish.
"""

from collections.abc import Callable
from dataclasses import replace

from clarion.language.when.amounts import duration
from clarion.language.when.asking import asked, made, recalled
from clarion.language.when.clocks import clock
from clarion.language.when.dates import chinese_date
from clarion.language.when.dates_en import english_date, written_date
from clarion.language.when.idioms import day_parts, lunar_every, numbered_festival
from clarion.language.when.rhythms import count_piece, every_piece
from clarion.language.when.spec import Clock, Date, Piece
from clarion.language.when.tokens import Pieces, Stream, one
from clarion.language.when.wordlist import words

# Words that are pieces by themselves.
PLAIN = frozenset(
    words(
        "gap sep quote verb recall vague event and or each glue from start to until until_end "
        "except except_end total last_for for not correct no now dash between workday "
        "holiday_off about at on the of then in lead lunar other weekdays weekends"
    )
)


_ALONE = {"later": "vague", "past": "gap"}


def read_pieces(s: Stream) -> list[Piece]:
    pieces: list[Piece] = []
    i = 0
    while i < s.count:
        found: Pieces | None = None
        for rule in RULES.get(s.kinds[i], ()):
            found = rule(s, i)
            if found:
                break
        if found:
            pieces += found[0]
            i = found[1]
            continue
        token = s.tokens[i]
        kind = token.kind if token.kind in PLAIN else _ALONE.get(token.kind, "gap")
        pieces.append(Piece(kind, token.value, token.start, token.end))
        i += 1
    return pieces


def _clock(s: Stream, i: int) -> Pieces | None:
    found = clock(s, i)
    if found is None:
        return None
    read, end = found
    return one(s, "bad" if isinstance(read, str) else "clock", read, i, end)


def _day_with_part(s: Stream, i: int) -> Pieces | None:
    """今晚八点半: a day and an evening in one word, and the hour that belongs to both."""
    part = s.tokens[i].value[1]
    if part is None:
        return None
    if s.tokens[i].raw[0] == "当" and i and s.kinds[i - 1] in ("festival", "hao", "ri", "weekday"):
        return one(s, "clock", Clock(part=part, grain="part"), i, i + 1)  # 中秋节当晚
    day = Piece("date", Date(offset=s.tokens[i].value[0]), s.tokens[i].start, s.tokens[i].end)
    j = i + 1
    while s.kinds[j] in ("glue", "at", "sep", "about") and j < i + 3:
        j += 1
    found = clock(s, j)
    if found is not None:
        read, end = found
        if isinstance(read, str):
            return [day, *one(s, "bad", read, j, end)[0]], end
        if read.part is None or read.part == part:
            piece = Piece(
                "clock", replace(read, part=part), s.tokens[j].start, s.tokens[end - 1].end
            )
            return [day, piece], end
    tail = Piece("clock", Clock(part=part, grain="part"), day.end, day.end)
    return [day, tail], i + 1


def _date(s: Stream, i: int) -> Pieces | None:
    english = s.tokens[i].raw.isascii() and s.kinds[i] not in ("rel", "lunar")
    found = chinese_date(s, i) or (english_date(s, i) if english else None)
    return one(s, "date", found[0], i, found[1]) if found else None


def _english(s: Stream, i: int) -> Pieces | None:
    found = english_date(s, i)
    return one(s, "date", found[0], i, found[1]) if found else None


def _weekday(s: Stream, i: int) -> Pieces | None:
    return _english(s, i) if s.tokens[i].raw.isascii() else _date(s, i)


def _written(s: Stream, i: int) -> Pieces | None:
    found = written_date(s, i)
    return one(s, "date", found[0], i, found[1]) if found else None


def _lapse(s: Stream, i: int) -> Pieces | None:
    """5分钟后, two hours later, 3 days from now, 10 minutes before, 三天前."""
    read = duration(s, i)
    if read is None:
        return None
    gone, j = read
    kind, raw = s.kinds[j], s.tokens[j].raw
    if s.tokens[i].raw in _ABOUT and kind in ("after", "within"):
        return one(s, "vague", None, i, j + 1)
    if kind in ("after", "within", "later"):
        if raw == "after" and s.kinds[j + 1] not in ("end", "sep", "gap"):
            return one(s, "length", gone, i, j)
        return one(s, "after", gone, i, j + 1)
    from_now = s.kinds[j + 1] == "now" or s.tokens[j + 1].raw == "today"
    if raw == "from" and from_now:
        return one(s, "after", gone, i, j + 2)
    if kind in ("before", "ago") or raw in ("beforehand", "early"):
        return one(s, "before", gone, i, j + 1)
    if raw == "in" and s.tokens[j + 1].raw == "advance":
        return one(s, "before", gone, i, j + 2)
    return one(s, "length", gone, i, j)


_ABOUT = ("两三", "三四", "三五", "四五", "五六", "七八", "一两", "二三", "六七", "八九")


def _in(s: Stream, i: int) -> Pieces | None:
    """In 5 minutes; in the morning; in March."""
    j = i + 1
    while s.kinds[j] in ("about", "at", "the") and j < i + 3:
        j += 1
    read = duration(s, j)
    if read:
        j = read[1] + 1 if s.tokens[read[1]].raw == "time" else read[1]
        return one(s, "after", read[0], i, j)
    if s.kinds[j] == "several":
        return one(s, "vague", None, i, j + 2 if s.kinds[j + 1] == "unit" else j + 1)
    if s.kinds[j] == "a" and s.kinds[j + 1] in ("several", "gap"):
        end = j + 3 if s.kinds[j + 2] == "unit" else j + 2
        return one(s, "vague", None, i, end) if s.tokens[j + 1].raw in _SOON else None
    if s.kinds[j] == "part":
        return one(s, "clock", Clock(part=str(s.tokens[j].value), grain="part"), i, j + 1)
    found = english_date(s, j)
    return one(s, "date", found[0], i, found[1]) if found else None


_SOON = ("few", "while", "bit", "moment", "minute", "sec", "little", "jiffy")


def _coming(s: Stream, i: int) -> Pieces | None:
    """Next 3 days, the coming two weeks, after 5 days, +15 minutes."""
    read = duration(s, i + 1)
    if read is None or s.tokens[i].value in (0, -1) or not s.tokens[i].raw.isascii():
        return None
    return one(s, "after", read[0], i, read[1])


def _pass(s: Stream, i: int) -> Pieces | None:
    """过5分钟, 再过两个小时, 过几天."""
    read = duration(s, i + 1)
    if read is None:
        if s.kinds[i + 1] == "several":
            return one(s, "vague", None, i, i + 3 if s.kinds[i + 2] in ("unit", "ge") else i + 2)
        return None
    gone, j = read
    j = j + 1 if s.kinds[j] == "after" else j
    return one(s, "after", gone, i, j)


def _ending(s: Stream, i: int) -> Pieces | None:
    """…截止 behind a day ends there; before one it opens the end."""
    if s.tokens[i].raw == "截止" and s.kinds[i + 1] in ("end", "sep", "verb", "gap"):
        return one(s, "until_end", None, i, i + 1)
    return None


def _lead(s: Stream, i: int) -> Pieces | None:
    """提前10分钟, 前半小时, 早10分钟叫我."""
    j = i + 1
    read = duration(s, j)
    if read is None:
        if s.kinds[j] == "several" and s.kinds[i] == "lead":
            return one(s, "vague", None, i, j + 2)
        return None
    gone, end = read
    if s.kinds[i] == "before":
        if gone.days == 1 and not gone.seconds and not gone.months:
            return one(s, "shift", -1, i, end)
        return one(s, "lead", gone, i, end)
    return one(s, "lead", gone, i, end)


def _later_in(s: Stream, i: int) -> Pieces | None:
    """The day before / after: told from a day named earlier."""
    if s.kinds[i + 2] != "before":
        return None
    alone = s.kinds[i + 3] in ("end", "sep", "at", "gap", "clock", "part")
    if s.tokens[i + 1].value == "day" and alone:
        return one(s, "shift", -1, i, i + 3)
    if s.tokens[i + 1].raw in ("night", "evening"):
        pieces = one(s, "shift", -1, i, i + 3)[0]
        end = s.tokens[i + 2].end
        return [*pieces, Piece("clock", Clock(part="evening", grain="part"), end, end)], i + 3
    return None


def _at(s: Stream, i: int) -> Pieces | None:
    """At 8, by 5, around noon, at night: a bare number is an hour here."""
    j = i + 1
    while s.kinds[j] in ("about", "at") and j < i + 3:
        j += 1
    found = clock(s, j)
    if found:
        return one(s, "bad" if isinstance(found[0], str) else "clock", found[0], i, found[1])
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    return _bare_hour(s, i, j)


def _bare_hour(s: Stream, i: int, j: int) -> Pieces | None:
    value, raw, following = s.tokens[j].value, s.tokens[j].raw, s.kinds[j + 1]
    if (
        len(raw) in (3, 4)
        and raw.isascii()
        and raw.isdecimal()
        and value % 100 < 60
        and value < 2400
    ):
        end = j + 2 if s.tokens[j + 1].raw in ("hours", "hrs") else j + 1
        if s.kinds[end] == "gap" and s.tokens[end].raw not in ("to", "remind"):
            return None
        exact = raw[0] == "0" or value >= 1300
        return one(
            s, "clock", Clock(value // 100, value % 100, exact=exact, grain="minute"), i, end
        )
    if (
        following in ("unit", "month_name", "times", "dash", "letter_unit", "month", "hao")
        or value > 24
    ):
        return None
    if s.tokens[i].raw in ("about", "around", "roughly") and following == "gap":
        return None
    read = Clock(int(value), exact=value > 12)
    k = j + 1
    if s.kinds[k] == "in" and s.kinds[k + 1] == "the" and s.kinds[k + 2] == "part":
        return one(s, "clock", replace(read, part=str(s.tokens[k + 2].value)), i, k + 3)
    return one(s, "clock", read, i, k)


def _on(s: Stream, i: int) -> Pieces | None:
    j = i + 1
    if s.kinds[j] == "date":
        return one(s, "date", *_with_start(written_date(s, j), i))
    found = english_date(s, j)
    if found:
        return one(s, "date", found[0], i, found[1])
    if s.kinds[j] in ("weekdays", "weekends", "workdays"):
        plural = every_piece(s, j)
        if plural:
            pieces = [plural[0][0]._replace(start=s.tokens[i].start), *plural[0][1:]]
            return pieces, plural[1]
    return None


def _with_start(found: tuple[Date, int] | None, i: int) -> tuple[Date, int, int]:
    assert found is not None, "a written date is always read"
    return found[0], i, found[1]


def _this_part(s: Stream, i: int) -> Pieces | None:
    """This morning, this evening; next morning is told from another day."""
    if s.kinds[i + 1] != "part":
        return None
    offset = {"this": 0, "next": 1, "following": 1}.get(s.tokens[i].raw)
    if offset is None:
        if s.tokens[i].raw != "last":
            return None
        offset = -1
    start, middle, end = s.tokens[i].start, s.tokens[i].end, s.tokens[i + 1].end
    day = Piece("date", Date(offset=offset), start, middle)
    part = Clock(part=str(s.tokens[i + 1].value), grain="part")
    found = _after_part(s, i + 2)
    if found:
        return [day, Piece("clock", replace(found[0], part=part.part), middle, found[2])], found[1]
    return [day, Piece("clock", part, middle, end)], i + 2


def _after_part(s: Stream, i: int) -> tuple[Clock, int, int] | None:
    """… at 8 behind a day part."""
    if s.kinds[i] not in ("at", "clock", "num"):
        return None
    found = _at(s, i) if s.kinds[i] == "at" else _clock(s, i)
    if found and isinstance(found[0][0].value, Clock):
        return found[0][0].value, found[1], found[0][0].end
    return None


def _part(s: Stream, i: int) -> Pieces | None:
    """Morning at 8, 早上8点."""
    if s.tokens[i].raw.isascii():
        found = _after_part(s, i + 1)
        if found:
            read = replace(found[0], part=found[0].part or str(s.tokens[i].value))
            return [Piece("clock", read, s.tokens[i].start, found[2])], found[1]
    return _clock(s, i)


def _vague_amount(s: Stream, i: int) -> Pieces | None:
    """几分钟后, a few days."""
    j = i + 1
    if s.kinds[j] == "ge":
        j += 1
    if s.kinds[j] in ("unit", "fen", "year"):
        j += 1
        if s.kinds[j] in ("after", "later", "within"):
            return one(s, "vague", None, i, j + 1)
    return None


def _for(s: Stream, i: int) -> Pieces | None:
    """Set an alarm for 5: a bare hour, because an alarm is set for it."""
    return _at(s, i) if i and s.kinds[i - 1] == "alarm" and s.kinds[i + 2] != "unit" else None


def _number(s: Stream, i: int) -> Pieces | None:
    """A length that something is done with, a date, or a length alone: in this order."""
    following = s.kinds[i + 1]
    if following in ("month", "hao") or (following == "year" and s.tokens[i].value > 999):
        return _date(s, i)
    lapse = _lapse(s, i)
    if lapse and lapse[0][0].kind != "length":
        return lapse
    return _date(s, i) or lapse


Rule = Callable[[Stream, int], Pieces | None]
RULES: dict[str, tuple[Rule, ...]] = {
    "num": (count_piece, numbered_festival, _clock, _number),
    "tens": (_clock, _lapse, _english),
    "half": (_clock, _lapse),
    "quarter": (_clock, _lapse),
    "a": (every_piece, _clock, _english, _lapse),
    "couple": (_english, _lapse),
    "cha": (_clock,),
    "clock": (_clock,),
    "clock_word": (_clock,),
    "part": (_part,),
    "short_part": (_clock,),
    "day": (_day_with_part, _date),
    "date": (_written,),
    "in": (_in,),
    "pass": (_pass,),
    "past": (_pass,),
    "lead": (_lead,),
    "before": (_lead,),
    "at": (_at,),
    "on": (_on,),
    "the": (every_piece, _later_in, _english),
    "rel_word": (_this_part, _coming, every_piece, _english),
    "after": (_coming,),
    "until": (_ending,),
    "plus": (_coming,),
    "quarter_code": (_english,),
    "several": (_vague_amount,),
    "once": (every_piece,),
}
for _kind in words(
    "rel weekday_of weekend lunar solar lunar_month leap chu new_year_day festival edge last "
    "half_year"
):
    RULES[_kind] = (_date,)
for _kind in words(
    "every every_gap everyday every_week every_year every_month every_hour every_unit"
):
    RULES[_kind] = (every_piece,)
for _kind in ("weekdays", "weekends", "workday", "workdays"):
    RULES[_kind] = (every_piece,)
RULES["weekday"] = (_weekday,)
RULES["ordinal"] = RULES["ordinal_back"] = (_date,)
RULES["lunar"] = (lunar_every, _date)
RULES["for"] = (_for,)
RULES["ord"] = (every_piece, _english)
RULES["month_name"] = (_english,)
RULES["end_of"] = (_english,)
RULES["unit"] = (_english,)
RULES["ask"] = (asked,)
RULES["make"] = (made,)
RULES["not"] = RULES["let"] = RULES["remember"] = (recalled,)
RULES["parts"] = (day_parts,)
