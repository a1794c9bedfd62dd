"""The tools that other tests trust."""

from datetime import datetime, timedelta

import httpx
import pytest

from clarion.doors.http.server import build_app
from tests.support.clock import START, ManualClock
from tests.support.drive import Driver
from tests.support.http import serving

MINUTE = timedelta(minutes=1)


class Every:
    """A pass that wants to run every `period` and remembers when it did."""

    name = "every"

    def __init__(self, clock: ManualClock, period: timedelta) -> None:
        self._clock = clock
        self._period = period
        self._next = clock.now() + period
        self.ran: list[datetime] = []

    async def run_once(self) -> datetime | None:
        if self._clock.now() >= self._next:
            self.ran.append(self._clock.now())
            self._next += self._period
        return self._next


async def test_a_driver_stops_at_every_moment_that_was_asked_for(clock: ManualClock) -> None:
    slow, quick = Every(clock, 3 * MINUTE), Every(clock, 2 * MINUTE)

    await Driver(clock, slow, quick).fast_forward(6 * MINUTE)

    assert slow.ran == [START + 3 * MINUTE, START + 6 * MINUTE]
    assert quick.ran == [START + 2 * MINUTE, START + 4 * MINUTE, START + 6 * MINUTE]
    assert clock.now() == START + 6 * MINUTE


async def test_a_driver_names_the_instant_at_which_nothing_rests(clock: ManualClock) -> None:
    restless = Every(clock, timedelta(0))

    with pytest.raises(AssertionError, match="never rests at 2030-01-07"):
        await Driver(clock, restless).settle()


async def test_a_driver_lives_until_a_fact_holds(clock: ManualClock) -> None:
    work = Every(clock, MINUTE)

    await Driver(clock, work).until_true(lambda: len(work.ran) == 3, within=10 * MINUTE)

    assert clock.now() == START + 3 * MINUTE


async def test_a_driver_fails_when_a_fact_does_not_come_true(clock: ManualClock) -> None:
    with pytest.raises(AssertionError, match="not true within"):
        await Driver(clock, Every(clock, MINUTE)).until_true(lambda: False, within=5 * MINUTE)


async def test_a_removed_pass_runs_no_more(clock: ManualClock) -> None:
    work = Every(clock, MINUTE)
    driver = Driver(clock, work)
    await driver.fast_forward(MINUTE)

    driver.remove(work)
    await driver.fast_forward(5 * MINUTE)

    assert len(work.ran) == 1


async def test_an_application_is_served_over_a_real_socket() -> None:
    async with serving(build_app([], body_bytes_max=1000)) as url, httpx.AsyncClient() as client:
        answer = await client.get(f"{url}/nothing")

    assert answer.status_code == 404
