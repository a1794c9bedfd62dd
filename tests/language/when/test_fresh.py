"""Sentences by somebody who had never seen the program, labelled before it read them.

`fresh_more.tsv` and `fresh_later.tsv` were written in the same way later, a round at a time; where
a label left the hour of a day open, the hour that is agreed for it was added. `fresh_last.tsv` and
the first round of `fresh_next.tsv` are by others who had written none of the rules.
`fresh_strange.tsv` goes through one family after the other: expressions alone, requests, rhythms.
"""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from clarion.language.when import parse
from clarion.language.when.model import Once, Recurring, When


class FreshCase(NamedTuple):
    """`expect` is what would be set, or "unset": a question, a refusal and silence are as good."""

    kind: str
    text: str
    expect: str
    base: datetime


def _load() -> list[FreshCase]:
    rounds = ("", "_more", "_later", "_last", "_next", "_strange")
    files = [Path(__file__).with_name(f"fresh{name}.tsv") for name in rounds]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    rows = (line.split("\t") for line in lines)
    return [
        FreshCase(
            kind, text, expect, datetime.fromisoformat(base).replace(tzinfo=ZoneInfo(zone))
        )
        for kind, text, expect, base, zone in rows
    ]  # fmt: skip


def _written(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}".removesuffix(":00")


def _outcome(when: When, base: datetime) -> str:
    match when:
        case Once(at=at):
            return f"at {_written(at)}"
        case Recurring(rule=rule):
            return "next " + ", ".join(_written(at) for at in rule.preview(base, 3))
        case _:
            return "unset"


CASES = _load()


# A floor, not a promise: the share that is right, and how many are set for a wrong instant.
@pytest.mark.parametrize(
    ("kind", "share", "silent"),
    [
        ("everyday_zh", 0.99, 0),
        ("everyday_en", 0.986, 0),
        ("hard_zh", 0.94, 2),
        ("hard_en", 0.95, 4),
        ("none", 1, 0),
        ("times_zh", 0.993, 5),
        ("times_en", 0.992, 5),
        ("rhythms_zh", 0.99, 1),
        ("rhythms_en", 0.979, 1),
        ("wishes_zh", 0.979, 9),
        ("wishes_en", 0.98, 4),
        ("talk_zh", 0.964, 19),
        ("talk_en", 0.983, 9),
        ("later_times_zh", 0.985, 2),
        ("later_times_en", 0.985, 1),
        ("later_rhythms_zh", 1, 0),
        ("later_rhythms_en", 1, 0),
        ("later_wishes_zh", 0.986, 2),
        ("later_wishes_en", 0.96, 4),
        ("later_talk_zh", 0.943, 9),
        ("later_talk_en", 0.981, 3),
        ("last_zh", 1, 0),
        ("last_en", 0.981, 0),
        ("last_rhythms_zh", 1, 0),
        ("last_rhythms_en", 1, 0),
        ("last_none_zh", 1, 0),
        ("last_none_en", 1, 0),
        ("last_ask_zh", 1, 0),
        ("last_ask_en", 1, 0),
        ("next_zh", 0.996, 0),
        ("next_en", 0.989, 0),
        ("next_rhythms_zh", 1, 0),
        ("next_rhythms_en", 0.989, 1),
        ("next_none_zh", 0.973, 6),
        ("next_none_en", 0.952, 11),
        ("strange_en", 0.989, 1),
        ("strange_none_en", 0.973, 19),
        ("strange_none_zh", 0.968, 22),
        ("strange_rhythms_en", 0.984, 2),
        ("strange_rhythms_zh", 0.991, 1),
        ("strange_wish_en", 0.955, 5),
        ("strange_wish_zh", 0.984, 1),
        ("strange_zh", 0.981, 1),
    ],
)
def test_sentences_of_a_stranger_are_read(kind: str, share: float, silent: int) -> None:
    cases = [case for case in CASES if case.kind == kind]
    wrong = []
    for case in cases:
        assert isinstance(case.base.tzinfo, ZoneInfo)
        found = _outcome(parse(case.text, case.base, case.base.tzinfo), case.base)
        if found not in case.expect.split(" | "):
            wrong.append((found, case.text, case.expect))

    assert len(wrong) <= (1 - share) * len(cases), wrong
    assert len([found for found, _, _ in wrong if found != "unset"]) <= silent, wrong
