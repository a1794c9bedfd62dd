"""A reminder's content as the reading of its replies needs it."""

from dataclasses import dataclass

from clarion.language.answer.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Task:
    words: Lexicon
    shareable: bool
    """Somebody else's doing counts: the cat is fed, whoever fed it."""
    once: bool
    """Yesterday's doing counts: the bill is paid."""
    loose: bool
    """The verb says enough, whatever unknown words stand before it."""
    outdoors: bool
    """Weather stands in its way."""
    measures: str
    """What is measured, so that a bare value is an answer; else empty."""
    english: Lexicon
    """Words of the task for English replies."""
