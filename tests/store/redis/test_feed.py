"""Redis forgets, hangs and repeats itself; every task is still claimed once and in time."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from clarion.base.ids import TaskId
from clarion.store.redis.jobs import Lane
from clarion.store.sql.database import Database
from clarion.tasks.model import Level
from clarion.tasks.ports import Done, News, Wanted
from clarion.tasks.records import Status
from tests.support.clock import START
from tests.support.cluster import ClusterTasks, cluster_tasks
from tests.support.databases import opened, postgres_database
from tests.support.services import PostgresServer, RedisServer
from tests.support.tasks import LEASE, a_task, names, settle, status_of, take_one

SWEEP = timedelta(seconds=2)
WANTED = Wanted("ana", LEASE, any=10)


@pytest.fixture
async def database(postgres: PostgresServer) -> AsyncIterator[Database]:
    name = await postgres_database(postgres)
    async with opened(postgres.url(name)) as made:
        yield made
    postgres.drop_database(name)


@pytest.fixture
async def store(database: Database, redis_server: RedisServer) -> AsyncIterator[ClusterTasks]:
    async with cluster_tasks(database, redis_server.url, sweep=SWEEP) as made:
        made.clock.move_to(START)
        await made.feed.turn([], WANTED, START)  # a sweep: the next one is two seconds away
        yield made


async def test_a_job_that_redis_lost_is_found_by_the_next_sweep(
    store: ClusterTasks, redis_server: RedisServer
) -> None:
    await store.add([a_task("one", due_at=START + timedelta(seconds=1))], START)
    await store.relay.run_once()
    redis_server.empty()

    before = await store.feed.turn([], WANTED, START + SWEEP - timedelta(milliseconds=1))
    after = await store.feed.turn([], WANTED, START + SWEEP)

    assert (before.claims, names(after.claims)) == ([], ["one"])


async def test_workers_are_told_when_it_is_time_for_a_sweep(store: ClusterTasks) -> None:
    heard: list[News] = []
    stop = store.feed.listen(heard.append)

    store.feed.nudge()
    too_early = len(heard)
    store.clock.move_to(START + SWEEP)
    store.feed.nudge()
    stop()

    assert (too_early, len(heard)) == (0, 1)


async def test_while_redis_is_away_claims_come_from_the_database(
    store: ClusterTasks, redis_server: RedisServer
) -> None:
    redis_server.pause()
    for _ in range(2):
        await store.watch.run_once()
    await store.add([a_task("one")], START)

    taken = await store.feed.turn([], WANTED, START)

    redis_server.resume()
    assert names(taken.claims) == ["one"]


async def test_what_ended_before_its_delivery_is_refused(store: ClusterTasks) -> None:
    await store.add([a_task("one")], START)
    await store.catch_up(START)  # delivered, and not yet claimed
    await store.cancel([TaskId("tsk_one")], START)

    taken = await store.feed.turn([], WANTED, START)

    assert (taken.claims, store.feed.waiting) == ([], frozenset())
    assert await status_of(store, "one") is Status.CANCELLED


async def test_a_job_delivered_twice_is_one_task(store: ClusterTasks) -> None:
    await store.add([a_task("one")], START)
    claim = await take_one(store)

    await store.queues[Lane.REMINDERS].add("noop", {"task_id": "tsk_one", **SAID}, {})
    again = await store.feed.turn([], WANTED, START)

    assert (claim.fence, again.claims) == (1, [])


async def test_a_task_shows_its_end_where_people_look_at_bullmq(store: ClusterTasks) -> None:
    await store.add([a_task("one")], START)
    claim = await take_one(store)

    active = [job.id for job in await store.queues[Lane.REMINDERS].getJobs(["active"])]
    await settle(store, Done(claim))

    assert active == ["tsk_one"]


async def test_a_task_that_was_made_urgent_while_it_waited_is_taken_first(
    store: ClusterTasks,
) -> None:
    await store.add([a_task("one"), a_task("two")], START)
    await store.catch_up(START)  # both are delivered, and wait for a slot

    await store.reprioritise([TaskId("tsk_two")], Level.HIGH, START)
    await store.relay.run_once()
    while not store.feed.ranks_first(TaskId("tsk_two")):
        await store.hear_something()
    taken = await store.feed.turn([], Wanted("ana", LEASE, any=1), START)

    assert names(taken.claims) == ["two"]


async def test_one_who_overtakes_is_fetched_before_redis_has_heard_of_it(
    store: ClusterTasks,
) -> None:
    heard: list[News] = []
    stop = store.feed.listen(heard.append)
    vip = a_task("vip", base=Level.HIGH)
    await store.add([a_task("plain"), vip], START)

    ahead = Wanted("ana", LEASE, any=16, before=vip.rank + timedelta(microseconds=1))
    taken = await store.feed.turn([], ahead, START)
    stop()

    assert names(taken.claims) == ["vip"]
    assert {news.overtakes for news in heard} == {True}


async def test_what_was_fetched_before_its_delivery_is_done_once(store: ClusterTasks) -> None:
    vip = a_task("vip", base=Level.HIGH)
    await store.add([vip], START)
    ahead = Wanted("ana", LEASE, any=16, before=vip.rank + timedelta(microseconds=1))
    (claim,) = (await store.feed.turn([], ahead, START)).claims

    await store.relay.run_once()
    await store.catch_up(START)
    again = await store.feed.turn([Done(claim)], WANTED, START)

    assert (again.claims, store.feed.waiting) == ([], frozenset())
    assert await status_of(store, "vip") is Status.DONE


async def test_what_overtakes_later_is_left_to_redis(store: ClusterTasks) -> None:
    heard: list[News] = []
    stop = store.feed.listen(heard.append)

    await store.add([a_task("vip", base=Level.HIGH, due_at=START + SWEEP)], START)
    stop()

    assert heard == []


SAID = {"due_at": START.isoformat(), "base": 10}
