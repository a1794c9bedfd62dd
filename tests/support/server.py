"""A server that a test starts for itself and may kill, pause and start again.

Nothing here sleeps: a start waits for the line in which the server says that it is ready, and
a kill waits for the kernel to say that the process is gone.
"""

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

START_SECONDS_MAX = 90.0  # a loaded machine with a cold disk takes half a minute
STOP_SECONDS_MAX = 30.0
LINES_SHOWN_WHEN_IT_FAILS = 20


class Server:
    """One private server: its own loopback port, its own directory, nobody else's data.

    It dies with the test process, however that ends. Start it in the main thread: the kernel
    ties its life to the thread that started it.
    """

    name = "server"
    ready = re.compile("ready")
    stop_signal = signal.SIGTERM

    def __init__(self) -> None:
        self.port = free_port()
        self.directory = Path(tempfile.mkdtemp(prefix=f"clarion-{self.name}-"))
        self.lines: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._paused: list[int] = []

    def command(self) -> list[str]:
        raise NotImplementedError

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    def start(self) -> None:
        assert not self.is_running, f"{self.name} is running"
        self._process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *self.command()],
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        said = threading.Event()
        self.lines = []
        reader = threading.Thread(target=self._listen, args=(self._process, said), daemon=True)
        reader.start()
        heard = said.wait(START_SECONDS_MAX)
        if not heard or not self._said_ready():
            self.kill()
            last = "\n".join(self.lines[-LINES_SHOWN_WHEN_IT_FAILS:])
            raise RuntimeError(f"{self.name} did not start:\n{last}")

    def stop(self) -> None:
        """Ask it to end as an operator would; what it promised to keep, it keeps."""
        if not self.is_running:
            return
        self.resume()
        assert self._process is not None
        self._process.send_signal(self.stop_signal)
        try:
            self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it and its children between two instructions, as a power cut would."""
        if self._process is None:
            return
        family = self._family()
        for pid in family:
            send(pid, signal.SIGKILL)
        for pid in family[1:]:
            wait_gone(pid)
        self._process.wait(STOP_SECONDS_MAX)
        self._paused = []

    def pause(self) -> None:
        """Let it hang: connections stay open and nothing answers."""
        self._paused = self._family()
        for pid in self._paused:
            send(pid, signal.SIGSTOP)

    def resume(self) -> None:
        for pid in self._paused:
            send(pid, signal.SIGCONT)
        self._paused = []

    def restart(self) -> None:
        self.stop()
        self.start()

    def ensure_running(self) -> None:
        """Mend what a test did to it."""
        self.resume()
        if not self.is_running:
            self.start()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _listen(self, process: "subprocess.Popen[str]", said: threading.Event) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.lines.append(line.rstrip())
                if self.ready.search(line):
                    said.set()
        said.set()

    def _said_ready(self) -> bool:
        return any(self.ready.search(line) for line in self.lines)

    def _family(self) -> list[int]:
        """The server and the processes it started, itself first."""
        if not self.is_running:
            return []
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        return [self.pid, *map(int, children.read_text().split())]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it was faster than we were
        os.kill(pid, number)


def wait_gone(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        select.select([handle], [], [], STOP_SECONDS_MAX)
    finally:
        os.close(handle)
