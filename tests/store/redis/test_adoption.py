"""A service beside Clarion gives it work through BullMQ, and may add the same job twice."""

from typing import Any

import pytest

from clarion.app.cluster import Adoption
from clarion.base.errors import BadInput, NotFound
from clarion.store.redis.jobs import ForeignJob
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.model import Level
from tests.support.clock import START, ManualClock
from tests.support.tasks import names, take


@pytest.fixture
def store(sqlite: Database) -> SqlTasks:
    return SqlTasks(sqlite)


@pytest.fixture
def adoption(store: SqlTasks, clock: ManualClock) -> Adoption:
    return Adoption(store, clock)


def a_job(**data: Any) -> ForeignJob:
    return ForeignJob("chores", "7", "greet", "123", data, {}, adopted=False)


async def test_a_job_becomes_a_task_once(adoption: Adoption, store: SqlTasks) -> None:
    for _ in range(2):
        await adoption.adopt(a_job(payload={"text": "hello"}, base=50))

    (claim,) = await take(store)
    assert names([claim]) == ["bull_chores_7_123"]
    assert (claim.task.kind, claim.task.base) == ("greet", 50)
    assert claim.task.payload == {"text": "hello"}


async def test_one_of_a_kind_that_nobody_carries_out_is_refused(
    store: SqlTasks, clock: ManualClock
) -> None:
    with pytest.raises(NotFound, match="greet"):
        await Adoption(store, clock, Kinds()).adopt(a_job())

    assert await take(store) == []


@pytest.mark.parametrize(
    ("said", "base"),
    [
        pytest.param({}, Level.NORMAL, id="nothing said"),
        pytest.param({"base": 5_000}, Level.CRITICAL, id="too much"),
        pytest.param({"base": "high"}, Level.NORMAL, id="nonsense"),
    ],
)
async def test_its_priority_is_one_of_ours(
    adoption: Adoption, store: SqlTasks, said: dict[str, object], base: int
) -> None:
    await adoption.adopt(a_job(**said))

    (claim,) = await take(store)
    assert claim.task.base == base


async def test_it_may_wait_for_its_instant(adoption: Adoption, store: SqlTasks) -> None:
    due_at = "2030-01-07T10:00:00+01:00"  # an hour from now

    await adoption.adopt(a_job(due_at=due_at))

    assert await take(store) == []
    assert names(await take(store, START.replace(hour=9))) == ["bull_chores_7_123"]


@pytest.mark.parametrize("due_at", ["soon", "2030-01-07T10:00:00", 12])
async def test_an_instant_that_is_none_fails_where_its_sender_sees_it(
    adoption: Adoption, due_at: object
) -> None:
    with pytest.raises(BadInput):
        await adoption.adopt(a_job(due_at=due_at))
