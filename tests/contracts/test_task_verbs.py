"""What every store of tasks promises to those who add, move and cancel."""

import asyncio
from datetime import datetime, timedelta

import asyncpg
import pytest
from sqlalchemy import Connection, Engine, event

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database, send_signal
from clarion.store.sql.engine.postgres import plain_url
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import store as tasks_store
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import Level
from clarion.tasks.ports import (
    Done,
    Failed,
    News,
    QueueFull,
    Released,
    Wanted,
)
from clarion.tasks.records import TaskStatus
from tests.support.clock import START
from tests.support.databases import opened, postgres_database
from tests.support.services import PostgresServer
from tests.support.tasks import LEASE, a_task, names, settle, status_of, take, take_one

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def store(database: Database) -> SqlTasks:
    return SqlTasks(database)


async def test_a_newer_task_with_the_same_key_stands_for_a_failed_one(store: SqlTasks) -> None:
    await store.add([a_task("old", key="k")], START)
    old = await take_one(store)
    await store.add([a_task("new", key="k", due_at=START + MINUTE)], START)

    await settle(store, Failed(old, "boom", START))

    assert await status_of(store, "old") is TaskStatus.CANCELLED
    assert names(await take(store, START + MINUTE)) == ["new"]


async def test_of_two_failed_tasks_with_one_key_one_is_tried_again(store: SqlTasks) -> None:
    await store.add([a_task("old", key="k")], START)
    old = await take_one(store)
    await store.add([a_task("new", key="k")], START)
    new = await take_one(store)

    await settle(store, Failed(old, "boom", START), Failed(new, "boom", START))

    assert len(await take(store)) == 1


async def test_cancelled_tasks_are_not_claimed(store: SqlTasks) -> None:
    await store.add([a_task("a"), a_task("b", due_at=START + MINUTE), a_task("c")], START)

    cancelled = await store.cancel([TaskId("tsk_a"), TaskId("tsk_b"), TaskId("tsk_x")], START)

    assert cancelled == 2
    assert names(await take(store, START + MINUTE)) == ["c"]


async def test_a_task_cancelled_while_it_runs_is_not_tried_again(store: SqlTasks) -> None:
    await store.add([a_task("one", key="deadline:1")], START)
    claim = await take_one(store)

    dropped = await store.cancel_keys(["deadline:1", "deadline:2"], START)
    await settle(store, Failed(claim, "boom", START))

    assert dropped == 1
    assert await status_of(store, "one") is TaskStatus.CANCELLED
    assert await store.renew([claim], LEASE, START) == set()


async def test_a_key_can_be_dropped_and_added_in_one_transaction(database: Database) -> None:
    store = SqlTasks(database)
    await store.add([a_task("old", key="ring:1")], START)

    def move(conn: Connection) -> None:
        tasks.cancel_keys(conn, ["ring:1"], START)
        tasks.add(conn, [a_task("new", key="ring:1")], START)

    await database.write(move)

    assert names(await take(store)) == ["new"]


async def test_a_waiting_task_can_be_pulled_forward(store: SqlTasks) -> None:
    await store.add([a_task("one", key="k", due_at=START + 60 * MINUTE)], START)

    moved = await store.reschedule("k", START, START)

    assert moved
    assert names(await take(store)) == ["one"]


@pytest.mark.parametrize("due_at", [START, START + MINUTE], ids=["ready", "scheduled"])
async def test_a_task_takes_the_place_of_one_that_waits(
    store: SqlTasks, database: Database, due_at: datetime
) -> None:
    later = START + 2 * MINUTE
    await store.add([a_task("one", key="k", due_at=due_at)], START)

    await database.write(tasks.move, "k", a_task("two", key="k2", due_at=later), START)

    assert await take(store, later - SECOND) == []
    claim = await take_one(store, later)
    assert (claim.task.key, claim.task.due_at, claim.attempt) == ("k2", later, 1)
    assert await take(store, later) == []


async def test_a_task_that_failed_begins_anew_in_another_s_place(
    store: SqlTasks, database: Database
) -> None:
    await store.add([a_task("one", key="k")], START)
    failed = await take_one(store)
    await settle(store, Failed(failed, "boom", START + MINUTE))

    await database.write(tasks.move, "k", a_task("two", key="k", due_at=START + MINUTE), START)

    assert (await take_one(store, START + MINUTE)).attempt == 1


async def test_a_task_that_takes_the_place_of_one_that_runs_stops_it(
    store: SqlTasks, database: Database
) -> None:
    await store.add([a_task("one", key="k")], START)
    running = await take_one(store)

    await database.write(tasks.move, "k", a_task("two", key="k2", due_at=START + MINUTE), START)

    assert await store.renew([running], LEASE, START) == set()
    assert names(await take(store, START + MINUTE)) == ["two"]


async def test_a_task_that_waits_already_is_not_added_twice(
    store: SqlTasks, database: Database
) -> None:
    await store.add([a_task("one", key="k", due_at=START + MINUTE)], START)
    await store.add([a_task("two", key="k2", due_at=START + MINUTE)], START)

    await database.write(tasks.move, "k", a_task("three", key="k2", due_at=START + MINUTE), START)

    assert names(await take(store, START + MINUTE)) == ["two"]


async def test_a_ready_task_can_be_put_off(store: SqlTasks) -> None:
    await store.add([a_task("one", key="k")], START)

    await store.reschedule("k", START + MINUTE, START)

    assert await take(store) == []
    assert names(await take(store, START + MINUTE)) == ["one"]


async def test_what_has_begun_cannot_be_put_off(store: SqlTasks) -> None:
    await store.add([a_task("one", key="k")], START)
    await take_one(store)

    assert not await store.reschedule("k", START + MINUTE, START)


async def test_a_chat_made_vip_overtakes_with_all_that_waits(store: SqlTasks) -> None:
    await store.add([a_task("other", source="chat:1")], START)
    await store.add([a_task(name, source="chat:2") for name in ("a", "b")], START + MINUTE)

    changed = await store.reprioritise_source("chat:2", Level.HIGH, START + MINUTE)

    assert changed == 2
    assert names(await take(store, START + MINUTE)) == ["a", "b", "other"]


async def test_one_task_made_critical_gets_a_reserved_slot(store: SqlTasks) -> None:
    await store.add([a_task("a"), a_task("b")], START)

    await store.reprioritise([TaskId("tsk_b")], Level.CRITICAL, START)

    assert names(await take(store, any=0, critical=1)) == ["b"]


async def test_a_source_over_its_limit_is_told_to_come_back(store: SqlTasks) -> None:
    await store.add([a_task(source="chat:1") for _ in range(3)], START, backlog_max=3)

    with pytest.raises(QueueFull) as refused:
        await store.add([a_task("more", source="chat:1")], START, backlog_max=3)
    await store.add([a_task("other", source="chat:2")], START, backlog_max=3)

    assert refused.value.retry_after
    assert len(await take(store)) == 4


async def test_tasks_of_a_transaction_that_fails_were_never_there(database: Database) -> None:
    store = SqlTasks(database)

    def fail(conn: Connection) -> None:
        tasks.add(conn, [a_task("one")], START)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(fail)

    assert await take(store) == []


async def test_news_of_an_added_task_comes_after_the_commit(database: Database) -> None:
    store = SqlTasks(database)
    heard: asyncio.Queue[News] = asyncio.Queue()
    stop = store.listen(heard.put_nowait)
    if database.dialect == "postgresql":
        await heard.get()  # "look", said when it listens: what was told before is lost
    task = a_task(base=Level.CRITICAL, due_at=START + MINUTE)
    await store.add([task], START)
    news = await heard.get()
    stop()

    assert news == News(task.due_at, task.rank, critical=True)


async def test_what_this_server_adds_is_not_heard_again_from_the_database(
    database: Database,
) -> None:
    store, heard = SqlTasks(database), asyncio.Queue[News]()
    stop = store.listen(heard.put_nowait)
    if database.dialect == "postgresql":
        await heard.get()
    dues = [START + number * MINUTE for number in range(3)]
    for due_at in dues:
        await store.add([a_task(due_at=due_at)], START)
    # Channels are heard in their order: after this, whatever was to come has come.
    await database.write(send_signal, tasks.CHANNEL)
    news = [await heard.get() for _ in range(len(dues) + 1)]
    stop()

    assert [one.due_at for one in news[:-1]] == dues
    assert news[-1].rank == tasks.read_news("").rank


async def test_a_turn_of_plain_ends_is_one_sentence_on_postgresql(
    database: Database,
) -> None:
    store = SqlTasks(database)
    await store.add([a_task() for _ in range(3)], START)
    (claim,) = await take(store, any=1)
    said: list[str] = []

    def hear(_conn: object, _cursor: object, sentence: str, *_more: object) -> None:
        said.append(sentence)

    event.listen(Engine, "before_cursor_execute", hear)
    claims = await take(store, outcomes=[Done(claim)])
    event.remove(Engine, "before_cursor_execute", hear)

    assert len(claims) == 2
    # SQLite is not on the other side of a wire: it is spoken to without SQLAlchemy.
    assert len(said) == (1 if database.dialect == "postgresql" else 0)


async def test_what_falls_due_alone_is_claimed_in_one_sentence_on_postgresql(
    database: Database,
) -> None:
    store, late = SqlTasks(database), START + MINUTE
    await store.add([a_task("now")], START)
    later = [a_task(n, due_at=at) for n, at in (("due", late), ("hour", START + 60 * MINUTE))]
    await store.add(later, START)
    before = await take(store)
    said: list[str] = []

    def hear(_conn: object, _cursor: object, sentence: str, *_more: object) -> None:
        said.append(sentence)

    event.listen(Engine, "before_cursor_execute", hear)
    wanted = Wanted("ana", LEASE, any=10)
    taken = await store.turn([Done(claim) for claim in before], wanted, late)
    event.remove(Engine, "before_cursor_execute", hear)

    assert (names(taken.claims), taken.look_at) == (["due"], START + 60 * MINUTE)
    assert await status_of(store, "now") is TaskStatus.DONE
    assert len(said) == (1 if database.dialect == "postgresql" else 0)


@pytest.mark.parametrize("waits", [True, False], ids=["one is ready", "none is ready"])
async def test_of_one_source_what_falls_due_together_keeps_its_places(
    store: SqlTasks, waits: bool
) -> None:
    late = START + MINUTE
    await store.add([a_task("a1", due_at=late, source="chat:1")], START)
    await store.add([a_task("a2", due_at=late, source="chat:1")], START)
    await store.add([a_task("b", due_at=late, source="chat:2")], START)
    assert await take(store) == []
    if waits:
        await store.add([a_task("c", due_at=late, source="chat:2")], late)

    claims = await take(store, late)

    assert names(claims) == (["a1", "c", "a2", "b"] if waits else ["a1", "b", "a2"])


async def test_what_fell_due_and_is_given_back_keeps_its_place(store: SqlTasks) -> None:
    late = START + MINUTE
    await store.add([a_task("first", due_at=late, source="chat:1")], START)
    assert await take(store) == []
    (first,) = await take(store, late)
    await store.add([a_task("second", due_at=late, source="chat:1")], late)

    await settle(store, Released(first), now=late)

    assert names(await take(store, late)) == ["first", "second"]


@pytest.mark.parametrize("ready", [[], ["ready"]], ids=["none is ready", "one is ready"])
async def test_a_due_task_that_is_locked_holds_up_no_other_and_is_looked_at_again(
    postgres: PostgresServer, ready: list[str]
) -> None:
    url, late = postgres.url(await postgres_database(postgres)), START + MINUTE
    async with opened(url) as database:
        store = SqlTasks(database)
        await store.add([a_task(name, due_at=late) for name in ("locked", "free")], START)
        assert await take(store) == []
        await store.add([a_task(name, due_at=late) for name in ready], late)

        connection = await asyncpg.connect(plain_url(url))
        async with connection.transaction():
            await connection.execute("SELECT 1 FROM tasks WHERE id = 'tsk_locked' FOR UPDATE")
            taken = await store.turn([], Wanted("ana", LEASE, any=10), late)
        await connection.close()

        assert names(taken.claims) == ["free", *ready]
        assert taken.look_at is not None
        assert taken.look_at < late + SECOND
        assert names(await take(store, taken.look_at)) == ["locked"]


async def test_more_fall_due_than_may_begin_and_the_best_begin(store: SqlTasks) -> None:
    late = START + MINUTE
    bases = {"low": 0, "high": 60, "middle": 20}
    await store.add([a_task(name, base=base, due_at=late) for name, base in bases.items()], START)
    assert await take(store) == []

    claims = [*await take(store, late, any=2), *await take(store, late, any=2)]

    assert names(claims) == ["high", "middle", "low"]


async def test_what_falls_due_competes_in_the_very_turn(store: SqlTasks) -> None:
    late = START + MINUTE
    await store.add([a_task("first"), a_task("second")], START)
    (claim,) = await take(store, any=1)
    await store.add([a_task("vip", base=Level.HIGH, due_at=late)], START)

    claims = await take(store, late, any=1, outcomes=[Done(claim)])
    again = await take(store, late, any=2)

    assert (names(claims), names(again)) == (["vip"], ["second"])


async def test_a_batch_tells_of_its_ordinary_ones_beside_the_urgent(database: Database) -> None:
    store, heard = SqlTasks(database), asyncio.Queue[News]()
    stop = store.listen(heard.put_nowait)
    if database.dialect == "postgresql":
        await heard.get()
    await store.add([a_task(base=Level.CRITICAL), a_task()], START)
    news = [await heard.get(), await heard.get()]
    stop()

    assert {(one.critical, one.overtakes) for one in news} == {(True, True), (False, False)}


async def test_named_tasks_are_claimed_once_and_only_when_due(store: SqlTasks) -> None:
    await store.add([a_task("a"), a_task("b"), a_task("late", due_at=START + MINUTE)], START)
    wanted = Wanted("ana", LEASE)
    ids = [TaskId(f"tsk_{name}") for name in ("a", "late", "unknown")]

    first = await store.claim(ids, wanted, START)
    second = await store.claim(ids, wanted, START)
    third = await store.claim(ids, wanted, START + MINUTE)

    assert (names(first), second, names(third)) == (["a"], [], ["late"])


async def test_who_ends_a_task_learns_whether_it_was_still_theirs(database: Database) -> None:
    store = SqlTasks(database)
    await store.add([a_task("one")], START)
    claim = await take_one(store)

    first = await database.write(tasks_store.finish, [claim], START)
    second = await database.write(tasks_store.finish, [claim], START)

    assert await status_of(store, "one") is TaskStatus.DONE
    assert (first, second) == (1, 0)
