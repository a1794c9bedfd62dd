"""BullMQ sees tasks as they are, and jobs of others become tasks, whatever Redis does."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from bullmq import Queue as BullQueue
from redis.asyncio import Redis

from clarion.app.cluster import Adoption
from clarion.base.ids import TaskId
from clarion.store.redis.bridge import REREAD_EVERY, WRITTEN_AT_ONCE, Bell, Intake, Showcase
from clarion.store.redis.client import RedisAway, patient_client, steady_client
from clarion.store.redis.jobs import QUEUES
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import Queue
from clarion.tasks.ports import Done, Failed
from clarion.tasks.records import TaskStatus
from tests.support.clock import START, ManualClock
from tests.support.services import RedisServer
from tests.support.tasks import a_task, settle, status_of, take, take_one

STATES = ["active", "delayed", "prioritized", "completed", "failed", "waiting"]
SECOND = timedelta(seconds=1)


@pytest.fixture
async def client(redis_server: RedisServer) -> AsyncIterator[Redis]:
    made = steady_client(redis_server.url)
    yield made
    await made.aclose()


@pytest.fixture
def store(sqlite: Database) -> SqlTasks:
    return SqlTasks(sqlite)


@pytest.fixture
def showcase(client: Redis, store: SqlTasks, clock: ManualClock) -> Showcase:
    return Showcase(client, store, clock)


@pytest.fixture
def intake(client: Redis, store: SqlTasks, clock: ManualClock) -> Intake:
    return Intake(client, Adoption(store, clock), clock)


class Seen:
    """BullMQ's own eyes on all queues."""

    def __init__(self, client: Redis) -> None:
        self.queues = {name: BullQueue(name, {"connection": client}) for name in QUEUES}

    async def __call__(self) -> dict[str, list[str]]:
        found = {
            f"{name} {state}": [job.id for job in await queue.getJobs([state], 0, -1, True)]
            for name, queue in self.queues.items()
            for state in STATES
        }
        return {place: ids for place, ids in found.items() if ids}

    async def job(self, queue: str, id_: str) -> Any:
        (found,) = [
            job for job in await self.queues[queue].getJobs(STATES, 0, -1, True) if job.id == id_
        ]
        return found


@pytest.fixture
def seen(client: Redis) -> Seen:
    return Seen(client)


async def show(showcase: Showcase, clock: ManualClock) -> None:
    clock.move_to(clock.now() + 2 * SECOND)
    await showcase.run_once()


async def test_tasks_are_seen_from_their_beginning_to_their_end(
    showcase: Showcase, store: SqlTasks, seen: Seen, clock: ManualClock
) -> None:
    await store.add(
        [
            a_task("vip", base=50, due_at=START),
            a_task("plain", due_at=START),
            a_task("later", due_at=START + timedelta(hours=1)),
            a_task("message", queue=Queue.MESSAGES),
        ],
        START,
    )
    await show(showcase, clock)
    waiting = await seen()
    vip, plain = await take(store, any=2)
    await show(showcase, clock)
    running = await seen()
    await settle(store, Done(vip, '{"rung": true}'), Failed(plain, "Traceback\nBoom: no", None))
    await show(showcase, clock)

    assert waiting == {
        "reminders delayed": ["tsk_later"],
        "reminders prioritized": ["tsk_vip", "tsk_plain"],
        "messages prioritized": ["tsk_message"],
    }
    assert sorted(running["reminders active"]) == ["tsk_plain", "tsk_vip"]
    assert await seen() == {
        "reminders delayed": ["tsk_later"],
        "reminders completed": ["tsk_vip"],
        "reminders failed": ["tsk_plain"],
        "reminders-dead prioritized": ["tsk_plain"],
        "messages prioritized": ["tsk_message"],
    }
    assert (await seen.job("reminders", "tsk_vip")).returnvalue == {"rung": True}
    assert (await seen.job("reminders", "tsk_plain")).failedReason == "Boom: no"


async def test_what_came_and_went_between_two_looks_is_shown_as_ended(
    showcase: Showcase, store: SqlTasks, seen: Seen, clock: ManualClock
) -> None:
    await show(showcase, clock)
    await store.add([a_task("quick"), a_task("bad")], START)
    quick, bad = await take(store, any=2)
    await settle(store, Done(quick), Failed(bad, "Boom: “no”", None))

    await show(showcase, clock)

    assert await seen() == {
        "reminders completed": ["tsk_quick"],
        "reminders failed": ["tsk_bad"],
        "reminders-dead prioritized": ["tsk_bad"],
    }
    assert (await seen.job("reminders", "tsk_bad")).failedReason == "Boom: “no”"


async def test_more_than_are_written_at_once_are_all_shown_and_all_removed(
    showcase: Showcase, store: SqlTasks, seen: Seen, clock: ManualClock
) -> None:
    many = [a_task(f"{number:03}") for number in range(2 * WRITTEN_AT_ONCE + 1)]
    await store.add(many, START)
    await show(showcase, clock)
    shown = await seen()
    await store.cancel([task.id for task in many[1:]], START)
    await show(showcase, clock)

    assert shown == {"reminders prioritized": [task.id for task in many]}
    assert await seen() == {"reminders prioritized": [many[0].id]}


async def test_what_moves_or_is_cancelled_leaves_nothing_behind(
    showcase: Showcase, store: SqlTasks, seen: Seen, clock: ManualClock, client: Redis
) -> None:
    await store.add([a_task("moved", key="k"), a_task("gone")], START)
    await show(showcase, clock)

    await store.reschedule("k", START + timedelta(hours=1), START)
    await store.cancel([TaskId("tsk_gone")], START)
    await show(showcase, clock)

    assert await seen() == {"reminders delayed": ["tsk_moved"]}
    assert not await client.exists("bull:reminders:tsk_gone")


async def test_an_emptied_redis_shows_everything_again(
    showcase: Showcase,
    store: SqlTasks,
    seen: Seen,
    clock: ManualClock,
    redis_server: RedisServer,
) -> None:
    await store.add([a_task("one"), a_task("two")], START)
    await show(showcase, clock)
    before = await seen()
    redis_server.empty()

    await show(showcase, clock)

    assert await seen() == before


async def test_a_stranger_who_takes_our_jobs_changes_nothing_for_long(
    showcase: Showcase, store: SqlTasks, seen: Seen, clock: ManualClock, client: Redis
) -> None:
    await store.add([a_task("one")], START)
    await show(showcase, clock)
    before = await seen()
    await client.zrem("bull:reminders:prioritized", "tsk_one")
    await client.lpush("bull:reminders:active", "tsk_one")

    clock.move_to(clock.now() + REREAD_EVERY)
    await showcase.run_once()

    assert await seen() == before
    assert await status_of(store, "one") is TaskStatus.READY


async def test_the_next_server_goes_on_where_the_last_one_stopped(
    showcase: Showcase, store: SqlTasks, seen: Seen, clock: ManualClock, client: Redis
) -> None:
    await store.add([a_task("one"), a_task("two")], START)
    await show(showcase, clock)
    await store.cancel([TaskId("tsk_one")], START)

    await show(Showcase(client, store, clock), clock)

    assert await seen() == {"reminders prioritized": ["tsk_two"]}


async def test_a_redis_that_is_away_is_said_and_caught_up_with(
    showcase: Showcase,
    store: SqlTasks,
    seen: Seen,
    clock: ManualClock,
    redis_server: RedisServer,
) -> None:
    await store.add([a_task("one")], START)
    redis_server.kill()
    with pytest.raises(RedisAway):
        await show(showcase, clock)
    redis_server.start()

    await show(showcase, clock)

    assert await seen() == {"reminders prioritized": ["tsk_one"]}


async def test_a_job_of_another_service_is_done_and_gets_its_result(
    intake: Intake, store: SqlTasks, seen: Seen
) -> None:
    data = {"payload": {"text": "hello"}}
    job = await seen.queues["messages"].add("greet", data, {"removeOnComplete": False})
    await intake.run_once()
    taken = await seen()
    claim = await take_one(store)
    await intake.run_once()  # it runs: nothing to give back yet
    await settle(store, Done(claim, json.dumps({"said": "hello"})))

    await intake.run_once()

    assert taken == {"messages active": [job.id]}
    assert claim.task.payload == {"text": "hello"}
    assert await seen() == {"messages completed": [job.id]}
    assert (await seen.job("messages", job.id)).returnvalue == {"said": "hello"}


async def test_a_job_whose_task_died_fails_with_its_reason(
    intake: Intake, store: SqlTasks, seen: Seen
) -> None:
    job = await seen.queues["chores"].add("greet", {}, {})
    await intake.run_once()
    await settle(store, Failed(await take_one(store), "Traceback\nBoom: no", None))

    await intake.run_once()

    assert await seen() == {"chores failed": [job.id]}
    assert (await seen.job("chores", job.id)).failedReason == "Boom: no"


async def test_a_job_that_makes_no_sense_fails_at_once(
    intake: Intake, store: SqlTasks, seen: Seen
) -> None:
    job = await seen.queues["chores"].add("greet", {"due_at": "soon"}, {})

    await intake.run_once()

    assert await seen() == {"chores failed": [job.id]}
    assert await take(store) == []


async def test_delayed_and_prioritized_jobs_of_others_are_taken_among_ours(
    showcase: Showcase,
    intake: Intake,
    store: SqlTasks,
    seen: Seen,
    clock: ManualClock,
) -> None:
    await store.add([a_task("ours"), a_task("later", due_at=START + timedelta(days=1))], START)
    await show(showcase, clock)
    now = int(clock.now().timestamp() * 1000)
    queue = seen.queues["reminders"]
    await queue.add("greet", {}, {"priority": 5, "jobId": "theirs"})
    await queue.add("greet", {}, {"delay": 9_000, "timestamp": now, "jobId": "slow"})

    look_at = await intake.run_once()
    first = await seen()
    clock.move_to(clock.now() + 9 * SECOND)
    await intake.run_once()

    assert first["reminders active"] == ["theirs"]
    assert look_at is not None
    assert look_at <= START + 11 * SECOND
    assert sorted((await seen())["reminders active"]) == ["slow", "theirs"]
    assert (await seen())["reminders prioritized"] == ["tsk_ours"]


async def test_a_crash_between_taking_and_adding_is_gone_over_again(
    intake: Intake, store: SqlTasks, seen: Seen, client: Redis, clock: ManualClock
) -> None:
    await seen.queues["messages"].add("greet", {}, {"jobId": "one"})
    await client.rpoplpush("bull:messages:wait", "bull:messages:active")  # taken, and no more

    await Intake(client, Adoption(store, clock), clock).run_once()
    await intake.run_once()

    assert len(await take(store)) == 1


async def test_a_task_that_was_forgotten_is_not_done_again(
    intake: Intake, store: SqlTasks, seen: Seen
) -> None:
    await seen.queues["messages"].add("greet", {}, {"jobId": "one"})
    await intake.run_once()
    claim = await take_one(store)
    await settle(store, Failed(claim, "no", None))
    await store.drop([claim.task.id])

    await intake.run_once()

    assert await seen() == {"messages completed": ["one"]}
    assert await take(store) == []


async def test_the_bell_rings_when_a_job_is_added(
    seen: Seen, clock: ManualClock, redis_server: RedisServer
) -> None:
    rung: list[int] = []
    patient = patient_client(redis_server.url)
    await seen.queues["messages"].add("greet", {}, {})

    await Bell(patient, lambda: rung.append(1), clock).run_once()

    await patient.aclose()
    assert rung == [1]
