"""Whoever has not said where they live lives where the machine stands, never in a fixed city."""

from datetime import datetime
from pathlib import Path

import pytest

from clarion.base.zone import at_offset, machine_zone
from clarion.settings import Settings

NOWHERE = Path("/nowhere")


def test_the_environment_names_the_zone() -> None:
    assert machine_zone({"TZ": ":America/New_York"}, NOWHERE, NOWHERE).key == "America/New_York"


def test_the_link_of_the_machine_names_it(tmp_path: Path) -> None:
    table = tmp_path / "zoneinfo" / "Europe" / "Madrid"
    table.parent.mkdir(parents=True)
    table.touch()
    link = tmp_path / "localtime"
    link.symlink_to(table)

    assert machine_zone({}, link, NOWHERE).key == "Europe/Madrid"


def test_a_written_name_counts_and_nonsense_does_not(tmp_path: Path) -> None:
    named = tmp_path / "timezone"
    named.write_text("Asia/Tokyo\n")

    assert machine_zone({"TZ": "Mars/Olympus"}, NOWHERE, named).key == "Asia/Tokyo"


def test_without_any_name_the_clock_tells() -> None:
    assert machine_zone({}, NOWHERE, NOWHERE).key.startswith(("Etc/GMT", "UTC"))


@pytest.mark.parametrize(
    ("at", "key"),
    [
        ("2026-11-16T10:00:00+08:00", "Etc/GMT-8"),
        ("2026-11-16T10:00:00-05:00", "Etc/GMT+5"),
        ("2026-11-16T10:00:00+05:30", None),
    ],
)
def test_an_offset_of_whole_hours_is_a_zone(at: str, key: str | None) -> None:
    found = at_offset(datetime.fromisoformat(at))

    assert (found.key if found else None) == key


def test_a_newcomer_lives_where_the_machine_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")

    assert Settings().home_zone.key == "America/New_York"
