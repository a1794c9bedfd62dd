"""What single words mean: two lexicons, by the place a word has in an answer and by its sense.

`corpora/words` knows what agrees, postpones, doubts or asks, `corpora/meanings` what is a relative,
a dish, a symptom, a deed. So a word that no example had is still known by its like.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

from clarion.language.learned.tokens import CONTENT, ENDS, NUMBER, is_word, stem, tokens
from clarion.language.script import fold

UNKNOWN: Final = "x"
_Sizes = list[tuple[int, dict[tuple[str, ...], str]]]


@cache
def _lexicon(folder: str) -> dict[str, _Sizes]:
    """By the first token, then by how many there are, the most first: words and their class."""
    found: dict[tuple[str, ...], str] = {}
    tables = resources.files("clarion.language").joinpath("corpora", folder).iterdir()
    for table in sorted(tables, key=lambda each: each.name):
        if table.name.endswith(".tsv"):
            for line in table.read_text(encoding="utf-8").splitlines()[1:]:
                name, listed = line.split("\t")
                for word in listed.split(" "):
                    found.setdefault(tuple(tokens(fold(word.replace("_", " ")))), name)
    sorted_out: dict[str, dict[int, dict[tuple[str, ...], str]]] = {}
    for parts, name in found.items():
        sorted_out.setdefault(parts[0], {}).setdefault(len(parts), {})[parts] = name
    return {first: sorted(sizes.items(), reverse=True) for first, sizes in sorted_out.items()}


def _longest(listed: _Sizes, said: Sequence[str], at: int) -> tuple[str, int]:
    for size, words in listed:
        if name := words.get(tuple(said[at : at + size])):
            return name, size
    return "", 1


def classes_of(said: Sequence[str]) -> list[str]:
    """Of masked tokens. What stands in no list is x, once for each stretch of it.

    我 等 会 儿 再 <C> → later again <C>
    """
    lexicon = _lexicon("words")
    out: list[str] = []
    at = 0
    while at < len(said):
        token = said[at]
        name, length = UNKNOWN, 1
        if token in ENDS or token.startswith(CONTENT) or token == NUMBER:
            name = token
        elif listed := lexicon.get(token):
            found, length = _longest(listed, said, at)
            name = found or UNKNOWN
        if name != UNKNOWN or out[-1:] != [UNKNOWN]:
            out.append(name)
        at += length
    return out


def meanings_of(said: Sequence[str], about: frozenset[str] = frozenset()) -> list[str]:
    """Of plain tokens. What the content names is <C>, what stands in no list stays as it is.

    把 碗 洗 了 → 把 kitchenware wash 了
    """
    lexicon = _lexicon("meanings")
    out: list[str] = []
    at = 0
    while at < len(said):
        token = said[at]
        listed = lexicon.get(token)
        name, length = _longest(listed, said, at) if listed else ("", 1)
        if about and all(_names(each, about) for each in said[at : at + length]):
            name = CONTENT
        elif not name:
            name = NUMBER if token[0].isdigit() else token
        if name != CONTENT or out[-1:] != [CONTENT]:
            out.append(name)
        at += length
    return out


def _names(token: str, about: frozenset[str]) -> bool:
    return (stem(token) if is_word(token) else token) in about
