"""Settings are read as people write them, and refused in one sentence."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest

from clarion.base import config
from clarion.base.config import BadSettings, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    port: int = setting(1, "A port.", least=0, most=10)
    wait: timedelta = setting(timedelta(seconds=3), "A wait.", least=1)
    loud: bool = setting(False, "A switch.")
    ratio: float = setting(0.5, "A ratio.")
    where: Path = setting(Path("here"), "A path.")
    zone: ZoneInfo = setting(ZoneInfo("UTC"), "A zone.")
    mood: Literal["calm", "firm"] = setting("calm", "A mood.")
    names: tuple[str, ...] = setting((), "Some names.")
    limit: int | None = setting(None, "A limit, if any.")
    key: str = setting("", "A key.", secret=True)


def read(environ: dict[str, str] | None = None, file: dict[str, Any] | None = None) -> Sample:
    return config.read(Sample, environ or {}, file or {}, prefix="X_")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        pytest.param("PORT", "7", 7, id="whole number"),
        pytest.param("WAIT", "1h30m", timedelta(minutes=90), id="duration of two parts"),
        pytest.param("WAIT", "1500ms", timedelta(seconds=1.5), id="milliseconds"),
        pytest.param("WAIT", "90", timedelta(seconds=90), id="bare number is seconds"),
        pytest.param("LOUD", "On", True, id="switch in any case"),
        pytest.param("RATIO", "0.25", 0.25, id="number"),
        pytest.param("WHERE", "/srv/x", Path("/srv/x"), id="path"),
        pytest.param("ZONE", "Asia/Tokyo", ZoneInfo("Asia/Tokyo"), id="zone"),
        pytest.param("MOOD", "FIRM", "firm", id="choice in any case"),
        pytest.param("NAMES", "ana, boris,", ("ana", "boris"), id="list with commas"),
        pytest.param("LIMIT", "", None, id="nothing"),
        pytest.param("LIMIT", "4", 4, id="something instead of nothing"),
    ],
)
def test_a_value_is_read_as_its_kind(name: str, text: str, value: object) -> None:
    assert getattr(read({f"X_{name}": text}), name.lower()) == value


def test_the_environment_wins_over_the_file_and_the_file_over_the_default() -> None:
    found = read({"X_PORT": "2"}, {"port": 3, "mood": "firm", "names": ["ana"]})

    assert (found.port, found.mood, found.names, found.ratio) == (2, "firm", ("ana",), 0.5)


@pytest.mark.parametrize(
    ("environ", "file", "sentence"),
    [
        pytest.param({"X_PORT": "many"}, {}, "X_PORT must be a whole number", id="not a number"),
        pytest.param({"X_PORT": "11"}, {}, "X_PORT must be at most 10", id="too large"),
        pytest.param({"X_WAIT": "0s"}, {}, "X_WAIT must be at least 1", id="too short"),
        pytest.param({"X_WAIT": "soon"}, {}, "X_WAIT must be a duration", id="not a duration"),
        pytest.param({"X_ZONE": "Mars/Base"}, {}, "X_ZONE must be a time zone", id="no zone"),
        pytest.param({"X_MOOD": "cross"}, {}, "one of calm, firm", id="no choice"),
        pytest.param({"X_LOUD": "very"}, {}, "X_LOUD must be yes or no", id="no switch"),
        pytest.param({}, {"port": 1.5}, "port must be a whole number", id="fraction in the file"),
        pytest.param({}, {"prot": 1}, "There is no setting prot", id="unknown in the file"),
    ],
)
def test_a_bad_value_is_refused_by_name(
    environ: dict[str, str], file: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadSettings, match=sentence):
        read(environ, file)


def test_an_unknown_name_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(BadSettings) as refused:
        read({"X_PROT": "1"})

    assert "Did you mean X_PORT?" in refused.value.hint


@pytest.mark.parametrize(
    ("value", "secret", "shown"),
    [
        pytest.param("s3cret", True, config.MASK, id="secret"),
        pytest.param("", True, "", id="secret that is not set"),
        pytest.param("redis://u:pw@h:1/0", False, f"redis://u:{config.MASK}@h:1/0", id="password"),
        pytest.param("redis://h:1/0", False, "redis://h:1/0", id="address without password"),
        pytest.param(timedelta(minutes=90), False, "1h30m", id="duration"),
        pytest.param(("a", "b"), False, "a,b", id="list"),
        pytest.param(True, False, "yes", id="switch"),
    ],
)
def test_a_value_is_shown_as_it_is_written_without_secrets(
    value: object, secret: bool, shown: str
) -> None:
    assert config.shown_value(value, secret=secret) == shown
