"""Somebody's BullMQ worker carries out a kind of task, whatever happens to it and to Redis."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from bullmq import Worker
from redis.asyncio import Redis

from clarion.base.clock import SystemClock
from clarion.store.redis.client import patient_client, quick_client
from clarion.store.redis.handover import AWAY, LEASE, SETTLES_IN, Handover, WorkBell
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds, RemoteKind, Target
from clarion.tasks.ports import Again, Claim, Elsewhere, HandedOver, Result
from clarion.tasks.records import TaskRecord, TaskStatus
from tests.support.clock import START, ManualClock
from tests.support.services import RedisServer
from tests.support.tasks import a_task, settle, take_one

SECOND = timedelta(seconds=1)
SHOP = RemoteKind(
    name="shop.order", target=Target.BULLMQ, address="shop", limit=60 * SECOND, created_at=START
)


@pytest.fixture
async def client(redis_server: RedisServer) -> AsyncIterator[Redis]:
    made = quick_client(redis_server.url)
    yield made
    await made.aclose()


@pytest.fixture
def store(sqlite: Database) -> SqlTasks:
    return SqlTasks(sqlite)


@pytest.fixture
def clock() -> ManualClock:
    """Near the real time: BullMQ's own marks are made by it."""
    return ManualClock(SystemClock().now())


@pytest.fixture
def handover(client: Redis, store: SqlTasks, clock: ManualClock) -> Handover:
    kinds = Kinds()
    made = Handover(client, store, kinds, clock)
    kinds.add(Kind(SHOP.name, made.handler(SHOP), SHOP.limit, retries=2))
    return made


class Shop:
    """Somebody else's worker."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._workers: list[Worker] = []
        self.heard: list[dict[str, Any]] = []

    async def open(self, work: Callable[[Any], Awaitable[Any]]) -> None:
        client = patient_client(self._url)

        async def process(job: Any, _token: str) -> Any:
            self.heard.append(job.data)
            return await work(job)

        worker = Worker("shop", process, {"connection": client, "autorun": False})
        await worker.blockingRedisConnection.getRedisVersion()
        self._workers.append(worker)
        self._running = asyncio.create_task(worker.run())

    async def close(self) -> None:
        for worker in self._workers:
            await worker.close(force=True)
            self._running.cancel()
            await asyncio.wait([self._running])


@pytest.fixture
async def shop(redis_server: RedisServer) -> AsyncIterator[Shop]:
    made = Shop(redis_server.url)
    yield made
    await made.close()


async def ordered(handover: Handover, store: SqlTasks, clock: ManualClock) -> Claim:
    """A task that was claimed and handed over."""
    task = a_task("order", kind=SHOP.name, due_at=clock.now(), article="tea")
    await store.add([task], clock.now())
    return await again(handover, store, clock)


async def again(handover: Handover, store: SqlTasks, clock: ManualClock) -> Claim:
    claim = await take_one(store, clock.now())
    answer = await handover.hand_over(SHOP, claim)
    assert isinstance(answer, Elsewhere)
    await settle(store, HandedOver(claim, answer), now=clock.now())
    return claim


async def record(store: SqlTasks, claim: Claim) -> TaskRecord:
    found = await store.get(claim.task.id)
    assert found is not None
    return found


async def ended(handover: Handover, store: SqlTasks, claim: Claim) -> TaskRecord:
    """Looks until it no longer runs; the limit of the suite bounds the wait."""
    while (found := await record(store, claim)).status is TaskStatus.RUNNING:
        await handover.run_once()
    return found


async def give_tea(job: Any) -> dict[str, str]:
    return {"ordered": job.data["payload"]["article"]}


async def refuse(_job: Any) -> None:
    raise ValueError("no tea today")


async def test_a_worker_elsewhere_does_it_and_its_answer_is_the_result(
    handover: Handover, store: SqlTasks, clock: ManualClock, shop: Shop
) -> None:
    await shop.open(give_tea)
    claim = await ordered(handover, store, clock)

    found = await ended(handover, store, claim)

    assert (found.status, found.result) == (TaskStatus.DONE, '{"ordered":"tea"}')
    assert [(said["task_id"], said["attempt"]) for said in shop.heard] == [("tsk_order", 1)]


async def test_an_answer_that_is_a_file_is_a_failed_try(
    handover: Handover, store: SqlTasks, clock: ManualClock, shop: Shop
) -> None:
    async def write_a_book(_job: Any) -> str:
        return "x" * 70_000

    await shop.open(write_a_book)
    claim = await ordered(handover, store, clock)

    found = await ended(handover, store, claim)

    assert found.error == "Its result is too large to be kept."


async def test_a_failure_elsewhere_is_a_failed_try_and_the_last_one_is_final(
    handover: Handover, store: SqlTasks, clock: ManualClock, shop: Shop
) -> None:
    await shop.open(refuse)
    claim = await ordered(handover, store, clock)
    for _ in range(2):
        first = await ended(handover, store, claim)
        assert (first.status, first.error) == (TaskStatus.SCHEDULED, "no tea today")
        clock.move_to(first.task.due_at)
        claim = await again(handover, store, clock)

    assert (await ended(handover, store, claim)).status is TaskStatus.DEAD
    assert [said["attempt"] for said in shop.heard] == [1, 2, 3]


async def test_while_nobody_works_the_job_waits_and_the_task_with_it(
    handover: Handover, store: SqlTasks, clock: ManualClock
) -> None:
    claim = await ordered(handover, store, clock)

    for _ in range(20):
        clock.move_to(clock.now() + LEASE / 2)
        await handover.run_once()
        assert await store.take_back(clock.now()) == 0

    assert (await record(store, claim)).status is TaskStatus.RUNNING


async def test_a_redis_that_lost_everything_gets_the_job_again(
    handover: Handover, store: SqlTasks, clock: ManualClock, shop: Shop, redis_server: RedisServer
) -> None:
    claim = await ordered(handover, store, clock)
    redis_server.empty()
    clock.move_to(clock.now() + SETTLES_IN)
    await handover.run_once()
    assert (await record(store, claim)).status is TaskStatus.READY

    claim = await again(handover, store, clock)
    await shop.open(give_tea)

    assert (await ended(handover, store, claim)).status is TaskStatus.DONE
    assert claim.attempt == 1


async def test_a_redis_that_is_away_is_a_pause_and_costs_no_try(
    handover: Handover, store: SqlTasks, clock: ManualClock, redis_server: RedisServer
) -> None:
    claim = await ordered(handover, store, clock)
    redis_server.kill()
    for _ in range(10):
        clock.move_to(clock.now() + LEASE / 2)
        await handover.run_once()
        assert await store.take_back(clock.now()) == 0
    await store.add([a_task("late", kind=SHOP.name, due_at=clock.now())], clock.now())
    late = await take_one(store, clock.now())

    answer = await handover.hand_over(SHOP, late)

    assert answer == Again(clock.now() + AWAY)
    assert (await record(store, claim)).status is TaskStatus.RUNNING


async def test_a_worker_that_dies_loses_the_task_with_its_lease(
    handover: Handover, store: SqlTasks, clock: ManualClock, client: Redis, shop: Shop
) -> None:
    claim = await ordered(handover, store, clock)
    id_ = f"tsk_order-{claim.fence}"
    # What a worker leaves behind that was killed: active, and its lock ran out.
    await client.zrem("bull:shop:prioritized", id_)
    await client.lpush("bull:shop:active", id_)
    await client.hset(f"bull:shop:{id_}", "processedOn", str(int(clock.now().timestamp() * 1000)))
    await handover.run_once()
    clock.move_to(clock.now() + LEASE)
    assert await store.take_back(clock.now()) == 1

    claim = await again(handover, store, clock)
    await shop.open(give_tea)

    assert (await ended(handover, store, claim)).status is TaskStatus.DONE
    assert claim.attempt == 2


async def test_who_takes_too_long_fails_that_try_and_a_late_answer_is_used(
    handover: Handover, store: SqlTasks, clock: ManualClock, shop: Shop
) -> None:
    go_on = asyncio.Event()

    async def slowly(_job: Any) -> str:
        await go_on.wait()
        return "late tea"

    await shop.open(slowly)
    claim = await ordered(handover, store, clock)
    while not shop.heard:
        await asyncio.to_thread(lambda: None)
    clock.move_to(clock.now() + SHOP.limit + 2 * SECOND)
    failed = await ended(handover, store, claim)
    go_on.set()
    clock.move_to(failed.task.due_at)
    second = await take_one(store, clock.now())
    answer = None
    while not isinstance(answer, Result):
        answer = await handover.hand_over(SHOP, second)

    assert failed.error == "Not done within 60 s."
    assert answer == Result("late tea")


async def test_a_server_that_died_after_adding_the_job_adds_no_second_one(
    handover: Handover, store: SqlTasks, clock: ManualClock, client: Redis
) -> None:
    first = await ordered(handover, store, clock)
    clock.move_to(clock.now() + LEASE)
    await store.take_back(clock.now())

    second = await again(handover, store, clock)

    assert second.fence == first.fence + 1
    assert await client.zcard("bull:shop:prioritized") == 1


async def test_the_bell_rings_when_a_job_has_ended(
    handover: Handover,
    store: SqlTasks,
    clock: ManualClock,
    shop: Shop,
    redis_server: RedisServer,
) -> None:
    rung = asyncio.Event()
    patient = patient_client(redis_server.url)
    bell = WorkBell(patient, lambda: {"shop"}, rung.set, clock)
    listening = asyncio.create_task(_listen(bell, rung))
    await shop.open(give_tea)
    await ordered(handover, store, clock)

    await rung.wait()
    await listening
    await patient.aclose()


async def test_a_job_that_ends_between_two_looks_rings(
    clock: ManualClock, redis_server: RedisServer
) -> None:
    """Also the first one of a queue: what ended before anybody listened is looked for once."""
    rings: list[int] = []
    patient = patient_client(redis_server.url)
    bell = WorkBell(patient, lambda: {"shop"}, lambda: rings.append(1), clock)
    await patient.xadd("bull:shop:events", {"event": "waiting"})
    await bell.run_once()
    rings.clear()

    await patient.xadd("bull:shop:events", {"event": "completed"})
    await bell.run_once()

    assert rings == [1]
    await patient.aclose()


async def _listen(bell: WorkBell, rung: asyncio.Event) -> None:
    while not rung.is_set():
        await bell.run_once()
