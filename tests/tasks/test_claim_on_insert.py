"""A VIP is claimed in the transaction that adds it, where one server works alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.clock import SystemClock
from clarion.base.ids import TaskId
from clarion.store.sql.engine.sqlite import SqliteDatabase, SqliteOptions
from clarion.store.sql.opening import migrate
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import Level
from clarion.tasks.ports import Claim, Wanted
from clarion.tasks.pump import EXPRESS_MAX
from clarion.tasks.records import TaskStatus
from clarion.tasks.workers import Workers
from tests.support.tasks import LEASE, a_task, names, status_of, take

CLOCK = SystemClock()


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    opened = SqliteDatabase(SqliteOptions(tmp_path / "clarion.db"))
    await migrate(opened)
    yield opened
    await opened.close()


def wanting(any: int) -> Wanted:  # noqa: A002  as in Wanted
    return Wanted("ana", LEASE, any=any)


class Stage:
    """Workers whose handlers wait at a gate."""

    def __init__(self, database: SqliteDatabase) -> None:
        self.store = SqlTasks(database)
        self.began: asyncio.Queue[str] = asyncio.Queue()
        self.gate = asyncio.Event()

    async def __call__(self, claim: Claim) -> None:
        self.began.put_nowait(claim.task.id.removeprefix("tsk_"))
        await self.gate.wait()

    @asynccontextmanager
    async def working(self, slots: int) -> AsyncIterator[None]:
        kinds = Kinds(Kind("noop", self))
        workers = Workers(self.store, kinds, CLOCK, slots=slots, patience=timedelta(seconds=1))
        running = asyncio.create_task(workers.run())
        try:
            await self.store.add([a_task("opening", due_at=CLOCK.now())], CLOCK.now())
            assert await self.began.get() == "opening"
            yield
        finally:
            running.cancel()
            await asyncio.wait([running])


async def test_a_vip_is_claimed_in_the_commit_that_adds_it(embedded: SqliteDatabase) -> None:
    store, accepted = SqlTasks(embedded), list[Claim]()
    store.claim_on_insert(lambda _news: wanting(any=1), accepted.extend, CLOCK)
    commits: list[int] = []
    embedded.on_commit = commits.append

    await store.add([a_task("vip", due_at=CLOCK.now(), base=Level.HIGH)], CLOCK.now())

    assert commits == [1]
    assert names(accepted) == ["vip"]
    assert await status_of(store, "vip") is TaskStatus.RUNNING


async def test_one_who_ranks_better_is_claimed_before_the_newcomer(
    embedded: SqliteDatabase,
) -> None:
    store, accepted = SqlTasks(embedded), list[Claim]()
    now = CLOCK.now()
    await store.add([a_task("older", due_at=now - timedelta(days=1))], now)
    store.claim_on_insert(lambda _news: wanting(any=1), accepted.extend, CLOCK)

    await store.add([a_task("vip", due_at=now, base=Level.HIGH)], now)

    assert names(accepted) == ["older"]
    assert names(await take(store, now)) == ["vip"]


async def test_a_vip_begins_though_others_keep_every_slot_but_one(
    embedded: SqliteDatabase,
) -> None:
    stage = Stage(embedded)
    async with stage.working(slots=2):
        now = CLOCK.now()
        await stage.store.add([a_task("vip", due_at=now, base=Level.HIGH)], now)

        assert await stage.began.get() == "vip"
        stage.gate.set()


async def test_a_crowd_of_vips_fills_all_slots_that_are_free(embedded: SqliteDatabase) -> None:
    stage = Stage(embedded)
    crowd = 2 * EXPRESS_MAX
    async with stage.working(slots=crowd + 1):
        now = CLOCK.now()
        some = [a_task(str(n), due_at=now, base=Level.HIGH) for n in range(crowd)]
        await stage.store.add(some, now)

        begun = {await stage.began.get() for _ in range(crowd)}
        stage.gate.set()

    assert begun == {str(n) for n in range(crowd)}


async def test_what_was_claimed_at_birth_while_workers_stop_waits_again(
    embedded: SqliteDatabase,
) -> None:
    stage = Stage(embedded)
    now = CLOCK.now()
    async with stage.working(slots=1):
        vips = [a_task(str(n), due_at=now, base=Level.HIGH) for n in range(20)]
        adding = [asyncio.create_task(stage.store.add([vip], now)) for vip in vips]
        await asyncio.wait(adding, timeout=0)
    await asyncio.gather(*adding)

    left = [await stage.store.get(TaskId(vip.id)) for vip in vips]
    assert {record.status for record in left if record is not None} == {TaskStatus.READY}
