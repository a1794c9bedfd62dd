"""What was understood, said back: instants, recurrences, questions, refusals."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.language.phrasing.words import to_listener
from clarion.language.readback import (
    say_instant,
    say_when,
    spoken_instant,
    spoken_recurrence,
    spoken_when,
)
from clarion.language.when import parse
from clarion.language.when.model import Once, Recurring
from clarion.language.when.rules.recurrence import Recurrence
from clarion.language.when.rules.rule_words import say_rule

SHANGHAI = ZoneInfo("Asia/Shanghai")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 15, 10, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("days", "lang", "said"),
    [
        (0, "zh", "今天（11月15日 周日）10:00"),
        (1, "zh", "明天（11月16日 周一）10:00"),
        (2, "zh", "后天（11月17日 周二）10:00"),
        (3, "zh", "大后天（11月18日 周三）10:00"),
        (10, "zh", "11月25日（周三）10:00"),
        (60, "zh", "2027年1月14日（周四）10:00"),
        (0, "en", "today (Sun 15 Nov) 10:00"),
        (1, "en", "tomorrow (Mon 16 Nov) 10:00"),
        (10, "en", "Wed 25 Nov 10:00"),
        (60, "en", "Thu 14 Jan 2027 10:00"),
    ],
)
def test_an_instant_is_told_by_its_nearness_and_its_date(days: int, lang: str, said: str) -> None:
    assert say_instant(NOW + timedelta(days=days), NOW, lang) == said


def test_the_second_of_two_equal_hours_is_told_apart() -> None:
    now = datetime(2026, 10, 24, 12, tzinfo=BERLIN)
    second = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=BERLIN)

    said = say_instant(second, now, "zh")
    again = parse(said, now, BERLIN)

    assert said == "明天（10月25日 周日）02:30+01:00"
    assert isinstance(again, Once)
    assert again.at.utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("每天9点", "每天 09:00", "every day at 09:00"),
        ("每两周周五下午4点", "每两周周五 16:00", "every 2 weeks on Friday at 16:00"),
        ("工作日9点", "每个工作日 09:00", "every weekday at 09:00"),
        ("法定工作日9点", "法定工作日 09:00", "every official Chinese workday at 09:00"),
        ("每月最后一天下午5点", "每月最后一天 17:00", "the last day of every month at 17:00"),
        (
            "每月5号和20号9点",
            "每月5号、20号 09:00",
            "the 5th and the 20th of every month at 09:00",
        ),
        ("每月第一个周一", "每月第一个周一 09:00", "the first Monday of every month at 09:00"),
        ("农历每月初一", "农历每月初一 09:00", "the 1st of every lunar month at 09:00"),
        ("每年母亲节", "每年母亲节 09:00", "Mother's Day every year at 09:00"),
        ("每隔20分钟", "每隔20分钟", "every 20 minutes"),
        ("每天9点，一共三次", "每天 09:00，一共3次", "every day at 09:00, 3 times in total"),
        ("每天9点，除了周三", "每天 09:00，除了周三", "every day at 09:00, except Wednesday"),
        (
            "每天9点直到12月1日",
            "每天 09:00，直到2026年12月1日",
            "every day at 09:00, until 1 December 2026",
        ),
    ],
)  # fmt: skip
def test_a_recurrence_is_told_in_both_languages(text: str, zh: str, en: str) -> None:
    when = parse(text, NOW, SHANGHAI)
    assert isinstance(when, Recurring)

    assert say_rule(when.rule, "zh") == zh
    assert say_rule(when.rule, "en") == en


@pytest.mark.parametrize(
    ("cron", "zh", "en"),
    [
        ("0 9 * * 1", "每周一 09:00", "every Monday at 09:00"),
        ("0 9 1 * *", "每月1号 09:00", "the 1st of every month at 09:00"),
        ("0 9 1 1 *", "1月的1号 09:00", "the 1st in January at 09:00"),
        (
            "*/10 * * * *",
            "每天 00:00到23:50每10分钟",
            "every day from 00:00 to 23:50 every 10 minutes",
        ),
        ("0,7 * * * *", "每天 00:00 … 23:07 (×48)", "every day at 00:00 … 23:07 (×48)"),
    ],
)
def test_a_cron_expression_is_told_too(cron: str, zh: str, en: str) -> None:
    rule = Recurrence.from_cron(cron, SHANGHAI)

    assert say_rule(rule, "zh") == zh
    assert say_rule(rule, "en") == en


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("后天4点", "后天（11月17日 周二）16:00（按下午理解）"),
        ("大后天", "大后天（11月18日 周三）09:00（没说几点，按平常的钟点）"),
        (
            "每月31号上午9点",
            "每月31号 09:00（没有这一号的月份会跳过），下一次：12月31日（周四）09:00",
        ),
        ("今早7点", "这个时间已经过去了。要改成明天早上7点吗？"),
        ("2月30日", "没有这一天。"),
        ("提醒我喝水", "请问什么时候提醒您？"),
        ("你好", "没有听到时间。"),
    ],
)
def test_the_whole_answer_says_what_was_assumed(text: str, said: str) -> None:
    assert say_when(parse(text, NOW, SHANGHAI), NOW, "zh") == said


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("明天早上8点", "明天早上8点", "tomorrow at 8 am"),
        ("今天下午三点半", "今天下午3点半", "today at 3:30 pm"),
        (
            "11月25日上午10点05分",
            "11月25日周三上午10点零5分",
            "on Wednesday 25 November at 10:05 am",
        ),
        ("2027年3月1日中午12点", "2027年3月1日周一中午12点", "on Monday 1 March 2027 at noon"),
        ("每天早上8点和晚上8点", "每天早上8点、晚上8点", "every day at 8 am and 8 pm"),
        ("工作日9点", "每个工作日上午9点", "every weekday at 9 am"),
        ("每隔20分钟", "每隔20分钟", "every 20 minutes"),
        (
            "每月31号上午9点",
            "没有这一号的月份会跳过，每月31号上午9点",
            "on the 31st of every month at 9 am, shorter months are skipped",
        ),
    ],
)
def test_a_time_is_spoken_as_a_person_says_it(text: str, zh: str, en: str) -> None:
    when = parse(text, NOW, SHANGHAI)
    assert isinstance(when, Once | Recurring)

    assert spoken_when(when, NOW, "zh") == zh
    assert spoken_when(when, NOW, "en") == en


@given(st.integers(1, 60 * 24 * 400), st.sampled_from(["zh", "en"]))
def test_what_is_spoken_means_the_same_minute(minutes: int, lang: str) -> None:
    at = NOW + timedelta(minutes=minutes)

    again = parse(spoken_instant(at, NOW, lang), NOW, SHANGHAI)

    assert isinstance(again, Once)
    assert again.at == at


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("take my pills", "take your pills"),
        ("I have to call my mum", "You have to call your mum"),
        ("check that i am insured", "check that you are insured"),
        ("email me@example.com", "email me@example.com"),
        ("vitamin i", "vitamin i"),
        ("give mum her pills", "give mum her pills"),
    ],
)
def test_what_a_speaker_says_of_themselves_is_said_to_them(said: str, told: str) -> None:
    assert to_listener(said, "en") == told


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("every day at 9am Tokyo time", "Tokyo time"),
        ("每天早上九点纽约时间", "纽约时间"),
        ("every Monday at 9am EST", "UTC-5"),
    ],
)
def test_a_rhythm_of_another_place_names_the_place(text: str, named: str) -> None:
    when = parse(text, NOW, SHANGHAI)

    said = say_when(when, NOW, "en" if text.isascii() else "zh")

    assert named in said
    assert isinstance(when, Recurring)
    again = parse(said, NOW, SHANGHAI)
    assert isinstance(again, Recurring)
    assert again.rule.preview(NOW, 3) == when.rule.preview(NOW, 3)


@pytest.mark.parametrize("second", [0, 32])
def test_the_start_of_an_interval_is_told_as_a_clock_is(second: int) -> None:
    first = NOW.replace(minute=43, second=second)
    rule = Recurrence(SHANGHAI, first, step=timedelta(minutes=30))

    zh = spoken_recurrence(rule, "zh", NOW)
    en = spoken_recurrence(rule, "en", NOW)

    assert zh == "每隔30分钟，从今天上午10点43分开始"
    assert en == "every 30 minutes, starting today at 10:43 am"
