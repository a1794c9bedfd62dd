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
from clarion.language.answer.plainly import reported
from clarion.language.answer.snooze import Delay, delay_in
from clarion.language.learned import load
from clarion.language.learned.classes import classes_of
from clarion.language.learned.features import reply_features
from clarion.language.learned.tokens import masked, prepared, words_of
from clarion.language.script import fold

REPLY_CHARACTERS_MAX: Final = 2000  # five minutes of speech; what comes after is not about one pill
# Nobody says this to a reminder: it is text for a machine, and confirms nothing.
_FOR_MACHINES: Final = re.compile(
    r"[{}<>`\\]|ignore (?:your|all|the|any|previous|prior)|disregard|instructions?\b|"
    r"system prompt|"
    r"you are now an? |忽略.{0,6}(?:指令|规则|提示|要求)|无视.{0,6}(?:指令|规则)|提示词|"
    r"输出.{0,4}(?:confirm|确认)|你是一?个?(?:ai|人工智能|语言模型)|as confirmed|"
    r"(?:改成|改为|设为|设成|标记为|标记成|标为).{0,3}(?:完成|确认|confirm)"
)
# Word classes that speak against a yes.
_AGAINST: Final = frozenset((
    "later", "wait", "first", "future", "not_yet", "will_not", "refusal", "hedge", "asks",
    "asks_leave", "soft", "ne", "tries", "unknowing", "stop", "not_needed", "unable", "corrects",
    "gives_up", "but", "if", "part", "remains", "other_day", "habit", "person", "says", "elsewhere",
    "other", "other_favour", "grumble", "forgets", "is_not", "should", "away", "weather", "event",
    "again", "span", "clock",
))  # fmt: skip
# How sure of a yes the model has to be, by what it sounds like; measured on whole files that it was
# not taught. What sounds done is most often something else that was done.
_SURE: Final = {"done": 0.945, "doing": 0.93, "will": 0.935}
_DONE_SURE: Final = 0.96  # of its own; below that a yes is a promise: it is asked again
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
    before, found, _ = text.partition(content) if content else (text, "", "")
    return bool(found) and _TELLS.search(before) is not None


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
        if chance < _SURE[_best(chances, label)]:
            return _instead_of_yes(chances, chance), f"perhaps a yes ({chance:.2f}), not a sure one"
        if chances["done"] < _DONE_SURE:
            chances = {**chances, "done": 0.0}
    kind = _best(chances, label)
    return kind, f"the model hears “{kind}” ({chance:.2f})"


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
