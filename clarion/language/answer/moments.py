"""The delay inside a reply: a duration or a clock time, and only when one was said."""

import re
from datetime import time, timedelta
from typing import Final, NamedTuple

from clarion.language.answer import moments_en
from clarion.language.script import HAN
from clarion.language.when.words import chinese

_CN = "零〇一二两俩仨三四五六七八九十百"
_ROUGHLY = re.compile(r"[一二两三四五六七八九]([二三四五六七八九])")

_SPAN = re.compile(
    rf"零?(?P<n>\d+(?:\.\d+)?|[{_CN}]+|半|几|个)(?P<about>来|多|几|把)?个?(?:多|来)?(?P<half>半)?个?"
    r"(?P<unit>分钟|分种|小时|钟头|点儿?(?=再|后|以后|之后|$)|刻钟|秒钟|分(?!之|[清开别期])|钟(?!头)|秒|天(?!气)|周|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天])|月|mins?(?![a-z])|minutes?|hours?|h(?![a-z]))"
    r"(?P<more>半)?"
)
_CLOCK = re.compile(
    rf"(?:差(?P<to>\d+|[{_CN}]+|一刻)分?钟?)?(?P<h>\d{{1,2}}|[零一二两三四五六七八九十]{{1,3}})"
    rf"(?:点钟?|:(?=\d\d)|时(?![间候]))"
    rf"(?P<m>半|一刻|三刻|整|\d{{2}}|过?\d{{1,2}}分|过?[{_CN}]{{1,3}}分|[{_CN}]{{2,3}})?"
)
_HALF_OF_DAY = re.compile(
    r"(?P<night>凌晨|半夜|午夜|夜里|深夜)|(?P<am>早上|早晨|清早|上午|一早|早饭|早餐|明早|今早|起床)"
    r"|(?P<noon>中午|午饭|晌午)|(?P<pm>下午|晚上|傍晚|今晚|明晚|晚饭|晚餐|夜晚|午后|睡前|下班|放学|夜间|pm|p\.m)"
)
_EVENING = re.compile(r"pm|p\.m|睡前|睡觉前|临睡|晚饭|晚餐")
_DAYS = (
    ("大后天", 3),
    ("后天", 2),
    ("明天", 1),
    ("明儿", 1),
    ("明早", 1),
    ("明晚", 1),
    ("明晨", 1),
    ("明日", 1),
)
_DAYS_LONG = frozenset("天周星礼")
_AFTER = ("后", "以后", "之后")
_UNITS = {
    "分": 1,
    "小": 60,
    "钟": 60,
    "点": 60,
    "刻": 15,
    "天": 1440,
    "周": 10080,
    "星": 10080,
    "礼": 10080,
    "m": 1,
    "h": 60,
}


def number(text: str) -> float | None:
    """二十五 → 25, 两三 → 3 (the larger), 1.5 → 1.5."""
    if text[0].isdigit():
        return float(text)
    read = chinese(_ROUGHLY.sub(r"\1", text))
    return None if read is None else float(read)


def _is_a_little(clock: re.Match[str]) -> bool:
    """一点 is one o'clock only beside words that say so: 写了一点 is a little."""
    if clock[0] != "一点":
        return False
    before, after = clock.string[: clock.start()], clock.string[clock.end() :]
    return not before.endswith(_HOURLY) and not after.startswith(("再", "叫", "提醒", "的时候"))


_HOURLY = ("午", "晚上", "夜里", "凌晨", "今晚", "明晚", "等到", "拖到", "推到", "到")


def minutes(text: str) -> int | None:
    """How long a duration is. None for what is vague (几分钟) or no time at all."""
    total = 0.0
    for span in _SPAN.finditer(text):
        total += _span_minutes(span) or 0
    return round(total) or moments_en.minutes(text)


def _span_minutes(span: re.Match[str]) -> float | None:
    named, unit = span["n"], span["unit"][0]
    if named == "几" or unit in "秒月":
        return None
    if unit in _DAYS_LONG and not span.string.startswith(_AFTER, span.end()):
        return None  # 过两天 is some day; 两天后 is the day after tomorrow
    if unit == "点" and "个" not in span[0] and named != "俩":
        return None
    if (
        unit == "钟"
        and span["unit"] == "钟"
        and not (span["half"] or named == "半" or "个" in span[0])
    ):
        return None
    count = 0.5 if named == "半" else 1.0 if named == "个" else number(named)
    if count is None:
        return None
    count += 0.5 if span["half"] or span["more"] else 0
    if span["about"] == "几":
        count += 5 if count >= 10 else 0
    return count * _UNITS[unit]


def clock(text: str) -> tuple[time, bool, int] | None:
    """The clock time in a text, whether its half of the day is open, and how many days ahead."""
    found = _CLOCK.search(text)
    while found is not None:
        said = _clock_time(found)
        if said is not None and not _is_a_little(found):
            return _with_half(said, text, text[: found.start()])
        found = _CLOCK.search(text, found.end())
    return None


def _with_half(said: time, text: str, before: str) -> tuple[time, bool, int]:
    days = next((days for word, days in _DAYS if word in before), 0)
    half = _HALF_OF_DAY.search(before)
    name = half.lastgroup if half else "pm" if _EVENING.search(text) else None
    hour = said.hour
    if (
        (name == "pm" and 1 <= hour < 12)
        or (name == "noon" and 1 <= hour < 4)
        or (name == "night" and 8 <= hour < 12 and "凌晨" not in before)
    ):
        hour += 12
    elif name in ("pm", "night") and hour == 12 and "下午" not in before:
        hour = 0
    open_half = name is None and 1 <= said.hour <= 12
    return said.replace(hour=hour), open_half, days


def _clock_time(found: re.Match[str]) -> time | None:
    hour = number(found["h"])
    if hour is None or hour > 24:
        return None
    past = _minute(found["m"])
    if past is None or past > 59:
        return None
    total = int(hour) * 60 + past - _until_the_hour(found["to"])
    return time(total // 60 % 24, total % 60)


def _until_the_hour(said: str | None) -> int:
    if said is None:
        return 0
    return 15 if said == "一刻" else int(number(said) or 0)


def _minute(said: str | None) -> int | None:
    if said is None or said == "整":
        return 0
    if said in ("半", "一刻", "三刻"):
        return {"半": 30, "一刻": 15, "三刻": 45}[said]
    value = number(said.lstrip("过").rstrip("分"))
    return None if value is None else int(value)


_CLAUSE: Final = re.compile(
    r"[,!;，。！；、？?\n]+|(?<!\d)\.|\.(?!\d)|\bbut\b|但是|不过|"
    r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])"
)
_ANOTHER_MATTER: Final = re.compile(
    r"(?<=[,;，。！；])\s*(?:另外|对了|顺便|还有(?!.{0,8}(?:钟|小时|分))"
    r"|(?:and )?also\b|by the way\b|and (?=remind))"
)
_MINUTES_MAX: Final = 366 * 24 * 60
_PAST: Final = re.compile(
    r"(?:分钟|小时|钟头|天)(?:之|以)?前|刚才|刚刚|昨天|昨晚|上次|\bago\b|\byesterday\b|"
    r"\blast\b|"
    r"已经.{0,8}了|花了|用了|才.{0,4}的"
)


class Delay(NamedTuple):
    """The fields of an `Answer` that say how long or until when; all empty for no delay."""

    snooze: timedelta | None = None
    snooze_until: time | None = None
    either_half: bool = False
    days_ahead: int = 0
    said: str = ""


def delay_in(text: str) -> Delay:
    """The delay that a folded text names, the last one said before another matter."""
    this, *others = _ANOTHER_MATTER.split(text, maxsplit=1)
    clauses = [part for said in (*others, this) for part in _CLAUSE.split(said)]
    for clause in reversed(clauses):
        if clause and not _PAST.search(clause):
            found = _from(clause.strip())
            if found is not None:
                return found
    return Delay()


def _from(clause: str) -> Delay | None:
    chinese = HAN(clause) or ":" in clause
    length = minutes(clause) if chinese else moments_en.length(clause)
    if length is not None:
        # Nobody puts a pill off for years: such a number was misheard, and is no delay.
        return Delay(snooze=timedelta(minutes=length)) if length <= _MINUTES_MAX else None
    at = clock(clause) if chinese else moments_en.clock(clause)
    if at is None:
        return None
    until, open_half, days = at
    return Delay(None, until, open_half, days, clause)
