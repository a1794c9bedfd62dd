"""The demo has a past in which all kinds of things happened, and goes away without a trace."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection, select

from clarion.access.feed import EventFeed
from clarion.access.tokens import TokenKind
from clarion.app.demo.household import ANSWERS, live
from clarion.app.demo.place import MARK, demo_settings, remove_demo
from clarion.app.demo.stage import Opening, run_demo
from clarion.app.running import Clarion
from clarion.base.config import BadSettings
from clarion.base.events import StoredEvent
from clarion.settings import Settings
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.reminders import reminders
from tests.support.clock import START


def statuses(conn: Connection) -> set[str]:
    return set(conn.execute(select(reminders.c.status)).scalars())


@pytest.mark.timeout(120)
async def test_a_household_has_done_missed_and_planned_things(sqlite: Database) -> None:
    await live(sqlite, START, past=timedelta(days=10))

    assert {"confirmed", "completed", "timeout", "pending"} <= await sqlite.read(statuses)


async def count(clarion: Clarion, path: str) -> int:
    assert clarion.parts.access is not None
    token = await clarion.parts.access.issue(TokenKind.ADMIN, name="test")
    headers = {"Authorization": f"Bearer {token.text}"}
    async with httpx.AsyncClient(base_url=clarion.url, headers=headers) as api:
        return len((await api.get(path)).json()["items"])


async def answered_by_a_device(clarion: Clarion) -> str:
    """What Ana says at her desk, a moment after it rang."""
    assert clarion.parts.access is not None
    token = await clarion.parts.access.issue(TokenKind.ADMIN, name="test")
    headers = {"Authorization": f"Bearer {token.text}"}
    heard: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    feed = next(one for one in clarion.parts.passes if isinstance(one, EventFeed))

    def listen(event: StoredEvent) -> None:
        if event.kind == "ring.answered" and not heard.done():
            heard.set_result(str(event.data["text"]))

    feed.listen(listen)
    body = {"user_id": "ana", "text": "in 1 second: water the plants until I confirm"}
    async with httpx.AsyncClient(base_url=clarion.url, headers=headers, timeout=30) as api:
        (await api.post("/api/v1/reminders/natural", json=body)).raise_for_status()
        return await asyncio.wait_for(heard, 60)


@pytest.mark.timeout(120)
async def test_every_page_has_life(tmp_path: Path) -> None:
    settings = demo_settings(Settings(port=0, data_dir=tmp_path / "data", log_level="error"))
    async with await run_demo(settings, past=timedelta(days=1)) as clarion:
        opening = next(one for one in clarion.parts.runners if isinstance(one, Opening))
        running = asyncio.create_task(clarion.run())
        await opening.over.wait()

        paths = ("/ai/teams", "/ai/events", "/api/v1/rules", "/api/v1/users", "/api/v1/series")
        counts = [await count(clarion, path) for path in paths]
        spoken = await answered_by_a_device(clarion)
        clarion.stop()
        await running

    assert counts[:3] == [12, 3, 5]
    assert min(counts) >= 2
    assert spoken in ANSWERS["en"]


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
