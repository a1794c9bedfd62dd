"""Limits keep us answering; they lock out guessers, not the household."""

from datetime import timedelta

import pytest

from clarion.base.errors import TooMany
from clarion.doors.http.auth import FAILURES_MAX, FailedTries, RateLimit
from tests.support.clock import ManualClock


def test_a_burst_is_fine_and_then_it_drips(clock: ManualClock) -> None:
    limit = RateLimit(2, clock)
    for _ in range(20):
        limit.take("ana")

    with pytest.raises(TooMany) as refused:
        limit.take("ana")
    clock.advance(timedelta(seconds=1))
    limit.take("ana")
    limit.take("ana")

    assert refused.value.retry_after == 1
    with pytest.raises(TooMany):
        limit.take("ana")


def test_one_callers_limit_is_not_anothers(clock: ManualClock) -> None:
    limit = RateLimit(0.1, clock)
    limit.take("ana")

    limit.take("bo")

    with pytest.raises(TooMany):
        limit.take("ana")


def test_nothing_is_limited_when_told_so(clock: ManualClock) -> None:
    limit = RateLimit(0, clock)

    for _ in range(1000):
        limit.take("ana")


def test_guessing_stops_after_some_tries_and_may_begin_again_later(clock: ManualClock) -> None:
    failures = FailedTries(clock)
    for _ in range(FAILURES_MAX):
        failures.check("192.0.2.7")
        failures.note("192.0.2.7")

    with pytest.raises(TooMany) as refused:
        failures.check("192.0.2.7")
    failures.check("192.0.2.8")
    clock.advance(timedelta(seconds=61))
    failures.check("192.0.2.7")

    assert refused.value.retry_after == 60
