"""Mixed reads over REST at a steady rate, and events to many streams at once.

    python -m benchmarks.http [--rate 1000] [--seconds 30] [--streams 500]

Requests leave at fixed moments whether or not earlier ones were answered, and each is timed
from the moment it should have left, so a stall is seen by everyone who waits behind it. The
server, one process, has one core to itself and the load another; how busy the load's own core was
is shown, for a generator that cannot keep up measures itself. The floor is a bare FastAPI route in
the same kind of server under the same load.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import uvloop

from clarion.base.clock import SystemClock

Household = list[tuple[str, list[str]]]
Mix = Mapping[str, int]
CLOCK = SystemClock()
USERS = 20
REMINDERS_EACH = 100
CONNECTIONS = 64
ALL = os.sched_getaffinity(0)
LOAD, SERVER = 0, 1  # cores
SEARCH = "/reminders?status=pending&since=2020-01-01T00:00:00Z&until=2090-01-01T00:00:00Z&limit=20"
FLOOR = """
import uvicorn
from fastapi import FastAPI, Response
app = FastAPI()
@app.get("/{path:path}")
async def any_path(path: str) -> Response:
    return Response(b'{"content": "floor"}', media_type="application/json")
uvicorn.run(app, host="127.0.0.1", port=PORT, access_log=False, log_level="warning")
"""


@dataclass
class Load:
    """What was asked for and how long it took, in milliseconds."""

    taken: list[float] = field(default_factory=list)
    wrong: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of processor that the server used: what a busy machine cannot blur."""
    own_cpu: float = 0.0
    """Seconds of processor that asking took."""

    def at(self, share: float) -> float:
        return sorted(self.taken)[min(len(self.taken) - 1, int(len(self.taken) * share))]


class Connection:
    """A kept-alive connection that writes bytes and reads answers, and nothing more."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, request: bytes) -> int:
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        await self._reader.readexactly(length)
        return int(head[9:12])

    def close(self) -> None:
        self._writer.close()


def request(path: str, token: str) -> bytes:
    return (
        f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
    ).encode()


async def moment(at: float) -> None:
    """Returns at this time of the loop: a load generator has nothing else to wait for."""
    loop = asyncio.get_running_loop()
    come: asyncio.Future[None] = loop.create_future()
    loop.call_at(at, come.set_result, None)
    await come


async def steady(port: int, pick: Callable[[], bytes], rate: int, seconds: int) -> Load:
    load = Load()
    loop = asyncio.get_running_loop()
    begin = loop.time() + 0.2
    used = cpu_of(os.getpid())
    moments = iter(range(rate * seconds))

    async def one() -> None:
        connection = Connection(port)
        await connection.open()
        for number in moments:
            planned = begin + number / rate
            await moment(planned)
            status = await connection.ask(pick())
            load.taken.append((loop.time() - planned) * 1000)
            load.wrong += status != 200
        connection.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    load.seconds = loop.time() - begin
    load.own_cpu = cpu_of(os.getpid()) - used
    return load


async def move_in(client: httpx.AsyncClient, name: str) -> tuple[str, list[str]]:
    made = []
    (await client.post("/users", json={"id": name})).raise_for_status()
    for number in range(REMINDERS_EACH):
        at = (CLOCK.now() + timedelta(hours=24 + number)).isoformat()
        body: dict[str, Any] = {"user_id": name, "content": f"吃药 {number}", "trigger_at": at}
        made.append((await client.post("/reminders", json=body)).json()["id"])
        if number % 2:
            await client.post(f"/reminders/{made[-1]}/snooze", json={"duration": 90_000})
    token: str = (await client.post("/tokens", json={"user_id": name})).json()["token"]
    return token, made


def environment(folder: Path) -> dict[str, str]:
    """Nothing of ours that the machine may have set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLARION_")}
    return {
        **kept,
        "CLARION_DATA_DIR": str(folder),
        "CLARION_PORT": "0",
        "CLARION_LOG_LEVEL": "warning",
        "CLARION_REQUESTS_PER_SECOND": "100000",
        "CLARION_PRIVATE_TARGETS": "1",
    }


def give_core(pid: int, number: int) -> None:
    """The same core for all of its threads; on a machine with a single one, that one."""
    cores = sorted(os.sched_getaffinity(0) | ALL)
    os.sched_setaffinity(pid, {cores[number % len(cores)]})


class Running:
    """`clarion serve` in a process of its own, with a household in it.

    `tree`: of another checkout. `profile`: where to keep what cProfile saw.
    """

    def __init__(
        self, folder: Path, *, tree: Path | None = None, profile: Path | None = None
    ) -> None:
        watched = ["-m", "cProfile", "-o", str(profile.absolute())] if profile else []
        place = {"PYTHONPATH": str(tree.absolute())} if tree else {}
        self._process = subprocess.Popen(
            [sys.executable, *watched, "-m", "clarion", "serve"],
            env=environment(folder) | place,
            cwd=tree,
            stdout=subprocess.PIPE,
            text=True,
        )
        give_core(self._process.pid, SERVER)
        assert self._process.stdout is not None
        self._process.stdout.readline()
        self.url = (folder / "address").read_text().strip()
        self.port = int(self.url.rpartition(":")[2])
        self.admin = (folder / "token").read_text().strip()

    async def fill(self) -> Household:
        """Users with their tokens and the ids of their reminders, each with some history."""
        headers = {"Authorization": f"Bearer {self.admin}"}
        base = f"{self.url}/api/v1"
        async with httpx.AsyncClient(base_url=base, headers=headers, timeout=60) as client:
            return await asyncio.gather(*(move_in(client, f"user{n}") for n in range(USERS)))

    @property
    def cpu(self) -> float:
        return cpu_of(self._process.pid)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


def cpu_of(pid: int) -> float:
    """Seconds of processor that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


MIXED: Mix = {
    "/reminders/{}": 25,
    "/reminders/{}/history": 25,
    "/reminders?limit=20": 25,
    SEARCH: 25,
}
LIGHTER: Mix = {
    "/reminders/{}": 50,
    "/reminders?limit=20": 20,
    "/me": 20,
    "/reminders/{}/history": 10,
}
"""What was measured before the searches were added, so that old figures can be compared."""
MIXES = {"list, search, one, history": MIXED, "the lighter mix of before": LIGHTER}


def mixed(household: Household, mix: Mix) -> Callable[[], bytes]:
    dice = random.Random(8)
    paths, weights = list(mix), list(mix.values())

    def pick() -> bytes:
        token, names = dice.choice(household)
        path = dice.choices(paths, weights=weights)[0]
        return request(path.format(dice.choice(names)), token)

    return pick


async def fan_out(running: Running, streams: int, rounds: int) -> Load:
    """How long it takes until every stream has an event, from the request that caused it."""
    load = Load()
    loop = asyncio.get_running_loop()
    opened = [await open_stream(running) for _ in range(streams)]
    headers = {"Authorization": f"Bearer {running.admin}"}
    async with httpx.AsyncClient(base_url=f"{running.url}/api/v1", headers=headers) as client:
        for number in range(rounds):
            begin = loop.time()
            waiting = [asyncio.create_task(hear(one)) for one in opened]
            at = (CLOCK.now() + timedelta(days=1)).isoformat()
            body: dict[str, Any] = {"user_id": "user0", "content": f"{number}", "trigger_at": at}
            await client.post("/reminders", json=body)
            for moment in await asyncio.gather(*waiting):
                load.taken.append((moment - begin) * 1000)
    for _, writer in opened:
        writer.close()
    return load


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def open_stream(running: Running) -> Stream:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    writer.write(request("/events", running.admin))
    await reader.readuntil(b"retry: 2000\n\n")
    return reader, writer


async def hear(stream: Stream) -> float:
    await stream[0].readuntil(b"event: reminder.created")
    return asyncio.get_running_loop().time()


def shown(name: str, load: Load, streams: int = 0) -> list[str]:
    rate = f"{len(load.taken) / load.seconds:,.0f}/s" if load.seconds else f"{streams} streams"
    times = [f"{load.at(share):.1f}" for share in (0.5, 0.95, 0.99, 1.0)]
    cpu = f"{load.cpu / len(load.taken) * 1000:.2f}" if load.cpu else "-"
    asking = f"{load.own_cpu / load.seconds:.0%}" if load.seconds else "-"
    return [name, rate, *times, cpu, asking, str(load.wrong)]


def floor(rate: int, seconds: int) -> Load:
    port = 18_620
    process = subprocess.Popen([sys.executable, "-c", FLOOR.replace("PORT", str(port))])
    give_core(process.pid, SERVER)
    try:
        load = uvloop.run(wait_and_load(port, rate, seconds))
        load.cpu = cpu_of(process.pid)
        return load
    finally:
        process.terminate()
        process.wait(10)


async def wait_and_load(port: int, rate: int, seconds: int) -> Load:
    for _ in range(200):
        try:
            (await asyncio.open_connection("127.0.0.1", port))[1].close()
            break
        except OSError:
            await moment(asyncio.get_running_loop().time() + 0.05)
    return await steady(port, lambda: request("/me", "x"), rate, seconds)


async def clarion(rate: int, seconds: int, streams: int) -> Load:
    """Shows each line as soon as it is known; answers the first."""
    with tempfile.TemporaryDirectory() as folder:
        running = Running(Path(folder))
        try:
            household = await running.fill()
            reads = []
            for (name, mix), part in zip(MIXES.items(), (1, 3), strict=True):
                await steady(running.port, mixed(household, mix), rate, 2)  # warm
                before = running.cpu
                picked = mixed(household, mix)
                reads.append(await steady(running.port, picked, rate, -(-seconds // part)))
                reads[-1].cpu = running.cpu - before
                show(shown(name, reads[-1]))
            if streams:
                told = await fan_out(running, streams, rounds=20)
                show(shown("one event to all streams", told, streams))
            return reads[0]
        finally:
            running.stop()


def show(row: list[str]) -> None:
    print(f"{row[0]:<28}" + "".join(f"{cell:>12}" for cell in row[1:]), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--streams", type=int, default=500, help="0 leaves the streams out")
    chosen = parser.parse_args()
    give_core(0, LOAD)
    show(["", "load", "p50 ms", "p95 ms", "p99 ms", "max ms", "cpu ms each", "asking", "wrong"])
    reads = uvloop.run(clarion(chosen.rate, chosen.seconds, chosen.streams))
    show(shown("floor: bare FastAPI", floor(chosen.rate, min(chosen.seconds, 10))))
    print(json.dumps({"p99_ms": reads.at(0.99), "wrong": reads.wrong}))


if __name__ == "__main__":
    main()
