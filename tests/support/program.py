"""Clarion as its users have it: a process of its own, started by its command."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WAIT_SECONDS_MAX = 60.0


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """Nothing of ours that the machine may have set, a free port, and a directory of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLARION_")}
    given = {f"CLARION_{name.upper()}": value for name, value in settings.items()}
    ours = {"CLARION_PORT": "0", "CLARION_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT)}
    return kept | ours | given


def clarion(
    *arguments: str, data_dir: Path, stdin: str = "", **settings: str
) -> "subprocess.CompletedProcess[str]":
    """Run one command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "clarion", *arguments],
        cwd=data_dir.parent,
        env=environment(data_dir, **settings),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS_MAX,
    )


class Running:
    """A server process that said where it listens."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self._process = process
        self.url = url

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(WAIT_SECONDS_MAX)

    def interrupt(self) -> int:
        """Press Ctrl-C; answers the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(WAIT_SECONDS_MAX)


@contextmanager
def served(data_dir: Path, **settings: str) -> Iterator[Running]:
    """`clarion serve` in a process of its own, from the line that says where it is."""
    process = subprocess.Popen(
        [sys.executable, "-m", "clarion", "serve"],
        cwd=data_dir.parent,
        env=environment(data_dir, **settings) | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            assert "Clarion is at http://" in said, f"instead it said {said!r}"
            yield Running(process, said.split()[3].partition("/login")[0].rstrip("/"))
        finally:
            process.kill()
