"""The same answers hold for every task: templates filled with the verbs of many contents."""

import pytest

from clarion.language.answer.model import Label
from clarion.language.answer.reader import read

pytestmark = pytest.mark.timeout(120)  # thousands of replies, on a machine that may be busy

# content: its verb, its thing
TASKS = {
    "吃药": ("吃", "药"),
    "吃降压药": ("吃", "降压药"),
    "喝水": ("喝", "水"),
    "量血压": ("量", "血压"),
    "测血糖": ("测", "血糖"),
    "量体温": ("量", "体温"),
    "浇花": ("浇", "花"),
    "喂猫": ("喂", "猫"),
    "遛狗": ("遛", "狗"),
    "倒垃圾": ("倒", "垃圾"),
    "交电费": ("交", "电费"),
    "交房租": ("交", "房租"),
    "取快递": ("取", "快递"),
    "寄合同": ("寄", "合同"),
    "洗被子": ("洗", "被子"),
    "晾衣服": ("晾", "衣服"),
    "写作业": ("写", "作业"),
    "做康复操": ("做", "康复操"),
    "打胰岛素": ("打", "胰岛素"),
    "换纱布": ("换", "纱布"),
    "锁门": ("锁", "门"),
    "接孩子放学": ("接", "孩子"),
    "给妈妈打电话": ("打", "电话"),
    "买牛奶": ("买", "牛奶"),
    "擦窗户": ("擦", "窗户"),
    "关煤气": ("关", "煤气"),
    "滴眼药水": ("滴", "眼药水"),
    "背单词": ("背", "单词"),
    "修水管": ("修", "水管"),
}
YES = (
    "{v}了", "{v}过了", "刚{v}完", "已经{v}了", "{v}完了", "{t}{v}了", "{v}好了", "早就{v}了",
    "把{t}{v}了", "这就{v}", "马上{v}", "正在{v}", "我会{v}的", "我这就去{v}", "{v}过{t}了",
    "我不是{v}过了吗", "嗯，{v}了", "还没，这就{v}", "{v}完了，放首歌吧", "刚刚{v}的",
    "十分钟前{v}的", "现在就{v}",
)  # fmt: skip
NO = (
    "没{v}", "还没{v}", "还没{v}呢", "没{v}呢", "我没有{v}", "不{v}", "不想{v}", "不{v}了",
    "懒得{v}", "我才不{v}", "等会儿{v}", "待会儿再{v}", "明天{v}", "明天再{v}", "晚点{v}",
    "一会儿{v}", "忘了{v}", "忘记{v}了", "好像没{v}", "好的，等会儿{v}", "知道了，晚上再{v}",
    "能不能晚点{v}", "不{v}行不行", "今天不{v}可以吗", "没空{v}", "{v}不了", "不用{v}了",
    "别催了，不{v}", "等我忙完再{v}", "吃完饭再{v}", "十分钟后{v}", "还没来得及{v}", "先不{v}",
    "根本没{v}", "过两天再{v}", "有空再{v}", "{v}不动了", "等他回来再{v}", "我先洗澡再{v}",
    "八点再{v}",
)  # fmt: skip
UNCLEAR = (
    "{v}了吗", "{v}了没", "{v}了没有", "我{v}了吗", "是不是{v}了", "我是不是{v}过了", "好像{v}了",
    "应该{v}了吧", "可能{v}了", "{v}了一半", "{v}没{v}", "要不要{v}", "什么时候{v}",
    "为什么要{v}", "怎么{v}", "要是{v}了呢", "我不记得{v}没{v}", "大概{v}了", "该{v}{t}啦",
    "{v}不{v}", "非{v}不可吗", "没说不{v}", "我觉得{v}了",
)  # fmt: skip


# content: base, past, participle, -ing, and the word that stands for its thing
ENGLISH = {
    "take your medicine": ("take", "took", "taken", "taking", "it"),
    "feed the cat": ("feed", "fed", "fed", "feeding", "her"),
    "walk the dog": ("walk", "walked", "walked", "walking", "him"),
    "pay the rent": ("pay", "paid", "paid", "paying", "it"),
    "water the plants": ("water", "watered", "watered", "watering", "them"),
    "lock the door": ("lock", "locked", "locked", "locking", "it"),
    "call mom": ("call", "called", "called", "calling", "her"),
    "check your blood pressure": ("check", "checked", "checked", "checking", "it"),
    "do your homework": ("do", "did", "done", "doing", "it"),
    "wash the dishes": ("wash", "washed", "washed", "washing", "them"),
    "send the contract": ("send", "sent", "sent", "sending", "it"),
    "brush your teeth": ("brush", "brushed", "brushed", "brushing", "them"),
    "buy milk": ("buy", "bought", "bought", "buying", "it"),
    "fix the sink": ("fix", "fixed", "fixed", "fixing", "it"),
}
SAID_YES = (
    "I {p} {o}", "I already {p} {o}", "I've {pp} {o}", "just {p} {o}", "yes, I {p} {o}",
    "I'll {v} {o}", "I {p} {o} this morning", "{g} {o} now", "I'm {g} {o} right now",
    "I will {v} {o} right away", "of course I {p} {o}", "I {p} {o}, stop asking",
    "I haven't, {g} {o} now", "I {p} {o} ten minutes ago",
)  # fmt: skip
SAID_NO = (
    "I didn't {v} {o}", "I haven't {pp} {o}", "haven't {pp} {o} yet", "I won't {v} {o}",
    "I don't want to {v} {o}", "I'll {v} {o} later", "I'll {v} {o} tomorrow",
    "I forgot to {v} {o}", "I can't {v} {o}", "okay, I'll {v} {o} after dinner",
    "can I {v} {o} later?", "I'm not {g} {o}", "I need to eat before I can {v} {o}",
    "I may not have {pp} {o}", "I'll {v} {o} in ten minutes", "remind me to {v} {o} in an hour",
    "I don't need to {v} {o}", "not {g} {o} today", "I don't think I {p} {o}",
    "I'm too tired to {v} {o}", "I never {p} {o}",
)  # fmt: skip
SAID_UNCLEAR = (
    "did I {v} {o}", "have I {pp} {o}?", "I think I {p} {o}", "I may have {pp} {o}",
    "maybe I {p} {o}", "should I {v} {o} now", "when do I {v} {o}", "why should I {v} {o}",
    "I'm not sure I {p} {o}", "if I {v} {o} will you stop", "I {p} half of {o}",
    "I probably {p} {o}", "I might {v} {o}", "I'll try to {v} {o}", "I don't know if I {p} {o}",
    "I always {v} {o}",
)  # fmt: skip


RIGHT_MIN = {
    "yes": 0.8,
    "no": 0.85,
    "unclear": 0.75,
    "SAID yes": 0.65,
    "SAID no": 0.75,
    "SAID unclear": 0.6,
}


@pytest.mark.parametrize(
    ("name", "templates", "label"),
    [
        ("yes", YES, Label.CONFIRMED),
        ("no", NO, Label.DENIED),
        ("unclear", UNCLEAR, Label.UNCLEAR),
    ],
)
def test_every_task_can_be_answered(name: str, templates: tuple[str, ...], label: Label) -> None:
    right = [
        read(template.format(v=verb, t=thing), content).label is label
        for content, (verb, thing) in TASKS.items()
        for template in templates
    ]

    assert sum(right) / len(right) >= RIGHT_MIN[name]


@pytest.mark.parametrize(
    ("name", "templates", "label"),
    [
        ("SAID yes", SAID_YES, Label.CONFIRMED),
        ("SAID no", SAID_NO, Label.DENIED),
        ("SAID unclear", SAID_UNCLEAR, Label.UNCLEAR),
    ],
)
def test_every_task_can_be_answered_in_english(
    name: str, templates: tuple[str, ...], label: Label
) -> None:
    right = [
        read(template.format(**dict(zip(("v", "p", "pp", "g", "o"), forms, strict=True))), content)
        for content, forms in ENGLISH.items()
        for template in templates
    ]

    assert sum(answer.label is label for answer in right) / len(right) >= RIGHT_MIN[name]
