"""What the disk itself takes: a process of its own that commits a row of plain SQLite now and then.

Nothing durable can be quicker than that at the same moment, and a disk that others keep busy, or
that stands still, shows there as well.
"""

import json
import select
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

EVERY = 0.02  # seconds: often enough to meet what others meet, too seldom to be in their way


class Floor:
    """Commits beside whatever is measured in the block."""

    def __init__(self, folder: str) -> None:
        self._path = str(Path(folder) / "floor.db")
        self.seconds: list[float] = []
        """What each commit took."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "benchmarks._floor", self._path]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_about: object) -> None:
        said, _ = self._process.communicate()  # closes its input, which ends it
        self.seconds = json.loads(said)


def main() -> None:
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE rows (words TEXT)")
    taken: list[float] = []
    while not select.select([sys.stdin], [], [], EVERY)[0]:
        began = time.perf_counter()
        connection.execute("INSERT INTO rows VALUES ('one')")
        taken.append(time.perf_counter() - began)
    connection.close()
    print(json.dumps(taken))


if __name__ == "__main__":
    main()
