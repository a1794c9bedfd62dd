"""No string breaks the parser, and its work grows no faster than the string."""

import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzz_when import ATOMS, check, strings
from clarion.language.batch import answer
from clarion.language.readback import say_instant
from clarion.language.when import parse
from clarion.language.when.model import Invalid, Once, Recurring
from clarion.language.when.rules.recurrence import Recurrence
from clarion.language.when.tokens import Normal
from clarion.language.when.words import chinese

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
ZONES = [ZoneInfo(name) for name in ("Asia/Shanghai", "Europe/Berlin", "America/New_York", "UTC")]
FIRST, LAST = (datetime.fromisoformat(day) for day in ("2020-01-01", "2060-01-01"))
INSTANTS = st.datetimes(FIRST, LAST)
PHRASES = st.lists(st.sampled_from(ATOMS), max_size=12).map("".join)


def test_six_hundred_strings_of_a_seed_are_read_without_an_exception() -> None:
    for text in strings(600, seed=7):
        check(text)


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=80))
def test_any_text_is_answered(text: str) -> None:
    found = answer(text, NOW, SHANGHAI)

    assert 0 <= found["span"][0] <= found["span"][1] <= len(text)


@settings(deadline=None, max_examples=150)
@given(PHRASES, INSTANTS, st.sampled_from(ZONES))
def test_what_is_found_lies_ahead_in_the_zone_that_was_asked(
    text: str, naive: datetime, zone: ZoneInfo
) -> None:
    base = naive.replace(tzinfo=zone, microsecond=0)

    when = parse(text, base, zone)

    match when:
        case Once(at=at):
            assert at >= base
            assert at.tzinfo is zone
        case Recurring(rule=rule):
            first = rule.next_after(base)
            assert first is not None
            assert first > base
        case Invalid(proposal=proposal):
            assert proposal is None or proposal > base
        case _:
            pass


@settings(deadline=None, max_examples=200)
@given(
    INSTANTS, st.integers(1, 60 * 24 * 900), st.sampled_from(ZONES), st.sampled_from(["zh", "en"])
)
def test_any_instant_read_back_is_the_same_instant(
    naive: datetime, minutes: int, zone: ZoneInfo, lang: str
) -> None:
    now = naive.replace(tzinfo=zone, microsecond=0)
    at = (now.astimezone(ZoneInfo("UTC")) + timedelta(minutes=minutes)).astimezone(zone)

    again = parse(say_instant(at, now, lang), now, zone)

    assert isinstance(again, Once)
    assert again.at.astimezone(ZoneInfo("UTC")) == at.astimezone(ZoneInfo("UTC"))


@settings(deadline=None, max_examples=100)
@given(
    st.integers(0, 59), st.integers(0, 23), st.integers(1, 28), st.integers(0, 6), INSTANTS,
    st.sampled_from(ZONES),
)  # fmt: skip
def test_firings_rise_and_ask_nothing_twice(
    minute: int, hour: int, day: int, weekday: int, naive: datetime, zone: ZoneInfo
) -> None:
    rule = Recurrence.from_cron(f"{minute} {hour} {day} * {weekday}", zone)
    after = naive.replace(tzinfo=zone)

    firings = rule.preview(after, 6)

    chained = [rule.next_after(at) for at in [after, *firings[:-1]]]
    assert chained == firings
    assert firings == sorted(set(firings))


@given(st.integers(0, 99_999))
def test_chinese_numerals_say_the_number(number: int) -> None:
    assert chinese(spelled(number)) == number


def spelled(number: int) -> str:
    if number == 0:
        return "零"
    out, zero = "", False
    for scale, name in ((10_000, "万"), (1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, scale)
        if digit:
            out += ("零" if zero else "") + "零一二三四五六七八九"[digit] + name
        zero = bool(out) and not digit
    return out


@given(st.text(alphabet="明天 8点\u200b３０分，a b\t", max_size=30))
def test_positions_lead_back_to_the_original(text: str) -> None:
    normal = Normal(text)

    spans = [normal.back(n, n + 1) for n in range(len(normal.text))]

    assert all(end == start + 1 for start, end in spans)
    assert spans == sorted(spans)


@pytest.mark.parametrize(
    "unit", ["明天", "每", "八点", "8点，", "the day after ", "a week from ", "《", "("]
)
def test_twice_the_letters_are_at_most_twice_the_work(unit: str) -> None:
    half = calls_for((unit * 5_000)[:5_000])

    whole = calls_for((unit * 10_000)[:10_000])

    assert whole <= 2.2 * half


def calls_for(text: str) -> int:
    """Functions called, of Python and of C: unlike seconds, the same on every machine."""
    parse(text, NOW, SHANGHAI)
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        parse(text, NOW, SHANGHAI)
    finally:
        sys.setprofile(None)
    return count
