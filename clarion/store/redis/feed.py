"""Claims for workers, from what BullMQ delivers. The database decides about each of them.

A delivery waits here until a slot is free and is then claimed by its id, many in one
transaction. Every two seconds, and always while Redis is away, the claims come straight from
the database instead: a job that Redis lost costs a task those seconds and nothing more. Whoever
overtakes is fetched from there as well: the way through Redis is longer, and what BullMQ delivers
later of them is refused.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeAlias, assert_never

from clarion.base.clock import Clock
from clarion.base.ids import TaskId
from clarion.store.redis.jobs import BEGINNING, Job
from clarion.tasks.broker import Outbox
from clarion.tasks.ports import (
    Claim,
    Done,
    Failed,
    Later,
    News,
    Outcome,
    Released,
    Taken,
    TaskStore,
    Wanted,
)

log = logging.getLogger(__name__)

SWEEP = timedelta(seconds=2)
Adopt: TypeAlias = Callable[[str, str, str, Mapping[str, Any]], Awaitable[TaskId]]
"""Queue, name and reference of a job, the same when it is delivered twice, and its data."""


class Settle(Protocol):
    """Told once how a job ended."""

    def __call__(self, how: str, *, failed: bool = False) -> None: ...


class Delivery:
    """A job that BullMQ holds for us until it is settled."""

    __slots__ = ("job", "picked", "settle")

    def __init__(self, job: Job, settle: Settle) -> None:
        self.job = job
        self.picked = False
        self.settle = settle


class BullFeed:
    """Implements `Feed`. Every courier of this process brings its jobs to `deliver`.

    `is_away`: whether Redis cannot be trusted just now. `bury`: told of tasks that died.
    `adopt`: makes a task of a job that somebody else added, and answers its id.
    """

    def __init__(
        self,
        store: TaskStore,
        outbox: Outbox,
        clock: Clock,
        *,
        is_away: Callable[[], bool],
        bury: Callable[[Failed], None] = lambda _: None,
        adopt: Adopt | None = None,
        sweep: timedelta = SWEEP,
    ) -> None:
        self._store = store
        self._outbox = outbox
        self._clock = clock
        self._is_away = is_away
        self._bury = bury
        self._adopt = adopt
        self._sweep = sweep
        self._swept_at = clock.now()
        self._next_due: datetime | None = None
        self._waiting: dict[TaskId, Delivery] = {}
        self._running: dict[TaskId, Delivery] = {}
        self._listeners: list[Callable[[News], None]] = []
        self._closed = False
        self.delivered = 0
        """How many tasks came by way of BullMQ, for those who count."""

    @property
    def waiting(self) -> frozenset[TaskId]:
        return frozenset(self._waiting)

    def ranks_first(self, task_id: TaskId) -> bool:
        """Whether it is the next of those that wait here."""
        best = min(self._waiting.values(), key=lambda one: one.job.rank, default=None)
        return best is not None and best.job.task_id == task_id

    def listen(self, listener: Callable[[News], None]) -> Callable[[], None]:
        """Deliveries are news. What the database says is, as long as Redis is away, and when
        somebody overtakes.
        """
        self._listeners.append(listener)
        stop = self._store.listen(self._hear)

        def end() -> None:
            self._listeners.remove(listener)
            stop()

        return end

    def nudge(self) -> None:
        """To be called a few times a second: makes workers look when it is time for a sweep."""
        if self._is_away() or self._is_sweep_due(self._clock.now()):
            self._tell(News(self._clock.now(), BEGINNING, critical=False))

    def deliver(self, job: Job, settle: Settle) -> None:
        """`settle` is called when the task has come to an end, or when there is none to do."""
        known = self._waiting.get(job.task_id)
        if self._closed or (known is not None and (known.picked or known.job == job)):
            settle("known")
            return
        if known is not None:
            # It was moved or re-ranked while it waited here: what is told last is how it stands.
            known.settle("replaced")
        self._waiting[job.task_id] = Delivery(job, settle)
        self._tell(News(job.due_at, job.rank, job.is_critical))

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> Taken:
        overtakes = wanted.before is not None
        sweeps = self._is_sweep_due(now) and wanted.any > 0 and not overtakes
        if self._is_away() or sweeps or overtakes:
            if not overtakes:
                self._swept_at = now
            taken = await self._store.turn(outcomes, wanted, now)
            self._next_due = taken.look_at
            self._end(outcomes)
            self._begin(taken.claims)
            return taken
        picked = self._pick(wanted, now)
        if not outcomes and not picked and self._next_due is not None and self._next_due <= now:
            # It fell due this moment and is on its way: a question to the database would only
            # stand in the way of its claim.
            self._next_due = None
            return Taken([], self._look_at(None, now))
        try:
            ids = [delivery.job.task_id for delivery in picked]
            found = await self._outbox.claim_delivered(outcomes, ids, wanted, now)
        except BaseException:
            for delivery in picked:
                delivery.picked = False
            raise
        self._end(outcomes)
        self.delivered += len(found.claims)
        self._begin(found.claims)
        self._refuse(picked, found.busy)
        self._next_due = found.look_at
        return Taken(found.claims, self._look_at(found.look_at, now))

    async def take_in(self, queue: str, name: str, reference: str, data: Mapping[str, Any]) -> str:
        """For a job that is not of our making."""
        if self._adopt is None:
            return "not ours"
        return f"added as {await self._adopt(queue, name, reference, data)}"

    async def close(self) -> None:
        """Deliver nothing more; what was not begun is told to the others again."""
        self._closed = True
        undone = list(self._waiting)
        for delivery in [*self._waiting.values(), *self._running.values()]:
            delivery.settle("left")
        self._waiting.clear()
        self._running.clear()
        if undone:
            await self._outbox.forget(undone)

    def _pick(self, wanted: Wanted, now: datetime) -> list[Delivery]:
        """The best of those that are due; critical ones for the reserved slots besides."""
        ready = sorted(
            (
                delivery
                for delivery in self._waiting.values()
                if not delivery.picked and delivery.job.due_at <= now
            ),
            key=lambda delivery: delivery.job.rank,
        )
        urgent = [one for one in ready if one.job.is_critical][: wanted.critical]
        best = [one for one in ready if wanted.before is None or one.job.rank < wanted.before]
        picked = list({id(one): one for one in [*urgent, *best[: wanted.any]]}.values())
        for delivery in picked:
            delivery.picked = True
        return picked

    def _begin(self, claims: Iterable[Claim]) -> None:
        for claim in claims:
            delivery = self._waiting.pop(claim.task.id, None)
            if delivery is not None:
                self._running[claim.task.id] = delivery

    def _refuse(self, picked: Iterable[Delivery], busy: frozenset[TaskId]) -> None:
        for delivery in picked:
            task_id = delivery.job.task_id
            if self._waiting.get(task_id) is not delivery:
                continue
            if task_id in busy:
                delivery.picked = False
            else:
                del self._waiting[task_id]
                delivery.settle("refused")

    def _end(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            delivery = self._running.pop(outcome.claim.task.id, None)
            match outcome:
                case Done():
                    how = "done"
                case Later():
                    how = "later"
                case Released():
                    how = "released"
                case Failed(_, error, retry_at):
                    if retry_at is None:
                        self._bury(outcome)
                    if delivery is not None:
                        # The task's own retries are the queue's; people see it fail here.
                        delivery.settle(error.strip().rpartition("\n")[2], failed=True)
                    continue
                case _:
                    assert_never(outcome)
            if delivery is not None:
                delivery.settle(how)

    def _look_at(self, next_due: datetime | None, now: datetime) -> datetime | None:
        """What is due and was not delivered yet is on its way; a sweep finds it if it is not."""
        coming = [one.job.due_at for one in self._waiting.values() if one.job.due_at > now]
        if next_due is not None and next_due > now:
            coming.append(next_due)
        return min(coming, default=None)

    def _is_sweep_due(self, now: datetime) -> bool:
        return now - self._swept_at >= self._sweep

    def _hear(self, news: News) -> None:
        urgent = news.overtakes or news.critical
        if self._is_away() or (urgent and news.due_at <= self._clock.now()):
            self._tell(news)

    def _tell(self, news: News) -> None:
        for listener in tuple(self._listeners):
            listener(news)
