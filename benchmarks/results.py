"""Runs every benchmark within its time, and writes what each printed into benchmarks/RESULTS.md.

    python -m benchmarks.results [--quick] [--minutes 17] [--only growth when]

Each runs as a process of its own, one after the other, and all of them together take no longer
than `--minutes`. What does not end in time is cut, and what it printed until then is kept with a
line that says so. `--only` replaces the sections of those it names, with their date, and keeps the
rest of the page. Nothing is left out because it lost; `benchmarks/lost.py` says why it did.
`scripts/peers.sh` installs the peers; parsers of time are looked for beside them, or where
`--parsers` and `--node` say.
"""

import argparse
import json
import os
import platform
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions, version
from pathlib import Path

from benchmarks._peers import GIVEN_SECONDS
from benchmarks._queue import peers
from benchmarks.chart import MARK, bars, bars_in, lines
from benchmarks.lost import sentences
from benchmarks.page import merged
from clarion.base.clock import SystemClock

HERE = Path(__file__).parent
PACKAGES = ("sqlalchemy", "psycopg", "redis", "bullmq", "fastapi", "uvicorn", "ortools")
PEERS = "CLARION_BENCHMARK_PEERS"
LOGGED = re.compile(r"\d\d:\d\d:\d\d\.\d{3} (INFO|DEBUG) ")
LEAST = 20  # seconds; below that most would only have started
ROWS = "rows: "  # what growth prints for its picture
BUSY = 4.0  # above this load the figures say more about the neighbours


@dataclass(frozen=True)
class Run:
    """One benchmark: what it asks, its arguments, the short form, and its seconds."""

    name: str
    asks: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    seconds: int = 60
    peers: bool = False
    """Whether it looks for peers in the place that the environment names."""
    apart: int = 0
    """Its seconds with `--only`, when it needs more for all its rows."""


CLUSTER_FEW = ("500", "100", "200")
APART = (True, 1_200)  # a quarter of an hour for every accident of every peer
RUNS = (
    Run("group_commit", "Durable writes a second: one commit each, and shared"),
    Run("growth", "One claim with more and more pending", ("1000000",), ("100000",), 150),
    Run("queue_million", "A million pending: claim, memory, start", (), ("100000",), 120),
    Run("queue_rates", "Embedded, beside the peers", seconds=190, peers=True),
    Run("queue_work", "Jobs of a millisecond, beside the peers", (), ("500",), 300, peers=True),
    Run("chaos", "Accidents at a thousand tasks a second", (), ("quick",), 475, *APART),
    Run("queue_latency", "How soon the one who matters begins", seconds=120),
    Run("cluster", "The cluster beside bare BullMQ", (), ("2000", "1000"), 120, peers=True),
    Run("cluster_peers", "The cluster, beside the peers", (), CLUSTER_FEW, 190, peers=True),
    Run("overtaking", "An urgent one, beside the peers", (), ("1000", "10", "1"), 280, peers=True),
    Run("vip", "A VIP's message into ten thousand", seconds=240),
    Run("starvation", "Ten hours of VIPs", seconds=60),
    Run("reminders", "Reminders set, rung and waiting", (), ("--small",), 120),
    Run("when", "Reading a time, beside other parsers"),
    Run("answer", "Reading a reply"),
    Run("dispatch", "Holds, the guarded write, the choice", (), ("50",), 90),
    Run("backup", "Backed up while writing, and restored", ("100000",), ("20000",), 90),
    Run("http", "Reads over HTTP, streams", ("--seconds", "30"), ("--seconds", "5"), 130),
    Run("http_reminders", "Reminders set over HTTP and rung", (), ("500",), 90),
    Run("console", "The console in a real browser", seconds=90),
    Run("devices", "Devices that ring at once", (), ("200", "40"), 90),
    Run("mqtt_wake", "Waking a device over MQTT"),
    Run("start", "From the command to the first answer", seconds=120),
)


def main() -> None:
    given = arguments()
    chosen = [run for run in RUNS if not given.only or run.name in given.only]
    page, order = HERE / "RESULTS.md", [run.asks for run in RUNS]
    apart = bool(given.only) and page.exists()
    kept = page.read_text(encoding="utf-8") if apart else "\n".join(beginning(quick=given.quick))
    measured: dict[str, str] = {}
    clock = SystemClock()
    ends = clock.monotonic() + given.minutes * 60
    for number, run in enumerate(chosen, 1):
        seconds = allowed(chosen[number - 1 :], ends - clock.monotonic(), apart=apart)
        left = (ends - clock.monotonic()) / 60
        print(
            f"== {number} of {len(chosen)}: {run.name}, at most {seconds} s; {left:.0f} min left",
            flush=True,
        )
        day = f", measured apart on {clock.now():%Y-%m-%d %H:%M} UTC" if apart else ""
        load, text, ended = carried_out(run, wanted(run, given), seconds)
        print(text, flush=True)
        busy = ". **The machine was busy**: only ratios within a table say something"
        began = f"load {load:.1f} when it began{day}{busy if load > BUSY else ''}"
        measured[run.asks] = section(run, given.quick, began, text, ended)
        if pictures := "\n\n".join((*growth_of(text), *bars_of(text))):
            measured[run.asks] += f"\n{pictures}\n"
        # After each: a long run that is stopped has not been for nothing.
        page.write_text(merged(kept, measured, order), encoding="utf-8")


def allowed(runs: Sequence[Run], left: float, *, apart: bool = False) -> int:
    """What the first of these may take, so that the others, at a third of their limits, fit too:
    that is what they take on a quiet machine.
    """
    first, *later = [run.apart if apart and run.apart else run.seconds for run in runs]
    return max(LEAST, min(first, int(left - sum(later) / 3)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller numbers, a third of the time")
    parser.add_argument("--parsers", default=str(peers() / "venv/bin/python"))
    parser.add_argument("--node", default=str(peers()))
    parser.add_argument("--minutes", type=float, default=17, help="for all of them together")
    parser.add_argument("--only", nargs="*", choices=[run.name for run in RUNS])
    return parser.parse_args()


def wanted(run: Run, given: argparse.Namespace) -> list[str]:
    """What it is started with."""
    asked = list(run.quick if given.quick and run.quick else run.full)
    if run.name == "when" and Path(given.parsers).exists():
        asked += ["--peers", given.parsers]
    if run.name == "when" and Path(given.node, "node_modules", "chrono-node").exists():
        asked += ["--node", given.node]
    return asked


def carried_out(run: Run, given: Sequence[str], seconds: int) -> tuple[float, str, str]:
    """The load at its beginning, what it printed, and how it ended."""
    load = os.getloadavg()[0]
    command = [sys.executable, "-m", f"benchmarks.{run.name}", *given]
    # A server that is started refuses a setting that is none of its own.
    known = {key: value for key, value in os.environ.items() if run.peers or key != PEERS}
    known[GIVEN_SECONDS] = str(seconds)
    with tempfile.TemporaryFile() as heard:
        process = subprocess.Popen(
            command, env=known, stdout=heard, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code = process.wait(seconds)
            ended = (
                "" if code == 0 else f"It ended with code {code}: a limit was missed, or it broke."
            )
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            ended = f"It was cut after {seconds} s; what it had printed until then is above."
        heard.seek(0)
        text = heard.read().decode(errors="replace")
    return load, tidied(text), ended


def tidied(text: str) -> str:
    """Without log lines, the places of this machine, and a traceback's middle."""
    for place in (Path.cwd(), Path(tempfile.gettempdir()), Path.home()):
        text = text.replace(str(place), "…")
    kept = [line.rstrip() for line in text.splitlines() if not LOGGED.match(line)]
    if "Traceback (most recent call last):" in kept:
        kept = kept[: kept.index("Traceback (most recent call last):")] + kept[-1:]
    return "\n".join(kept).strip("\n")


def section(run: Run, quick: bool, began: str, text: str, ended: str) -> str:
    given = " ".join(run.quick if quick and run.quick else run.full)
    shown = "\n".join(line for line in text.splitlines() if not line.startswith((ROWS, MARK)))
    parts = [
        f"## {run.asks}\n",
        f"`python -m benchmarks.{run.name} {given}".rstrip() + f"`, {began}.\n",
        f"```\n{shown}\n```\n",
    ]
    reasons = "\n".join(sentences(run.name, text))
    return "\n".join([*parts, *(f"{each}\n" for each in (reasons, ended) if each)])


def bars_of(text: str) -> Iterator[str]:
    """The bars that were printed, as pictures beside the page."""
    for drawn in bars_in(text):
        (HERE / f"{drawn.file}.svg").write_text(bars(drawn), encoding="utf-8")
        yield f"![{drawn.title}: {drawn.unit}]({drawn.file}.svg)"


def growth_of(text: str) -> Iterator[str]:
    """The growth as a picture beside the page."""
    found = re.search(rf"^{ROWS}(.*)$", text, re.MULTILINE)
    if found is None:
        return
    rows = json.loads(found[1])
    drawn = {
        name: [(row["pending"], row[name]) for row in rows]
        for name in ("p50", "p99", "floor p50", "floor p99")
    }
    picture = lines("One claim as the backlog grows", "tasks pending", "milliseconds", drawn)
    (HERE / "growth.svg").write_text(picture, encoding="utf-8")
    yield "![One claim, in milliseconds, as the backlog grows](growth.svg)"


def beginning(*, quick: bool) -> Sequence[str]:
    day = SystemClock().now().strftime("%Y-%m-%d %H:%M UTC")
    load = os.getloadavg()[0]
    notes = [
        "# Results\n",
        "Written by `make bench`; do not edit. Each benchmark runs Clarion and its peers, or the",
        "floor that nobody can go below, on the same machine in the same run. A peer that could",
        "not be installed is left out, and its benchmark says so. Where Clarion lost a row, a line",
        "below the table says so, and why if that is known. Figures of different sections were",
        "not measured at the same time.\n",
        f"- {day}, {machine()}",
        f"- {software()}",
        f"- Peers: {', '.join(peer_versions()) or 'none are installed'}",
    ]
    if quick:
        notes.append("- **A reduced run**: smaller numbers and less time than `make bench` takes.")
    if load > BUSY:
        notes.append(
            f"- **The machine was busy** (load {load:.1f}): absolute figures are worse than on an"
            " idle one, and ratios within one table say more."
        )
    return [*notes, ""]


def peer_versions() -> list[str]:
    """Of those in our lists that are really there."""
    lists = (*listed("peers.txt"), *listed("peers-arq.txt"))
    names = dict.fromkeys(re.split(r"[\[=<>]", line)[0] for line in lists)
    place = [str(one) for one in peers().glob("venv*/lib/python*/site-packages")]
    there = {one.name.lower(): one.version for one in distributions(path=place)}
    known = [f"{name} {there[name]}" for name in names if name in there]
    for line in listed("peers-node.txt"):
        name = line.rpartition("@")[0]
        described = peers() / "node_modules" / name / "package.json"
        if described.exists():
            found = json.loads(described.read_text(encoding="utf-8"))["version"]
            known.append(f"{name} {found} on Node")
    return known


def listed(name: str) -> list[str]:
    written = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in written if line.strip() and not line.startswith("#")]


def machine() -> str:
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text(encoding="utf-8"))
    gigabytes = int(memory[1]) / 1024**2 if memory else 0
    return f"{os.cpu_count()} cores ({cpu[1] if cpu else platform.machine()}), {gigabytes:.0f} GB"


def software() -> str:
    known = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for name in PACKAGES:
        try:
            known.append(f"{name} {version(name)}")
        except ImportError:
            continue
    return ", ".join(known)


if __name__ == "__main__":
    main()
