"""Two servers on one PostgreSQL: whatever both try at once happens once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from clarion.base.ids import TaskId
from clarion.people.model import DeviceKind
from clarion.reminders.decisions.decision import RING
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.tasks.model import Task
from clarion.tasks.ports import Claim
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import (
    ADMIN,
    AS_ANA,
    ClarionByHand,
    at,
    introduce_ana,
    open_by_hand,
)
from tests.support.clock import ManualClock
from tests.support.databases import postgres_database
from tests.support.fakes.channel import Outside
from tests.support.services import PostgresServer

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
async def servers(
    postgres: PostgresServer, clock: ManualClock
) -> AsyncIterator[tuple[ClarionByHand, ClarionByHand]]:
    name = await postgres_database(postgres)
    outside = Outside(clock)
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(open_by_hand(postgres.url(name), clock, outside))
            for _ in range(2)
        ]
        await introduce_ana(first)
        yield first, second
    postgres.drop_database(name)


def delivery(reminder: Reminder, attempt: int = 1) -> Claim:
    """The same task, as a broker might hand it to two servers."""
    task = Task(TaskId("tsk_twice"), RING, reminder.trigger_at, {"reminder": reminder.id})
    return Claim(task, attempt, fence=1)


async def test_the_same_ring_delivered_to_both_is_rung_once(
    servers: tuple[ClarionByHand, ClarionByHand],
) -> None:
    first, second = servers
    pill = await first.remind(at=at(8, 30), confirmation=CONFIRM)
    first.clock.move_to(at(8, 30))

    await asyncio.gather(*(clarion.ring_tasks.ring(delivery(pill)) for clarion in servers * 4))

    assert (await second.look(pill)).attempt == 1
    assert len(await second.reminders.rings(ADMIN, pill.id)) == 1
    assert len(first.outside.spoken) == 1


async def test_many_rings_are_shared_and_none_is_rung_twice(
    servers: tuple[ClarionByHand, ClarionByHand],
) -> None:
    first, second = servers
    for number in range(20):
        await first.people.add_device(ADMIN, kind=DeviceKind.TERMINAL, user_id=None)
        await first.reminders.create(
            ADMIN, user_id=ANA, content=f"{number}", trigger_at=at(8, 30), base=100
        )
    first.clock.move_to(at(8, 30))

    await asyncio.gather(first.workers.run_due(), second.workers.run_due())

    assert sorted(int(one.ring.content) for one in first.outside.spoken) == list(range(20))


async def test_both_confirm_and_one_wins(servers: tuple[ClarionByHand, ClarionByHand]) -> None:
    first, second = servers
    pill = await first.remind(at=at(8, 30), confirmation=CONFIRM)
    await first.until(8, 31)

    await asyncio.gather(
        first.reminders.confirm(AS_ANA, pill.id, by="Ana"),
        second.reminders.confirm(AS_ANA, pill.id, by="Boris"),
        second.press("confirm"),
    )

    assert (await first.look(pill)).status is ReminderStatus.CONFIRMED
    assert (await first.story(pill)).count("reminder.confirmed") == 1


async def test_the_same_request_sent_to_both_is_set_once(
    servers: tuple[ClarionByHand, ClarionByHand],
) -> None:
    made = await asyncio.gather(*(clarion.remind("tea", key="k-1") for clarion in servers * 3))

    assert len({one.id for one in made}) == 1


async def test_an_answer_and_its_deadline_at_once_end_in_one_story(
    servers: tuple[ClarionByHand, ClarionByHand],
) -> None:
    first, second = servers
    pill = await first.remind(at=at(8, 30), confirmation=CONFIRM)
    await first.until(8, 30)
    first.clock.move_to(at(8, 35))

    await asyncio.gather(first.workers.run_due(), second.answer("吃过了"))

    assert (await first.look(pill)).status is ReminderStatus.CONFIRMED
    assert (await first.story(pill)).count("reminder.confirmed") == 1


async def test_one_series_yields_one_next_reminder(
    servers: tuple[ClarionByHand, ClarionByHand],
) -> None:
    first, second = servers
    series = await first.reminders.series.create(
        AS_ANA, user_id=ANA, content="pills", pattern="0 9 * * *"
    )

    await asyncio.gather(
        first.reminders.series.skip_next(AS_ANA, series.id),
        second.reminders.series.pause(AS_ANA, series.id),
        first.reminders.series.resume(AS_ANA, series.id),
        second.reminders.series.resume(AS_ANA, series.id),
    )

    kept = await first.reminders.series.get(AS_ANA, series.id)
    waiting = await second.reminders.list(AS_ANA, status=[ReminderStatus.PENDING])
    assert [one.id for one in waiting.items] == ([kept.current] if kept.current else [])
