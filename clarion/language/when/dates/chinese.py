"""Days as Chinese says them: 下周三, 3月5日, 明年春节, 腊月廿三, 农历八月十五, 下个月第一个周一."""

import re

from clarion.language.when.dates.weeks import (
    ONE_TO_SEVEN,
    Found,
    in_week,
    skip_de,
    weekday,
    weekday_of,
    weekend,
)
from clarion.language.when.stream import OTHERWISE, WEEKEND, Date, TokenStream
from clarion.language.when.words import (
    DIGITS,
    GRADE,
    STREETS,
    chinese,
    fullness,
    words,
)


def lunar_month(s: TokenStream, i: int) -> Found | None:
    return _lunar_day(s, i + 1, Date(month=int(s.tokens[i].value), lunar=True))


def _lunar_day(s: TokenStream, j: int, date: Date) -> Found:
    if s.kinds[j] == "chu" and s.kinds[j + 1] == "num":
        return _lunar_days(s, j + 2, date._replace(days=(s.tokens[j + 1].value,)))
    if s.kinds[j] == "num" and not _goes_on(s, j, "ri", "hao"):
        end = j + 2 if s.kinds[j + 1] in ("ri", "hao") else j + 1
        return _lunar_days(s, end, date._replace(days=(s.tokens[j].value,)))
    if s.kinds[j] == "edge" and s.tokens[j].value[0] == "plain":
        return date._replace(edge=s.tokens[j].value[1], edge_of="month"), j + 1
    return date, j


def _goes_on(s: TokenStream, j: int, *closing: str) -> bool:
    """Whether the number is of what follows it: 十五个; but 八月十五17点 is a day."""
    following = s.kinds[j + 1]
    if [following, s.kinds[j + 2]] in (
        ["num", "point"],
        ["meridiem", "clock"],
        ["meridiem", "num"],
    ):
        return False
    return following in OTHERWISE and following not in closing


def _lunar_days(s: TokenStream, j: int, date: Date) -> Found:
    """初一和十五, 初一、十五."""
    days = list(date.days)
    for _ in range(8):
        k = j + 1 if s.kinds[j] == "and" else j
        if s.kinds[k] == "chu" and s.kinds[k + 1] == "num":
            days.append(s.tokens[k + 1].value)
            j = k + 2
        elif s.kinds[k] == "num" and k == j + 1 and s.kinds[k + 1] not in OTHERWISE:
            days.append(s.tokens[k].value)
            j = k + 1
        else:
            break
    return date._replace(days=tuple(days)), j


def leap(s: TokenStream, i: int) -> Found | None:
    """闰六月初一."""
    if s.kinds[i + 1] != "num" or s.kinds[i + 2] != "month":
        return None
    date = Date(month=s.tokens[i + 1].value, lunar=True, leap=True)
    return _lunar_day(s, i + 3, date)


def chu(s: TokenStream, i: int) -> Found | None:
    """初八; but 初三毕业 is about school."""
    if s.kinds[i + 1] != "num":
        return None
    raw = s.tokens[i + 1].raw
    run_together = chinese(raw[1:]) if len(raw) > 1 and raw[0] in "一二三四五六七八九" else None
    if run_together is not None and 11 <= run_together <= 30:  # 初一十五
        return Date(lunar=True, days=(DIGITS[raw[0]], run_together)), i + 2
    if not 1 <= s.tokens[i + 1].value <= 10:
        return None
    of_somebody = s.head(i) in "他她我你" and s.kinds[i + 2] in ("end", "sep") and i > 0
    if of_somebody or s.tail(i + 1, 4).startswith(GRADE):
        return None
    lunar = s.kinds[i + 2] != "hao" or None  # 每个月初一号
    if lunar and s.head(i, 2) == "年后":  # 年后初十开工
        return Date(lunar=True, month=1, days=(s.tokens[i + 1].value,)), i + 2
    return _lunar_days(s, i + 2, Date(lunar=lunar, days=(s.tokens[i + 1].value,)))


def new_year_days(s: TokenStream, i: int) -> Found | None:
    """大年初三."""
    fits = s.kinds[i + 1 : i + 3] == ["chu", "num"]
    return (Date(lunar=True, month=1, days=(s.tokens[i + 2].value,)), i + 3) if fits else None


def chinese_date(s: TokenStream, i: int) -> Found | None:
    """The day that starts at token `i`, with what shifts it: 中秋前一天, 国庆后第二天."""
    start = _START.get(s.kinds[i])
    found = start(s, i) if start else None
    return shifted(s, *found) if found else None


def shifted(s: TokenStream, date: Date, j: int) -> Found:
    if s.kinds[j] in _NO_SHIFTS:
        return date, j
    k = skip_de(s, j)
    k += s.kinds[k : k + 2] == ["holiday_off", "before"]  # 中秋放假前
    kind = s.kinds[k]
    side = _on_a_side(s, date, k) if kind in ("before", "after") else None
    if side:
        return side
    if s.kinds[k] == "moved_on" and s.kinds[k + 1] == "num" and s.tokens[k + 2].value == "day":
        return date._replace(shift=int(s.tokens[k + 1].value)), k + 3  # 12月25日往后推三天
    if (told := _days_from(s, k)) and (date.festival or date.days or date.weekdays):
        return date._replace(shift=told[0]), told[1]
    if s.tokens[k].raw in DAYS_ON and (date.festival or date.days) and "to" not in s.kinds[:k]:
        return date._replace(shift=DAYS_ON[s.tokens[k].raw]), k + 1
    if date.festival and (feast := _day_of_feast(s, k)):
        return date._replace(shift=feast[0]), feast[1]
    if s.tokens[k].raw in ("当天", "当日"):
        return date, k + 1
    return _day_of_day(s, date, j, k)


_NO_SHIFTS = frozenset(words("end gap sep verb part clock point"))


def _on_a_side(s: TokenStream, date: Date, k: int) -> Found | None:
    """… 前一天, 后第一个周一, 后第一天上班."""
    sign = -1 if s.kinds[k] == "before" else 1
    weekday_of = _nth(s, skip_de(s, k + 1)) or _one_beside(s, k + 1)
    counted = weekday_of is not None and (
        weekday_of[0][1] < 7 or weekday_of[0] in ((1, 8), (-1, 8), (1, WEEKEND))
    )
    if weekday_of and counted and weekday_of[0][0] * sign >= -1:
        n, day = weekday_of[0]  # 国庆后第一个周一, 国庆前最后一个周五
        return date._replace(beyond=(sign * abs(n), day)), weekday_of[1]
    if date.festival and s.tokens[k + 1].raw in _COUNTED_ON:
        return date._replace(shift=sign * _COUNTED_ON[s.tokens[k + 1].raw]), k + 2
    k = k + 2 if s.kinds[k + 1] == "ordinal" else k + 1
    named = date.festival or date.days or date.offset is not None or date.weekdays
    if not named or s.kinds[k] != "num" or s.tokens[k + 1].value != "day":
        return None
    days = sign * int(s.tokens[k].value)
    if s.tail(k + 1, 2) in ("上班", "上学", "开工", "复工"):
        return date._replace(beyond=(days, 8)), k + 2
    return date._replace(shift=days), k + 2


def _day_of_day(s: TokenStream, date: Date, j: int, k: int) -> Found:
    """明天的后天: as it is said on that day; 母亲节那周的周一."""
    m = skip_de(s, k + 1)
    if s.kinds[k] == "that_week" and s.kinds[m] == "weekday":
        return date._replace(beyond=(0, int(s.tokens[m].value))), m + 1
    if k > j and s.kinds[k] == "day" and date.offset and s.tokens[k].value[1] is None:
        return date._replace(offset=date.offset + s.tokens[k].value[0]), k + 1
    return date, j


def _one_beside(s: TokenStream, k: int) -> tuple[tuple[int, int], int] | None:
    """父亲节前一个周末, 国庆后一个周一."""
    if s.tokens[k].value != 1 or s.kinds[k + 1 : k + 3] not in (
        ["ge", "weekday"],
        ["ge", "weekend"],
    ):
        return None
    weekday = s.kinds[k + 2] == "weekday"
    return (1, int(s.tokens[k + 2].value) if weekday else WEEKEND), k + 3


def _day_of_feast(s: TokenStream, k: int) -> tuple[int, int] | None:
    """国庆第五天, 国庆假期第三天: how many days behind the first."""
    k = k + 1 if s.kinds[k] == "holiday_off" else k
    if s.tokens[k].raw in DAYS_ON:
        return DAYS_ON[s.tokens[k].raw], k + 1
    if s.kinds[k : k + 2] != ["ordinal", "num"] or s.tokens[k + 2].value != "day":
        return None
    return int(s.tokens[k + 1].value) - 1, k + 3


def _days_from(s: TokenStream, k: int) -> tuple[int, int] | None:
    """2月13号的3天后, 下周三的两天前: how many days from the day before it."""
    if s.kinds[k] != "num" or isinstance(s.tokens[k].value, float):
        return None
    days = {"day": 1, "week": 7}.get(str(s.tokens[k + 1].value))
    if days is None or s.kinds[k + 2] not in ("after", "before"):
        return None
    sign = 1 if s.kinds[k + 2] == "after" else -1
    return sign * days * s.tokens[k].value, k + 3


_COUNTED_ON = {"第二天": 2, "第三天": 3}  # 节后第三天 counts from the day after the feast
DAYS_ON = {"第二天": 1, "次日": 1, "隔天": 1, "第三天": 2, "前夕": -1, "前夜": -1}


def _day(s: TokenStream, i: int) -> Found | None:
    return Date(offset=s.tokens[i].value[0]), i + 1


def _relative(s: TokenStream, i: int) -> Found | None:
    unit, n = s.tokens[i].value
    if unit == "week":
        return in_week(s, i + 1, n)
    if unit == "month":
        return _in_month(s, i + 1, Date(month_offset=n))
    if unit == "year":
        return _in_year(s, i + 1, Date(year_offset=n))
    if unit == "quarter":
        return _in_quarter(s, i + 1, Date(quarter_offset=n))
    return None


def _number(s: TokenStream, i: int) -> Found | None:
    """2027年3月5日, 3月5日, 5号, 1、15号."""
    token, following = s.tokens[i], s.kinds[i + 1]
    if isinstance(token.value, float) or _is_house(s, i):
        return None
    if following == "year":
        if len(token.raw) in (2, 4) and (token.value >= 1900 or s.kinds[i + 2] in _IN_YEAR):
            return _in_year(s, i + 2, Date(year=fullness(token.value)))
        return None
    if following == "month":
        return _in_month(s, i + 2, Date(month=token.value))
    if following == "hao" or (
        following == "ri"
        and token.value <= 99
        and (s.kinds[i + 2] not in ("after", "before", "within") or s.head(i, 2)[-1:] == "月")
    ):
        return _month_days(s, i, Date())
    if following in ("and", "dash", "to"):
        return _day_list(s, i)
    if token.raw[0] in "廿卅" and following not in OTHERWISE:
        return Date(lunar=True, days=(token.value,)), i + 1
    if token.value <= 4 and (s.tokens[i + 1].raw == "季度" or s.tokens[i + 1].raw == "季度末"):
        return _numbered_quarter(s, i)
    edge = s.tokens[i + 1]
    if following == "edge" and edge.value[0] == "month" and edge.raw[0] == "月":
        return Date(month=token.value, edge=edge.value[1], edge_of="month"), i + 2
    return None


def _is_house(s: TokenStream, i: int) -> bool:
    """幸福路5号, 门牌12-3号."""
    if s.kinds[i + 1] == "hao" and s.head(i) in STREETS:
        return True
    numbered = s.kinds[i + 1] in ("dash", "hao")
    return numbered and _HOUSE.search(s.text, 0, s.tokens[i].start) is not None


_HOUSE = re.compile(r"(?:门牌|房号|地址|工位|车位)[号是为:]?(?:\d+-)?$")  # 门牌12-3号


def _numbered_quarter(s: TokenStream, i: int) -> Found | None:
    if s.kinds[i + 2] in ("after", "within", "before"):
        return None
    date = Date(quarter=s.tokens[i].value)
    if s.kinds[i + 1] == "edge":
        return date._replace(edge=s.tokens[i + 1].value[1], edge_of="quarter"), i + 2
    return _in_quarter(s, i + 2, date)


_IN_YEAR = frozenset(words("num month named_month lunar_month festival edge lunar"))


def _day_list(s: TokenStream, i: int) -> Found | None:
    """1、15号; 5-10号, of which the start counts."""
    days = [s.tokens[i].value]
    j = i + 1
    ranged = s.kinds[j] in ("dash", "to")
    for _ in range(8):
        if s.kinds[j] not in ("and", "dash", "to") or s.kinds[j + 1] != "num":
            return None
        days.append(s.tokens[j + 1].value)
        j += 2
        if s.kinds[j] == "hao":
            break
    if s.kinds[j] != "hao" or any(isinstance(d, float) for d in days):
        return None
    return Date(days=tuple(days[:1] if ranged else days), ranged=ranged), j + 1


def _month_days(s: TokenStream, i: int, date: Date) -> Found | None:
    """The days of a month: 5号, 5号和20号, 5日、20日."""
    days: list[int] = []
    j = i
    for _ in range(8):
        if s.kinds[j] != "num" or isinstance(s.tokens[j].value, float):
            break
        if s.kinds[j + 1] not in ("hao", "ri"):
            break
        days.append(s.tokens[j].value)
        i, j = j + 2, j + 2
        if s.kinds[j] == "and" or (s.kinds[j] == "sep" and s.tokens[j].raw in ",，"):
            j += 1
    if not days or (days[0] > NO_DAY and date.month is None):
        return None
    return date._replace(days=tuple(days)), i


def _in_month(s: TokenStream, i: int, date: Date) -> Found:
    """What narrows a month: 5号, 底, 初, 第一个周一, 最后一天, 初三, 十五."""
    j = skip_de(s, i)
    kind = s.kinds[j]
    if kind == "num":
        found = _month_days(s, j, date) or _bare_day(s, j, date)
        return found or (date, i)
    edge = _edge_at(s, j, "month")
    if edge:
        return date._replace(edge=edge, edge_of="month"), j + 1
    if kind == "day" and s.tokens[j].value == (0, None) and date.month_offset is not None:
        return date._replace(offset=0), j + 1
    if kind == "chu" and s.kinds[j + 1] == "num":
        return _lunar_days(s, j + 2, date._replace(lunar=True, days=(s.tokens[j + 1].value,)))
    if kind == "lunar" and date.month_offset is not None:  # 下个月农历十五
        moon = _lunar(s, j)
        if moon and moon[0].days and moon[0].month is None:
            return date._replace(lunar=True, days=moon[0].days), moon[1]
    nth = _nth(s, j)
    if nth:
        which, j = nth
        return date._replace(nth=which), j
    return date, i


def _edge_at(s: TokenStream, j: int, of: str) -> str | None:
    """底, 初, 月底: which edge of a month, quarter or year this token names."""
    if s.kinds[j] == "chu" and s.kinds[j + 1] != "num":
        return "start"
    if of == "month" and s.kinds[j] == "gap" and s.tokens[j].raw in "中尾头":
        return {"中": "mid", "尾": "end", "头": "start"}[s.tokens[j].raw]  # 下月中, 今个月尾
    if s.kinds[j] == "edge" and s.tokens[j].value[0] in (of, "plain"):
        return str(s.tokens[j].value[1])
    return None


NO_DAY = 39  # 七十二号 is a house or a person; 三十五号 a slip that is told


def _bare_day(s: TokenStream, i: int, date: Date) -> Found | None:
    """3月5, 12月25; 八月十五 does not say which calendar, 八月廿三 does."""
    token = s.tokens[i]
    if _goes_on(s, i) or isinstance(token.value, float) or not 0 < token.value < 100:
        return None
    if token.raw[0] in "廿卅":
        return date._replace(lunar=True, days=(token.value,)), i + 1
    if len(token.raw) > 3:
        return None
    arabic = token.raw.isascii()
    if arabic and s.kinds[i + 1] == "gap" and s.tail(i)[:1] in "个名位斤块元页瓶只盒片粒件次":
        return None
    ranged = s.kinds[i + 1] in ("to", "dash") and s.kinds[i + 3] in ("hao", "ri")  # 十三到十五号
    bare = not arabic and date.month is not None and token.value <= 30 and not ranged
    return date._replace(days=(token.value,), bare=bare), i + 1


def _nth(s: TokenStream, i: int) -> tuple[tuple[int, int], int] | None:
    """第一个周一 (1, 0), 最后一天 (-1, 7), 第一个工作日 (1, 8), 第三周 (3, 9)."""
    if s.kinds[i] == "nth_day":  # 每季度首日
        return s.tokens[i].value, i + 1
    which = _which(s, i)
    if which is None:
        return None
    n, j = which
    if s.kinds[j] == "weekday":
        return (n, int(s.tokens[j].value)), j + 1
    if s.kinds[j] in ("workday", "weekend"):
        return (n, 8 if s.kinds[j] == "workday" else 5), j + 1
    if s.kinds[j] == "ri" or s.tokens[j].value == "day":
        return (n, 7), j + 1
    return nth_week(s, j, n) if s.tokens[j].value == "week" else None


def _which(s: TokenStream, i: int) -> tuple[int, int] | None:
    """首个, 最后一个, 第三个, 倒数第二个."""
    kind, j = s.kinds[i], i + 1
    if kind == "first":
        return 1, j
    if kind == "last":
        n, j = -1, j + 1 if s.kinds[j] == "num" and s.tokens[j].value == 1 else j
    elif kind in ("ordinal", "ordinal_back") and _is_whole(s, j):
        n, j = s.tokens[j].value * (-1 if kind == "ordinal_back" else 1), j + 1
    else:
        return None
    return n, j + 1 if s.kinds[j] == "ge" else j


def _is_whole(s: TokenStream, i: int) -> bool:
    return s.kinds[i] == "num" and isinstance(s.tokens[i].value, int)


def nth_week(s: TokenStream, j: int, n: int) -> tuple[tuple[int, int], int]:
    if s.kinds[j + 1] == "num" and s.tokens[j + 1].raw in ONE_TO_SEVEN:
        return (n, ONE_TO_SEVEN.index(s.tokens[j + 1].raw)), j + 2
    if s.tokens[j + 1].raw in ("天", "日"):
        return (n, 6), j + 2
    if s.kinds[skip_de(s, j + 1)] == "weekday":
        return (n, int(s.tokens[skip_de(s, j + 1)].value)), skip_de(s, j + 1) + 1
    return (n, 9), j + 1


def _in_year(s: TokenStream, i: int, date: Date) -> Found:
    """What narrows a year: 3月5日, 春节, 年底, 农历八月十五, 第三季度."""
    j = skip_de(s, i)
    lunar: bool | None = None
    if s.kinds[j] in ("lunar", "solar"):
        lunar, j = s.kinds[j] == "lunar", j + 1
    kind = s.kinds[j]
    if kind == "num" and s.kinds[j + 1] in ("month", "edge"):
        inner = _number(s, j)
        if inner:
            found = inner[0]._replace(year=date.year, year_offset=date.year_offset)
            return _as_lunar(found, lunar), inner[1]
    if kind == "season":
        return date._replace(month=s.tokens[j].value, edge="season", edge_of="month"), j + 1
    if kind in ("lunar_month", "named_month", "leap", "festival", "half_year"):
        more = _START[kind](s, j)
        if more:
            return more[0]._replace(year=date.year, year_offset=date.year_offset), more[1]
    if kind == "day" and s.tokens[j].value == (0, None) and date.year_offset is not None:
        return date._replace(offset=0), j + 1
    edge = _edge_at(s, j, "year")
    if edge:
        return date._replace(edge=edge, edge_of="year"), j + 1
    return _in_year_part(s, i, j, date)


def _in_year_part(s: TokenStream, i: int, j: int, date: Date) -> Found:
    """第三季度, 三季度, 最后一天."""
    kind = s.kinds[j]
    if kind == "ordinal" and s.kinds[j + 1] == "num" and s.tokens[j + 2].value == "quarter":
        return _in_quarter(s, j + 3, date._replace(quarter=s.tokens[j + 1].value))
    if kind == "num" and s.tokens[j + 1].value == "quarter":
        return _in_quarter(s, j + 2, date._replace(quarter=s.tokens[j].value))
    nth = _nth(s, j)
    if nth and nth[0][1] == 7:
        return date._replace(nth=nth[0], edge_of="year"), nth[1]
    if nth and nth[0][1] < 7 and -5 < nth[0][0] < 5:  # 明年的第一个周一 lies in its first month
        return date._replace(nth=nth[0], month=1 if nth[0][0] > 0 else 12), nth[1]
    return date, i


def _as_lunar(date: Date, lunar: bool | None) -> Date:
    return date if lunar is None else date._replace(lunar=lunar, bare=False)


def _in_quarter(s: TokenStream, i: int, date: Date) -> Found:
    j = skip_de(s, i)
    edge = _edge_at(s, j, "quarter")
    if edge:
        return date._replace(edge=edge, edge_of="quarter"), j + 1
    nth = _nth(s, j)
    if nth and nth[0][1] == 7:
        edge = "end" if nth[0][0] == -1 else "start"
        return date._replace(edge=edge, edge_of="quarter"), nth[1]
    if nth and nth[0][1] < 9:  # 下季度第一个周一
        return date._replace(nth=nth[0], edge_of="quarter"), nth[1]
    return date._replace(edge_of="quarter"), i


def _lunar(s: TokenStream, i: int) -> Found | None:
    """农历八月十五, 农历十五, 阳历3月5日, 农历闰六月初一."""
    lunar, j = s.kinds[i] == "lunar", i + 1
    kind = s.kinds[j]
    if kind in ("lunar_month", "leap", "chu", "festival"):
        return _START[kind](s, j)
    if kind == "rel" and s.tokens[j].value[0] == "year":
        found = _in_year(s, j + 1, Date(year_offset=s.tokens[j].value[1]))
        return _as_lunar(found[0], lunar), found[1]
    if kind != "num":
        return None
    inner = _number(s, j)
    if inner:
        return _as_lunar(inner[0], lunar), inner[1]
    if lunar and s.tokens[j].value <= 30 and s.kinds[j + 1] not in OTHERWISE:
        return Date(lunar=True, days=(s.tokens[j].value,)), j + 1
    return None


def _festival(s: TokenStream, i: int) -> Found | None:
    some_day = s.tokens[i + 1].raw == "期间"
    return None if some_day else (Date(festival=str(s.tokens[i].value)), i + 1)


def _edge(s: TokenStream, i: int) -> Found | None:
    of, edge = s.tokens[i].value
    if of == "plain":
        return None
    again = _nth(s, i + 1) if edge == "end" else None
    if again and of == "year" and again[0][1] != 7:  # 年底最后一个工作日
        return Date(month=12, nth=again[0]), again[1]
    end = again[1] if again and again[0] == (-1, 7) else i + 1  # 年底最后一天
    return Date(edge=edge, edge_of=of), end


def _ordinal(s: TokenStream, i: int) -> Found | None:
    if s.kinds[i] == "ordinal" and s.kinds[i + 1] == "num" and s.tokens[i + 2].value == "quarter":
        return _in_quarter(s, i + 3, Date(quarter=s.tokens[i + 1].value))
    if s.kinds[i + 2] == "edge" and s.tokens[i + 2].value[0] == "quarter" and _is_whole(s, i + 1):
        return _numbered_quarter(s, i + 1)  # 第一季度末
    nth = _nth(s, i)
    beside = i > 0 and s.kinds[i - 1] in ("month", "unit", "year", "everyday", "rel")
    of_month = beside or s.head(i, 2) == "月的"
    if nth and (nth[0][1] < 7 or nth[0][0] < 0 or nth[0][1] == 8 or of_month):
        return Date(nth=nth[0]), nth[1]
    return None


def _half_year(s: TokenStream, i: int) -> Found | None:
    return Date(month=1 if s.tokens[i].value == 1 else 7, edge="season", edge_of="month"), i + 1


def _named_month(s: TokenStream, i: int) -> Found | None:
    """元月十号."""
    return _in_month(s, i + 1, Date(month=int(s.tokens[i].value)))


_START = {
    "day": _day,
    "named_month": _named_month,
    "rel": _relative,
    "weekday": weekday,
    "weekday_of": weekday_of,
    "weekend": weekend,
    "num": _number,
    "lunar": _lunar,
    "solar": _lunar,
    "lunar_month": lunar_month,
    "leap": leap,
    "chu": chu,
    "new_year_day": new_year_days,
    "year": new_year_days,
    "festival": _festival,
    "edge": _edge,
    "ordinal": _ordinal,
    "ordinal_back": _ordinal,
    "last": _ordinal,
    "first": _ordinal,
    "nth_day": _ordinal,
    "half_year": _half_year,
}
