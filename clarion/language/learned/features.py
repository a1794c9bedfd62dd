"""What a model sees of a text: hashed runs of tokens, of word classes, of the clauses at the ends.

A reply is also seen in the light of its content: how much of the content it names, and signs such
as another time of day or another person, each together with the words of the reply. So 喂了 to
"喂猫" and 喂了 to "吃药" are different things.

A run's hash continues the hash of the run that is one token shorter, so each costs one step. The
seed says what kind of feature it is. Whoever changes anything here trains anew: `make train`.
"""

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from clarion.language.learned.classes import UNKNOWN, classes_of
from clarion.language.learned.signs import coverage, signs
from clarion.language.learned.tokens import CONTENT, clauses, is_word, masked, prepared, words_of

_START, _END = b"^", b"$"
_SAID, _MASKED, _APART, _LETTERS, _FIRST, _LAST, _SHAPE, _SCENE, _ASKED = range(1, 10)
_CLASSES, _CLASSES_APART, _CLASSES_FIRST, _CLASSES_LAST, _COVERAGE, _SIGN = range(10, 16)
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
    said = [f"{token}\t".encode() for token in hidden]
    classes = [_START, *(f"{name}\t".encode() for name in named), _END]
    seed = crc32(coverage(plain, content).encode(), _COVERAGE)
    out.update([crc32(token, seed) for token in said])
    for each in (seed, *(crc32(sign.encode(), _SIGN) for sign in signs(reply, content))):
        out.add(each)
        _runs(out, each, classes, 2)
    return list(out)


def utterance_features(text: str, scene: str, about: str) -> list[int]:
    """An utterance while `scene` (idle, ring, asked, after) is going on about `about`."""
    out: set[int] = set()
    plain = prepared(text)[:TOKENS_MAX]
    hidden = masked(plain, words_of(about))
    said = _add_text(out, text, plain, hidden, classes_of(hidden))
    seed = crc32(scene.encode(), _SCENE)
    out.add(seed)
    _runs(out, seed, said, 2)
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
    for at, token in enumerate(named):
        seed = crc32(token, _APART)
        for other in named[at + 2 : at + _APART_MAX]:
            out.add(crc32(other, seed))
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
