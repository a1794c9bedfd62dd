"""Everything in one file and back, from either database to either."""

import gzip
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.ids import UserId
from clarion.people.model import CLARION
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from clarion.store.sql.backup import BadBackup, NotEmpty, Summary, dump, load, verify
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from tests.support.clock import ManualClock
from tests.support.databases import opened, postgres_database, sqlite_file
from tests.support.services import PostgresServer


def quietly(_table: str, _rows: int) -> None:
    """Nobody watches."""


async def live_in(database: Database, clock: ManualClock, content: str = "吃药") -> None:
    means = Means(store=SqlReminders(database), people=SqlPeople(database), clock=clock)
    for minutes in (5, 10):
        await Reminders(means).create(
            CLARION,
            user_id=UserId("ana"),
            content=content,
            trigger_at=clock.now() + timedelta(minutes=minutes),
            context={"mood": "好"},
        )


@pytest.fixture
async def kept(database: Database, clock: ManualClock, tmp_path: Path) -> tuple[Path, Summary]:
    await live_in(database, clock)
    path = tmp_path / "back-up.gz"
    return path, await database.read(dump, path, quietly)


async def test_what_is_restored_is_what_was_backed_up(
    kept: tuple[Path, Summary], tmp_path: Path
) -> None:
    path, summary = kept

    async with opened(await sqlite_file(tmp_path, "other.db")) as other:
        restored = await other.write(load, path, quietly)

        assert restored == summary
        assert await other.read(verify, quietly) == summary


async def test_life_goes_on_after_a_restore(
    kept: tuple[Path, Summary], database: Database, clock: ManualClock, tmp_path: Path
) -> None:
    path, summary = kept
    async with opened(await sqlite_file(tmp_path, "other.db")) as other:
        await other.write(load, path, quietly)
        await live_in(other, clock, "浇花")

        assert (await other.read(verify, quietly)).rows > summary.rows


async def test_one_can_move_from_sqlite_to_postgresql(
    sqlite: Database, clock: ManualClock, tmp_path: Path, postgres: PostgresServer
) -> None:
    await live_in(sqlite, clock)
    summary = await sqlite.read(dump, tmp_path / "back-up.gz", quietly)

    async with opened(postgres.url(await postgres_database(postgres))) as other:
        assert await other.write(load, tmp_path / "back-up.gz", quietly) == summary
        await live_in(other, clock, "浇花")

        assert (await other.read(verify, quietly)).rows > summary.rows


async def test_a_restore_wants_an_empty_database(
    kept: tuple[Path, Summary], database: Database
) -> None:
    with pytest.raises(NotEmpty, match="already"):
        await database.write(load, kept[0], quietly)


@pytest.mark.parametrize("harm", ["cut", "changed", "no gzip"])
async def test_a_damaged_file_is_noticed_and_nothing_is_kept(
    sqlite: Database, clock: ManualClock, tmp_path: Path, harm: str
) -> None:
    path = tmp_path / "back-up.gz"
    await live_in(sqlite, clock)
    await sqlite.read(dump, path, quietly)
    damage(path, harm)

    async with opened(await sqlite_file(tmp_path, "other.db")) as other:
        with pytest.raises(BadBackup):
            await other.write(load, path, quietly)

        assert (await other.read(verify, quietly)).rows == 0


def damage(path: Path, harm: str) -> None:
    whole = gzip.decompress(path.read_bytes())
    changed = {
        "cut": gzip.compress(whole[: len(whole) // 2]),
        "changed": gzip.compress(whole.replace("吃药".encode(), "喝酒".encode())),
        "no gzip": whole,
    }
    path.write_bytes(changed[harm])
