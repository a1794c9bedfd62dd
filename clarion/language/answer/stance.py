"""What one clause of a reply says about the task."""

from enum import StrEnum
from typing import NamedTuple


class Stance(StrEnum):
    """The value is how a reason names it."""

    DONE = "done"
    AT_ONCE = "at once"
    PROMISED = "promised"
    AGREED = "agreed"
    MILDLY_AGREED = "mildly agreed"
    THANKED = "thanked"

    NOT_DONE = "not done"
    REFUSED = "refused"
    PUT_OFF = "put off"
    UNABLE = "unable"
    NOT_NEEDED = "not needed"
    STOP = "told to stop"

    ASKED = "asked"
    DOUBTED = "doubted"
    PARTLY = "partly done"
    MAYBE = "promised nothing"
    QUOTED = "quoted somebody"
    SUPPOSED = "supposed"
    OTHER_PERSON = "somebody else's"
    OTHER_DAY = "another time's"
    OTHER_THING = "something else"
    REQUEST = "asked a favour"
    ELSEWHERE = "said to somebody else"
    GRUMBLED = "grumbled"
    NOTHING = "nothing about the task"


POSITIVE = frozenset(
    (
        Stance.DONE,
        Stance.AT_ONCE,
        Stance.PROMISED,
        Stance.AGREED,
        Stance.MILDLY_AGREED,
        Stance.THANKED,
    )
)
NEGATIVE = frozenset(
    (
        Stance.NOT_DONE,
        Stance.REFUSED,
        Stance.PUT_OFF,
        Stance.UNABLE,
        Stance.NOT_NEEDED,
        Stance.STOP,
    )
)
BLOCKING = frozenset(
    (
        Stance.DOUBTED,
        Stance.PARTLY,
        Stance.MAYBE,
        Stance.SUPPOSED,
        Stance.OTHER_PERSON,
        Stance.OTHER_DAY,
    )
)
"""What takes the certainty from a yes beside it."""


class Reading(NamedTuple):
    """What one clause says, by which rule."""

    stance: Stance
    rule: str
    clause: str
    corrects: bool = False
    """What was said before this is taken back."""
    contrasts: bool = False
    """Opens with 但是, but."""
    mentions_task: bool = False
    bare: bool = False
    """A lone 不 or 没 with nothing after it."""
    foreign: bool = False
    """Holds words that belong to something else."""
