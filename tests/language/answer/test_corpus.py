"""The replies that were kept aside, file by file: how many are right, and how many a false yes.

A learned reader is judged by shares. Each floor may only rise, each ceiling only fall.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from clarion.language.answer.model import Answer, Label
from clarion.language.answer.reader import read
from clarion.language.learned.corpus import Example, examples

LABELS = {"C": Label.CONFIRMED, "D": Label.DENIED, "U": Label.UNCLEAR}


@dataclass(frozen=True)
class Score:
    right: float
    """Of all replies, those with the right label."""
    false_yes: float
    """Of the replies that are no yes, those taken for one."""
    found: float
    """Of the replies that are a yes, those heard as one."""


# Of a file, only the share that is right: false yes are so few there that chance decides.
RIGHT_MIN = {
    "busy_zh": 0.795,
    "care_zh": 0.915,
    "chinese": 0.88,
    "contrasts": 0.9,
    "daily_en": 0.805,
    "daily_zh": 0.855,
    "early": 0.86,
    "elders_zh": 0.87,
    "english": 0.83,
    "everyday": 0.87,
    "expressions": 0.855,
    "home_en": 0.9,
    "homes_en": 0.81,
    "homes_zh": 0.865,
    "lives_en": 0.775,
    "lives_zh": 0.825,
    "looks_like_yes": 0.905,
    "misleading": 0.72,
    "misleading_en": 0.7,
    "misleading_zh": 0.76,
    "near_misses": 0.74,
    "ordinary": 0.905,
    "patterns": 0.98,
    "people": 0.845,
    "personas": 0.81,
    "personas_en": 0.805,
    "personas_zh": 0.835,
    "plain_en": 0.78,
    "plain_zh": 0.83,
    "rambling_zh": 0.875,
    "results": 0.74,
    "spanish": 0.795,
    "stories_en": 0.82,
    "told_en": 0.725,
    "traps": 0.82,
    "tricky_en": 0.735,
    "tricky_zh": 0.81,
    "twins": 0.855,
    "unusual_en": 0.825,
    "unusual_zh": 0.845,
    "verbs_en": 0.805,
    "voices": 0.85,
    "voices_en": 0.82,
    "ways_of_yes": 0.795,
    "work_zh": 0.89,
}
OVER_ALL = Score(right=0.845, false_yes=0.0055, found=0.7)  # of all but the near misses
# Nearly every line has a twin that means another thing, or a like that does: judged apart.
OF_NEAR_MISSES = {
    "busy_zh": Score(right=0.8, false_yes=0.0105, found=0.64),
    "contrasts": Score(right=0.9, false_yes=0.012, found=0.8),
    "misleading_en": Score(right=0.705, false_yes=0.013, found=0.5),
    "misleading_zh": Score(right=0.765, false_yes=0.0165, found=0.54),
    "near_misses": Score(right=0.74, false_yes=0.0205, found=0.575),
    "results": Score(right=0.745, false_yes=0.0075, found=0.515),
    "told_en": Score(right=0.73, false_yes=0.016, found=0.53),
    "traps": Score(right=0.82, false_yes=0.008, found=0.665),
    "tricky_en": Score(right=0.735, false_yes=0.0165, found=0.525),
    "tricky_zh": Score(right=0.81, false_yes=0.0135, found=0.64),
}
# Whole files by other hands, never taught: `unseen`. English told by its results is the hardest.
OF_THE_UNSEEN = {
    "kitchen_en": Score(right=0.81, false_yes=0.0105, found=0.64),
    "trades_zh": Score(right=0.885, false_yes=0.0056, found=0.775),
}
KINDS_MIN = 0.78
FALSE_DONE_MAX = 0.003  # of what is not done
DELAYS_MIN = 0.91  # of the delays that were said


@cache
def heard(file: str) -> list[tuple[Example, Answer]]:
    return [
        (each, read(each.fields["reply"], each.fields["content"]))
        for each in examples("replies")
        if each.file == file and each.is_aside("content", "reply")
    ]


def share(of: list[bool]) -> float:
    return sum(of) / len(of)


def scored(said: list[tuple[Example, Answer]]) -> Score:
    labels = [(LABELS[each.fields["label"]], answer.label) for each, answer in said]
    return Score(
        right=share([meant is got for meant, got in labels]),
        false_yes=share(
            [got is Label.CONFIRMED for meant, got in labels if meant is not Label.CONFIRMED]
        ),
        found=share([got is Label.CONFIRMED for meant, got in labels if meant is Label.CONFIRMED]),
    )


@pytest.mark.timeout(120)  # as below
@pytest.mark.parametrize("file", RIGHT_MIN)
def test_a_file_is_read_as_well_as_before(file: str) -> None:
    assert scored(heard(file)).right >= RIGHT_MIN[file]


@pytest.mark.timeout(180)  # fourteen thousand replies, on a machine that may be busy
def test_hardly_anything_is_taken_for_a_yes_or_for_done_by_mistake() -> None:
    said = [pair for file in RIGHT_MIN if file not in OF_NEAR_MISSES for pair in heard(file)]
    kinds = [(each.fields["kind"], answer.kind) for each, answer in said if each.fields["kind"]]

    assert_at_least(scored(said), OVER_ALL)
    assert share([got == meant for meant, got in kinds]) >= KINDS_MIN
    assert share([got == "done" for meant, got in kinds if meant != "done"]) <= FALSE_DONE_MAX


@pytest.mark.parametrize("file", OF_NEAR_MISSES)
def test_few_near_misses_are_taken_for_a_yes(file: str) -> None:
    assert_at_least(scored(heard(file)), OF_NEAR_MISSES[file])


@pytest.mark.timeout(120)  # up to twelve thousand replies each
@pytest.mark.parametrize("file", OF_THE_UNSEEN)
def test_people_nobody_has_heard_yet_are_read_as_well_as_before(file: str) -> None:
    table = Path(__file__).with_name("unseen") / f"{file}.tsv"
    header, *lines = table.read_text(encoding="utf-8").splitlines()
    said = [
        Example(file, dict(zip(header.split("\t"), line.split("\t"), strict=True)))
        for line in lines
    ]
    answers = [(each, read(each.fields["reply"], each.fields["content"])) for each in said]

    assert_at_least(scored(answers), OF_THE_UNSEEN[file])


def assert_at_least(score: Score, floor: Score) -> None:
    assert score.right >= floor.right
    assert score.false_yes <= floor.false_yes
    assert score.found >= floor.found


def test_every_corpus_has_its_floor() -> None:
    assert {each.file for each in examples("replies")} == set(RIGHT_MIN)


def test_most_delays_that_were_said_are_heard() -> None:
    said = [
        (each.fields["snooze_minutes"], each.fields["snooze_until"], answer)
        for file in ("early", "personas")
        for each, answer in heard(file)
        if each.fields["snooze_minutes"] or each.fields["snooze_until"]
    ]

    assert (
        share([delay(answer) == (minutes, until) for minutes, until, answer in said]) >= DELAYS_MIN
    )


def delay(answer: Answer) -> tuple[str, str]:
    minutes = "" if answer.snooze is None else str(round(answer.snooze.total_seconds() / 60))
    until = "" if answer.snooze_until is None else answer.snooze_until.strftime("%H:%M")
    return minutes, until


def test_only_denials_carry_a_snooze() -> None:
    carrying = [
        answer.label
        for file in ("early", "personas")
        for _, answer in heard(file)
        if answer.snooze is not None or answer.snooze_until is not None
    ]

    assert set(carrying) == {Label.DENIED}
