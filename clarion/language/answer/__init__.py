"""Yes, no, later: what a person's reply says about their reminder."""

from clarion.language.answer.model import LABELS, Answer, Label
from clarion.language.answer.reader import read

__all__ = ["LABELS", "Answer", "Label", "read"]
