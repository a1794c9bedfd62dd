"""The plainest report there is: the words of the task, and that it is done. 我吃了, fed the cat."""

import re
from typing import Final

from clarion.language.learned.tokens import masked, stem, tokens, words_of
from clarion.language.script import HAN

# What stands before the task in a content: 饭后 of 饭后吃药.
_BEFORE_TASK: Final = re.compile(
    r"^(?:请|记得|记着|别忘了?|该|要|去|准时|按时|每[天晚早周月]|今[天晚早]|明[天晚早]|后天|"
    r"早上|晚上|上午|下午|中午|"
    r"睡前|饭后|饭前|餐前|餐后|下班后?|(?:\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点半?|:\d\d))+"
)
# Doing what one was told not to do is no yes, and one of two things done is a part.
_OTHER_THAN_ONE: Final = re.compile(
    r"^(?:别|不|少|戒|勿|莫|禁|给|帮|替|提醒|看|让|叫|陪|问)|不要|不许|和|与|跟|、|及|再|次|两|"
    r"三|双|遍|片|粒|分钟|步|杯|"
    r"\b(?:don't|not|no|stop|avoid|quit|and|twice|both|two|three|times|minutes|steps)\b|\d"
)
_SHORT: Final = 4  # characters: a longer task may be two
_ONE_THING: Final = re.compile(r"[吃服喝打量测].{1,6}(?:药|片|丸|胶囊|素|水|血压|血糖|体温|针)")
# For a reply in Chinese to a content in English.
_IN_CHINESE: Final = {
    "pill": "吃药", "medic": "吃药", "tablet": "吃药", "meds": "吃药", "drug": "吃药",
    "water": "喝水", "blood pressure": "量血压", "sugar": "测血糖", "insulin": "打胰岛素",
    "dog": "遛狗", "cat": "喂猫", "door": "锁门", "rent": "交房租", "trash": "倒垃圾",
}  # fmt: skip
# For a reply in English to a content in Chinese.
_IN_ENGLISH: Final = {
    "吃药": "take pills", "服药": "take pills", "喝水": "drink water", "遛狗": "walk dog",
    "喂猫": "feed cat", "锁门": "lock door", "交房租": "pay rent", "浇花": "water plants",
}  # fmt: skip
_DONE_ZH: Final = re.compile(
    r"(?:(?:嗯+|好的?|是的?|对|哦|噢|诶|哎),?)?(?:我|俺)?(?:真的?|确实)?(?:已经|早就?|刚刚?|刚才|都)?(?:把)?<C>"
    r"(?:了|过了|完了|好了|掉了|过|完|好|啦|过啦|完啦|好啦|咗|咗啦|过咗|"
    r"完咗)(?:<C>)?了?(?:啦|呀|啊|哦|呢)?"
)
_NEARLY_ZH: Final = re.compile(r"(?:我|俺)?(?:就|马上)?快<C>[完好]了?(?:啦|呀|啊|哦)?")
_DONE_EN: Final = re.compile(
    r"(?:(?:yes|yeah|yep|yup|ok|okay),? )?(?:(?:i|we) )?(?:have )?(?:just |already )?<C>~ed"
    r"(?: (?:the|my|it|them|him|her|all|already|just|now|<C>(?:~s)?))*"
)


def reported(reply: str, content: str) -> str | None:
    """Of folded texts. `done`: 药吃了 for 吃药, "I've fed the cat"; `doing`: 快吃完了."""
    task = _BEFORE_TASK.sub("", content) or content
    if HAN(reply) and not HAN(task):
        task = next((chinese for word, chinese in _IN_CHINESE.items() if word in task), task)
    if reply.isascii():
        task = _IN_ENGLISH.get(task, task)
    if _OTHER_THAN_ONE.search(content) or len(reply) > 40:
        return None
    said = tokens(reply)
    named = masked(said, words_of(task))
    if not reply.isascii():
        kind = _said_in_chinese("".join(named))
        return kind if kind and _names_whole(reply, task) else None
    if _DONE_EN.fullmatch(" ".join(named).replace(" ,", ",")) is None:
        return None
    verb = next(token for token, name in zip(said, named, strict=True) if name.endswith("~ed"))
    return "done" if stem(verb) == stem(task.split()[0]) else None


def _said_in_chinese(named: str) -> str | None:
    if _DONE_ZH.fullmatch(named):
        return "done"
    return "doing" if _NEARLY_ZH.fullmatch(named) else None


def _names_whole(reply: str, task: str) -> bool:
    """The verb alone, of a short task, or the thing with all its words: 床单 is not 床单被套."""
    verb, thing = task[0], task[1:]
    if verb not in reply:
        return False
    of_thing = [character in reply for character in thing]
    short = len(task) <= _SHORT or (_ONE_THING.fullmatch(task) and verb not in thing)
    return all(of_thing) or bool(short and not any(of_thing))
