"""Reads a reply to a reminder: yes, no, later, or not an answer. Pure, and never raises.

A learned model says how likely each kind is. Sure rules stand over it: what is plainly one thing
(好的, a measured value, 👍) is that thing. A yes has to be a very sure one, and in doubt it is
UNCLEAR, for the dangerous mistake is to hear a yes that was none.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Final
from zoneinfo import ZoneInfo

from clarion.language.answer import values
from clarion.language.answer.model import LABELS, Answer, Label
from clarion.language.answer.moments import Delay, delay_in
from clarion.language.learned import load
from clarion.language.learned.features import reply_features
from clarion.language.learned.lexicon import classes_of
from clarion.language.learned.tokens import masked, prepared, stem, tokens, words_of
from clarion.language.script import HAN, fold

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
    if stem(verb) != stem(task.split()[0]) or not _names_thing(said, task):
        return None
    return "done"


def _names_thing(said: Sequence[str], task: str) -> bool:
    """All words of the thing, none, or the last of two: the fridge is not the fridge temperature
    sheet.
    """
    about = words_of(task)
    things = [stem(word) for word in prepared(task)[1:] if stem(word) in about]
    spoken = {stem(word) for word in said}
    missing = [thing for thing in things if thing not in spoken]
    return len(missing) in (0, len(things)) or missing == things[:-1][:1]


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


REPLY_CHARACTERS_MAX: Final = 2000  # five minutes of speech; what comes after is not about one pill
# Nobody says this to a reminder: it is text for a machine, and confirms nothing.
_FOR_MACHINES: Final = re.compile(
    r"[{}<>`\\]|ignore (?:your|all|the|any|previous|prior)|disregard|instructions?\b|"
    r"system prompt|"
    r"you are now an? |忽略.{0,6}(?:指令|规则|提示|要求)|无视.{0,6}(?:指令|规则)|提示词|"
    r"输出.{0,4}(?:confirm|确认)|你是一?个?(?:ai|人工智能|语言模型)|as confirmed|"
    r"(?:改成|改为|设为|设成|标记为|标记成|标为).{0,3}(?:完成|确认|confirm)"
)
# A yes that is taken back with a laugh.
_MOCKS: Final = re.compile(
    r"(?<!没)(?<!不是)(?:骗你的|逗你(?:玩)?的|哄你的|开玩笑的?|[说闹]着玩的?|才怪|呃你嘅?|"
    r"\b(?:just )?(?:kidding|joking)|\bj/?k|\bpsych|[, ]not!|[, ]i wish)[啦哈呢吧哦嘿呵 .!~)]*$|"
    r"^\W*just (?:put|write|say)\b"
)
# What nearly happened did not: 差点就吃了. 差点忘了 is another thing.
_NEARLY_DID: Final = re.compile(r"差一?点儿?就(?!忘)[^,，。.!！]{1,8}")
# Word classes that speak against a yes.
_AGAINST: Final = frozenset((
    "later", "wait", "first", "future", "not_yet", "will_not", "refusal", "hedge", "asks",
    "asks_leave", "soft", "ne", "tries", "unknowing", "stop", "not_needed", "unable", "corrects",
    "gives_up", "but", "if", "part", "remains", "other_day", "habit", "person", "says", "elsewhere",
    "other", "other_favour", "grumble", "forgets", "is_not", "should", "away", "weather", "event",
    "again", "span", "clock",
))  # fmt: skip
# A promise that waits for something else is put off: 一定去，开春去; "will do when I climb in".
_WAITS: Final = re.compile(
    r"(?:到(?![点點时時])|等)[^,，。 ]{1,8}(?:就|再)[^,，。 ]{1,6}$|"
    r"[^,，。 ]{1,5}(?<![然以最])[后後](?:再|就)?[^,，。 ]{0,3}$|"
    r"(?:开春|入秋|年后|放学|下班|下课|收工)(?:再|就|去)[^,，。 ]{0,3}$|"
    r"\b(?:when|once|as soon as|soon as|after) (?:i|i'm|the|this|my|that's)\b"
)
# How sure of a yes the model has to be, by what it sounds like; measured on whole files that it was
# not taught. What sounds done is most often something else that was done, in English above all.
_SURE: Final = {"done": 0.962, "doing": 0.978, "will": 0.94}
_SURE_DONE_IN_ENGLISH: Final = 0.978
_DONE_SURE: Final = 0.97  # of its own; below that a yes is a promise: it is asked again
_HARDLY: Final = 0.7  # below that a yes is not asked for where a no is likelier than the rest
_KINDS: Final = [
    (label, [kind for kind, each in LABELS.items() if each is label]) for label in Label
]
_TELLS: Final = re.compile(
    r"(?:^|[,，:：。.!])[^,，。.!我]{0,8}(?:记得|别忘了?|该去?|提醒你?|时间到|到点了?|\bnote|"
    r"time (?:to|for)|\bremember(?: to)?|"
    r"forget(?: to)?|reminder)[\s:：,，]*$"
)
_UP: Final = frozenset("👍👌✅☑✔✓🆗🫡🙆💯🤝")
_DOWN: Final = frozenset("👎❌✖✗🙅🚫")
_STRIPPED: Final = " \t\n,.!，。！~…、;；:：'\""
_CLAUSE: Final = re.compile(r"[,.!，。！;；、\n]+")


def read(
    reply: str,
    content: str,
    *,
    now: datetime | None = None,
    zone: ZoneInfo | None = None,
    keywords: Sequence[str] = (),
) -> Answer:
    """What the reply says about the reminder.

    `keywords` are words of assent that this reminder's owner added: they agree when they stand
    as a clause of their own, and never outweigh a refusal, a delay or a question.
    """
    text = fold(reply[:REPLY_CHARACTERS_MAX])
    if keywords:
        text = _with_assent(text, keywords)
    sure = _by_rule(text, content)
    kind, reason = sure or _by_model(text, content)
    label = LABELS[kind]
    delay = delay_in(text) if label is Label.DENIED else Delay()
    return Answer(label, reason, kind=kind, **delay._asdict())


def _by_rule(text: str, content: str) -> tuple[str, str] | None:
    """The kind, where no model is needed, and why."""
    stripped = text.strip(_STRIPPED)
    if not stripped:
        return "other", "nothing was said"
    if _FOR_MACHINES.search(text):
        return "other", "text for a machine, not an answer"
    if values.fits(text, values.measured_by(fold(content))):
        return "done", f"“{stripped}”: a measured value"
    if _echoes(text, fold(content)):
        return "aside", "the reminder itself, heard again"
    if _MOCKS.search(text):
        return "unsure", "said in jest"
    if _NEARLY_DID.fullmatch(stripped):
        return "undone", "it nearly happened"
    kind = _plain().get(stripped)
    if kind is not None:
        return kind, f"“{stripped}”: plain words"
    if not any(character.isalpha() for character in stripped):
        return _gesture(stripped)
    if (kind := reported(stripped, fold(content))) is not None:
        return kind, f"“{stripped}”: the task itself, {kind}"
    return None


def _echoes(text: str, content: str) -> bool:
    """A device that hears its own loudspeaker: 记得：吃药哦."""
    before, found, after = text.partition(content) if content else (text, "", "")
    return bool(found) and (
        _TELLS.search(before) is not None or after.startswith(("的时间", "时间到", "的时候到"))
    )


_AFFIRMS: Final = re.compile(
    r"(?:(?:嗯+|是|是的|是啊|对|对的|对啊|有|有的|系|系呀|yes|yeah|yep|yup|yes i (?:did|have)|"
    r"i (?:did|have))[,，\s]*){1,2}[.。!！]?"
)


def affirms(reply: str) -> bool:
    """A bare yes to "did you?": not 好的 or "ok", which may only promise."""
    return _AFFIRMS.fullmatch(fold(reply).strip()) is not None


def _gesture(marks: str) -> tuple[str, str]:
    if not _DOWN.isdisjoint(marks):
        return "no", "a refusing gesture"
    if not _UP.isdisjoint(marks):
        return "will", "an agreeing gesture"
    return "other", "a number or a mark, nothing that answers"


def _by_model(text: str, content: str) -> tuple[str, str]:
    chances = load("answers").chances(reply_features(text, content))
    label, chance = likeliest(chances)
    if label is Label.CONFIRMED:
        kind = _best(chances, label)
        if kind == "will" and _puts_off(text, content):
            return "later", "a promise that waits for something else"
        if chance < _sure(kind, text):
            return _instead_of_yes(chances, chance), f"perhaps a yes ({chance:.2f}), not a sure one"
        if chances["done"] < _DONE_SURE:
            chances = {**chances, "done": 0.0}
    kind = _best(chances, label)
    return kind, f"the model hears “{kind}” ({chance:.2f})"


def _puts_off(text: str, content: str) -> bool:
    """Not when the reminder itself is for then: 好，饭后吃 to 饭后吃药."""
    waits = _WAITS.search(text.strip(_STRIPPED)) is not None
    return waits and _WAITS.search(fold(content)) is None


def _sure(kind: str, text: str) -> float:
    return _SURE_DONE_IN_ENGLISH if kind == "done" and text.isascii() else _SURE[kind]


def _instead_of_yes(chances: dict[str, float], yes: float) -> str:
    others = {kind: each for kind, each in chances.items() if LABELS[kind] is not Label.CONFIRMED}
    label, _ = likeliest(others)
    return _best(chances, label if yes < _HARDLY else Label.UNCLEAR)


def likeliest(chances: dict[str, float]) -> tuple[Label, float]:
    sums = [(sum([chances.get(kind, 0.0) for kind in kinds]), label) for label, kinds in _KINDS]
    chance, label = max(sums, key=lambda each: each[0])
    return label, chance


def _best(chances: dict[str, float], label: Label) -> str:
    kinds = next(kinds for each, kinds in _KINDS if each is label)
    return max(kinds, key=lambda kind: chances[kind])


def known_against(reply: str, content: str) -> bool:
    """Whether a word that we know speaks against a yes: a doubt, a delay, a question, a part."""
    text = fold(reply)
    named = classes_of(masked(prepared(text), words_of(content)))
    return text.endswith("?") or not _AGAINST.isdisjoint(named)


def _with_assent(text: str, keywords: Sequence[str]) -> str:
    """The reminder's own words of assent, said as a clause, become words that everybody knows."""
    own = {fold(keyword) for keyword in keywords}
    parts = _CLAUSE.split(text)
    known = ["好的" if part.strip(" 了啦啊呀哦呢的") in own else part for part in parts]
    return text if parts == known else "，".join(part for part in known if part)


@cache
def _plain() -> dict[str, str]:
    table = resources.files(__package__).joinpath("plain.tsv").read_text(encoding="utf-8")
    return {
        fold(reply.replace("_", " ")): kind
        for kind, replies in (line.split("\t") for line in table.splitlines()[1:])
        for reply in replies.split(" ")
    }


_POSSIBLE: Final = 0.35  # of a yes: below that the model is sure that it was none


def leaves_room(reply: str, content: str) -> bool:
    """Whether neither rules nor model found something that speaks against a yes.

    A question, a doubt, a part, another day or person: what was seen stays, whoever thinks
    otherwise. Only where they are in doubt themselves is there room.
    """
    return _yes(reply, content) >= _POSSIBLE and not known_against(reply, content)


def corroborates(evidence: str, content: str) -> bool:
    """Whether the quoted words alone could be a yes to us as well."""
    return _yes(evidence, content) >= _POSSIBLE


def kind_of(text: str, content: str, label: Label) -> str:
    """The likeliest kind inside a label that somebody else decided on."""
    chances = load("answers").chances(reply_features(text, content))
    return max((k for k in chances if LABELS[k] is label), key=lambda kind: chances[kind])


def _yes(text: str, content: str) -> float:
    if sure := _by_rule(fold(text), content):
        return float(LABELS[sure[0]] is Label.CONFIRMED)
    chances = load("answers").chances(reply_features(text, content))
    return sum(chances[kind] for kind, label in LABELS.items() if label is Label.CONFIRMED)
