"""Private PostgreSQL, Redis and MQTT servers, started when the first test asks for one.

They never touch a server that happens to run on the machine: other ports, other directories.
"""

import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from tests.support.server import Server

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"  # Debian keeps servers out of users' PATH


def program(name: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found, f"{name} is not installed; `make test` installs it"
    return found


class PostgresServer(Server):
    """PostgreSQL keeps its ordinary fsync: what a test proves holds on a real machine."""

    name = "postgres"
    ready = re.compile("database system is ready to accept connections")
    stop_signal = signal.SIGINT  # "fast": roll back what is open, keep what is committed

    def __init__(self) -> None:
        super().__init__()
        self._bin = newest_postgres()
        self._counter = itertools.count(1)
        if os.getuid() == 0:
            shutil.chown(self.directory, "postgres", "postgres")

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        if not self.data.exists():
            self._initialise()
        super().start()

    def command(self) -> list[str]:
        options = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "shared_buffers": "16MB",
            "max_connections": "100",
            "logging_collector": "off",
        }
        settings = [text for key, value in options.items() for text in ("-c", f"{key}={value}")]
        return [*as_postgres(), str(self._bin / "postgres"), "-D", str(self.data), *settings]

    def create_database(self, template: str = "template1") -> str:
        """Make an empty database of its own for one test; answer its name."""
        name = f"test_{next(self._counter)}"
        self.run_sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def deadlocks(self) -> int:
        """How many its own log tells of since it was started."""
        return sum("deadlock detected" in line for line in self.lines)

    def drop_database(self, name: str) -> None:
        self.run_sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def run_sql(self, statement: str, database: str = "postgres") -> str:
        """Run one statement beside the test, as an operator would with psql."""
        psql = [str(self._bin / "psql"), "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(
            [*psql, "-c", statement, self.url(database)],
            check=True,
            capture_output=True,
            text=True,
            timeout=30,
        )
        return done.stdout.strip()

    def _initialise(self) -> None:
        initdb = [*as_postgres(), str(self._bin / "initdb"), "-D", str(self.data)]
        subprocess.run(
            [
                *initdb,
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            check=True,
            capture_output=True,
            cwd=self.directory,
            timeout=60,
        )


class RedisServer(Server):
    """Redis in memory only: a restart forgets everything, which Clarion must survive.

    `keeps` makes it remember across restarts, as a carefully configured one would.
    """

    name = "redis"
    ready = re.compile("Ready to accept connections")

    def __init__(self, *, keeps: bool = False) -> None:
        super().__init__()
        self._keeps = keeps

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        keeping = ["--appendonly", "yes", "--appendfsync", "always"] if self._keeps else []
        return [
            *(program("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--dir", str(self.directory), "--save", "", "--daemonize", "no"),
            *keeping,
        ]

    def empty(self) -> None:
        """Forget everything, as a flushed or freshly replaced Redis does."""
        self.run("REPLICAOF NO ONE")
        self.run("FLUSHALL")

    def run(self, command: str) -> None:
        """Say something to it beside the test, as an operator would."""
        subprocess.run(
            [program("redis-cli"), "-p", str(self.port), *command.split()],
            check=True,
            capture_output=True,
            timeout=10,
        )


class MosquittoServer(Server):
    name = "mosquitto"
    ready = re.compile("mosquitto version .* running")

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        configuration = self.directory / "mosquitto.conf"
        configuration.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n",
            encoding="utf-8",
        )
        return [program("mosquitto"), "-v", "-c", str(configuration)]


S = TypeVar("S", bound=Server)


class Services:
    """The servers of one test session, at most one of each kind, started when first wanted."""

    def __init__(self) -> None:
        self._running: dict[type[Server], Server] = {}

    def get(self, kind: type[S]) -> S:
        if kind not in self._running:
            server = kind()
            self._running[kind] = server
            server.start()
        found = self._running[kind]
        assert isinstance(found, kind)
        return found

    def borrow(self, kind: type[S]) -> Iterator[S]:
        """Hand out a running server, and mend it when the test has hurt it."""
        server = self.get(kind)
        server.ensure_running()
        yield server
        server.ensure_running()

    def remove(self) -> None:
        for server in self._running.values():
            server.remove()
        self._running.clear()


def newest_postgres() -> Path:
    """Debian keeps the server's programs apart from PATH, a directory for each version."""
    versions = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if path.is_dir()]
    if versions:
        return max(versions, key=lambda path: int(path.parent.name))
    return Path(program("initdb")).parent


def as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root, so root becomes `postgres` first."""
    if os.getuid() != 0:
        return []
    user = pwd.getpwnam("postgres")
    return ["setpriv", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups"]
