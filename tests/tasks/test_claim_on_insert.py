"""A VIP is claimed in the transaction that adds it, if it can begin here at once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.base.clock import SystemClock
from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.engine.sqlite import SqliteDatabase, SqliteOptions
from clarion.store.sql.opening import migrate
from clarion.store.sql.tasks.store import FEW, SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Claim, Done, News, Wanted
from clarion.tasks.pump import EXPRESS_MAX, is_in_event_loop
from clarion.tasks.records import TaskStatus
from clarion.tasks.workers import Workers
from tests.support.databases import opened, postgres_database
from tests.support.fakes.dying import Died, DyingDatabase
from tests.support.tasks import LEASE, a_task, names, settle, status_of, take, take_one

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

    def __init__(self, database: Database) -> None:
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


@pytest.mark.parametrize("is_same", [True, False], ids=["the workers' store", "another one"])
async def test_ordinary_ones_give_way_before_a_vip_is_written(
    database: Database, is_same: bool
) -> None:
    """What is ready could begin while the write waits for its turn or for a connection."""
    workers, asked_by_loop = SqlTasks(database), list[bool]()
    store = workers if is_same else SqlTasks(database)
    workers.claim_on_insert(
        lambda _news: asked_by_loop.append(is_in_event_loop()), lambda _claims: None, CLOCK
    )
    now = CLOCK.now()

    adding = asyncio.create_task(store.add([a_task("vip", due_at=now, base=Level.HIGH)], now))
    await asyncio.wait([adding], timeout=0)

    assert asked_by_loop[:1] == [True]
    await adding


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
    database: Database,
) -> None:
    stage = Stage(database)
    async with stage.working(slots=2):
        now = CLOCK.now()
        await stage.store.add([a_task("vip", due_at=now, base=Level.HIGH)], now)

        assert await stage.began.get() == "vip"
        stage.gate.set()


async def test_a_crowd_of_vips_fills_all_slots_that_are_free(database: Database) -> None:
    stage = Stage(database)
    crowd = 2 * EXPRESS_MAX
    async with stage.working(slots=crowd + 1):
        now = CLOCK.now()
        some = [a_task(str(n), due_at=now, base=Level.HIGH) for n in range(crowd)]
        await stage.store.add(some, now)

        begun = {await stage.began.get() for _ in range(crowd)}
        stage.gate.set()

    assert begun == {str(n) for n in range(crowd)}


async def test_what_was_claimed_at_birth_while_workers_stop_waits_again(
    database: Database,
) -> None:
    stage = Stage(database)
    now = CLOCK.now()
    async with stage.working(slots=1):
        vips = [a_task(str(n), due_at=now, base=Level.HIGH) for n in range(20)]
        adding = [asyncio.create_task(stage.store.add([vip], now)) for vip in vips]
        await asyncio.wait(adding, timeout=0)
    await asyncio.gather(*adding)

    left = [await stage.store.get(TaskId(vip.id)) for vip in vips]
    assert {record.status for record in left if record is not None} == {TaskStatus.READY}


@pytest.fixture
async def cluster_url(request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """A migrated, empty PostgreSQL, for several servers."""
    server = request.getfixturevalue("postgres")
    name = await postgres_database(server)
    yield server.url(name)
    server.drop_database(name)


class Server:
    """One of several servers on a database: what it has claimed on insert, what it has heard."""

    def __init__(self, database: Database, at_once: int = 1) -> None:
        self.store = SqlTasks(database)
        self.at_once = at_once
        self.accepted: list[Claim] = []
        self.heard: list[News] = []

    async def work(self) -> Callable[[], Awaitable[None]]:
        self.store.listen(self.heard.append)
        await self.store.prepare(CLOCK.now())
        return self.store.claim_on_insert(self._wanted, self.accepted.extend, CLOCK)

    def _wanted(self, news: News) -> Wanted | None:
        return Wanted("ana", LEASE, any=1, at_once=self.at_once) if news.overtakes else None


@asynccontextmanager
async def a_server(url: str, at_once: int = 1) -> AsyncIterator[Server]:
    async with opened(url) as database:
        server = Server(database, at_once)
        await server.work()
        yield server


def vip(name: str = "vip", **more: Any) -> Task:
    return a_task(name, due_at=CLOCK.now(), base=Level.CRITICAL, **more)


async def test_with_several_servers_it_runs_where_it_was_added(cluster_url: str) -> None:
    async with a_server(cluster_url) as here, opened(cluster_url) as database:
        there = SqlTasks(database)
        await here.store.add([vip(source="chat:7", key="k")], CLOCK.now())

        (claim,) = here.accepted
        assert (claim.attempt, claim.fence, claim.task.source) == (1, 1, "chat:7")
        assert await status_of(there, "vip") is TaskStatus.RUNNING
        assert await take(there, CLOCK.now()) == []
        await settle(here.store, Done(claim), now=CLOCK.now())
        assert await status_of(there, "vip") is TaskStatus.DONE


async def test_some_that_fall_due_one_after_the_other_are_claimed_together(
    cluster_url: str,
) -> None:
    async with a_server(cluster_url, at_once=5) as here:
        await here.store.add([vip(str(n)) for n in range(5)], CLOCK.now())

        assert names(here.accepted) == [str(n) for n in range(5)]


async def test_without_a_free_slot_all_servers_hear_of_it(cluster_url: str) -> None:
    async with a_server(cluster_url, at_once=0) as here, opened(cluster_url) as database:
        await here.store.add([vip()], CLOCK.now())

        assert here.accepted == []
        assert any(news.critical and not news.is_unranked for news in here.heard)
        assert names(await take(SqlTasks(database), CLOCK.now())) == ["vip"]


@pytest.mark.parametrize("due", [timedelta(days=-1), timedelta(milliseconds=1)])
async def test_nothing_is_overtaken_that_ranks_better(cluster_url: str, due: timedelta) -> None:
    async with a_server(cluster_url) as here, opened(cluster_url) as database:
        now = CLOCK.now()
        older = a_task("older", due_at=now + due, base=Level.CRITICAL)
        await SqlTasks(database).add([older], now)
        later = now + timedelta(seconds=1)

        await here.store.add([replace(vip(), due_at=later)], later)

        assert here.accepted == []
        assert names(await take(here.store, later)) == ["older", "vip"]


async def test_one_that_is_known_or_waits_by_its_key_is_not_added(cluster_url: str) -> None:
    async with a_server(cluster_url) as here:
        now = CLOCK.now()
        await here.store.add([a_task("waits", due_at=now, key="k")], now)

        assert await here.store.add([vip(key="k")], CLOCK.now()) == []
        assert await here.store.add([vip("once")], CLOCK.now()) == ["tsk_once"]
        assert await here.store.add([vip("once")], CLOCK.now()) == []
        assert names(here.accepted) == ["once"]


async def test_added_on_two_machines_at_once_it_runs_on_one(cluster_url: str) -> None:
    async with a_server(cluster_url) as one, a_server(cluster_url) as other:
        for number in range(20):
            task = vip(str(number))
            now = CLOCK.now()
            await asyncio.gather(one.store.add([task], now), other.store.add([task], now))

        claimed = names(one.accepted) + names(other.accepted)
        assert sorted(claimed) == sorted(str(number) for number in range(20))


@pytest.mark.parametrize("commits", [0, 1])
async def test_a_crash_around_the_write_leaves_nothing_half_done(
    cluster_url: str, commits: int
) -> None:
    async with opened(cluster_url) as survivor, opened(cluster_url) as database:
        there = SqlTasks(survivor)
        server = Server(database)
        await server.work()
        dying = SqlTasks(DyingDatabase(database, commits))
        task, now = vip(), CLOCK.now()

        with pytest.raises(Died):
            await dying.add([task], now)

        again = await there.add([task], now)  # the caller had no answer and asks another server
        assert again == ([] if commits else [task.id])
        late = now + LEASE
        await there.take_back(late)
        second = await take_one(there, late, "ben")
        assert (second.fence, second.attempt) == (1 + commits, 1 + commits)
        for claim in server.accepted:  # the first was not dead after all
            await settle(server.store, Done(claim), now=late)
        assert await status_of(there, "vip") is TaskStatus.RUNNING
        await settle(there, Done(second), now=late)
        assert await status_of(there, "vip") is TaskStatus.DONE


@pytest.mark.parametrize(
    ("number", "backlog_max"),
    [(1, None), (1, 10), (2 * FEW, None)],
    ids=["alone", "in a longer transaction", "many"],
)
async def test_a_caller_who_leaves_does_not_lose_the_claim(
    cluster_url: str, number: int, backlog_max: int | None
) -> None:
    async with opened(cluster_url) as database:
        server = Server(database, at_once=number)
        stop = await server.work()
        some = [vip(str(n)) for n in range(number)]
        adding = asyncio.create_task(server.store.add(some, CLOCK.now(), backlog_max=backlog_max))
        await asyncio.wait([adding], timeout=0)
        adding.cancel()
        await asyncio.wait([adding])
        while await server.store.get(TaskId("tsk_0")) is None:
            pass  # it is being written

        await stop()

        assert names(server.accepted) == [str(n) for n in range(number)]


async def test_part_of_a_longer_transaction_is_claimed_in_it(cluster_url: str) -> None:
    async with a_server(cluster_url) as here, opened(cluster_url) as database:
        await here.store.add([vip()], CLOCK.now(), backlog_max=10)

        assert names(here.accepted) == ["vip"]
        assert [news for news in here.heard if not news.is_unranked] == []
        assert await take(SqlTasks(database), CLOCK.now()) == []
