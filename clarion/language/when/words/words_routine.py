"""The words that tell a time by a person's day: 晚饭后, 睡前, "before bed", "after every meal"."""

from typing import NamedTuple

MEALS = ("breakfast", "lunch", "dinner")


class Routine(NamedTuple):
    """`name` is of `ROUTINES`, "meal" (one that was not named) or "meals" (all of them)."""

    name: str
    side: int
    """-1 before it, 0 at it, 1 after it."""


_ZH = {
    "breakfast": "早饭 早餐 吃早饭 吃早餐",
    "lunch": "午饭 午餐 中饭 吃午饭 吃午餐 吃中饭",
    "dinner": "晚饭 晚餐 吃晚饭 吃晚餐",
    "meal": "饭 餐 吃饭 用餐 食饭",
    "meals": "三餐 一日三餐 每餐 每顿饭 每次吃饭",
    "waking": "起床 醒来 睡醒 睡醒觉",
    "sleeping": "睡 睡觉 临睡 入睡 上床 上床睡觉 瞓觉 训觉",
}
_SIDES_ZH = {-1: "前 之前 以前", 0: "时 的时候", 1: "后 之后 以后 过后"}
_NONE_ZH = {"餐时", "饭时", "餐的时候", "饭的时候", "睡后", "睡时", "睡以后", "睡以前", "睡过后"}
_MORE_ZH = {
    "饭点": Routine("meal", 0),
    "饭后的": Routine("meal", 1),
    "吃完饭": Routine("meal", 1),
    "食完饭": Routine("meal", 1),
    "吃完早饭": Routine("breakfast", 1),
    "吃完午饭": Routine("lunch", 1),
    "吃完晚饭": Routine("dinner", 1),
    "醒了之后": Routine("waking", 1),
}
CHINESE: dict[str, Routine] = {
    word + behind: Routine(name, side)
    for name, said in _ZH.items()
    for word in said.split()
    for side, ends in _SIDES_ZH.items()
    for behind in ends.split()
    if word + behind not in _NONE_ZH and (name, side) != ("sleeping", 1)
} | _MORE_ZH
# 睡觉时间 is a noun, and so is 餐前菜.
NOT_BEFORE = {0: "间", -1: "[菜面台]", 1: "[面勤来台]"}

_EN = {
    "breakfast": ("breakfast", "my breakfast", "eating breakfast"),
    "lunch": ("lunch", "my lunch", "eating lunch"),
    "dinner": ("dinner", "supper", "my dinner", "my supper", "eating dinner"),
    "meal": ("eating", "a meal", "the meal", "i eat", "my meal"),
    "meals": ("meals", "every meal", "each meal", "all meals", "my meals"),
    "waking": ("waking", "waking up", "getting up", "i wake up", "i get up"),
    "sleeping": (
        "bed", "bedtime", "sleep", "sleeping", "i sleep", "i go to bed", "i go to sleep",
        "going to bed", "going to sleep",
    ),
}  # fmt: skip
ENGLISH: dict[str, Routine] = {
    f"{led} {word}": Routine(name, side)
    for name, said in _EN.items()
    for word in said
    for led, side in (("before", -1), ("after", 1))
    if (name, side) != ("sleeping", 1)
} | {
    "when i wake up": Routine("waking", 0),
    "when i get up": Routine("waking", 0),
    "when i go to bed": Routine("sleeping", 0),
    "with every meal": Routine("meals", 0),
    "with each meal": Routine("meals", 0),
    "with meals": Routine("meals", 0),
}
# Behind "at": at dinner, at bedtime.
AT_ENGLISH = {
    "breakfast": Routine("breakfast", 0),
    "lunch": Routine("lunch", 0),
    "dinner": Routine("dinner", 0),
    "dinnertime": Routine("dinner", 0),
    "supper": Routine("dinner", 0),
    "suppertime": Routine("dinner", 0),
    "bedtime": Routine("sleeping", 0),
    "mealtimes": Routine("meals", 0),
}
