"""Agreements and what takes them back, doings and what casts doubt on them, put together by rule.

Shares, as for the corpora: each bound may only get stricter.
"""

from itertools import product

import pytest

from clarion.language.answer.model import Label
from clarion.language.answer.reader import read
from clarion.language.when.words import words

pytestmark = pytest.mark.timeout(120)  # thousands of replies, on a machine that may be busy


def phrases(text: str) -> list[str]:
    return text.split(";")


AGREEMENTS = words(
    "好的 好 知道了 嗯 行 行吧 收到 明白 可以 OK 没问题 要得 中 遵命 谢谢 谢谢提醒 好嘞 "
    "晓得了 记住了 放心 当然 一定 会的 是的 对 得嘞 听你的 必须的"
)
TAKEN_BACK = words(
    "等会儿 不过我没空 明天再说 先不吃 没空 十分钟后 等我洗完澡 我在开车 晚点 但是走不开 "
    "可我得先吃饭 吃不了 不想吃 到家再吃 回头再吃 现在不行 还没吃 没吃 过会儿 等一下 "
    "下午再吃 三点再吃 忙着呢 容我缓缓 我先睡会儿 不吃 不吃了 今天不吃 算了 改天 再说吧 "
    "等客人走了 我手上有活 只是现在不方便 可惜家里没有了 先放着 过两天 还早呢 看完电视就吃"
)
ENGLISH_AGREEMENTS = phrases(
    "ok;sure;yes;yep;got it;alright;will do;thanks;fine;I know;sounds good;no problem;right;"
    "of course;I will;understood;uh huh;cool;thank you;on it;noted"
)
ENGLISH_TAKEN_BACK = phrases(
    "later;in a bit;not now;not yet;I'm busy;after dinner;when I get home;tomorrow;"
    "in ten minutes;I haven't taken it yet;I can't;I don't want to;give me a minute;"
    "once I'm done;let me finish this first;but I'm driving;at eight;hold on;I'll get to it;"
    "I need to eat first;not today;soon;just a sec;remind me in 5 minutes;before bed;"
    "it can wait;but I lost it;except I can't find it"
)
TASKS = {
    "吃药": "吃", "量血压": "量", "喝水": "喝", "锁门": "锁", "喂猫": "喂", "浇花": "浇",
    "打胰岛素": "打", "倒垃圾": "倒", "写作业": "写", "做康复操": "做", "遛狗": "遛",
    "测血糖": "测", "关火": "关", "洗碗": "洗",
}  # fmt: skip
JOINTS = ("，", "", "啊，")
DONE = words(
    "{v}了 {v}过了 {v}完了 已经{v}了 刚{v}完 早{v}了 {v}啦 我{v}了 十分钟前{v}的 早上{v}的 "
    "今早{v}了 {v}了别催 没忘，{v}了 不是{v}过了吗 {v}完了，放心 {v}过了，谢谢提醒 "
    "{v}好了，别再提醒了 真的{v}了 这就{v} 马上{v} 正在{v} {v}着呢 现在就{v} 我会{v}的 "
    "好，马上去{v} 我这就去{v} 快{v}完了"
)
NOT_SURE = words(
    "{v}了吗 {v}了没 {v}没{v} 是不是{v}了 好像{v}了 应该{v}了 大概{v}了吧 我记得{v}了 "
    "{v}了吧 {v}了一半 昨天{v}了 上次{v}过 要是{v}了呢 你{v}了没 听说{v}了 说不定{v}了 "
    "不知道{v}没{v} 多半{v}了 {v}了？ 以为{v}了 尽量{v} 看情况{v} {v}不{v}呢 该{v}了 "
    "又该{v}了 本来想{v}的 本来要{v} 想{v}来着 差点就{v}了 只{v}了一点 假装{v}了 没说不{v} "
    "要{v}你{v} 谁要{v} 好不想{v} 好不{v}了"
)
UNDONE = phrases(
    "I was going to take it;I meant to take it;I almost took it;I wish I had taken it;"
    "I dreamt I took it;I pretended I took it;I'm supposed to take it;I doubt I took it;"
    "say I took it;tell him I took it;I hardly took it;did my wife take it;he took it;"
    "if I take it now can I drink later"
)


FALSE_YES_MAX = {"taken back": 0.03, "taken back in English": 0.03, "doubted": 0.03, "undone": 0.15}
DONE_FOUND_MIN = 0.75


def confirmed(content: str, replies: list[str]) -> float:
    """The share of them that is taken for a yes."""
    heard = [read(reply, content).label is Label.CONFIRMED for reply in replies]
    return sum(heard) / len(heard)


def test_an_agreement_that_is_taken_back_confirms_hardly_anything() -> None:
    replies = [
        f"{yes}{joint}{no}" for yes, no in product(AGREEMENTS, TAKEN_BACK) for joint in JOINTS
    ]

    assert confirmed("吃药", replies) <= FALSE_YES_MAX["taken back"]


def test_an_english_agreement_that_is_taken_back_confirms_hardly_anything() -> None:
    replies = [
        f"{yes}{joint}{no}"
        for yes, no in product(ENGLISH_AGREEMENTS, ENGLISH_TAKEN_BACK)
        for joint in (", ", " ")
    ]

    assert confirmed("take your medicine", replies) <= FALSE_YES_MAX["taken back in English"]


def test_a_plain_doing_is_heard_for_every_task() -> None:
    found = [
        confirmed(content, [said.format(v=verb) for said in DONE])
        for content, verb in TASKS.items()
    ]

    assert sum(found) / len(found) >= DONE_FOUND_MIN


def test_doubt_and_questions_confirm_hardly_any_task() -> None:
    wrong = [
        confirmed(content, [said.format(v=verb) for said in NOT_SURE])
        for content, verb in TASKS.items()
    ]

    assert sum(wrong) / len(wrong) <= FALSE_YES_MAX["doubted"]


def test_what_was_only_meant_or_dreamt_is_hardly_ever_done() -> None:
    assert confirmed("take your medicine", UNDONE) <= FALSE_YES_MAX["undone"]
