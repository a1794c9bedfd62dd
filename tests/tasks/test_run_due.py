"""Tasks on a clock that is moved by hand: hours in milliseconds, always in the same order."""

from datetime import timedelta

import pytest

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds, doubling
from clarion.tasks.ports import Again, Claim
from clarion.tasks.records import TaskStatus
from clarion.tasks.workers import DueTasks, Workers
from tests.support.clock import START, ManualClock
from tests.support.drive import Driver
from tests.support.tasks import a_task, names, status_of, take

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


class Evening:
    """A queue, a driver, and the log of what was done when."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        self.store = SqlTasks(database)
        self.clock = clock
        self.kinds = Kinds(
            Kind("noop", self.note),
            Kind("fail", self.fail, retries=2, backoff=doubling(MINUTE)),
            Kind("again", self.again),
            Kind("chain", self.chain),
        )
        self.driver = Driver(clock, DueTasks(Workers(self.store, self.kinds, clock)))
        self.log: list[tuple[str, str]] = []

    async def note(self, claim: Claim) -> None:
        self.log.append((f"{self.clock.now():%H:%M}", names([claim])[0]))

    async def fail(self, claim: Claim) -> None:
        await self.note(claim)
        raise ZeroDivisionError

    async def again(self, claim: Claim) -> Again | None:
        await self.note(claim)
        looked = claim.task.payload.get("looked", 1)
        return Again(self.clock.now() + 10 * MINUTE, {"looked": looked + 1}) if looked < 3 else None

    async def chain(self, claim: Claim) -> None:
        await self.note(claim)
        await self.store.add([a_task("link", due_at=self.clock.now())], self.clock.now())


@pytest.fixture
def evening(sqlite: Database, clock: ManualClock) -> Evening:
    return Evening(sqlite, clock)


async def test_what_is_due_is_done_in_order_at_its_time(evening: Evening) -> None:
    await evening.store.add(
        [
            a_task("dinner", due_at=START + 2 * HOUR),
            a_task("pills", due_at=START + HOUR),
            a_task("alarm", due_at=START + 2 * HOUR, base=100),
        ],
        START,
    )

    await evening.driver.fast_forward(3 * HOUR)

    assert evening.log == [("09:00", "pills"), ("10:00", "alarm"), ("10:00", "dinner")]


async def test_a_failing_task_is_tried_later_each_time_and_then_dead(evening: Evening) -> None:
    await evening.store.add([a_task("bad", kind="fail")], START)

    await evening.driver.fast_forward(HOUR)

    assert evening.log == [("08:00", "bad"), ("08:01", "bad"), ("08:03", "bad")]
    record = await evening.store.get(TaskId("tsk_bad"))
    assert record is not None
    assert record.status is TaskStatus.DEAD
    assert "ZeroDivisionError" in (record.error or "")


async def test_a_task_may_look_again_and_again(evening: Evening) -> None:
    await evening.store.add([a_task("look", kind="again")], START)

    await evening.driver.fast_forward(HOUR)

    assert evening.log == [("08:00", "look"), ("08:10", "look"), ("08:20", "look")]
    assert await status_of(evening.store, "look") is TaskStatus.DONE


async def test_what_a_task_adds_for_this_instant_is_done_at_once(evening: Evening) -> None:
    await evening.store.add([a_task("first", kind="chain")], START)

    await evening.driver.settle()

    assert evening.log == [("08:00", "first"), ("08:00", "link")]


async def test_what_a_dead_worker_held_is_done_after_its_lease(evening: Evening) -> None:
    await evening.store.add([a_task("orphan")], START)
    await take(evening.store, worker="dead")

    await evening.driver.settle()
    await evening.driver.fast_forward(MINUTE)

    assert evening.log == [("08:01", "orphan")]


async def test_a_task_that_always_kills_its_worker_ends_dead(evening: Evening) -> None:
    await evening.store.add([a_task("poison", kind="fail")], START)
    for crash in range(4):
        await take(evening.store, START + crash * MINUTE, worker="dying")
        await evening.store.take_back(START + (crash + 1) * MINUTE)

    await evening.driver.fast_forward(HOUR)

    assert evening.log == []
    assert await status_of(evening.store, "poison") is TaskStatus.DEAD
