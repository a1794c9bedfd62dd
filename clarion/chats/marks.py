"""Words with parts in bold, counted as platforms count them: in UTF-16 code units. Pure."""

from dataclasses import dataclass
from typing import Any, TypeAlias

Marks: TypeAlias = tuple[dict[str, Any], ...]
"""Each has `type`, `offset` and `length`, and what a type needs besides, such as `url`."""


@dataclass(frozen=True, slots=True)
class MarkedWords:
    text: str
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Bold:
    text: str


def units(text: str) -> int:
    """An emoji counts two."""
    return len(text) + sum(ord(letter) > 0xFFFF for letter in text)


def joined(*pieces: str | Bold) -> MarkedWords:
    """User text is inserted literally: an asterisk in a title is no markup."""
    text, marks = "", []
    for piece in pieces:
        if isinstance(piece, Bold):
            marks.append({"type": "bold", "offset": units(text), "length": units(piece.text)})
            piece = piece.text
        text += piece
    return MarkedWords(text, tuple(marks))


def moved(marks: Marks, by: int) -> Marks:
    """The same marks after so many units were put before the text."""
    return tuple({**mark, "offset": mark["offset"] + by} for mark in marks)
