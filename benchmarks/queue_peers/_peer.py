"""What the scripts of the queues share: what they are asked, the work, the answer. No packages.

Each is run as `python -m benchmarks.queue_peers.<name> URL WANTED`, where WANTED is the JSON of an
`Asked`, and prints what it measured as its last line. One job more is added before anything is
timed, and pools are filled, so that nobody's figure contains the making of connections. With
`number` it adds that many jobs that do nothing and runs them; then, where they are wanted, delayed
ones that fall due within some seconds, and a burst of them that is due at one instant. With
`backlog` it fills the queue, lets its workers begin, and adds urgent jobs one after the other.
`_peer.mjs` does the same on Node.
"""

import asyncio
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Protocol

from benchmarks._times import pause
from clarion.base.clock import SystemClock

SLOTS = 50  # jobs at a time where a queue has such a setting, as many as Clarion is given
BULK = 500  # jobs in one call where a queue can take several
SWING = 100  # ordinary jobs begin before the first urgent one is added
APART = 0.01  # seconds from one urgent job to the next


def now() -> float:
    """Seconds since 1970, as the clock that Clarion is measured by says."""
    return SystemClock().now().timestamp()


@dataclass(frozen=True, slots=True)
class Job:
    due: float = 0.0
    """Seconds since 1970; 0 when it is due at once."""
    urgent: int = 0
    """Its number among the urgent ones; 0 when it is an ordinary one."""
    number: int = 0
    """Its name where accidents are tried: each must run, and once is enough."""


class Queue(Protocol):
    async def add(self, jobs: Sequence[Job]) -> None:
        """Give them to the queue; each is kept when this returns."""

    async def begin(self) -> None:
        """Let the workers begin. The time to run is counted from its return."""


@dataclass(frozen=True, slots=True)
class Asked:
    url: str
    number: int = 0
    delayed: int = 0
    seconds: float = 0.0
    burst: int = 0
    backlog: int = 0
    urgent: int = 0
    work: float = 0.0
    """Seconds that each job takes."""
    bytes: int = 0
    """Of ballast in each job."""
    slots: int = SLOTS
    feed: int = 0
    """Jobs to add a second, for `seconds`; nothing else is done then."""
    serve: bool = False
    """Run what others add and print its numbers, until somebody ends it."""

    def first_due(self, added_in: float, number: int) -> float:
        """When so many delayed ones will have been added, judged by the others."""
        return now() + 1 + number * (1 / 1000 + 2 * added_in / max(self.number, 1))


def asked() -> Asked:
    return Asked(sys.argv[1], **json.loads(sys.argv[2]))


class Tally:
    """Counts jobs in whichever thread they run, how late each began, and what overtook what."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.begun = 0
        self.overtook: dict[int, tuple[float, int]] = {}
        self._left = 0
        self._urgent = False
        self._over: Callable[[], object] = lambda: None
        self._lock = threading.Lock()
        self.tells = False
        """Whether the number of each is printed at once, so that a kill hides none that ran."""

    def expect(self, number: int, *, urgent: bool = False) -> asyncio.Event:
        """What is set after that many ordinary or urgent ones."""
        over, loop = asyncio.Event(), asyncio.get_running_loop()
        with self._lock:
            self._left, self._urgent = number, urgent
            self._over = lambda: loop.call_soon_threadsafe(over.set)
        return over

    def __call__(self, due: float = 0.0, urgent: int = 0, number: int = 0) -> None:
        """One job began; the figures are those of a `Job`."""
        if self.tells:
            os.write(1, f"{number}\n".encode())
            return
        began = now()
        with self._lock:
            if due:
                self.late.append(began - due)
            if urgent:
                self.overtook[urgent] = (time.perf_counter(), self.begun)
            else:
                self.begun += 1
            if self._urgent == bool(urgent):
                self._left -= 1
                if self._left == 0:
                    self._over()


async def measure(package: str, given: Asked, tally: Tally, queue: Queue) -> None:
    """Do what is asked, say it and be gone: what still runs in other threads is not waited for."""
    if given.serve:
        await serve(tally, queue)
    elif given.feed:
        await feed(given, queue)
        os._exit(0)
    await queue.add([Job()])
    found = await (overtaking if given.backlog else rates)(given, tally, queue)
    print(json.dumps({"version": version(package) if package else "", **found}), flush=True)
    os._exit(0)


async def serve(tally: Tally, queue: Queue) -> None:
    """A line for each that ran, until somebody ends it."""
    tally.tells = True
    await queue.begin()
    await asyncio.Event().wait()


async def feed(given: Asked, queue: Queue) -> None:
    """A line for each batch that was taken, with its numbers. What is refused is tried again."""
    began, added = time.perf_counter(), 0
    while added < given.feed * given.seconds:
        due = int((time.perf_counter() - began) * given.feed)
        jobs = [Job(number=number + 1) for number in range(added, min(due, added + BULK))]
        try:
            if jobs:
                await queue.add(jobs)
                print(*(job.number for job in jobs), flush=True)
                added += len(jobs)
        except Exception as error:  # noqa: BLE001  whatever a peer says when its database is away
            print(f"refused: {error!r}"[:200], file=sys.stderr)
        await pause(0.05)


async def rates(given: Asked, tally: Tally, queue: Queue) -> dict[str, Any]:
    """Adds first, then works; the delayed ones meet workers that have nothing else to do."""
    jobs = [Job()] * given.number
    began = time.perf_counter()
    await queue.add(jobs)
    added_in = time.perf_counter() - began

    over = tally.expect(given.number + 1)
    await queue.begin()
    began = time.perf_counter()
    await over.wait()
    ran_in = time.perf_counter() - began

    chance = random.Random(9)
    first = given.first_due(added_in, given.delayed)
    dues = [first + chance.uniform(0, given.seconds) for _ in range(given.delayed)]
    late = await lateness(dues, tally, queue)
    burst = await lateness([given.first_due(added_in, given.burst)] * given.burst, tally, queue)
    return {"number": given.number, "add": added_in, "run": ran_in, "late": late, "burst": burst}


async def lateness(dues: Sequence[float], tally: Tally, queue: Queue) -> list[float]:
    """Seconds from the due instant of each to the first line of its handler."""
    if not dues:
        return []
    tally.late = []
    over = tally.expect(len(dues))
    await queue.add([Job(due) for due in dues])
    await over.wait()
    return tally.late


async def overtaking(given: Asked, tally: Tally, queue: Queue) -> dict[str, Any]:
    """Of each urgent job: seconds until it began, and the ordinary ones that began meanwhile.

    The next one is added whether the one before has begun or not: where nothing overtakes, all of
    them wait for the whole backlog.
    """
    await queue.add([Job()] * given.backlog)
    swing = tally.expect(min(SWING, given.backlog))
    await queue.begin()
    await swing.wait()

    over = tally.expect(given.urgent, urgent=True)
    called = {}
    for number in range(1, given.urgent + 1):
        called[number] = (time.perf_counter(), tally.begun)
        await queue.add([Job(urgent=number)])
        await pause(APART)
    await over.wait()
    pairs = [(tally.overtook[number], called[number]) for number in called]
    return {
        "waits": [began - asked_at for (began, _), (asked_at, _) in pairs],
        "before": [behind - ahead for (_, behind), (_, ahead) in pairs],
    }


def words(job: Job, given: Asked) -> str:
    """A job as JSON, with its ballast."""
    said = {"due": job.due, "urgent": job.urgent, "number": job.number}
    return json.dumps(said | {"filler": "x" * given.bytes})


async def carry(said: str | bytes, given: Asked, tally: Tally) -> None:
    """Do what such a job asks for."""
    job = json.loads(said)
    if given.work:
        await pause(given.work)
    tally(job["due"], job["urgent"], job["number"])


class Beside:
    """Keeps a worker that is a coroutine running beside the producer."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def run(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(_end)


def _end(worker: "asyncio.Task[object]") -> None:
    """A worker that died takes its process along, so that somebody begins it again."""
    if not worker.cancelled() and worker.exception() is not None:
        print(f"the worker died: {worker.exception()!r}", file=sys.stderr, flush=True)
        os._exit(1)


async def in_groups(
    jobs: Sequence[Job], add: Callable[[Job], Coroutine[Any, Any, object]], size: int = SLOTS
) -> None:
    """For those that take one at a time: so many calls at once."""
    for start in range(0, len(jobs), size):
        await asyncio.gather(*(add(job) for job in jobs[start : start + size]))
