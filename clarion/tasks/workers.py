"""Slots that carry out tasks: ordinary ones by rank, some for critical ones, some for people.

Others for urgent ones, and for what waits for programs outside.

A handler that raises, hangs or ignores cancellation costs its own task an attempt and harms no
other task. A slot or a pass that fails by a defect is restarted. A handler that computes for long
blocks the event loop: see `Kind`.
"""

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.ids import new_id, tracing
from clarion.base.loop import Loop, Restarts
from clarion.tasks.buffer import QueueItem
from clarion.tasks.kinds import Kind, Kinds, doubling
from clarion.tasks.model import Level, urgency
from clarion.tasks.ports import (
    RESULT_LETTERS_MAX,
    Again,
    Claim,
    ClaimSource,
    Done,
    Elsewhere,
    Failed,
    HandedOver,
    Later,
    Outcome,
    Released,
    Result,
    TaskStore,
    Wanted,
)
from clarion.tasks.pump import Pump, RunningTask, SlotLane
from clarion.tasks.time_limit import TimeLimit

log = logging.getLogger(__name__)

AT_ONE_INSTANT_MAX = 10_000  # more than that without time going by is a handler gone wild
ERROR_LETTERS_MAX = 8_000  # enough for a deep traceback, too little to fill a disk


class Workers:
    """Runs `slots` tasks at a time, and besides them `reserved` critical and `control` ones.

    `urgent`: how many urgent tasks may run beside them when every slot is busy. Ordinary tasks
    share commits, so their slots become free together, and that may take a while.
    `outside`: how many may wait for programs outside beside them (`Kind.outside`). More than these
    take ordinary slots.
    `alone`: no other process works on this store, so what was running when it starts is free.
    `feed`: where claims come from, when that is not the store itself.
    `patience`: how long a handler may take to stop, when it is cut or when the server stops.
    """

    def __init__(
        self,
        store: TaskStore,
        kinds: Kinds,
        clock: Clock,
        *,
        slots: int = 50,
        reserved: int = 4,
        control: int = 4,
        urgent: int = 8,
        outside: int = 0,
        buffered_max: int = 1_000,
        lease: timedelta = timedelta(seconds=15),
        patience: timedelta = timedelta(seconds=5),
        feed: ClaimSource | None = None,
        alone: bool = False,
        restarts: Restarts | None = None,
    ) -> None:
        self.name = "tasks"
        self.on_settled: Callable[[Outcome], None] | None = None
        """Told what became of each task, before it is written."""
        self._store = store
        self._clock = clock
        self._alone = alone
        self._patience = patience
        self._wanted = Wanted(new_id("wrk", clock.now()), lease)
        self._restarts = restarts or Restarts(clock)
        sizes = {"ordinary": slots, "reserved": reserved, "control": control, "urgent": urgent}
        sizes["outside"] = outside
        self._lanes = {name: SlotLane(size, buffered_max) for name, size in sizes.items()}
        self._ordinary, self._reserved, self._control, self._urgent, self._outside = (
            self._lanes.values()
        )
        self._pump = Pump(
            feed or store,
            clock,
            self._ordinary,
            self._reserved,
            self._control,
            self._wanted,
            urgent=self._urgent,
            outside=self._outside,
            is_outside=kinds.is_outside,
            restarts=self._restarts,
            gates=lambda: kinds.gates,
        )
        self._kinds = kinds
        self._runner = TaskRunner(kinds, clock)
        self._leases = Leases(self, clock, lease / 3)
        self._tasks: set[asyncio.Task[None]] = set()

    async def prepare(self) -> None:
        """Do what would make the first tasks wait; `run` does it, if nobody did before."""
        await self._pump.prepare()

    async def run(self) -> None:
        """Run until cancelled; then let running tasks finish and put back the rest."""
        if self._alone:
            await self._store.take_back(self._clock.now(), everybody=True)
        try:
            for lane in self._lanes.values():
                for _ in range(lane.slots):
                    self._open_slot(lane)
            leases = Loop(self._leases, self._clock, restarts=self._restarts)
            self._start(self._pump.name, self._pump.run)
            self._start(self._leases.name, leases.run)
            await asyncio.Event().wait()
        finally:
            await self._drain()

    async def run_due(self) -> datetime | None:
        """Carry out all due tasks, one after the other in order; returns when the next one is due.

        For a clock that is moved by hand. What a handler adds for this same instant is done too.
        """
        await self._store.take_back(self._clock.now())
        one = replace(self._wanted, any=1, gates=self._kinds.gates)
        with closing(TimeLimit()) as limit:
            for _ in range(AT_ONE_INSTANT_MAX):
                taken = await self._pump.turn(one)
                is_all = taken.look_at is None or taken.look_at > self._clock.now()
                if not taken.claims and is_all:
                    return taken.look_at
                for claim in taken.claims:
                    self._note(await self._runner.run(RunningTask(claim), limit))
        raise AssertionError(f"the tasks of {self._clock.now()} never end")

    def occupied(self) -> list[tuple[str, int, int]]:
        """Each kind of slots: its name, how many there are, how many are at work."""
        return [(name, lane.slots, lane.busy) for name, lane in self._lanes.items()]

    async def keep_leases(self) -> None:
        """Renew leases, stop handlers that lost theirs, take over tasks of dead workers."""
        now = self._clock.now()
        held = list(self._pump.held.values())
        if held:
            claims = [one.claim for one in held]
            ours = await self._store.renew(claims, self._wanted.lease, now)
            for one in held:
                # Some of them ended while we waited for the store: they need nothing more.
                if one.claim.ticket not in ours:
                    one.cut("it was cancelled or given to another worker")
                self._replace_if_stuck(one)
        await self._store.take_back(now)

    async def _serve(self, lane: SlotLane) -> None:
        with closing(TimeLimit()) as limit:
            async for item in lane.buffer:
                lane.busy += 1
                lane.begun += 1
                held = self._pump.held[item.payload.ticket]
                held.lane = lane
                try:
                    await self._carry_out(held, limit)
                finally:
                    self._leave(held)
                if held.abandoned:
                    return
                if lane is not self._ordinary and lane.idle > 0:
                    self._take_over(lane)

    async def _carry_out(self, held: RunningTask, limit: TimeLimit) -> None:
        try:
            outcome = await self._runner.run(held, limit)
        except asyncio.CancelledError:
            self._note(Released(held.claim))
            raise
        if not held.abandoned:
            self._note(outcome)

    def _leave(self, held: RunningTask) -> None:
        """Free the slot. A second call changes nothing."""
        lane, held.lane = held.lane, None
        if lane is not None:
            lane.busy -= 1
            lane.buffer.task_done()

    def _note(self, outcome: Outcome) -> None:
        self._pump.note(outcome)
        if self.on_settled is not None:
            self.on_settled(outcome)

    def _take_over(self, lane: SlotLane) -> None:
        """A special slot is free: a waiting task that may use it begins."""
        buffer = self._ordinary.buffer
        take: dict[SlotLane, Callable[[], QueueItem | None]] = {
            self._reserved: buffer.take_critical,
            self._control: buffer.take_control,
            self._urgent: buffer.take_urgent,
            self._outside: partial(buffer.take_of, self._kinds.is_outside),
        }
        waiting = take[lane]()
        if waiting is not None:
            lane.buffer.offer(waiting)

    def _replace_if_stuck(self, held: RunningTask) -> None:
        """Open another slot in place of one whose handler did not stop when it was cut."""
        lane = held.lane
        if lane is None or not held.is_stuck(self._patience):
            return
        log.error("handler does not stop", extra={"task": held.claim.task.id})
        held.abandoned = True
        self._leave(held)
        self._open_slot(lane)
        self._note(self._runner.overrun(held.claim))

    def _open_slot(self, lane: SlotLane) -> None:
        self._start("tasks-slot", partial(self._serve, lane))

    def _start(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.create_task(self._restarts.keep(name, run), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _drain(self) -> None:
        await self._pump.close()
        lanes = self._lanes.values()
        for item in [item for lane in lanes for item in lane.buffer.take_all()]:
            self._note(Released(item.payload))
        running = asyncio.gather(*(lane.buffer.join() for lane in lanes))
        await asyncio.wait([running], timeout=self._patience.total_seconds())
        running.cancel()
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=self._patience.total_seconds())
        try:
            await self._pump.turn(self._wanted)
        except ClarionError as error:
            # Their leases run out, and a running server takes them over.
            log.warning("what became of the last tasks is not written: %s", error)


class Leases:
    """The pass that renews what is held, and notices what was lost."""

    name = "tasks-leases"

    def __init__(self, workers: Workers, clock: Clock, every: timedelta) -> None:
        self._workers = workers
        self._clock = clock
        self._every = every

    async def run_once(self) -> datetime | None:
        with urgency(Level.HIGH):  # a lease that is renewed too late is lost
            await self._workers.keep_leases()
        return self._clock.now() + self._every


class DueTasks:
    """The pass that replaces `run` where a clock is moved by hand."""

    name = "tasks"

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def run_once(self) -> datetime | None:
        return await self._workers.run_due()


class TaskRunner:
    def __init__(self, kinds: Kinds, clock: Clock) -> None:
        self._kinds = kinds
        self._clock = clock

    async def run(self, held: RunningTask, limit: TimeLimit) -> Outcome:
        """Raises nothing but the cancellation of the slot that runs it."""
        with tracing(held.claim.task.trace):
            return await self._run(held, limit)

    async def _run(self, held: RunningTask, limit: TimeLimit) -> Outcome:
        claim = held.claim
        kind = self._kinds.get(claim.task.kind)
        if kind is None:
            return self._failed(UNKNOWN, claim, f"There is no handler for {claim.task.kind!r}.")
        if claim.attempt > kind.retries + 1:
            # Only a task that crashes its worker each time gets here.
            return Failed(claim, f"Its worker died {claim.attempt - 1} times.", None)
        if held.why:
            return Released(claim)
        held.bound = limit
        try:
            with limit.within(kind.limit), urgency(claim.task.base):
                answer: object = await kind.handler(claim)
        except Exception as error:  # noqa: BLE001  it belongs to this task alone
            return self._ended_badly(held, kind, error)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return self._ended_badly(held, kind, error)
        finally:
            held.ended = True
        return self._ended_well(claim, kind, answer)

    def _ended_well(self, claim: Claim, kind: Kind, answer: object) -> Outcome:
        match answer:
            case None:
                return Done(claim)
            case Again():
                return Later(claim, answer)
            case Elsewhere():
                return HandedOver(claim, answer)
            case Result(value):
                try:
                    result = json.dumps(value, ensure_ascii=False, allow_nan=False)
                    result.encode()  # half a letter would be kept, and never be read again
                except (TypeError, ValueError) as error:
                    return self._failed(kind, claim, f"Its result cannot be kept: {error}")
                if len(result) <= RESULT_LETTERS_MAX:
                    return Done(claim, result)
                return self._failed(kind, claim, "Its result is too large to be kept.")
            case _:
                why = f"It answered {answer!r}: no Again, Elsewhere, Result or None."
                return self._failed(kind, claim, why)

    def overrun(self, claim: Claim) -> Outcome:
        """The error of a handler that went on after it was cancelled."""
        kind = self._kinds.get(claim.task.kind) or UNKNOWN
        return self._failed(kind, claim, "It did not stop when its time was over.")

    def _ended_badly(self, held: RunningTask, kind: Kind, error: BaseException) -> Outcome:
        assert held.bound is not None
        claim = held.claim
        if held.bound.expired:
            if held.why:
                log.warning("task cut: %s", held.why, extra=_fields(claim))
                return Released(claim)
            log.warning("task not done in time", extra=_fields(claim))
            return self._failed(kind, claim, f"Not done within {kind.limit.total_seconds():g} s.")
        # A refusal needs no traceback, and what is done elsewhere failed elsewhere.
        defect = None if isinstance(error, ClarionError) else error
        log.warning("task failed: %s", error, exc_info=defect, extra=_fields(claim))
        if defect is None or kind.remote:
            return self._failed(kind, claim, f"{type(error).__name__}: {error}"[:ERROR_LETTERS_MAX])
        return self._failed(kind, claim, _spelled(error))

    def _failed(self, kind: Kind, claim: Claim, error: str) -> Outcome:
        wait = kind.retries_after(claim.attempt)
        if wait is None:
            log.error("task dead", extra=_fields(claim))
            return Failed(claim, error, None)
        return Failed(claim, error, self._clock.now() + wait)


async def _nothing(claim: Claim) -> None:
    """Replaces a handler that this server does not have."""


# A server of another version may know it, so it is worth a few tries.
UNKNOWN = Kind("unknown", _nothing, backoff=doubling(timedelta(seconds=30)))


def _spelled(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-ERROR_LETTERS_MAX:]


def _fields(claim: Claim) -> dict[str, object]:
    return {"task": claim.task.id, "kind": claim.task.kind, "attempt": claim.attempt}
