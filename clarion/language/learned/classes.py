"""Words to classes (agrees, puts off, doubts, asks): what lets a model know words it never met.

The lists are data, in `corpora/words`; a class is only a hint to a model, never a decision.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources

from clarion.language.learned.tokens import CONTENT, ENDS, NUMBER, tokens
from clarion.language.script import fold

UNKNOWN = "x"
_Lexicon = dict[str, list[tuple[int, dict[tuple[str, ...], str]]]]


@cache
def _lexicon() -> _Lexicon:
    """By the first token, then by how many there are, the most first: words and their class."""
    found: dict[tuple[str, ...], str] = {}
    tables = resources.files("clarion.language").joinpath("corpora", "words").iterdir()
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


def classes_of(said: Sequence[str]) -> list[str]:
    """Of masked tokens. What stands in no list is x, once for each stretch of it.

    我 等 会 儿 再 <C> → later again <C>
    """
    lexicon = _lexicon()
    out: list[str] = []
    at = 0
    while at < len(said):
        token = said[at]
        name, length = UNKNOWN, 1
        if token in ENDS or token.startswith(CONTENT) or token == NUMBER:
            name = token
        else:
            for size, listed in lexicon.get(token, ()):
                if here := listed.get(tuple(said[at : at + size])):
                    name, length = here, size
                    break
        if name != UNKNOWN or out[-1:] != [UNKNOWN]:
            out.append(name)
        at += length
    return out
