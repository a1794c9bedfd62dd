"""Words of time that nobody could read, beside what was read: half 9 o'clock."""

import re

from clarion.language.when.mention import Mention
from clarion.language.when.stream import UNREAD, UNREAD_DAY, Piece


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
        before = index > 0 and _within(wish, pieces[index - 1])
        following = index + 2 if _is_joint(pieces, index + 1) else index + 1
        behind = following < len(pieces) and _within(wish, pieces[following])
        closed = index + 1 == len(pieces) or pieces[index + 1].kind in ("sep", "dash")
        if behind or (before and (closed or piece.value == UNREAD_DAY)):
            return True
    return False


def _is_joint(pieces: list[Piece], index: int) -> bool:
    """5, 10 and 15 minutes from now: what stands before the "and" is of the same kind."""
    return index < len(pieces) and pieces[index].kind in ("and", "or") and index > 1


def _numbers_a_thing(piece: Piece, text: str) -> bool:
    """Room 4, £45, turns 30: a number that its noun counts, or too large for an hour or a day."""
    figures = text[piece.start : piece.end]
    if not figures.isdecimal():
        return False
    return int(figures) > DAYS_OF_MONTH or _NUMBERED.search(text, 0, piece.start) is not None


DAYS_OF_MONTH = 31
_NUMBERED = re.compile(
    r"(?:[$£€¥#]|\b(?:room|gate|bus|flat|platform|line|floor|number|no|page|chapter|unit|apartment"
    r"|apt|table|seat|exit|terminal|lane|ward|bay|studio|court|hall|building|class|grade|level"
    r"|part|season|episode|version|size|channel|route|turns|turning|aged?|track|stand|bed|locker"
    r"|pitch|field|theatre|cinema|screen|suite|year|type|option|item|door|desk|pier|dock|zone"
    r"|tram|train|stage|lesson|module|step|question|section|group|team|room no|block)\.?) ?$"
)


def _within(wish: Mention, piece: Piece) -> bool:
    return any(start <= piece.start and piece.end <= end for start, end in wish.spans)
