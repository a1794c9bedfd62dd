"""What BullMQ holds follows what the database says, and people can see the dead."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from clarion.base.ids import TaskId
from clarion.store.redis.jobs import DEAD, Lane
from clarion.store.sql.database import Database
from clarion.tasks.model import Level, Queue
from clarion.tasks.ports import Failed
from tests.support.clock import START
from tests.support.cluster import ClusterTasks, cluster_tasks
from tests.support.databases import opened, postgres_database
from tests.support.services import PostgresServer, RedisServer
from tests.support.tasks import a_task, names, settle, take, take_one

HOUR = timedelta(hours=1)


@pytest.fixture
async def database(postgres: PostgresServer) -> AsyncIterator[Database]:
    name = await postgres_database(postgres)
    async with opened(postgres.url(name)) as made:
        yield made
    postgres.drop_database(name)


@pytest.fixture
async def store(database: Database, redis_server: RedisServer) -> AsyncIterator[ClusterTasks]:
    async with cluster_tasks(database, redis_server.url) as made:
        made.clock.move_to(START)
        yield made


async def waiting(store: ClusterTasks) -> dict[str, list[str]]:
    """The ids of the jobs that BullMQ keeps for later, by queue."""
    found = {
        lane.value: sorted(str(job.id) for job in await queue.getJobs(["delayed"]))
        for lane, queue in store.queues.items()
    }
    return {name: ids for name, ids in found.items() if ids}


async def test_each_task_waits_in_the_queue_of_its_name(store: ClusterTasks) -> None:
    due = START + HOUR
    await store.add(
        [
            a_task("pills", due_at=due),
            a_task("hello", due_at=due, queue=Queue.MESSAGES),
            a_task("fire", due_at=due, queue=Queue.DISPATCH, base=Level.CRITICAL),
        ],
        START,
    )

    await store.relay.run_once()

    assert await waiting(store) == {
        "reminders": ["tsk_pills"],
        "messages": ["tsk_hello"],
        "critical": ["tsk_fire"],
    }


async def test_a_moved_task_leaves_nothing_behind(store: ClusterTasks) -> None:
    await store.add([a_task("one", key="k", due_at=START + HOUR)], START)
    await store.relay.run_once()

    await store.reschedule("k", START + 2 * HOUR, START)
    await store.relay.run_once()

    (job,) = await store.queues[Lane.REMINDERS].getJobs(["delayed"])
    assert (job.id, job.data["due_at"]) == ("tsk_one-2", (START + 2 * HOUR).isoformat())


async def test_a_task_made_critical_changes_its_queue(store: ClusterTasks) -> None:
    await store.add([a_task("one", due_at=START + HOUR)], START)
    await store.relay.run_once()

    await store.reprioritise([TaskId("tsk_one")], Level.CRITICAL, START)
    await store.relay.run_once()

    assert await waiting(store) == {"critical": ["tsk_one-2"]}


async def test_a_cancelled_task_is_taken_out_once(store: ClusterTasks) -> None:
    await store.add([a_task("one", due_at=START + HOUR)], START)
    await store.relay.run_once()
    await store.cancel([TaskId("tsk_one")], START)

    await store.relay.run_once()

    assert await waiting(store) == {}
    record = await store.get(TaskId("tsk_one"))
    assert record is not None
    assert await store.outbox.take_unsent(START + HOUR, 10, START) == []


async def test_a_cancelled_task_is_told_at_once(store: ClusterTasks) -> None:
    await store.add([a_task("one", due_at=START + HOUR)], START)
    woken = asyncio.Event()
    stop = store.outbox.listen(woken.set)
    await woken.wait()  # PostgreSQL says "look" when it begins to listen
    woken.clear()

    await store.cancel([TaskId("tsk_one")], START)
    stop()

    assert woken.is_set()


async def test_what_is_far_away_stays_in_the_database_until_it_comes_near(
    store: ClusterTasks,
) -> None:
    await store.add([a_task("far", due_at=START + timedelta(days=30))], START)

    await store.relay.run_once()
    early = await waiting(store)
    store.clock.move_to(START + timedelta(days=29, hours=12))
    await store.relay.run_once()

    assert early == {}
    assert await waiting(store) == {"reminders": ["tsk_far"]}


async def test_the_dead_can_be_seen(store: ClusterTasks) -> None:
    await store.add([a_task("one")], START)
    await settle(store, Failed(await take_one(store), "Traceback …\nValueError: boom", None))

    await store.relay.run_once()

    (job,) = await store.relay.queue(DEAD).getJobs(["wait"])
    assert (job.data["task_id"], job.data["error"][-4:]) == ("tsk_one", "boom")


async def test_what_could_not_be_told_is_told_later(
    store: ClusterTasks, redis_server: RedisServer
) -> None:
    await store.add([a_task("one", due_at=START + HOUR)], START)
    redis_server.kill()
    await store.relay.run_once()

    redis_server.start()
    await store.relay.run_once()

    assert await waiting(store) == {"reminders": ["tsk_one-2"]}


async def test_an_emptied_redis_is_told_everything_again(
    store: ClusterTasks, redis_server: RedisServer
) -> None:
    await store.add([a_task(str(n), due_at=START + HOUR) for n in range(5)], START)
    await store.relay.run_once()
    redis_server.empty()
    store.clock.move_to(START + timedelta(seconds=1))

    await store.watch.run_once()
    await store.watch.run_once()
    await store.relay.run_once()

    assert len((await waiting(store))["reminders"]) == 5


async def test_a_job_from_an_old_back_up_does_nothing(store: ClusterTasks) -> None:
    await store.add([a_task("one", key="k")], START)
    await store.relay.run_once()
    await store.reschedule("k", START + HOUR, START)

    assert names(await take(store)) == []
    assert names(await take(store, START + HOUR)) == ["one"]
