"""Reminders set one by one over HTTP by a hundred clients, and rung.

    python -m benchmarks.http_reminders [reminders] [--tree FOLDER ...] [--profile FILE]

Each client has a connection of its own and sets the next reminder when the last one was answered,
for another person; each is due a moment later, so that ringing and setting share one server.
What rings is a webhook, which counts. `--tree` measures further checkouts of Clarion in the same
run, with the packages of this one. Two more servers run under cProfile, one with few reminders and
one with many: their difference says where the time of one goes, its person and device included, at
about twice the time. SQLite writes in a thread of its own, which is not in there. `--profile` keeps
the second.
"""

import argparse
import asyncio
import json
import pstats
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import uvloop

from benchmarks.http import CLOCK, LOAD, Connection, Running, give_core

CLIENTS = 100
REMINDERS = 3_000
LATER = timedelta(seconds=2)
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
PATIENCE = 60.0  # seconds
FEW, MANY = 100, 1_000  # reminders under cProfile
PARTS = 12  # shown; the others take less than they
WAITING = ("clarion/base/loop",)  # there cProfile counts the time in which nothing happens
PART = re.compile(
    r"site-packages/([^/.]+)|/(clarion/[^/.]+(?:/[^/.]+)?)[/.]|lib/python3\.\d+/(?!site-packages)([^/.]+)"
)


@dataclass(frozen=True, slots=True)
class Figure:
    set: float
    """A second."""
    rung: float
    """Set and rung a second, from the first request to the last ring, without the wait between."""
    cpu: float
    """Milliseconds of processor of the server for each."""


class Doorbell:
    """The webhook that rings: it takes every call and counts them."""

    def __init__(self, wanted: int) -> None:
        self.left = wanted
        self.over = asyncio.Event()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = LENGTH.search(head)
                await reader.readexactly(int(length[1]) if length else 0)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                self.left -= 1
                if self.left <= 0:
                    self.over.set()
        except (asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.close()


def setting(token: str, number: int) -> bytes:
    due = (CLOCK.now() + LATER).isoformat()
    said = {"user_id": f"user{number}", "content": "take the pills", "trigger_at": due}
    body = json.dumps(said)
    return (
        f"POST /api/v1/reminders HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def move_in(running: Running, bell: str, number: int) -> None:
    """As many people as reminders, each with a webhook: no second ring waits for a first."""
    headers = {"Authorization": f"Bearer {running.admin}"}
    numbers = iter(range(number))
    async with httpx.AsyncClient(base_url=f"{running.url}/api/v1", headers=headers) as client:

        async def some() -> None:
            for one in numbers:
                (await client.post("/users", json={"id": f"user{one}"})).raise_for_status()
                device = {"user_id": f"user{one}", "kind": "webhook", "address": bell}
                (await client.post("/devices", json=device)).raise_for_status()

        await asyncio.gather(*(some() for _ in range(20)))


async def measured(running: Running, number: int) -> Figure:
    bell, loop = Doorbell(number), asyncio.get_running_loop()
    serving = await asyncio.start_server(bell.answer, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{serving.sockets[0].getsockname()[1]}/ring"
    await move_in(running, address, number)
    numbers = iter(range(number))
    used, began = running.cpu, loop.time()
    async with asyncio.TaskGroup() as group:
        for _ in range(CLIENTS):
            group.create_task(client(running, numbers))
    set_in = loop.time() - began
    try:
        async with asyncio.timeout(PATIENCE):
            await bell.over.wait()
    except TimeoutError:
        raise SystemExit(f"{bell.left} of {number} had not rung after {PATIENCE:g} s") from None
    rung_in = loop.time() - began - LATER.total_seconds()
    serving.close()
    return Figure(number / set_in, number / rung_in, (running.cpu - used) / number * 1000)


async def client(running: Running, numbers: Iterator[int]) -> None:
    connection = Connection(running.port)
    await connection.open()
    for number in numbers:
        status = await connection.ask(setting(running.admin, number))
        assert status == 201, f"user{number} got {status}"
    connection.close()


def tried(number: int, tree: Path | None, profile: Path | None) -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        running = Running(Path(folder), tree=tree, profile=profile)
        try:
            return uvloop.run(measured(running, number))
        finally:
            running.stop()


def parts_of(profile: Path) -> "Counter[str]":
    """Microseconds of each package, and of each room of ours, without what they call."""
    spent: Counter[str] = Counter()
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]]
    stats = pstats.Stats(str(profile)).stats  # type: ignore[attr-defined]
    for (file, _, name), (_, _, own, _, _) in stats.items():
        found = PART.search(file)
        part = found and (found[1] or found[2] or f"Python: {found[3]}")
        spent[part or ("Python: built in" if file == "~" else name)] += round(own * 1e6)
    for part in WAITING:
        del spent[part]
    return spent


def show_parts(few: Path, many: Path) -> None:
    more = parts_of(many)
    more.subtract(parts_of(few))
    spent = +more
    print(f"\n{'where the time goes, under cProfile':<44}{'ms each':>10}{'share':>12}")
    for part, own in spent.most_common(PARTS):
        print(f"{part:<44}{own / (MANY - FEW) / 1000:>10.2f}{own / spent.total():>12.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=REMINDERS)
    parser.add_argument("--tree", nargs="*", type=Path, default=[])
    parser.add_argument("--profile", type=Path)
    given = parser.parse_args()
    give_core(0, LOAD)
    title = f"{given.number:,} reminders by {CLIENTS} clients"
    print(f"{title:<44}{'set/s':>10}{'set+rung/s':>12}{'cpu ms each':>13}{'ours ×':>8}")
    ours: Figure | None = None
    for tree in (None, *given.tree):
        figure = tried(given.number, tree, None)
        ours = ours or figure
        name = f"the same at {tree.name}" if tree else "Clarion, SQLite"
        print(
            f"{name:<44}{figure.set:>10,.0f}{figure.rung:>12,.0f}{figure.cpu:>13.2f}"
            f"{ours.rung / figure.rung:>8.2f}",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder, "few"), given.profile or Path(folder, "many")
        tried(FEW, None, few)
        tried(MANY, None, many)
        show_parts(few, many)


if __name__ == "__main__":
    main()
