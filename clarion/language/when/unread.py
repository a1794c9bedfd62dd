"""Words of time that no rule could read, where what they say may change the time that was."""

import re

from clarion.language.when.stream import UNREAD, UNREAD_DAY, Mention, Piece
from clarion.language.when.words import NUMBERED


def half_read(wish: Mention, pieces: list[Piece], text: str) -> bool:
    """Whether a word of time that nobody could read touches what was read: half 9 o'clock.

    What it says may change everything, so it is asked about. A number behind the time is
    as often of what is to be done: at 8 two pills.
    """
    for index, piece in enumerate(pieces):
        if piece.kind != "gap" or piece.value not in (UNREAD, UNREAD_DAY):
            continue
        if piece.value == UNREAD and _numbers_a_thing(piece, text):
            continue
        opens = not index or pieces[index - 1].kind in ("verb", "sep")
        if opens and not wish.repeats and text.startswith(_EVERY, piece.start):
            return True  # every full moon at 9
        led = index - 2 if index > 1 and pieces[index - 1].kind == "and" else index - 1
        before = index > 0 and _within(wish, pieces[led])
        following = index + 2 if _is_joint(pieces, index + 1) else index + 1
        behind = following < len(pieces) and _within(wish, pieces[following])
        closed = index + 1 == len(pieces) or pieces[index + 1].kind in ("sep", "dash")
        if behind or (before and (closed or piece.value == UNREAD_DAY)):
            return True
        if before and not wish.clocks and _HOUR_OF_A_THING.match(text, piece.start):
            return True
    return False


# Sunday 6 dinner: a number that counts nothing, as one thing follows it.
_HOUR_OF_A_THING = re.compile(
    r"(?:[2-9]|1[0-2]) (?!(?:more|of|for|x|to|and|or|per)\b)[a-z]*[a-rt-z]\b(?! [a-z]*s\b)"
)


_EVERY = ("every", "each", "每", "逢")


def _is_joint(pieces: list[Piece], index: int) -> bool:
    """5, 10 and 15 minutes from now: what stands before the "and" is of the same kind."""
    return index < len(pieces) and pieces[index].kind in ("and", "or") and index > 1


def _numbers_a_thing(piece: Piece, text: str) -> bool:
    """Room 4, £45, turns 30: a number that its noun counts, or too large for an hour or a day."""
    figures = text[piece.start : piece.end]
    if figures == "hr":  # a meeting with HR
        return True
    if figures in ("minutes", "hours"):  # read the minutes, log my hours
        return text.endswith(("the ", "my ", "our ", "your "), 0, piece.start)
    if figures.isdecimal() and int(figures) > DAYS_OF_MONTH:
        return True
    return NUMBERED.search(text, 0, piece.start) is not None


DAYS_OF_MONTH = 31


def _within(wish: Mention, piece: Piece) -> bool:
    return any(start <= piece.start and piece.end <= end for start, end in wish.spans)
