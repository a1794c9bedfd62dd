"""What may begin: paused queues and kinds, how many of a kind run at a time, how fast. Values.

They hold for all servers together. A task that may not begin is *held*: it stays ready, with its
place, and begins when its gate opens. What people do themselves passes every pause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from clarion.tasks.model import Task


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in each such time, evenly: the next one begins `apart` after the one before."""

    number: int
    per: timedelta = timedelta(seconds=1)

    @property
    def apart(self) -> timedelta:
        return self.per / self.number


@dataclass(frozen=True, slots=True)
class KindLimit:
    concurrency: int | None = None
    """How many run at a time, on all servers together; None: as many as there is room for."""
    rate: Rate | None = None

    def __bool__(self) -> bool:
        return self.concurrency is not None or self.rate is not None


@dataclass(frozen=True, slots=True)
class Gates:
    """False when everything may begin."""

    paused_queues: frozenset[str] = frozenset()
    paused_kinds: frozenset[str] = frozenset()
    limits: Mapping[str, KindLimit] = field(default_factory=dict)
    """By the name of the kind."""

    def __bool__(self) -> bool:
        return bool(self.paused_queues or self.paused_kinds or self.limits)

    def stops(self, task: Task) -> bool:
        is_paused = task.queue in self.paused_queues or task.kind in self.paused_kinds
        return is_paused and not task.control


OPEN = Gates()
UNLIMITED = KindLimit()
