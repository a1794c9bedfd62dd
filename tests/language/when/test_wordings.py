"""An instant or a length said in the ways that people write them is read as the same one."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clarion.language.when import parse
from clarion.language.when.model import Once
from tests.language.when.moments import SHANGHAI

MONDAY = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
DIGITS = "零一二三四五六七八九"
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
]  # fmt: skip
UNITS = {
    "minute": (timedelta(minutes=1), "分钟", "minutes"),
    "hour": (timedelta(hours=1), "小时", "hours"),
    "day": (timedelta(days=1), "天", "days"),
    "week": (timedelta(weeks=1), "个星期", "weeks"),
}


def figures(n: int) -> str:
    """A number below a hundred as Chinese says it: 十五, 四十, 五十二."""
    ten, one = divmod(n, 10)
    tens = "" if not ten else "十" if ten == 1 else f"{DIGITS[ten]}十"
    return tens + (DIGITS[one] if one or not ten else "")


def parts_zh(at: datetime) -> tuple[str, str]:
    """The part of the day, and the hour that is said with it."""
    names = ((6, "凌晨"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))
    part = next(name for until, name in names if at.hour < until)
    return part, figures(at.hour if at.hour <= 12 else at.hour - 12)


def in_chinese(at: datetime) -> tuple[str, ...]:
    part, hour = parts_zh(at)
    minute = f"零{DIGITS[at.minute]}" if 0 < at.minute < 10 else figures(at.minute)
    spoken = f"{part}{hour}点{minute + '分' if at.minute else '整'}"
    year = "".join(DIGITS[int(figure)] for figure in str(at.year))
    return (
        f"{at.year}年{at.month}月{at.day}日{at:%H:%M}",
        f"{at.year}年{at.month}月{at.day}号{spoken}",
        f"{year}年{figures(at.month)}月{figures(at.day)}日{spoken}",
        f"{at:%Y-%m-%d %H:%M}提醒我",
        f"{at:%Y/%m/%d} {part}{at.hour if at.hour <= 12 else at.hour - 12}:{at:%M}",
        f"提醒我{at.year}年{at.month}月{at.day}日{spoken}吃药",
    )


def in_english(at: datetime) -> tuple[str, ...]:
    month, half = MONTHS[at.month - 1], "am" if at.hour < 12 else "pm"
    hour = (at.hour + 11) % 12 + 1
    ending = {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10 if at.day // 10 != 1 else 0, "th")
    return (
        f"{month} {at.day}, {at.year} at {hour}:{at:%M} {half}",
        f"{at.day} {month} {at.year} {at:%H:%M}",
        f"{hour}:{at:%M}{half} on the {at.day}{ending} of {month} {at.year}",
        f"{month[:3]} {at.day}{ending} {at.year}, {hour}.{at:%M} {half}",
        f"{at:%Y-%m-%dT%H:%M}",
        f"remind me at {hour}:{at:%M} {half} on {month} {at.day}, {at.year} to call Ana",
    )


def otherwise_read(said: tuple[str, ...], meant: datetime) -> list[str]:
    found = {one: parse(one, MONDAY, SHANGHAI) for one in said}
    return [one for one, when in found.items() if not (isinstance(when, Once) and when.at == meant)]


@pytest.mark.parametrize("wordings", [in_chinese, in_english])
@given(away=st.integers(1, 60 * 24 * 700))
@settings(max_examples=150, deadline=None)
def test_any_instant_is_the_same_in_all_wordings(
    wordings: Callable[[datetime], tuple[str, ...]], away: int
) -> None:
    at = MONDAY + timedelta(minutes=away)

    assert otherwise_read(wordings(at), at) == []


@given(n=st.integers(2, 59), unit=st.sampled_from(sorted(UNITS)))
@settings(max_examples=150, deadline=None)
def test_any_length_from_now_is_the_same_in_all_wordings(n: int, unit: str) -> None:
    step, zh, en = UNITS[unit]
    said = (
        *(f"{n}{zh}后", f"{figures(n)}{zh}之后提醒我", f"过{n}{zh}叫我", f"再过{figures(n)}{zh}"),
        *(f"in {n} {en}", f"remind me in {n} {en}", f"{n} {en} from now", f"{n} {en} later"),
    )

    assert otherwise_read(said, MONDAY + n * step) == []
