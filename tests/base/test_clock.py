from datetime import UTC, timedelta

import pytest

from clarion.base.clock import SystemClock
from tests.support.clock import START, ManualClock


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock(START)

    clock.advance(timedelta(minutes=5))

    assert clock.now() == START + timedelta(minutes=5)
    assert clock.monotonic() == 300


def test_a_bad_time_server_moves_the_date_but_no_duration() -> None:
    clock = ManualClock(START)

    clock.jump(-timedelta(hours=1))

    assert clock.now() == START - timedelta(hours=1)
    assert clock.monotonic() == 0


def test_time_only_goes_forward() -> None:
    with pytest.raises(AssertionError, match="only goes forward"):
        ManualClock(START).move_to(START - timedelta(seconds=1))


def test_the_system_clock_speaks_utc() -> None:
    clock = SystemClock()

    assert clock.now().tzinfo is UTC
    assert clock.monotonic() <= clock.monotonic()
