"""Turns a folded reply into clauses of letters: one pass, the longest known word at each place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from clarion.language.answer import built_zh, moments, words_zh, words_zh_more
from clarion.language.answer import kinds as k
from clarion.language.answer.lexicon import Lexicon, table
from clarion.language.script import HAN

CLAUSES_MAX = 24  # a monologue beyond that says nothing new about one reminder

_BREAKS = re.compile(r"[\s,.!;:。、~…—\-\"'“”‘’()（）《》【】·|/*#<>\[\]]+")
_WORD = re.compile(r"[a-z]+")
_HARMLESS = frozenset((k.FILLER, k.THEN, k.NOW, k.PERSON, k.BUT, k.PROMISE))
_WEIGHTY = frozenset((k.ASKS, k.NOT_YET, k.WILL_NOT, k.REFUSAL, k.HEDGE, k.IS_NOT, k.UNKNOWING))
_OPENS_CLAUSE = frozenset((k.BUT, k.CORRECTS, k.GIVES_UP, k.NAG))


class Word(NamedTuple):  # thousands a second: a tuple is made faster than a dataclass
    kind: str
    text: str
    start: int


@dataclass(slots=True)
class Clause:
    """One stretch of a reply, with its letters. `letters` leaves out what says nothing."""

    text: str
    words: list[Word] = field(default_factory=list)
    letters: str = ""


CHINESE = Lexicon(table((words_zh.WORDS, words_zh_more.WORDS, built_zh.WORDS)))


def clauses(text: str, task: Lexicon) -> list[Clause]:
    """The clauses of a folded reply. The task's own words win over equally long general ones."""
    found: list[Clause] = []
    words: list[Word] = []
    at, began, end = 0, 0, len(text)
    while at < end and len(found) < CLAUSES_MAX:
        kind, length = _word_at(text, at, task)
        if kind in _OPENS_CLAUSE and words:
            found.append(clause(text[began:at], words))
            words, began = [], at
        if length:
            words.append(Word(kind, text[at : at + length], at))
            at += length
            if text[at - 1] == "?" or (kind == k.NAG and text[at - 1] not in "我人"):
                found.append(clause(text[began:at], words))
                words, began = [], at
            continue
        gap = _BREAKS.match(text, at)
        if gap is None:
            at += _unknown(text, at, words)
            continue
        if words:
            found.append(clause(text[began:at], words))
        words, began, at = [], gap.end(), gap.end()
    if words:
        found.append(clause(text[began:], words))
    return found


def _word_at(text: str, at: int, task: Lexicon) -> tuple[str, int]:
    kind, length = CHINESE.longest(text, at)
    moment, moment_length = moments.at(text, at)
    if moment_length >= length and moment_length:
        kind, length = moment, moment_length
    own, own_length = task.longest(text, at)
    if own_length and (own_length >= length or (own == k.VERB and kind == k.PERFECT)):
        kind, length = own, own_length  # 走了 is no mere ending when the task is to walk
    if kind == k.ASKS_LEAVE and _begins_a_no(text, at + length):
        return CHINESE.longest(text[: at + length - 1], at)
    if length > 1 and kind in _HARMLESS:
        return _cut_short(text, at, kind, length)
    return kind, length


def _begins_a_no(text: str, end: int) -> bool:
    """好不 asks at the end of a clause; in 好不想吃 the 不 belongs to what follows."""
    after = text[end : end + 1]
    return text[end - 1] == "不" and HAN(after) is not None and after not in "啊呀啦嘛呢吧哈"


def _cut_short(text: str, at: int, kind: str, length: int) -> tuple[str, int]:
    """A harmless word does not swallow the head of a weighty one: 我是 in 我是不是吃了."""
    for offset in range(1, length):
        inner, reach = CHINESE.longest(text, at + offset)
        if offset + reach > length and inner in _WEIGHTY:
            return CHINESE.words.get(text[at : at + offset], k.ANYTHING), offset
    return kind, length


def _unknown(text: str, at: int, words: list[Word]) -> int:
    """Add what nobody knows to the unknown stretch before it; answer how far it reaches."""
    latin = _WORD.match(text, at)
    length = len(latin[0]) if latin else 1
    piece = text[at : at + length]
    if words and words[-1].kind == k.ANYTHING:
        words[-1] = Word(k.ANYTHING, words[-1].text + piece, words[-1].start)
    else:
        words.append(Word(k.ANYTHING, piece, at))
    return length


def clause(text: str, words: Sequence[Word]) -> Clause:
    letters = "".join(word.kind for word in words if word.kind != k.FILLER)
    if len(words) > 1 and any(word.text == "喂" for word in words[1:]):
        letters = letters.replace(k.ELSEWHERE, k.ANYTHING)  # 把猫喂了 calls nobody
    return Clause(text.strip(), list(words), letters)
