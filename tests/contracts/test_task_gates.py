"""Pauses, limits and keys that stay unique hold for all servers, on SQLite and on PostgreSQL."""

import asyncio
from collections import Counter
from datetime import datetime, timedelta

import pytest

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import Gates, KindLimit, Level, Queue, Rate, Task
from clarion.tasks.ports import Claim, Done, Elsewhere, HandedOver, Wanted
from clarion.tasks.records import KeepEnded, TaskStatus
from tests.support.clock import START
from tests.support.tasks import LEASE, a_task, names, settle, status_of, take, take_one

SECOND = timedelta(seconds=1)
NO_MESSAGES = Gates(paused_queues=frozenset({"messages"}))
TWO_AT_A_TIME = Gates(limits={"noop": KindLimit(concurrency=2)})
TEN_A_SECOND = Gates(limits={"noop": KindLimit(rate=Rate(10))})


@pytest.fixture
def store(database: Database) -> SqlTasks:
    return SqlTasks(database)


async def take_all(store: SqlTasks, gates: Gates, now: datetime = START) -> list[Claim]:
    """As a worker does: again while the store says that there is more."""
    found, look_at = list[Claim](), now
    while look_at <= now:
        wanted = Wanted("ana", LEASE, any=3, critical=1, control=1, gates=gates)
        taken = await store.turn([], wanted, now)
        found += taken.claims
        look_at = taken.look_at or now + SECOND
        look_at = now if taken.claims else look_at
    return found


async def test_a_paused_queue_waits_and_the_others_go_on(store: SqlTasks) -> None:
    await store.add([a_task(f"m{n}", queue=Queue.MESSAGES, base=50) for n in range(10)], START)
    await store.add([a_task("urgent", queue=Queue.MESSAGES, base=Level.CRITICAL)], START)
    await store.add([a_task("ring")], START)

    assert names(await take_all(store, NO_MESSAGES)) == ["ring"]
    assert names(await take_all(store, NO_MESSAGES)) == []


async def test_what_people_do_passes_a_pause(store: SqlTasks) -> None:
    command = a_task("command", queue=Queue.MESSAGES, control=True)
    await store.add([a_task("m", queue=Queue.MESSAGES), command], START)

    assert names(await take_all(store, NO_MESSAGES)) == ["command"]


async def test_a_resumed_queue_goes_on_in_its_order(store: SqlTasks) -> None:
    tasks = [a_task(f"m{n}", queue=Queue.MESSAGES, base=n) for n in range(5)]
    await store.add(tasks, START)
    await store.pause("queue:messages", START)
    paused = await store.paused()
    await take_all(store, NO_MESSAGES)

    resumed = await store.resume("queue:messages"), await store.resume("queue:messages")
    freed = await store.free_forgotten(Gates(), START)

    assert paused == ["queue:messages"]
    assert resumed == (True, False)
    assert freed == 5
    assert names(await take(store)) == ["m4", "m3", "m2", "m1", "m0"]


async def test_what_is_held_keeps_its_key_its_place_and_its_tries(store: SqlTasks) -> None:
    await store.add([a_task("m", queue=Queue.MESSAGES, key="k")], START)
    await take_all(store, NO_MESSAGES)
    twin = await store.add([a_task("twin", queue=Queue.MESSAGES, key="k")], START)
    why = await store.why(TaskId("tsk_m"), START)
    (oldest,) = await store.longest_waiting(START)

    assert twin == []
    assert why is not None
    assert (why.held, why.rank) == (True, a_task("x").rank)
    assert why.expected_at(START) is None
    assert oldest.due_at == START
    await store.free_forgotten(Gates(), START)
    assert (await take_one(store)).attempt == 1


async def test_a_held_task_can_be_cancelled_and_moved(store: SqlTasks) -> None:
    await store.add([a_task("a", key="a"), a_task("b", key="b")], START)
    none = Gates(paused_kinds=frozenset({"noop"}))
    await take_all(store, none)

    await store.cancel([TaskId("tsk_a")], START)
    await store.reschedule("b", START + SECOND, START)

    assert await status_of(store, "a") is TaskStatus.CANCELLED
    assert names(await take(store, START + SECOND)) == ["b"]


async def test_no_more_run_at_a_time_than_may(store: SqlTasks) -> None:
    await store.add([a_task(f"n{n}", base=n) for n in range(5)], START)
    await store.add([a_task("other", kind="other")], START)

    first = await take_all(store, TWO_AT_A_TIME)
    await settle(store, Done(next(claim for claim in first if claim.task.kind == "noop")))
    second = await take_all(store, TWO_AT_A_TIME)

    assert sorted(names(first)) == ["n3", "n4", "other"]
    assert names(second) == ["n2"]


async def test_a_better_newcomer_comes_before_those_that_are_held(store: SqlTasks) -> None:
    one = Gates(limits={"noop": KindLimit(concurrency=1)})
    await store.add([a_task("a"), a_task("b")], START)
    (running,) = await take_all(store, one)
    await store.add([a_task("vip", base=50)], START)

    await settle(store, Done(running))

    assert names(await take_all(store, one)) == ["vip"]


async def test_servers_that_claim_at_once_keep_the_limit_together(store: SqlTasks) -> None:
    three = Gates(limits={"noop": KindLimit(concurrency=3)})
    await store.add([a_task() for _ in range(40)], START)

    taken = await asyncio.gather(
        *(take(store, any=10, worker=name, gates=three) for name in "abcd")
    )

    assert sum(map(len, taken)) == 3


async def test_a_rate_is_kept_over_ten_seconds(store: SqlTasks) -> None:
    await store.add([a_task() for _ in range(150)], START)
    begun: Counter[int] = Counter()

    for tick in range(1_000):
        now = START + tick * SECOND / 100
        claims = await take(store, now, gates=TEN_A_SECOND)
        await settle(store, *map(Done, claims), now=now)
        begun[tick // 100] += len(claims)

    assert set(begun.values()) == {10}


async def test_the_store_says_when_the_rate_lets_the_next_one_begin(store: SqlTasks) -> None:
    await store.add([a_task("a"), a_task("b")], START)
    wanted = Wanted("ana", LEASE, any=5, gates=TEN_A_SECOND)

    first = await store.turn([], wanted, START)
    second = await store.turn([], wanted, START)
    third = await store.turn([], wanted, START + SECOND / 10)

    assert (names(first.claims), first.look_at) == (["a"], START)
    assert (second.claims, second.look_at) == ([], START + SECOND / 10)
    assert names(third.claims) == ["b"]


async def test_a_limit_that_is_gone_frees_what_it_held(store: SqlTasks) -> None:
    await store.add([a_task() for _ in range(5)], START)
    await take_all(store, TWO_AT_A_TIME)

    assert await store.free_forgotten(TWO_AT_A_TIME, START) == 0
    assert await store.free_forgotten(Gates(), START) == 3


async def test_a_key_stays_unique_for_its_window(store: SqlTasks) -> None:
    def order(name: str, at: datetime) -> list[Task]:
        return [a_task(name, key="order:1", unique_for=60 * SECOND, due_at=at)]

    assert await store.add(order("first", START), START) == ["tsk_first"]
    await settle(store, Done(await take_one(store)))
    soon, later = START + 59 * SECOND, START + 60 * SECOND

    assert await store.add(order("soon", soon), soon) == []
    assert await store.add(order("later", later), later) == ["tsk_later"]


async def test_a_window_holds_within_one_batch_and_against_two_servers(store: SqlTasks) -> None:
    batch = [a_task(f"t{n}", key="k", unique_for=60 * SECOND) for n in range(3)]

    added = await asyncio.gather(*(store.add(batch, START) for _ in range(3)))

    assert sorted(map(len, added)) == [0, 0, 1]


async def test_windows_that_are_over_are_forgotten(store: SqlTasks, database: Database) -> None:
    await store.add([a_task(key="k", unique_for=SECOND)], START)

    await store.clean(KeepEnded(), START + SECOND, 10)

    count = await database.read(
        lambda conn: conn.exec_driver_sql("SELECT count(*) FROM task_keys").scalar()
    )
    assert count == 0


async def test_what_others_carry_out_has_their_lease(store: SqlTasks) -> None:
    await store.add([a_task("far")], START)
    claim = await take_one(store)

    await settle(store, HandedOver(claim, Elsewhere("bullmq:shop", START + 60 * SECOND)))

    assert await store.take_back(START + 59 * SECOND) == 0
    record = await store.get(claim.task.id)
    assert record is not None
    assert (record.status, record.worker) == (TaskStatus.RUNNING, "bullmq:shop")
    assert await store.take_back(START + 60 * SECOND) == 1
    assert (await take_one(store, START + 60 * SECOND)).attempt == 2
