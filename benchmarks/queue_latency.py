"""How soon the one who matters begins: VIPs, critical tasks, due instants, bursts.

Run it with `python -m benchmarks.queue_latency [postgres]`. Times from the call of a durable
`add`, or from the due instant, to the first line of the handler. Beside them the floor: a durable
commit of one row in plain SQLite on the same disk, at the same time; nothing that is durable can
be quicker, and a disk that stands still shows there as well.
"""

import asyncio
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import uvloop

from benchmarks._floor import Floor
from benchmarks._queue import CLOCK, Countdown, Queue, queue, spread
from benchmarks._times import pause
from clarion.base.ids import TaskId, new_id
from clarion.tasks.buffer import Buffer, QueueItem
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Claim
from tests.support.services import PostgresServer

ROUNDS = 300
BACKLOG = 10_000
FED_AT_ONCE = 50


class Starts:
    """Notes when tasks of interest began; the others take `others` seconds each."""

    def __init__(self, others: float = 0.0) -> None:
        self._others = others
        self._awaited: dict[str, asyncio.Future[float]] = {}
        self.others_begun = 0
        self.gate = asyncio.Event()

    def of(self, task: Task) -> "asyncio.Future[float]":
        return self._awaited.setdefault(task.id, asyncio.get_running_loop().create_future())

    async def __call__(self, claim: Claim) -> None:
        awaited = self._awaited.pop(claim.task.id, None)
        if awaited is not None:
            awaited.set_result(time.perf_counter())
        elif self._others:
            self.others_begun += 1
            await pause(self._others)
        else:
            await self.gate.wait()


async def memory() -> list[float]:
    """A VIP offered to a buffer of ten thousand: until `get` has returned it."""
    buffer = Buffer(BACKLOG * 2)
    now = CLOCK.now()
    for n in range(BACKLOG):
        buffer.offer(_item(n, Level.NORMAL, now))
    seconds = []
    for n in range(ROUNDS * 10):
        vip = _item(BACKLOG + n, Level.HIGH, now)
        began = time.perf_counter()
        buffer.offer(vip)
        got = await anext(buffer)
        seconds.append(time.perf_counter() - began)
        assert got is vip
        buffer.task_done()
    return seconds


def _item(number: int, base: int, due_at: datetime) -> QueueItem:
    task = Task(TaskId(str(number)), "job", due_at, {}, base)
    return QueueItem.of(Claim(task, 1, 1, number))


async def vip(made: Queue) -> list[float]:
    """A VIP into a durable backlog while tasks of one millisecond keep all slots busy."""
    starts = Starts(others=0.001)
    await made.add(made.tasks(BACKLOG))
    seconds: list[float] = []
    async with made.working(starts):
        feeding = asyncio.create_task(_feed(made, starts))
        await pause(0.3)
        for _ in range(ROUNDS):
            seconds.append(await _timed(made, starts, Level.HIGH))
            await pause(0.005)
        feeding.cancel()
        await asyncio.wait([feeding])
    return seconds


async def _feed(made: Queue, starts: Starts) -> None:
    """Add as many as were run, so that the backlog never runs dry; few at a time, or making them
    would hold up what is measured.
    """
    fed = 0
    for _ in range(100_000):
        more = min(FED_AT_ONCE, starts.others_begun - fed)
        fed += more
        await made.add(made.tasks(more))
        await pause(0.002)


async def critical(made: Queue) -> list[float]:
    """A critical task while slow handlers block every ordinary slot."""
    starts = Starts()
    await made.add(made.tasks(200))
    seconds: list[float] = []
    async with made.working(starts, patience=timedelta(seconds=1)):
        await pause(0.3)
        for _ in range(ROUNDS):
            seconds.append(await _timed(made, starts, Level.CRITICAL))
            await pause(0.002)
        starts.gate.set()
    return seconds


async def _timed(made: Queue, starts: Starts, base: int) -> float:
    now = CLOCK.now()
    task = Task(TaskId(new_id("tsk", now)), "job", now, {}, base)
    began = time.perf_counter()
    start = starts.of(task)
    await made.store.add([task], now)
    return await start - began


async def lateness(made: Queue, number: int = 5_000, within: float = 20.0) -> list[float]:
    """Tasks due at random instants of the next seconds: how late each begins."""
    begins = CLOCK.now() + timedelta(seconds=1)
    late: list[float] = []
    over = asyncio.Event()

    async def handler(claim: Claim) -> None:
        late.append((CLOCK.now() - claim.task.due_at).total_seconds())
        if len(late) == number:
            over.set()

    tasks = [
        Task(
            TaskId(new_id("tsk", begins)),
            "job",
            begins + timedelta(seconds=random.uniform(0, within)),
        )
        for _ in range(number)
    ]
    await made.add(tasks)
    async with made.working(handler):
        await over.wait()
    return late


async def burst(made: Queue, number: int = 5_000) -> float:
    """Milliseconds from one instant at which all are due until the last has begun."""
    due_at = CLOCK.now() + timedelta(seconds=1)
    countdown = Countdown(number)
    await made.add(made.tasks(number, due_at=due_at))
    async with made.working(countdown):
        await countdown.over.wait()
        return (CLOCK.now() - due_at).total_seconds() * 1000


async def main(new: Callable[[], str]) -> None:
    """`new`: the address of an empty database, so that no measure meets what another left."""
    print(f"{'milliseconds':<58} {'p50':>8} {'p99':>8} {'worst':>8}")
    print(spread("VIP into 10 000 in memory, until get returns it", await memory(), 1))
    gc.freeze()  # as `clarion serve` does once it has started
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, Floor(folder) as floor:
        await measure(new)
    print(spread("floor: a plain durable commit, beside these", floor.seconds))


async def measure(new: Callable[[], str]) -> None:
    async with queue(new()) as made:
        print(spread("durable VIP, 1 ms tasks keep all slots busy", await vip(made), 10))
    async with queue(new()) as made:
        print(spread("critical, every ordinary slot blocked", await critical(made), 10))
    async with queue(new()) as made:
        print(spread("5 000 due within 20 s, lateness", await lateness(made), 10))
    async with queue(new()) as made:
        last = await burst(made)
        kept = "kept" if last < 600 else "MISSED"
        print(f"{'5 000 due at one instant, the last began after':<58} {last:8.0f}   < 600: {kept}")


if __name__ == "__main__":
    if "postgres" in sys.argv:
        server = PostgresServer()
        server.start()
        try:
            uvloop.run(main(lambda: server.url(server.create_database())))
        finally:
            server.remove()
    else:
        uvloop.run(main(str))
