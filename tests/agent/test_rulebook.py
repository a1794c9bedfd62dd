"""The rules file: checked, read again when it changes, and never worse than the last good one."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clarion.agent.rulebook import RuleFile
from clarion.dispatch.errors import RuleLoadFailed
from clarion.dispatch.model import Severity
from clarion.dispatch.plan.rules import read

GOOD = "types: {fire: {needs: {water: 2}}}"


def write(path: Path, text: str) -> None:
    """As an editor does it: another file in its place."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def test_the_rules_that_come_along_are_good() -> None:
    rules = RuleFile().rules()

    assert {"fire", "flood", "earthquake", "other"} <= set(rules.types)
    assert rules.percent[Severity.CRITICAL] == 200


def test_a_changed_file_is_in_force_at_once(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    write(path, GOOD)
    book = RuleFile(path)
    before = book.rules().types["fire"].needs[0].amount

    write(path, GOOD.replace("2", "7"))

    assert (before, book.rules().types["fire"].needs[0].amount) == (2, 7)


@pytest.mark.parametrize("bad", ["types: [", "types: {}", "- 1", "types: {fire: {needs: {x: 0}}}"])
def test_a_bad_file_keeps_the_last_good_rules(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "rules.yaml"
    write(path, GOOD)
    book = RuleFile(path)
    book.rules()

    write(path, bad)

    assert book.rules().types["fire"].needs[0].amount == 2
    with pytest.raises(RuleLoadFailed):
        book.check()
    write(path, GOOD.replace("2", "3"))
    assert book.rules().types["fire"].needs[0].amount == 3
    book.check()


def test_a_file_that_vanished_keeps_the_last_good_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    write(path, GOOD)
    book = RuleFile(path)
    book.rules()

    path.unlink()

    assert "fire" in book.rules().types


@pytest.mark.parametrize("text", [None, "types: [", "\x00", "types: {fire: {}}"])
def test_without_any_good_rules_loading_fails_with_its_number(
    tmp_path: Path, text: str | None
) -> None:
    path = tmp_path / "rules.yaml"
    if text is not None:
        write(path, text)

    with pytest.raises(RuleLoadFailed) as failed:
        RuleFile(path).rules()

    assert failed.value.error_code == "AI5001"


def test_every_problem_is_named_with_its_place() -> None:
    parsed = {
        "types": {"fire": {"needs": {"water": 0}, "deadline_minutes": -1, "colour": "red"}},
        "weights": {"time": "much"},
        "severity_percent": {"huge": 3},
        "extra": 1,
    }

    with pytest.raises(RuleLoadFailed) as failed:
        read(parsed)

    places = [one.split(":")[0] for one in failed.value.details["problems"]]
    assert sorted(places) == [
        "rules.extra",
        "severity_percent.huge",
        "types.fire.colour",
        "types.fire.deadline_minutes",
        "types.fire.needs.water",
        "weights.time",
    ]


def test_plans_that_begin_together_all_see_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    write(path, GOOD)
    book = RuleFile(path)

    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(lambda _: book.rules().types.keys(), range(64)))

    assert seen == [{"fire"}] * 64


def test_a_broken_file_is_found_by_a_check_while_the_old_rules_stay(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    write(path, GOOD)
    book = RuleFile(path)
    book.check()

    write(path, "types: [")

    with pytest.raises(RuleLoadFailed):
        book.check()
    assert book.rules().types.keys() == {"fire"}
