"""How much room an UNCLEAR reading leaves for somebody else's opinion."""

from typing import Final

from clarion.language.answer.reader import readings_of
from clarion.language.answer.stance import POSITIVE, Stance

_OPEN: Final = POSITIVE | {Stance.NOTHING, Stance.REQUEST}
_ASSERTS: Final = frozenset("VdgDAIY")


def leaves_room(reply: str, content: str) -> bool:
    """Whether the rules found nothing that speaks against a yes.

    A question, a doubt, a part, another day or person, another thing: what the rules did see
    stays, whoever thinks otherwise. Only where they saw nothing is there room.
    """
    readings, _ = readings_of(reply, content)
    return bool(readings) and all(
        reading.stance in _OPEN and not reading.corrects and not reading.contrasts
        for reading in readings
    )


def corroborates(evidence: str, content: str) -> bool:
    """Whether the quoted words hold a word of doing or agreeing that we know ourselves."""
    _, clauses = readings_of(evidence, content)
    return any(_asserts(clause.letters) for clause in clauses)


def _asserts(letters: str) -> bool:
    if not _ASSERTS.isdisjoint(letters):
        return True
    return "O" in letters and ("P" in letters or "t" in letters)
