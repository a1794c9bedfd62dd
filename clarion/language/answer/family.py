"""A kind of task: by which words people report it, and whose doing counts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """`shareable`: somebody else's doing counts. `once`: yesterday's doing counts, as with a bill.

    `loose`: the verb says enough by itself, whatever unknown words stand before it (浇, 遛);
    the others go with many objects (吃), so an unknown object makes them unclear.
    """

    signs: str
    """Words in the content that mean this family."""
    verbs: str = ""
    things: str = ""
    finished: str = ""
    """Whole phrases that say it is done."""
    undone: str = ""
    """Whole phrases that say it is not: 还开着, of a window to be shut."""
    sounds: str = ""
    """What a recogniser writes in place of the verb: 迟 for 吃."""
    shareable: bool = False
    once: bool = False
    loose: bool = False
    outdoors: bool = False
    measures: str = ""
