"""No-op tasks a second, added durably, run and finished: Clarion in one process beside its peers.

Run it with `python -m benchmarks.queue_rates`. The embedded ones are then given tasks that fall due
within a few seconds, and some that are due at one instant. `benchmarks/_peers.py` says how they are
asked. Clarion's own rate counts until the last end is written, the others' until the last handler
ran.
"""

import asyncio
import time
from collections.abc import Iterator

import uvloop

from benchmarks._peers import (
    APSCHEDULER,
    BULLMQ,
    EMBEDDED,
    HUEY,
    LITEQUEUE,
    ON_POSTGRES,
    Bench,
    Peer,
)
from benchmarks._queue import Countdown, queue
from benchmarks._tables import Figures, show_burst, show_lateness, show_rates

MANY = 20_000
FEW = 2_000  # for peers that take a minute for more
DELAYED, WITHIN, BURST = 500, 3.0, 2_000
ALTOGETHER = 170.0


async def ours(name: str, url: str = "") -> Figures:
    async with queue(url) as made:
        tasks = made.tasks(MANY)
        countdown = Countdown(MANY)
        began = time.perf_counter()
        await made.add(tasks)
        added = time.perf_counter()
        async with made.working(countdown):
            await countdown.over.wait()
        # Leaving the block wrote the last ends: they count.
        return Figures(name, MANY, added - began, time.perf_counter() - added)


async def ours_mixed(name: str) -> Figures:
    """Producers and workers at the same time, each producer waiting for its own commit."""
    async with queue() as made:
        tasks = made.tasks(MANY)
        countdown = Countdown(MANY)
        began = time.perf_counter()
        async with made.working(countdown):
            groups = [tasks[start::100] for start in range(100)]
            await asyncio.gather(*(made.add(group, batch=1) for group in groups))
            await countdown.over.wait()
        return Figures(name, MANY, time.perf_counter() - began, 0)


def embedded(bench: Bench, delayed: list[Figures]) -> Iterator[Figures | str]:
    """The rates; what those that can delay measured besides is added to `delayed`."""
    yield uvloop.run(ours("Clarion, SQLite, synchronous=FULL"))
    yield uvloop.run(ours_mixed("Clarion, 100 producers adding one by one"))
    yield bench.ask(BULLMQ, number=MANY)
    yield bench.ask(LITEQUEUE, number=FEW)
    for peer in (HUEY, APSCHEDULER):
        found = later(bench, peer)
        if isinstance(found, Figures):
            delayed.append(found)
        yield found


def later(bench: Bench, peer: Peer) -> Figures | str:
    return bench.ask(peer, number=FEW, delayed=DELAYED, seconds=WITHIN, burst=BURST)


def on_postgres(bench: Bench) -> Iterator[Figures | str]:
    yield uvloop.run(ours("Clarion, PostgreSQL", bench.places["postgres"]()))
    for peer in ON_POSTGRES:
        yield bench.ask(peer, number=FEW)


def main() -> None:
    with Bench(ALTOGETHER) as bench:
        first = later(bench, EMBEDDED)
        if isinstance(first, str):  # there is nothing to compare without ours
            raise SystemExit(first)
        found = [first]
        show_rates("One process, embedded", embedded(bench, found), "rates-embedded")
        show_lateness(found, f"{DELAYED} due within {WITHIN:g} s", "late-embedded")
        show_burst(found, f"{BURST} due at one instant", "burst-embedded")
        print("litequeue cannot delay.\n", flush=True)
        show_rates("One process, PostgreSQL", on_postgres(bench), "rates-postgres")


if __name__ == "__main__":
    main()
