"""Every decision that a sensible person makes unasked, one row each, with what is reported."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from clarion.language.when import parse
from clarion.language.when.model import Habits, Invalid, NeedsClarification, Once
from clarion.language.when.parse import check_proposal
from tests.language.when.moments import SHANGHAI, at

DECISIONS = {
    "an hour past its morning is its evening": (
        "8点", "2026-11-18 09:05", "11-18 20:00", "evening_meant",
    ),
    "an hour past its evening is tomorrow": (
        "8点", "2026-11-18 20:30", "11-19 08:00", "day_rolled",
    ),
    "one to five is the afternoon": (
        "三点", "2026-11-16 10:00", "11-16 15:00", "afternoon_meant",
    ),
    "asleep hours are not meant": (
        "三点", "2026-11-16 21:00", "11-17 15:00", "afternoon_meant",
    ),
    "twelve in the morning is noon": (
        "12点", "2026-11-16 10:00", "11-16 12:00", "",
    ),
    "twelve in the evening is midnight": (
        "12点", "2026-11-16 21:00", "11-17 00:00", "midnight_meant",
    ),
    "a Friday on Friday, still to come": (
        "周五", "2026-11-20 08:00", "11-20 09:00", "hour_filled",
    ),
    "a Friday on Friday, past": (
        "周五", "2026-11-20 10:00", "11-27 09:00", "week_rolled",
    ),
    "a past date is next year's": (
        "2月3日", "2026-11-16 10:00", "02-03 09:00", "year_rolled",
    ),
    "a past day is next month's": (
        "5号", "2026-11-16 10:00", "12-05 09:00", "month_rolled",
    ),
    "tomorrow in the small hours": (
        "明天8点", "2026-11-16 00:30", "11-17 08:00", "calendar_tomorrow",
    ),
    "a named day and a late hour": (
        "后天4点", "2026-11-16 10:00", "11-18 16:00", "afternoon_meant",
    ),
    "a named day and an early hour": (
        "后天8点", "2026-11-16 10:00", "11-18 08:00", "morning_meant",
    ),
    "next Monday on a Monday": (
        "next Monday", "2026-11-16 10:00", "11-23 09:00", "hour_filled",
    ),
    "next Monday on a Sunday": (
        "下周一", "2026-11-22 10:00", "11-23 09:00", "hour_filled",
    ),
    "the night that has begun": (
        "半夜三点", "2026-11-16 01:00", "11-16 03:00", "",
    ),
    "a part of the day alone": (
        "后天傍晚", "2026-11-16 10:00", "11-18 18:00", "part_hour",
    ),
    "an alarm stays in the morning": (
        "六点叫我起床", "2026-11-16 10:00", "11-17 06:00", "day_rolled",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "base", "expect", "assumed"), DECISIONS.values(), ids=DECISIONS.keys()
)
def test_the_decision_is_made_and_reported(text: str, base: str, expect: str, assumed: str) -> None:
    when = parse(text, at(base), SHANGHAI)

    assert isinstance(when, Once)
    assert f"{when.at:%m-%d %H:%M}" == expect
    assert assumed in (*when.assumptions, "")


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("今早7点", "2026-11-17 07:00"),
        ("本周一早上8点", "2026-11-23 08:00"),
        ("上周五", "2026-11-20 09:00"),
        ("2025年3月5日", "2027-03-05 09:00"),
        ("本月5号", "2026-12-05 09:00"),
        ("昨晚8点", "2026-11-16 20:00"),
    ],
)
def test_what_is_past_comes_with_a_proposal(text: str, proposal: str) -> None:
    when = parse(text, at("2026-11-16 10:00"), SHANGHAI)

    assert isinstance(when, Invalid)
    assert (when.why, when.proposal) == ("past", at(proposal))


@pytest.mark.parametrize(
    "text",
    [
        "昨天八点我忘了吃药",
        "今早七点我吃过药了",
        "三天前买的牛奶还能喝吗",
        "we ate at eight yesterday",
        "I was up at 5 this morning",
        "I bought it last March",
    ],
)
def test_a_story_of_what_is_past_proposes_nothing(text: str) -> None:
    when = parse(text, at("2026-11-16 10:00"), SHANGHAI)

    assert isinstance(when, Invalid)
    assert (when.why, when.proposal) == ("past", None)


def test_both_calendars_are_offered() -> None:
    when = parse("八月十五", at("2026-11-16 10:00"), SHANGHAI)

    assert isinstance(when, NeedsClarification)
    assert when.candidates == (at("2027-08-15 09:00"), at("2027-09-15 09:00"))


def test_a_week_may_start_on_sunday() -> None:
    sunday = Habits(week_start=6)

    when = parse("下周日", at("2026-11-18 10:00"), SHANGHAI, sunday)

    assert isinstance(when, Once)
    assert when.at == at("2026-11-22 09:00")


def test_habits_fill_in_the_hours() -> None:
    early = Habits(parts={"morning": at("2026-01-01 06:15").time()})

    when = parse("明天早上", at("2026-11-16 10:00"), SHANGHAI, early)

    assert isinstance(when, Once)
    assert when.at == at("2026-11-17 06:15")


@pytest.mark.parametrize(
    ("base", "text", "expect"),
    [
        ("2027-03-28T00:30:00+01:00", "at 02:30", "2027-03-28T03:30:00+02:00"),
        ("2026-10-25T00:30:00+02:00", "at 02:30", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T00:30:00+02:00", "in 3 hours", "2026-10-25T02:30:00+01:00"),
        ("2026-10-24T12:00:00+02:00", "tomorrow at 8am", "2026-10-25T08:00:00+01:00"),
        ("2026-10-24T12:00:00+02:00", "in 1 day", "2026-10-25T12:00:00+01:00"),
    ],
    ids=["skipped", "doubled", "real hours", "after the change", "a calendar day"],
)
def test_changes_of_clocks(base: str, text: str, expect: str) -> None:
    when = parse(text, datetime.fromisoformat(base), ZoneInfo("Europe/Berlin"))

    assert isinstance(when, Once)
    assert when.at.isoformat() == expect


@pytest.mark.parametrize(
    ("text", "base", "expect"),
    [
        ("一个月后", "2027-01-31 10:00", "2027-02-28 10:00"),
        ("一个月后", "2028-01-31 10:00", "2028-02-29 10:00"),
        ("一年后", "2028-02-29 10:00", "2029-02-28 10:00"),
        ("月底", "2028-02-10 10:00", "2028-02-29 09:00"),
    ],
)
def test_short_months_keep_a_lapse_inside(text: str, base: str, expect: str) -> None:
    when = parse(text, at(base), SHANGHAI)

    assert isinstance(when, Once)
    assert when.at == at(expect)


@pytest.mark.parametrize(
    ("text", "proposal", "accepted"),
    [
        ("有空提醒我吃饭", "2026-11-16 18:00", True),
        ("有空提醒我吃饭", "2026-11-16 09:00", False),
        ("明天下班后提醒我买菜", "2026-11-17 18:30", True),
        ("明天下班后提醒我买菜", "2026-11-18 18:30", False),
        ("明天8点", "2026-11-17 08:00", True),
        ("明天8点", "2026-11-17 09:00", False),
        ("2月30日", "2027-03-02 09:00", False),
        ("每天9点", "2026-11-17 09:00", False),
        ("等花开的时候提醒我", "2226-11-17 09:00", False),
    ],
)
def test_a_proposal_has_to_agree_with_what_was_read(
    text: str, proposal: str, accepted: bool
) -> None:
    found = check_proposal(text, at(proposal), at("2026-11-16 10:00"), SHANGHAI)

    assert (found is not None) == accepted


def test_a_proposal_without_a_zone_is_refused() -> None:
    naive = at("2026-11-17 08:00").replace(tzinfo=None)

    assert check_proposal("有空提醒我", naive, at("2026-11-16 10:00"), SHANGHAI) is None
