"""The learned reader of a request's parts: its shares on what it was never taught, and its making.

A learned reader is judged by shares. The floors below only rise.
"""

from collections.abc import Callable
from datetime import datetime
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from clarion.language.learned.corpus import fingerprint
from clarion.language.parts.corpus import Marked, marked_requests, unmark
from clarion.language.parts.tagger import tagger
from clarion.language.parts.train import train
from clarion.language.request import Request, read

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 16, 10, tzinfo=ZONE)
WEIGHTS = resources.files("clarion.language.parts") / "weights.tsv"


def aside(*tables: str) -> list[tuple[Marked, Request]]:
    marked = [one for table in tables for one in marked_requests()[table] if one.aside]
    return [(one, read(one.text, NOW, ZONE)) for one in marked]


def share(pairs: list[tuple[Marked, Request]], right: Callable[[Marked, Request], bool]) -> float:
    return sum(right(one, request) for one, request in pairs) / len(pairs)


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def content_is_right(one: Marked, request: Request) -> bool:
    return letters(request.content) == letters("".join(one.said("c")))


@pytest.mark.parametrize(
    ("tables", "heard", "falsely", "content"),
    [
        pytest.param(("dated",), 0.99, 0.01, 0.95, id="plain requests"),
        pytest.param(("written",), 0.99, 0.03, 0.74, id="of all kinds"),
        pytest.param(("marked",), 0.97, 0.021, 0.68, id="the usual order, without any marks"),
        pytest.param(("free_order",), 0.92, 0.051, 0.56, id="in any order"),
        pytest.param(("dashed",), 0.94, 0.04, 0.65, id="dashed off"),
        pytest.param(("spoken",), 0.91, 0.096, 0.66, id="what is asked for sounds like a wish"),
        pytest.param(("hurried",), 0.86, 0.068, 0.62, id="of many people, half of them hurried"),
    ],
)
def test_requests_nobody_taught_it_are_read(
    tables: tuple[str, ...], heard: float, falsely: float, content: float
) -> None:
    pairs = aside(*tables)
    wished = [pair for pair in pairs if pair[0].confirm == "1"]
    others = [pair for pair in pairs if pair[0].confirm != "1"]

    assert share(wished, lambda _, request: request.confirm is True) >= heard
    assert share(others, lambda _, request: request.confirm is True) <= falsely
    assert share(pairs, content_is_right) >= content


def found_with_little_else(one: Marked, request: Request) -> bool:
    """Every piece of the content, and at most four letters and two fifths more."""
    pieces, read_ = [letters(piece) for piece in one.said("c")], letters(request.content)
    return all(piece in read_ for piece in pieces) and len(read_) <= len("".join(pieces)) * 1.4 + 4


@pytest.mark.timeout(120)  # five thousand requests, on a machine that may be busy
@pytest.mark.parametrize(
    ("table", "heard", "falsely", "content"),
    [
        pytest.param("hasty", 0.98, 0.01, 0.865, id="dashed off"),
        pytest.param("quick_zh", 0.82, 0.077, 0.70, id="dashed off by many people, in Chinese"),
        pytest.param("quick_en", 0.715, 0.078, 0.575, id="dashed off by many people, in English"),
        pytest.param(
            "mingled", 0.92, 0.195, 0.485, id="long contents with reasons between the parts"
        ),
    ],
)
def test_requests_of_people_nobody_has_heard_yet_are_read(
    table: str, heard: float, falsely: float, content: float
) -> None:
    """Marked before the reader was asked, and never taught: a fifth of nothing, all of it aside."""
    rows = Path(__file__).with_name(f"{table}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    marked = [unmark(*row.split("\t")) for row in rows]
    pairs = [(one, read(one.text, NOW, ZONE)) for one in marked]
    wished = [pair for pair in pairs if pair[0].confirm == "1"]
    others = [pair for pair in pairs if pair[0].confirm != "1"]

    assert share(wished, lambda _, request: request.confirm is True) >= heard
    assert share(others, lambda _, request: request.confirm is True) <= falsely
    assert share(pairs, found_with_little_else) >= content


def test_the_weights_belong_to_these_corpora() -> None:
    head = WEIGHTS.read_text(encoding="utf-8").partition("\n")[0]

    assert head.split("\t")[1] == fingerprint(["requests"])
    assert len(WEIGHTS.read_bytes()) < 2_000_000


def test_training_twice_gives_the_same_bytes() -> None:
    few = marked_requests()["written"][:60]

    assert train(few, rounds=2, times=1) == train(few, rounds=2, times=1)


def test_marks_come_off_and_leave_the_sentence() -> None:
    one = unmark("[t 八点][a 提醒我][c 吃药]，[f 要确认]")

    assert one.text == "八点提醒我吃药，要确认"
    assert one.said("c") == ["吃药"]


@pytest.mark.parametrize("text", ["", "   ", "，。", "😀", "a" * 3_000, "吃" * 3_000])
def test_any_string_has_parts(text: str) -> None:
    assert all(0 <= part.start < part.end <= len(text) for part in tagger().parts(text))
