"""What happens again: across changes of clocks, short months, leap years and the moon."""

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from clarion.base.errors import Unprocessable
from clarion.language.when import parse
from clarion.language.when.calendar import Daily, LunarDays, Weekly, Workdays
from clarion.language.when.model import Recurring
from clarion.language.when.parse import read_pattern
from clarion.language.when.rules.recurrence import Recurrence

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)


def told(rule: Recurrence, after: datetime, n: int = 3) -> list[str]:
    return [f"{at:%Y-%m-%d %H:%M %z}" for at in rule.preview(after, n)]


def test_a_skipped_hour_rings_as_much_later_as_the_clocks_moved() -> None:
    rule = Recurrence.from_cron("30 2 * * *", BERLIN)

    firings = told(rule, datetime(2027, 3, 27, 12, tzinfo=BERLIN))

    assert firings == ["2027-03-28 03:30 +0200", "2027-03-29 02:30 +0200", "2027-03-30 02:30 +0200"]


def test_a_doubled_hour_rings_the_first_time_only() -> None:
    rule = Recurrence.from_cron("30 2 * * *", BERLIN)

    firings = told(rule, datetime(2026, 10, 24, 12, tzinfo=BERLIN), 2)

    assert firings == ["2026-10-25 02:30 +0200", "2026-10-26 02:30 +0100"]


def test_every_hour_rings_in_both_of_two_equal_hours() -> None:
    rule = Recurrence.from_cron("0 * * * *", NEW_YORK)

    firings = told(rule, datetime(2026, 11, 1, 0, 30, tzinfo=NEW_YORK), 3)

    assert firings == ["2026-11-01 01:00 -0400", "2026-11-01 01:00 -0500", "2026-11-01 02:00 -0500"]


def test_every_hour_skips_no_real_hour_in_spring() -> None:
    rule = Recurrence.from_cron("0 * * * *", NEW_YORK)

    firings = rule.preview(datetime(2027, 3, 14, 0, 30, tzinfo=NEW_YORK), 4)

    steps = [b.astimezone(UTC) - a.astimezone(UTC) for a, b in pairwise(firings)]
    assert steps == [timedelta(hours=1)] * 3


def test_eight_in_the_morning_stays_eight_across_a_change() -> None:
    when = parse("every day at 8am", datetime(2026, 10, 24, 12, tzinfo=BERLIN), BERLIN)
    assert isinstance(when, Recurring)

    firings = told(when.rule, datetime(2026, 10, 24, 12, tzinfo=BERLIN), 2)

    assert firings == ["2026-10-25 08:00 +0100", "2026-10-26 08:00 +0100"]


def test_an_interval_counts_real_hours_across_a_change() -> None:
    start = datetime(2026, 10, 25, 1, tzinfo=BERLIN)
    rule = Recurrence(BERLIN, start, step=timedelta(hours=1))

    firings = told(rule, start)

    assert firings == ["2026-10-25 02:00 +0200", "2026-10-25 02:00 +0100", "2026-10-25 03:00 +0100"]


@pytest.mark.parametrize(
    ("words", "cron"),
    [
        ("每天9点", "0 9 * * *"),
        ("每周一9点", "0 9 * * 1"),
        ("每月1日9点", "0 9 1 * *"),
        ("工作日9点", "0 9 * * 1-5"),
        ("每小时", "0 * * * *"),
    ],
)
def test_the_words_of_the_specification_fire_as_their_cron(words: str, cron: str) -> None:
    said = read_pattern(words, SHANGHAI, NOW)
    written = read_pattern(cron, SHANGHAI, NOW)

    assert said.preview(NOW, 10) == written.preview(NOW, 10)


@pytest.mark.parametrize(
    ("cron", "firings"),
    [
        ("*/20 9-10 * * *", ["11-16 10:20", "11-16 10:40", "11-17 09:00"]),
        ("0 8 1,15 * *", ["12-01 08:00", "12-15 08:00", "01-01 08:00"]),
        ("0 8 13 * 5", ["11-20 08:00", "11-27 08:00", "12-04 08:00"]),
        ("0 0 * * SUN", ["11-22 00:00", "11-29 00:00", "12-06 00:00"]),
        ("0 0 * * 7", ["11-22 00:00", "11-29 00:00", "12-06 00:00"]),
        ("0 9 29 2 *", ["02-29 09:00", "02-29 09:00", "02-29 09:00"]),
        ("5 4 * jan-mar mon", ["01-04 04:05", "01-11 04:05", "01-18 04:05"]),
        ("@daily", ["11-17 00:00", "11-18 00:00", "11-19 00:00"]),
    ],
)
def test_cron_is_read_as_cron_reads_it(cron: str, firings: list[str]) -> None:
    rule = Recurrence.from_cron(cron, SHANGHAI, starts_at=NOW)

    assert [f"{at:%m-%d %H:%M}" for at in rule.preview(NOW, 3)] == firings


@pytest.mark.parametrize(
    "cron",
    ["", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "a b c d e",
     "*/0 * * * *", "5-1 * * * *", "0 0 30 2 *", "0 0 31 4 *", "* * * * * *", "1,,2 * * * *"],
)  # fmt: skip
def test_a_wrong_cron_expression_is_refused(cron: str) -> None:
    with pytest.raises(Unprocessable):
        Recurrence.from_cron(cron, SHANGHAI)


@pytest.mark.parametrize(
    ("rrule", "firings"),
    [
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", ["11-17 09:00", "11-18 09:00"]),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=7;BYMINUTE=0", ["11-18 07:00", "11-23 07:00"]),
        ("FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=30", ["11-27 17:30", "12-25 17:30"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", ["11-30 10:00", "12-31 10:00"]),
        ("FREQ=MINUTELY;INTERVAL=20", ["11-16 10:20", "11-16 10:40"]),
        ("FREQ=DAILY;COUNT=2", ["11-17 10:00"]),
        ("FREQ=DAILY;UNTIL=20261117T020000Z", ["11-17 10:00"]),
        ("DTSTART:20261201T010000Z\nRRULE:FREQ=DAILY", ["12-01 09:00", "12-02 09:00"]),
    ],
)
def test_an_rrule_is_read(rrule: str, firings: list[str]) -> None:
    rule = read_pattern(rrule, SHANGHAI, NOW)

    assert [f"{at:%m-%d %H:%M}" for at in rule.preview(NOW, 2)] == firings


@pytest.mark.parametrize(
    "rrule",
    ["FREQ=NEVER", "FREQ=DAILY;INTERVAL=0", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;X=1",
     "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYSETPOS=9", "FREQ=DAILY;COUNT=0",
     "FREQ=DAILY;UNTIL=nonsense", "RRULE:", "FREQ=WEEKLY;BYDAY=XX", "FREQ=YEARLY;BYMONTH=13"],
)  # fmt: skip
def test_an_rrule_that_never_fires_or_cannot_be_read_is_refused(rrule: str) -> None:
    with pytest.raises(Unprocessable):
        read_pattern(rrule, SHANGHAI, NOW)


@pytest.mark.parametrize("words", ["明天9点", "hello", "", "2月30日"])
def test_a_pattern_has_to_say_that_it_repeats(words: str) -> None:
    with pytest.raises(Unprocessable):
        read_pattern(words, SHANGHAI, NOW)


def test_a_count_ends_after_so_many_firings_wherever_one_asks_from() -> None:
    rule = Recurrence.from_cron("0 9 * * *", SHANGHAI, starts_at=NOW, count=3)

    last = datetime(2026, 11, 19, 9, tzinfo=SHANGHAI)

    assert rule.next_after(datetime(2026, 11, 18, 12, tzinfo=SHANGHAI)) == last
    assert rule.next_after(last) is None
    assert len(rule.preview(NOW, 10)) == 3


def test_a_firing_exactly_at_the_end_still_rings() -> None:
    end = datetime(2026, 11, 18, 9, tzinfo=SHANGHAI)
    rule = Recurrence.from_cron("0 9 * * *", SHANGHAI, starts_at=NOW, until=end)

    assert rule.preview(NOW, 10)[-1] == end


def test_next_after_is_strictly_later() -> None:
    rule = Recurrence.from_cron("0 10 * * *", SHANGHAI)

    assert rule.next_after(NOW) == NOW + timedelta(days=1)


def test_every_second_week_keeps_its_rhythm_over_the_new_year() -> None:
    rule = Recurrence(SHANGHAI, NOW, days=Weekly((4,), 2, NOW.date()), times=(time(16),))

    firings = [f"{at:%m-%d}" for at in rule.preview(NOW, 5)]

    assert firings == ["11-20", "12-04", "12-18", "01-01", "01-15"]


def test_every_third_day_is_counted_from_its_first() -> None:
    rule = Recurrence(SHANGHAI, NOW, days=Daily(3, NOW.date()), times=(time(12),))

    firings = [f"{at:%m-%d}" for at in rule.preview(NOW, 4)]

    assert firings == ["11-16", "11-19", "11-22", "11-25"]


def test_make_up_days_are_worked_and_holidays_are_not() -> None:
    rule = Recurrence(SHANGHAI, NOW, days=Workdays(official=True), times=(time(8),))
    rule_before = Recurrence(
        SHANGHAI, datetime(2026, 4, 30, tzinfo=SHANGHAI), days=rule.days, times=rule.times
    )

    firings = [
        f"{at:%m-%d}" for at in rule_before.preview(datetime(2026, 4, 30, 9, tzinfo=SHANGHAI), 5)
    ]

    assert firings == ["05-06", "05-07", "05-08", "05-09", "05-11"]


def test_years_without_a_decree_are_monday_to_friday_and_say_so() -> None:
    when = parse("法定工作日9点", datetime(2031, 1, 1, 10, tzinfo=SHANGHAI), SHANGHAI)
    assert isinstance(when, Recurring)

    firings = when.rule.preview(datetime(2031, 1, 1, 10, tzinfo=SHANGHAI), 3)

    assert [at.weekday() for at in firings] == [3, 4, 0]
    assert "workdays_not_decreed" in when.assumptions


def test_a_leap_month_is_counted_in_a_monthly_lunar_rule() -> None:
    start = datetime(2025, 7, 1, tzinfo=SHANGHAI)
    rule = Recurrence(SHANGHAI, start, days=LunarDays((1,)), times=(time(8),))

    firings = [f"{at:%m-%d}" for at in rule.preview(start, 3)]

    assert firings == ["07-25", "08-23", "09-22"]


def test_a_lunar_thirtieth_is_the_last_day_of_a_short_month() -> None:
    start = datetime(2026, 12, 1, tzinfo=SHANGHAI)
    rule = Recurrence(SHANGHAI, start, days=LunarDays((30,), 12), times=(time(8),))

    firings = [f"{at:%Y-%m-%d}" for at in rule.preview(start, 2)]

    assert firings == ["2027-02-05", "2028-01-25"]


def test_a_lead_may_reach_into_the_day_before() -> None:
    when = parse("每周一早上8点开会，提前一天提醒我", NOW, SHANGHAI)
    assert isinstance(when, Recurring)

    assert told(when.rule, NOW, 2) == ["2026-11-22 08:00 +0800", "2026-11-29 08:00 +0800"]


def test_a_rule_that_excludes_all_its_days_ends() -> None:
    rule = Recurrence(
        SHANGHAI, NOW, days=Weekly((5, 6), 1, NOW.date()), times=(time(8),), skip_weekdays=(5, 6)
    )

    assert rule.next_after(NOW) is None


@pytest.mark.parametrize("cron", ["0 9 * * *", "30 8 1 * *", "0 7 * * 1,3,5", "0 9 25 12 *"])
def test_cron_as_an_rrule_fires_alike(cron: str) -> None:
    rule = Recurrence.from_cron(cron, SHANGHAI, starts_at=NOW)

    again = Recurrence.from_rrule(rule.to_rrule() or "", SHANGHAI, NOW)

    assert again.preview(NOW, 6) == rule.preview(NOW, 6)


@pytest.mark.parametrize(
    ("pattern", "by", "firings"),
    [
        ("every day at 9:00 am", 3, ["11-14 09:00", "11-15 09:00", "11-16 09:00"]),
        ("every other day at 9:00 am", 3, ["11-15 09:00", "11-17 09:00", "11-19 09:00"]),
        ("every 2 hours", 3, ["11-13 12:00", "11-13 14:00", "11-13 16:00"]),
        ("every monday at 9:00 am", 14, ["11-09 09:00", "11-16 09:00", "11-23 09:00"]),
        ("on the 5th of every month at 9:00 am", 14, ["11-05 09:00", "12-05 09:00", "01-05 09:00"]),
        ("FREQ=DAILY;INTERVAL=2", 2, ["11-16 10:00", "11-18 10:00", "11-20 10:00"]),
    ],
)
def test_what_began_earlier_keeps_its_rhythm(pattern: str, by: int, firings: list[str]) -> None:
    after = NOW - timedelta(days=by)

    rule = read_pattern(pattern, SHANGHAI, NOW).begun_earlier(timedelta(days=by), after)

    assert [f"{at:%m-%d %H:%M}" for at in rule.preview(after, 3)] == firings


def test_days_ahead_are_days_of_the_calendar_where_the_clocks_change() -> None:
    now = datetime(2026, 10, 20, 12, tzinfo=NEW_YORK)

    when = parse(
        "the rent is due on the 1st of each month, remind me two days before", now, NEW_YORK
    )

    assert isinstance(when, Recurring)
    assert told(when.rule, now) == [
        "2026-10-30 09:00 -0400",
        "2026-11-29 09:00 -0500",
        "2026-12-30 09:00 -0500",
    ]
