"""Does it stay quick when much waits? One claim, with more and more tasks pending.

`python -m benchmarks.growth [most]`: from a thousand tenfold up to `most` (100,000). Beside it the
floor: in the same file, one read by key and one durable write, which no claim can do without.
"""

import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

import uvloop

from benchmarks._queue import Queue
from benchmarks.queue_million import claims, fill
from clarion.store.sql.opening import migrate, open_database

FIRST, MOST = 1_000, 100_000
TOUCHES = 200
CHANGE = "UPDATE tasks SET fence = 1000 + ? WHERE id = ?"


def floor(path: Path) -> list[float]:
    """Seconds of a read and a durable write of one row by its key, in plain SQL."""
    seconds = []
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    for number in range(TOUCHES):
        began = time.perf_counter()
        connection.execute("SELECT * FROM tasks WHERE id = ?", (f"tsk_{number:08}",)).fetchone()
        done = connection.execute(CHANGE, (number, f"tsk_{number:08}"))
        seconds.append(time.perf_counter() - began)
        assert done.rowcount == 1, "the floor has to write something"
    connection.close()
    return seconds


def row(seconds: list[float]) -> tuple[float, float]:
    """p50 and p99 in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return cuts[49] * 1000, cuts[98] * 1000


async def measured(number: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        path = Path(name) / "clarion.db"
        database = await open_database(f"sqlite:{path}")
        await migrate(database)
        made = Queue(database)
        added = await fill(made, number)
        p50, p99 = row(await claims(made))
        await database.close()
        bare50, bare99 = row(await asyncio.to_thread(floor, path))
        return {
            "pending": number,
            "added": added,
            "p50": p50,
            "p99": p99,
            "floor p50": bare50,
            "floor p99": bare99,
        }


async def main(most: int) -> None:
    print("one task falls due among so many, is claimed and the one before finished; milliseconds")
    print(
        f"{'pending':>10} {'added/s':>10} {'p50':>8} {'p99':>8} {'floor p50':>10} {'floor p99':>10}"
    )
    rows = []
    number = FIRST
    while number <= most:
        rows.append(await measured(number))
        print(
            f"{number:10,} {rows[-1]['added']:10,.0f} {rows[-1]['p50']:8.2f} {rows[-1]['p99']:8.2f}"
            f" {rows[-1]['floor p50']:10.2f} {rows[-1]['floor p99']:10.2f}",
            flush=True,
        )
        number *= 10
    print("rows: " + json.dumps(rows))


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else MOST))
