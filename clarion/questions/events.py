"""What happens to questions. The subject is the question."""

from dataclasses import dataclass
from datetime import datetime

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPut(Event):
    kind = "question.put"
    text: str
    deadline: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAsked(Event):
    """One of them was told the question."""

    kind = "question.asked"
    contact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswered(Event):
    kind = "question.answered"
    contact: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEnded(Event):
    """Nobody answered in time, or it was taken back."""

    kind = "question.ended"
    status: str
