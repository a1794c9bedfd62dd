"""Where settings come from."""

from pathlib import Path

import pytest

from clarion.base.config import BadSettings
from clarion.settings import Settings, in_force, load


def test_nothing_is_needed_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert load({}) == Settings()


def test_a_file_in_the_working_directory_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("clarion.toml").write_text("port = 8600\n", encoding="utf-8")

    assert load({}).port == 8600


def test_a_named_file_has_to_exist(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read: No such file"):
        load({"CLARION_CONFIG": str(tmp_path / "absent.toml")})


def test_a_broken_file_is_refused_by_its_line(tmp_path: Path) -> None:
    broken = tmp_path / "clarion.toml"
    broken.write_text("port = \n", encoding="utf-8")

    with pytest.raises(BadSettings, match=r"is not valid TOML: .*line 1"):
        load({}, broken)


def test_what_somebody_set_is_marked() -> None:
    marked = {name for name, _, was_set in in_force(Settings(port=1)) if was_set}

    assert marked == {"CLARION_PORT"}
