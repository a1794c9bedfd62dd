"""Words to letters; at each place of a text the longest word that fits wins."""

from collections.abc import Iterable, Mapping

from clarion.language.answer import kinds as k
from clarion.language.script import fold


class Lexicon:
    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = dict(words)
        lengths: dict[str, set[int]] = {}
        for word in self.words:
            if len(word) > 1:
                lengths.setdefault(word[:2], set()).add(len(word))
        self._lengths = {start: sorted(all_, reverse=True) for start, all_ in lengths.items()}

    def longest(self, text: str, at: int) -> tuple[str, int]:
        """The letter and the length of the longest word at this place; length 0 for none."""
        words, left = self.words, len(text) - at
        for length in self._lengths.get(text[at : at + 2], ()):
            kind = words.get(text[at : at + length]) if length <= left else None
            if kind is not None and not _cuts_latin(text, at + length):
                return kind, length
        kind = words.get(text[at])
        if kind is not None and not _cuts_latin(text, at + 1):
            return kind, 1
        return k.ANYTHING, 0


def _cuts_latin(text: str, end: int) -> bool:
    """Whether a word that ends here would end in the middle of a Latin one: ok in okra."""
    return end < len(text) and "a" <= text[end] <= "z" and "a" <= text[end - 1] <= "z"


def table(groups: Iterable[Mapping[str, str]], *, separator: str | None = None) -> dict[str, str]:
    """Word to letter, from lists by letter. The first list that has a word keeps it.

    Where blanks part the words, a blank inside one is written _: no_problem.
    """
    words: dict[str, str] = {}
    for group in groups:
        for kind, listed in group.items():
            for word in listed.split(separator):
                words.setdefault(" ".join(fold(word).replace("_", " ").split()), kind)
    words.pop("", None)
    return words
