"""Every way to say the day beside every way to say the hour: the same instant each time.

A day that is read alone and an hour that is read alone were lost together more than once:
三天后晚8点 was the evening of 后天, and 下个月底下午五点 the first of the month.
"""

from datetime import date, datetime, time
from itertools import product
from random import Random

import pytest

from clarion.language.when import parse
from clarion.language.when.model import Once, Recurring
from tests.language.when.moments import SHANGHAI

TUESDAY = datetime(2027, 6, 15, 10, 20, tzinfo=SHANGHAI)
SENTENCES = 4000  # of some ten thousand; which of them is drawn, always the same


def _ways(values: dict[str, str]) -> dict[str, str]:
    """For each way to say it what it means."""
    return {words: meant for meant, said in values.items() for words in said.split("|")}


DAYS_EN = _ways({
    "2027-06-16": "tomorrow",
    "2027-06-18": "Friday|this Friday|Fri.",
    "2027-06-21": "next Monday|Monday next week",
    "2027-06-23": "the 23rd|Wednesday the 23rd",
    "2027-06-24": "Thursday of next week",
    "2027-06-25": "a week from Friday",
    "2027-07-01": "the first Thursday next month|first Thursday of next month",
    "2027-07-23": "July 23|July 23rd|July the 23rd|23 July|the 23rd of July|July twenty-third"
    "|Jul. 23|23-Jul|7/23|7/23/2027|2027-07-23|23.07.2027|Friday, July 23rd|Fri, 23 Jul 2027",
    "2027-07-30": "the last Friday in July",
    "2027-07-31": "the last day of July",
    "2027-11-25": "Thanksgiving",
    "2027-12-20": "the Monday before Christmas",
    "2027-12-25": "Christmas|Christmas Day",
    "2027-12-26": "the day after Christmas",
})  # fmt: skip
HOURS_EN = _ways({
    "12:00": "noon",
    "17:00": "5pm|5 p.m.|five in the afternoon|5 o'clock in the afternoon|5 in the evening",
    "17:15": "quarter past 5 pm|five fifteen in the afternoon",
    "17:30": "5:30pm|5.30pm|5:30 p.m.|17:30|17h30|17:30h|half past five pm|five thirty pm",
    "17:45": "quarter to six pm",
    "17:50": "ten to six pm",
})  # fmt: skip
ORDERS_EN = (
    "{day} at {hour}", "at {hour} on {day}", "{hour} on {day}", "{day}, {hour}", "{day} {hour}",
    "{hour}, {day}", "{hour} {day}", "{day} by {hour}", "{day} after {hour}", "by {hour} on {day}",
)  # fmt: skip
DAYS_ZH = _ways({
    "2027-06-16": "明天|明日",
    "2027-06-18": "周五|这周五|大后天|三天后|3天之后",
    "2027-06-21": "下周一|下个礼拜一",
    "2027-06-23": "23号|这个月二十三号|下周三",
    "2027-06-29": "两周后|两个星期后",
    "2027-06-30": "月底|月末|这个月最后一天|半个月后",
    "2027-07-05": "下个月5号|7月第一个周一|二十天后",
    "2027-07-15": "一个月后",
    "2027-07-23": "7月23号|七月二十三日|2027年7月23日|2027/7/23|7月23日（周五）",
    "2027-07-31": "下个月底|七月最后一天",
    "2027-08-08": "七夕|农历七月初七",
    "2027-09-15": "中秋节|阴历八月十五",
    "2027-09-29": "国庆节前两天",
    "2027-10-01": "国庆节",
})  # fmt: skip
HOURS_ZH = _ways({
    "12:00": "中午十二点|正午",
    "15:00": "下午",
    "17:00": "下午五点|下午5点整|下午５点",
    "17:15": "下午五点一刻",
    "17:30": "下午5点半|下午5:30|17点30|十七点三十分|17时30分|傍晚五点半|5:30pm",
    "17:55": "下午差五分六点",
    "20:00": "晚上八点|晚8点|晚上",
    "20:45": "晚八点四十五",
})  # fmt: skip
ORDERS_ZH = (
    "{day}{hour}", "{day}的{hour}", "{day}{hour}开会", "提醒我{day}{hour}开会",
    "{day}{hour}提醒我开会", "提醒我开会，{day}{hour}", "我{day}{hour}有个会",
    "{day}{hour}之前提醒我", "定个{day}{hour}的闹钟",
)  # fmt: skip
Ways = dict[str, str]


def _drawn(days: Ways, hours: Ways, orders: tuple[str, ...]) -> list[tuple[str, datetime]]:
    """Sentences with the instant that they mean; figures that would run together are left out."""
    crossed = [
        (order.format(day=day, hour=hour), f"{days[day]} {hours[hour]}")
        for day, hour, order in product(days, hours, orders)
        if not ("{day}{hour}" in order and day[-1].isdigit() and hour[0].isdigit())
    ]
    drawn = Random(19).sample(crossed, min(SENTENCES, len(crossed)))
    return [(text, datetime.fromisoformat(meant)) for text, meant in drawn]


@pytest.mark.parametrize(
    ("days", "hours", "orders"),
    [
        pytest.param(DAYS_EN, HOURS_EN, ORDERS_EN, id="English"),
        pytest.param(DAYS_ZH, HOURS_ZH, ORDERS_ZH, id="Chinese"),
    ],
)
def test_any_day_goes_with_any_hour(days: Ways, hours: Ways, orders: tuple[str, ...]) -> None:
    wrong = []
    for text, meant in _drawn(days, hours, orders):
        when = parse(text, TUESDAY, SHANGHAI)
        found = when.at.replace(tzinfo=None) if isinstance(when, Once) else when
        wrong += [(text, found)] if found != meant else []

    assert wrong == []


LENGTHS_EN = (
    (30, "half an hour|a half hour|a half-hour|half-hour|half of an hour|1/2 hour|1/2 an hour"),
    (45, "three quarters of an hour|3/4 of an hour|forty-five minutes|45min"),
    (
        90,
        "an hour and a half|1.5 hours|1 1/2 hours|1½ hours|one and one half hours|1h30|1:30 hours",
    ),
    (135, "two and a quarter hours|two hours and fifteen minutes|2 hours, 15 minutes"),
    (1560, "a day and two hours|1 day and 2 hours"),
    (11520, "one week and one day"),
)
FRAMES_EN = ("in {}", "{} from now", "{} later", "remind me in {}", "within {}", "after about {}")
LENGTHS_ZH = (
    (15, "一刻钟|十五分钟"),
    (30, "半小时|半个钟头|三十分钟"),
    (90, "一个半小时|一小时半|1.5小时|1小时30分|個半鐘"),
    (70, "一小时零十分钟"),
    (1560, "一天零两小时|1天2小时"),
)
FRAMES_ZH = ("{}后", "再过{}", "提醒我{}之后关火", "大概{}后", "从现在起{}后", "{}后的")


@pytest.mark.parametrize(
    ("lengths", "frames"),
    [(LENGTHS_EN, FRAMES_EN), (LENGTHS_ZH, FRAMES_ZH)],
    ids=["English", "Chinese"],
)
def test_any_length_goes_with_any_frame(
    lengths: tuple[tuple[int, str], ...], frames: tuple[str, ...]
) -> None:
    wrong = []
    for (minutes, ways), frame in product(lengths, frames):
        for length in ways.split("|"):
            text = frame.format(length)
            when = parse(text, TUESDAY, SHANGHAI)
            found = (when.at - TUESDAY).total_seconds() / 60 if isinstance(when, Once) else when
            clock = frame.startswith("after") and length in ("1h30", "1:30 hours")
            wrong += [(text, found)] if found != minutes and not clock else []

    assert wrong == []


RHYTHMS = (
    ("2027-06-16 2027-06-17 2027-06-18", "every day at 7 am|every single day at 7 am|每天早七点"),
    ("2027-06-30 2027-07-31 2027-08-31", "every month-end at 7 am|每个月底早七点|每月末早上7点"),
    (
        "2027-07-01 2027-08-01 2027-09-01",
        "每月初7:00|the 1st of each month at 7 am|每月第一天早七点",
    ),
    (
        "2027-07-05 2027-08-02 2027-09-06",
        "每个月头一个周一早七点|first Monday of each month at 7 am",
    ),
    ("2027-07-05 2027-08-05 2027-09-05", "逢每月5号早上七点|every month on the 5th at 7 am"),
)


@pytest.mark.parametrize(("days", "ways"), RHYTHMS, ids=[ways for _, ways in RHYTHMS])
def test_a_rhythm_is_the_same_in_every_wording(days: str, ways: str) -> None:
    meant = [datetime.combine(date.fromisoformat(day), time(7)) for day in days.split()]

    for text in ways.split("|"):
        when = parse(text, TUESDAY, SHANGHAI)
        assert isinstance(when, Recurring), text
        assert [at.replace(tzinfo=None) for at in when.rule.preview(TUESDAY, 3)] == meant, text
