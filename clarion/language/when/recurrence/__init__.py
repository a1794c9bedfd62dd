"""What happens again, and when next: one type, whatever it was written in."""

from clarion.language.when.recurrence.pattern import read_pattern
from clarion.language.when.recurrence.rule import Recurrence

__all__ = ["Recurrence", "read_pattern"]
