"""A question to people, in an order, until one of them answers. Plain values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from clarion.base.ids import ContactId, UserId

QuestionId = NewType("QuestionId", str)


class QuestionStatus(StrEnum):
    OPEN = "open"
    ANSWERED = "answered"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class AskedPerson:
    """One who was told the question, and when."""

    contact_id: ContactId
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PutQuestion:
    id: QuestionId
    user_id: UserId
    """Whose contacts are asked."""
    text: str
    answers: tuple[str, ...]
    people: tuple[ContactId, ...]
    """In the order in which they are asked."""
    wait: int
    """Seconds until the next one is asked as well."""
    deadline: datetime
    created_at: datetime
    created_by: str = ""
    status: QuestionStatus = QuestionStatus.OPEN
    asked: tuple[AskedPerson, ...] = ()
    answer: str | None = None
    answered_by: ContactId | None = None
    answered_at: datetime | None = None
    version: int = 1

    @property
    def is_open(self) -> bool:
        return self.status is QuestionStatus.OPEN

    def was_asked(self, contact_id: ContactId) -> bool:
        return any(one.contact_id == contact_id for one in self.asked)
