"""Days of a week as Chinese says them: 下周三, 周一三五, 周一到周五, 下周末."""

from clarion.language.when.stream import OTHERWISE, Date, TokenStream
from clarion.language.when.words import DONE_ON_A_DAY, NAMED

Found = tuple[Date, int]

ONE_TO_SEVEN = "一二三四五六日"


def skip_de(s: TokenStream, i: int) -> int:
    return i + 1 if s.tokens[i].raw == "的" else i


def in_week(s: TokenStream, i: int, n: int) -> Found:
    """下周三, 下周的周三, 下周三五, 下周末, 下周一到周五."""
    j = skip_de(s, i)
    if s.kinds[j] == "weekday":
        date, j = _weekdays(s, j)
        return date._replace(week=n), j
    if s.kinds[j] == "weekend":
        return Date(weekend=True, week=n), j + 1
    if s.kinds[j] == "day" and s.tokens[j].value == (0, None):
        return Date(offset=7 * n), j + 1
    if s.kinds[i] == "num" and s.kinds[i + 1] not in OTHERWISE and s.kinds[i + 1] != "after":
        days = _numeral_days(s.tokens[i].raw)
        if days:
            return _listed(s, Date(week=n)._replace(weekdays=days), i + 1)
    if s.tokens[i].raw == "日" or (s.tokens[i].raw == "天" and s.kinds[i] == "unit"):
        return Date(week=n, weekdays=(6,)), i + 1
    if s.tokens[i].raw in ("末", "底"):
        return Date(weekend=True, week=n), i + 1
    return Date(week=n), i


def weekday_of(s: TokenStream, i: int) -> Found | None:
    week, day = s.tokens[i].value
    return _listed(s, Date(weekdays=(day,), week=week), i + 1)


def _numeral_days(raw: str) -> tuple[int, ...]:
    if all(c in ONE_TO_SEVEN for c in raw):
        return tuple(ONE_TO_SEVEN.index(c) for c in raw)
    return (int(raw) - 1,) if raw in ("1", "2", "3", "4", "5", "6", "7") else ()


def weekday(s: TokenStream, i: int) -> Found | None:
    return None if _is_a_name(s, i) else _weekdays(s, i)


def _is_a_name(s: TokenStream, i: int) -> bool:
    """给周一鸣打电话: somebody whose family name is Zhou."""
    token = s.tokens[i]
    if token.raw[0] != "周" or s.kinds[i + 1] != "gap":
        return False
    if len(s.tokens[i + 1].raw) == 1 and s.kinds[i + 2] in ("day", "part"):  # 周一鸣下午三点来
        return s.tokens[i + 1].raw not in DONE_ON_A_DAY
    if i == 0:  # 周一鸣是我同学
        name = NAMED.match(s.tail(i, 4))
        return name is not None and name[0][0] not in DONE_ON_A_DAY
    if s.head(i) == "叫" and len(s.tokens[i + 1].raw) == 1 and s.kinds[i + 2] in ("end", "sep"):
        return True  # 他叫周三丰
    return s.head(i) in "给找问替帮陪和跟同接送" and s.kinds[i - 1] in ("gap", "and", "verb")


def _weekdays(s: TokenStream, i: int) -> Found:
    return _listed(s, Date(weekdays=(int(s.tokens[i].value),)), i + 1)


def _listed(s: TokenStream, date: Date, j: int) -> Found:
    """周一三五, 周一、三、五, 周一和周三, 周六日, 周一到周五, 周一至五."""
    days = list(date.weekdays)
    ranged = False
    for _ in range(8):
        k = j
        linked = s.kinds[k] in ("and", "to", "dash")
        through = s.kinds[k] in ("to", "dash")
        if linked or (
            s.kinds[k] == "sep" and s.tokens[k].raw in ",，" and s.kinds[k + 1] == "weekday"
        ):
            k += 1
        more = _more_days(s, k, linked)
        if not more:
            break
        if through:
            days += [(days[-1] + n) % 7 for n in range(1, (more[0] - days[-1]) % 7 + 1)]
            ranged = True
        else:
            days += more
        j = k + 1
    listed = date._replace(weekdays=tuple(dict.fromkeys(days)), ranged=ranged)
    if len(days) > 1 and _counts_them(s, j, len(listed.weekdays)):  # 周四、五两天
        return listed._replace(coming=date.week is None), j + 2
    return listed, j


def _counts_them(s: TokenStream, j: int, many: int) -> bool:
    counted = s.kinds[j] == "num" and s.tokens[j].value == many
    return counted and s.tokens[j + 1].raw == "天" and s.kinds[j + 2] not in ("after", "before")


def _more_days(s: TokenStream, k: int, linked: bool) -> tuple[int, ...]:
    kind = s.kinds[k]
    if kind == "weekday" and (linked or s.kinds[k - 1] in ("sep", "weekday")):
        return (int(s.tokens[k].value),)
    if kind == "weekend" and linked:
        return (5, 6)
    if kind == "num" and s.kinds[k + 1] not in OTHERWISE:
        return _numeral_days(s.tokens[k].raw)
    if kind == "num" and s.kinds[k + 1] == "num":
        return _numeral_days(s.tokens[k].raw)
    if kind == "ri" and s.tokens[k].raw == "日":
        return (6,)
    if kind == "unit" and s.tokens[k].raw == "天" and linked:
        return (6,)
    return ()


def weekend(s: TokenStream, i: int) -> Found | None:
    both = s.kinds[i + 1] == "num" and s.tokens[i + 1].value == 2
    if both and s.tokens[i + 2].value == "day":  # 周末两天
        week = s.tokens[i].value or None
        return Date(weekdays=(5, 6), week=week, coming=week is None), i + 3
    return Date(weekend=True, week=s.tokens[i].value), i + 1
