"""The demo has a past in which all kinds of things happened, and goes away without a trace."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from clarion.app.demo import demo_settings, remove_demo
from clarion.app.demo.household import live
from clarion.app.demo.stage import MARK
from clarion.base.config import BadSettings
from clarion.settings import Settings
from clarion.store.sql.database import Database
from clarion.store.sql.tables.reminders import reminders
from tests.support.clock import START


def statuses(conn: Connection) -> set[str]:
    return set(conn.execute(select(reminders.c.status)).scalars())


@pytest.mark.timeout(40)
async def test_a_household_has_done_missed_and_planned_things(sqlite: Database) -> None:
    await live(sqlite, START, past=timedelta(days=10))

    assert {"confirmed", "completed", "timeout", "pending"} <= await sqlite.read(statuses)


def test_the_demo_keeps_away_from_what_is_yours(tmp_path: Path) -> None:
    yours = Settings(data_dir=tmp_path / "data", database_url="postgresql://home")

    settings = demo_settings(replace(yours, telegram_token="secret"))

    assert settings.data_dir == tmp_path / "data-demo"
    assert (settings.database_url, settings.telegram_token) == ("", "")


def test_only_a_demo_is_removed(tmp_path: Path) -> None:
    demo, home = tmp_path / "data-demo", tmp_path / "home"
    demo.mkdir()
    home.mkdir()
    (demo / MARK).touch()

    assert remove_demo(demo) is True
    assert remove_demo(demo) is False
    with pytest.raises(BadSettings):
        remove_demo(home)

    assert home.exists()
    assert not demo.exists()
