"""The table of festivals: every spelling names its day, and movable days fall where they did."""

from datetime import date

import pytest

from clarion.language.when import Once, parse
from clarion.language.when.calendar import (
    FESTIVALS_EN,
    FESTIVALS_ZH,
    festival,
    festival_dates,
)
from tests.language.when.corpora import MONDAY
from tests.language.when.moments import SHANGHAI

SPELLED = [(word, name) for name, said in FESTIVALS_ZH.items() for word in said.split()]
SPELLED += FESTIVALS_EN.items()


def test_every_spelling_names_its_day() -> None:
    wrong = []
    for word, name in SPELLED:
        when = parse(word, MONDAY, SHANGHAI)
        day = next(festival_dates(name, MONDAY.date()))
        if not isinstance(when, Once) or when.at.date() != day:
            wrong.append(f"{word}: {when}, {name} is on {day}")

    assert len(SPELLED) > 400
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("rosh_hashanah", date(2024, 10, 3)),
        ("rosh_hashanah", date(2025, 9, 23)),
        ("yom_kippur", date(2025, 10, 2)),
        ("hanukkah", date(2024, 12, 26)),
        ("hanukkah", date(2025, 12, 15)),
        ("passover", date(2025, 4, 13)),
        ("purim", date(2025, 3, 14)),
        ("easter_orthodox", date(2024, 5, 5)),
        ("easter_orthodox", date(2025, 4, 20)),
        ("advent", date(2025, 11, 30)),
        ("pentecost", date(2025, 6, 8)),
        ("lunar_eve", date(2025, 1, 28)),
        ("cold_food", date(2025, 4, 3)),
        ("black_friday", date(2025, 11, 28)),
    ],
)
def test_a_movable_day_falls_where_it_did(name: str, day: date) -> None:
    # 除夕 belongs to the lunar year before it.
    assert day in (festival(name, day.year), festival(name, day.year - 1))
