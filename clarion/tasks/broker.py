"""What a message broker in front of the queue is told, and what it needs from the database.

The row in the database is the truth. A broker only says, quickly and to the right worker, which
tasks are ready; whatever it forgets, repeats or delays, a claim in the database decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from clarion.base.ids import TaskId
from clarion.tasks.ports import Claim, Outcome, Wanted


@dataclass(frozen=True, slots=True)
class Telling:
    """A task as a broker sees it. `sends` counts: each telling has a name of its own."""

    task_id: TaskId
    queue: str
    kind: str
    base: int
    due_at: datetime
    rank: datetime
    cancelled: bool
    attempt: int
    sends: int


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of the tasks that a broker delivered."""

    claims: list[Claim]
    busy: frozenset[TaskId]
    """Still to be claimed: another transaction had its hand on them for a moment."""
    look_at: datetime | None
    """When the next task falls due, delivered or not."""


class Outbox(Protocol):
    """Each method is one transaction."""

    async def take_unsent(self, until: datetime, most: int, now: datetime) -> list[Telling]:
        """The next to be told with a rank before `until`, the most pressing first.

        They are marked as told at once: who dies before telling them leaves them to the
        workers, who look into the database themselves now and then.
        """
        ...

    async def forget(self, ids: Sequence[TaskId]) -> int:
        """These could not be told."""
        ...

    async def forget_page(self, after: int, before: datetime, most: int) -> int | None:
        """The broker lost its memory: tell again what it was told before then.

        Answers where the next page begins; None when there is none. Begin with 0.
        """
        ...

    async def claim_delivered(
        self, outcomes: Sequence[Outcome], ids: Sequence[TaskId], wanted: Wanted, now: datetime
    ) -> Delivered:
        """Write what became of earlier claims, and claim just these."""
        ...
