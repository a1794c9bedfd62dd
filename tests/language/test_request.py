"""The whole sentence: when, what, whether to confirm, how urgent, whom, where."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from clarion.language.request import Request, read, read_all
from clarion.language.when.model import Once, Recurring

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)


def request(text: str) -> Request:
    return read(text, NOW, SHANGHAI)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("明天早上8点提醒我吃药，要确认", "吃药"),
        ("提醒我后天下午4点买999感冒灵三盒", "买999感冒灵三盒"),
        ("今晚8点提醒我还《明日边缘》的碟", "还《明日边缘》的碟"),
        ("明天早上9点提醒我去517病房探视", "去517病房探视"),
        ("下午4点提醒我打12345热线反映", "打12345热线反映"),
        ("后天7点提醒我8点的课", "8点的课"),
        ("今晚8点提醒我把后天上午10点的讲稿印好", "把后天上午10点的讲稿印好"),
        ("到下午四点的时候喊我一声该接娃了", "该接娃了"),
        ("今天16时20分提醒我关投影", "关投影"),
        ("每小时提醒我翻一次面团，一共4次", "翻面团"),
        ("每两个月洗一次空调，从12月5号上午九点开始提醒我", "洗空调"),
        ("后天下午4点的面试，提前一小时叫我", "面试"),
        ("提醒我吃药，明天早上8点", "吃药"),
        ("明天早上8点吃药提醒我", "吃药"),
        ("记得明天早上8点吃药", "吃药"),
        ("别忘了下午3点开会", "开会"),
        ("麻烦你后天上午提醒我一下交房租", "交房租"),
        ("定一个明天早上7点的闹钟", ""),
        ("11点叫我", ""),
        ("两个半小时后叫醒我", ""),
        ("明天早上8点吃药", "吃药"),
        ("每年生日3月5日", "生日"),
        ("三点，不，四点提醒我出门", "出门"),
        ("提醒我确认机票", "确认机票"),
        ("remind me in a quarter of an hour to ring Anna", "ring Anna"),
        ("remind me to call mom tomorrow at 5pm", "call mom"),
        ("next Tuesday at 4pm remind me about the budget call", "the budget call"),
        ("uh so um remind me like tomorrow at six pm to water the plants", "water the plants"),
        ("remind me every weekday at 8am to take the bins out", "take the bins out"),
        ("the concert is at 7pm, remind me 30 minutes before", "the concert"),
        ("please remind me on monday at 10am that the report is due", "the report is due"),
        ("set an alarm for 5:50 tomorrow", ""),
        ("remind me later to send the email", "send the email"),
        ("remind me to watch the news on TV tonight at 8", "watch the news on TV"),
        ("帮我定一个明天下午两点的提醒，内容是去银行", "去银行"),
        ("每天早上8点提醒我吃药，吃7天", "吃药"),
        ("don't forget to call the bank tomorrow at 10", "call the bank"),
        ("can you remind me in 20 minutes to check the oven?", "check the oven"),
        ("remind me to order 3 boxes of tea", "order 3 boxes of tea"),
    ],
)
def test_the_content_is_what_remains(text: str, content: str) -> None:
    assert request(text).content == content


@pytest.mark.parametrize(
    ("text", "confirm"),
    [
        ("明天早上8点提醒我吃药，要确认", True),
        ("明天早上8点提醒我吃药，必须确认", True),
        ("明天早上8点提醒我吃药，需要我确认", True),
        ("每礼拜五上午9点提醒我交周报，我要点确认", True),
        ("每天早上8点提醒我吃药，没确认就一直叫我", True),
        ("明天8点提醒我吃药，直到我确认为止", True),
        ("明天8点提醒我吃药要确认", True),
        ("明天8点提醒我吃藥，要確認", True),
        ("make sure I take my pills at 8pm", True),
        ("remind me at 8pm to take my pills and make sure I confirm", True),
        ("remind me at 8pm to take my pills, confirmation required", True),
        ("remind me at 8pm to take my pills until I confirm", True),
        ("明天9点提醒我确认酒店", None),
        ("提醒我明天确认一下酒店", None),
        ("明天9点提醒我确认酒店，不用确认", False),
        ("remind me at 9am to confirm the hotel", None),
        ("remind me at 9am, no confirmation needed", False),
        ("明天8点提醒我吃药", None),
    ],
)
def test_a_wish_for_confirmation_is_heard(text: str, confirm: bool | None) -> None:
    assert request(text).confirm is confirm


def test_a_task_named_confirm_stays_content() -> None:
    assert request("明天9点提醒我确认酒店，不用确认").content == "确认酒店"
    assert request("make sure I take my pills at 8pm").content == "take my pills"


@pytest.mark.parametrize(
    ("text", "level", "content"),
    [
        ("明天八点提醒我吃药，千万不能忘", 50, "吃药"),
        ("紧急：今晚8点提醒我给医生打电话", 100, "给医生打电话"),
        ("今晚8点紧急提醒我给医生打电话", 100, "给医生打电话"),
        ("今晚8点提醒我给医生打电话，很重要", 50, "给医生打电话"),
        ("今晚8点提醒我浇花，不急", 0, "浇花"),
        ("urgent: remind me at 5pm to call the doctor", 100, "call the doctor"),
        ("remind me at 5pm to call the doctor, it's important", 50, "call the doctor"),
        ("今晚8点提醒我开重要会议", None, "开重要会议"),
        ("今晚8点提醒我浇花", None, "浇花"),
    ],
)
def test_urgency_is_a_hint_when_it_is_said_of_the_reminder(
    text: str, level: int | None, content: str
) -> None:
    found = request(text)

    assert (found.level, found.content) == (level, content)


@pytest.mark.parametrize(
    ("text", "person", "content"),
    [
        ("明天早上8点提醒妈妈吃药", "妈妈", "吃药"),
        ("提醒爷爷明天早上8点量血压", "爷爷", "量血压"),
        ("明天8点叫爸爸起床", "爸爸", "起床"),
        ("明天下午3点提醒小王交报告", "小王", "交报告"),
        ("明天下午3点提醒张老师开会", "张老师", "开会"),
        ("remind Bob to take out the trash at 8pm", "Bob", "take out the trash"),
        ("remind me at 8pm to call Bob", None, "call Bob"),
        ("明天8点提醒我给妈妈打电话", None, "给妈妈打电话"),
    ],
)
def test_somebody_else_may_be_told(text: str, person: str | None, content: str) -> None:
    found = request(text)

    assert (found.person, found.content) == (person, content)


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("明天早上8点用客厅音箱提醒我起床", "客厅音箱"),
        ("明天早上8点在卧室的音箱上提醒我吃药", "卧室的音箱"),
        ("remind me at 8am on the kitchen speaker to eat", "kitchen speaker"),
        ("remind me at 8am via telegram to eat", "telegram"),
        ("remind me via telegram at 9 to call mum", "telegram"),
        ("remind me at 8am to email Bob", None),
        ("明天早上8点提醒我起床", None),
    ],
)
def test_a_device_may_be_named(text: str, device: str | None) -> None:
    assert request(text).device == device


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("remind me to take my pills at eight tomorrow, and make sure I did", "take my pills"),
        ("remind me tomorrow at 8 to take the pills, make sure I do", "take the pills"),
        ("remind me at 9 to call mum, make sure I really do so.", "call mum"),
        ("in a minute remind me to drink water, confirm", "drink water"),
    ],
)
def test_a_wish_at_the_end_is_no_content(text: str, content: str) -> None:
    asked = request(text)

    assert asked.content == content
    assert asked.confirm is True


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("八点吃药，九点量血压", [("20:00", "吃药"), ("21:00", "量血压")]),
        ("吃药八点，量血压九点", [("20:00", "吃药"), ("21:00", "量血压")]),
        (
            "明天八点送孩子，十点去银行，下午三点开家长会",
            [("17 08:00", "送孩子"), ("17 10:00", "去银行"), ("17 15:00", "开家长会")],
        ),
        ("明天八点吃药，半小时后量血压", [("17 08:00", "吃药"), ("17 08:30", "量血压")]),
        ("半小时后关火，一小时后收衣服", [("10:30", "关火"), ("11:00", "收衣服")]),
        ("六点叫我起床，六点半再叫我吃早饭", [("17 06:00", "起床"), ("17 06:30", "吃早饭")]),
        (
            "remind me at 8 to take my pills and at 9 to measure my blood pressure",
            [("20:00", "take my pills"), ("21:00", "measure my blood pressure")],
        ),
        (
            "tomorrow at 8 take pills, 9 measure blood pressure and 10 call Sue",
            [
                ("17 08:00", "take pills"),
                ("17 09:00", "measure blood pressure"),
                ("17 10:00", "call Sue"),
            ],
        ),
        (
            "tomorrow at 8 take pills, at 9 call Sue and 10 measure blood pressure",
            [
                ("17 08:00", "take pills"),
                ("17 09:00", "call Sue"),
                ("17 10:00", "measure blood pressure"),
            ],
        ),
        (
            "pills at 11, blood pressure at 12 and call Sue at 1 pm",
            [("11:00", "pills"), ("12:00", "blood pressure"), ("13:00", "call Sue")],
        ),
        (
            "明天8点吃药9点量血压10点打电话给小李",
            [("17 08:00", "吃药"), ("17 09:00", "量血压"), ("17 10:00", "打电话给小李")],
        ),
        (
            "remind me at 8am to take my pills and at 9am to check my sugar tomorrow",
            [("17 08:00", "take my pills"), ("17 09:00", "check my sugar")],
        ),
        ("提醒我11点去机场12点的飞机", [("11:00", "去机场12点的飞机")]),
        ("remind me at 8 to buy 2 apples and 10 eggs", [("20:00", "buy 2 apples and 10 eggs")]),
        ("提我十一点饮水，跟住三点食药", [("11:00", "饮水"), ("15:00", "食药")]),
        ("下午四点的面试，提前四十分钟提醒我出门", [("15:20", "面试，出门")]),
        ("下午1点提醒我2点半开会", [("13:00", "2点半开会")]),
        ("明天早上8点提醒我吃药，要确认", [("17 08:00", "吃药")]),
    ],
)
def test_several_things_are_several_requests(text: str, things: list[tuple[str, str]]) -> None:
    found = read_all(text, NOW, SHANGHAI)

    assert [one.content for one in found] == [content for _, content in things]
    for one, (at, _) in zip(found, things, strict=True):
        assert isinstance(one.when, Once)
        assert f"{one.when.at:%d %H:%M}".endswith(at)


def test_what_comes_every_day_holds_for_each_of_several_things() -> None:
    found = read_all("每天八点吃药，九点量血压，都要确认", NOW, SHANGHAI)

    rules = [one.when.rule for one in found if isinstance(one.when, Recurring)]
    assert [rule.times[0].hour for rule in rules] == [8, 9]
    assert [one.confirm for one in found] == [True, True]
    assert [one.words for one in found] == ["每天八点吃药", "每天九点量血压，都要确认"]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("明天早上8点提醒我吃药", True),
        ("八点吃药", True),
        ("remind me to call mom", True),
        ("set a timer for five minutes", True),
        ("我昨晚两点才睡", False),
        ("what time is it", False),
        ("good morning", False),
    ],
)
def test_talk_asks_for_nothing(text: str, asks: bool) -> None:
    assert request(text).asks is asks


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("remind me at 9pm not to eat anything", "not to eat anything"),
        ("remind me not to eat after 9pm", "not to eat"),
        ("remind me tomorrow never to answer that number", "never to answer that number"),
        ("remind me at noon to call my sister about the car", "call my sister about the car"),
        ("remind me to call at 3 about the car", "call about the car"),
        ("别忘了明天提醒我带伞", "带伞"),
        ("don't forget to remind me tomorrow to bring an umbrella", "bring an umbrella"),
    ],
)
def test_no_small_word_turns_a_content_round(text: str, content: str) -> None:
    said = request(text)

    assert (said.content, said.person) == (content, None)


def test_a_number_that_only_looks_like_a_day_stays_with_its_thing() -> None:
    said = request("30分钟后提醒我浇花1号")

    assert said.content == "浇花1号"
