"""From a SQLite file into PostgreSQL with one command, and not a row is lost."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select

from clarion.base.ids import TaskId
from clarion.cli.migrate import move
from clarion.people.events import UserAdded
from clarion.store.sql import backup, events
from clarion.store.sql.backup import NotEmpty
from clarion.store.sql.migrate import migrate as bring_up
from clarion.store.sql.tables.people import users
from clarion.store.sql.tables.tasks import tasks
from clarion.store.sql.tasks.store import SqlTasks
from tests.support.clock import START
from tests.support.databases import opened, sqlite_file
from tests.support.program import clarion
from tests.support.services import PostgresServer
from tests.support.tasks import a_task

TASKS = 300


def people(conn: Connection) -> None:
    # Names that a locale sorts otherwise than their bytes.
    for name in ("usr_b", "usr_B", "usr_ä", "usr_a_1", "usr_a1"):
        values = {"zone": "UTC", "language": "zh", "context": {"likes": "茶"}, "created_at": START}
        conn.execute(insert(users).values(id=name, name=f"{name} 😀", version=1, **values))
        events.append(conn, [UserAdded(subject=name, user=name, name=name)], START)


@pytest.fixture
async def file(tmp_path: Path) -> str:
    url = await sqlite_file(tmp_path, "home.db")
    async with opened(url) as database:
        await database.write(people)
        made = [
            a_task(str(n), due_at=START + timedelta(seconds=n), text="吃药") for n in range(TASKS)
        ]
        await SqlTasks(database).add(made, START)
    return url


@pytest.mark.timeout(120)
async def test_everything_is_there_and_life_goes_on(
    file: str, postgres_url: str, tmp_path: Path
) -> None:
    done = clarion("migrate", "--from", file, data_dir=tmp_path / "data", database_url=postgres_url)

    assert f"{TASKS + 10} rows" in done.stdout, done.stderr
    async with opened(postgres_url) as target, opened(file) as origin:
        assert len(await target.read(events.after, 0)) == 5
        assert await SqlTasks(target).add([a_task("new")], START) == [TaskId("tsk_new")]
        counted = select(func.count()).select_from(tasks)
        assert await target.read(lambda conn: conn.execute(counted).scalar()) == TASKS + 1
        assert (await origin.read(backup.verify, lambda *_: None)).rows == TASKS + 10


async def test_a_database_with_something_in_it_is_left_alone(file: str, postgres_url: str) -> None:
    async with opened(file) as origin, opened(postgres_url) as target:
        await bring_up(target)
        await target.write(people)

        with pytest.raises(NotEmpty):
            await move(origin, target)


async def test_a_locale_that_sorts_otherwise_changes_nothing(
    file: str, postgres: PostgresServer
) -> None:
    postgres.run_sql(
        "CREATE DATABASE sorted TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
    )
    async with opened(file) as origin, opened(postgres.url("sorted")) as target:
        await bring_up(target)

        moved = await move(origin, target)

    postgres.drop_database("sorted")
    assert moved.rows == TASKS + 10


async def test_a_file_that_is_not_there_is_said_plainly(postgres_url: str, tmp_path: Path) -> None:
    done = clarion(
        "migrate",
        "--from",
        "sqlite:/nowhere.db",
        data_dir=tmp_path / "d",
        database_url=postgres_url,
    )

    assert (done.returncode, "There is no file" in done.stderr) == (2, True)
