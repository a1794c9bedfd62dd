"""Words that can mean only one thing stand over what was learned. Pure."""

from clarion.language import answer as answers
from clarion.language import request as requests
from clarion.language.understand import Meaning, Situation, understand
from clarion.talk.patterns import (
    CANCELS,
    CHANGES,
    CLAUSE,
    IS_NOT_WELL,
    IS_WELL,
    LEFT_ALONE,
    LISTS,
    NO_MORE,
    OTHER_HALF,
    READS_OUT,
    REPEATS,
    SWAPS,
    TAKES_BACK,
    WISH,
)

SURE = 0.5  # below this a call for help is asked about before contacts are told
HARDLY = 0.9  # below this a plain answer to what rings is no call for help
PLAINLY = frozenset({"done", "doing", "will", "later", "no", "undone"})
"""Kinds of an answer in which nobody is hurt; who *cannot* may be."""
ABOUT_REMINDERS = frozenset({"create", "list", "cancel", "change", "snooze", "stop", "distress"})
MISHEARD = frozenset({"list", "chat", "correct", "answer"})
"""As what a refusal is taken when nothing rings."""


def surely(meaning: Meaning, text: str, situation: Situation) -> Meaning:
    """What was learned, corrected where the words leave no doubt."""
    first = meaning.intents[0]
    if "distress" in meaning.intents and situation.ringing and meaning.confidence < HARDLY:
        # 我们去不了, said to a call, is a no rather than a cry for help.
        read = answers.read(text, situation.ringing)
        known = read.label is not answers.Label.UNCLEAR
        if known and (meaning.confidence < SURE or read.kind in PLAINLY):
            return Meaning(("answer",), "", meaning.confidence)
    if first in {"undo", "cancel", "chat"} and LEFT_ALONE.search(text):
        return Meaning(("stop",), "", 1.0)
    if meaning.intents == ("undo",) and not situation.ringing:
        meaning = _undo(meaning, text)
        first = meaning.intents[0]
    idle = not situation.ringing and not situation.asked
    refuses = {"create"} | (MISHEARD if idle else frozenset())
    if first in refuses and requests.takes_away(text):
        return Meaning(("cancel",), meaning.detail, 1.0)
    meaning = _plainly(meaning, text, idle=idle)
    first = meaning.intents[0]
    if first in ABOUT_REMINDERS or not CANCELS.search(text):
        return meaning
    return Meaning(("cancel",), meaning.detail, 1.0)


def _plainly(meaning: Meaning, text: str, *, idle: bool) -> Meaning:
    """What is read out, moved or put right, taken for talk."""
    first = meaning.intents[0]
    if first in {"repeat", "chat", "help", "aside"} and READS_OUT.search(text):
        return Meaning(("list",), "", 1.0)
    if first == "repeat" and LISTS.search(text) and not REPEATS.search(text):
        return Meaning(("list",), "", 1.0)
    if idle and first in {"chat", "aside", "correct"} and NO_MORE.search(text):
        return Meaning(("cancel",), "", 1.0)
    if idle and first != "correct" and OTHER_HALF.search(text):
        return Meaning(("correct",), "", 1.0)
    if idle and first in {"list", "chat"} and CHANGES.search(text):
        return Meaning(("change",), "", 1.0)
    if idle and first in {"chat", "aside", "answer"} and SWAPS.search(text):
        return Meaning(("correct",), "", 1.0)
    return meaning


def _undo(meaning: Meaning, text: str) -> Meaning:
    """看新闻的不要了 and 要等我回答 take nothing back: they are about a reminder."""
    if NO_MORE.search(text):
        return Meaning(("cancel",), "", 1.0)
    if not TAKES_BACK.search(text):
        return Meaning(("change",) if WISH.search(text) else ("chat",), "", 1.0)
    return meaning


def is_well(text: str) -> bool:
    """没事了, "false alarm": said plainly, and nothing with it that says otherwise."""
    return IS_WELL.search(text) is not None and IS_NOT_WELL.search(text) is None


def divided(text: str, intents: tuple[str, ...], situation: Situation) -> list[str]:
    """The part of the text for each of two intents; the whole of it for both when none is seen."""
    cuts = [found.start() for found in CLAUSE.finditer(text) if 0 < found.start() < len(text)]
    for cut in cuts:
        head, tail = text[:cut], text[cut:]
        first = understand(head, situation).intents
        second = understand(tail, Situation()).intents
        if first == intents[:1] and second[:1] == intents[1:2]:
            return [head, tail]
    return [text] * len(intents)
