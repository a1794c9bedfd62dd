"""`clarion tasks` as an operator uses it."""

from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.clock import SystemClock
from clarion.store.sql.audit import SqlAudit
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.ports import Failed
from clarion.tasks.records import TaskStatus
from tests.support.databases import opened, sqlite_file
from tests.support.program import clarion
from tests.support.tasks import a_task, settle, status_of, take_one


@pytest.fixture
async def data_dir(tmp_path: Path) -> Path:
    """With one dead task, a VIP that has waited for five minutes, and one for tomorrow."""
    now = SystemClock().now()
    (tmp_path / "data").mkdir()
    async with opened(await sqlite_file(tmp_path / "data")) as database:
        store = SqlTasks(database)
        await store.add([a_task("dead", kind="webhook.deliver", due_at=now)], now)
        error = "Traceback\n  ...\nZeroDivisionError: by zero"
        await settle(store, Failed(await take_one(store, now), error, None), now=now)
        vip = a_task("vip", base=50, due_at=now - timedelta(minutes=5), source="chat:7")
        await store.add([vip, a_task("tomorrow", due_at=now + timedelta(days=1))], now)
    return tmp_path / "data"


def test_it_counts_by_level_and_tells_the_oldest(data_dir: Path) -> None:
    lines = clarion("tasks", data_dir=data_dir).stdout.splitlines()

    assert lines[0].split() == ["level", "ready", "running", "scheduled", "dead", "oldest"]
    assert lines[2].split() == ["high", "1", "0", "0", "0", "5m"]
    assert lines[3].split() == ["normal", "0", "0", "1", "1", "-"]


def test_it_lists_what_begins_next(data_dir: Path) -> None:
    said = clarion("tasks", "oldest", data_dir=data_dir).stdout

    assert said.split() == ["tsk_vip", "50", "5m", "noop", "chat:7"]


def test_it_lists_the_dead_with_their_errors(data_dir: Path) -> None:
    said = clarion("tasks", "dead", data_dir=data_dir).stdout

    assert said.splitlines() == [
        "tsk_dead  webhook.deliver  after 1 try",
        "    ZeroDivisionError: by zero",
    ]


async def test_a_dead_task_is_replayed_by_its_id(data_dir: Path) -> None:
    said = clarion("tasks", "replay", "tsk_dead", data_dir=data_dir).stdout

    assert said == "1 task replayed.\n"
    async with opened(f"sqlite:{data_dir / 'clarion.db'}") as database:
        (deed,) = await SqlAudit(database).page(
            user_id=None, token_id=None, since=None, until=None, before=None, limit=10
        )
        assert (deed.door, deed.action, deed.subject) == ("cli", "tasks replay", "tsk_dead")
        assert await status_of(SqlTasks(database), "dead") is TaskStatus.READY


def test_all_dead_tasks_are_dropped_together(data_dir: Path) -> None:
    said = clarion("tasks", "drop", "--all", data_dir=data_dir).stdout

    assert said == "1 task dropped.\n"
    assert clarion("tasks", "dead", data_dir=data_dir).stdout == "No task is dead.\n"


def test_a_task_that_is_not_dead_is_refused(data_dir: Path) -> None:
    done = clarion("tasks", "drop", "tsk_vip", data_dir=data_dir)

    assert done.returncode == 2
    assert "None of these is a dead task." in done.stderr


def test_it_asks_which_tasks_are_meant(data_dir: Path) -> None:
    done = clarion("tasks", "replay", data_dir=data_dir)

    assert done.returncode == 2
    assert "Name the tasks, or say --all." in done.stderr


def test_a_queue_is_paused_and_resumed(data_dir: Path) -> None:
    said = [
        clarion("tasks", verb, "messages", data_dir=data_dir).stdout
        for verb in ("pause", "resume", "resume")
    ]

    assert [line.split(".")[0] for line in said] == [
        "messages is paused",
        "messages goes on",
        "messages was not paused",
    ]
