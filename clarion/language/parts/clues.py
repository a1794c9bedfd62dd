"""What the tagger looks at: the words around each word, its clause, and the times that were read.

A word is a Chinese letter, a Latin word, a number or a mark. Pure, and the same in training.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from clarion.language.when.model import Span
from clarion.language.when.words.normal import TABLE

WORDS = re.compile(r"[a-z\u00e0-\u024f]+(?:'[a-z]+)?|\d+|[^\s\w]|\w")
MARK = re.compile(r"[^\w]")
ENDS_CLAUSE = frozenset('，,。.;；!！?？:：、…~-—()（）【】[]"“”')
HAN = re.compile("[\u3400-\u9fff]")
LITTLE = frozenset("我你他她的了一是在不也就都要再到个，。,.")  # said again without a meaning
WORDS_MAX = 1_000  # of a text; what follows belongs to the last part


class ClueWords(NamedTuple):
    """The words of a text as they are compared, where they stand, and what is known of them."""

    said: list[str]
    spans: list[Span]
    known: list[str]
    """Of each word: t inside a time that was read, v inside the words that ask, - neither."""
    clauses: list[Span]
    """First and last word (exclusive) of each clause, in order, without gaps."""

    def is_mark(self, place: int) -> bool:
        return MARK.match(self.said[place]) is not None


def words_of(text: str, times: Iterable[Span] = (), asking: Span | None = None) -> ClueWords:
    folded = text.translate(TABLE)
    said: list[str] = []
    spans: list[Span] = []
    for found in WORDS.finditer(folded):
        word = found[0]
        said.append("0" * min(len(word), 5) if word.isdigit() and len(word) > 2 else word)
        spans.append(found.span())
        if len(said) == WORDS_MAX:
            break
    known = ["-"] * len(said)
    for letter, places in (("v", [asking] if asking else []), ("t", list(times))):
        for begin, end in places:
            for n, (start, stop) in enumerate(spans):
                if start < end and stop > begin:
                    known[n] = letter
    return ClueWords(said, spans, known, _clauses(folded, said, spans))


def _clauses(text: str, said: list[str], spans: list[Span]) -> list[Span]:
    """Parted by marks, and by spaces that people leave between Chinese words."""
    clauses: list[Span] = []
    start = 0
    for n, word in enumerate(said):
        gap = n > start and spans[n][0] > spans[n - 1][1]
        if gap and (HAN.match(word) or HAN.match(said[n - 1])):
            clauses.append((start, n))
            start = n
        if word in ENDS_CLAUSE and n + 1 < len(said):
            clauses.append((start, n + 1))
            start = n + 1
    if said:
        clauses.append((start, len(said)))
    return clauses


def clues(words: ClueWords) -> list[list[str]]:
    """For each word what speaks for its kind."""
    said, known = words.said, words.known
    padded = ["", "", "", *said, "", "", "", ""]
    pairs = [a + "_" + b for a, b in pairwise(padded)]
    triples = [a + "_" + b for a, b in zip(pairs, padded[2:], strict=False)]
    marks = ["", *known, ""]
    before, after = _nearest(known)
    again = _said_again(said)
    found: list[list[str]] = []
    for start, end in words.clauses:
        head, tail = pairs[start + 3], pairs[end + 1]
        for n in range(start, end):
            i = n + 3
            here = known[n]
            found.append(
                [
                    "1" + padded[i],
                    "2" + padded[i - 1],
                    "3" + padded[i + 1],
                    "4" + padded[i - 2],
                    "5" + padded[i + 2],
                    "6" + pairs[i - 2],
                    "7" + pairs[i - 1],
                    "8" + pairs[i],
                    "9" + pairs[i + 1],
                    "A" + triples[i - 2],
                    "B" + triples[i - 1],
                    "C" + triples[i],
                    "D" + pairs[i - 3],
                    "E" + pairs[i + 2],
                    "K" + marks[n] + here + marks[n + 2],
                    "L" + here + padded[i],
                    "M" + here + before[n] + after[n],
                    "N" + str(min(n - start, 4)) + str(min(end - n, 4)),
                    "R" + again[n],
                    "S" + again[n] + padded[i + 1],
                    "P" + head,
                    "Q" + tail,
                ]
            )
    return found


def _said_again(said: Sequence[str]) -> list[str]:
    """Of each word whether it was said before or will be: 吃药 … 吃了 is how wishes sound."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for n, word in enumerate(said):
        first.setdefault(word, n)
        last[word] = n
    return [
        ""
        if word in LITTLE or (word.isascii() and len(word) < 4)
        else ("b" if first[word] < n else "") + ("l" if last[word] > n else "")
        for n, word in enumerate(said)
    ]


def shared_clues(words: ClueWords) -> list[list[str]]:
    """For each clause what speaks for the kind of all its words; the last list: of every word."""
    found: list[list[str]] = []
    seen = ""
    last = len(words.clauses) - 1
    for n, (start, end) in enumerate(words.clauses):
        inside = words.said[start:end]
        known = "".join(sorted(set(words.known[start:end])))
        clause = ["u" + word for word in inside]
        clause += ["v" + a + "_" + b for a, b in pairwise(inside)]
        clause += ["k" + known, "l" + seen + "/" + known]
        clause += [f"e{min(n, 3)}{min(last - n, 2)}{known}", f"f{min(len(inside), 6)}"]
        found.append(clause)
        seen = "".join(sorted(set(seen + known) - {"-"}))
    all_known = "".join(sorted(set(words.known)))
    first, last_said = words.said[0], words.said[-1]
    found.append(
        [
            "s" + all_known,
            "t" + all_known + last_said,
            "r" + first,
            "q" + "_".join(words.said[:2]),
        ]
    )
    return found


def _nearest(known: Sequence[str]) -> tuple[list[str], list[str]]:
    """For each word the last time or asking before it, and the first after it."""
    return _last_seen(known), _last_seen(known[::-1])[::-1]


def _last_seen(known: Sequence[str]) -> list[str]:
    seen, last = [], ""
    for letter in known:
        seen.append(last)
        last = letter if letter != "-" else last
    return seen
