"""From the command to the first ready answer, and from Ctrl-C to the end.

Beside it the floor: a Python that only imports the web framework we stand on.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import httpx

from tests.support.program import clarion, served

ROUNDS = 5
TARGET_SECONDS = 1.5


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        first = start_and_stop(data)
        rounds = [start_and_stop(data) for _ in range(ROUNDS)]
        help_seconds = statistics.median(timed_command(data) for _ in range(ROUNDS))
    floor = statistics.median(timed_floor() for _ in range(ROUNDS))
    rows = [
        ("first start to ready (makes the database)", first[0]),
        ("start to ready, median", statistics.median(ready for ready, _ in rounds)),
        ("Ctrl-C to the end, median", statistics.median(ended for _, ended in rounds)),
        ("clarion --version, median", help_seconds),
        ("floor: import fastapi, uvicorn, sqlalchemy", floor),
    ]
    for name, seconds in rows:
        print(f"{name:<46} {seconds:6.2f} s")
    print(f"{'target for start to ready':<46} {TARGET_SECONDS:6.2f} s")


def start_and_stop(data: Path) -> tuple[float, float]:
    begun = perf_counter()
    with served(data) as server:
        assert httpx.get(f"{server.url}/health/ready").status_code == 200
        ready = perf_counter()
        server.interrupt()
        return ready - begun, perf_counter() - ready


def timed_command(data: Path) -> float:
    begun = perf_counter()
    clarion("--version", data_dir=data)
    return perf_counter() - begun


def timed_floor() -> float:
    begun = perf_counter()
    subprocess.run([sys.executable, "-c", "import fastapi, uvicorn, sqlalchemy"], check=True)
    return perf_counter() - begun


if __name__ == "__main__":
    main()
