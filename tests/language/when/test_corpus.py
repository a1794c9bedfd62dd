"""Some seventeen hundred phrases, each with its reading and the one reason for it."""

import json
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from clarion.language.readback import say_instant, say_when
from clarion.language.when import (
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurrence,
    Recurring,
    When,
    parse,
)

SHANGHAI = ZoneInfo("Asia/Shanghai")
MONDAY = datetime(2026, 11, 16, 10, tzinfo=SHANGHAI)
CORPUS = Path(__file__).parent / "corpus"


class Case(NamedTuple):
    text: str
    expect: str
    why: str
    base: datetime


def load() -> list[Case]:
    cases = []
    for path in sorted(CORPUS.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            fact = json.loads(line)
            said = fact.get("base")
            base = datetime.fromisoformat(said).replace(tzinfo=SHANGHAI) if said else MONDAY
            cases.append(Case(fact["text"], fact["expect"], fact["why"], base))
    return cases


CASES = load()


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


def test_the_corpus_is_large_and_every_case_has_a_reason() -> None:
    assert len(CASES) >= 600
    assert all(case.why for case in CASES)
    assert len({case.why for case in CASES}) == len(CASES)
    assert len({(case.text, case.base) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.text}: {case.why}")
def test_the_phrase_is_read_as_agreed(case: Case) -> None:
    when = parse(case.text, case.base, SHANGHAI)

    assert outcome(when, case.base) == case.expect


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("0 9 * * 1-5", "next 11-17 09:00, 11-18 09:00, 11-19 09:00"),
        ("*/30 * * * *", "next 11-16 10:30, 11-16 11:00, 11-16 11:30"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "next 11-17 09:00, 11-18 09:00, 11-19 09:00"),
        (
            "RRULE:FREQ=WEEKLY;BYDAY=FR;BYHOUR=8;BYMINUTE=5",
            "next 11-20 08:05, 11-27 08:05, 12-04 08:05",
        ),
        ("61 9 * * *", "nothing"),
    ],
)
def test_a_written_rule_is_read_where_words_may_stand(text: str, expect: str) -> None:
    assert outcome(parse(text, MONDAY, SHANGHAI), MONDAY) == expect


NOW_WORDS = ("现在", "而家")  # right now is no time that lies ahead when it is read back
INSTANTS = [c for c in CASES if c.expect.startswith("at ") and c.text not in NOW_WORDS]
RHYTHMS = [case for case in CASES if case.expect.startswith("next ")]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("case", INSTANTS, ids=lambda case: case.text)
def test_what_is_read_back_parses_to_the_same_instant(case: Case, lang: str) -> None:
    when = parse(case.text, case.base, SHANGHAI)
    assert isinstance(when, Once)

    again = parse(say_instant(when.at, case.base, lang), case.base, SHANGHAI)
    noted = parse(say_when(when, case.base, lang), case.base, SHANGHAI)

    assert isinstance(again, Once)
    assert isinstance(noted, Once)
    assert (again.at, noted.at) == (when.at, when.at)


@pytest.mark.parametrize("case", RHYTHMS, ids=lambda case: case.text)
def test_a_recurrence_survives_the_database(case: Case) -> None:
    when = parse(case.text, case.base, SHANGHAI)
    assert isinstance(when, Recurring)

    again = Recurrence.load(when.rule.dump())

    assert again == when.rule
    assert again.preview(case.base, 5) == when.rule.preview(case.base, 5)


@pytest.mark.parametrize("case", RHYTHMS, ids=lambda case: case.text)
def test_an_rrule_that_is_written_fires_at_the_same_instants(case: Case) -> None:
    when = parse(case.text, case.base, SHANGHAI)
    assert isinstance(when, Recurring)
    text = when.rule.to_rrule()
    same = text is None

    if text is not None:
        read = Recurrence.from_rrule(text, SHANGHAI, when.rule.starts_at)
        same = read.preview(case.base, 8) == when.rule.preview(case.base, 8)

    assert same


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text)
def test_the_span_lies_in_the_text(case: Case) -> None:
    start, end = parse(case.text, case.base, SHANGHAI).span

    assert 0 <= start <= end <= len(case.text)


WIDE = str.maketrans("0123456789:", "０１２３４５６７８９：")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text)
def test_full_width_figures_and_capitals_say_the_same(case: Case) -> None:
    wide = parse(case.text.translate(WIDE), case.base, SHANGHAI)
    loud = parse(case.text.upper(), case.base, SHANGHAI)

    assert (outcome(wide, case.base), outcome(loud, case.base)) == (case.expect, case.expect)


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if not c.text.isascii() and "nothing" not in c.expect],
    ids=lambda c: c.text,
)
def test_spaces_between_chinese_letters_say_nothing(case: Case) -> None:
    spaced = "".join(
        f" {letter}" if "\u3400" < letter < "\ua000" else letter for letter in case.text
    )

    when = parse(spaced, case.base, SHANGHAI)

    assert outcome(when, case.base) == case.expect
