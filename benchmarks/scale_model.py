"""What a hundred million reminders and a million devices ask of each part: the arithmetic, run.

Run it with `python -m benchmarks.scale_model [reminders] [devices]`. It lays a day of reminders
over the clock the way people set them (round hours, mornings, evenings), feeds that curve second by
second through the rates below, and says how many of each part keep every
ring within its second. Change a rate at the top and see what gives way first.
"""

import math
import random
import sys
from dataclasses import dataclass

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Rates:
    """A second, unless said otherwise. Measured ones were measured on two shared cores."""

    worker_tasks: float = 700  # measured with BullMQ in between; now a floor
    postgres_tasks: float = 15_000  # assumed: a fifth of what claims alone reached in batches
    tasks_per_ring: float = 3  # counted: the ring, its message or deadline, a series' next
    row_bytes: float = 1_400  # assumed: a reminder, its task, ring and events, with indexes
    devices_per_server: float = 20_000  # assumed: measure yours with benchmarks.devices


@dataclass(frozen=True, slots=True)
class Plan:
    peak_rings: float
    peak_tasks: float
    workers: int
    shards: int
    postgres_gib: float
    servers: int
    worst_late: float


def day_of(rings: int, chance: random.Random) -> list[int]:
    """Rings in each second of a day: six of ten on a full or half hour between seven and eleven."""
    seconds = [0] * DAY
    moments = [hour * 3600 + half for hour in range(7, 23) for half in (0, 1800)]
    weights = [
        3 if 7 <= moment // 3600 < 9 or 20 <= moment // 3600 < 22 else 1 for moment in moments
    ]
    total = sum(weights)
    for moment, weight in zip(moments, weights, strict=True):
        seconds[moment] += round(rings * 0.6 * weight / total)
    for _ in range(DAY):
        seconds[int(chance.triangular(0, DAY - 1, DAY * 0.6))] += round(rings * 0.4 / DAY)
    return seconds


def worst_wait(tasks: list[float], rate: float) -> float:
    """How long the last of a backlog waits, when `rate` tasks a second are done."""
    backlog, worst = 0.0, 0.0
    for arriving in tasks:
        backlog = max(0.0, backlog + arriving - rate)
        worst = max(worst, backlog / rate)
    return worst


def plan(reminders: int, devices: int, rates: Rates, late_max: float = 30.0) -> Plan:
    rings = reminders / 30  # one in thirty rings on a given day
    tasks = [one * rates.tasks_per_ring for one in day_of(round(rings), random.Random(9))]
    workers = max(1, math.ceil(sum(tasks) / DAY / rates.worker_tasks))
    while worst_wait(tasks, workers * rates.worker_tasks) > late_max:
        workers += max(1, workers // 10)
    at_once = workers * rates.worker_tasks
    return Plan(
        peak_rings=max(tasks) / rates.tasks_per_ring,
        peak_tasks=max(tasks),
        workers=workers,
        shards=max(1, math.ceil(at_once / rates.postgres_tasks)),
        postgres_gib=reminders * rates.row_bytes / 2**30,
        servers=math.ceil(devices / rates.devices_per_server),
        worst_late=worst_wait(tasks, at_once),
    )


def main() -> None:
    reminders = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000_000
    devices = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    print(f"{'reminders':>12}{'devices':>11}{'peak/s':>9}{'workers':>9}{'shards':>8}", end="")
    print(f"{'PostgreSQL GiB':>16}{'servers':>9}{'worst late s':>14}")
    for part in (1000, 100, 10, 1):
        made = plan(reminders // part, devices // part, Rates())
        print(f"{reminders // part:>12,}{devices // part:>11,}{made.peak_rings:>9,.0f}", end="")
        print(f"{made.workers:>9}{made.shards:>8}", end="")
        print(f"{made.postgres_gib:>16.1f}{made.servers:>9}{made.worst_late:>14.1f}")


if __name__ == "__main__":
    main()
