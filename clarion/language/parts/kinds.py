"""The parts of a request, each with the letter that marks it in the corpora."""

from dataclasses import dataclass

WHEN, CONTENT, ASKING, CONFIRM, NO_CONFIRM, URGENCY, WHO, REST, BETWEEN = "tcafnlwxo"
KINDS = "tcafnlwxo"  # BETWEEN is the punctuation that parts the others


@dataclass(frozen=True, slots=True)
class Part:
    kind: str
    start: int
    end: int
