"""The sentences a reminder can be told in, by language, tone and whether an answer is wanted.

{c} is the content, {n} the name with its comma or nothing, {h} a greeting that
fits the hour, {t} how late it is.
Sentences under "do" need a content that is a plain action (吃药, take your pills); those under
"note" fit any content.
"""

from typing import Final

GENTLE, NUDGING, EARNEST = "gentle", "nudging", "earnest"

ASKING: Final[dict[tuple[str, str, str], tuple[str, ...]]] = {
    ("zh", GENTLE, "do"): (
        "{n}{h}该{c}啦，好了告诉我一声哦~",
        "{n}{h}到{c}的时间了，做完跟我说一声吧",
        "{n}{h}别忘了{c}哦，好了回我一句",
        "{n}{h}我来提醒你{c}，弄好了喊我一声",
        "{n}{h}记得{c}呀，完成了告诉我好吗？",
    ),
    ("zh", NUDGING, "do"): (
        "{n}还没听到你的消息，{c}了吗？",
        "{n}我又来啦，{c}好了没有？回我一声吧",
        "{n}再提醒一下，该{c}啦，好了告诉我",
        "{n}别光顾着忙，先{c}吧，好了说一声",
    ),
    ("zh", EARNEST, "do"): (
        "{n}很重要：请现在{c}，完成后一定告诉我",
        "{n}我有点担心，请马上{c}，然后回我一声",
        "{n}这件事不能再等了，请{c}，好了告诉我",
    ),
    ("zh", GENTLE, "note"): (
        "{n}{h}提醒你：{c}，知道了回我一声哦",
        "{n}{h}有件事：{c}，收到说一声吧",
        "{n}{h}记得：{c}，好了告诉我",
    ),
    ("zh", NUDGING, "note"): (
        "{n}再提醒一次：{c}，收到了吗？",
        "{n}我又来啦：{c}，回我一声吧",
    ),
    ("zh", EARNEST, "note"): (
        "{n}很重要：{c}，请一定回复我",
        "{n}请注意：{c}，听到了请马上回我",
    ),
    ("en", GENTLE, "do"): (
        "{h}{n}time to {c}. Tell me when done.",
        "{h}{n}please {c}, and let me know.",
        "{h}{n}don't forget to {c}. Done?",
        "{h}{n}it's time to {c}. Say when!",
    ),
    ("en", NUDGING, "do"): (
        "{n}me again: time to {c}. Done yet?",
        "{n}still waiting: did you {c}?",
        "{n}a nudge: please {c} and tell me.",
    ),
    ("en", EARNEST, "do"): (
        "{n}important: please {c} now. Tell me.",
        "{n}please {c} now, then answer me.",
        "{n}this can't wait: {c}. Answer me.",
    ),
    ("en", GENTLE, "note"): (
        "{h}{n}reminder: {c}. Got it?",
        "{h}{n}remember: {c}. OK?",
        "{h}{n}a note: {c}. All right?",
    ),
    ("en", NUDGING, "note"): (
        "{n}once more: {c}. Did you hear?",
        "{n}me again: {c}. Please answer.",
    ),
    ("en", EARNEST, "note"): (
        "{n}important: {c}. Please answer now.",
        "{n}please listen: {c}. Answer me.",
    ),
}

TELLING: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("zh", "do"): (
        "{h}{n}该{c}啦~",
        "{h}{n}到{c}的时间了",
        "{h}{n}记得{c}哦",
        "{h}{n}我来提醒你{c}",
        "{h}{n}别忘了{c}呀",
    ),
    ("zh", "note"): ("{h}{n}提醒你：{c}", "{h}{n}记得：{c}哦", "{h}{n}别忘了：{c}"),
    ("en", "do"): ("{h}{n}time to {c}.", "{h}{n}don't forget to {c}.", "{h}{n}remember to {c}."),
    ("en", "note"): ("{h}{n}reminder: {c}.", "{h}{n}don't forget: {c}.", "{h}{n}just a note: {c}."),
}

LATE: Final[dict[tuple[str, bool], tuple[str, ...]]] = {
    # by language and whether an answer is wanted
    ("zh", True): ("抱歉说晚了{t}：{c}，好了告诉我", "刚才没叫到你（晚了{t}）：{c}，好了吗？"),
    ("zh", False): ("抱歉说晚了{t}：{c}", "刚才没叫到你（晚了{t}）：{c}", "迟了{t}的提醒：{c}"),
    ("en", True): ("Sorry, {t} late: {c}. Done?", "Late by {t}: {c}. Tell me when done."),
    ("en", False): ("Sorry, {t} late: {c}.", "Late by {t}: {c}.", "{t} late, sorry: {c}."),
}

# When even the content is long: the shortest words around it.
SHORT: Final[dict[str, tuple[str, ...]]] = {"zh": ("提醒：{c}",), "en": ("Reminder: {c}",)}

# Each names both answers, so that the next, plain word settles it. {v} is the verb.
FOLLOW_UPS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("zh", "verb"): ("{c}：{v}了，还是还没{v}？", "{c}，是{v}了，还是没{v}？"),
    ("zh", "do"): ("是{c}好了，还是还没有？", "{c}：好了，还是还没？"),
    ("zh", "note"): ("“{c}”好了，还是还没？", "{c}：好了，还是还没？"),
    ("zh", "any"): ("是做好了，还是还没？", "我没听明白：好了，还是还没？"),
    ("en", "do"): ("Did you {c}, or not yet?", "Sorry, did you {c}, or not yet?"),
    ("en", "note"): ("{c}: done, or not yet?", "Is it done, or not yet: {c}?"),
    ("en", "any"): ("Is it done, or not yet?", "Done, or not yet?"),
}

# After "on my way": kind, and once or twice only.
CHECK_BACKS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("zh", "do"): ("{c}了吗？好了告诉我一声哦", "我来看看：{c}好了吗？"),
    ("zh", "note"): ("“{c}”好了吗？", "我来看看，{c}：好了吗？"),
    ("zh", "any"): ("刚才的事好了吗？",),
    ("en", "do"): ("Just checking: did you {c}?", "Did you get to {c}?"),
    ("en", "note"): ("Just checking: {c}. Done?",),
    ("en", "any"): ("Just checking: is it done?",),
}

GREETINGS: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    # from this hour on; the empty greeting is for hours when a greeting would only be long
    "zh": (
        (0, "夜深了，"),
        (5, "早上好，"),
        (10, ""),
        (12, "中午好，"),
        (14, ""),
        (18, "晚上好，"),
        (22, ""),
    ),
    "en": ((0, ""), (5, "Good morning, "), (11, ""), (18, "Good evening, "), (22, "")),
}
