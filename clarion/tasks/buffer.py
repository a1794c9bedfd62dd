"""Claimed tasks on their way to a slot: bounded, the best rank first.

A full buffer loses nothing: what does not fit goes back to the store, in the same order. A
newcomer of better rank takes the place of the worst one instead of waiting behind it.
"""

import asyncio
import heapq
from dataclasses import dataclass, field

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
        return cls(claim.task.rank.timestamp(), claim.sequence, claim)


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
            self._queue[self._queue.index(worst)] = item
            heapq.heapify(self._queue)
            return worst
        return None

    def worst(self) -> QueueItem | None:
        return max(self._queue, default=None)

    def take_critical(self) -> QueueItem | None:
        """The best critical one, for a reserved slot that has become free."""
        found = min((one for one in self._queue if is_critical(one.payload)), default=None)
        if found is not None:
            self._remove(found)
        return found

    def take_all(self) -> list[QueueItem]:
        return [self._taken() for _ in range(self.qsize())]

    def _remove(self, item: QueueItem) -> None:
        self._queue.remove(item)
        heapq.heapify(self._queue)
        self.task_done()

    def _taken(self) -> QueueItem:
        item = self.get_nowait()
        self.task_done()
        return item


def is_critical(claim: Claim) -> bool:
    """By its base alone: ageing never lifts a task into the reserved lane."""
    return claim.task.base >= Level.CRITICAL
