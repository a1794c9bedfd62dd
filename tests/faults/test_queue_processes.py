"""Several worker processes on one PostgreSQL: each task once, and in order as far as they can."""

from bisect import bisect_left
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from clarion.base.clock import SystemClock
from clarion.store.sql.tables.tasks import tasks
from clarion.store.sql.tasks.store import SqlTasks
from tests.support.databases import opened
from tests.support.queue_child import BUFFERED_MAX, SLOTS
from tests.support.queue_children import Child, lines_of
from tests.support.tasks import a_task

TASKS = 10_000


@pytest.mark.timeout(120)
@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
@pytest.mark.parametrize("processes", [2, 4])
async def test_ten_thousand_tasks_are_done_once_and_in_order(
    database_url: str, tmp_path: Path, processes: int
) -> None:
    due_at = SystemClock().now() - timedelta(hours=1)
    async with opened(database_url) as database:
        store = SqlTasks(database)
        for start in range(0, TASKS, 1_000):
            jobs = [
                a_task(str(n), kind="job", base=n * 37 % 101, due_at=due_at)
                for n in range(start, start + 1_000)
            ]
            await store.add(jobs, due_at)

    files = [tmp_path / f"{number}.txt" for number in range(processes)]

    children = [Child(database_url, file=file) for file in files]
    ended = [child.ended() for child in children]

    done = lines_of(files)
    async with opened(database_url) as database:
        right = await database.read(in_order_of_rank)
    assert ended == [0] * processes
    assert sorted(done) == sorted(right)
    assert all(file.stat().st_size for file in files)
    others_hold = (processes - 1) * (SLOTS + BUFFERED_MAX)
    assert most_overtaken(done, right) <= others_hold + SLOTS


def in_order_of_rank(conn: Connection) -> list[str]:
    query = select(tasks.c.id).order_by(tasks.c.rank, tasks.c.sequence)
    return list(conn.execute(query).scalars())


def most_overtaken(done: list[str], right: list[str]) -> int:
    """How many better tasks had not begun when one began, at most.

    Only claims can be overtaken, so this holds though the machine stops one process for a while;
    how late the claims of a stopped process are is up to the machine.
    """
    place = {task: number for number, task in enumerate(right)}
    begun: list[int] = []
    most = 0
    for task in done:
        better = bisect_left(begun, place[task])
        most = max(most, place[task] - better)
        begun.insert(better, place[task])
    return most
