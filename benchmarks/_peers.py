"""The queues beside Clarion as processes: where each keeps its jobs, and what it is asked.

The setting of each stands in the first lines of its script in `benchmarks/queue_peers`;
`_peer.py` there says what they do. Redis runs with `hz 100`, for all alike, and is emptied before
each; PostgreSQL has a new database and SQLite a new file for each. PostgreSQL also has used files
of its log to write to, as any server that has run for an hour: a fresh one fills each new file with
zeros and flushes them, and whoever commits meanwhile waits for 10 ms. One that is not installed is
left out with a line that says so, and one that does not end is cut.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from redis import Redis

from benchmarks._queue import peers
from benchmarks._tables import Figures
from benchmarks.cluster import QuickRedis
from tests.support.services import PostgresServer

ROOT = Path(__file__).parent.parent
PATIENCE = 40.0  # seconds for one; most take about fifteen
LEAST = 5.0  # seconds; in fewer nobody would be done
GIVEN_SECONDS = "BENCHMARK_SECONDS"  # how long this run may take; said by benchmarks/results.py
CLOSING = 15.0  # seconds of them that remain for the last one, the tables and the servers' end


@dataclass(frozen=True, slots=True)
class Peer:
    """A script of `queue_peers`, and the folder of the Python that has its package."""

    name: str
    script: str
    on: str = "redis"
    """Where it keeps its jobs: a name in `Bench.places`."""
    home: str = "venv"
    """Clarion's own Python when it is empty."""
    fewer: int = 1
    """By how much its jobs are divided, for one that takes long."""
    apart: bool = False
    """Whether its delayed ones need another setting, and so a process of their own."""
    overtakes: str = "a priority"
    """What lets an urgent job of it begin before the others."""

    def command(self, url: str, wanted: dict[str, Any]) -> list[str]:
        given = [url, json.dumps(wanted)]
        if self.script.endswith(".mjs"):
            script = str(ROOT / "benchmarks" / "queue_peers" / self.script)
            return ["node", script, str(peers().resolve()), *given]
        # Not resolved: a virtual environment is found by the path of its link.
        python = str(peers().absolute() / self.home / "bin" / "python") if self.home else ""
        return [python or sys.executable, "-m", f"benchmarks.queue_peers.{self.script}", *given]


EMBEDDED = Peer("Clarion, SQLite", "clarion_embedded", "file", home="", overtakes="critical")
CLUSTER = Peer(
    "Clarion, PostgreSQL and Redis", "clarion_cluster", "both", home="", overtakes="critical"
)
BULLMQ = Peer("BullMQ on Node, Redis", "bullmq_node.mjs")
POSTGRES = Peer(
    "Clarion, PostgreSQL", "clarion_embedded", "postgres", home="", overtakes="critical"
)
PROCRASTINATE = Peer("procrastinate, PostgreSQL", "procrastinate_postgres", "postgres", fewer=3)
HUEY = Peer("huey, SQLite, fsync", "huey_sqlite", "file")
LITEQUEUE = Peer("litequeue, SQLite, fsync", "litequeue_sqlite", "file", overtakes="no priorities")
APSCHEDULER = Peer("APScheduler, SQLite", "apscheduler_sqlite", "file")
ON_POSTGRES = (
    Peer("pgqueuer, PostgreSQL", "pgqueuer_postgres", "postgres"),
    Peer("awa, PostgreSQL", "awa_postgres", "postgres"),
    Peer("graphile-worker on Node, PostgreSQL", "graphile_node.mjs", "postgres"),
    Peer("pg-boss on Node, PostgreSQL", "pgboss_node.mjs", "postgres"),
    Peer("BullMQ on Node, PostgreSQL", "bullmq_node.mjs", "postgres", fewer=3),
    PROCRASTINATE,
)
ON_REDIS = (
    BULLMQ,
    Peer("bullmq Python, bare, Redis", "bullmq_python", home=""),
    Peer("arq, Redis", "arq_redis", home="venv-arq", overtakes="no priorities: dated back"),
    Peer("taskiq, Redis", "taskiq_stream", overtakes="no priorities: own stream"),
    Peer("dramatiq, Redis", "dramatiq_redis", overtakes="own queue"),
    Peer("celery, Redis", "celery_redis", apart=True),
)


def time_for_all(wanted: float) -> float:
    """Seconds after which nobody new is asked: what a benchmark wants, or what it was given."""
    return min(wanted, float(os.environ.get(GIVEN_SECONDS, "inf")) - CLOSING)


class SettledPostgres(PostgresServer):
    """Writes its log into files that it has used before."""

    LOG_FILES = 24  # of 16 MB; what one queue writes until the next checkpoint needs about five

    def command(self) -> list[str]:
        return [*super().command(), "-c", f"min_wal_size={self.LOG_FILES * 16}MB"]

    def settle(self) -> None:
        """Use the files once, then give them back."""
        for _ in range(self.LOG_FILES):
            self.run_sql("SELECT pg_logical_emit_message(false, '', 'x'), pg_switch_wal()")
        self.run_sql("CHECKPOINT")


class Bench:
    """The servers that the queues keep their jobs in, and one question after the other."""

    def __init__(self, altogether: float) -> None:
        """`altogether`: seconds after which nobody is asked any more."""
        self._ends = time.perf_counter() + time_for_all(altogether)
        self._stack = ExitStack()
        self.places: dict[str, Callable[[], str]] = {
            "file": self._file,
            "redis": self._redis,
            "postgres": self._database,
            "both": lambda: f"{self._database()} {self._redis()}",
        }

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._folder = stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd()))
            self._postgres, self._quick = SettledPostgres(), QuickRedis()
            for server in (self._postgres, self._quick):
                stack.callback(server.remove)
                server.start()
            self._postgres.settle()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_about: object) -> None:
        self._stack.close()

    def _file(self) -> str:
        return f"{tempfile.mkdtemp(dir=self._folder)}/jobs.db"

    def _redis(self) -> str:
        with Redis.from_url(self._quick.url) as client:
            client.flushall()
        return self._quick.url

    def _database(self) -> str:
        self._postgres.run_sql("CHECKPOINT")
        return self._postgres.url(self._postgres.create_database())

    def ask(self, peer: Peer, **wanted: float) -> Figures | str:
        """What it measured, or why there is nothing."""
        patience = min(PATIENCE, self._ends - time.perf_counter())
        if patience < LEAST:
            return f"{peer.name}: left out, the time for all was over"
        command = peer.command(self.places[peer.on](), wanted)
        if shutil.which(command[0]) is None:
            return f"{peer.name}: left out, it is not installed; scripts/peers.sh does that"
        return answered(peer, command, patience)


def answered(peer: Peer, command: list[str], patience: float) -> Figures | str:
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *command],  # when this process is cut, it is too
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        said, complaint = process.communicate(timeout=patience)
        found = json.loads(said.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return f"{peer.name}: cut after {patience:.0f} s without an answer"
    except (IndexError, ValueError):
        last = complaint.strip().splitlines()[-1:] or [f"code {process.returncode}"]
        return f"{peer.name}: left out, it is not installed or failed: {last[0]}"
    finally:
        end(process)
    version = found.pop("version")
    return Figures(f"{peer.name}, {version}" if version else peer.name, **found)


def end(process: subprocess.Popen[str]) -> None:
    """It and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
