"""Dates as they are written in figures: 2027-03-05, 3/5, 25.12.2026, 6-3."""

import re

from clarion.language.when.numbers import fullness
from clarion.language.when.spec import Date
from clarion.language.when.tokens import Stream

Found = tuple[Date, int]


def written_date(s: Stream, i: int) -> Found | None:
    """2027-03-05, 2027/3/5, 20270305, 3/5, 3/5/2027, 25.12.2026, 2027-03."""
    raw = s.tokens[i].raw
    parts = [int(part) for part in re.split(r"[-/.]", raw)]
    j = i + 1
    if s.tokens[j].raw == "t" and s.kinds[j + 1] in ("clock", "num"):
        j += 1
    if len(parts) == 1:
        return Date(year=parts[0] // 10000, month=parts[0] // 100 % 100, days=(parts[0] % 100,)), j
    if len(parts) == 2 and parts[0] > 31:
        return Date(year=parts[0], month=parts[1]), j
    if parts[0] > 31:
        year, month, day = parts
    else:
        month, day = parts[0], parts[1]
        year = fullness(parts[2]) if len(parts) == 3 else 0
        if (month > 12 >= day) or ("." in raw and day <= 12):
            month, day = day, month
    return Date(year=year or None, month=month, days=(day,)), j
