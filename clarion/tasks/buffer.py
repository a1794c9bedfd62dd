"""Claimed tasks on their way to a slot: the best first; ordinary ones give way to urgent ones."""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from clarion.base.clock import Clock
from clarion.tasks.model import Level
from clarion.tasks.ports import Claim

GIVES_WAY_SECONDS = 0.010  # two commits take less, unless the disk is slow
RESTS_TIMES = 3  # as long as it gave way: ordinary tasks lose at most a quarter of the time


class QueueItem(NamedTuple):
    """Sorted by rank, and first come first served within one. A plain tuple is compared fastest."""

    rank: datetime
    sequence: int
    fence: int
    payload: Claim

    @classmethod
    def of(cls, claim: Claim) -> "QueueItem":
        return cls(claim.rank, claim.sequence, claim.fence, claim)

    @property
    def is_critical(self) -> bool:
        """By its base priority alone: waiting never lifts a task into the reserved lane."""
        return self.payload.task.base >= Level.CRITICAL

    @property
    def is_urgent(self) -> bool:
        """By its base priority alone too."""
        return self.payload.task.base >= Level.HIGH


class GivingWay:
    """Holds ordinary tasks back for a moment while an urgent one is being written and claimed.

    There is one event loop: otherwise the answer of the database would wait until a hundred of
    them have begun.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = self._until = self._rests_until = 0.0
        self._over = asyncio.Event()

    def expect(self) -> None:
        """An urgent one is on its way."""
        now = self._clock.monotonic()
        if now >= self._rests_until:
            self._since, self._until = now, now + GIVES_WAY_SECONDS
            self._rests_until = now + (1 + RESTS_TIMES) * GIVES_WAY_SECONDS

    def arrived(self) -> None:
        if self.is_due:
            now = self._clock.monotonic()
            self._until, self._rests_until = 0.0, now + RESTS_TIMES * (now - self._since)
        self._over.set()

    @property
    def is_due(self) -> bool:
        return self._until > 0.0 and self._clock.monotonic() < self._until

    async def wait(self) -> None:
        self._over.clear()
        left = max(0.0, self._until - self._clock.monotonic())
        timer = asyncio.get_running_loop().call_later(left, self._over.set)
        try:
            await self._over.wait()
        finally:
            timer.cancel()


class Buffer:
    """Bounded, the best rank first; slots take from it by `async for`.

    A full buffer loses nothing: what does not fit goes back to the store, in the same order. A
    new task of better rank takes the place of the worst one instead of waiting behind it.
    The consumer of an item calls `task_done`, so that `join` waits until all were carried out.

    A batch wakes one slot, which wakes two more, and so on while there is something left: one
    slot may be through with a batch of quick tasks before fifty others have looked.
    """

    def __init__(self, maxsize: int) -> None:
        self.maxsize = maxsize
        self.giving_way: GivingWay | None = None
        self._items: list[QueueItem] = []
        self._sleeping: deque[asyncio.Future[None]] = deque()
        self._waking = 0
        """Slots that were woken and have not looked yet. While something is here, there is one, or
        nobody sleeps."""
        self._unfinished = 0
        self._finished = asyncio.Event()
        self._finished.set()

    def __len__(self) -> int:
        return len(self._items)

    def __aiter__(self) -> "Buffer":
        return self

    async def __anext__(self) -> QueueItem:
        while (gives := self._gives_way()) or not self._items:
            await (self._give_way(gives) if gives else self._sleep())
        return heapq.heappop(self._items)

    def _gives_way(self) -> GivingWay | None:
        """None when ordinary tasks may begin."""
        giving = self.giving_way
        return giving if giving is not None and giving.is_due else None

    def offer(self, item: QueueItem) -> QueueItem | None:
        """Put it in. When the buffer is full, the worst item is returned."""
        worst = None
        if len(self._items) >= self.maxsize:
            worst = max(self._items)
            if worst < item:
                return item
            self._take_out(worst)
        heapq.heappush(self._items, item)
        self._unfinished += 1
        if not self._waking:
            self._wake(1)
        return worst

    def task_done(self) -> None:
        if self._unfinished <= 0:
            raise ValueError("more were done than there were")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self) -> None:
        """Return when everything that was put in is done, or taken out again."""
        while self._unfinished:
            self._finished.clear()
            await self._finished.wait()

    def worst_rank(self) -> datetime | None:
        """None when nothing waits here."""
        return max(self._items).payload.rank if self._items else None

    def take_critical(self) -> QueueItem | None:
        """The best critical one, for a reserved slot that has become free."""
        return self._take(item for item in self._items if item.is_critical)

    def take_control(self) -> QueueItem | None:
        """The best control task, for a slot that is kept for those."""
        return self._take(item for item in self._items if item.payload.task.control)

    def take_urgent(self) -> QueueItem | None:
        """The best urgent one, for a slot beside the ordinary ones."""
        return self._take(item for item in self._items if item.is_urgent)

    def take_of(self, fits: Callable[[str], bool]) -> QueueItem | None:
        """The best one of these kinds, for a slot that is kept for those."""
        return self._take(item for item in self._items if fits(item.payload.task.kind))

    def take_all(self) -> list[QueueItem]:
        everything, self._items = self._items, []
        for _ in everything:
            self.task_done()
        return everything

    def _take(self, among: Iterable[QueueItem]) -> QueueItem | None:
        found = min(among, default=None)
        if found is not None:
            self._take_out(found)
        return found

    def _take_out(self, item: QueueItem) -> None:
        self._items.remove(item)
        heapq.heapify(self._items)
        self.task_done()

    async def _give_way(self, giving: GivingWay) -> None:
        try:
            await giving.wait()
        except asyncio.CancelledError:
            self._wake(min(1, len(self._items)))  # in place of this one
            raise

    async def _sleep(self) -> None:
        woken = asyncio.get_running_loop().create_future()
        self._sleeping.append(woken)
        try:
            await woken
        except asyncio.CancelledError:
            if not woken.cancelled():
                self._waking -= 1
                self._wake(min(1, len(self._items)))  # in place of this one
            raise
        self._waking -= 1
        self._wake(min(2, len(self._items) - 1))

    def _wake(self, number: int) -> None:
        while number > 0 and self._sleeping:
            woken = self._sleeping.popleft()
            if not woken.cancelled():
                woken.set_result(None)
                self._waking += 1
                number -= 1
