import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta

import pytest

from clarion.base.clock import SystemClock
from clarion.base.errors import Unavailable
from clarion.base.loop import MOST, Loop, Periodic
from tests.support.clock import ManualClock

DAY = timedelta(days=1)


class CountingPass:
    """A pass that reports each run, so that a test waits for a fact and not for a while."""

    name = "counting"

    def __init__(self, *, fails: int = 0, look_at: datetime | None = None) -> None:
        self.ran: asyncio.Queue[int] = asyncio.Queue()
        self._runs = 0
        self._fails = fails
        self._look_at = look_at

    async def run_once(self) -> datetime | None:
        self._runs += 1
        self.ran.put_nowait(self._runs)
        if self._runs <= self._fails:
            raise ConnectionError("the store is away")
        return self._look_at


@asynccontextmanager
async def running(loop: Loop) -> AsyncIterator[None]:
    task = asyncio.create_task(loop.run())
    yield
    task.cancel()
    await asyncio.wait([task])


async def test_a_wake_runs_the_pass_at_once(clock: ManualClock) -> None:
    work = CountingPass()
    loop = Loop(work, clock, idle=DAY)

    async with running(loop):
        assert await work.ran.get() == 1
        loop.wake()
        assert await work.ran.get() == 2


async def test_a_wake_during_a_run_is_not_forgotten(clock: ManualClock) -> None:
    work = CountingPass()
    loop = Loop(work, clock, idle=DAY)
    loop.wake()

    async with running(loop):
        assert await work.ran.get() == 1
        loop.wake()
        loop.wake()
        assert await work.ran.get() == 2


async def test_a_pass_is_run_again_when_it_asked_to_be() -> None:
    clock = SystemClock()
    work = CountingPass(look_at=clock.now())

    async with running(Loop(work, clock, idle=DAY)):
        assert [await work.ran.get() for _ in range(3)] == [1, 2, 3]


async def test_a_pass_that_raises_is_logged_and_run_again(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    work = CountingPass(fails=1)
    loop = Loop(work, clock, idle=DAY)

    async with running(loop):
        assert [await work.ran.get() for _ in range(2)] == [1, 2]

    assert "pass failed" in caplog.text
    assert "the store is away" in caplog.text


async def test_a_stop_that_a_library_swallows_ends_it_all_the_same(clock: ManualClock) -> None:
    """`asyncio.wait_for` does so in Python 3.11 when the answer comes at the same moment."""
    began = asyncio.Event()

    class Swallowing:
        name = "swallowing"

        async def run_once(self) -> None:
            began.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    task = asyncio.create_task(Loop(Swallowing(), clock, idle=DAY).run())
    await began.wait()
    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()


async def test_what_is_away_is_one_line_in_the_log(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    class Waiting:
        name = "waiting"

        async def run_once(self) -> None:
            raise Unavailable("Redis is away.")

    await Loop(Waiting(), clock)._run_guarded()

    assert [record.getMessage() for record in caplog.records] == ["pass waits: Redis is away."]
    assert "Traceback" not in caplog.text


async def test_a_pass_that_keeps_failing_is_asked_ever_later(clock: ManualClock) -> None:
    loop = Loop(CountingPass(fails=99), clock, idle=DAY)

    waits = [await loop._run_guarded() for _ in range(12)]

    assert waits == sorted(waits)
    assert waits[0] < timedelta(seconds=1)
    assert waits[-1] == MOST


async def test_what_is_done_every_day_is_done_once_a_day(clock: ManualClock) -> None:
    done: list[datetime] = []

    async def work(now: datetime) -> None:
        done.append(now)

    daily = Periodic("daily", DAY, clock, work)
    begun = clock.now()
    assert await daily.run_once() == begun + DAY
    clock.advance(timedelta(hours=23))
    assert await daily.run_once() == begun + DAY
    clock.advance(timedelta(hours=1))
    await daily.run_once()

    assert done == [begun, begun + DAY]


async def test_a_clock_set_back_puts_it_off_no_longer_than_usual(clock: ManualClock) -> None:
    done: list[datetime] = []

    async def work(now: datetime) -> None:
        done.append(now)

    daily = Periodic("daily", DAY, clock, work)
    await daily.run_once()
    clock.jump(-timedelta(days=30))

    await daily.run_once()

    assert len(done) == 2
