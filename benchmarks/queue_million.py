"""A million pending tasks: what a claim, the memory and a start cost.

Run it with `python -m benchmarks.queue_million [tasks]`. The server is started three times, and the
middle one counts: the first meets a disk that still writes the million.
"""

import asyncio
import re
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from statistics import median

import uvloop

from benchmarks._queue import CLOCK, Queue, spread
from clarion.base.ids import TaskId
from clarion.store.sql.opening import migrate, open_database
from clarion.tasks.model import Task
from clarion.tasks.ports import Done, Outcome, Wanted
from tests.support.program import served

MILLION = 1_000_000
CLAIMS = 1_000
STARTS = 3
WORKER = Wanted("bench", timedelta(seconds=15), any=1, critical=1)


async def fill(made: Queue, number: int) -> float:
    """Pending over the next ten days, at every level; tasks a second."""
    begins = CLOCK.now() + timedelta(hours=1)
    began = time.perf_counter()
    for start in range(0, number, 5_000):
        some = [
            Task(
                TaskId(f"tsk_{n:08}"),
                "job",
                begins + timedelta(seconds=n * 7919 % 864_000),
                {"reminder": f"rem_{n}"},
                n % 101,
                key=f"ring:{n}",
                source=f"user:{n % 5_000}",
            )
            for n in range(start, min(number, start + 5_000))
        ]
        await made.store.add(some, CLOCK.now())
    return number / (time.perf_counter() - began)


async def claims(made: Queue) -> list[float]:
    """One task falls due, is claimed and finished: how long each turn takes."""
    seconds = []
    last: list[Outcome] = []
    for n in range(CLAIMS):
        now = CLOCK.now()
        await made.store.add([Task(TaskId(f"tsk_due{n}"), "job", now)], now)
        began = time.perf_counter()
        taken = await made.store.turn(last, WORKER, CLOCK.now())
        seconds.append(time.perf_counter() - began)
        assert [claim.task.id for claim in taken.claims] == [f"tsk_due{n}"]
        last = [Done(claim) for claim in taken.claims]
    await made.store.turn(last, WORKER, CLOCK.now())
    return seconds


def start_beside(folder: Path) -> tuple[float, float]:
    """Seconds until a server on this file is ready, and its memory in MB after that."""
    began = time.perf_counter()
    with served(folder) as server:
        ready = time.perf_counter() - began
        status = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
        server.interrupt()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return ready, int(found[1]) / 1024


async def main(number: int) -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        database = await open_database(f"sqlite:{folder}/clarion.db")
        await migrate(database)
        made = Queue(database)
        print(f"{number:,} pending, added at {await fill(made, number):,.0f} a second")
        print(f"{'milliseconds':<58} {'p50':>8} {'p99':>8} {'worst':>8}")
        print(spread("claim one that fell due among them", await claims(made), 5))
        began = time.perf_counter()
        await made.store.counts()
        print(f"counts by level: {(time.perf_counter() - began) * 1000:.0f} ms, beside the workers")
        await database.close()
        starts = [await asyncio.to_thread(start_beside, folder) for _ in range(STARTS)]
        ready, megabytes = median(ready for ready, _ in starts), max(most for _, most in starts)
        print(f"server ready after {ready:.2f} s (< 2), memory at most {megabytes:.0f} MB (< 200)")
        print("each of the starts, s:", *(f"{each:.2f}" for each, _ in starts))


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else MILLION))
