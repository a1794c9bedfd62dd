"""Hours that a word before or behind them makes hours: at 8, 今晚八点半, this morning at 9."""

from clarion.language.when.clock.faces import clock
from clarion.language.when.stream import ClockWords, Date, Piece, Pieces, TokenStream, one
from clarion.language.when.words.wordlist import words


def clock_piece(s: TokenStream, i: int) -> Pieces | None:
    found = clock(s, i)
    if found is None:
        return None
    read, end = found
    return one(s, "bad" if isinstance(read, str) else "clock", read, i, end)


def day_with_part(s: TokenStream, i: int) -> Pieces | None:
    """今晚八点半: a day and an evening in one word, and the hour that belongs to both."""
    part = s.tokens[i].value[1]
    if part is None:
        return None
    if s.tokens[i].raw[0] == "当" and i and _DAYS.intersection(s.kinds[:i]):
        return one(s, "clock", ClockWords(part=part, grain="part"), i, i + 1)  # 中秋节当晚
    day = Piece("date", Date(offset=s.tokens[i].value[0]), s.tokens[i].start, s.tokens[i].end)
    j = i + 1
    while s.kinds[j] in ("glue", "at", "sep", "about") and j < i + 3:
        j += 1
    found = clock(s, j)
    if found is not None:
        read, end = found
        if isinstance(read, str):
            return [day, *one(s, "bad", read, j, end)[0]], end
        if read.part == "midnight" and part == "tonight":
            return [day, *one(s, "clock", read, j, end)[0]], end
        if part in ("evening", "tonight") and read.part == "dawn" and read.hour is not None:
            read = read._replace(part=None)
            part = "small_hours"  # 今晚凌晨一点
        if read.part is None or read.part == part:
            piece = Piece(
                "clock", read._replace(part=part), s.tokens[j].start, s.tokens[end - 1].end
            )
            return [day, piece], end
    tail = Piece("clock", ClockWords(part=part, grain="part"), day.end, day.end)
    return [day, tail], i + 1


_DAYS = frozenset(words("festival hao ri weekday weekday_of weekend date day"))


def at_hour(s: TokenStream, i: int) -> Pieces | None:
    """At 8, by 5, around noon, at night: a bare number is an hour here."""
    j = i + 1
    while s.kinds[j] in ("about", "at") and j < i + 3:
        j += 1
    found = clock(s, j)
    if found:
        return one(s, "bad" if isinstance(found[0], str) else "clock", found[0], i, found[1])
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    if s.tokens[i].raw == "by" and i and s.kinds[i - 1] == "num":  # one by one
        return None
    return _bare_hour(s, i, j)


def _bare_hour(s: TokenStream, i: int, j: int) -> Pieces | None:
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
            s, "clock", ClockWords(value // 100, value % 100, exact=exact, grain="minute"), i, end
        )
    if s.tokens[j + 1].raw == "h" and s.tokens[i].kind == "at" and 0 <= value <= 24:  # @ 14h
        return one(s, "clock", ClockWords(int(value), exact=True), i, j + 2)
    if (
        following in ("unit", "month_name", "times", "dash", "letter_unit", "month", "hao")
        or value > 24
    ):
        return None
    if s.tokens[i].raw in ("about", "around", "roughly") and following == "gap":
        return None
    if s.tokens[j + 1].raw in _NO_HOUR:
        return None
    if following == "to" and s.kinds[j + 2] == "num" and s.tokens[j + 2].value > 24:
        return one(s, "bad", "no_such_hour", i, j + 3)  # at 10 to 25
    read = ClockWords(int(value), exact=value > 12)
    k = j + 1
    if s.kinds[k] == "in" and s.kinds[k + 1] == "the" and s.kinds[k + 2] == "part":
        return one(s, "clock", read._replace(part=str(s.tokens[k + 2].value)), i, k + 3)
    return one(s, "clock", read, i, k)


_NO_HOUR = frozenset(  # by 10 percent, at one with nature, at 3 points
    words("percent % with point points stage dollars pounds euros people years degrees km miles")
)


def half_of_day(s: TokenStream, i: int) -> Pieces | None:
    """Tuesday PM, tomorrow am: a half of the day where no hour stands beside it; PM 2:30."""
    found = clock(s, i + 1) if s.kinds[i + 1] == "clock" else None
    if found and isinstance(found[0], ClockWords) and found[0].part is None:
        return one(s, "clock", found[0]._replace(part=s.tokens[i].value), i, found[1])
    if not i or s.kinds[i - 1] not in ("day", "weekday", "ord") or s.kinds[i + 1] in _HOURS:
        return None
    part = "afternoon" if s.tokens[i].value == "pm" else "morning"
    return one(s, "clock", ClockWords(part=part, grain="part"), i, i + 1)


_HOURS = frozenset(("num", "clock", "at"))


def lunch(s: TokenStream, i: int) -> Pieces | None:
    """Tomorrow lunch: the usual hour, where nothing says what is done with the lunch."""
    day = i - 2 if i > 1 and s.tokens[i - 1].raw == "at" else i - 1
    if day < 0 or s.kinds[day] not in ("day", "weekday") or s.kinds[i + 1] == "gap":
        return None
    return one(s, "clock", ClockWords(part="lunch", grain="part"), i, i + 1)


def this_part(s: TokenStream, i: int) -> Pieces | None:
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
    part = ClockWords(part=str(s.tokens[i + 1].value), grain="part")
    found = _after_part(s, i + 2)
    if found:
        return [day, Piece("clock", found[0]._replace(part=part.part), middle, found[2])], found[1]
    return [day, Piece("clock", part, middle, end)], i + 2


def _after_part(s: TokenStream, i: int) -> tuple[ClockWords, int, int] | None:
    """… at 8 behind a day part."""
    if s.kinds[i] not in ("at", "clock", "num"):
        return None
    found = at_hour(s, i) if s.kinds[i] == "at" else clock_piece(s, i)
    if found and isinstance(found[0][0].value, ClockWords):
        return found[0][0].value, found[1], found[0][0].end
    return None


def part_piece(s: TokenStream, i: int) -> Pieces | None:
    """Morning at 8, 早上8点."""
    if s.tokens[i].raw.isascii():
        if part_of_a_name(s, i):
            return None
        found = _after_part(s, i + 1)
        if found:
            read = found[0]._replace(part=found[0].part or str(s.tokens[i].value))
            return [Piece("clock", read, s.tokens[i].start, found[2])], found[1]
    return clock_piece(s, i)


def part_of_a_name(s: TokenStream, i: int) -> bool:
    """Good morning; afternoon tea; midnight snack: a part of the day needs company."""
    led = s.tokens[i - 1].raw if i else ""
    if led == "good":
        return True
    lone = not i or s.kinds[i - 1] in ("gap", "the")
    if led and s.tokens[i].raw == "night" and s.kinds[i - 1] == "gap" and s.kinds[i + 1] == "end":
        return not _WISHES.intersection(s.kinds)  # silent night
    return lone and s.kinds[i + 1] == "gap" and not _WISHES.intersection(s.kinds)


_WISHES = frozenset(("ask", "verb", "make", "remember", "alarm"))


def alarm_for(s: TokenStream, i: int) -> Pieces | None:
    """Set an alarm for 5: a bare hour, because an alarm is set for it."""
    return at_hour(s, i) if i and s.kinds[i - 1] == "alarm" and s.kinds[i + 2] != "unit" else None
