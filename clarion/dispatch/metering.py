"""A meter that only remembers: for tests, benchmarks, and servers that nobody measures."""

from collections import Counter


class Counts:
    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()

    def count(self, name: str, amount: int = 1) -> None:
        self._counted[name] += amount

    def __getitem__(self, name: str) -> int:
        return self._counted[name]
