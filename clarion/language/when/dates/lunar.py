"""Days of the lunar calendar as Chinese says them: 初八, 腊月廿三, 闰六月初一, 大年初三."""

from clarion.language.when.stream import OTHERWISE, Date, TokenStream
from clarion.language.when.words.numbers import DIGITS, chinese
from clarion.language.when.words.wordlist import words

Found = tuple[Date, int]


def lunar_month(s: TokenStream, i: int) -> Found | None:
    date = Date(month=int(s.tokens[i].value), lunar=True)
    return _lunar_day(s, i + 1, date)


def _lunar_day(s: TokenStream, j: int, date: Date) -> Found:
    if s.kinds[j] == "chu" and s.kinds[j + 1] == "num":
        return _lunar_days(s, j + 2, date._replace(days=(s.tokens[j + 1].value,)))
    if s.kinds[j] == "num" and s.kinds[j + 1] not in OTHERWISE - {"ri", "hao"}:
        end = j + 2 if s.kinds[j + 1] in ("ri", "hao") else j + 1
        return _lunar_days(s, end, date._replace(days=(s.tokens[j].value,)))
    if s.kinds[j] == "edge" and s.tokens[j].value[0] == "plain":
        return date._replace(edge=s.tokens[j].value[1], edge_of="month"), j + 1
    return date, j


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


_GRADE = tuple(
    words(
        "年级 学生 毕业 开学 班 上学期 下学期 数学 语文 英语 家长 ( "
        "的课 的数学 的语文 的英语 的物理 的作业 的学生"
    )
)


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
    if s.tail(i + 1, 4).startswith(_GRADE):
        return None
    return _lunar_days(s, i + 2, Date(lunar=True, days=(s.tokens[i + 1].value,)))


def new_year_days(s: TokenStream, i: int) -> Found | None:
    """大年初三."""
    if s.kinds[i + 1] == "chu" and s.kinds[i + 2] == "num":
        return Date(lunar=True, month=1, days=(s.tokens[i + 2].value,)), i + 3
    return None
