"""The sentences that the reader of times is held to, each with its agreed reading.

A file is JSON lines (`text`, `expect`, `why`, perhaps `base`) or a table: text, reading, base.
A row without a reading says no time. An `ask` or `invalid` alone leaves open what is missing.
"""

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from clarion.language.when import parse
from clarion.language.when.model import Invalid, NeedsClarification, Nothing, Once, Recurring, When
from tests.language.when.moments import SHANGHAI

MONDAY = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
FOLDER = Path(__file__).parent


class Case(NamedTuple):
    text: str
    expect: str
    base: datetime
    why: str = ""


def load(path: Path) -> list[Case]:
    lines = path.read_text("utf-8").splitlines()
    return [_from_json(line) if path.suffix == ".jsonl" else _from_row(line) for line in lines]


def _from_json(line: str) -> Case:
    fact = json.loads(line)
    return Case(fact["text"], fact["expect"], _base(fact.get("base", "")), fact["why"])


def _from_row(line: str) -> Case:
    text, expect, base = (*line.split("\t"), "", "")[:3]
    return Case(text, expect or "nothing", _base(base))


def _base(said: str) -> datetime:
    return datetime.fromisoformat(said).replace(tzinfo=SHANGHAI) if said else MONDAY


FILES = sorted((FOLDER / "corpus").glob("*.jsonl")) + sorted((FOLDER / "corpus").glob("*.tsv"))
CASES = [case for path in FILES for case in load(path)]
NOW_WORDS = ("现在", "而家", "right now")  # no time that lies ahead when it is read back
INSTANTS = [c for c in CASES if c.expect.startswith("at ") and c.text not in NOW_WORDS]
RHYTHMS = [c for c in CASES if c.expect.startswith("next ") and "FREQ=" not in c.text]


def short(at: datetime) -> str:
    clock = at.strftime("%H:%M:%S" if at.second else "%H:%M")
    return f"{at:%m-%d} {clock}" if at.year == 2026 else f"{at:%Y-%m-%d} {clock}"


def outcome(when: When, base: datetime) -> str:
    match when:
        case Once(at=at):
            return f"at {at.year}-{at:%m-%d} " + short(at).split(" ")[1]
        case Recurring(rule=rule):
            return "next " + ", ".join(short(at) for at in rule.preview(base, 3))
        case Invalid(why=why):
            return f"invalid {why}"
        case NeedsClarification(what=what):
            return f"ask {what}"
        case Nothing():
            return "nothing"


def misread(cases: Iterable[Case], change: Callable[[str], str] = str) -> list[str]:
    """The sentences that are read otherwise than agreed, with both readings."""
    wrong = []
    for case in cases:
        found = outcome(parse(change(case.text), case.base, SHANGHAI), case.base)
        if found != case.expect and found.split()[0] != case.expect:
            wrong.append(f"{change(case.text)}: {found}, agreed was {case.expect}")
    return wrong
