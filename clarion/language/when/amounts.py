"""Amounts and lengths of time: 一个半小时, 1小时30分, "two and a half hours"."""

from clarion.language.when.spec import Lapse, lapse
from clarion.language.when.tokens import Stream

Read = tuple[float, int]
LETTERS = frozenset("hmsdw")


def amount(s: Stream, i: int) -> Read | None:
    """A number that may come before a unit, and where it ends."""
    kind = s.kinds[i]
    if kind == "num":
        return s.tokens[i].value, i + 1
    if kind == "tens":
        value = s.tokens[i].value
        j = i + 2 if s.kinds[i + 1] == "dash" else i + 1
        if s.kinds[j] == "num" and 0 < s.tokens[j].value < 10 and s.tokens[j].raw.isalpha():
            return value + s.tokens[j].value, j + 1
        return value, i + 1
    if kind == "a":
        return _article(s, i)
    if kind == "couple":
        return 2, i + 2 if s.kinds[i + 1] in ("of", "to_hour") else i + 1
    return None


def _article(s: Stream, i: int) -> Read | None:
    following = s.kinds[i + 1]
    if following == "couple":
        return amount(s, i + 1)
    if following == "dozen":
        return 12, i + 2
    if following in ("unit", "half", "quarter"):
        return 1, i + 1
    return None


_FRACTIONS = {"half": 0.5, "quarter": 0.25}


def _written_fraction(s: Stream, i: int) -> tuple[Lapse, int] | None:
    """3/4 hour, 1/2 hour: a date only where no unit follows."""
    part, _, whole = s.tokens[i].raw.partition("/")
    if not (part.isdecimal() and whole.isdecimal() and 0 < int(part) < int(whole)):
        return None
    j = i + 2 if s.kinds[i + 1] == "a" else i + 1
    return _with_unit(s, j, int(part) / int(whole))


def duration(s: Stream, i: int) -> tuple[Lapse, int] | None:
    """The longest length of time that starts at token `i`."""
    found = _single(s, i)
    if found is None:
        return None
    total, j = found
    for _ in range(5):
        k = j
        if s.kinds[k] == "and" or (s.kinds[k] == "sep" and s.tokens[k].raw == ","):
            k += 1
        if s.kinds[k] == "num" and s.tokens[k].raw == "零" and s.kinds[k + 1] == "num":
            k += 1
        more = _single(s, k)
        if more is None or _size(more[0]) >= _size(total):
            break
        total, j = total.plus(more[0]), more[1]
    return total, j


def _size(one: Lapse) -> float:
    return one.months * 2_600_000 + one.days * 86400 + one.seconds


def _single(s: Stream, i: int) -> tuple[Lapse, int] | None:
    if s.kinds[i] == "half" or (s.kinds[i] == "a" and s.kinds[i + 1] == "half"):
        return _half(s, i if s.kinds[i] == "half" else i + 1)
    if s.kinds[i] == "quarter" or (s.kinds[i] == "a" and s.kinds[i + 1] == "quarter"):
        return _quarter(s, i if s.kinds[i] == "quarter" else i + 1, 1)
    if s.kinds[i] == "date":
        return _written_fraction(s, i)
    read = amount(s, i)
    if read is None:
        return None
    value, j = read
    if s.kinds[j] == "quarter":
        return _quarter(s, j, value)
    if s.kinds[j] == "ge" and s.kinds[j + 1] == "half":
        value, j = value + 0.5, j + 2
        if s.kinds[j] == "month":
            return lapse(value, "month"), j + 1
    elif s.tokens[j].raw == "½":
        value, j = value + 0.5, j + 1
    elif s.kinds[j] == "and" and s.kinds[j + 1] == "a" and s.kinds[j + 2] in _FRACTIONS:
        value, j = value + _FRACTIONS[s.kinds[j + 2]], j + 3
    return _with_unit(s, j, value)


def _half(s: Stream, i: int) -> tuple[Lapse, int] | None:
    j = i + 1
    if s.kinds[j] in ("a", "ge") or (s.kinds[j] == "num" and s.tokens[j].value == 1):
        j += 1
    return _with_unit(s, j, 0.5)


def _quarter(s: Stream, i: int, count: float) -> tuple[Lapse, int] | None:
    """Quarters of an hour."""
    of_an = s.kinds[i + 1] in ("of", "to_hour") and s.kinds[i + 2] == "a"
    if of_an and s.kinds[i + 3] == "unit" and s.tokens[i + 3].value == "hour":
        return lapse(count * 15, "minute"), i + 4
    return None


def _with_unit(s: Stream, i: int, value: float) -> tuple[Lapse, int] | None:
    if s.kinds[i] == "fen_half":  # 两分半钟
        return lapse(value + 0.5, "minute"), i + 1
    unit = unit_at(s, i)
    if unit is None or value > 1_000_000:
        return None
    total = lapse(value, unit)
    j = i + 1
    if s.kinds[j] == "half" and s.kinds[j + 1] not in ("unit", "ge", "part"):
        return total.plus(lapse(0.5, unit)), j + 1
    more = _FRACTIONS.get(s.kinds[j + 2]) if s.kinds[j : j + 2] == ["and", "a"] else None
    if more is not None and s.kinds[j + 3] not in ("unit", "of"):
        return total.plus(lapse(more, unit)), j + 3
    return total, j


def unit_at(s: Stream, i: int) -> str | None:
    """The unit that this token names after a number, if it names one."""
    kind = s.kinds[i]
    if kind == "unit":
        return str(s.tokens[i].value)
    if kind == "fen":
        return "minute"
    if kind == "year":
        return "year"
    if kind == "ri":
        return "day"
    if kind == "letter_unit" and s.head(i).isdigit():
        return str(s.tokens[i].value)
    if kind == "ord" and s.tokens[i].raw == "second":
        return "second"
    if kind == "quarter" and s.tokens[i].raw == "quarters":
        return "quarter"
    return None
