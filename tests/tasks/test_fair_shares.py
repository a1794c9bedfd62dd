"""Who floods waits behind itself: others begin as if it were not there."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import A_POINT, DEFAULT_SHARES, Shares
from clarion.tasks.ports import Claim, Done
from clarion.tasks.records import TaskStatus
from tests.support.clock import START
from tests.support.task_model import TaskModel
from tests.support.tasks import a_task, names, take

SECOND = timedelta(seconds=1)
FLOOD = 10_000


@pytest.fixture
def store(database: Database) -> SqlTasks:
    return SqlTasks(database)


@pytest.fixture
async def plain(database_url: str) -> AsyncIterator[SqlTasks]:
    """Without shares, by the specification's formula to the letter."""
    database = await open_database(database_url, shares=Shares(timedelta(0)))
    yield SqlTasks(database)
    await database.close()


def start_of(claim: Claim) -> datetime:
    return claim.rank + claim.task.base * A_POINT


async def test_one_with_ten_thousand_waiting_does_not_hold_up_another(store: SqlTasks) -> None:
    for start in range(0, FLOOD, 1_000):
        flood = [a_task(f"flood{n}", source="chat:1") for n in range(start, start + 1_000)]
        await store.add(flood, START)
    now = START + 5 * SECOND
    await store.add([a_task("other", source="chat:2", due_at=now)], now)

    order = names(await take(store, now, any=20))

    # One source, one task waiting, five seconds at one second each: at most 1 + 1 + 5 before it.
    assert order.index("other") <= 7


async def test_those_of_one_source_wait_behind_one_another_whoever_adds_them(
    tmp_path: Path,
) -> None:
    """On SQLite, where the adds of one moment are done together; see ADR 2 for PostgreSQL."""
    database = await open_database(f"sqlite:{tmp_path}/queue.db")
    await migrate(database)
    store = SqlTasks(database)

    mine = [a_task(f"mine{n}", source="chat:1") for n in range(3)]
    await asyncio.gather(*(store.add([task], START) for task in mine))
    await store.add([a_task("other", source="chat:2")], START)

    assert names(await take(store)) == ["mine0", "other", "mine1", "mine2"]
    await database.close()


async def test_a_hundred_sources_with_fifty_each_wait_alike(store: SqlTasks) -> None:
    for source in range(100):
        tasks = [a_task(f"{source}-{n}", source=f"chat:{source}") for n in range(50)]
        await store.add(tasks, START)
    waited: dict[str, list[int]] = defaultdict(list)
    done: list[Done] = []

    for turn in range(5_000 // 100):
        claims = await take(store, START + turn * SECOND / 10, outcomes=done)
        done = [Done(claim) for claim in claims]
        for name in names(claims):
            waited[name.partition("-")[0]].append(turn)

    means = [mean(turns) for turns in waited.values()]
    assert len(means) == 100
    assert max(means) <= 1.1 * mean(means)


others = st.lists(
    st.tuples(
        st.integers(0, 400).map(lambda tenths: tenths * SECOND / 10),
        st.integers(1, 4),
        st.sampled_from([1, 1, 2, 30]),
    ),
    max_size=40,
)


@given(others=others, mine_at=st.integers(0, 200), k=st.integers(1, 8))
@example(
    others=[(n * SECOND / 10, 1, 1) for n in range(400)], mine_at=5, k=8
)  # never more than one
@example(others=[(0 * SECOND, n, 30) for n in (1, 2, 3, 4)], mine_at=0, k=4)
def test_the_bound_of_the_documents_holds_whatever_others_do(
    others: list[tuple[timedelta, int, int]], mine_at: int, k: int
) -> None:
    """As docs/queue.md says it, with a worker that takes a tenth of a second for each."""
    each, cost = SECOND / 10, DEFAULT_SHARES.cost
    model, waits_from = TaskModel(DEFAULT_SHARES), START + mine_at * each
    placed, before = waits_from + (k - 1) * cost, 0
    now, last = START, TaskId(f"tsk_mine{k}")
    begun: dict[TaskId, datetime] = {}
    while last not in begun:
        for number, (at, source, count) in enumerate(others):
            if START + at == now:
                named = [f"{number}-{n}" for n in range(count)]
                flood = [a_task(one, source=f"chat:{source}", due_at=now) for one in named]
                model.add(flood, now)
        if now == waits_from:
            mine = [a_task(f"mine{n + 1}", source="mine", due_at=now) for n in range(k)]
            model.add(mine, now)
        if now == placed:
            # n sources, the longest of which has waited for a: n × (1 + a / cost) tasks.
            waiting = [one for one in model.entries.values() if one.status is TaskStatus.READY]
            starts = [one.start_at for one in waiting if one.task.source != "mine" and one.start_at]
            longest = max([now - start_at for start_at in starts], default=timedelta(0))
            sources = len({one.task.source for one in waiting} - {"mine"})
            before = sources * (1 + max(longest, timedelta(0)) // cost)
        for id_, *_ in model.claim((1, 0, 0), now, now):
            begun[id_] = now
            model.entries[id_].status = TaskStatus.DONE
        now += each

    assert begun[last] <= placed + before * each


async def test_a_vip_that_floods_falls_back_by_its_own_backlog(store: SqlTasks) -> None:
    await store.add([a_task(f"vip{n}", source="chat:1", base=50) for n in range(3)], START)
    await store.add([a_task("other-vip", source="chat:2", base=50)], START + SECOND / 10)
    await store.add([a_task("normal", source="chat:3")], START)

    assert names(await take(store, START + SECOND)) == [
        *("vip0", "other-vip", "vip1", "vip2", "normal"),
    ]


async def test_a_backlog_that_is_gone_leaves_no_debt(store: SqlTasks) -> None:
    await store.add([a_task(source="chat:1") for _ in range(100)], START)
    done = [Done(claim) for claim in await take(store)]
    await take(store, any=0, outcomes=done)

    await store.add([a_task("again", source="chat:1")], START)
    (claim,) = await take(store)

    assert claim.rank == claim.task.rank


async def test_what_is_planned_for_later_counts_when_it_is_due(store: SqlTasks) -> None:
    later = START + timedelta(hours=1)
    await store.add([a_task(source="chat:1", due_at=later) for _ in range(3)], START)
    await store.add([a_task("now", source="chat:1")], START)

    (now,) = await take(store)
    claims = await take(store, later)

    assert start_of(now) == START
    assert [start_of(claim) for claim in claims] == [later + n * SECOND for n in range(3)]


async def test_a_weight_makes_the_steps_smaller(store: SqlTasks) -> None:
    await store.add([a_task(source="chat:1", weight=2.0) for _ in range(3)], START)

    starts = [start_of(claim) for claim in await take(store)]

    assert starts == [START, START + SECOND / 2, START + SECOND]


async def test_a_cost_of_zero_gives_the_formula_to_the_letter(plain: SqlTasks) -> None:
    await plain.add([a_task(f"a{n}", source="chat:1") for n in range(3)], START)
    await plain.add([a_task("b", source="chat:2", due_at=START + SECOND)], START)

    claims = await take(plain, START + SECOND)

    assert names(claims) == ["a0", "a1", "a2", "b"]
    assert [claim.rank for claim in claims] == [claim.task.rank for claim in claims]


async def test_what_a_person_does_waits_behind_no_backlog(store: SqlTasks) -> None:
    await store.add([a_task(source="chat:1", base=50) for _ in range(100)], START)
    now = START + timedelta(minutes=1)
    await store.add([a_task("button", source="chat:1", control=True, due_at=now)], now)

    wanted = await take(store, now, any=0, control=1)

    assert names(wanted) == ["button"]
    assert start_of(wanted[0]) == now
