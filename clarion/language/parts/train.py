"""Makes the tagger's weights from the corpora: `python -m clarion.language.parts.train`.

An averaged perceptron over whole sentences. Only integers and one seed: the same corpora give
the same bytes on every machine.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from functools import partial
from multiprocessing import get_context
from operator import add, sub
from pathlib import Path
from zoneinfo import ZoneInfo

from clarion.language.learned.corpus import fingerprint
from clarion.language.parts.corpus import Marked, marked_requests, unmark
from clarion.language.parts.tagger import (
    ASKING,
    CONFIRM,
    CONTENT,
    HALF,
    HAN,
    KINDS,
    LANE,
    NAMES,
    NO_CONFIRM,
    START,
    URGENCY,
    WHEN,
    WHO,
    ClueWords,
    Tagger,
    clues,
    lanes,
    shared_clues,
    sums,
    words_of,
)
from clarion.language.when.parse import read as read_time

# A training in another order each: the mean is steadier.
SEEDS = (20261117, 20261118, 20261119, 20261120)
STOPS = 40  # of each training; the weights are the mean of what was known at each stop
ROUNDS = 8
VARIATIONS = 8  # of each sentence, with parts of others in place of its own
OFTEN = 8  # sentences that must have a clue before it counts
WISH_BIAS = -200  # added to what begins a wish: above it, more are heard, and more falsely
SHUFFLED = 0.3  # of the variations have their parts in another order
SCALE = 24  # the largest weight kept is some hundreds
SMALLEST = 28  # weights below say nothing that another clue does not say
ZONE = ZoneInfo("Asia/Shanghai")
BASE = datetime(2026, 11, 16, 10, tzinfo=ZONE)
SWAPPED = WHEN + CONTENT + ASKING + CONFIRM + NO_CONFIRM + URGENCY + WHO
STEP = {kind: 1 << (LANE * n) for n, kind in enumerate(NAMES)}


class Lesson:
    """A sentence with its clues as numbers, read once for all rounds."""

    def __init__(self, marked: Marked, numbers: Mapping[str, int]) -> None:
        self.words, own, shared = _looked_at(marked)
        self.kinds = marked.kinds(self.words.spans)
        self.own = [_numbered(one, numbers) for one in own]
        self.shared = [_numbered(one, numbers) for one in shared]


def _looked_at(marked: Marked) -> tuple[ClueWords, list[list[str]], list[list[str]]]:
    time = read_time(marked.text, BASE, ZONE)
    words = words_of(marked.text, time.cuts, time.verb)
    return words, clues(words), shared_clues(words)


def _numbered(clues: Iterable[str], numbers: Mapping[str, int]) -> list[int]:
    return [numbers[clue] for clue in clues if clue in numbers]


def common_clues(sentences: Iterable[Marked]) -> list[str]:
    """Those that several sentences have, and what a kind says of the next."""
    counted: Counter[str] = Counter()
    for one in sentences:
        _, own, shared = _looked_at(one)
        counted.update({clue for some in (*own, *shared) for clue in some})
    seen = sorted(clue for clue, times in counted.items() if times >= OFTEN)
    return [f"={kind}" for kind in (START, *KINDS)] + seen


def variations(sentences: Sequence[Marked], times: int, chance: random.Random) -> list[Marked]:
    """The same shapes of sentence with parts that other people said."""
    pools: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for one in sentences:
        for part in one.parts:
            pools[_chinese(one), part.kind].append(one.text[part.start : part.end])
    return [_varied(one, pools, chance) for one in sentences for _ in range(times)]


def _varied(one: Marked, pools: dict[tuple[bool, str], list[str]], chance: random.Random) -> Marked:
    said: list[str] = []
    gaps: list[str] = []
    last = 0
    for part in one.parts:
        words = one.text[part.start : part.end]
        if part.kind in SWAPPED and chance.random() < 0.5:
            words = chance.choice(pools[_chinese(one), part.kind])
        said.append(f"[{part.kind} {words}]")
        gaps.append(one.text[last : part.start])
        last = part.end
    if chance.random() < SHUFFLED:
        return unmark(_shuffled(one, said, chance), one.confirm, one.level)
    pairs = zip(gaps, said, strict=True)
    return unmark("".join(a + b for a, b in pairs) + one.text[last:], one.confirm, one.level)


def _shuffled(one: Marked, said: list[str], chance: random.Random) -> str:
    """In another order, as people dash it off; words that ask stay before what they ask for."""
    units: list[list[str]] = []
    for n, part in enumerate(one.parts):
        if n and one.parts[n - 1].kind == ASKING and part.kind in (CONTENT, WHO):
            units[-1].append(said[n])
        else:
            units.append([said[n]])
    chance.shuffle(units)
    space = "" if _chinese(one) else " "
    gap = chance.choice([space, space, " ", "，" if _chinese(one) else ", "])
    return gap.join(space.join(unit) for unit in units)


def _chinese(one: Marked) -> bool:
    return HAN.search(one.text) is not None


def train(sentences: Sequence[Marked], rounds: int = ROUNDS, times: int = VARIATIONS) -> str:
    """The weights as they are kept. No sentence that is kept aside may be among them."""
    names = common_clues(sentences)
    one = partial(_training, sentences, names, rounds, times)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        trainings = list(processes.map(one, SEEDS))
    summed = [sum(weights) for weights in zip(*trainings, strict=True)]
    return _kept(dict(zip(names, summed, strict=True)), STOPS * len(SEEDS))


def _training(
    sentences: Sequence[Marked], names: Sequence[str], rounds: int, times: int, seed: int
) -> list[int]:
    """The sum of the weights at all stops: few enough that no lane reaches the next one."""
    chance = random.Random(seed)  # noqa: S311 - nobody has to be unable to guess it
    numbers = {name: number for number, name in enumerate(names)}
    varied = variations(sentences, times, chance)
    lessons = [Lesson(one, numbers) for one in (*sentences, *varied)]
    weights, summed = [0] * len(names), [0] * len(names)
    steps = rounds * len(lessons)
    stops = {steps * stop // STOPS for stop in range(1, STOPS + 1)}
    step = 0
    for _ in range(rounds):
        chance.shuffle(lessons)
        for lesson in lessons:
            _learn(lesson, weights)
            step += 1
            if step in stops:
                summed = list(map(add, summed, weights))
    return summed


def _learn(lesson: Lesson, weights: list[int]) -> None:
    said = [[weights[clue] for clue in one] for one in lesson.own]
    shared = [[weights[clue] for clue in one] for one in lesson.shared]
    after = {f"={kind}": weights[n] for n, kind in enumerate((START, *KINDS))}
    guess = Tagger(after).path(sums(lesson.words, said, shared))
    if guess == lesson.kinds:
        return
    right, wrong = _steps(lesson.kinds), _steps(guess)
    whole: set[int] = set()
    for (start, end), clause in zip(lesson.words.clauses, lesson.shared, strict=False):
        places = [n for n in range(start, end) if lesson.kinds[n] != guess[n]]
        seen = {STEP[lesson.kinds[n]] - STEP[guess[n]] for n in places}
        _add(weights, clause, sum(seen))  # once a clause: a long one must not shout
        whole |= seen
    for own, delta in zip(lesson.own, map(sub, right, wrong), strict=True):
        _add(weights, own, delta)
    _add(weights, lesson.shared[-1], sum(whole))
    for kinds, sign in ((lesson.kinds, 1), (guess, -1)):
        for before, kind in zip((START, *kinds), kinds, strict=False):
            if before != kind:
                weights[(START + KINDS).index(before)] += sign * STEP[kind]


def _add(weights: list[int], clues: Iterable[int], delta: int) -> None:
    for clue in clues if delta else ():
        weights[clue] += delta


def _steps(kinds: Sequence[str]) -> list[int]:
    """What each word adds: its kind, and at the first of a part also that it begins one."""
    return [
        STEP[kind] + (STEP[kind.upper()] if before != kind else 0)
        for before, kind in zip(("", *kinds), kinds, strict=False)
    ]


def _kept(summed: dict[str, int], times: int) -> str:
    lines = [f"#\t{fingerprint(['requests'])}"]
    for clue in sorted(summed):
        smallest = 1 if clue[0] == "=" else SMALLEST
        bias = {CONFIRM: WISH_BIAS} if clue[0] == "=" else {}
        totals = lanes(summed[clue])
        if max(map(abs, totals)) > HALF // 2:
            raise OverflowError(f"{clue!r}: a sum is near the end of its lane: take fewer STOPS")
        said = "".join(
            f"{kind}{value}"
            for kind, total in zip(NAMES, totals, strict=True)
            if abs(value := total * SCALE // times + bias.get(kind, 0)) >= smallest
        )
        if said:
            lines.append(f"{clue}\t{said}")
    return "\n".join(lines) + "\n"


def sentences(aside: bool) -> list[Marked]:
    return [one for some in marked_requests().values() for one in some if one.aside is aside]


def main() -> None:
    to = Path(__file__).with_name("weights.tsv")
    to.write_text(train(sentences(aside=False)), encoding="utf-8")
    sys.stdout.write(f"parts: {to.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
