"""Some two thousand phrases, each with its reading: one test a file, which lists what is wrong."""

from pathlib import Path

import pytest

from clarion.language.readback import say_instant, say_when
from clarion.language.when import named, parse
from clarion.language.when.model import Once, Recurring
from clarion.language.when.rules.recurrence import Recurrence
from tests.language.when.corpora import (
    CASES,
    FILES,
    FOLDER,
    INSTANTS,
    MONDAY,
    RHYTHMS,
    load,
    misread,
    outcome,
)
from tests.language.when.moments import SHANGHAI


def test_the_corpus_is_large_and_says_nothing_twice() -> None:
    explained = [case.why for case in CASES if case.why]

    assert len(CASES) >= 2_000
    assert len(explained) >= 1_600
    assert len(set(explained)) == len(explained)
    assert len({(case.text, case.base) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_phrase_is_read_as_agreed(path: Path) -> None:
    assert misread(load(path)) == []


def test_sentences_held_aside_while_the_grammar_was_written_are_read_too() -> None:
    """A floor, not a promise: these were labelled first and looked at last."""
    held_aside = load(FOLDER / "held_aside.tsv")

    wrong = misread(held_aside)

    assert len(wrong) <= 0.03 * len(held_aside), wrong


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


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("把八点的闹钟关了", "at 2026-11-17 08:00"),
        ("cancel the 8 am alarm", "at 2026-11-17 08:00"),
        ("周五的聚餐", "at 2026-11-20 09:00"),
    ],
)
def test_words_about_what_is_set_name_its_time_and_set_none(text: str, expect: str) -> None:
    assert outcome(named(text, MONDAY, SHANGHAI), MONDAY) == expect
    assert outcome(parse(text, MONDAY, SHANGHAI), MONDAY) == "nothing"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_is_read_back_parses_to_the_same_instant(lang: str) -> None:
    changed = []
    for case in INSTANTS:
        when = parse(case.text, case.base, SHANGHAI)
        assert isinstance(when, Once), case.text
        for said in (say_instant(when.at, case.base, lang), say_when(when, case.base, lang)):
            again = parse(said, case.base, SHANGHAI)
            if not isinstance(again, Once) or again.at != when.at:
                changed.append(f"{case.text}: {said}")

    assert changed == []


def test_a_recurrence_survives_the_database() -> None:
    lost = []
    for case in RHYTHMS:
        when = parse(case.text, case.base, SHANGHAI)
        assert isinstance(when, Recurring), case.text
        again = Recurrence.load(when.rule.dump())
        same = again.preview(case.base, 5) == when.rule.preview(case.base, 5)
        if again != when.rule or not same:
            lost.append(case.text)

    assert lost == []


def test_an_rrule_that_is_written_fires_at_the_same_instants() -> None:
    changed = []
    for case in RHYTHMS:
        when = parse(case.text, case.base, SHANGHAI)
        assert isinstance(when, Recurring), case.text
        text = when.rule.to_rrule()
        if text is None:
            continue
        read = Recurrence.from_rrule(text, SHANGHAI, when.rule.starts_at)
        if read.preview(case.base, 8) != when.rule.preview(case.base, 8):
            changed.append(f"{case.text}: {text}")

    assert changed == []


def test_the_span_lies_in_the_text() -> None:
    spans = {case.text: parse(case.text, case.base, SHANGHAI).span for case in CASES}

    assert [t for t, (start, end) in spans.items() if not 0 <= start <= end <= len(t)] == []


WIDE = str.maketrans("0123456789:", "０１２３４５６７８９：")


def test_full_width_figures_say_the_same() -> None:
    assert misread(CASES, lambda text: text.translate(WIDE)) == []


def test_capitals_say_the_same() -> None:
    assert misread(CASES, str.upper) == []


def test_spaces_between_chinese_letters_say_nothing() -> None:
    chinese = [c for c in CASES if not c.text.isascii() and c.expect != "nothing"]

    assert misread(chinese, _spaced) == []


def _spaced(text: str) -> str:
    return "".join(f" {letter}" if "\u3400" < letter < "\ua000" else letter for letter in text)
