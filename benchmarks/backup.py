"""A million reminders: backed up while Clarion writes, restored elsewhere, and compared.

`python -m benchmarks.backup [reminders]`. The first reminder is set by Clarion itself and copied
with its task, a second apart. `clarion backup` and `clarion restore` run as processes of their
own; meanwhile reminders are set one after the other. Afterwards both databases are asked for
their rows, and the restored one has to ring the next reminder that is due.
"""

import asyncio
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, Table, func, select, text

from benchmarks._times import pause, percentile
from clarion.app.storage import bring_up_to_date, database_url, open_storage
from clarion.base.ids import DeviceId, ReminderId, UserId
from clarion.people.model import DeviceKind
from clarion.settings import Settings
from clarion.store.sql.tables import metadata
from tests.soak.server import Node, Plug, start
from tests.support.clarion_by_hand import ADMIN
from tests.support.clock import START, ManualClock
from tests.support.fakes.channel import Outside

MANY = 1_000_000
USER = UserId("ana")
WRITERS = 100  # who set reminders meanwhile: nobody may have ten thousand waiting
MANY_WORDS = "one of many"
BATCH = 5_000
REST = 0.02  # seconds between two reminders: a busy household, not a benchmark of its own
SECOND = 1_000_000  # instants are kept in microseconds
DUE = START + timedelta(hours=1)  # the one that has to ring
LATER = START + timedelta(days=1)  # the first of the million
MOVED = ("trigger_at", "due_at", "rank", "planned_at")


@dataclass
class Place:
    """A data directory and a Clarion that lives in it."""

    settings: Settings
    clock: ManualClock
    outside: Outside
    node: Node

    @property
    def database(self) -> Plug:
        return self.node.plug


@dataclass(frozen=True)
class Found:
    counts: dict[str, int]
    checksum: str


async def moved_in(folder: Path) -> Place:
    settings = Settings(data_dir=folder, port=0)
    database = await open_storage(settings)
    await bring_up_to_date(database)
    await database.close()
    clock = ManualClock(START)
    outside = Outside(clock)
    node = await start(settings, database_url(settings), clock, outside)
    return Place(settings, clock, outside, node)


async def filled(place: Place, number: int) -> None:
    services = place.node.services
    await services.people.add_user(ADMIN, user_id=USER, name="Ana", zone="UTC")
    await services.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=USER, device_id=DeviceId("hall")
    )
    await set_one(place, "the next one", DUE)
    first = await set_one(place, MANY_WORDS, LATER)
    await place.database.write(copied, first, number)


async def set_one(place: Place, content: str, at: datetime, user_id: UserId = USER) -> ReminderId:
    services = place.node.services
    made = await services.reminders.create(ADMIN, user_id=user_id, content=content, trigger_at=at)
    return made.id


def copied(conn: Connection, first: ReminderId, number: int) -> None:
    """The reminder and its task, so many times, each a second after the one before."""
    tasks = metadata.tables["tasks"]
    found = text("SELECT id FROM tasks WHERE payload LIKE :part OR source = :id")
    task = conn.execute(found, {"part": f"%{first}%", "id": first}).scalar_one()
    for table, own in ((metadata.tables["reminders"], first), (tasks, task)):
        conn.execute(text(copying(table)), {"first": first, "own": own, "number": number})


def copying(table: Table) -> str:
    kept = [one.name for one in table.columns if one is not table.autoincrement_column]
    values = ", ".join(f"{changed(name)} AS {name}" for name in kept)
    many = "many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < :number)"
    return (
        f"WITH RECURSIVE {many} "  # noqa: S608  only names of our own tables
        f"INSERT INTO {table.name} ({', '.join(kept)}) "
        f"SELECT {values} FROM many, (SELECT * FROM {table.name} WHERE id = :own)"
    )


def changed(name: str) -> str:
    """Instants move, and wherever an id stands, the copy's own stands instead."""
    if name in MOVED:
        return f"{name} + n * {SECOND}"
    if name in ("id", "key", "payload", "source"):
        renamed = "replace(NAME, :first, :first || '-' || n)".replace("NAME", name)
        return f"CASE WHEN {name} = :own THEN :own || '-' || n ELSE {renamed} END"
    return name


async def written_meanwhile(place: Place, stop: asyncio.Event) -> list[float]:
    """Sets reminders until it is told to stop; how long each took."""
    took: list[float] = []
    while not stop.is_set():
        began = time.perf_counter()
        writer = UserId(f"writer-{len(took) % WRITERS}")
        await set_one(place, f"meanwhile {len(took)}", LATER, writer)
        took.append(time.perf_counter() - began)
        await pause(REST)
    return took


async def command(verb: str, file: Path, folder: Path) -> float:
    """Seconds that `clarion backup` or `clarion restore` took."""
    environment = {**os.environ, "CLARION_DATA_DIR": str(folder)}
    began = time.perf_counter()
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "clarion", verb, str(file)],
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"clarion {verb} ended with {done.returncode}: {done.stderr}")
    print(done.stdout.strip().replace(str(file), file.name), flush=True)
    return time.perf_counter() - began


def read(conn: Connection) -> Found:
    """How many rows each table has, and one sum over the million and their tasks."""
    counts = {
        table.name: int(conn.execute(select(func.count()).select_from(table)).scalar_one())
        for table in metadata.sorted_tables
    }
    reminders, tasks = metadata.tables["reminders"], metadata.tables["tasks"]
    summed = hashlib.sha256()
    for query in (
        select(reminders).where(reminders.c.content == MANY_WORDS).order_by(reminders.c.id),
        select(tasks).where(tasks.c.id.contains("-")).order_by(tasks.c.id),
    ):
        for row in conn.execute(query.execution_options(yield_per=BATCH)):
            # By value: the keys of a JSON object have no order.
            plain = [dict(sorted(one.items())) if isinstance(one, dict) else one for one in row]
            summed.update(repr(plain).encode())
    return Found(counts, summed.hexdigest())


async def rung(place: Place) -> bool:
    """Whether the next reminder comes out of the loudspeaker at its instant, and no other."""
    place.clock.move_to(DUE)
    await place.node.turn(DUE)
    return [one.ring.content for one in place.outside.spoken] == ["the next one"]


async def main(number: int) -> bool:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        here, there, file = (Path(folder, name) for name in ("here", "there", "backup.gz"))
        began = time.perf_counter()
        place = await moved_in(here)
        await filled(place, number)
        print(f"{number:,} reminders made in {time.perf_counter() - began:.0f} s", flush=True)
        stop = asyncio.Event()
        writer = asyncio.create_task(written_meanwhile(place, stop))
        saving = await command("backup", file, here)
        stop.set()
        took = await writer
        restoring = await command("restore", file, there)
        original = await place.database.read(read)
        await place.node.close()
        found = await moved_in(there)
        restored = await found.database.read(read)
        rings = await rung(found)
        await found.node.close()
        report(saving, restoring, took, file.stat().st_size)
        return verdict(number, original, restored, rings=rings)


def report(saving: float, restoring: float, took: list[float], size: int) -> None:
    print(f"{'clarion backup, while reminders are set':<52}{saving:8.1f} s")
    print(f"{'clarion restore, and every row read again':<52}{restoring:8.1f} s")
    print(f"{'size of the file':<52}{size / 1024**2:8.1f} MB")
    print(f"{'reminders set meanwhile, a second':<52}{len(took) / saving:8.0f}")
    print(f"{'one of them, p99':<52}{percentile(took, 99) * 1000:8.1f} ms")


def verdict(number: int, original: Found, restored: Found, *, rings: bool) -> bool:
    counts = restored.counts
    there = min(counts["reminders"], counts["tasks"]) > number
    checks = {
        f"all {number:,} and their tasks are there": there,
        "they are the same, row by row (sha256)": original.checksum == restored.checksum,
        "no table has more rows than it had": all(
            counts[name] <= original.counts[name] for name in counts
        ),
        "the next reminder that is due rings": rings,
    }
    for name, kept in checks.items():
        print(f"{name:<52}{'yes' if kept else 'NO: MISSED':>8}")
    return all(checks.values())


if __name__ == "__main__":
    given = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    sys.exit(0 if asyncio.run(main(given)) else 1)
