"""Accidents while a thousand tasks a second are added and run: what is lost, twice, and how long.

Run it with `python -m benchmarks.chaos [quick] [minutes]`. One process adds, two carry out;
after some seconds something happens to them or to their PostgreSQL. `recovered` is how many seconds
after it began the rate of a second was nine tenths of what it had been before; the aim is ten.
`lost` are jobs whose adding was answered and that never ran; `twice` ran more than once. Clarion
first, then those beside it that are cheap to try, each at the rate that it can keep up with, until
the time for all is over: a quarter of an hour is enough for them. With `minutes` the open
transaction alone, for two and a half of them.
The slow disk is a few lines of C around PostgreSQL's `fdatasync`; where no compiler is, that row is
left out.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks._peers import ON_POSTGRES, POSTGRES, ROOT, Peer, time_for_all
from tests.support.services import PostgresServer

RATE = 1_000
RATES = {"procrastinate": 150, "BullMQ": 200, "graphile": 400}
"""What a peer can keep up with on two cores; the others get `RATE`."""
SLOW_TO_TRY = ("BullMQ", "graphile", "pg-boss")
LONG = "minutes" in sys.argv
BEFORE, AFTER, DRAIN = 5.0, 150.0 if LONG else 11.5, 15.0  # seconds
BEGINS, SLOW = 2.5, 5.0  # seconds for two workers to start; of the slow disk
ONE = 40.0  # seconds at most for one accident of one peer
SLOTS = 50
BACK = 0.9


SHIM = """
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
int fdatasync(int fd) {
    if (access(getenv("SLOW"), F_OK) == 0) usleep(200000);
    return syscall(SYS_fdatasync, fd);
}
"""


class SlowablePostgres(PostgresServer):
    """While the file `slow` is there, each flush of its log takes 200 ms more."""

    @property
    def slow(self) -> Path:
        return self.directory / "slow"

    def command(self) -> list[str]:
        shim = self.directory / "slow.so"
        if not shim.exists() and (compiler := shutil.which("cc")):
            build = [compiler, "-shared", "-fPIC", "-x", "c", "-o", str(shim), "-"]
            subprocess.run(build, input=SHIM, text=True, check=True)
        preload = [f"LD_PRELOAD={shim}"] if shim.exists() else []
        return ["env", f"SLOW={self.slow}", *preload, *super().command()]


@dataclass
class Scene:
    """One queue at work, and what is seen of it."""

    postgres: SlowablePostgres
    database: str
    workers: list["Supervised"] = field(default_factory=list)
    ran: Counter[int] = field(default_factory=Counter)
    seconds: Counter[int] = field(default_factory=Counter)
    taken: set[int] = field(default_factory=set)
    began: float = field(default_factory=time.perf_counter)

    def hear_worker(self, line: str) -> None:
        numbers = [int(word) for word in line.split()]
        self.ran.update(numbers)
        self.seconds[int(time.perf_counter() - self.began)] += len(numbers)

    def hear_feeder(self, line: str) -> None:
        self.taken.update(int(word) for word in line.split())

    def ask(self, statement: str) -> None:
        with suppress(subprocess.SubprocessError):  # the server may be gone by then
            self.postgres.run_sql(statement, self.database)


def restart(scene: Scene) -> None:
    scene.postgres.kill()
    scene.postgres.start()


def kill_a_worker(scene: Scene) -> None:
    scene.workers[0].kill()


def cut_connections(scene: Scene) -> None:
    scene.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


def hold_a_transaction(scene: Scene) -> None:
    """Nothing that ended meanwhile can be cleared away: every look walks past it."""
    begins = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class; "
    held = begins + f"SELECT pg_sleep({AFTER}); COMMIT"
    threading.Thread(target=scene.ask, args=(held,), daemon=True).start()


def slow_disk(scene: Scene) -> None:
    scene.postgres.slow.touch()
    threading.Timer(SLOW, scene.postgres.slow.unlink).start()


CELLS: dict[str, Callable[[Scene], None]] = {
    "PostgreSQL is killed and started": restart,
    "one of two workers is killed": kill_a_worker,
    "every connection is cut": cut_connections,
    "a transaction stays open": hold_a_transaction,
    "each flush takes 200 ms for 5 s": slow_disk,
}


class Supervised:
    """A process that is begun again a second after it ended by itself, as operators let it be."""

    def __init__(
        self,
        peer: Peer,
        url: str,
        wanted: dict[str, object],
        hear: Callable[[str], None],
        *,
        again: bool = True,
    ) -> None:
        self._command = ["setpriv", "--pdeathsig", "KILL", *peer.command(url, wanted)]
        self._hear = hear
        self._again = again
        self._over = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Supervised":
        self._thread.start()
        return self

    def __exit__(self, *_about: object) -> None:
        self.kill()

    def kill(self) -> None:
        """For good."""
        self._over.set()
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._thread.join(10)

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self._over.is_set():
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            assert self._process.stdout is not None
            for line in self._process.stdout:
                if line.strip().replace(" ", "").isdigit():
                    self._hear(line)
            self._process.wait()
            if not self._again:
                return
            self._over.wait(1.0)


def tried(peer: Peer, cell: Callable[[Scene], None]) -> str:
    rate = next((rate for name, rate in RATES.items() if peer.name.startswith(name)), RATE)
    postgres = SlowablePostgres()
    try:
        postgres.start()
        database = postgres.create_database()
        url = postgres.url(database)
        # The tables are made by one process alone, before two want to.
        prepare = peer.command(url, {"number": 10, "slots": SLOTS})
        subprocess.run(prepare, cwd=ROOT, check=True, capture_output=True, timeout=60)
        scene = Scene(postgres, database)
        serving: dict[str, object] = {"serve": True, "slots": SLOTS}
        feeding: dict[str, object] = {"feed": rate, "seconds": BEFORE + AFTER}
        with (
            Supervised(peer, url, serving, scene.hear_worker) as first,
            Supervised(peer, url, serving, scene.hear_worker) as second,
        ):
            scene.workers = [first, second]
            wait(BEGINS)
            scene.began = time.perf_counter()
            scene.seconds.clear()
            with Supervised(peer, url, feeding, scene.hear_feeder, again=False) as feeder:
                wait(BEFORE)
                hurt_at = time.perf_counter()
                cell(scene)
                feeder.wait(BEFORE + AFTER + 60)
            drained(scene)
            told = kept_as(scene) if peer is POSTGRES else ""
    except (subprocess.SubprocessError, OSError) as error:
        return f"{'failed':>10} {type(error).__name__}"
    finally:
        postgres.remove()
    return said(scene, hurt_at - scene.began) + told


def kept_as(scene: Scene) -> str:
    """What our own database says of those that no worker was heard to run: the counter may err."""
    unheard = [f"'tsk_{number}'" for number in scene.taken - set(scene.ran)]
    if not unheard:
        return ""
    query = f"SELECT status, count(*) FROM tasks WHERE id IN ({','.join(unheard)}) GROUP BY status"  # noqa: S608  numbers
    answer = scene.postgres.run_sql(query, scene.database)
    return f"   unheard: {' '.join(str(answer).split())}"


def drained(scene: Scene) -> None:
    ends = time.perf_counter() + DRAIN
    while time.perf_counter() < ends and scene.taken - set(scene.ran):
        wait(0.2)


def said(scene: Scene, hurt_at: float) -> str:
    whole = range(2, int(hurt_at))
    before = sum(scene.seconds[second] for second in whole) / max(1, len(whole))
    good = (
        second
        for second in range(int(hurt_at) + 1, int(hurt_at + AFTER + DRAIN))
        if scene.seconds[second] >= BACK * before
    )
    back = next(good, None)
    if not before:
        return f"{'failed':>10} nothing ran before it"
    recovered = "never" if back is None else f"{max(0.0, back - hurt_at):.0f} s"
    lost = len(scene.taken - set(scene.ran))
    twice = sum(1 for number in scene.taken if scene.ran[number] > 1)
    kept = "kept" if back is not None and back - hurt_at <= 10 and not lost else "MISSED"
    return f"{before:10,.0f} {recovered:>10} {lost:>8} {twice:>8}   < 10 s: {kept}"


def wait(seconds: float) -> None:
    threading.Event().wait(seconds)


def main() -> None:
    words = sys.argv[1:]
    peers = [POSTGRES] if "quick" in words else [POSTGRES, *ON_POSTGRES]
    peers.sort(key=lambda peer: peer.name.startswith(SLOW_TO_TRY))
    ends = time.perf_counter() + time_for_all(3600.0) - ONE
    cells = dict(list(CELLS.items())[:2]) if "quick" in words else CELLS
    if LONG:
        cells = {name: cell for name, cell in CELLS.items() if cell is hold_a_transaction}
    if shutil.which("cc") is None:
        cells = {name: cell for name, cell in cells.items() if cell is not slow_disk}
    print(
        f"{'accident':<58} {'before/s':>10} {'recovered':>10} {'lost':>8} {'twice':>8}", flush=True
    )
    for peer in peers:
        for name, cell in cells.items():
            if time.perf_counter() > ends:
                print(f"{peer.name}: left out, the time for all was over", flush=True)
                break
            print(f"{f'{name}, {peer.name}':<58} {tried(peer, cell)}", flush=True)


if __name__ == "__main__":
    main()
