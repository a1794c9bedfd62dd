"""Claimed tasks on their way to a slot: bounded, the best rank first.

A full buffer loses nothing: what does not fit goes back to the store, in the same order. A
newcomer of better rank takes the place of the worst one instead of waiting behind it.
"""

import asyncio
import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from clarion.tasks.model import Level
from clarion.tasks.ports import Claim


@dataclass(order=True, slots=True)
class QueueItem:
    """Sorted by rank, and first come first served within one."""

    rank: float
    sequence: int
    payload: Claim = field(compare=False)

    @classmethod
    def of(cls, claim: Claim) -> "QueueItem":
        return cls(claim.rank.timestamp(), claim.sequence, claim)

    @property
    def is_critical(self) -> bool:
        """By its base alone: ageing never lifts a task into the reserved lane."""
        return self.payload.task.base >= Level.CRITICAL


class Buffer(asyncio.PriorityQueue[QueueItem]):
    """An `asyncio.PriorityQueue` with a way in that never waits and never refuses.

    Whoever gets an item calls `task_done`, so that `join` means: all of it was carried out.
    """

    _queue: list[QueueItem]

    def __aiter__(self) -> "Buffer":
        return self

    async def __anext__(self) -> QueueItem:
        return await self.get()

    def offer(self, item: QueueItem) -> QueueItem | None:
        """Put it in. When that is one too many, the worst one is handed back."""
        try:
            self.put_nowait(item)
        except asyncio.QueueFull:
            worst = max(self._queue)
            if worst < item:
                return item
            self._take_out(worst)
            self.put_nowait(item)
            return worst
        return None

    def worst_rank(self) -> datetime | None:
        """None when nothing waits here."""
        return max(self._queue).payload.rank if self._queue else None

    def take_critical(self) -> QueueItem | None:
        """The best critical one, for a reserved slot that has become free."""
        return self._take(item for item in self._queue if item.is_critical)

    def take_control(self) -> QueueItem | None:
        """The best of what people do themselves, for a slot that is kept for it."""
        return self._take(item for item in self._queue if item.payload.task.control)

    def _take(self, among: Iterable[QueueItem]) -> QueueItem | None:
        found = min(among, default=None)
        if found is not None:
            self._take_out(found)
        return found

    def take_all(self) -> list[QueueItem]:
        everything = list(self._queue)
        for item in everything:
            self._take_out(item)
        return everything

    def _take_out(self, item: QueueItem) -> None:
        self._queue.remove(item)
        heapq.heapify(self._queue)
        self.task_done()


class SlotLane:
    """Some slots and the buffer they are fed from."""

    __slots__ = ("begun", "buffer", "busy", "slots")

    def __init__(self, slots: int, buffered_max: int) -> None:
        self.slots = slots
        self.buffer = Buffer(buffered_max)
        self.busy = 0
        self.begun = 0
        """How many began since somebody last set this to zero."""

    @property
    def idle(self) -> int:
        """Slots that nothing is on the way to; negative when some have to wait."""
        return self.slots - self.busy - self.buffer.qsize()
