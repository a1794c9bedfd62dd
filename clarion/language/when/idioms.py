"""Chinese ways of saying that are words of their own: 五一, 早中晚各一次, 农历每月初一和十五."""

from clarion.language.when.dates.chinese import nth_week
from clarion.language.when.stream import ClockWords, Date, Every, Piece, Pieces, TokenStream, one


def numbered_festival(s: TokenStream, i: int) -> Pieces | None:
    """五一, 十一, 六一: a day named by its figures, where no unit makes it a number."""
    name = _FIGURES.get(s.tokens[i].raw)
    if name is None:
        return None
    counted = s.kinds[i + 1] in ("ge", "times", "unit", "month", "gap", "num", "point")
    opens = (not i or s.kinds[i - 1] == "sep") and s.kinds[i + 1] == "gap"
    done = opens and s.tail(i, 1) in "带去回要陪给我放打想准"  # 六一带孩子去
    if counted and not done and s.tail(i, 2) not in ("假期", "长假", "黄金", "期间", "放假"):
        return None
    if i and s.kinds[i - 1] in ("gap", "ordinal", "num"):
        return None
    if s.tokens[i + 1].raw == "期间":
        return one(s, "vague", "day", i, i + 2)
    date, end = _beside(s, i, name)
    if s.tail(i, 2) in ("假期", "长假", "期间", "放假") and s.kinds[end] == "holiday_off":
        end += 1
    return one(s, "date", date, i, end)


def _beside(s: TokenStream, i: int, festival: str) -> tuple[Date, int]:
    date, j = Date(festival=festival), i + 1
    if (
        s.kinds[j] in ("before", "after")
        and s.kinds[j + 1] == "num"
        and s.tokens[j + 2].value == "day"
    ):
        days = int(s.tokens[j + 1].value)
        return date._replace(shift=-days if s.kinds[j] == "before" else days), j + 3
    return date, j + 1 if s.tokens[j].raw in ("当天", "当日") else j


_FIGURES = {
    "五一": "labour",
    "十一": "national",
    "六一": "children",
    "八一": "army",
    "七一": "party",
    "三八": "women",
}


def listed_weekdays(s: TokenStream, i: int) -> Pieces | None:
    """一三五早上七点, 二四六: days of every week, without the word."""
    days = {"一三五": (0, 2, 4), "二四六": (1, 3, 5)}.get(s.tokens[i].raw)
    if days is None or s.kinds[i + 1] not in ("part", "short_part", "clock"):
        return None
    week = Piece("every", Every("week"), s.tokens[i].start, s.tokens[i].start)
    return [week, *one(s, "date", Date(weekdays=days), i, i + 1)[0]], i + 1


def two_weekdays(s: TokenStream, i: int) -> Pieces | None:
    """第二和第四个周五, 第1、3个周一: two of the same weekday in a month."""
    joint = i + 3 if s.kinds[i + 2] == "ge" else i + 2
    if s.kinds[i + 1] != "num" or s.kinds[joint] != "and":
        return None
    j = joint + 2 if s.kinds[joint + 1] == "ordinal" else joint + 1
    k = j + 2 if s.kinds[j + 1] == "ge" else j + 1
    if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
        return None
    if s.kinds[k] == "weekday":
        day, end = int(s.tokens[k].value), k + 1
    elif s.tokens[k].value == "week":  # 个周 is one word, and the day stands behind it
        (_, day), end = nth_week(s, k, 1)
    else:
        return None
    if day > 6:
        return None
    first, second = (Date(nth=(int(s.tokens[n].value), day)) for n in (i + 1, j))
    led = one(s, "date", first, i, joint)[0] + one(s, "and", None, joint, joint + 1)[0]
    return [*led, *one(s, "date", second, j, end)[0]], end


def early_and_late(s: TokenStream, i: int) -> Pieces | None:
    """每天早8晚8: both hours without 点, because the other one explains it."""
    if s.kinds[i + 1 : i + 4] != ["num", "short_part", "num"] or s.kinds[i + 4] == "point":
        return None
    hours = [s.tokens[i + 1].value, s.tokens[i + 3].value]
    if not i or s.kinds[i - 1] not in ("everyday", "workday", "weekend", "weekday"):
        return None
    if any(isinstance(hour, float) or not 1 <= hour <= 12 for hour in hours):
        return None
    return one(
        s, "clocks", [ClockWords(hours[0], part="am"), ClockWords(hours[1], part="pm")], i, i + 4
    )


def day_parts(s: TokenStream, i: int) -> Pieces | None:
    """早中晚各一次."""
    clocks = [ClockWords(part=part, grain="part") for part in s.tokens[i].value]
    j = i + 1
    if s.kinds[j] == "each":
        j += 1
    if s.kinds[j] == "num" and s.tokens[j].value == 1 and s.kinds[j + 1] == "times":
        j += 2
    return one(s, "clocks", clocks, i, j)


def lunar_every(s: TokenStream, i: int) -> Pieces | None:
    """农历每月初一和十五, 农历每月十五."""
    if s.kinds[i + 1] != "every" or s.kinds[i + 2] != "month":
        return None
    days: list[int] = []
    j = i + 3
    for _ in range(8):
        k = j + 1 if s.kinds[j] in ("and", "chu") or (days and s.tokens[j].raw in "，,") else j
        k = k + 1 if s.kinds[k] == "chu" else k
        if s.kinds[k] != "num" or not 1 <= s.tokens[k].value <= 30:
            break
        if s.kinds[k + 1] in ("point", "unit", "times"):
            break
        days.append(int(s.tokens[k].value))
        j = k + 2 if s.kinds[k + 1] in ("hao", "ri") else k + 1
    if not days:
        return None
    every = Piece("every", Every("month"), s.tokens[i].start, s.tokens[i + 2].end)
    day = Piece(
        "date", Date(lunar=True, days=tuple(days)), s.tokens[i + 3].start, s.tokens[j - 1].end
    )
    return [every, day], j
