"""The cluster profile beside other queues: the same work on one Redis, one process each.

Run it with `python -m benchmarks.cluster_peers [tasks] [delayed]`. Each adds as many no-op jobs and
runs them, until the last one's handler ran; then it is given jobs that fall due within a few
seconds, and how late each began is measured. Clarion's figure to add is the write to PostgreSQL and
the telling of Redis together; procrastinate has PostgreSQL alone, the others Redis in memory alone.
Redis runs with `hz 100`, for all alike, and is emptied before each. The setting of a peer stands in
the first lines of its script in `benchmarks/queue_peers`. One that is not installed is left out
with a line that says so, and one that does not end is cut. procrastinate, which takes longest, is
given a third of the jobs.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import uvloop
from redis import Redis

from benchmarks._queue import Countdown, peers, percentile, queue
from benchmarks.cluster import SLOTS, QuickRedis, fronted, lateness
from tests.support.services import PostgresServer

ROOT = Path(__file__).parent.parent
TASKS, DELAYED = 3_000, 500
WITHIN = 3.0  # seconds in which the delayed ones fall due
PATIENCE = 25.0  # seconds for one peer; each takes about ten
ALTOGETHER = 95.0
LEAST = 5.0  # seconds; in fewer nobody would be done


@dataclass(frozen=True, slots=True)
class Figures:
    name: str
    number: int
    add: float
    run: float
    late: Sequence[float] = ()

    @property
    def whole(self) -> float:
        return self.number / (self.add + self.run)

    def late_ms(self, percent: float) -> float:
        return percentile(self.late, percent) * 1000

    def rate_line(self, ours: "Figures") -> str:
        return (
            f"{self.name:<44} {self.number / self.add:10,.0f} {self.number / self.run:10,.0f} "
            f"{self.whole:12,.0f} {ours.whole / self.whole:10.2f}"
        )

    def late_line(self, ours: "Figures") -> str:
        name = f"delayed, {self.name}"
        if not self.late or not ours.late:
            return f"{name:<54} {'cannot':>10} {'':>12} {'—':>10}"
        times = self.late_ms(99) / ours.late_ms(99)
        return f"{name:<54} {self.late_ms(50):10,.1f} {self.late_ms(99):12,.1f} {times:10.2f}"


@dataclass(frozen=True, slots=True)
class Peer:
    """A script of `queue_peers`, and the folder of the Python that has its package."""

    name: str
    script: str
    home: str = "venv"
    fewer: int = 1
    """By how much its jobs are divided, for one that takes long."""

    def command(self, url: str) -> list[str]:
        if self.script.endswith(".mjs"):
            script = str(ROOT / "benchmarks" / "queue_peers" / self.script)
            port = url.rpartition(":")[2].partition("/")[0]
            return ["node", script, str(peers().resolve()), port]
        # Not resolved: a virtual environment is found by the path of its link.
        python = str(peers().absolute() / self.home / "bin" / "python") if self.home else ""
        return [python or sys.executable, "-m", f"benchmarks.queue_peers.{self.script}", url]


ON_REDIS = (
    Peer("BullMQ on Node, Redis", "bullmq_node.mjs"),
    Peer("bullmq Python, bare, Redis", "bullmq_python", home=""),
    Peer("arq, Redis", "arq_redis", home="venv-arq"),
    Peer("taskiq, Redis stream", "taskiq_stream"),
    Peer("dramatiq, Redis", "dramatiq_redis"),
    Peer("celery, Redis", "celery_redis"),
)
ON_POSTGRES = (Peer("procrastinate, PostgreSQL", "procrastinate_postgres", fewer=3),)


async def ours(database: str, redis: str, number: int, delayed: int) -> Figures:
    async with queue(database) as made:
        tasks = made.tasks(number)
        async with fronted(made, redis) as front:
            await made.add(made.tasks(1))
            began = time.perf_counter()
            await made.add(tasks)
            await front.tell(number + 1)
            added = time.perf_counter() - began
            countdown = Countdown(number + 1)
            began = time.perf_counter()
            async with front.running(), made.working(countdown, slots=SLOTS, feed=front.feed):
                await countdown.over.wait()
                ran = time.perf_counter() - began
        measured = Figures("Clarion, PostgreSQL and Redis", number, added, ran)
        if not delayed:
            return measured
        late, _ = await lateness(made, redis, delayed, within=WITHIN)
        return replace(measured, late=late)


def theirs(
    peer: Peer, url: str, number: int, delayed: int, patience: float = PATIENCE
) -> Figures | str:
    """What it measured, or why there is nothing."""
    if patience < LEAST:
        return f"{peer.name}: left out, the time for all was over"
    asked = [*peer.command(url), str(number // peer.fewer), str(delayed), str(WITHIN)]
    if shutil.which(asked[0]) is None:
        return f"{peer.name}: left out, it is not installed; scripts/peers.sh does that"
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *asked],  # when this process is cut, it is too
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
    named = f"{peer.name}, {version}" if (version := found.get("version")) else peer.name
    return Figures(named, found["number"], found["add"], found["run"], found["late"])


def end(process: subprocess.Popen[str]) -> None:
    """It and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def show_rates(number: int, all_of_them: Iterator[Figures | str]) -> list[Figures]:
    """Each row as soon as it is known; the first is ours."""
    title = f"{number} jobs, one process"
    print(f"{title:<44} {'add/s':>10} {'run/s':>10} {'add+run/s':>12} {'ours ×':>10}")
    found: list[Figures] = []
    for each in all_of_them:
        if isinstance(each, Figures):
            found.append(each)
        print(each.rate_line(found[0]) if isinstance(each, Figures) else each, flush=True)
    return found


def show_lateness(found: Sequence[Figures], delayed: int) -> None:
    title = f"{delayed} due within {WITHIN:g} s, ms late (p99 ÷ ours)"
    print(f"\n{title:<54} {'p50':>10} {'p99':>12} {'ours ×':>10}")
    for each in found:
        print(each.late_line(found[0]))


def measured(number: int, delayed: int) -> Iterator[Figures | str]:
    ends = time.perf_counter() + ALTOGETHER
    postgres, redis = PostgresServer(), QuickRedis()
    try:
        postgres.start()
        redis.start()
        database = postgres.url(postgres.create_database())
        yield uvloop.run(ours(database, redis.url, number, delayed))
        for peer in (*ON_REDIS, *ON_POSTGRES):
            with Redis.from_url(redis.url) as client:
                client.flushall()
            on_redis = peer in ON_REDIS
            url = redis.url if on_redis else postgres.url(postgres.create_database())
            patience = min(PATIENCE, ends - time.perf_counter())
            yield theirs(peer, url, number, delayed, patience)
    finally:
        postgres.remove()
        redis.remove()


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else TASKS
    delayed = int(sys.argv[2]) if len(sys.argv) > 2 else DELAYED
    found = show_rates(number, measured(number, delayed))
    if delayed:
        show_lateness(found, delayed)


if __name__ == "__main__":
    main()
