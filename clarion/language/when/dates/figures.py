"""Days in figures: 12.25晚上8点, 24.11. 9:30, 2027 11 23, 3/5; and fractions, which are none."""

import re

from clarion.language.when.dates.english import written_date
from clarion.language.when.stream import Date, Pieces, TokenStream, one


def dotted(s: TokenStream, i: int) -> Pieces | None:
    """12.25晚上8点, 24.11. 9:30: a day and no decimal, because an hour of it follows."""
    token = s.tokens[i]
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
    if _is_fraction(s, i):
        return None
    found = written_date(s, i)
    return one(s, "date", found[0], i, found[1]) if found else None


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
    r" (?:cup|inch|mile|pint|pound|teaspoon|tablespoon|tsp|tbsp|price|full|empty|way|lb|oz|of\b)"
    r"|的?(?:人|概率|机会|时间|钱|学生|成本|股份|份额|面积|人口|收入|工资|以上|杯|瓶|页|个)"
)
