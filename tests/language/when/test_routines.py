"""Hours that are told by a person's day, by the usual habits and by their own."""

from datetime import time

import pytest

from clarion.language.readback import say_when, spoken_when
from clarion.language.when import parse
from clarion.language.when.model import ROUTINES, Habits, NeedsClarification, Once, Recurring
from tests.language.when.moments import SHANGHAI, at

USUAL = Habits(routines=ROUTINES)
NOW = "2026-11-16 10:00"

ONCE = {
    "饭后半小时提醒我吃药": "11-16 12:30",
    "午饭后提醒我吃药": "11-16 12:30",
    "晚饭后半小时提醒我散步": "11-16 19:00",
    "晚餐后提醒我吃药": "11-16 19:00",
    "吃完晚饭提醒我吃药": "11-16 19:00",
    "吃饭的时候提醒我吃药": "11-16 12:00",
    "餐后两小时提醒我测血糖": "11-16 14:00",
    "饭前提醒我测血糖": "11-16 11:30",
    "晚饭前半小时提醒我打胰岛素": "11-16 18:00",
    "明天早餐前15分钟提醒我测血糖": "11-17 07:15",
    "睡前提醒我吃药": "11-16 21:30",
    "今晚睡前提醒我吃药": "11-16 21:30",
    "后天晚上睡前提醒我吃钙片": "11-18 21:30",
    "睡觉前一小时提醒我关灯": "11-16 21:00",
    "睡觉的时候提醒我关灯": "11-16 22:00",
    "起床后提醒我量血压": "11-17 07:00",
    "明天起床之后提醒我量血压": "11-17 07:00",
    "明天午饭时提醒我给妈妈打电话": "11-17 12:00",
    "明天中午饭后提醒我吃药": "11-17 12:30",
    "明天提醒我睡前吃药": "11-17 21:30",
    "提醒我饭后吃药": "11-16 12:30",
    "睡前十点提醒我吃药": "11-16 22:00",
    "remind me to take my pill after lunch": "11-16 12:30",
    "remind me to take my pill before bed": "11-16 21:30",
    "remind me half an hour before dinner to inject insulin": "11-16 18:00",
    "remind me an hour after lunch to walk": "11-16 13:00",
    "remind me tomorrow after breakfast to call mom": "11-17 08:00",
    "remind me to brush my teeth before going to bed": "11-16 21:30",
    "remind me at bedtime to lock the door": "11-16 22:00",
    "remind me at lunch to call Tom": "11-16 12:00",
    "tomorrow lunch remind me to call Tom": "11-17 12:00",
    "remind me when I wake up to take my pill": "11-17 07:00",
    "remind me before eating to check my sugar": "11-16 11:30",
}
AGAIN = {
    "每天睡前提醒我吃药": ["21:30"],
    "每天早饭后提醒我吃药": ["08:00"],
    "每天早饭后和晚饭后提醒我吃药": ["08:00", "19:00"],
    "三餐后提醒我吃药": ["08:00", "12:30", "19:00"],
    "每天饭前十五分钟提醒我测血糖": ["07:15", "11:45", "18:15"],
    "every day before bed remind me to take my pill": ["21:30"],
    "every day remind me to take my pill before bed": ["21:30"],
    "remind me to take my pills after every meal": ["08:00", "12:30", "19:00"],
    "every day half an hour before breakfast remind me to weigh myself": ["07:00"],
}


@pytest.mark.parametrize(("text", "expect"), ONCE.items())
def test_a_routine_needs_no_question(text: str, expect: str) -> None:
    when = parse(text, at(NOW), SHANGHAI, USUAL)

    assert isinstance(when, Once), when
    assert f"{when.at:%m-%d %H:%M}" == expect


@pytest.mark.parametrize(("text", "expect"), AGAIN.items())
def test_a_rhythm_by_routine(text: str, expect: list[str]) -> None:
    when = parse(text, at(NOW), SHANGHAI, USUAL)

    assert isinstance(when, Recurring), when
    assert [f"{one:%H:%M}" for one in when.rule.times] == expect


@pytest.mark.parametrize("text", [*ONCE, *AGAIN])
def test_whose_day_is_not_known_is_asked(text: str) -> None:
    if text in ("睡前十点提醒我吃药", "tomorrow lunch remind me to call Tom"):
        return  # an hour was said, or noon is meant
    assert isinstance(parse(text, at(NOW), SHANGHAI), NeedsClarification)


@pytest.mark.parametrize(
    "text",
    [
        "下班后提醒我买菜",
        "明天饭后提醒我吃药",
        "remind me after work to buy milk",
        "饭后三天提醒我",
    ],
)
def test_what_no_routine_tells_is_asked(text: str) -> None:
    assert isinstance(parse(text, at(NOW), SHANGHAI, USUAL), NeedsClarification)


def test_everybody_has_a_day_of_their_own() -> None:
    late = Habits(routines={**ROUTINES, "dinner": time(20), "sleeping": time(1), "lunch": time(13)})

    expected = {
        "晚饭后提醒我": "11-16 20:30",
        "睡前提醒我": "11-17 00:30",
        "at lunchtime": "11-16 13:00",
    }
    for text, expect in expected.items():
        when = parse(text, at(NOW), SHANGHAI, late)
        assert isinstance(when, Once)
        assert f"{when.at:%m-%d %H:%M}" == expect


@pytest.mark.parametrize(
    ("base", "text", "expect"),
    [
        ("2026-11-16 21:45", "睡前提醒我吃药", "11-16 22:00"),
        ("2026-11-16 21:45", "今晚睡前提醒我吃药", "11-16 22:00"),
        ("2026-11-16 22:20", "睡前提醒我吃药", None),
        ("2026-11-17 00:20", "remind me to take my pill before bed", None),
        ("2026-11-16 12:45", "饭后提醒我吃药", None),
        ("2026-11-16 15:00", "饭后提醒我吃药", "11-16 19:00"),
        ("2026-11-16 16:00", "午饭后提醒我吃药", "11-17 12:30"),
        ("2026-11-16 23:00", "饭前提醒我测血糖", "11-17 07:00"),
        ("2026-11-16 08:00", "起床后提醒我量血压", "11-17 07:00"),
    ],
)
def test_what_was_just_missed_never_moves_to_tomorrow_unasked(
    base: str, text: str, expect: str | None
) -> None:
    when = parse(text, at(base), SHANGHAI, USUAL)

    if expect is None:
        assert when == NeedsClarification("event", when.span)
    else:
        assert isinstance(when, Once)
        assert f"{when.at:%m-%d %H:%M}" == expect


@pytest.mark.parametrize(
    ("text", "language", "expect"),
    [
        ("晚饭后半小时提醒我散步", "zh", "今天晚上7点，晚饭后半小时"),
        ("明天早餐前15分钟提醒我", "zh", "明天早上7点15分，早饭前15分钟"),
        ("睡觉前一个半小时提醒我", "zh", "今天晚上8点半，睡觉前1个半小时"),
        ("每天睡前提醒我吃药", "zh", "每天晚上9点半，睡觉前"),
        ("三餐后提醒我吃药", "zh", "每天早上8点、中午12点半、晚上7点，三餐后"),
        ("remind me after lunch", "en", "today at 12:30 pm, after lunch"),
        ("remind me half an hour before dinner", "en", "today at 6 pm, half an hour before dinner"),
        ("remind me two hours after lunch", "en", "today at 2 pm, 2 hours after lunch"),
        ("remind me at bedtime", "en", "today at 10 pm, at bedtime"),
        ("every day before bed remind me", "en", "every day at 9:30 pm, before bed"),
    ],
)
def test_the_hour_is_named_with_the_routine(text: str, language: str, expect: str) -> None:
    when = parse(text, at(NOW), SHANGHAI, USUAL)

    assert isinstance(when, Once | Recurring)
    assert spoken_when(when, at(NOW), language) == expect
    assert expect.rpartition("，" if language == "zh" else ", ")[2] in say_when(
        when, at(NOW), language
    )


def test_what_is_read_back_is_read_again() -> None:
    when = parse("晚饭后半小时提醒我散步", at(NOW), SHANGHAI, USUAL)
    assert isinstance(when, Once)

    again = parse(spoken_when(when, at(NOW), "zh"), at(NOW), SHANGHAI, USUAL)

    assert isinstance(again, Once)
    assert again.at == when.at


@pytest.mark.parametrize(
    "text", ["睡觉时间", "午饭", "提醒我做午饭", "餐前面包好吃", "the dinner was nice"]
)
def test_a_meal_alone_is_no_time(text: str) -> None:
    assert not isinstance(parse(text, at(NOW), SHANGHAI, USUAL), Once | Recurring)
