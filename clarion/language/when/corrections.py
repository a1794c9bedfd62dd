"""What is taken back or moved: not Friday but Saturday, make it 6, 从七点调到七点半."""

from clarion.language.when.dates.chinese import chinese_date
from clarion.language.when.dates.english import english_date
from clarion.language.when.hours.clock import at_hour, clock
from clarion.language.when.stream import Piece, Pieces, TokenStream, lapse, one
from clarion.language.when.words import words


def moved_from(s: TokenStream, i: int) -> Pieces | None:
    """Moved from Tuesday to Thursday, 从七点调到七点半: only what it was moved to is meant."""
    if s.tokens[i].raw in ("从", "由"):
        return _moved_in_chinese(s, i)
    if not _is_moved(s, i):
        return None
    found = english_date(s, i + 1) or clock(s, i + 1)
    alone = s.kinds[i + 1] == "weekday" or (s.kinds[i + 1] == "num" and s.kinds[i + 2] == "to")
    end = i + 2 if alone else found[1] if found else i
    if s.kinds[end] == "at" and (hour := at_hour(s, end)):  # from Thursday at 2 to Friday at 11
        end = hour[1]
    return one(s, "gap", None, i, end + 1) if s.kinds[end] == "to" else None


def _moved_in_chinese(s: TokenStream, i: int) -> Pieces | None:
    """从七点调到, 从明天下午三点挪到."""
    day = chinese_date(s, i + 1)
    end = day[1] if day else i + 1
    hour = clock(s, end + 1 if s.kinds[end] == "glue" else end)
    if not (day or hour):
        return None
    end = hour[1] if hour else end
    end = end + 2 if s.kinds[end] == "glue" and s.kinds[end + 1] == "gap" else end  # …三点的会
    moved = s.kinds[end] == "gap" and s.tokens[end].raw[-1] in _MOVED
    return one(s, "gap", None, i, end + 2) if moved else None


def moved_to(s: TokenStream, i: int) -> Pieces | None:
    """Moved to 3, pushed to Friday: where it is now, and no end of anything."""
    if not s.tokens[i].raw.isascii() or not _is_moved(s, i):
        return None
    start, hour = s.tokens[i].start, at_hour(s, i)
    if hour:
        return [Piece("correct", "instead", start, start), *hour[0]], hour[1]
    return one(s, "correct", "instead", i, i + 1) if english_date(s, i + 1) else None


def _is_moved(s: TokenStream, i: int) -> bool:
    """Moved to, moved my haircut from; but "move boxes from 2 to 4" is done in these hours."""
    if i and s.tokens[i - 1].raw in _MOVED:
        return True
    back = i - 1
    while back > 0 and s.kinds[back] in ("gap", "the", "a") and back > i - OBJECT_WORDS:
        back -= 1
        if s.tokens[back].raw in _MOVED and s.tokens[back].raw.endswith("ed"):
            return True
    return False


OBJECT_WORDS = 4  # moved my next haircut
_MOVED = frozenset(
    words(
        "moved changed rescheduled shifted pushed postponed switched bumped move push "
        "调 挪 推 移 换 延"
    )
)


def instead(s: TokenStream, i: int) -> Pieces | None:
    """Tomorrow at 8, I mean 9; 下周二不是这周二 takes back the second."""
    taken_back = s.tokens[i].raw == "不是" and i > 0 and s.kinds[i + 1] != "sep"
    if taken_back and (
        s.kinds[i - 1] in _SAID or s.tokens[i - 1].raw == ")" or _closes_with_day(s, i + 1)
    ):
        return one(s, "not", None, i, i + 1)
    if s.tokens[i].value == "instead" and _is_other_hour(s, i):
        return one(s, "glue", None, i, i + 1)
    j = i + 1 if s.tokens[i + 1].raw == "," else i
    led = s.kinds[i - 2] if s.kinds[i - 1] == "sep" else s.kinds[i - 1]
    if s.tokens[i].raw == "no" and (not i or led not in _HOURS):
        return None  # only behind an hour: at 7, no, 8
    english = s.tokens[i].raw.isascii() and s.kinds[j + 1] == "num"
    found = at_hour(s, j) if english and s.kinds[j + 2] in _BEHIND_HOUR else None
    if found is None:
        found = at_hour(s, j) if s.kinds[j + 1] in ("quarter", "half") else None
        found = (
            found if found and found[0][0].kind == "vague" else None
        )  # at five, no, quarter past
    if found is None:
        return None
    return [*one(s, "correct", "instead", i, i + 1)[0], *found[0]], found[1]


def _closes_with_day(s: TokenStream, i: int) -> bool:
    """下周二九点提醒我交材料，不是这周二: the last words only say which day is not meant."""
    found = chinese_date(s, i)
    return (
        found is not None and s.kinds[found[1]] == "end" and bool(_SAID.intersection(s.kinds[:i]))
    )


def _is_other_hour(s: TokenStream, i: int) -> bool:
    """每天六点叫我，周末改成八点: an hour of those days, and no correction of the rhythm."""
    daily = _DAILY.intersection(s.kinds[: max(i - 1, 0)])
    return bool(daily) and s.kinds[i - 1] in ("weekend", "weekday", "workday", "num", "ri")


_HOURS = frozenset(("num", "clock", "meridiem", "clock_word", "oclock", "part"))
_BEHIND_HOUR = frozenset(("end", "sep", "meridiem", "to", "day", "oclock", "ask"))
_DAILY = frozenset(("everyday", "workday", "workdays", "weekdays", "every"))
_OTHER_DAYS = frozenset(("weekend", "weekends", "weekday", "weekdays"))
_SAID = frozenset(
    words(
        "weekday weekday_of weekend day hao ri point half festival edge after unit nth_day num date"
    )
)


def make_it(s: TokenStream, i: int) -> Pieces | None:
    """Make it 6: the hour that is meant instead."""
    if s.tokens[i].raw[0] == "l" and not _HOURS.intersection(s.kinds[:i]):
        return None  # let's say 5
    found = at_hour(s, i)
    if found is None and (instead := _other_amount(s, i)):
        return instead
    if found is None:
        timed = s.kinds[i + 1] in ("weekday", "day", "rel_word", "date", "month_name", "in", "at")
        return one(s, "correct", "instead", i, i + 1) if timed else None
    start = s.tokens[i].start
    return [Piece("correct", "instead", start, start), *found[0]], found[1]


def _other_amount(s: TokenStream, i: int) -> Pieces | None:
    """In 20 minutes, actually make that 30: of what was counted before."""
    if s.kinds[i + 1] != "num" or s.kinds[i + 2] not in ("end", "sep"):
        return None
    unit = next((s.tokens[k].value for k in range(i - 1, -1, -1) if s.kinds[k] == "unit"), None)
    if unit is None:
        return None
    start = s.tokens[i].start
    gone = one(s, "after", lapse(s.tokens[i + 1].value, str(unit)), i, i + 2)[0]
    return [Piece("correct", "instead", start, start), *gone], i + 2


def bar(s: TokenStream, i: int) -> Pieces | None:
    """Bar Saturdays: an exception; elsewhere a place to drink. Not Friday but Saturday corrects."""
    if s.tokens[i].raw == "but" and "not" in s.kinds[:i]:
        return one(s, "correct", "instead", i, i + 1)
    if s.tokens[i].raw == "but" and _DAILY.intersection(s.kinds[:i]):
        hour = clock(s, i + 1) or at_hour(s, i)
        of_days = hour and _OTHER_DAYS.intersection(s.kinds[hour[1] : hour[1] + 2])
        if hour and (of_days or s.kinds[i - 1] == "sep"):  # at 6 every day, but 8 on weekends
            return one(s, "and", None, i, i + 1)
    days = s.kinds[i + 1] in ("weekday", "weekdays", "weekends", "workdays", "day")
    return one(s, "except", None, i, i + 1) if days else None


def one_after(s: TokenStream, i: int) -> Pieces | None:
    """Not this Thursday but the one after: a week on from the day that is not meant."""
    told = s.tokens[i + 1].raw == "one" and s.tokens[i + 2].raw == "after"
    return one(s, "shift", 7, i, i + 3) if told and "not" in s.kinds[:i] else None
