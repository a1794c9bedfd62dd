"""What the benchmarks of the queue share: a queue to load, and ways to time it."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks._times import percentile
from clarion.base.clock import SystemClock
from clarion.base.ids import TaskId, new_id
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Handler
from clarion.tasks.workers import Workers

CLOCK = SystemClock()


class Queue:
    """A migrated store, and workers when they are wanted."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.store = SqlTasks(database)

    def tasks(
        self, number: int, *, due_at: datetime | None = None, base: int = Level.NORMAL
    ) -> list[Task]:
        due_at = due_at or CLOCK.now()
        return [
            Task(TaskId(new_id("tsk", due_at)), "job", due_at, {"number": n}, base)
            for n in range(number)
        ]

    async def add(self, tasks: Sequence[Task], batch: int = 500) -> None:
        for start in range(0, len(tasks), batch):
            await self.store.add(tasks[start : start + batch], CLOCK.now())

    @asynccontextmanager
    async def working(self, handler: Handler, **options: Any) -> AsyncIterator[Workers]:
        kinds = Kinds(Kind("job", handler, limit=timedelta(minutes=5)))
        workers = Workers(self.store, kinds, CLOCK, **options)
        await workers.prepare()  # as the pools of the peers are filled before anything is timed
        running = asyncio.create_task(workers.run())
        try:
            yield workers
        finally:
            running.cancel()
            await asyncio.wait([running])


@asynccontextmanager
async def queue(url: str = "") -> AsyncIterator[Queue]:
    """On a new SQLite file with `synchronous=FULL` on this disk, or where `url` says."""
    if not url:
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            async with queue(f"sqlite:{folder}/queue.db") as made:
                yield made
        return
    database = await open_database(url)
    await migrate(database)
    try:
        yield Queue(database)
    finally:
        await database.close()


class Countdown:
    """A no-op handler that says when the last task was run."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.over = asyncio.Event()

    async def __call__(self, _claim: object) -> None:
        self.left -= 1
        if self.left == 0:
            self.over.set()


def spread(name: str, seconds: Sequence[float], target_ms: float | None = None) -> str:
    """One line: p50, p99 and the worst in milliseconds, and whether p99 is below the target."""
    p50, p99, worst = (percentile(seconds, percent) * 1000 for percent in (50, 99, 100))
    line = f"{name:<58} {p50:8.2f} {p99:8.2f} {worst:8.2f}"
    if target_ms is None:
        return line
    return f"{line}   p99 < {target_ms:g} ms: {'kept' if p99 < target_ms else 'MISSED'}"


def peers() -> Path:
    """Where scripts/peers.sh puts them; they are none of Clarion's dependencies."""
    return Path(os.environ.get("CLARION_BENCHMARK_PEERS", Path(__file__).parent / ".peers"))
