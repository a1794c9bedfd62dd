"""Parts of a day and the hour beside them: Tuesday PM, this evening at 8, Thursday mornings."""

import re

from clarion.language.when.hours.clock import at_hour, clock, clock_piece, face
from clarion.language.when.stream import ClockWords, Date, Every, Piece, Pieces, TokenStream, one
from clarion.language.when.words import EVENT_NIGHTS, words


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
        if s.tokens[i].raw == "previous":
            part = ClockWords(part=str(s.tokens[i + 1].value), grain="part")
            return [
                *one(s, "shift", -1, i, i + 1)[0],
                *one(s, "clock", part, i + 1, i + 2)[0],
            ], i + 2
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
        if _named_night(s, i):
            return one(s, "gap", None, i, i + 1)
        found = _after_part(s, i + 1)
        if found:
            every: list[Piece] = []
            if s.tokens[i].raw[-1] == "s" and (not i or s.kinds[i - 1] in ("ask", "verb", "in")):
                every = one(s, "every", Every("day"), i, i)[0]  # mornings at seven
            part = found[0].part or str(s.tokens[i].value)
            night = part == "am" and s.tokens[i].value == "tonight"  # Saturday night at 12:30am
            after = night and (found[0].hour or 0) % 12 < SMALL_HOURS
            read = found[0]._replace(part="small_hours" if after else part)
            return [*every, Piece("clock", read, s.tokens[i].start, found[2])], found[1]
    return clock_piece(s, i)


def part_of_a_name(s: TokenStream, i: int) -> bool:
    """Good morning; afternoon tea; midnight snack: a part of the day needs company."""
    led = s.tokens[i - 1].raw if i else ""
    if led == "good" or (led and s.tokens[i].raw == "dawn" and s.is_capital(i)):
        return True
    if led == "a" and s.kinds[i + 1] == "to" and not {"ask", "verb"}.intersection(s.kinds):
        return True  # a night to remember
    lone = not i or s.kinds[i - 1] in ("gap", "the", "a")
    if led and s.tokens[i].raw == "night" and s.kinds[i - 1] == "gap" and s.kinds[i + 1] == "end":
        return not _WISHES.intersection(s.kinds)  # silent night
    return lone and s.kinds[i + 1] == "gap" and not _WISHES.intersection(s.kinds)


def _named_night(s: TokenStream, i: int) -> bool:
    """Parents evening on Friday at half past two: the hour is told, and of the afternoon."""
    if s.tokens[i].raw not in ("evening", "night") or not _EVENT.search(
        s.text, 0, s.tokens[i].start
    ):
        return False
    told = range(i + 1, s.count)
    return any(s.kinds[j] in _HOURS_BEGIN and (face(s, j) or s.kinds[j - 1] == "at") for j in told)


_EVENT = re.compile(rf"\b{EVENT_NIGHTS}'?s? $")


_HOURS_BEGIN = frozenset(words("num tens half quarter clock clock_word"))


SMALL_HOURS = 5  # until then it is still the night of the day before


_WISHES = frozenset(("ask", "verb", "make", "remember", "alarm"))
