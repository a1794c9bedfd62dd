"""Reminders on one machine: how fast they are set, how soon they ring, what waiting costs.

`python -m benchmarks.reminders` prints a table beside a floor: the same rows written to the same
kind of file by plain SQL. `--small` takes a tenth of everything.
"""

import argparse
import asyncio
import gc
import resource
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from clarion.base.clock import SystemClock
from clarion.base.errors import Unavailable
from clarion.base.ids import DeviceId, UserId
from clarion.people.model import CLARION, Contact, Device, DeviceKind, User
from clarion.reminders.effects import Effects
from clarion.reminders.model import ConfirmationConfig, Patience
from clarion.reminders.ports import ContactCall, Facts, MessageFate, Ring, RingId
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.workers import Workers

CALLERS = 256  # requests in flight, as a busy door has them
CONFIRM = ConfirmationConfig(required=True)
clock = SystemClock()


@dataclass
class Devices:
    """Devices that take every ring at once; `heard` says whether they report it."""

    wanted: int
    facts: Facts | None = None
    rung: list[datetime] = field(default_factory=list)
    all_rung: asyncio.Event = field(default_factory=asyncio.Event)

    async def ring(self, ring: Ring) -> None:
        self.rung.append(clock.now())
        assert self.facts is not None
        await self.facts.delivered(ring.id)
        if len(self.rung) >= self.wanted:
            self.all_rung.set()

    async def hush(self, device: Device, ring_id: RingId) -> None: ...

    async def say(self, device: Device, text: str) -> None: ...


class Nobody:
    async def tell(self, call: ContactCall) -> str:
        raise Unavailable("Nobody is there.")

    async def look_up(self, contact: Contact, receipt: str) -> MessageFate:
        raise Unavailable("Nobody is there.")

    async def withdraw(self, contact: Contact, receipt: str) -> None:
        raise Unavailable("Nobody is there.")


@dataclass
class Server:
    reminders: Reminders
    people: SqlPeople
    workers: Workers
    devices: Devices


@asynccontextmanager
async def server(rings: int = 0) -> AsyncIterator[Server]:
    """One embedded server, as `clarion serve` wires it, with durable commits."""
    with tempfile.TemporaryDirectory() as folder:
        database = await open_database(f"sqlite:{folder}/clarion.db")
        await migrate(database)
        store, people = SqlReminders(database), SqlPeople(database)
        devices, patience = Devices(rings), Patience()
        doing = Effects(store, people, devices, clock, patience)
        devices.facts = RingReports(store, people, clock, doing, patience=patience)
        ringer = RingTasks(store, clock, doing, Nobody(), patience=patience)
        means = Means(store=store, people=people, clock=clock, channel=devices)
        workers = Workers(SqlTasks(database), Kinds(*ringer.kinds()), clock, alone=True)
        try:
            yield Server(Reminders(means), people, workers, devices)
        finally:
            await database.close()


async def in_parallel(total: int, work: Callable[[int], Awaitable[object]]) -> float:
    """Do it `total` times with many in flight; how many a second."""
    numbers = iter(range(total))

    async def caller() -> None:
        for number in numbers:
            await work(number)

    began = clock.monotonic()
    async with asyncio.TaskGroup() as group:
        for _ in range(CALLERS):
            group.create_task(caller())
    return total / (clock.monotonic() - began)


async def create(total: int) -> float:
    """Reminders set through the service, each in a transaction of its own."""
    async with server() as made:
        at = clock.now() + timedelta(days=1)

        async def one(number: int) -> None:
            await made.reminders.create(
                CLARION,
                user_id=UserId(f"user-{number % 100}"),
                content="take the pills",
                trigger_at=at + timedelta(seconds=number % 86_400),
                confirmation=CONFIRM,
            )

        return await in_parallel(total, one)


def floor(total: int) -> float:
    """The same three rows and the same number of commits in plain SQL, without any rule."""
    with tempfile.TemporaryDirectory() as folder:
        file = sqlite3.connect(Path(folder) / "floor.db", isolation_level=None)
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
        for table in ("reminders", "tasks", "events"):
            file.execute(f"CREATE TABLE {table} (id TEXT PRIMARY KEY, at INTEGER, body TEXT)")
            file.execute(f"CREATE INDEX ix_{table} ON {table} (at)")
        began = clock.monotonic()
        for start in range(0, total, CALLERS):
            file.execute("BEGIN")
            for number in range(start, min(start + CALLERS, total)):
                for table in ("reminders", "tasks", "events"):
                    row = (f"{table}-{number}", number, "x" * 300)
                    file.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", row)  # noqa: S608
            file.execute("COMMIT")
        rate = total / (clock.monotonic() - began)
        file.close()
        return rate


async def set_up(made: Server, total: int, at: datetime) -> None:
    """So many users, each with a device and a reminder for the same instant."""

    async def one(number: int) -> None:
        user_id = UserId(f"user-{number}")
        await made.people.ensure_user(User(id=user_id), clock.now())
        device = Device(id=DeviceId(f"dev-{number}"), user_id=user_id, kind=DeviceKind.TERMINAL)
        await made.people.add_device(device, clock.now())
        await made.reminders.create(
            CLARION, user_id=user_id, content="pills", trigger_at=at, confirmation=CONFIRM
        )

    await in_parallel(total, one)


async def burst(total: int) -> tuple[float, float]:
    """All due in the same second: after how many seconds half, and all, had rung."""
    async with server(total) as made:
        at = clock.now() + timedelta(seconds=max(3, total / 300))
        await set_up(made, total, at)
        running = asyncio.create_task(made.workers.run())
        try:
            async with asyncio.timeout(120):
                await made.devices.all_rung.wait()
        finally:
            running.cancel()
            await asyncio.wait({running})
        rung = sorted(made.devices.rung)
        return (rung[total // 2] - at).total_seconds(), (rung[-1] - at).total_seconds()


async def waiting(total: int) -> float:
    """Megabytes of memory that so many rings cost while they wait for an answer."""
    async with server(total) as made:
        at = clock.now() - timedelta(seconds=1)
        await set_up(made, total, at)
        gc.collect()
        before = memory()
        running = asyncio.create_task(made.workers.run())
        try:
            async with asyncio.timeout(300):
                await made.devices.all_rung.wait()
            made.devices.rung.clear()
            gc.collect()
            return memory() - before
        finally:
            running.cancel()
            await asyncio.wait({running})


def memory() -> float:
    """What this process holds now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--small", action="store_true")
    share = 10 if arguments.parse_args().small else 1
    created = 100_000 // share
    rate = await create(created)
    plain = floor(created)
    half, last = await burst(1_000)
    megabytes = await waiting(10_000 // share)
    print("| work | Clarion | wanted | floor |\n| --- | --- | --- | --- |")
    print(f"| {created:,} reminders set, a second | {rate:,.0f} | 2,000 | {plain:,.0f} |")
    print(f"| 1,000 due in one second: half rung, s | {half:.2f} | | |")
    print(f"| 1,000 due in one second: all rung, s | {last:.2f} | 2.00 | |")
    print(f"| {10_000 // share:,} rings waiting, MB | {megabytes:.0f} | 100 | |")


if __name__ == "__main__":
    asyncio.run(main())
