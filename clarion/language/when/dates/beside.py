"""Days told from one that was named: 周六聚会，当天上午; the day before; the night before it."""

from clarion.language.when.dates.english import english_date
from clarion.language.when.stream import ClockWords, Piece, Pieces, TokenStream, one
from clarion.language.when.words import words


def later_in(s: TokenStream, i: int) -> Pieces | None:
    """The day before / after: told from a day named earlier."""
    days = {"before": -1, "after": 1}.get(s.tokens[i + 2].raw)
    if days is not None and s.kinds[i + 1] == "part" and (told := _part_beside(s, i, days)):
        return told
    alone = s.kinds[i + 3] in ("end", "sep", "at", "gap", "clock", "part", "to")
    alone = alone or s.kinds[i + 3 : i + 5] == ["the", "gap"]  # the day after the party
    if days is None or not alone:
        return None
    if s.tokens[i + 1].value == "day":
        return one(s, "shift", days, i, i + 3)
    if s.kinds[i + 1] == "part":
        pieces = one(s, "shift", days, i, i + 3)[0]
        end = s.tokens[i + 2].end
        part = "evening" if s.tokens[i + 1].value == "tonight" else str(s.tokens[i + 1].value)
        return [*pieces, Piece("clock", ClockWords(part=part, grain="part"), end, end)], i + 3
    return None


def _part_beside(s: TokenStream, i: int, days: int) -> Pieces | None:
    """The night before Christmas; the morning after the 5th."""
    found = english_date(s, i + 3)
    if found is None or found[0].offset is not None:
        return None
    part = "evening" if s.tokens[i + 1].value == "tonight" else str(s.tokens[i + 1].value)
    date = one(s, "date", found[0]._replace(shift=found[0].shift + days), i, found[1])[0]
    end = s.tokens[found[1] - 1].end
    return [*date, Piece("clock", ClockWords(part=part, grain="part"), end, end)], found[1]


def of_named_day(s: TokenStream, i: int) -> Pieces | None:
    """周六聚会，当天上午…; 周五喝酒，第二天早上…: told from a day that was named before."""
    raw = s.tokens[i].raw
    if raw not in _TOLD_FROM and raw[0] != "第":
        return None
    of_a_thing = s.tokens[i + 1].raw == "的" and s.kinds[i + 2] == "gap"
    if raw[0] == "第" and of_a_thing and (not i or s.kinds[i - 1] == "gap"):
        return one(s, "gap", None, i, i + 1)  # 第二天的菜
    night_before = raw[-1] in "晚夜" and raw in _TOLD_FROM  # 手术前一晚: of which day?
    if s.kinds[i - 1] in ("to", "dash", "until") and i:
        return None  # 今晚八点到次日八点
    if raw not in _TOLD_FROM or not (night_before or NAMED_DAYS.intersection(s.kinds[:i])):
        return None
    days = _TOLD_FROM[raw]
    if night_before:
        part = ClockWords(part="evening", grain="part")
        end = s.tokens[i].end
        return [*one(s, "shift", days, i, i + 1)[0], Piece("clock", part, end, end)], i + 1
    return one(s, "shift", days, i, i + 1) if days else one(s, "glue", None, i, i + 1)


_TOLD_FROM = {"当天": 0, "当日": 0, "第二天": 1, "次日": 1, "翌日": 1, "转天": 1, "第三天": 2}
_TOLD_FROM |= dict.fromkeys(words("头天 头一天 头一晚 前一晚 前一夜 前一日 早一日 早一天"), -1)
NAMED_DAYS = frozenset(words("weekday weekday_of weekend hao ri festival date rel month day"))
