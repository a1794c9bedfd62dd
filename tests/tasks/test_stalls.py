"""A database and an event loop that stand still again and again end neither workers nor tasks."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from clarion.base.clock import SystemClock
from clarion.base.loop import Restarts
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.ports import Claim, Outcome, TakenClaims, Ticket, Wanted
from clarion.tasks.records import TaskStatus
from clarion.tasks.workers import Workers
from tests.support.tasks import a_task

STALLS = 1_000
TASKS = 400
MILLISECOND = timedelta(milliseconds=1)
LEASE = 40 * MILLISECOND  # most stalls of some milliseconds fall into a renewal


class StallingTasks(SqlTasks):
    """Each answer comes late by chance; now and then the whole loop stands still."""

    def __init__(self, database: Database, chance: random.Random) -> None:
        super().__init__(database)
        self.stalls = 0
        self._chance = chance

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        taken = await super().turn(outcomes, wanted, now)
        await self._stall()
        return taken

    async def renew(self, claims: Sequence[Claim], lease: timedelta, now: datetime) -> set[Ticket]:
        ours = await super().renew(claims, lease, now)
        await self._stall()
        return ours

    async def take_back(self, now: datetime, *, everybody: bool = False) -> int:
        await self._stall()
        return await super().take_back(now, everybody=everybody)

    async def _stall(self) -> None:
        self.stalls += 1
        seconds = self._chance.uniform(0, 0.012)
        if self._chance.random() < 0.2:
            threading.Event().wait(seconds)  # the loop itself: nobody else gets a turn
        else:
            await _pass_by(seconds)


async def test_a_thousand_random_stalls_end_nothing(sqlite: Database) -> None:
    chance, clock = random.Random(17), SystemClock()
    store, restarts = StallingTasks(sqlite, chance), Restarts(clock)
    begun: Counter[str] = Counter()

    async def work(claim: Claim) -> None:
        begun[claim.task.id] += 1
        await _pass_by(chance.uniform(0, 0.03))

    kinds = Kinds(Kind("noop", work, limit=20 * MILLISECOND, retries=50, backoff=lambda _: LEASE))
    workers = Workers(
        store, kinds, clock, slots=8, lease=LEASE, patience=5 * MILLISECOND, restarts=restarts
    )
    now = clock.now()
    await store.add([a_task(f"{n}", due_at=now) for n in range(TASKS)], now)
    running = asyncio.create_task(workers.run())
    while store.stalls < STALLS or await _open(store):
        assert not running.done()
        await store.counts()
    running.cancel()
    await asyncio.wait([running])

    assert restarts.counts == {}
    assert len(begun) == TASKS


async def _open(store: SqlTasks) -> int:
    ended = (TaskStatus.DONE, TaskStatus.DEAD, TaskStatus.CANCELLED)
    return sum(one.tasks for one in await store.counts() if one.status not in ended)


async def _pass_by(seconds: float) -> None:
    over = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, over.set)
    await over.wait()
