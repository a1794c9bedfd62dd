"""Fits weights to examples. Needs numpy, which only training needs.

Multinomial logistic regression by Adagrad over small batches, in double precision and one fixed
order: the same examples and settings give the same bytes, on any machine.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clarion.language.learned.weights import STEPS

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train. `drop` is the share of features left out at each step, against rote."""

    epochs: int = 10
    rate: float = 0.6
    drop: float = 0.3
    batch: int = 64
    shrink: float = 1e-6
    seed: int = 1
    times: int = 3
    """So many trainings in another order each, whose mean is kept: steadier than one."""
    seen: int = 2
    """A feature that fewer examples have is rote, and left out."""
    kept: int | None = None
    """So many features, those that a first training gives most weight; all if None."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Each example as row numbers of the table; example i has index[start[i]:start[i + 1]]."""

    index: Whole
    start: Whole

    def take(self, chosen: Whole) -> tuple[Whole, Whole]:
        """The rows of the chosen examples, one after another, and whose each one is."""
        lengths = (self.start[1:] - self.start[:-1])[chosen]
        before = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        places = np.repeat(self.start[chosen] - before, lengths) + np.arange(lengths.sum())
        return self.index[places], np.repeat(np.arange(len(chosen)), lengths)


def common(features: Iterable[Collection[int]], seen: int) -> list[int]:
    """The features that at least so many examples have, in order: the rows of the table."""
    counted = Counter(feature for each in features for feature in set(each))
    return sorted(feature for feature, times in counted.items() if times >= seen)


def rows_of(features: Sequence[Collection[int]], known: Sequence[int]) -> Rows:
    places = {feature: at for at, feature in enumerate(known)}
    rows = [[places[f] for f in sorted(set(each)) if f in places] for each in features]
    start = np.concatenate(([0], np.cumsum([len(each) for each in rows])))
    return Rows(np.array([at for each in rows for at in each], np.int64), start.astype(np.int64))


@dataclass(frozen=True, slots=True)
class Lessons:
    """What is taught: the examples, which classes are right for each, and how much each counts."""

    rows: Rows
    allowed: Floats
    counts: Floats


def fit(
    lessons: Lessons, size: int, plan: Plan, feared: Floats | None = None
) -> tuple[Floats, Floats]:
    """The table of weights (`size` rows) and the bias. `allowed` is one where a class is right.

    An example may allow several classes: then only their sum is taught. A class that is `feared`
    is thought that much likelier while learning than it is, so that most is learned from what
    looks like it and is not.
    """
    fear = np.zeros(lessons.allowed.shape[1]) if feared is None else feared
    table, bias = _fit(lessons, size, plan, plan.seed, fear)
    for seed in range(plan.seed + 1, plan.seed + plan.times):
        more, shift = _fit(lessons, size, plan, seed, fear)
        table += more
        bias += shift
    return table / plan.times, bias / plan.times + fear


def telling(lessons: Lessons, known: list[int], plan: Plan, feared: Floats) -> list[int]:
    """The features that are worth keeping, by how much one short training makes of them."""
    if plan.kept is None or len(known) <= plan.kept:
        return known
    table, _ = fit(lessons, len(known), replace(plan, times=1, epochs=plan.epochs // 2), feared)
    best = np.argsort(-np.abs(table).max(axis=1), kind="stable")[: plan.kept]
    return [known[at] for at in np.sort(best)]


def _fit(lessons: Lessons, size: int, plan: Plan, seed: int, fear: Floats) -> tuple[Floats, Floats]:
    dice = np.random.Generator(np.random.PCG64(seed))
    count, kinds = lessons.allowed.shape
    table = np.zeros((size, kinds))
    spread = np.full(size, 1e-2)
    bias = np.zeros(kinds)
    for epoch in range(plan.epochs):
        rate = plan.rate * (1 - epoch / plan.epochs)
        order = dice.permutation(count)
        for begin in range(0, count, plan.batch):
            chosen = order[begin : begin + plan.batch]
            index, whose = lessons.rows.take(chosen)
            kept = dice.random(len(index)) >= plan.drop
            index, whose = index[kept], whose[kept]
            each = 1 / np.sqrt(np.maximum(np.bincount(whose, minlength=len(chosen)), 1))
            scores = _summed(table, index, whose, each) + bias + fear
            wrong = _wrong(scores, lessons.allowed[chosen]) * lessons.counts[chosen, None]
            bias -= 0.01 * rate * wrong.sum(axis=0)
            _step(table, spread, index, (wrong * each[:, None])[whose], rate, plan.shrink)
    return table, bias


def _summed(table: Floats, index: Whole, whose: Whole, each: Floats) -> Floats:
    out = np.zeros((len(each), table.shape[1]))
    heads = np.flatnonzero(np.diff(whose, prepend=-1))
    if len(index):
        out[whose[heads]] = np.add.reduceat(table[index], heads, axis=0)
    return out * each[:, None]


def _wrong(scores: Floats, allowed: Floats) -> Floats:
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    chance = parts / parts.sum(axis=1, keepdims=True)
    right = chance * allowed
    return np.asarray(chance - right / right.sum(axis=1, keepdims=True))


def _step(
    table: Floats, spread: Floats, index: Whole, wrong: Floats, rate: float, shrink: float
) -> None:
    order = np.argsort(index, kind="stable")
    ordered = index[order]
    heads = np.flatnonzero(np.diff(ordered, prepend=-1))
    touched = ordered[heads]
    slope = np.add.reduceat(wrong[order], heads, axis=0) + shrink * table[touched]
    spread[touched] += (slope * slope).mean(axis=1)
    table[touched] -= rate * slope / np.sqrt(spread[touched])[:, None]


def chances(rows: Rows, table: Floats, bias: Floats) -> Floats:
    """As `Linear.chances`, for many at once and before rounding."""
    everyone = np.arange(len(rows.start) - 1)
    index, whose = rows.take(everyone)
    each = 1 / np.sqrt(np.maximum(np.diff(rows.start), 1))
    scores = _summed(table, index, whose, each) + bias
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def packed(
    known: Sequence[int],
    table: Floats,
    bias: Floats,
    classes: Sequence[str],
    plan: Plan,
    about: Mapping[str, Any],
) -> bytes:
    """The file that `Linear` reads. The few greatest weights are cut to keep the steps fine."""
    top = float(np.quantile(np.abs(table[table != 0]), 0.9995))
    scale = float(f"{top / STEPS:.6g}")
    steps = np.clip(np.round(np.round(table / scale, 6)), -STEPS, STEPS).astype(np.int64) + 128
    head = {
        "classes": list(classes),
        "features": len(known),
        "scale": scale,
        "bias": [float(f"{value:.6g}") for value in bias],
        "plan": asdict(plan),
        **about,
    }
    features = np.array(known, "<u4").tobytes()
    line = json.dumps(head, ensure_ascii=False).encode() + b"\n"
    return line + features + steps.astype(np.uint8).tobytes()
