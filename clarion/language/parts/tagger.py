"""Says of each word of a request which part it belongs to: a linear chain, read from weights.

The nine weights of a clue travel in one integer, 24 bits each, so that one addition adds nine.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from operator import add

from clarion.language.parts.clues import ClueWords, clues, shared_clues, words_of
from clarion.language.parts.kinds import BETWEEN, CONTENT, KINDS, WHEN, Part
from clarion.language.when.model import Span

KINDS_N = len(KINDS)
LANE = 20  # bits; weights are small, and a thousand of them must not reach the next lane
# One lane a kind for being in a part of it, and one more for beginning one.
NAMES = KINDS + KINDS.upper()
LANES = range(0, LANE * len(NAMES), LANE)
MASK = (1 << LANE) - 1
HALF = 1 << (LANE - 1)
OFFSET = sum(HALF << lane for lane in LANES)
NEVER = -(10**9)
BETWEEN_AT = KINDS.index(BETWEEN)
START = "^"
_WEIGHT = re.compile(r"([a-zA-Z])(-?\d+)")


def lanes(total: int) -> list[int]:
    """The sums of all lanes out of one integer."""
    total += OFFSET
    return [((total >> lane) & MASK) - HALF for lane in LANES]


class Tagger:
    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights
        after = [lanes(weights.get(f"={kind}", 0))[:KINDS_N] for kind in KINDS]
        self._before = list(zip(*after, strict=True))  # of each kind what may come before it
        self._first = lanes(weights.get(f"={START}", 0))[:KINDS_N]

    def parts(
        self,
        text: str,
        times: Iterable[Span] = (),
        asking: Span | None = None,
        *,
        rings: bool = False,
    ) -> list[Part]:
        """In order, with marks and spaces inside of them but not around them.

        `rings`: the times came to an instant, so their words are no content.
        """
        words = words_of(text, times, asking)
        kinds = self.kinds(words)
        if rings:
            kinds = [
                WHEN if known == "t" and kind == CONTENT else kind
                for known, kind in zip(words.known, kinds, strict=True)
            ]
        found = []
        for kind, run in groupby(range(len(kinds)), key=kinds.__getitem__):
            places = list(run)
            if kind != BETWEEN:
                found.append(Part(kind, words.spans[places[0]][0], words.spans[places[-1]][1]))
        return found

    def kinds(self, words: ClueWords) -> list[str]:
        """The kind of each word."""
        if not words.said:
            return []
        weights = self._weights
        one_each = [[weights.get(clue, 0) for clue in own] for own in clues(words)]
        many = [[weights.get(clue, 0) for clue in common] for common in shared_clues(words)]
        return self.path(sums(words, one_each, many))

    def path(self, scores: Sequence[list[int]]) -> list[str]:
        """The likeliest row of kinds (Viterbi)."""
        score = scores[0]
        total = [a + b + c for a, b, c in zip(self._first, score, score[KINDS_N:], strict=False)]
        back: list[list[int]] = []
        for score in scores[1:]:
            came: list[int] = []
            reached: list[int] = []
            for kind, before in enumerate(self._before):
                changed = list(map(add, total, before))
                change = max(changed)
                begun = change + score[KINDS_N + kind]
                if begun > total[kind]:
                    came.append(changed.index(change))
                    reached.append(begun + score[kind])
                else:
                    came.append(kind)
                    reached.append(total[kind] + score[kind])
            back.append(came)
            total = reached
        at = total.index(max(total))
        path = [at]
        for came in reversed(back):
            at = came[at]
            path.append(at)
        return [KINDS[at] for at in reversed(path)]


def sums(
    words: ClueWords, own: Sequence[Iterable[int]], shared: Sequence[Iterable[int]]
) -> list[list[int]]:
    """For each word what its clues, those of its clause and those of the whole add up to."""
    whole = sum(shared[-1])
    scores: list[list[int]] = []
    for (start, end), clause in zip(words.clauses, shared, strict=False):
        common = whole + sum(clause)
        for n in range(start, end):
            score = lanes(common + sum(own[n]))
            if not words.is_mark(n):
                score[BETWEEN_AT] = NEVER
            scores.append(score)
    return scores


@cache
def tagger() -> Tagger:
    """The one that `make train` made."""
    file = resources.files("clarion.language.parts") / "weights.tsv"
    return Tagger(load(file.read_text(encoding="utf-8")))


def load(lines: str) -> dict[str, int]:
    """Each line a clue and its weights by kind: `8吃_药	c31t-12`."""
    weights: dict[str, int] = {}
    shift = dict(zip(NAMES, LANES, strict=True))
    for line in lines.splitlines()[1:]:  # the first says from which corpora
        clue, _, said = line.partition("\t")
        weights[clue] = sum([int(value) << shift[kind] for kind, value in _WEIGHT.findall(said)])
    return weights
