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
