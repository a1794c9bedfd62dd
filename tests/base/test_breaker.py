import asyncio
from datetime import timedelta

import pytest

from clarion.base.breaker import Breaker, BreakerState
from clarion.base.errors import CircuitOpen
from tests.support.clock import ManualClock

REST = timedelta(seconds=30)


class Dependency:
    """Something that is up or down, and counts who really reached it."""

    def __init__(self) -> None:
        self.up = False
        self.reached = 0
        self.waiting = asyncio.Event()

    async def ask(self) -> str:
        self.reached += 1
        if not self.up:
            raise ConnectionError("down")
        return "here"

    async def ask_slowly(self) -> str:
        self.reached += 1
        await self.waiting.wait()
        return "here"


@pytest.fixture
def dependency() -> Dependency:
    return Dependency()


@pytest.fixture
def breaker(clock: ManualClock) -> Breaker:
    return Breaker("it", clock, failures_max=3, rest=REST.total_seconds(), slow=5.0)


async def fail(breaker: Breaker, dependency: Dependency, times: int) -> None:
    for _ in range(times):
        with pytest.raises(ConnectionError):
            await breaker.call(dependency.ask)


async def test_it_stops_asking_after_failures_in_a_row(
    breaker: Breaker, dependency: Dependency
) -> None:
    await fail(breaker, dependency, 3)

    with pytest.raises(CircuitOpen) as refused:
        await breaker.call(dependency.ask)

    assert dependency.reached == 3
    assert refused.value.error_code == "AI5002"
    assert refused.value.retry_after == 30.0


async def test_a_success_between_failures_starts_the_count_again(
    breaker: Breaker, dependency: Dependency
) -> None:
    await fail(breaker, dependency, 2)
    dependency.up = True
    await breaker.call(dependency.ask)
    dependency.up = False

    await fail(breaker, dependency, 2)

    assert breaker.state is BreakerState.CLOSED


async def test_of_fifty_waiting_calls_one_reaches_a_dependency_that_is_still_down(
    breaker: Breaker, dependency: Dependency, clock: ManualClock
) -> None:
    await fail(breaker, dependency, 3)
    clock.advance(REST)

    results = await asyncio.gather(
        *(breaker.call(dependency.ask) for _ in range(50)), return_exceptions=True
    )

    assert dependency.reached == 4
    assert sum(isinstance(result, CircuitOpen) for result in results) == 49
    assert breaker.state is BreakerState.OPEN


async def test_others_are_refused_while_the_probe_is_under_way(
    breaker: Breaker, dependency: Dependency, clock: ManualClock
) -> None:
    await fail(breaker, dependency, 3)
    clock.advance(REST)
    probe = asyncio.ensure_future(breaker.call(dependency.ask_slowly))
    await asyncio.wait_for(_reached(dependency, 4), 30)

    with pytest.raises(CircuitOpen):
        await breaker.call(dependency.ask)

    dependency.waiting.set()
    assert await probe == "here"
    assert breaker.state is BreakerState.CLOSED


async def test_a_failed_probe_rests_again_for_the_whole_time(
    breaker: Breaker, dependency: Dependency, clock: ManualClock
) -> None:
    await fail(breaker, dependency, 3)
    clock.advance(REST)
    await fail(breaker, dependency, 1)
    clock.advance(REST - timedelta(seconds=1))

    with pytest.raises(CircuitOpen):
        await breaker.call(dependency.ask)


async def test_a_cancelled_call_counts_neither_way(
    breaker: Breaker, dependency: Dependency
) -> None:
    for reached in range(1, 6):
        call = asyncio.ensure_future(breaker.call(dependency.ask_slowly))
        await asyncio.wait_for(_reached(dependency, reached), 30)
        call.cancel()
        await asyncio.wait([call])

    assert breaker.state is BreakerState.CLOSED


async def test_a_cancelled_probe_leaves_its_place_to_the_next_call(
    breaker: Breaker, dependency: Dependency, clock: ManualClock
) -> None:
    await fail(breaker, dependency, 3)
    clock.advance(REST)
    probe = asyncio.ensure_future(breaker.call(dependency.ask_slowly))
    await asyncio.wait_for(_reached(dependency, 4), 30)
    probe.cancel()
    await asyncio.wait([probe])
    dependency.up = True

    assert await breaker.call(dependency.ask) == "here"

    assert breaker.state is BreakerState.CLOSED


async def test_the_wall_clock_may_jump_without_opening_or_closing_it(
    breaker: Breaker, dependency: Dependency, clock: ManualClock
) -> None:
    await fail(breaker, dependency, 3)
    clock.jump(timedelta(days=1))

    with pytest.raises(CircuitOpen):
        await breaker.call(dependency.ask)


async def test_slow_successes_count_as_failures(
    breaker: Breaker, dependency: Dependency, clock: ManualClock
) -> None:
    async def slow() -> None:
        clock.advance(timedelta(seconds=6))

    for _ in range(3):
        await breaker.call(slow)

    assert breaker.state is BreakerState.OPEN


async def test_our_own_mistakes_do_not_open_it(clock: ManualClock) -> None:
    breaker = Breaker(
        "it", clock, failures_max=1, counts=lambda error: not isinstance(error, ValueError)
    )

    async def mistaken() -> None:
        raise ValueError

    for _ in range(3):
        with pytest.raises(ValueError):
            await breaker.call(mistaken)

    assert breaker.state is BreakerState.CLOSED


async def test_listeners_hear_every_change_of_state(
    dependency: Dependency, clock: ManualClock
) -> None:
    heard: list[tuple[str, BreakerState]] = []
    breaker = Breaker(
        "it", clock, failures_max=1, rest=30, listeners=[lambda name, to: heard.append((name, to))]
    )
    await fail(breaker, dependency, 1)
    clock.advance(REST)
    dependency.up = True

    await breaker.call(dependency.ask)

    assert heard == [
        ("it", BreakerState.OPEN),
        ("it", BreakerState.HALF_OPEN),
        ("it", BreakerState.CLOSED),
    ]


async def test_a_straggler_from_before_the_opening_does_not_close_it(
    breaker: Breaker, dependency: Dependency
) -> None:
    straggler = asyncio.ensure_future(breaker.call(dependency.ask_slowly))
    await asyncio.wait_for(_reached(dependency, 1), 30)
    await fail(breaker, dependency, 3)
    dependency.waiting.set()

    await straggler

    assert breaker.state is BreakerState.OPEN


async def _reached(dependency: Dependency, count: int) -> None:
    """Let the other task run until it has reached the dependency."""
    turn = asyncio.get_running_loop()
    while dependency.reached < count:
        step = turn.create_future()
        turn.call_soon(step.set_result, None)
        await step
