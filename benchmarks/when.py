"""How long one sentence takes, beside other parsers on the same sentences and machine.

`python -m benchmarks.when [--peers PYTHON] [--node DIRECTORY]`: PYTHON is an interpreter that has
jionlp and dateparser, DIRECTORY one in which chrono-node is installed. What is not there is left
out of the table. Whether a peer's answer is right is not judged here.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.chart import Bars
from clarion.language.request import read
from clarion.language.when import parse

SHANGHAI = ZoneInfo("Asia/Shanghai")
BASE = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
ROUNDS = 30
MEDIAN_MICROSECONDS_MAX = 100
IMPORT_MILLISECONDS_MAX = 60
CHINESE = (
    "明天早上8点提醒我吃药",
    "今晚九点半叫我看球赛",
    "8分钟后提醒我关煤气",
    "下周四提醒我续交房租",
    "2027年3月18日下午三点半提醒我答辩",
    "大年初二早上9点提醒我给外婆拜年",
    "每周一三五早上7点",
    "每月最后一天下午4点提醒我对账",
    "三天后的上午",
    "12月24号晚上6点提醒我带礼物",
)
ENGLISH = (
    "in 5 minutes",
    "tomorrow at 8am",
    "next Monday at 3pm",
    "at 8:05am on Dec 25",
    "March 5, 2027 at 3pm",
    "in two and a half hours",
    "the day after tomorrow at noon",
    "this Friday at 17:30",
)
PYTHON_PEER = """
import importlib, json, statistics, sys, time, warnings
warnings.simplefilter("ignore")
name, rounds, texts = json.loads(sys.argv[1])
if name == "jionlp":
    import jionlp
    call = lambda text: jionlp.parse_time(text, time_base={"year": 2026, "month": 11, "day": 16})
else:
    import dateparser
    call = lambda text: dateparser.parse(text)
spent = []
for turn in range(rounds + 1):
    for text in texts:
        started = time.perf_counter()
        try:
            call(text)
        except Exception:
            pass
        if turn:
            spent.append(time.perf_counter() - started)
print(statistics.median(spent) * 1e6)
"""
NODE_PEER = """
const chrono = require("chrono-node");
const [zone, rounds, texts] = JSON.parse(process.argv[1]);
const parser = zone === "zh" ? chrono.zh : chrono;
const spent = [];
for (let turn = 0; turn <= rounds; turn++)
  for (const text of texts) {
    const started = process.hrtime.bigint();
    parser.parseDate(text, new Date(2026, 10, 16, 10));
    if (turn) spent.push(Number(process.hrtime.bigint() - started) / 1000);
  }
spent.sort((a, b) => a - b);
console.log(spent[Math.floor(spent.length / 2)]);
"""


def ours(texts: tuple[str, ...], *, whole: bool = False) -> float:
    """Microseconds, the median of all rounds; `whole` also reads content and wishes."""
    call = read if whole else parse
    spent = []
    for turn in range(ROUNDS + 1):
        for text in texts:
            started = time.perf_counter()
            call(text, BASE, SHANGHAI)
            if turn:
                spent.append(time.perf_counter() - started)
    return statistics.median(spent) * 1e6


def import_milliseconds() -> float:
    code = (
        "import time; t = time.perf_counter(); import clarion.language.when; "
        "print((time.perf_counter() - t) * 1000)"
    )
    # As an installed program is: with its bytecode kept, which the first of the runs writes.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=kept)
            .stdout for _ in range(7)]  # fmt: skip
    return statistics.median(float(run) for run in runs[1:])


def python_peer(python: str, name: str, texts: tuple[str, ...]) -> float | None:
    asked = json.dumps([name, 3, texts])
    return _figure([python, "-c", PYTHON_PEER, asked], None)


def node_peer(directory: str, lang: str, texts: tuple[str, ...]) -> float | None:
    asked = json.dumps([lang, ROUNDS, texts])
    return _figure(["node", "-e", NODE_PEER, asked], Path(directory))


def _figure(command: list[str], place: Path | None) -> float | None:
    try:
        run = subprocess.run(command, capture_output=True, cwd=place, timeout=120, check=True)
        return float(run.stdout.split()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--peers", default="")
    options.add_argument("--node", default="")
    chosen = options.parse_args()
    rows: list[tuple[str, float | None, float | None]] = [
        ("clarion, time alone", ours(CHINESE), ours(ENGLISH)),
        ("clarion, whole request", ours(CHINESE, whole=True), ours(ENGLISH, whole=True)),
    ]
    if chosen.peers:
        rows.append(("jionlp", python_peer(chosen.peers, "jionlp", CHINESE), None))
        both = [python_peer(chosen.peers, "dateparser", texts) for texts in (CHINESE, ENGLISH)]
        rows.append(("dateparser", both[0], both[1]))
    if chosen.node:
        both = [node_peer(chosen.node, lang, t) for lang, t in (("zh", CHINESE), ("en", ENGLISH))]
        rows.append(("chrono", both[0], both[1]))
    print(f"{'median microseconds a sentence':<34}{'Chinese':>10}{'English':>10}")
    for name, chinese, english in rows:
        shown = ["—" if figure is None else f"{figure:.0f}" for figure in (chinese, english)]
        print(f"{name:<34}{shown[0]:>10}{shown[1]:>10}")
    print(f"\n{'import, milliseconds':<34}{import_milliseconds():>10.0f}")
    bars = [(f"Chinese: {name}", figure) for name, figure, _ in rows if figure is not None]
    bars += [(f"English: {name}", figure) for name, _, figure in rows if figure is not None]
    print(Bars("when", "Reading a time", "median microseconds a sentence", bars).line())


if __name__ == "__main__":
    main()
