"""Rules for words with only one meaning; they override the learned model. Pure."""

import re
from collections.abc import Sequence

from clarion.language import answer as answers
from clarion.language import request as requests
from clarion.language.clauses import asks_itself
from clarion.language.parts.tagger import SURE_REFUSAL
from clarion.language.understand import (
    Meaning,
    Situation,
    is_too_much,
    time_words,
    understand,
)
from clarion.talk.patterns import (
    ALSO_THEN,
    CANCELS,
    CHANGES,
    CLAUSE,
    DAY_BESIDE,
    DENIES,
    FEELS_BAD,
    GIVES_UP,
    HAS_CALLED,
    IS_ANOTHER,
    IS_NOT_WELL,
    IS_RATHER,
    IS_WELL,
    KEEPS,
    LEFT_ALONE,
    LISTS,
    MILDLY,
    NO_BUT,
    NO_MORE,
    ONLY_KEEPS,
    OTHER_HALF,
    PUTS_OFF,
    READS_OUT,
    RENAMES,
    REPEATS,
    SETS,
    SWAPS,
    TAKES_BACK,
    WISH,
)

SURE = 0.6  # below this a call for help is asked about before contacts are told
HARDLY = 0.9  # below this a plain answer to what rings is no call for help
PLAINLY = frozenset({"done", "doing", "will", "later", "no", "undone"})
"""Kinds of an answer in which nobody is hurt; who *cannot* may be."""
ABOUT_REMINDERS = frozenset({"create", "list", "cancel", "change", "snooze", "stop", "distress"})
MISHEARD = frozenset({"list", "chat", "correct", "answer"})
"""As what a refusal is taken when nothing rings."""

Rule = tuple[frozenset[str], re.Pattern[str], str]
"""As what it was taken, words that leave no doubt, and what it is."""
ALWAYS: tuple[Rule, ...] = (
    (frozenset({"undo", "cancel", "chat"}), LEFT_ALONE, "stop"),
    (frozenset({"create"}), RENAMES, "change"),
    (frozenset({"change"}), KEEPS, "cancel"),
    (frozenset({"change", "correct", "chat", "aside"}), ONLY_KEEPS, "cancel"),
    (frozenset({"repeat", "chat", "help", "aside"}), READS_OUT, "list"),
)
IDLY: tuple[Rule, ...] = (
    (frozenset({"chat", "aside", "correct"}), NO_MORE, "cancel"),
    (frozenset({"change"}), GIVES_UP, "undo"),
    (frozenset({"list", "chat"}), CHANGES, "change"),
    (frozenset({"snooze"}), PUTS_OFF, "change"),
    (frozenset({"chat", "aside", "answer"}), SWAPS, "correct"),
)
"""While nothing rings and nothing was asked."""


def surely(meaning: Meaning, text: str, situation: Situation) -> Meaning:
    """What was learned, corrected where the words leave no doubt."""
    first = meaning.intents[0]
    doubted = meaning.confidence < HARDLY and not is_too_much(text, situation)
    if "distress" in meaning.intents and situation.ringing and doubted:
        # 我们去不了, said to a call, is a no rather than a cry for help.
        read = answers.read(text, situation.ringing)
        known = read.label is not answers.Label.UNCLEAR
        if known and (meaning.confidence < SURE or read.kind in PLAINLY):
            return Meaning(("answer",), "", meaning.confidence)
    if first != "distress" and not situation.ringing and FEELS_BAD.search(text):
        return Meaning(("distress",), "", SURE / 2)
    if plainly := _first_of(ALWAYS, first, text):
        return plainly
    if meaning.intents == ("undo",) and not situation.ringing:
        meaning = _undo(meaning, text)
        first = meaning.intents[0]
    idle = not situation.ringing and not situation.asked
    refuses = {"create"} | (MISHEARD if idle else frozenset())
    if first in refuses and requests.takes_away(text):
        return Meaning(("cancel",), meaning.detail, 1.0)
    if idle and situation.said and first in {"aside", "answer"} and NO_BUT.search(text):
        return Meaning(("correct",), "", 1.0)
    if first == "change" and (SETS.search(text) or (situation.said and ALSO_THEN.search(text))):
        return Meaning(("create",), meaning.detail, 1.0)
    meaning = _plainly(meaning, text, idle=idle)
    first = meaning.intents[0]
    if first in ABOUT_REMINDERS or not CANCELS.search(text):
        return meaning
    return Meaning(("cancel",), meaning.detail, 1.0)


def _plainly(meaning: Meaning, text: str, *, idle: bool) -> Meaning:
    """What is read out, moved or put right, taken for talk."""
    first = meaning.intents[0]
    if first == "repeat" and LISTS.search(text) and not REPEATS.search(text):
        return Meaning(("list",), "", 1.0)
    said_of_one = first == "create" and not asks_itself(text) and not time_words(text)
    if (said_of_one or (idle and first in {"stop", "chat", "answer"})) and SURE_REFUSAL.search(
        text
    ):
        return Meaning(("change",), "", 1.0)
    if not idle:
        return meaning
    rather = first == "create" and IS_RATHER.search(text) and not asks_itself(text)
    beside = first != "create" and DAY_BESIDE.search(text)
    if rather or beside or OTHER_HALF.search(text) or DENIES.search(text):
        return Meaning(("correct",), "", 1.0)
    return _first_of(IDLY, first, text) or meaning


def _first_of(rules: Sequence[Rule], first: str, text: str) -> Meaning | None:
    """As the first of the rules has it; None: none of them fits."""
    meant = (then for taken, words, then in rules if first in taken and words.search(text))
    return next((Meaning((then,), "", 1.0) for then in meant), None)


def _undo(meaning: Meaning, text: str) -> Meaning:
    """看新闻的不要了 and 要等我回答 take nothing back: they are about a reminder."""
    if NO_MORE.search(text):
        return Meaning(("cancel",), "", 1.0)
    if SURE_REFUSAL.search(text):
        return Meaning(("change",), "", 1.0)
    if not TAKES_BACK.search(text):
        return Meaning(("change",) if WISH.search(text) else ("chat",), "", 1.0)
    return meaning


def is_sure_call(meaning: Meaning, text: str, *, is_open: bool) -> bool:
    """Whether contacts are told at once, and nobody asks first. `is_open`: something rings."""
    doubt = 1.0 if MILDLY.search(text) else HARDLY if is_open else SURE
    return meaning.confidence >= doubt


def is_well(text: str) -> bool:
    """没事了, "false alarm": said plainly, and nothing with it that says otherwise."""
    doubted = any(one.search(text) for one in (IS_NOT_WELL, IS_ANOTHER, HAS_CALLED))
    return IS_WELL.search(text) is not None and not doubted


ASKS_BESIDES = frozenset({"create", "list", "cancel", "change"})


CHANGES_FIRST = frozenset({"change", "cancel"})
AND = re.compile(r"^\W*(?:and(?: then)?|then|然后|再|还有|并且?)\s*", re.IGNORECASE)
NOT_TO = re.compile(r"\W*(?:别|不要|不用|不能|don'?t|do not|never|not)", re.IGNORECASE)
PAUSES = "，,。.;；!！"
BIDS = re.compile(
    r"取消|删|不要了|不用了|(?:改|挪|推迟|提前|换|延后|移)(?:到|成|为)?|"
    r"\b(?:cancel|delete|remove|drop|move|change|shift|postpone|reschedule|push|put off)\b",
    re.IGNORECASE,
)
"""Words that change or take away a reminder all by themselves."""
POINTED = re.compile(
    r"那[个条]|的提醒|\b(?:the|that) [\w ]*?(?:one|reminder|alarm)\b", re.IGNORECASE
)
"""A reminder that is there already: what goes with it is not part of a new one."""


def besides(text: str, meaning: Meaning, situation: Situation) -> list[tuple[str, str]]:
    """Two wishes that were heard as one, each with its words; empty when it is one.

    吃了，喝水那个取消吧 answers and cancels; 十点那个提前到九点半，另外十一点提醒我喝水 moves
    one and sets another.
    """
    first = meaning.intents[0]
    for found in CLAUSE.finditer(text) if first in ASKS_BESIDES else ():
        head, tail = text[: found.start()], text[found.start() :]
        if situation.ringing:
            answered = answers.read(head, situation.ringing).kind in ("done", "undone")
            if answered and _alone(tail) == first:
                return [("answer", head), (first, tail)]
        if requests.takes_away(text) and not requests.takes_away(head):
            continue  # "don't / remind me at 8" is one
        rest = AND.sub("", tail)
        if rest == tail and text[: found.start()].rstrip()[-1:] not in PAUSES:
            continue  # the middle of a sentence
        changes = _alone(head)
        if first == "create" == changes and POINTED.search(rest) and _alone(rest) in CHANGES_FIRST:
            return [(first, head), (_alone(rest), rest)]
        asks = changes == "list" and LISTS.search(head) and _asked(rest) == "create"
        if not asks and (
            changes not in CHANGES_FIRST or not (first == changes or BIDS.search(head))
        ):
            continue
        other = _asked(rest) or (_alone(rest) if BIDS.search(head) and bids(rest) else "")
        if other in CHANGES_FIRST or other == "create":
            return [(changes, head), (other, rest)]
    return []


def bids(text: str) -> bool:
    """Whether it changes or takes away something, and is not 别取消."""
    return BIDS.search(text) is not None and NOT_TO.match(text) is None


def _asked(text: str) -> str:
    return _alone(text) if asks_itself(text) else ""


def _alone(text: str) -> str:
    return surely(understand(text, Situation()), text, Situation()).intents[0]


def divided(text: str, intents: tuple[str, ...], situation: Situation) -> list[str]:
    """The part of the text for each of two intents; the whole of it for both when none is seen."""
    cuts = [found.start() for found in CLAUSE.finditer(text) if 0 < found.start() < len(text)]
    cuts.sort(key=lambda cut: text[cut - 1].isspace())  # a pause parts more than a blank
    for cut in cuts:
        head, tail = text[:cut], text[cut:]
        first = understand(head, situation).intents
        second = understand(tail, Situation()).intents
        if first == intents[:1] and second[:1] == intents[1:2]:
            return [head, tail]
    return [text] * len(intents)
