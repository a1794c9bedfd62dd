"""Where in every hour: on the half hour, at 20 past, 整点前五分钟."""

from clarion.language.when.stream import Every, Pieces, TokenStream, amount, duration, one


def minute_mark(s: TokenStream, k: int) -> tuple[int, int] | None:
    """Where in every hour: on the half hour, at 20 past, 整点, 的半点, 第10分钟, 的15分."""
    if s.kinds[k] == "minute_mark":
        return int(s.tokens[k].value), k + 1
    if s.tokens[k].raw == "整点":
        return 0, k + 1
    k = k + 1 if s.kinds[k] in ("glue", "at", "ordinal") else k
    if s.kinds[k : k + 2] == ["half", "point"]:
        return 30, k + 2
    if s.kinds[k - 1] == "at" and (part := _part_past(s, k)):
        return part
    led_by_colon = s.tokens[k].raw == ":" and s.kinds[k - 1] == "at"
    k = k + 1 if led_by_colon or s.kinds[k] == "ordinal" else k
    if s.kinds[k] not in ("num", "tens") or not 0 <= s.tokens[k].value < 60:
        return None
    if s.kinds[k + 1] in ("fen", "past") or s.tokens[k + 1].raw == "分钟":
        told = s.kinds[k + 1] == "fen" or s.kinds[k - 1] in ("ordinal", "at", "glue")
        end = _past_the_hour(s, k + 2) if s.kinds[k + 1] == "past" else k + 2
        return (int(s.tokens[k].value), end) if told else None
    return (int(s.tokens[k].value), k + 1) if led_by_colon else None


def mark_before(s: TokenStream, i: int, j: int) -> tuple[int, int] | None:
    """On the hour every hour."""
    marked = i > 0 and s.kinds[i - 1] == "minute_mark"
    return (int(s.tokens[i - 1].value), j + 1) if marked else None


def _part_past(s: TokenStream, k: int) -> tuple[int, int] | None:
    """Hourly at (a) quarter past, at half past, at quarter to."""
    k = k + 1 if s.kinds[k] == "a" else k
    minute = {"half past": 30, "quarter past": 15, "quarter to": 45}.get(
        f"{s.tokens[k].raw} {s.tokens[k + 1].raw}"
    )
    return None if minute is None else (minute, _past_the_hour(s, k + 2))


def _past_the_hour(s: TokenStream, k: int) -> int:
    return k + 2 if s.kinds[k] == "the" and s.tokens[k + 1].value == "hour" else k


def past_every_hour(s: TokenStream, i: int) -> Pieces | None:
    """At 20 past every hour, half past each hour, ten minutes past (or before) the hour."""
    if "past" not in s.kinds and "before" not in s.kinds:
        return None
    j = i + 1 if s.kinds[i] == "at" else i
    j = j + 1 if s.kinds[j] == "a" else j
    minute = {"half": 30, "quarter": 15}.get(s.kinds[j])
    if minute is None:
        read = amount(s, j)
        if read is None or not 0 < read[0] < 60:
            return None
        minute, j = int(read[0]), read[1] - 1
    j = j + 2 if s.tokens[j + 1].value == "minute" else j + 1
    hour = s.kinds[j + 1] in ("every", "the") and s.tokens[j + 2].value == "hour"
    if s.tokens[j].raw not in ("past", "after", "before") or not hour:
        return None
    minute = 60 - minute if s.tokens[j].raw == "before" else minute
    return one(s, "every", Every("clock_hour", minute=minute), i, j + 3)


def before_the_hour(s: TokenStream, i: int) -> Pieces | None:
    """整点前五分钟."""
    read = duration(s, i + 2) if s.kinds[i + 1] == "before" else None
    if read and 0 < read[0].seconds < 3600 and not read[0].days:
        minute = 60 - int(read[0].seconds) // 60
        return one(s, "every", Every("clock_hour", minute=minute), i, read[1])
    return None
