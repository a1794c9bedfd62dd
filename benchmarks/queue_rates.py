"""No-op tasks a second, added durably, run and finished: Clarion beside its peers.

Run it with `python -m benchmarks.queue_rates`. `benchmarks/_queue.py` says how peers are
installed; one that is not there is left out with a line that says so.
"""

import asyncio
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvloop

from benchmarks._queue import Countdown, peers, queue
from tests.support.services import PostgresServer, RedisServer

HERE = Path(__file__).parent / "queue_peers"
MANY = 20_000
FEW = 2_000  # for peers that take a minute for more
PATIENCE = 170


@dataclass(frozen=True, slots=True)
class Rate:
    name: str
    number: int
    add: float
    run: float

    @property
    def whole(self) -> float:
        return self.number / (self.add + self.run)

    def line(self, ours: "Rate") -> str:
        run = f"{self.number / self.run:10,.0f}" if self.run else f"{'(both)':>10}"
        return (
            f"{self.name:<44} {self.number / self.add:10,.0f} {run} "
            f"{self.whole:12,.0f} {ours.whole / self.whole:10.1f}"
        )


async def ours(name: str, url: str = "") -> Rate:
    async with queue(url) as made:
        tasks = made.tasks(MANY)
        countdown = Countdown(MANY)
        began = time.perf_counter()
        await made.add(tasks)
        added = time.perf_counter()
        async with made.working(countdown):
            await countdown.over.wait()
        # Leaving the block wrote the last ends: they count.
        return Rate(name, MANY, added - began, time.perf_counter() - added)


async def ours_mixed(name: str) -> Rate:
    """Producers and workers at the same time, each producer waiting for its own commit."""
    async with queue() as made:
        tasks = made.tasks(MANY)
        countdown = Countdown(MANY)
        began = time.perf_counter()
        async with made.working(countdown):
            groups = [tasks[start::100] for start in range(100)]
            await asyncio.gather(*(made.add(group, batch=1) for group in groups))
            await countdown.over.wait()
        return Rate(name, MANY, time.perf_counter() - began, 0)


def peer(name: str, number: int, command: list[str]) -> Rate | None:
    try:
        done = subprocess.run(
            [*command, str(number)], capture_output=True, text=True, timeout=PATIENCE
        )
        found = json.loads(done.stdout.splitlines()[-1])
    except (OSError, IndexError, ValueError, subprocess.TimeoutExpired):
        print(f"{name}: not installed or it failed; see benchmarks/_queue.py")
        return None
    return Rate(name, found["number"], found["add"], found["run"])


def python(script: str, *arguments: str) -> list[str]:
    return [str(peers() / "venv" / "bin" / "python"), str(HERE / script), *arguments]


def module(name: str, *arguments: str) -> list[str]:
    """One that shares `queue_peers/_peer.py` with others."""
    python = str(peers() / "venv" / "bin" / "python")
    return [python, "-m", f"benchmarks.queue_peers.{name}", *arguments]


def on_postgres(measure: Callable[[str], Rate | None]) -> Rate | None:
    server = PostgresServer()
    server.start()
    try:
        return measure(server.url(server.create_database()))
    finally:
        server.remove()


def bullmq() -> Rate | None:
    server = RedisServer()
    server.start()
    try:
        script = str(HERE / "bullmq_node.mjs")
        command = ["node", script, str(peers().resolve()), str(server.port)]
        return peer("BullMQ on Node (Redis in memory)", MANY, command)
    finally:
        server.remove()


def show(title: str, first: Rate, rest: list[Rate | None]) -> None:
    print(f"\n{title:<44} {'add/s':>10} {'run/s':>10} {'add+run/s':>12} {'ours ×':>10}")
    for rate in (first, *rest):
        if rate is not None:
            print(rate.line(first))


def main() -> None:
    embedded = uvloop.run(ours("Clarion, SQLite, synchronous=FULL"))
    mixed = uvloop.run(ours_mixed("Clarion, 100 producers adding one by one"))
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        huey = peer("huey, SQLite, fsync", FEW, python("huey_sqlite.py", f"{folder}/h.db"))
        scheduler = peer(
            "APScheduler, SQLite", FEW, python("apscheduler_sqlite.py", f"{folder}/a.db")
        )
    show("One process, embedded", embedded, [mixed, bullmq(), huey, scheduler])

    shared = on_postgres(lambda url: uvloop.run(ours("Clarion, PostgreSQL", url)))
    procrastinate = on_postgres(
        lambda url: peer("procrastinate, PostgreSQL", FEW, module("procrastinate_postgres", url))
    )
    assert shared is not None
    show("One process, PostgreSQL", shared, [procrastinate])


if __name__ == "__main__":
    main()
