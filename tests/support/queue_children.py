"""Starts, kills and questions processes that work on a queue."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

from sqlalchemy import Connection, select

from tests.support.queue_child import effects

ROOT = Path(__file__).parent.parent.parent


class Child:
    """A worker process, and what it said it had added."""

    def __init__(
        self, url: str, *, producers: int = 0, lease: float = 15.0, file: Path | None = None
    ) -> None:
        self.added: list[str] = []
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.support.queue_child"),
                *(url, str(producers), str(lease)),
                *([str(file)] if file else []),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hear(self, lines: int) -> None:
        """Wait until it has said so many lines more."""
        assert self._process.stdout is not None
        for _ in range(lines):
            self._note(self._process.stdout.readline())

    def kill(self) -> None:
        """End it between two instructions; what it said before is still heard."""
        self._process.kill()
        self._hear_the_rest()

    def stop(self) -> int:
        """Ask it to end; answers the exit code."""
        self._process.terminate()
        return self.ended()

    def ended(self) -> int:
        """Wait until it has ended by itself; answers the exit code."""
        self._hear_the_rest()
        return self._process.returncode

    def _hear_the_rest(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._note(line)
        self._process.stdout.close()
        self._process.wait(60)

    def _note(self, line: str) -> None:
        # A line that was cut off by the kill was never an answer to anybody.
        if line.endswith("\n"):
            self.added += [word for word in line.split() if word.startswith("tsk_")]


def done_tasks(conn: Connection) -> list[str]:
    """Every effect there was, in its order."""
    return list(conn.execute(select(effects.c.task).order_by(effects.c.number)).scalars())


def done_twice(done: list[str]) -> list[str]:
    return [task for task, times in Counter(done).items() if times > 1]


def lines_of(files: list[Path]) -> list[str]:
    """The tasks that processes wrote to their files, in the order of the instants."""
    lines = [line.split() for file in files for line in file.read_text("utf-8").splitlines()]
    return [task for _, task in sorted((int(at), task) for at, task in lines)]
