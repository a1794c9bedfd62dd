import asyncio
from datetime import timedelta

import pytest

from clarion.tasks.buffer import Buffer, GivingWay, QueueItem
from clarion.tasks.model import Level
from clarion.tasks.ports import Claim
from clarion.tasks.pump import SlotLane
from tests.support.clock import START, ManualClock
from tests.support.tasks import a_task


def item(name: str, *, base: int = Level.NORMAL, minutes: int = 0) -> QueueItem:
    due_at = START + timedelta(minutes=minutes)
    return QueueItem.of(Claim(a_task(name, base=base, due_at=due_at), 1, 1, minutes))


def name(one: QueueItem | None) -> str | None:
    return None if one is None else one.payload.task.id.removeprefix("tsk_")


async def test_a_vip_is_got_before_ten_thousand_that_wait() -> None:
    buffer = Buffer(20_000)
    for n in range(10_000):
        buffer.offer(item("normal", minutes=n % 30))

    buffer.offer(item("vip", base=Level.HIGH, minutes=40))

    assert name(await anext(buffer)) == "vip"


async def test_a_better_newcomer_takes_the_place_of_the_worst() -> None:
    buffer = Buffer(2)
    buffer.offer(item("good", minutes=1))
    buffer.offer(item("worst", minutes=3))

    displaced = buffer.offer(item("better", minutes=2))

    assert name(displaced) == "worst"
    assert [name(await anext(buffer)), name(await anext(buffer))] == ["good", "better"]


async def test_a_worse_newcomer_does_not_get_in() -> None:
    buffer = Buffer(1)
    buffer.offer(item("here"))

    refused = buffer.offer(item("newcomer", minutes=1))

    assert name(refused) == "newcomer"
    assert name(await anext(buffer)) == "here"


async def test_whoever_waits_gets_what_is_offered() -> None:
    buffer = Buffer(1)
    waiting = asyncio.create_task(anext(buffer))
    await asyncio.wait([waiting], timeout=0)

    buffer.offer(item("one"))

    assert name(await waiting) == "one"


async def test_all_who_wait_get_one_of_a_batch() -> None:
    buffer = Buffer(50)
    waiting = [asyncio.create_task(anext(buffer)) for _ in range(50)]
    await asyncio.wait(waiting, timeout=0)

    for n in range(50):
        buffer.offer(item(str(n), minutes=n))

    got = await asyncio.gather(*waiting)
    assert sorted(one.sequence for one in got) == list(range(50))


async def test_who_is_cancelled_when_woken_hands_on_what_came() -> None:
    buffer = Buffer(2)
    leaving, staying = (asyncio.create_task(anext(buffer)) for _ in range(2))
    await asyncio.wait([leaving, staying], timeout=0)

    buffer.offer(item("one"))
    leaving.cancel()

    assert name(await staying) == "one"


async def test_who_was_cancelled_before_is_passed_over() -> None:
    buffer = Buffer(2)
    leaving, staying = (asyncio.create_task(anext(buffer)) for _ in range(2))
    await asyncio.wait([leaving, staying], timeout=0)

    leaving.cancel()
    buffer.offer(item("one"))

    assert name(await staying) == "one"


async def test_critical_ones_can_be_taken_out_of_turn() -> None:
    buffer = Buffer(9)
    aged = -60 * 24
    buffer.offer(item("aged", base=99, minutes=aged))
    buffer.offer(item("second", base=Level.CRITICAL, minutes=2))
    buffer.offer(item("first", base=Level.CRITICAL, minutes=1))

    taken = [name(buffer.take_critical()) for _ in range(3)]

    assert taken == ["first", "second", None]
    assert name(await anext(buffer)) == "aged"


async def test_the_best_of_a_kind_can_be_taken_out_of_turn() -> None:
    buffer = Buffer(9)
    for minutes, kind in enumerate(("noop", "post", "post")):
        task = a_task(f"{kind}{minutes}", kind=kind, due_at=START + timedelta(minutes=minutes))
        buffer.offer(QueueItem.of(Claim(task, 1, 1, minutes)))

    taken = [name(buffer.take_of(lambda kind: kind == "post")) for _ in range(3)]

    assert taken == ["post1", "post2", None]
    assert name(await anext(buffer)) == "noop0"


async def test_join_returns_when_all_that_was_got_is_done() -> None:
    buffer = Buffer(2)
    for n in range(3):
        buffer.offer(item(str(n), minutes=n))
    await anext(buffer)
    buffer.take_all()

    buffer.task_done()

    async with asyncio.timeout(30):
        await buffer.join()
    with pytest.raises(ValueError):
        buffer.task_done()


async def test_a_lane_counts_what_is_on_the_way_as_taken() -> None:
    lane = SlotLane(2, 9)

    for n in range(3):
        lane.buffer.offer(item(str(n), minutes=n))

    assert lane.idle == -1
    assert lane.buffer.worst_rank() == item("", minutes=2).payload.task.rank


async def test_ordinary_ones_wait_while_an_urgent_one_is_being_written(clock: ManualClock) -> None:
    buffer = Buffer(10)
    buffer.giving_way = giving_way = GivingWay(clock)
    buffer.offer(item("ordinary"))
    giving_way.expect()

    taking = asyncio.create_task(anext(buffer))
    await asyncio.wait([taking], timeout=0)
    assert not taking.done()
    giving_way.arrived()

    assert name(await taking) == "ordinary"


async def test_who_is_cancelled_while_giving_way_hands_on_what_came(clock: ManualClock) -> None:
    buffer = Buffer(2)
    buffer.giving_way = giving_way = GivingWay(clock)
    leaving, staying = (asyncio.create_task(anext(buffer)) for _ in range(2))
    await asyncio.wait([leaving, staying], timeout=0)
    giving_way.expect()
    buffer.offer(item("one"))
    await asyncio.wait([leaving, staying], timeout=0)

    leaving.cancel()
    await asyncio.wait([leaving])
    giving_way.arrived()

    async with asyncio.timeout(30):
        assert name(await staying) == "one"


def test_a_stream_of_urgent_ones_leaves_most_of_the_time_to_the_others(clock: ManualClock) -> None:
    giving_way = GivingWay(clock)
    held, moment = 0, timedelta(milliseconds=1)
    for number in range(1000):
        giving_way.expect()
        held += giving_way.is_due
        clock.advance(moment)
        if number % 2:
            giving_way.arrived()

    assert 0 < held <= 250
