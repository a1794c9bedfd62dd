"""What the scripts of the peers share: what they are asked and how they answer. No packages.

Each is run as `python -m benchmarks.queue_peers.<name> URL NUMBER [DELAYED SECONDS]`: it adds that
many jobs that do nothing and runs them, then as many delayed ones that fall due within those
seconds, and prints what it measured as its last line. One job more is added before anything is
timed, and pools are filled, so that nobody's figure contains the making of connections.
"""

import asyncio
import json
import os
import random
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from clarion.base.clock import SystemClock

SLOTS = 50  # jobs at a time where a peer has such a setting, as many as Clarion is given


def now() -> float:
    """Seconds since 1970, as the clock that Clarion is measured by says."""
    return SystemClock().now().timestamp()


@dataclass(frozen=True, slots=True)
class Asked:
    url: str
    number: int
    delayed: int
    seconds: float

    def dues(self, added_in: float) -> list[float]:
        """When the delayed ones are due, the first after all of them will have been added."""
        chance = random.Random(9)
        each = added_in / max(self.number, 1)
        first = now() + 1 + self.delayed * (1 / 500 + 2 * each)
        return [first + chance.uniform(0, self.seconds) for _ in range(self.delayed)]


def asked() -> Asked:
    url, number, delayed, seconds = (*sys.argv[1:5], "0", "0")[:4]
    return Asked(url, int(number), int(delayed), float(seconds))


class Tally:
    """Counts jobs in whichever thread they run, and how late each began."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._left = 0
        self._over: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    def expect(self, number: int, over: Callable[[], None]) -> None:
        """Call `over` after that many."""
        self._left, self._over = number, over

    def __call__(self, due: float) -> None:
        """One job ran; `due` is 0 when it was due at once."""
        began = now()
        with self._lock:
            if due:
                self.late.append(began - due)
            self._left -= 1
            if self._left == 0:
                self._over()


async def measure(
    package: str,
    given: Asked,
    tally: Tally,
    add: Callable[[list[float]], Awaitable[None]],
    work: Callable[[], Coroutine[Any, Any, object]],
) -> None:
    """For peers whose worker is a coroutine beside their producer: adds first, then works."""
    await add([0.0])
    began = time.perf_counter()
    await add([0.0] * given.number)
    added_in = time.perf_counter() - began

    over = asyncio.Event()
    tally.expect(given.number + 1, over.set)
    began = time.perf_counter()
    working = asyncio.create_task(work())
    await over.wait()
    ran_in = time.perf_counter() - began

    if given.delayed:
        over.clear()
        tally.expect(given.delayed, over.set)
        await add(given.dues(added_in))
        await over.wait()
    working.cancel()
    answer(package, given, added_in, ran_in, tally.late)


def answer(package: str, given: Asked, add: float, run: float, late: list[float]) -> None:
    """Say it and be gone: what still runs in other threads is not waited for."""
    said = {
        "version": version(package),
        "number": given.number,
        "add": add,
        "run": run,
        "late": late,
    }
    print(json.dumps(said), flush=True)
    os._exit(0)
