"""The database goes away in the middle of work: nothing is lost, and work goes on by itself."""

import asyncio
from datetime import timedelta

import pytest

from clarion.base.clock import SystemClock
from clarion.base.errors import ClarionError
from clarion.base.ids import TaskId
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.ports import Claim
from clarion.tasks.records import TaskStatus
from clarion.tasks.workers import Workers
from tests.support.databases import opened
from tests.support.services import PostgresServer
from tests.support.tasks import a_task, status_of

CLOCK = SystemClock()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_what_was_done_while_the_database_was_away_is_written_later(
    database_url: str, postgres: PostgresServer
) -> None:
    began: asyncio.Queue[TaskId] = asyncio.Queue()
    gate = asyncio.Event()

    async def handler(claim: Claim) -> None:
        began.put_nowait(claim.task.id)
        await gate.wait()

    async with opened(database_url) as database:
        store = SqlTasks(database)
        workers = Workers(store, Kinds(Kind("job", handler)), CLOCK, lease=timedelta(minutes=5))
        running = asyncio.create_task(workers.run())
        await store.add([a_task("first", kind="job", due_at=CLOCK.now())], CLOCK.now())
        await began.get()

        await asyncio.to_thread(postgres.stop)
        gate.set()
        with pytest.raises(ClarionError):
            await store.add([a_task("lost", kind="job", due_at=CLOCK.now())], CLOCK.now())
        await asyncio.to_thread(postgres.start)
        await store.add([a_task("second", kind="job", due_at=CLOCK.now())], CLOCK.now())
        await began.get()
        running.cancel()
        await asyncio.wait([running])

        assert await status_of(store, "first") is TaskStatus.DONE
        assert await status_of(store, "second") is TaskStatus.DONE
        assert await store.get(TaskId("tsk_lost")) is None
