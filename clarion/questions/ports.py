"""What questions need from a store and from a sender of messages."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from clarion.base.events import Event
from clarion.base.ids import Key, UserId
from clarion.people.model import Contact
from clarion.questions.model import PutQuestion, QuestionId
from clarion.tasks.model import Task


class QuestionChange(Protocol):
    """What is written at once: the next version, or None to leave it, and what follows."""

    @property
    def question(self) -> PutQuestion | None: ...
    @property
    def tasks(self) -> Sequence[Task]: ...
    @property
    def events(self) -> Sequence[Event]: ...
    @property
    def drop(self) -> Sequence[str]: ...


DecideQuestion: TypeAlias = Callable[[PutQuestion], QuestionChange]


class QuestionStore(Protocol):
    """Each method is one transaction."""

    async def add(
        self,
        question: PutQuestion,
        tasks: Sequence[Task],
        events: Sequence[Event],
        now: datetime,
        key: Key | None = None,
    ) -> QuestionId | None:
        """None when it was written; else the one that was put before, by this id or key."""
        ...

    async def get(self, question_id: QuestionId) -> PutQuestion | None: ...

    async def all(self, *, user_id: UserId | None, after: str, limit: int) -> list[PutQuestion]:
        """The newest first."""
        ...

    async def change(
        self, question_id: QuestionId, decide: DecideQuestion, now: datetime
    ) -> PutQuestion | None:
        """Decide on the locked question. Returns its new state; None when there is none."""
        ...


class QuestionTeller(Protocol):
    async def send(self, contact: Contact, title: str, text: str, link: str) -> None:
        """Raises Unavailable when they cannot be told now."""
        ...
