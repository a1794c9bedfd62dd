"""A process that works on a queue until it is told to stop, or killed: for tests of crashes.

`python -m tests.support.queue_child <database> <producers> <lease seconds> [<file>]`

Its handler writes one row of `effects` in the transaction that ends the task, so a task done
twice would leave two rows; or, when a file is named, a line there with the instant. It prints
each task that was added once the store has answered. Without producers it ends by itself when
nothing is left to do.
"""

import asyncio
import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter_ns

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    Text,
    func,
    insert,
    select,
)

from clarion.base.clock import SystemClock
from clarion.base.errors import Conflict
from clarion.base.ids import TaskId, new_id
from clarion.base.loop import Loop
from clarion.store.sql.engine.database import Database, to_micros
from clarion.store.sql.opening import open_database
from clarion.store.sql.tables.tasks import tasks as rows
from clarion.store.sql.tasks import store as tasks_store
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Claim, Handler
from clarion.tasks.workers import Workers

CLOCK = SystemClock()
BATCH = 5
SLOTS = 20
BUFFERED_MAX = 100

effects = Table(
    "effects",
    MetaData(),
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("task", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)


def prepare(conn: Connection) -> None:
    effects.create(conn, checkfirst=True)


def take_effect(conn: Connection, claim: Claim) -> None:
    now = CLOCK.now()
    if not tasks_store.finish(conn, [claim], now):
        raise Conflict(f"{claim.task.id} was given to another worker.")
    conn.execute(insert(effects), {"task": claim.task.id, "at": to_micros(now)})


async def produce(store: SqlTasks) -> None:
    """Add and tell, for as long as this process lives."""
    for number in range(1_000_000):
        now = CLOCK.now()
        soon = now + timedelta(milliseconds=number % 50)
        tasks = [Task(TaskId(new_id("tsk", now)), "job", soon, base=n) for n in range(BATCH)]
        await store.add(tasks, now)
        tasks.append(Task(TaskId(new_id("tsk", now)), "job", now, base=Level.CRITICAL))
        await store.add(tasks[-1:], now)  # claimed by the write that adds it
        sys.stdout.write(" ".join(task.id for task in tasks) + "\n")
        sys.stdout.flush()


async def main(url: str, producers: int, lease: float, file: str = "") -> None:
    database = await open_database(url)
    store = SqlTasks(database)
    handler = to_file(Path(file)) if file else to_database(database)
    async with asyncio.TaskGroup() as group:
        working = group.create_task(work(store, handler, lease, alone=database.dialect == "sqlite"))
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, working.cancel)
        beside = [group.create_task(produce(store)) for _ in range(producers)]
        if not producers:
            watch = Watch(database, working)
            beside = [group.create_task(Loop(watch, CLOCK).run())]
        await asyncio.wait([working])
        for one in beside:
            one.cancel()
    await database.close()


class Watch:
    """The pass that stops the workers when everything is done."""

    name = "watch"

    def __init__(self, database: Database, working: "asyncio.Task[None]") -> None:
        self._database = database
        self._working = working

    async def run_once(self) -> datetime:
        if await self._database.read(open_tasks) == 0:
            self._working.cancel()
        return CLOCK.now() + timedelta(milliseconds=50)


def open_tasks(conn: Connection) -> int:
    waiting = rows.c.status.in_(("scheduled", "ready", "running"))
    return int(conn.execute(select(func.count()).select_from(rows).where(waiting)).scalar_one())


def to_database(database: Database) -> Handler:
    async def handler(claim: Claim) -> None:
        await database.write(take_effect, claim)

    return handler


def to_file(path: Path) -> Handler:
    lines = path.open("a", encoding="utf-8", buffering=1)

    async def handler(claim: Claim) -> None:
        lines.write(f"{perf_counter_ns()} {claim.task.id}\n")

    return handler


async def work(store: SqlTasks, handler: Handler, lease: float, *, alone: bool) -> None:
    workers = Workers(
        store,
        Kinds(Kind("job", handler, retries=1_000)),
        CLOCK,
        slots=SLOTS,
        buffered_max=BUFFERED_MAX,
        lease=timedelta(seconds=lease),
        alone=alone,
    )
    await workers.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:]))
