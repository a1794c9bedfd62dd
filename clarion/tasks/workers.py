"""Slots that carry out tasks, and the pump that keeps them busy.

One pump a process: each turn writes what became of the last tasks and claims the next ones in
one transaction. It turns when a task is done, when news comes, and when the next one is due.
It claims only a little more than can begin at once, so the order stays the store's.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clarion.base.clock import Clock
from clarion.base.ids import TaskId, new_id
from clarion.base.loop import Loop
from clarion.tasks.buffer import Buffer, QueueItem, is_critical
from clarion.tasks.kinds import Kinds
from clarion.tasks.ports import Claim, Feed, News, Outcome, Released, Taken, TaskStore, Wanted
from clarion.tasks.runner import Held, Runner

log = logging.getLogger(__name__)

DISPLACING_AT_ONCE = 16  # newcomers of better rank that are fetched into a full buffer
AT_ONE_INSTANT_MAX = 10_000  # more than that at one instant is a handler that asks for itself
IDLE = timedelta(seconds=5)  # how long lost news may stay unnoticed


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much one process does at a time."""

    slots: int = 50
    reserved: int = 4
    """Besides `slots`: only critical tasks begin here."""
    buffer: int = 1_000
    lease: timedelta = timedelta(seconds=15)
    patience: timedelta = timedelta(seconds=5)
    """How long a handler may take to stop, when it is cut or when the server stops."""


class Workers:
    def __init__(
        self,
        store: TaskStore,
        kinds: Kinds,
        clock: Clock,
        *,
        slots: int = 50,
        reserved: int = 4,
        buffer: int = 1_000,
        lease: timedelta = timedelta(seconds=15),
        patience: timedelta = timedelta(seconds=5),
        feed: Feed | None = None,
        alone: bool = False,
    ) -> None:
        size = Size(slots=slots, reserved=reserved, buffer=buffer, lease=lease, patience=patience)
        self.name = "tasks"
        self._store = store
        self._feed: Feed = feed or store
        self._clock = clock
        self._size = size
        self._alone = alone
        self._runner = Runner(kinds, clock, patience=size.patience)
        self._worker = new_id("wrk", clock.now())
        self._buffer = Buffer(size.buffer)
        self._critical = Buffer(size.buffer)
        self._held: dict[TaskId, Held] = {}
        self._outcomes: list[Outcome] = []
        self._busy = 0
        self._busy_reserved = 0
        self._begun = 0
        self._look_at: datetime | None = None
        self._eager = False
        self._draining = False
        self._pump = Loop(self, clock, idle=IDLE, least=timedelta(0))
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_settled: Callable[[Outcome], None] = lambda _outcome: None

    async def run_due(self) -> datetime | None:
        """Carry out all that is due, one after the other in their order, then say when more is.

        For a clock that stands still. What a handler adds for this very instant is done too.
        """
        await self._store.take_back(self._clock.now())
        wanted = Wanted(self._worker, self._size.lease, any=1)
        for _ in range(AT_ONE_INSTANT_MAX):
            taken = await self._turn(wanted)
            if not taken.claims:
                return taken.look_at
            for claim in taken.claims:
                self._note(await self._runner.run(Held(claim)))
        raise AssertionError(f"tasks at {self._clock.now()} never end")

    async def run(self) -> None:
        """Until cancelled; then let what runs come to its end, and put back what has not begun."""
        if self._alone:
            await self._take_back_everything()
        stop_listening = self._feed.listen(self._hear)
        for _ in range(self._size.slots):
            self._start(self._serve(self._buffer))
        for _ in range(self._size.reserved):
            self._start(self._serve_reserved())
        self._start(self._pump.run())
        self._start(Loop(Renewer(self), self._clock).run())
        try:
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            stop_listening()
            await self._drain()

    async def run_once(self) -> datetime | None:
        """One turn of the pump; answers when the next task is due."""
        wanted = self._wanted()
        taken = await self._turn(wanted)
        for claim in taken.claims:
            self._accept(claim)
        self._look_at = taken.look_at
        return taken.look_at

    async def renew(self) -> None:
        """Keep what is ours, stop what no longer is, and take over from the dead."""
        now = self._clock.now()
        held = list(self._held.values())
        if held:
            claims = [one.claim for one in held]
            ours = await self._store.renew(claims, self._size.lease, now)
            for one in held:
                if one.claim.task.id not in ours:
                    one.cut("its lease was lost or it was cancelled")
        self._replace_overrun(held)
        await self._store.take_back(now)

    @property
    def beat(self) -> timedelta:
        return self._size.lease / 3

    async def _take_back_everything(self) -> None:
        while await self._store.take_back(self._clock.now(), everybody=True):
            pass

    async def _turn(self, wanted: Wanted) -> Taken:
        outcomes, self._outcomes = self._outcomes, []
        try:
            return await self._feed.turn(outcomes, wanted, self._clock.now())
        except BaseException:
            # Said again next time; the fence makes that harmless if it was heard after all.
            self._outcomes = outcomes + self._outcomes
            raise

    def _wanted(self) -> Wanted:
        begun, self._begun = self._begun, 0
        eager, self._eager = self._eager, False
        idle_reserved = self._size.reserved - self._busy_reserved - self._critical.qsize()
        # The next turn takes about as long as the last one: have enough for that time ready.
        ahead = min(self._size.buffer, 2 * begun)
        room = self._size.slots - self._busy + ahead - self._buffer.qsize()
        worst = self._buffer.worst() if eager and room <= 0 else None
        return Wanted(
            self._worker,
            self._size.lease,
            any=DISPLACING_AT_ONCE if worst else max(0, room),
            critical=max(0, idle_reserved),
            before=worst.payload.task.rank if worst else None,
        )

    def _accept(self, claim: Claim) -> None:
        self._held[claim.task.id] = Held(claim)
        item = QueueItem.of(claim)
        free = self._size.reserved - self._busy_reserved - self._critical.qsize()
        displaced = (self._critical if is_critical(claim) and free > 0 else self._buffer).offer(
            item
        )
        if displaced is not None:
            self._note(Released(displaced.payload))

    def _hear(self, news: News) -> None:
        if news.due_at > self._clock.now():
            if self._look_at is None or news.due_at < self._look_at:
                self._pump.wake()
            return
        worst = self._buffer.worst()
        if worst is None or news.rank < worst.payload.task.rank:
            self._eager = True
            self._pump.wake()
        elif news.critical and self._busy_reserved < self._size.reserved:
            self._pump.wake()

    async def _serve(self, buffer: Buffer) -> None:
        async for item in buffer:
            self._busy += 1
            self._begun += 1
            try:
                await self._carry_out(item.payload)
            finally:
                self._busy -= 1
                buffer.task_done()

    async def _serve_reserved(self) -> None:
        async for item in self._critical:
            self._busy_reserved += 1
            try:
                await self._carry_out(item.payload)
            finally:
                self._busy_reserved -= 1
                self._critical.task_done()
            waiting = self._buffer.take_critical() if self._critical.empty() else None
            if waiting is not None:
                self._critical.put_nowait(waiting)

    async def _carry_out(self, claim: Claim) -> None:
        held = self._held[claim.task.id]
        try:
            outcome = await self._runner.run(held)
        except asyncio.CancelledError:
            self._note(Released(claim))
            raise
        self._note(outcome)
        self._pump.wake()

    def _note(self, outcome: Outcome) -> None:
        self._held.pop(outcome.claim.task.id, None)
        self._outcomes.append(outcome)
        self.on_settled(outcome)

    def _replace_overrun(self, held: list[Held]) -> None:
        """A handler that does not stop keeps its slot busy for ever: open another one."""

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)

    async def _drain(self) -> None:
        for item in (*self._buffer.take_all(), *self._critical.take_all()):
            self._note(Released(item.payload))
        with suppress(TimeoutError):
            async with asyncio.timeout(self._size.patience.total_seconds()):
                await asyncio.gather(self._buffer.join(), self._critical.join())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._turn(Wanted(self._worker, self._size.lease))


class Renewer:
    name = "tasks-leases"

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._clock = workers._clock

    async def run_once(self) -> datetime | None:
        await self._workers.renew()
        return self._clock.now() + self._workers.beat
