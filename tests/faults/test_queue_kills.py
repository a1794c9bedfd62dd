"""kill -9 in the middle of load: what was added and answered is done, and done once."""

from pathlib import Path

import pytest

from tests.support.databases import opened, sqlite_file
from tests.support.queue_child import prepare
from tests.support.queue_children import Child, done_tasks, done_twice

KILLS = 5  # benchmarks/kill_queue.py kills fifty times


@pytest.mark.timeout(120)
async def test_a_server_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    url = await sqlite_file(tmp_path)
    added: list[str] = []
    async with opened(url) as database:
        await database.write(prepare)

    for kill in range(KILLS):
        child = Child(url, producers=2)
        child.hear(lines=5 + 7 * kill)
        child.kill()
        added += child.added
    drained = Child(url).ended()

    async with opened(url) as database:
        done = await database.read(done_tasks)
    assert drained == 0
    assert set(added) <= set(done)
    assert done_twice(done) == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_servers_killed_beside_one_another_lose_nothing(database_url: str) -> None:
    async with opened(database_url) as database:
        await database.write(prepare)
    steady = Child(database_url, producers=1, lease=1)
    added: list[str] = []

    for kill in range(KILLS):
        child = Child(database_url, producers=1, lease=1)
        child.hear(lines=5 + 5 * kill)
        child.kill()
        added += child.added
    stopped = steady.stop()
    drained = Child(database_url, lease=1).ended()

    async with opened(database_url) as database:
        done = await database.read(done_tasks)
    assert (stopped, drained) == (0, 0)
    assert {*added, *steady.added} <= set(done)
    assert done_twice(done) == []
