"""The language commands: one sentence for people, lines in bulk for scripts."""

import json
from pathlib import Path

from tests.support.program import clarion


def test_an_answer_is_told_in_words(tmp_path: Path) -> None:
    done = clarion("answer", "吃过了", "--content", "吃药", data_dir=tmp_path / "data")

    assert "CONFIRMED" in done.stdout


def test_every_line_of_answers_gets_its_line(tmp_path: Path) -> None:
    asked = [{"content": "吃药", "reply": "还没吃"}, {"content": "吃药", "reply": "吃过了"}]
    lines = "".join(json.dumps(one) + "\n" for one in asked)

    done = clarion("answer", "--jsonl", data_dir=tmp_path / "data", stdin=lines)

    labels = [json.loads(line)["label"] for line in done.stdout.splitlines()]
    assert labels == ["DENIED", "CONFIRMED"]


def test_a_bad_line_gets_an_error_and_the_next_one_its_answer(tmp_path: Path) -> None:
    lines = '{"reply": 1}\n{"content": "吃药", "reply": "吃过了"}\n'

    done = clarion("answer", "--jsonl", data_dir=tmp_path / "data", stdin=lines)

    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert "error" in first
    assert second["label"] == "CONFIRMED"


def test_nothing_to_read_is_said_in_one_sentence(tmp_path: Path) -> None:
    done = clarion("answer", data_dir=tmp_path / "data")

    assert done.returncode == 2
    assert "Give a reply" in done.stderr


def test_a_time_is_told_back_in_words(tmp_path: Path) -> None:
    done = clarion(
        *("when", "明天早上8点提醒我吃药", "--base", "2026-11-16T10:00:00+08:00"),
        data_dir=tmp_path / "data",
    )

    assert "明天（11月17日 周二）08:00" in done.stdout


def test_a_rhythm_shows_its_next_five_firings(tmp_path: Path) -> None:
    done = clarion(
        *("when", "every day at 9:30", "--base", "2026-11-16T10:00:00+08:00"),
        data_dir=tmp_path / "data",
    )

    assert len([line for line in done.stdout.splitlines() if line.startswith("  ")]) == 5


def test_a_line_without_base_and_zone_is_read_from_now_in_the_zone_of_the_settings(
    tmp_path: Path,
) -> None:
    done = clarion(
        *("when", "--jsonl"),
        data_dir=tmp_path / "data",
        stdin='{"text": "tomorrow at 8 am"}\n{"text": 1}\n',
        zone="America/New_York",
    )

    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["at"].endswith(("T08:00:00-04:00", "T08:00:00-05:00"))
    assert "error" in second


def test_a_zone_that_is_not_on_earth_is_refused(tmp_path: Path) -> None:
    done = clarion("when", "now", "--zone", "Mars/Base", data_dir=tmp_path / "data")

    assert done.returncode == 2
    assert "--zone must be a time zone" in done.stderr


def test_every_utterance_gets_its_intent(tmp_path: Path) -> None:
    asked = [
        {"context": "idle", "utterance": "明天早上八点提醒我吃药"},
        {"context": "ring:吃药", "utterance": "救命"},
    ]
    lines = "".join(json.dumps(one) + "\n" for one in asked)

    done = clarion("understand", "--jsonl", data_dir=tmp_path / "data", stdin=lines)

    intents = [json.loads(line)["intent"] for line in done.stdout.splitlines()]
    assert intents == ["create", "distress"]
