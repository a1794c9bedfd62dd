"""Ways of saying that are words of their own: 五一, 早中晚各一次, "the last Friday of each month".

Also days in figures (12.25晚上8点), and what asks to be reminded (set an alarm).
"""

import re

from clarion.language.when.dates.chinese import DAYS_ON, chu, nth_week, shifted
from clarion.language.when.dates.english import english_date
from clarion.language.when.dates.months import written_date
from clarion.language.when.stream import (
    ClockWords,
    Date,
    Every,
    Piece,
    Pieces,
    TokenStream,
    duration,
    one,
)
from clarion.language.when.words import words
from clarion.language.when.words.words_en import AT_ENGLISH, BOOKS, BOOKS_OF_PEOPLE, READ_IN


def numbered_festival(s: TokenStream, i: int) -> Pieces | None:
    """五一, 十一, 六一: a day named by its figures, where no unit makes it a number."""
    name = _FIGURES.get(s.tokens[i].raw)
    if name is None:
        return None
    counted = s.kinds[i + 1] in ("ge", "times", "unit", "month", "gap", "num", "point", "edge")
    opens = (not i or s.kinds[i - 1] == "sep") and s.kinds[i + 1] == "gap"
    done = opens and s.tail(i, 1) in "带去回要陪给我放打想准"  # 六一带孩子去
    if counted and not done and s.tail(i, 2) not in ("假期", "长假", "黄金", "期间", "放假"):
        return None
    if i and s.kinds[i - 1] in ("gap", "ordinal", "num"):
        return None
    if s.tokens[i + 1].raw == "期间":
        return one(s, "vague", "day", i, i + 2)
    holidays = s.tail(i, 2) in ("假期", "长假", "期间", "放假")
    date, end = Date(festival=name), i + 1
    if not holidays:
        date, end = shifted(s, date, end)
    elif s.kinds[end] == "holiday_off":
        end += 1
        if s.tokens[end].raw in DAYS_ON:  # 五一假期第二天
            date, end = date._replace(shift=DAYS_ON[s.tokens[end].raw]), end + 1
    return one(s, "date", date, i, end)


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


def so_many_weekdays(s: TokenStream, i: int) -> Pieces | None:
    """连续四个周五, 接下来的三个周六, the next four Fridays; 这几个周六 is asked about."""
    j = i if s.kinds[i] in ("num", "several") else i + 2 if s.kinds[i + 1] == "glue" else i + 1
    k = j + 2 if s.kinds[j + 1] == "ge" else j + 1
    if s.kinds[j] not in ("num", "several") or s.kinds[k] not in ("weekday", "weekdays"):
        return None
    if s.kinds[i] == "rel_word" and s.tokens[i].raw not in ("next", "coming", "following"):
        return None
    if s.kinds[j] == "several" or (k == j + 1 and i == j):
        return one(s, "vague", "day", i, k + 1) if k > j + 1 else None
    times, day = s.tokens[j].value, Date(weekdays=(int(s.tokens[k].value),))
    if isinstance(times, float) or times < 2 or s.kinds[k + 1] == "times":
        return None
    if s.kinds[k + 1] in ("after", "later"):
        return one(s, "vague", "day", i, k + 2)  # 两个周五之后
    week = one(s, "every", Every("week"), i, i + 1)[0] + one(s, "date", day, j, k + 1)[0]
    end = s.tokens[k].end
    return [*week, Piece("total", None, end, end), Piece("times", times, end, end)], k + 1


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


def earlier(s: TokenStream, i: int) -> Pieces | None:
    """八点踢波，早半个钟提我: as long before, where somebody asks right behind it."""
    read = duration(s, i + 1) if s.tokens[i].raw == "早" else None
    return one(s, "lead", read[0], i, read[1]) if read and s.kinds[read[1]] == "verb" else None


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
        k = j + 1 if s.kinds[j] == "and" or (days and s.tokens[j].raw in "，,") else j
        if s.kinds[k] == "chu" and (found := chu(s, k)):  # 初一十五 are two days in one numeral
            days += found[0].days
            j = found[1]
            continue
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


def ordinal_of_every(s: TokenStream, i: int) -> Pieces | None:
    """The last day of every month, the first Monday of each month, the 5th of every month."""
    if listed := _listed_of_every(s, i):
        return listed
    if s.tokens[i + 1].value == "day" and s.tokens[i + 2].raw == "before":
        return _day_before_every(s, i)
    found = english_date(s, i)
    if found is None:
        return None
    date, j = found
    k = j
    while s.kinds[k] in ("of", "to_hour", "in"):
        k += 1
    lunar = s.kinds[k + 1] == "lunar_word" and bool(date.days)
    if lunar:
        k, date = k + 1, date._replace(lunar=True)
    every = "lunar_word" if lunar else "every"
    if s.kinds[k] != every or s.kinds[k + 1] != "unit" or not (date.nth or date.days):
        return None
    unit = str(s.tokens[k + 1].value)
    if unit not in ("month", "year", "quarter"):
        return None
    rhythm = {"month": Every("month"), "year": Every("year"), "quarter": Every("quarter")}[unit]
    day = Piece("date", date, s.tokens[i].start, s.tokens[j - 1].end)
    return [day, Piece("every", rhythm, s.tokens[k].start, s.tokens[k + 1].end)], k + 2


def edge_of_every(s: TokenStream, i: int) -> Pieces | None:
    """The end of every month, the start of each quarter."""
    edge = str(s.tokens[i].value)
    j = i + 1 if s.tokens[i].raw.endswith(" of") else i + 2
    unit = str(s.tokens[j + 1].value)
    if s.kinds[j] != "every" or s.kinds[j - 1] not in ("of", "end_of") or unit not in _EDGED:
        return None
    every = one(s, "every", Every(unit), i, j + 2)[0]
    return [*every, *one(s, "date", Date(edge=edge, edge_of=unit), i, j + 2)[0]], j + 2


_EDGED = ("month", "quarter", "year")


def _day_before_every(s: TokenStream, i: int) -> Pieces | None:
    """The day before the last day of every month."""
    inner = ordinal_of_every(s, i + 3)
    if inner is None or inner[0][0].value.nth != (-1, 7):
        return None
    day = inner[0][0]._replace(value=Date(nth=(-2, 7)), start=s.tokens[i].start)
    return [day, *inner[0][1:]], inner[1]


def _listed_of_every(s: TokenStream, i: int) -> Pieces | None:
    """The second and fourth Tuesday of every month; the 1st and the last day of each month."""
    items: list[tuple[Date, int, int]] = []
    j = i
    for _ in range(6):
        j = j + 1 if s.kinds[j] == "the" else j
        item = _month_item(s, j)
        if item is None:
            return None
        items.append((item[0], j, item[1]))
        j = item[1]
        if s.kinds[j] not in ("and", "sep"):
            break
        j = j + 2 if s.kinds[j + 1] == "and" else j + 1
    k = j + 1 if s.kinds[j] in ("of", "to_hour", "in") else j
    if len(items) < 2 or s.kinds[k] != "every" or s.tokens[k + 1].value != "month":
        return None
    last = items[-1][0].nth
    pieces: list[Piece] = []
    for said, start, end in items:
        if said.days and last is not None and last[1] < 7:  # the second … Tuesday
            said = Date(nth=(said.days[0], last[1]))
        pieces += one(s, "and", None, start, start + 1)[0] if pieces else []
        pieces += one(s, "date", said, start, end)[0]
    return [*pieces, *one(s, "every", Every("month"), k, k + 2)[0]], k + 2


def _month_item(s: TokenStream, j: int) -> tuple[Date, int] | None:
    """The 5th, the third Monday, the last day: one of a list of days of a month."""
    if s.tokens[j].raw == "last":
        n, k = -1, j + 1
    elif s.kinds[j] == "ord":
        n, k = int(s.tokens[j].value), j + 1
    else:
        return None
    if s.kinds[k] in ("weekday", "weekdays"):  # the first and third Tuesdays
        return Date(nth=(n, int(s.tokens[k].value))), k + 1
    if s.kinds[k] == "workday":
        return Date(nth=(n, 8)), k + 1
    if s.tokens[k].value == "day":
        return Date(nth=(n, 7)), k + 1
    return (Date(days=(n,)), k) if n > 0 else None


def dotted(s: TokenStream, i: int) -> Pieces | None:
    """12.25晚上8点, 24.11. 9:30: a day and no decimal, because an hour of it follows."""
    token = s.tokens[i]
    if _is_four_figures(s, i):  # 0519早上八点
        month, day = divmod(int(token.value), 100)
        return one(s, "date", Date(month=month, days=(day,)), i, i + 1)
    if not isinstance(token.value, float) or len(token.raw) > 5:
        return None
    j = i + 2 if s.tokens[i + 1].raw == "." else i + 1
    if s.kinds[j] not in ("part", "short_part", "clock", "weekday"):
        return None
    if s.kinds[j] == "weekday" and s.tokens[j].raw.isascii():
        return None  # 7.30 Sunday morning
    month, day = (int(part) for part in token.raw.split("."))
    if j > i + 1 or (month > 12 >= day):
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return one(s, "date", Date(month=month, days=(day,)), i, j)


def _is_four_figures(s: TokenStream, i: int) -> bool:
    raw = s.tokens[i].raw
    if len(raw) != 4 or raw[0] not in "01" or not (raw.isascii() and raw.isdecimal()):
        return False
    hour = s.kinds[i + 1] == "part" and s.kinds[i + 2] in ("num", "clock")
    alone = not i or s.kinds[i - 1] in ("sep", "verb")
    sized = 0 < int(raw[:2]) <= 12 and 0 < int(raw[2:]) <= 31
    return hour and alone and sized and not s.tokens[i + 1].raw.isascii()


def year_behind(s: TokenStream, i: int) -> Pieces | None:
    """Fri Dec 25 17:00:00 2026."""
    if not i or s.kinds[i - 1] != "clock" or len(s.tokens[i].raw) != 4:
        return None
    fits = "month_name" in s.kinds[:i]
    return one(s, "date", Date(year=s.tokens[i].value), i, i + 1) if fits else None


def spaced_date(s: TokenStream, i: int) -> Pieces | None:
    """2027 11 23."""
    if s.kinds[i + 1 : i + 3] != ["num", "num"] or len(s.tokens[i].raw) != 4:
        return None
    year, month, day = (s.tokens[n].value for n in (i, i + 1, i + 2))
    if s.kinds[i + 3] in ("point", "num", "unit", "ge", "fen") or not 1900 <= year <= 2200:
        return None
    if any(isinstance(n, float) for n in (month, day)) or not (0 < month <= 12 and 0 < day <= 31):
        return None
    return one(s, "date", Date(year=year, month=month, days=(day,)), i, i + 3)


def written_piece(s: TokenStream, i: int) -> Pieces | None:
    if _is_fraction(s, i) or _NUMBERS.search(s.text, 0, s.tokens[i].start):
        return None
    found = written_date(s, i)
    return one(s, "date", found[0], i, found[1]) if found else None


# 快递单号是20231105, wx20201212, 取件码8-2-1103: the number of a thing.
_NUMBERS = re.compile("(?:[a-z]|(?:单|编|账|微信|卡|会议)号|[件证验码]码)[是为:]?$")


def _is_fraction(s: TokenStream, i: int) -> bool:
    """1/2 cup, 9 3/4, 50/50, 1/3的人."""
    part, slash, whole = s.tokens[i].raw.partition("/")
    if not slash or not whole.isdecimal():
        return False
    if int(part) > 12 and int(whole) > 12:
        return True
    if i and s.kinds[i - 1] == "num" and s.tokens[i - 1].end == s.tokens[i].start - 1:
        return True
    return int(part) < int(whole) and _SHARED.match(s.text, s.tokens[i].end) is not None


_SHARED = re.compile(
    r" (?:cup|inch|mile|pint|pound|teaspoon|tablespoon|tsp|tbsp|price|full|empty|way|lb|oz|of\b"
    r"|majority|vote|would)"
    r"|的?(?:人|概率|机会|时间|钱|学生|成本|股份|份额|面积|人口|收入|工资|以上|杯|瓶|页|个)"
)


def asked(s: TokenStream, i: int) -> Pieces | None:
    """Remind me, wake me up, ping us; "remind" alone asks for somebody else."""
    if s.kinds[i + 1] == "me":
        end = i + 3 if s.tokens[i].raw == "wake" and s.tokens[i + 2].raw == "up" else i + 2
        return one(s, "verb", None, i, end)
    return one(s, "verb", s.tokens[i].raw, i, i + 1) if s.tokens[i].raw == "remind" else None


def made(s: TokenStream, i: int) -> Pieces | None:
    """Set an alarm, create a reminder, start a timer."""
    j = i + 1
    while j < i + 4 and s.kinds[j] in ("a", "the", "gap", "me", "rel_word"):
        j += 1
    return one(s, "verb", "alarm", i, j + 1) if s.kinds[j] == "alarm" else None


def given(s: TokenStream, i: int) -> Pieces | None:
    """Give me a shout, a nudge, a quick ring."""
    j = i + 2
    while j < i + 5 and s.kinds[j] in ("a", "gap") and s.tokens[j].raw not in GIVEN:
        j += 1
    if s.kinds[i + 1] != "me" or s.tokens[j].raw not in GIVEN:
        return None
    return one(s, "verb", None, i, j + 1)


GIVEN = frozenset(
    words(
        "shout nudge ring buzz bell call kick prod poke ping holler knock reminder alarm alert text"
    )
)


_DONT = ("don't", "do not", "no need to", "needn't")


def recalled(s: TokenStream, i: int) -> Pieces | None:
    """Don't forget to, don't let me forget to, remember to, let me know."""
    j = i
    if s.kinds[j] == "not":
        j += 1
        if s.tokens[i].raw in _DONT and s.kinds[j : j + 2] == ["ask", "me"]:
            return one(s, "not", "en", i, j + 2)  # don't remind me tomorrow, …
        if s.kinds[j] == "let" and s.kinds[j + 1] == "me":
            j += 2
        return one(s, "recall", None, i, j + 1) if s.kinds[j] == "forget" else None
    if s.kinds[i] == "let" and s.kinds[i + 1] == "me" and s.tokens[i + 2].raw == "know":
        return one(s, "verb", None, i, i + 3)
    return one(s, "recall", None, i, i + 1) if s.kinds[i] == "remember" else None


def verse(s: TokenStream, i: int) -> Pieces | None:
    """John 3:16, read Psalm 23:10: chapter and verse; but call John 3:16 is an hour."""
    book = s.tokens[i - 1].raw if i else ""
    if book.endswith(("福音", "诗篇", "箴言", "启示录")):  # 约翰福音3:16
        return one(s, "gap", None, i, i + 1)
    if book not in BOOKS or s.kinds[i + 1] == "meridiem":
        return None
    led = s.tokens[i - 2].raw if i > 1 else ""
    whose = book in BOOKS_OF_PEOPLE and led not in READ_IN
    if whose and (led or s.kinds[i + 1] not in ("end", "sep", "dash")):
        return None
    return one(s, "gap", None, i, i + 1)


def at_meal(s: TokenStream, i: int) -> Pieces | None:
    """At bedtime, at dinner, a pill with lunch: everybody has an hour of their own for it."""
    led = s.tokens[i - 1].raw if i else ""
    at = led in ("at", "by") or (led == "with" and _DOSE.search(s.text) is not None)
    at = at or (i > 0 and s.kinds[i - 1] in ("day", "weekday") and s.kinds[i + 1] in _CLOSED)
    said = AT_ENGLISH.get(s.tokens[i].raw)
    return one(s, "event", said, i, i + 1) if at and s.kinds[i + 1] != "gap" else None


_CLOSED = frozenset(("end", "sep", "ask", "verb"))


def that_is(s: TokenStream, i: int) -> Pieces | None:
    """Friday, that's the 20th, at 5: another name of the day."""
    j = i + 2 if s.kinds[i + 1] in ("the", "a", "on") else i + 1
    named = s.kinds[j] in ("ord", "weekday", "month_name", "date", "festival")
    dated = named or (s.kinds[j] == "num" and s.kinds[j + 1] == "month_name")
    again = dated and i > 1 and s.kinds[i - 1] in ("sep", "dash")
    return one(s, "glue", None, i, i + 2 if s.kinds[i + 1] == "a" else i + 1) if again else None


def both_at(s: TokenStream, i: int) -> Pieces | None:
    """On Sunday and Monday, both at 8."""
    return one(s, "glue", None, i, i + 1) if s.kinds[i + 1] == "at" else None


_DOSE = re.compile(
    r"^(?!.*\b(?:had|took|taken)\b).*\b(?:take|pill|tablet|vitamin|dose|med|capsule|insulin|drops)"
)


def bought_then(s: TokenStream, i: int) -> Pieces | None:
    """年初买的房: tells which thing, and lies behind us."""
    told = s.kinds[i + 1] == "gap" and len(s.tokens[i + 1].raw) == 1 and s.tokens[i + 2].raw == "的"
    return one(s, "gap", None, i, i + 1) if told and s.kinds[i + 3] in ("gap", "end") else None
