"""Cuts a text into what features are made of: Chinese characters, Latin words, marks."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from clarion.language.script import fold
from clarion.language.when.words import words

TEXT_CHARACTERS_MAX: Final = 300  # what is said after that changes nothing
_TOKEN: Final = re.compile(r"[a-zà-ÿ]+(?:'[a-z]+)?|\d+|[^\sa-zà-ÿ\d]|\s+")
_MARKS: Final = {
    "，": ",", "。": ".", "、": ",", ";": ",", "；": ",", "—": ",", "-": ",", ":": ",", "：": ",",
}  # fmt: skip
ENDS: Final = frozenset(",.!?…")
"""Marks that end a clause."""
CONTENT: Final = "<C>"
NUMBER: Final = "<N>"
# Words of a content that say nothing of its task.
_EMPTY: Final = frozenset(
    words(
        "the a an your my to of for and in on at it up out off with his her their our is be do you "
        "el la los las un una tu mi de del que con por para"
    )
) | frozenset("的了给去在和一个把要点到")
# The past of common verbs of tasks: took is take.
_BASE: Final = {
    form: base
    for base, *forms in (
        line.split()
        for line in (
            "take took taken", "do did done does", "eat ate eaten", "drink drank drunk",
            "give gave given", "go went gone goes", "feed fed", "pay paid", "send sent",
            "buy bought", "bring brought", "get got gotten", "make made", "write wrote written",
            "see saw seen", "speak spoke spoken", "ring rang rung", "wake woke woken",
            "leave left", "light lit", "sleep slept", "swim swam swum", "run ran",
            "ride rode ridden", "sweep swept", "hang hung", "meet met", "tell told", "find found",
            "throw threw thrown", "wear wore worn", "draw drew drawn", "drive drove driven",
            "say said", "have has had",
        )
    )
    for form in forms
}  # fmt: skip


# English as it is spoken, in the words that it is made of: won't → will not.
_WRITTEN_OUT: Final = {
    "won't": "will not", "wont": "will not", "can't": "can not", "cant": "can not",
    "cannot": "can not", "shan't": "shall not", "ain't": "is not", "aint": "is not",
    "im": "i am", "ive": "i have", "lets": "let us", "let's": "let us", "thats": "that is",
    "whats": "what is", "gonna": "going to", "gotta": "got to", "wanna": "want to",
    "lemme": "let me", "gimme": "give me", "imma": "i am going to", "u": "you", "ur": "your",
    "mins": "minutes", "rn": "right now", "tmr": "tomorrow", "tmrw": "tomorrow",
} | {
    f"{verb}n{mark}t": f"{verb} not"
    for verb in words("do does did have has had is are was were would could should need must")
    for mark in ("'", "")
}  # fmt: skip
_ENDINGS: Final = {"'ve": "have", "'ll": "will", "'d": "would", "'re": "are", "'m": "am"}


def _written_out(word: str) -> list[str]:
    full = _WRITTEN_OUT.get(word)
    if full is not None:
        return full.split()
    head, mark, tail = word.partition("'")
    if not mark:
        return [word]
    return [head, _ENDINGS.get(mark + tail, mark + tail)]


def tokens(text: str) -> list[str]:
    """Of folded text. A blank between two Chinese characters is a pause, so a comma."""
    found = _TOKEN.findall(text)
    out: list[str] = []
    for at, token in enumerate(found):
        if token.isspace():
            beside = found[at - 1 : at] + found[at + 1 : at + 2]
            if len(beside) == 2 and not any(word.isascii() for word in beside):
                out.append(",")
        elif token[0].isalpha() and token[0] < "\u0250":
            out += _written_out(token)
        else:
            out.append(_MARKS.get(token, token))
    return out


def prepared(text: str) -> list[str]:
    return tokens(fold(text[:TEXT_CHARACTERS_MAX]))


def stem(word: str) -> str:
    """Enough to find `watered the plant` in `water the plants`."""
    if word in _BASE:
        word = _BASE[word]
    elif not word.endswith(("ss", "eed")):
        for ending, shortest in (("ing", 5), ("ed", 4), ("es", 4), ("s", 4)):
            if len(word) >= shortest and word.endswith(ending):
                word = word[: -len(ending)]
                break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def is_word(token: str) -> bool:
    """A Latin word, not a Chinese character, number or mark."""
    return token[0].isalpha() and token[0] < "\u0250"


def words_of(content: str) -> frozenset[str]:
    """What of a content may be named in a reply."""
    return frozenset(
        stem(token) if is_word(token) else token
        for token in prepared(content)
        if token not in _EMPTY and token not in ENDS
    )


def masked(said: Iterable[str], about: frozenset[str]) -> list[str]:
    """Words of the content become <C> (keeping their ending), numbers <N>.

    content 吃药: 药 吃 了 → <C> 了
    """
    out: list[str] = []
    for token in said:
        if is_word(token):
            named = token not in _EMPTY and stem(token) in about
            out.append(CONTENT + _ending(token) if named else token)
        elif token in about:
            if not out or out[-1] != CONTENT:
                out.append(CONTENT)
        else:
            out.append(NUMBER if token[0].isdigit() else token)
    return out


def _ending(word: str) -> str:
    if word in _BASE:
        return "~ed"
    return next(("~" + end for end in ("ing", "ed", "s") if word.endswith(end)), "")


def clauses(said: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in said:
        if token not in ENDS:
            parts[-1].append(token)
        elif parts[-1]:
            parts.append([])
    return parts if parts[-1] or len(parts) == 1 else parts[:-1]
