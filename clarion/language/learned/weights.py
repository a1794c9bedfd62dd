"""Trained weights, and how much each class is meant by a set of features. Pure Python.

A file is one line of JSON, then the features in order (four bytes each), then one signed byte for
each feature and class. To score, each row is read as one long number with sixteen bits a class, so
that one addition adds all classes at once. A feature that no example had says nothing.
"""

import json
import math
import struct
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final

STEPS: Final = 127  # a weight is a whole number of steps between -127 and 127
_ZERO: Final = 128  # how a weight of nothing is kept, so that sums never borrow from a neighbour
_MOST: Final = 256  # rows at a time: so many of at most 255 each fit into sixteen bits


class Linear:
    def __init__(self, data: bytes) -> None:
        head, _, rows = data.partition(b"\n")
        self.about: Mapping[str, Any] = json.loads(head)
        self.classes: tuple[str, ...] = tuple(self.about["classes"])
        self._bias: list[float] = self.about["bias"]
        self._scale: float = self.about["scale"]
        self._width = 2 * len(self.classes)
        count: int = self.about["features"]
        known, table = rows[: 4 * count], rows[4 * count :]
        wide = bytearray(2 * len(table))
        wide[::2] = table
        starts = range(0, count * self._width, self._width)
        self._start = dict(zip(struct.unpack(f"<{count}I", known), starts, strict=True))
        self._rows = bytes(wide)

    def scores(self, features: Collection[int]) -> list[float]:
        """One number a class, in the order of `classes`; the greatest is the likeliest."""
        start = self._start
        rows = [start[feature] for feature in features if feature in start]
        if not rows:
            return list(self._bias)
        each = self._scale / math.sqrt(len(rows))
        out = list(self._bias)
        for begin in range(0, len(rows), _MOST):
            some = rows[begin : begin + _MOST]
            zero = _ZERO * len(some)
            for at, summed in enumerate(self._summed(some)):
                out[at] += (summed - zero) * each
        return out

    def _summed(self, starts: list[int]) -> memoryview:
        width, rows, number = self._width, self._rows, int.from_bytes
        total = sum([number(rows[at : at + width], "little") for at in starts])
        return memoryview(total.to_bytes(width, "little")).cast("H")

    def chances(self, features: Collection[int]) -> dict[str, float]:
        """The probability of each class; together they are one."""
        scores = self.scores(features)
        top = max(scores)
        parts = [math.exp(score - top) for score in scores]
        whole = sum(parts)
        return {name: part / whole for name, part in zip(self.classes, parts, strict=True)}


@lru_cache(maxsize=8)
def load(name: str) -> Linear:
    """The shipped weights of this name; read from disk when they are first needed."""
    return Linear(resources.files(__package__).joinpath("weights", f"{name}.bin").read_bytes())
