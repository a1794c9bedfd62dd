"""What a dialogue remembers between two sentences. Plain values, one row per chat or device."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

TURNS_MAX = 10
LETTERS_MAX = 500


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: `role` is `user` or `assistant`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question of ours that waits for an answer: the slot that the next words may fill."""

    slot: str
    """`when` a reminder is meant; `which` one; whether `once` or for ever; `what` to remind of."""
    text: str
    """The question, as it was asked."""
    request: str = ""
    """The sentence that could not be carried out yet."""
    choices: tuple[str, ...] = ()
    """Ids, in the order in which they were named."""


@dataclass(frozen=True, slots=True)
class Act:
    """One action, with what is needed to undo it."""

    verb: str
    """`set`, `changed`, `cancelled`, `confirmed`."""
    id: str
    before: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hints:
    """What words like "that one" may refer to."""

    ringing: str = ""
    recent: tuple[str, ...] = ()
    """What was last set or changed, the newest last."""
    listed: tuple[str, ...] = ()
    """What was last read out, in that order."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    question: Question | None = None
    said: str = ""
    """What Clarion said last."""
    acts: tuple[Act, ...] = ()
    """What the last sentence that did anything did."""
    listed: tuple[str, ...] = ()
    """Reminders in the order in which they were read out."""
    turns: tuple[Said, ...] = ()

    @property
    def last(self) -> Act | None:
        """What was set or changed last; None when nothing was, or several at once."""
        made = [act for act in self.acts if act.verb in ("set", "changed")]
        return made[0] if len({act.id for act in made}) == 1 else None

    def after(self, heard: str, said: str) -> "Dialogue":
        turns = (*self.turns, Said("user", heard[:LETTERS_MAX]))
        if said:
            turns = (*turns, Said("assistant", said[:LETTERS_MAX]))
        return replace(self, turns=turns[-TURNS_MAX:], said=said or self.said)


EMPTY = Dialogue()


def dump(dialogue: Dialogue) -> dict[str, Any]:
    return asdict(dialogue)


def load(kept: Mapping[str, Any]) -> Dialogue:
    question = kept.get("question")
    return Dialogue(
        question=Question(**{**question, "choices": tuple(question["choices"])})
        if question
        else None,
        said=kept.get("said", ""),
        acts=tuple(Act(**act) for act in kept.get("acts", ())),
        listed=tuple(kept.get("listed", ())),
        turns=tuple(Said(**turn) for turn in kept.get("turns", ())),
    )
