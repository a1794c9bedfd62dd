"""Every way to say the day beside every way to say the hour: the same instant each time.

A day that is read alone and an hour that is read alone were lost together more than once:
三天后晚8点 was the evening of 后天, and 下个月底下午五点 the first of the month.
"""

from datetime import date, datetime, time
from itertools import product
from random import Random

import pytest

from clarion.language.when import parse
from clarion.language.when.model import NeedsClarification, Once, Recurring
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


# Words between the day and the hour, and what is taken back, moved or told before it.
APART_EN = (
    "dentist at {hour} with Dr. Lee {day}", "pick up Leo at {hour} from his 2 lessons {day}",
    "{hour}: see Ana, {day}", "at {hour} remind me to see Ana, {day}",
    "my exam is Wednesday remind me {day} at {hour}", "remind me {day} at 6, no, at {hour}",
    "remind me {day} at six, oh no, {hour}", "the call was moved from 3 to {hour} {day}",
    "moved my haircut from Monday at 3 to {day} at {hour}", "not tomorrow at 3 but {day} at {hour}",
    "call 555-0100 at {hour} {day}",
)  # fmt: skip
APART_DAYS_EN = _ways({
    "2027-06-16": "tomorrow",
    "2027-06-18": "this Friday",
    "2027-06-25": "a week from Friday",
    "2027-07-23": "July 23rd|Jul. 23",
    "2027-07-31": "the last day of July",
    "2027-12-25": "Christmas Day",
})  # fmt: skip
APART_HOURS_EN = _ways({"08:10": "8:10 am|ten past eight am", "12:00": "noon", "17:00": "17:00"})
APART_ZH = (
    "{hour}看牙，{day}", "{hour}提醒我看牙，{day}", "{hour}看牙，是{day}",
    "{day}不是六点，是{hour}",
    "提醒我{day}六点，不对，{hour}", "提醒我{day}六点开会，哦不，{hour}", "会从三点改到{day}{hour}",
    "把会从明天三点挪到{day}{hour}", "周一三点的会改到{day}{hour}", "看牙（{day}{hour}）",
)  # fmt: skip
APART_HOURS_ZH = _ways({"08:10": "早上八点十分", "12:00": "中午十二点", "17:00": "17:00"})


@pytest.mark.parametrize(
    ("days", "hours", "orders"),
    [
        pytest.param(APART_DAYS_EN, APART_HOURS_EN, APART_EN, id="English"),
        pytest.param(DAYS_ZH, APART_HOURS_ZH, APART_ZH, id="Chinese"),
    ],
)
def test_no_day_is_lost_behind_other_words(
    days: Ways, hours: Ways, orders: tuple[str, ...]
) -> None:
    wrong = []
    for text, meant in _drawn(days, hours, orders):
        when = parse(text, TUESDAY, SHANGHAI)
        found = when.at.replace(tzinfo=None) if isinstance(when, Once) else when
        # Of 八月十五六点 nobody knows where the day ends: it may be asked about.
        unclear = isinstance(when, NeedsClarification) and "十五六点" in text
        wrong += [(text, found)] if found != meant and not unclear else []

    assert wrong == []


LEADS = _ways({
    "15:00": "flight at 17:00 {day}, remind me 2 hours before|{day}下午五点的飞机，提前两小时叫我",
    "16:00": "remind me an hour before dinner {day} at 5pm|{day}下午五点开会，提前一小时提醒我",
    "16:50": "{day} 5pm yoga, 10 min heads up|{day}下午五点开会提前十分钟叫我",
})  # fmt: skip


@pytest.mark.parametrize("frame", LEADS)
def test_no_lead_is_lost(frame: str) -> None:
    days = (DAYS_EN | {"on July 23": "2027-07-23"}) if frame.isascii() else DAYS_ZH
    wrong = []
    for day, date_meant in days.items():
        when = parse(frame.format(day=day), TUESDAY, SHANGHAI)
        found = f"{when.at:%Y-%m-%d %H:%M}" if isinstance(when, Once) else when
        wrong += [(day, found)] if found != f"{date_meant} {LEADS[frame]}" else []

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


TIMES_EN = _ways({
    "06-15 10:40": "in 20 minutes",
    "06-15 16:30": "at half past four",
    "06-15 20:00": "tonight",
    "06-16 08:00": "tomorrow at 8 am",
    "06-18 09:30": "on Friday at 9:30",
    "06-15 18:00": "every day at 6pm",
})  # fmt: skip
DEEDS_EN = (
    "pay invoice 1130", "book a table for 4", "read chapter 12", "email April", "take two pills",
    "send the Q3 report", "prepare the Monday report", "watch the Friday game", "bring 3 copies",
    "water the plants for 10 minutes", "check flight UA 1845", "call 555-0142", "fax page 3",
    "renew my 3 year subscription", "return book 2 of 3", "download season 2", "read the minutes",
    "study for the Tuesday test", "take the 10:15 train", "set the oven to 350", "rest for an hour",
)  # fmt: skip
WISHES_EN = (
    "remind me {time} to {deed}",
    "remind me to {deed} {time}",
    "{time} remind me to {deed}",
)
TIMES_ZH = _ways({
    "06-15 10:40": "二十分钟后",
    "06-15 16:30": "下午四点半",
    "06-15 18:00": "每天下午六点",
    "06-16 08:00": "明天早上八点",
    "06-17 20:15": "后天晚上8点15分",
    "06-18 09:30": "周五上午九点半",
})  # fmt: skip
DEEDS_ZH = (
    "买两个披萨", "看第三章", "去三号楼开会", "交一季度的报表", "准备周一的例会", "订五月的机票",
    "看周五的比赛", "浇花十分钟", "查一下CA1845航班", "回复九点的邮件", "去十二号窗口",
    "看八点档电视剧", "坐十点一刻的高铁", "做二十个俯卧撑", "睡一个小时", "收第二天的菜",
    "交三天的作业", "接周一鸣", "给七十二号打电话", "看十二怒汉", "写一周总结", "买中秋的票",
)  # fmt: skip
WISHES_ZH = (
    "{time}提醒我{deed}",
    "提醒我{time}{deed}",
    "帮我记一下{time}{deed}",
    "{time}我要{deed}，提醒我一下",
)


@pytest.mark.parametrize(
    ("times", "deeds", "wishes"),
    [
        pytest.param(TIMES_EN, DEEDS_EN, WISHES_EN, id="English"),
        pytest.param(TIMES_ZH, DEEDS_ZH, WISHES_ZH, id="Chinese"),
    ],
)
def test_what_is_to_be_done_changes_no_time(
    times: Ways, deeds: tuple[str, ...], wishes: tuple[str, ...]
) -> None:
    wrong = []
    for time_said, deed, wish in product(times, deeds, wishes):
        text = wish.format(time=time_said, deed=deed)
        when = parse(text, TUESDAY, SHANGHAI)
        first = when.rule.next_after(TUESDAY) if isinstance(when, Recurring) else None
        at = when.at if isinstance(when, Once) else first
        wrong += [(text, when)] if at is None or f"{at:%m-%d %H:%M}" != times[time_said] else []

    assert wrong == []


BOUNDED = (
    ("从明天到6月28号", "每周一三五早上八点", "2027-06-16", "2027-06-28", 6),
    ("下周一到30号", "每周一三五早上八点", "2027-06-21", "2027-06-30", 5),
    ("从周五到月底", "每个工作日早上八点", "2027-06-18", "2027-06-30", 9),
    ("from tomorrow until June 28", "every Monday, Wednesday and Friday at 8 am",
     "2027-06-16", "2027-06-28", 6),
    ("from next Monday to the 30th", "every weekday at 8 am", "2027-06-21", "2027-06-30", 8),
)  # fmt: skip
FRAMES_OF_SPANS = {
    True: ("{span}{rhythm}提醒我吃药", "{rhythm}提醒我吃药，{span}", "提醒我{span}{rhythm}吃药"),
    False: (
        "{span} remind me {rhythm} to stretch",
        "remind me to stretch {rhythm} {span}",
        "remind me {rhythm} {span} to stretch",
    ),
}


@pytest.mark.parametrize(
    ("span", "rhythm", "first", "last", "count"), BOUNDED, ids=[said[0] for said in BOUNDED]
)
def test_a_span_bounds_its_rhythm_wherever_it_stands(
    span: str, rhythm: str, first: str, last: str, count: int
) -> None:
    for frame in FRAMES_OF_SPANS[not span.isascii()]:
        text = frame.format(span=span, rhythm=rhythm)
        when = parse(text, TUESDAY, SHANGHAI)

        assert isinstance(when, Recurring), text
        days = [f"{at:%Y-%m-%d}" for at in when.rule.preview(TUESDAY, 40)]
        assert (days[0], days[-1], len(days)) == (first, last, count), text


# From the 15th of June until the 20th of July: first, last and how often.
ENDING = {
    "每天": ("06-16", "07-20", 35),
    "周一至周五每天": ("06-16", "07-20", 25),
    "每周二四": ("06-17", "07-20", 10),
    "周末每天": ("06-19", "07-18", 10),
    "每月1号": ("07-01", "07-01", 1),
    "每月最后一个周五": ("06-25", "06-25", 1),
    "every day": ("06-16", "07-20", 35),
    "Monday to Friday": ("06-16", "07-20", 25),
    "Tue/Thu": ("06-17", "07-20", 10),
    "the last Friday of every month": ("06-25", "06-25", 1),
}
ENDS_ZH = ("{r}早八点到7月20号为止", "{r}早八点，到7月20号", "{r}早八点吃药，吃到7月20号")
ENDS_EN = ("{r} at 8 am until July 20", "until July 20 {r} at 8 am", "{r} until July 20 at 8 am")


@pytest.mark.parametrize("rhythm", ENDING)
def test_a_rhythm_ends_on_its_last_day(rhythm: str) -> None:
    for frame in ENDS_EN if rhythm.isascii() else ENDS_ZH:
        text = frame.format(r=rhythm)
        when = parse(text, TUESDAY, SHANGHAI)

        assert isinstance(when, Recurring), text
        days = [f"{at:%m-%d}" for at in when.rule.preview(TUESDAY, 60)]
        assert (days[0], days[-1], len(days)) == ENDING[rhythm], text


@pytest.mark.parametrize("rhythm", ["Monday to Friday", "Mon-Fri", "every weekday"])
def test_a_rhythm_opens_on_its_first_day(rhythm: str) -> None:
    frames = ("from July 2 {r} at noon", "starting July 2, {r} at noon", "{r} at noon from July 2")
    for frame in frames:
        when = parse(frame.format(r=rhythm), TUESDAY, SHANGHAI)

        assert isinstance(when, Recurring), frame
        days = [f"{at:%m-%d %H}" for at in when.rule.preview(TUESDAY, 2)]
        assert days == ["07-02 12", "07-05 12"], frame


LISTED_DAYS = ("下周四、五", "下周四五", "下周四和周五", "下个星期四、星期五")
COUNTED = ("两点", "两天两点", "两天下午两点", "三点", "两天三点一刻")


@pytest.mark.parametrize("days", LISTED_DAYS)
@pytest.mark.parametrize("hour", COUNTED)
def test_the_last_of_listed_weekdays_is_no_figure_of_what_follows(days: str, hour: str) -> None:
    when = parse(f"{days}{hour}培训", TUESDAY, SHANGHAI)

    assert isinstance(when, Recurring)
    found = [f"{at:%m-%d %H}" for at in when.rule.preview(TUESDAY, 3)]
    at_hour = "15" if "三点" in hour else "14"
    assert found == [f"06-24 {at_hour}", f"06-25 {at_hour}"]


@pytest.mark.parametrize("days", ["next three days", "the next 3 days", "for the next 3 days"])
@pytest.mark.parametrize("hour", ["10am", "at 10am", "at 10", "10:00", "at ten in the morning"])
def test_the_next_days_with_an_hour_are_each_of_them(days: str, hour: str) -> None:
    when = parse(f"{days} {hour} take the tablets", TUESDAY, SHANGHAI)

    assert isinstance(when, Recurring)
    found = [f"{at:%m-%d %H}" for at in when.rule.preview(TUESDAY, 4)]
    assert found == ["06-16 10", "06-17 10", "06-18 10"]


WEEKS = {"next week": ("06-21", "06-23"), "the week after next": ("06-28", "06-30")}


@pytest.mark.parametrize("week", WEEKS)
@pytest.mark.parametrize("to", ["", "on ", ", "])
def test_the_days_of_a_week_that_is_named_first(week: str, to: str) -> None:
    one = parse(f"{week} {to}wednesday at 8am", TUESDAY, SHANGHAI)
    assert isinstance(one, Once)
    assert f"{one.at:%m-%d %H}" == f"{WEEKS[week][1]} 08"
    listed = parse(f"{week} {to}monday through wednesday at 8am", TUESDAY, SHANGHAI)
    assert isinstance(listed, Recurring)
    days = [f"{at:%m-%d}" for at in listed.rule.preview(TUESDAY, 5)]
    assert (days[0], days[-1], len(days)) == (*WEEKS[week], 3)


@pytest.mark.parametrize("pause", ["，", " ", "。"])
@pytest.mark.parametrize("asked", ["都提醒我", "两个都要叫我", "分别提醒我"])
def test_two_hours_that_both_are_asked_for_are_not_one(pause: str, asked: str) -> None:
    text = f"五点取蛋糕{pause}六点接孩子{pause}{asked}"

    assert isinstance(parse(text, TUESDAY, SHANGHAI), NeedsClarification)
    assert isinstance(parse(f"五点和六点{asked}", TUESDAY, SHANGHAI), Recurring)


EVENTS = ("parents evening", "Parents' evening", "open evening at the school", "quiz night")
HOURS_OF_EVENTS = {"half past two": "14:30", "4:15": "16:15", "7": "19:00", "noon": "12:00"}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("hour", HOURS_OF_EVENTS)
def test_the_evening_in_the_name_of_an_event_moves_no_hour(event: str, hour: str) -> None:
    for text in (f"{event} on Friday at {hour}", f"remind me of {event} on Friday at {hour}"):
        when = parse(text, TUESDAY, SHANGHAI)

        assert isinstance(when, Once), text
        assert f"{when.at:%m-%d %H:%M}" == f"06-18 {HOURS_OF_EVENTS[hour]}", text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2moro 6pm call mum", "06-16 18:00"),
        ("see u 2morrow at 9am", "06-16 09:00"),
        ("2nite 10:30 put the bins out", "06-15 22:30"),
    ],
)
def test_a_day_as_it_is_texted(text: str, expected: str) -> None:
    when = parse(text, TUESDAY, SHANGHAI)

    assert isinstance(when, Once)
    assert f"{when.at:%m-%d %H:%M}" == expected
