"""The pictures beside the page of results say what the benchmarks printed, and their scale."""

import re
from html import unescape

import pytest

from benchmarks.chart import Bars, bars, bars_in
from benchmarks.lost import lost
from benchmarks.results import RUNS, section

RATES = Bars(
    "rates", "Rates & more", "a second", [("Clarion", 9_521.4), ("other", 65.07)], more=True
)


def words(picture: str) -> list[str]:
    return [unescape(said) for said in re.findall(r"<text [^>]*>([^<]*)</text>", picture)]


def test_a_chart_survives_being_printed() -> None:
    text = f"a table\n{RATES.line()}\nmore of it"

    [found] = bars_in(text)

    assert bars(found) == bars(RATES)


def test_each_bar_has_its_name_and_figure() -> None:
    said = words(bars(RATES))

    assert {"Rates & more", "Clarion", "9,521", "other", "65.1"} <= set(said)


@pytest.mark.parametrize(
    ("least", "logarithmic"),
    [pytest.param(3.0, True, id="decades apart"), pytest.param(50.0, False, id="near")],
)
def test_a_logarithmic_scale_says_so(least: float, logarithmic: bool) -> None:
    picture = bars(Bars("x", "x", "ms", [("Clarion", least), ("other", 100.0)]))

    assert any("logarithmic" in said for said in words(picture)) is logarithmic


def test_only_ours_stand_out() -> None:
    picture = bars(RATES)

    assert picture.count('class="ours"') == 1
    assert picture.count('class="bar"') == 1


def test_what_is_drawn_is_neither_shown_nor_taken_for_a_row() -> None:
    text = f"name  p50  ours ×\nClarion  2.0  1.00\n{RATES.line()}"

    shown = section(RUNS[0], quick=False, began="now", text=text, ended="")

    assert "bars: " not in shown
    assert lost("queue_rates", text) == []
