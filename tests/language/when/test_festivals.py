"""The table of festivals: every spelling names its day, and movable days fall where they did."""

from datetime import date, datetime

import pytest

from clarion.language.when import Invalid, Once, Recurring, parse
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


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("下月初三", ["04-09"]),
        ("下个月初十", ["04-16"]),
        ("这个月初八", ["03-15"]),
        ("下个月初一和十五", ["04-07", "04-21"]),
    ],
)
def test_a_day_of_the_moon_counts_its_months_by_the_moon(said: str, days: list[str]) -> None:
    second = datetime(2027, 3, 9, 10, tzinfo=SHANGHAI)  # of the second lunar month
    when = parse(f"{said}上午九点", second, SHANGHAI)

    assert isinstance(when, Once | Recurring)
    found = [when.at] if isinstance(when, Once) else when.rule.preview(second, 3)
    assert [f"{at:%m-%d}" for at in found] == days


@pytest.mark.parametrize("year", [1, 1899, 2100, 9990])
def test_beyond_the_tables_of_the_moon_no_day_is_told(year: int) -> None:
    when = parse("下月初三上午九点", datetime(year, 12, 20, 9, tzinfo=SHANGHAI), SHANGHAI)

    assert isinstance(when, Invalid)
