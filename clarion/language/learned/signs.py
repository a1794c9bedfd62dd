"""How a reply stands to its content: what of it is named, and signs of another time or person.

The patterns are data, in `corpora/signs`; a sign is only a hint to a model, never a decision.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources

from clarion.language.learned.tokens import is_word, prepared, stem, words_of
from clarion.language.script import fold

_Patterns = tuple[tuple[str, re.Pattern[str]], ...]


@cache
def _patterns(side: str) -> _Patterns:
    """`content`: what the content is like. `reply`: whether the reply names what it does not."""
    table = resources.files("clarion.language").joinpath("corpora", "signs", "signs.tsv")
    lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    return tuple((name, re.compile(pattern)) for name, where, pattern in lines if where == side)


@lru_cache(maxsize=1024)
def _of_content(content: str) -> tuple[list[str], dict[str, set[str]]]:
    folded = fold(content)
    about = [name for name, pattern in _patterns("content") if pattern.search(folded)]
    named = {name: set(pattern.findall(folded)) for name, pattern in _patterns("reply")}
    return about, named


def signs(reply: str, content: str) -> list[str]:
    """`negated` for 别喝酒; `evening other` where the reply alone speaks of an evening."""
    about, named = _of_content(content)
    folded = fold(reply)
    found = list(about)
    for name, pattern in _patterns("reply"):
        said = set(pattern.findall(folded))
        if said:
            found.append(f"{name} {'other' if said - named[name] else 'same'}")
    return found


@lru_cache(maxsize=1024)
def _keys(content: str) -> list[str]:
    """The words of a content that a reply may name, in their order."""
    about = words_of(content)
    return [key for key in map(_key, prepared(content)) if key in about]


def _key(token: str) -> str:
    return stem(token) if is_word(token) else token


def coverage(said: Iterable[str], content: str) -> str:
    """Whether nothing, part or all of the content is named, and its first and its last word."""
    keys = _keys(content)
    here = set(map(_key, said)).intersection(keys)
    much = "none" if not here else "all" if len(here) == len(set(keys)) else "part"
    first = "first" if here and keys[0] in here else ""
    return f"{much} {first} {'last' if len(keys) > 1 and keys[-1] in here else ''}"
