from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clarion.base.errors import BadInput
from clarion.people.model import known_zone
from clarion.reminders.errors import TimePast, TooFarAhead
from clarion.reminders.model import ConfirmationConfig
from clarion.reminders.setting import LIMITS, next_sensible
from tests.support import build
from tests.support.clarion_by_hand import at
from tests.support.clock import START


def test_content_is_tidied() -> None:
    assert LIMITS.content("  take\n the   pills ") == "take the pills"


@pytest.mark.parametrize("content", ["", "  \n ", "x" * 501], ids=["empty", "blank", "too long"])
def test_content_that_cannot_be_spoken_is_refused(content: str) -> None:
    with pytest.raises(BadInput):
        LIMITS.content(content)


def test_a_time_in_the_past_is_refused_with_the_next_that_makes_sense() -> None:
    with pytest.raises(TimePast) as refusal:
        LIMITS.instant(at(7, 30), START, build.user())

    assert refusal.value.details["proposal"] == at(7, 30, day=8).isoformat()


def test_this_very_minute_is_not_the_past() -> None:
    moment = START - timedelta(seconds=59)

    assert LIMITS.instant(moment, START, build.user()) == moment


def test_the_proposal_keeps_the_time_of_day_in_the_users_zone() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    meant = datetime(2030, 3, 20, 8, tzinfo=berlin)
    now = datetime(2030, 3, 30, 9, tzinfo=berlin)

    assert next_sensible(meant, now, berlin) == datetime(2030, 3, 31, 8, tzinfo=berlin)


def test_what_is_years_ahead_is_refused() -> None:
    with pytest.raises(TooFarAhead):
        LIMITS.instant(START + timedelta(days=5000), START, build.user())


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(BadInput):
        LIMITS.instant(START.replace(tzinfo=None), START, build.user())


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"max_retries": 0}, id="never asking"),
        pytest.param({"max_retries": 21}, id="asking for ever"),
        pytest.param({"timeout": 1}, id="no time to answer"),
        pytest.param({"retry_interval": 100_000}, id="asking the day after"),
        pytest.param({"confirm_keywords": ("",)}, id="an empty word"),
        pytest.param({"confirm_keywords": ("x" * 51,)}, id="a long word"),
        pytest.param({"confirm_keywords": ("x",) * 51}, id="too many words"),
    ],
)
def test_a_confirmation_that_makes_no_sense_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        LIMITS.confirmation(ConfirmationConfig(required=True, **fields))


@pytest.mark.parametrize("level", [-1, 101])
def test_levels_are_from_0_to_100(level: int) -> None:
    with pytest.raises(BadInput):
        LIMITS.base(level)


@pytest.mark.parametrize(
    "context", [{"x": object()}, {"x": "y" * 20_000}], ids=["no JSON", "too large"]
)
def test_a_context_that_cannot_be_kept_is_refused(context: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        LIMITS.context(context)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd", "/etc/passwd"])
def test_a_zone_that_is_none_is_refused(zone: str) -> None:
    with pytest.raises(BadInput):
        known_zone(zone)
