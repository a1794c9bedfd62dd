"""Ten hours in which four of five tasks are VIPs and there is never quite enough time for all.

Run it with `python -m benchmarks.starvation`. The clock is moved by hand and the store is a real
SQLite file: each minute so many tasks are added, and a few less are done. Nobody starves: what is
better by `b` points overtakes for `b` × 2 minutes and not longer, so the ordinary ones wait for
that, and for what the queue is behind altogether.
"""

import asyncio
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks._times import percentile
from clarion.base.ids import TaskId
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import A_POINT, Level, Task
from clarion.tasks.ports import Done, Outcome, Wanted

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MINUTES = 600
ADDED, DONE = 20, 19  # each minute
VIPS = 0.8
SOURCES = 10  # of each level, so that nobody floods alone
LEASE = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Waited:
    minutes: dict[int, list[float]]
    """By level, of all that began."""
    left: int


def arriving(minute: int, now: datetime) -> list[Task]:
    tasks = []
    for number in range(ADDED):
        base = Level.HIGH if number < ADDED * VIPS else Level.NORMAL
        source = f"{base.name} {(minute * ADDED + number) % SOURCES}"
        id_ = TaskId(f"tsk_{minute}_{number}")
        tasks.append(Task(id_, "job", now, base=base, source=source))
    return tasks


async def lived(path: Path) -> Waited:
    database = await open_database(f"sqlite:{path}")
    await migrate(database)
    store, waited = SqlTasks(database), defaultdict[int, list[float]](list)
    outcomes: list[Outcome] = []
    for minute in range(MINUTES):
        now = BEGIN + minute * MINUTE
        await store.add(arriving(minute, now), now)
        taken = await store.turn(outcomes, Wanted("one", LEASE, any=DONE), now)
        outcomes = [Done(claim) for claim in taken.claims]
        for claim in taken.claims:
            waited[claim.task.base].append((now - claim.task.due_at) / MINUTE)
    left = ADDED * MINUTES - sum(map(len, waited.values()))
    await database.close()
    return Waited(dict(waited), left)


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        found = asyncio.run(lived(Path(folder) / "hours.db"))
    behind = found.left / DONE
    bound = (Level.HIGH - Level.NORMAL) * A_POINT / MINUTE + behind
    print(f"{MINUTES // 60} hours, {ADDED} added and {DONE} done a minute, {VIPS:.0%} VIPs")
    print(f"{'minutes waited':<30} {'p50':>8} {'p99':>8} {'longest':>8}")
    for base, minutes in sorted(found.minutes.items(), reverse=True):
        each = [percentile(minutes, percent) for percent in (50, 99, 100)]
        print(f"{Level(base).name.lower():<30}", *(f"{one:8.0f}" for one in each))
    longest = max(found.minutes[Level.NORMAL])
    kept = "kept" if longest <= bound else "MISSED"
    print(
        f"an ordinary one waits at most {bound:.0f}: 80 for its level, {behind:.0f} behind: {kept}"
    )


if __name__ == "__main__":
    main()
