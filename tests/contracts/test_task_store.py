"""What every store of tasks promises to workers, on SQLite and on PostgreSQL."""

import asyncio
from datetime import timedelta

import pytest

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import Level, Queue
from clarion.tasks.ports import (
    Again,
    Done,
    Failed,
    Later,
    Outcome,
    Released,
    Wanted,
)
from clarion.tasks.records import TaskStatus
from tests.support.clock import START
from tests.support.tasks import LEASE, a_task, names, settle, status_of, take, take_one

MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(database: Database) -> SqlTasks:
    return SqlTasks(database)


async def test_the_best_rank_is_claimed_first(store: SqlTasks) -> None:
    await store.add(
        [
            a_task("normal"),
            a_task("vip", base=Level.HIGH),
            a_task("bulk", base=Level.BULK),
            a_task("aged", base=Level.BULK, due_at=START - 200 * MINUTE),
        ],
        START,
    )

    assert names(await take(store)) == ["aged", "vip", "normal", "bulk"]


async def test_equal_ranks_are_served_in_the_order_they_came(store: SqlTasks) -> None:
    await store.add([a_task(name) for name in "cab"], START)
    await store.add([a_task("last")], START)

    assert names(await take(store)) == ["c", "a", "b", "last"]


@pytest.mark.parametrize("number", [1, 3, 127, 128, 129, 300])
async def test_all_of_a_batch_of_any_size_are_added_and_ended(store: SqlTasks, number: int) -> None:
    await store.add([a_task("0", key="known")], START)
    batch = [a_task(str(n), due_at=START - n * MINUTE) for n in range(number)]

    added = await store.add([*batch, a_task("twin", key="known")], START)
    claims = await take(store, any=number + 1)
    await settle(store, *map(Done, claims))

    assert added == [task.id for task in batch[1:]]
    assert names(claims) == [str(n) for n in reversed(range(number))]
    assert [one.tasks for one in await store.counts()] == [number]


async def test_each_who_adds_at_the_same_moment_hears_of_their_own(store: SqlTasks) -> None:
    two = [a_task("two"), a_task("three")]
    unkept = a_task("unkept", said=object())

    answers = await asyncio.gather(
        store.add([a_task("one")], START),
        store.add(two, START),
        store.add([unkept], START),
        store.add([two[1], a_task("four")], START),
        return_exceptions=True,
    )

    told = [one.removeprefix("tsk_") for ids in answers if isinstance(ids, list) for one in ids]
    assert isinstance(answers[2], TypeError)
    assert sorted(told) == ["four", "one", "three", "two"]
    assert sorted(names(await take(store))) == ["four", "one", "three", "two"]


async def test_a_task_is_invisible_until_it_is_due(store: SqlTasks) -> None:
    await store.add([a_task("later", due_at=START + MINUTE, base=Level.CRITICAL)], START)
    wanted = Wanted("ana", LEASE, any=10, critical=10)

    early = await store.turn([], wanted, START + MINUTE - timedelta(microseconds=1))
    on_time = await store.turn([], wanted, START + MINUTE)

    assert (early.claims, early.look_at) == ([], START + MINUTE)
    assert (names(on_time.claims), on_time.look_at) == (["later"], None)


async def test_a_claim_tells_all_that_was_added(store: SqlTasks) -> None:
    task = a_task(base=42, source="chat:7", key="k", queue=Queue.MESSAGES, text="吃药 \x00 😀")
    await store.add([task], START)

    claim = await take_one(store)

    assert claim.task == task
    assert (claim.attempt, claim.fence) == (1, 1)


async def test_what_is_claimed_is_not_claimed_again(store: SqlTasks) -> None:
    await store.add([a_task(), a_task()], START)

    first, second, third = [await take(store, any=1) for _ in range(3)]

    assert len(first) == len(second) == 1
    assert third == []


async def test_workers_at_the_same_time_never_get_the_same_task(store: SqlTasks) -> None:
    await store.add([a_task() for _ in range(200)], START)

    taken = await asyncio.gather(*(take(store, any=30, worker=f"w{n}") for n in range(8)))

    got = [claim.task.id for claims in taken for claim in claims]
    assert len(got) == len(set(got))
    assert len(got) >= 30


async def test_reserved_slots_get_critical_tasks_alone(store: SqlTasks) -> None:
    aged = a_task("aged", due_at=START - timedelta(days=1), base=99)
    await store.add([aged, a_task("normal"), a_task("critical", base=Level.CRITICAL)], START)

    claims = await take(store, any=0, critical=5)

    assert names(claims) == ["critical"]


async def test_a_full_worker_takes_only_what_is_better_than_its_worst(store: SqlTasks) -> None:
    await store.add([a_task("normal"), a_task("vip", base=Level.HIGH)], START)

    claims = await take(store, before=START - 20 * MINUTE)

    assert names(claims) == ["vip"]


async def test_a_waiting_key_is_not_added_twice(store: SqlTasks) -> None:
    await store.add([a_task("first", key="ring:1", due_at=START + MINUTE)], START)

    added = await store.add([a_task("second", key="ring:1"), a_task("third")], START)

    assert added == ["tsk_third"]


async def test_a_key_is_free_again_once_its_task_has_begun(store: SqlTasks) -> None:
    await store.add([a_task("first", key="ring:1")], START)
    await take_one(store)

    added = await store.add([a_task("second", key="ring:1")], START)

    assert added == ["tsk_second"]


async def test_adding_the_same_task_twice_adds_it_once(store: SqlTasks) -> None:
    task = a_task()
    await store.add([task], START)
    await settle(store, Done(await take_one(store)))

    added = await store.add([task], START)

    assert added == []
    assert await take(store) == []


async def test_a_finished_task_is_done(store: SqlTasks) -> None:
    await store.add([a_task("one")], START)

    await settle(store, Done(await take_one(store)))

    assert await status_of(store, "one") is TaskStatus.DONE


async def test_a_failed_task_waits_for_its_next_try(store: SqlTasks) -> None:
    await store.add([a_task("one")], START)
    await settle(store, Failed(await take_one(store), "boom", START + MINUTE))

    before = await take(store, START + MINUTE / 2)
    again = await take_one(store, START + MINUTE)

    assert before == []
    assert (again.attempt, again.fence) == (2, 2)


async def test_a_task_out_of_tries_is_dead_with_its_error(store: SqlTasks) -> None:
    await store.add([a_task("one")], START)

    await settle(store, Failed(await take_one(store), "boom", None))

    record = await store.get(TaskId("tsk_one"))
    assert record is not None
    assert (record.status, record.error) == (TaskStatus.DEAD, "boom")


async def test_a_dead_task_is_replayed_with_all_its_tries(store: SqlTasks) -> None:
    await store.add([a_task("one"), a_task("alive")], START)
    await settle(store, Failed(await take_one(store), "boom", None))

    replayed = await store.replay([TaskId("tsk_one"), TaskId("tsk_alive")], START + MINUTE)
    claims = await take(store, START + MINUTE)

    assert replayed == ["tsk_one"]
    assert [(claim.task.id, claim.attempt) for claim in claims] == [
        ("tsk_alive", 1),
        ("tsk_one", 1),
    ]


async def test_a_dead_task_stays_dead_while_its_successor_waits(store: SqlTasks) -> None:
    await store.add([a_task("old", key="k")], START)
    await settle(store, Failed(await take_one(store), "boom", None))
    await store.add([a_task("new", key="k")], START)

    assert await store.replay([TaskId("tsk_old")], START) == []


async def test_only_dead_tasks_can_be_dropped(store: SqlTasks) -> None:
    await store.add([a_task("dead"), a_task("waiting")], START)
    await settle(store, Failed(await take_one(store), "boom", None))

    dropped = await store.drop([TaskId("tsk_dead"), TaskId("tsk_waiting")])

    assert dropped == 1
    assert await store.get(TaskId("tsk_dead")) is None
    assert await status_of(store, "waiting") is TaskStatus.READY


async def test_a_handler_may_ask_to_be_run_again(store: SqlTasks) -> None:
    await store.add([a_task("one", look=1)], START)
    again = Again(START + MINUTE, {"look": 2})

    await settle(store, Later(await take_one(store), again))

    claim = await take_one(store, START + MINUTE)
    assert (claim.attempt, claim.task.payload) == (1, {"look": 2})


async def test_a_released_task_waits_at_its_old_place(store: SqlTasks) -> None:
    await store.add([a_task("first"), a_task("second")], START)

    await settle(store, Released(await take_one(store)))

    claims = await take(store)
    assert [(*names([claim]), claim.attempt) for claim in claims] == [("first", 1), ("second", 1)]


async def test_a_lease_that_ran_out_is_taken_back(store: SqlTasks) -> None:
    await store.add([a_task("one")], START)
    await take_one(store)

    too_early = await store.take_back(START + LEASE - MINUTE / 60)
    on_time = await store.take_back(START + LEASE)

    assert (too_early, on_time) == (0, 1)
    assert (await take_one(store, START + LEASE)).attempt == 2


async def test_a_renewed_lease_is_not_taken_back(store: SqlTasks) -> None:
    await store.add([a_task("one")], START)
    claim = await take_one(store)

    ours = await store.renew([claim], LEASE, START + LEASE / 2)

    assert ours == {claim.ticket}
    assert await store.take_back(START + LEASE) == 0


async def test_a_server_that_is_alone_takes_everything_back_at_once(store: SqlTasks) -> None:
    await store.add([a_task() for _ in range(3)], START)
    await take(store)

    assert await store.take_back(START, everybody=True) == 3


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(Done, id="it is done"),
        pytest.param(Released, id="it gives it back"),
        pytest.param(lambda claim: Failed(claim, "boom", None), id="it failed for good"),
        pytest.param(lambda claim: Failed(claim, "boom", START + MINUTE), id="it failed"),
        pytest.param(lambda claim: Later(claim, Again(START + MINUTE)), id="it wants more"),
    ],
)
async def test_a_worker_from_the_dead_writes_nothing(
    store: SqlTasks, outcome: "type[Done]"
) -> None:
    await store.add([a_task("one")], START)
    old = await take_one(store)
    await store.take_back(START + LEASE)
    new = await take_one(store, START + LEASE, worker="boris")

    await settle(store, outcome(old), now=START + LEASE)

    assert await store.renew([old, new], LEASE, START + LEASE) == {new.ticket}
    assert await status_of(store, "one") is TaskStatus.RUNNING


async def test_saying_twice_what_became_of_a_task_changes_nothing(store: SqlTasks) -> None:
    await store.add([a_task("one")], START)
    failed: Outcome = Failed(await take_one(store), "boom", START)
    await settle(store, failed)

    await settle(store, failed)

    claim = await take_one(store)
    assert (claim.attempt, claim.fence) == (2, 2)
