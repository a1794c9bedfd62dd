"""Finds the rows in which Clarion lost, in what the benchmarks print, and says why. Pure.

A row is lost when its line says `MISSED`, when a peer's "ours ×" is below one, when a figure is
beyond the limit that stands beside it, or when another parser was quicker. The sentences are kept
here, by benchmark and row; one is shown only when its row was lost in this run. A row that was lost
for a reason nobody knows says so.
"""

import re
from collections.abc import Iterator

ON_REDIS = ("BullMQ", "bullmq", "arq", "taskiq", "dramatiq", "celery")
UNEXPLAINED = "the cause has not been measured."
# Only what is known from how the two are built or from the same table. A guess has no place here:
# what nobody has measured is left to the sentence above.
WHY: dict[tuple[str, str], str] = {
    ("queue_rates", "BullMQ"): (
        "it keeps its jobs in the memory of Redis, while each of ours is on disk before it counts."
    ),
    **{
        ("queue_latency", row): (
            "each begins after a commit of its own; what the disk makes a plain commit wait at the"
            " same time stands in the last line."
        )
        for row in ("durable VIP", "critical", "5 000 due")
    },
    ("cluster", "ratio"): (
        "each of our tasks is claimed in PostgreSQL as well, which keeps it when Redis forgets."
    ),
    **{
        ("queue_rates", f"{word}, APScheduler"): (
            "it begins a task and only then writes that it took it; ours begins after that commit."
        )
        for word in ("delayed", "burst")
    },
    **{
        ("cluster_peers", name): (
            "it keeps its jobs in the memory of Redis alone, while each of ours is written to"
            " PostgreSQL, claimed and ended there."
        )
        for name in ON_REDIS
    },
    **{
        ("cluster_peers", f"{word}, celery"): (
            "its worker takes a task long before and keeps it in its own memory until it is due;"
            " ours is claimed in PostgreSQL at that instant, by whichever worker is there."
        )
        for word in ("delayed", "burst")
    },
    **{
        ("cluster_peers", f"{word}, {name}"): (
            "at the due instant it asks Redis alone; ours is claimed in PostgreSQL as well, and"
            " begins after that commit."
        )
        for word in ("delayed", "burst")
        for name in ON_REDIS
    },
    ("overtaking", "overtaking, huey"): (
        "each of its commits carries one task; ours carry up to a hundred, and an urgent one waits"
        " for the one that is under way."
    ),
    ("overtaking", "before it, huey"): (
        "it takes one task at a time from its file; ours takes up to a hundred in one commit, and"
        " those begin while an urgent one is being written."
    ),
    **{
        ("overtaking", f"before it, {name}"): (
            "ours claims up to a hundred ordinary tasks in one commit and has up to two hundred"
            " of them ready; these begin while an urgent one is on its way."
        )
        for name in (*ON_REDIS, "procrastinate")
    },
    ("overtaking", "overtaking, procrastinate"): (
        "it begins a tenth as many tasks a second, one at a time; the write of ours, which claims"
        " it too, waits for the turn of a hundred that is being committed or read."
    ),
    **{
        ("overtaking", f"overtaking, {name}"): (
            "it is added to the memory of Redis and fetched from there; ours begins after a commit"
            " in PostgreSQL that adds and claims it."
        )
        for name in ON_REDIS
    },
    ("when", "chrono"): (
        "it runs on Node and Clarion in Python; whether an answer is right is not judged here."
    ),
}
NUMBER = r"([\d,]+(?:\.\d+)?)"
OURS_TIMES = re.compile(rf"^(?P<row>\S.*?)\s{{2,}}.*\s{NUMBER}$")
AT_MOST = re.compile(rf"^(?P<row>\S.*?)\s{{2,}}.*?{NUMBER}\s+at most {NUMBER}$")
WANTED = re.compile(rf"^\| (?P<row>[^|]+) \| {NUMBER} \| {NUMBER} \|")
PARSER = re.compile(rf"^(?P<row>\S.*?)\s{{2,}}({NUMBER}|—)\s+({NUMBER}|—)$")
LIMITS = re.compile(rf"{NUMBER} (?:s|MB) \(< {NUMBER}\)")


def lost(benchmark: str, text: str) -> list[str]:
    """The names of the rows that Clarion lost, each once."""
    found = [*_missed(text), *_beyond(text), *_behind(text)]
    if benchmark == "chaos":  # there a peer can miss a limit too, and that is no loss of ours
        found = [row for row in found if "Clarion" in row]
    if benchmark == "when":
        found += _slower_parser(text)
    if benchmark == "start":
        found += _slow_start(text)
    return list(dict.fromkeys(found))


def reason(benchmark: str, row: str) -> str:
    known = (
        why for (name, start), why in WHY.items() if name == benchmark and row.startswith(start)
    )
    return next(known, UNEXPLAINED)


def sentences(benchmark: str, text: str) -> list[str]:
    """One for each reason, with all the rows that were lost for it."""
    rows: dict[str, list[str]] = {}
    for row in lost(benchmark, text):
        rows.setdefault(reason(benchmark, row), []).append(f"**{row}**")
    return [f"- Lost: {'; '.join(named)}: {why}" for why, named in rows.items()]


def _missed(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if "MISSED" in line or "LOST" in line:
            yield re.split(r"\s{2,}", line.strip(), maxsplit=1)[0]


def _beyond(text: str) -> Iterator[str]:
    """A figure with its limit beside it."""
    for line in text.splitlines():
        if (found := AT_MOST.match(line)) and _value(found[2]) > _value(found[3]):
            yield found["row"]
        if (found := WANTED.match(line)) and _worse(found["row"], found[2], found[3]):
            yield found["row"]
        if any(_value(figure) > _value(most) for figure, most in LIMITS.findall(line)):
            yield " ".join(line.split()[:2])


def _worse(row: str, figure: str, wanted: str) -> bool:
    more_is_better = "a second" in row and "due in" not in row
    return (_value(figure) < _value(wanted)) if more_is_better else _value(figure) > _value(wanted)


def _behind(text: str) -> Iterator[str]:
    """Peers that did more than we: below a heading that ends in `ours ×`."""
    inside = False
    for line in text.splitlines():
        if line.rstrip().endswith("ours ×"):
            inside = True
        elif not line.strip():
            inside = False
        elif inside and (found := OURS_TIMES.match(line)) and _value(found[2]) < 1:
            yield found["row"]


def _slower_parser(text: str) -> Iterator[str]:
    rows = {found["row"]: found for line in text.splitlines() if (found := PARSER.match(line))}
    ours = rows.get("clarion, time alone")
    if ours is None:
        return
    for name, row in rows.items():
        pairs = ((row[3], ours[3]), (row[5], ours[5]))
        if not name.startswith("clarion") and any(
            a and b and _value(a) < _value(b) for a, b in pairs
        ):
            yield name


def _slow_start(text: str) -> Iterator[str]:
    figures = dict(re.findall(rf"^(.*?)\s{{2,}}{NUMBER} s$", text, re.MULTILINE))
    target = figures.get("target for start to ready")
    found = figures.get("start to ready, median")
    if target and found and _value(found) > _value(target):
        yield "start to ready, median"


def _value(written: str) -> float:
    return float(written.replace(",", ""))
