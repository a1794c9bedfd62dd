"""kill -9 under load, fifty times in a row, on one SQLite file and on one PostgreSQL.

Run it with `python -m benchmarks.kill_queue [kills]`. Every task that was added and answered
must be done, and none twice; the seed is printed, so that a failure can be looked at again.
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.support.databases import opened, postgres_database, sqlite_file
from tests.support.queue_child import prepare
from tests.support.queue_children import Child, done_tasks, done_twice
from tests.support.services import PostgresServer

KILLS = 50


async def torture(name: str, url: str, kills: int, lease: float) -> bool:
    dice = random.Random(seed := random.randrange(1_000_000))
    async with opened(url) as database:
        await database.write(prepare)
    added: list[str] = []
    began = time.perf_counter()
    for _ in range(kills):
        child = Child(url, producers=2, lease=lease)
        child.hear(lines=dice.randrange(1, 80))
        child.kill()
        added += child.added
    drained = Child(url, lease=lease).ended()
    async with opened(url) as database:
        done = await database.read(done_tasks)
    lost, twice = len(set(added) - set(done)), len(done_twice(done))
    seconds = time.perf_counter() - began
    print(
        f"{name:<12} kills {kills}  added and answered {len(added):,}  done {len(done):,}  "
        f"lost {lost}  done twice {twice}  seed {seed}  {seconds:.0f} s"
    )
    return drained == 0 and lost == 0 and twice == 0


async def main(kills: int) -> bool:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        embedded = await torture("SQLite", await sqlite_file(Path(folder)), kills, 15)
    server = PostgresServer()
    server.start()
    try:
        url = server.url(await postgres_database(server))
        shared = await torture("PostgreSQL", url, kills, 1)
    finally:
        server.remove()
    return embedded and shared


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    sys.exit(0 if asyncio.run(main(wanted)) else 1)
