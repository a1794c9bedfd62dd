from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clarion.people.model import QuietHours
from clarion.reminders.decisions.decision import held_until, quiet_until, waits
from tests.support import build
from tests.support.build import CONFIRM
from tests.support.clarion_by_hand import at

NIGHT = QuietHours(time(22), time(7))
NAP = QuietHours(time(13), time(14))
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("quiet", "moment", "ends"),
    [
        pytest.param(NIGHT, at(22), at(7, day=8), id="it begins at ten"),
        pytest.param(NIGHT, at(6, 59, day=8), at(7, day=8), id="the last minute"),
        pytest.param(NIGHT, at(7, day=8), None, id="it ends at seven"),
        pytest.param(NIGHT, at(21, 59), None, id="before it begins"),
        pytest.param(NAP, at(13, 30), at(14), id="inside one day"),
        pytest.param(NAP, at(12), None, id="outside one day"),
        pytest.param(QuietHours(time(9), time(9)), at(9), None, id="never, when both are equal"),
        pytest.param(None, at(3), None, id="never, when there are none"),
    ],
)
def test_it_is_quiet_from_the_first_to_the_last_minute(
    quiet: QuietHours | None, moment: datetime, ends: datetime | None
) -> None:
    assert quiet_until(quiet, ZoneInfo("UTC"), moment) == ends


def test_the_night_of_the_clock_change_still_ends_at_seven() -> None:
    moment = datetime(2030, 3, 31, 0, 30, tzinfo=UTC)

    assert quiet_until(NIGHT, BERLIN, moment) == datetime(2030, 3, 31, 7, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("fields", "held"),
    [
        pytest.param({}, True, id="a plain one waits"),
        pytest.param({"confirmation": CONFIRM}, False, id="a pill does not"),
        pytest.param({"base": 100}, False, id="a critical one does not"),
        pytest.param({"explicit": True}, False, id="what the user wanted then does not"),
        pytest.param({"base": 50}, True, id="high is not critical"),
    ],
)
def test_only_plain_reminders_wait(fields: dict[str, Any], held: bool) -> None:
    assert waits(build.reminder(**fields)) is held


def test_of_quiet_devices_the_one_that_wakes_first_decides() -> None:
    devices = [
        build.device("a", quiet=NIGHT),
        build.device("b", quiet=QuietHours(time(21), time(6))),
    ]

    ends = held_until(build.reminder(), build.user(), devices, at(23))

    assert ends == at(6, day=8)


def test_without_any_device_nothing_is_held() -> None:
    assert held_until(build.reminder(), build.user(), [], at(23)) is None
