"""A service beside Clarion gives it work through BullMQ, and may add the same job twice."""

import pytest

from clarion.app.cluster import Adoption
from clarion.base.errors import BadInput
from clarion.base.ids import TaskId
from clarion.store.sql.database import Database
from clarion.store.sql.tasks_store import SqlTasks
from clarion.tasks.model import Level
from tests.support.clock import START, ManualClock
from tests.support.tasks import names, take


@pytest.fixture
def store(sqlite: Database) -> SqlTasks:
    return SqlTasks(sqlite)


@pytest.fixture
def adoption(store: SqlTasks, clock: ManualClock) -> Adoption:
    return Adoption(store, clock)


async def test_a_job_becomes_a_task_once(adoption: Adoption, store: SqlTasks) -> None:
    data = {"payload": {"text": "hello"}, "base": 50}

    ids = {await adoption.adopt("messages", "greet", "7_123", data) for _ in range(2)}

    (claim,) = await take(store)
    assert ids == {TaskId("tsk_messages_7_123")}
    assert (claim.task.kind, claim.task.base, claim.task.payload) == ("greet", 50, data["payload"])


@pytest.mark.parametrize(
    ("queue", "data", "base"),
    [
        pytest.param("critical", {}, Level.CRITICAL, id="the critical queue"),
        pytest.param("chores", {}, Level.NORMAL, id="nothing said"),
        pytest.param("chores", {"base": 5_000}, Level.CRITICAL, id="too much"),
        pytest.param("chores", {"base": "high"}, Level.NORMAL, id="nonsense"),
    ],
)
async def test_its_priority_is_one_of_ours(
    adoption: Adoption, store: SqlTasks, queue: str, data: dict[str, object], base: int
) -> None:
    await adoption.adopt(queue, "greet", "1_1", data)

    (claim,) = await take(store)
    assert claim.task.base == base


async def test_it_may_wait_for_its_instant(adoption: Adoption, store: SqlTasks) -> None:
    due_at = "2030-01-07T10:00:00+01:00"  # an hour from now

    await adoption.adopt("chores", "greet", "1_1", {"due_at": due_at})

    assert await take(store) == []
    assert names(await take(store, START.replace(hour=9))) == ["chores_1_1"]


@pytest.mark.parametrize("due_at", ["soon", "2030-01-07T10:00:00", 12])
async def test_an_instant_that_is_none_fails_where_its_sender_sees_it(
    adoption: Adoption, due_at: object
) -> None:
    with pytest.raises(BadInput):
        await adoption.adopt("chores", "greet", "1_1", {"due_at": due_at})
