"""How much room an UNCLEAR reading leaves for somebody else's opinion."""

from typing import Final

from clarion.language.answer.model import LABELS, Label
from clarion.language.answer.reader import known_against
from clarion.language.learned import load
from clarion.language.learned.features import reply_features

_POSSIBLE: Final = 0.3  # of a yes: below that the model is sure that it was none


def leaves_room(reply: str, content: str) -> bool:
    """Whether neither rules nor model found something that speaks against a yes.

    A question, a doubt, a part, another day or person: what was seen stays, whoever thinks
    otherwise. Only where they are in doubt themselves is there room.
    """
    return _yes(reply, content) >= _POSSIBLE and not known_against(reply, content)


def corroborates(evidence: str, content: str) -> bool:
    """Whether the quoted words alone could be a yes to us as well."""
    return _yes(evidence, content) >= _POSSIBLE


def kind_of(text: str, content: str, label: Label) -> str:
    """The likeliest kind inside a label that somebody else decided on."""
    chances = load("answers").chances(reply_features(text, content))
    return max((k for k in chances if LABELS[k] is label), key=lambda kind: chances[kind])


def _yes(text: str, content: str) -> float:
    if not any(character.isalpha() for character in text):
        return 0.0
    chances = load("answers").chances(reply_features(text, content))
    return sum(chances[kind] for kind, label in LABELS.items() if label is Label.CONFIRMED)
