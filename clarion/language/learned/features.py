"""What a model sees of a text: hashed runs of tokens, of word classes, of the clauses at the ends.

A reply is also seen in the light of its content: each word of the content beside each word of the
reply, how much of the content it names, and signs such as another time of day or another person,
each together with the words of the reply. So 喂了 to "喂猫" and 喂了 to "吃药" are different
things.

A run's hash continues the hash of the run that is one token shorter, so each costs one step. The
seed says what kind of feature it is. Whoever changes anything here trains anew: `make train`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Final
from zlib import crc32

from clarion.language.learned.lexicon import UNKNOWN, classes_of, meanings_of
from clarion.language.learned.tokens import (
    CONTENT,
    clauses,
    is_word,
    masked,
    prepared,
    stem,
    words_of,
)
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


@lru_cache(maxsize=1024)
def _meanings(content: str) -> frozenset[str]:
    return frozenset(meanings_of(prepared(content)))


def _key(token: str) -> str:
    return stem(token) if is_word(token) else token


def coverage(said: Iterable[str], content: str) -> str:
    """Whether nothing, part or all of the content is named, and its first and its last word."""
    keys = _keys(content)
    here = set(map(_key, said)).intersection(keys)
    much = "none" if not here else "all" if len(here) == len(set(keys)) else "part"
    first = "first" if here and keys[0] in here else ""
    return f"{much} {first} {'last' if len(keys) > 1 and keys[-1] in here else ''}"


_START, _END = b"^", b"$"
_SAID, _MASKED, _APART, _LETTERS, _FIRST, _LAST, _SHAPE, _SCENE, _ASKED = range(1, 10)
_CLASSES, _CLASSES_APART, _CLASSES_FIRST, _CLASSES_LAST, _COVERAGE, _SIGN, _KEY = range(10, 17)
_MEANINGS, _MEANINGS_APART, _MEANINGS_BESIDE, _MEANINGS_SCENE = range(17, 21)
TOKENS_MAX: Final = 60
_RUN: Final = 3  # tokens
_APART_MAX: Final = 4  # two words that are further from each other say nothing together
_CLASSES_APART_MAX: Final = 8
_LETTER_RUNS: Final = (3, 4, 5)


def reply_features(reply: str, content: str) -> list[int]:
    """A reply in the light of what the person was reminded of."""
    out: set[int] = set()
    about = words_of(content)
    plain = prepared(reply)[:TOKENS_MAX]
    hidden = masked(plain, about)
    named = classes_of(hidden)
    _add_text(out, reply, plain, hidden, named)
    meant = _add_meanings(out, plain, about)
    for meaning in _meanings(content):
        _runs(out, crc32(meaning.encode(), _MEANINGS_BESIDE), meant, 2)
    said = [f"{token}\t".encode() for token in hidden]
    classes = [_START, *(f"{name}\t".encode() for name in named), _END]
    seed = crc32(coverage(plain, content).encode(), _COVERAGE)
    beside = [seed, *(crc32(key.encode(), _KEY) for key in set(_keys(content)))]
    out.update([crc32(token, each) for each in beside for token in set(said)])
    for each in (seed, *(crc32(sign.encode(), _SIGN) for sign in signs(reply, content))):
        out.add(each)
        _runs(out, each, classes, 2)
    return list(out)


def utterance_features(text: str, scene: str, about: str) -> list[int]:
    """An utterance while `scene` (idle, ring, asked, after) is going on about `about`."""
    out: set[int] = set()
    plain = prepared(text)[:TOKENS_MAX]
    named = words_of(about)
    hidden = masked(plain, named)
    said = _add_text(out, text, plain, hidden, classes_of(hidden))
    meant = _add_meanings(out, plain, named)
    seed = crc32(scene.encode(), _SCENE)
    out.add(seed)
    _runs(out, seed, said, 2)
    _runs(out, crc32(scene.encode(), _MEANINGS_SCENE), meant, 2)
    if scene in ("asked", "after"):
        seed = crc32(scene.encode(), _ASKED)
        _runs(out, seed, [token.encode() for token in prepared(about)[:TOKENS_MAX]], 2)
        out.add(crc32(b"%d" % min(len(said) // 3, 5), seed))
    return list(out)


def _add_text(
    out: set[int], text: str, plain: list[str], hidden: list[str], classes: list[str]
) -> list[bytes]:
    said = [_START, *(f"{token}\t".encode() for token in plain), _END]
    named = [_START, *(f"{token}\t".encode() for token in hidden), _END]
    _runs(out, _SAID, said, _RUN)
    _runs(out, _MASKED, named, _RUN)
    _apart(out, _APART, named)
    for word in plain:
        if len(word) > 3 and is_word(word):
            _letters(out, f"^{word}$".encode())
    _ends(out, clauses(hidden))
    _add_classes(out, classes)
    shape = (
        f"length {min(len(named) // 3, 8)}",
        f"named {any(token.startswith(CONTENT) for token in hidden)}",
        f"latin {text.isascii()}",
        f"asks {plain[-1:] == ['?']}",
    )
    out.update(crc32(each.encode(), _SHAPE) for each in shape)
    return said


def _add_classes(out: set[int], named: list[str]) -> None:
    parts = [[f"{name}\t".encode() for name in part] for part in clauses(named)]
    for part in parts:
        _runs(out, _CLASSES, [_START, *part, _END], 4)
    if len(parts) > 1:
        _runs(out, _CLASSES_FIRST, [_START, *parts[0], _END], 3)
        _runs(out, _CLASSES_LAST, [_START, *parts[-1], _END], 3)
    known = [name.encode() for name in named if name != UNKNOWN]
    for at, name in enumerate(known):
        seed = crc32(name, _CLASSES_APART)
        for other in known[at + 1 : at + _CLASSES_APART_MAX]:
            out.add(crc32(other, seed))


def _add_meanings(out: set[int], plain: list[str], about: frozenset[str]) -> list[bytes]:
    meant = [_START, *(f"{name}\t".encode() for name in meanings_of(plain, about)), _END]
    _runs(out, _MEANINGS, meant, _RUN)
    _apart(out, _MEANINGS_APART, meant)
    return meant


def _apart(out: set[int], kind: int, said: Sequence[bytes]) -> None:
    """Two words with one or two others between them."""
    for at, token in enumerate(said):
        seed = crc32(token, kind)
        for other in said[at + 2 : at + _APART_MAX]:
            out.add(crc32(other, seed))


def _runs(out: set[int], seed: int, said: Sequence[bytes], longest: int) -> None:
    for at in range(len(said)):
        run = seed
        for token in said[at : at + longest]:
            run = crc32(token, run)
            out.add(run)


def _letters(out: set[int], word: bytes) -> None:
    for length in _LETTER_RUNS:
        for at in range(len(word) - length + 1):
            out.add(crc32(word[at : at + length], _LETTERS))


def _ends(out: set[int], parts: list[list[str]]) -> None:
    out.add(crc32(b"clauses %d" % min(len(parts), 4), _SHAPE))
    if len(parts) < 2:
        return
    first, last = ([f"{token}\t".encode() for token in part] for part in (parts[0], parts[-1]))
    _runs(out, _FIRST, [_START, *first, _END], 3)
    _runs(out, _LAST, [_START, *last, _END], 3)
