"""Prepares the demo in a directory of its own, and removes it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import httpx

from clarion.access.tokens import TokenKind
from clarion.app.build import build
from clarion.app.demo import city, crowd, household
from clarion.app.demo.place import MARK, remove_demo
from clarion.app.demo.residents import Residents
from clarion.app.running import Clarion
from clarion.app.storage import bring_up_to_date, data_directory, open_storage
from clarion.base.clock import Clock, SystemClock
from clarion.base.ids import TaskId, new_id
from clarion.chats.ports import HANDLE
from clarion.settings import Settings
from clarion.store.sql.chats.inbox import SqlInbox
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind
from clarion.tasks.model import Level, Queue, Task

log = logging.getLogger(__name__)
LETTER = "demo.letter"


@contextmanager
def quietly() -> Iterator[None]:
    """Three weeks would fill the screen with news that is old."""
    ours = logging.getLogger("clarion")
    before = ours.level
    ours.setLevel(logging.ERROR)
    try:
        yield
    finally:
        ours.setLevel(before)


async def prepare(settings: Settings, clock: Clock, past: timedelta) -> None:
    """A household with some weeks behind it, in a fresh directory."""
    remove_demo(settings.data_dir)
    (data_directory(settings.data_dir) / MARK).touch()
    database = await open_storage(settings)
    try:
        await bring_up_to_date(database)
        with quietly():
            await household.live(database, clock.now(), past)
    finally:
        await database.close()


async def run_demo(settings: Settings, past: timedelta = household.PAST) -> Clarion:
    """A Clarion with life in it, built and not yet running; `settings` from `demo_settings`."""
    clock = SystemClock()
    await prepare(settings, clock, past)
    clarion = await build(settings, clock)
    parts = clarion.parts
    parts.kinds.wrap(HANDLE, crowd.slowed(parts.stopping))
    parts.kinds.add(Kind(LETTER, crowd.lost_letter, retries=0))
    numbers = SqlTasks(parts.database)
    parts.add_pass(crowd.Crowd(SqlInbox(parts.database), numbers, clock))
    parts.runners += [Opening(clarion), Residents(clarion)]
    return clarion


async def introduce_chats(api: httpx.AsyncClient) -> None:
    for chat, title, priority, _ in crowd.CHATS:
        targets = ["console:main"] if priority >= Level.HIGH else []
        rule = {"chat_id": chat, "priority": priority, "targets": targets}
        await city.said(api, "/api/v1/rules", rule)
        words = {"chat_id": chat, "title": title, "text": crowd.HELLO}
        await city.said(api, "/api/v1/chat/messages", words)


class Opening:
    """What happens once the doors are open; then it is over."""

    name = "demo-opening"

    def __init__(self, clarion: Clarion) -> None:
        self._clarion = clarion
        self.over = asyncio.Event()

    async def run(self) -> None:
        clarion = self._clarion
        await clarion.listening()
        await self._lose_letters()
        access = clarion.parts.access
        assert access is not None, "a Clarion that listens knows who asks"
        token = await access.issue(TokenKind.ADMIN, name="demo", life=timedelta(minutes=5))
        headers = {"Authorization": f"Bearer {token.text}"}
        async with httpx.AsyncClient(base_url=clarion.url, headers=headers, timeout=30) as api:
            try:
                await introduce_chats(api)
                await city.found(api)
            except httpx.HTTPError as error:
                # Half a demo is better to look at than none.
                log.warning("the demo is not complete: %s", error)
        self.over.set()

    async def _lose_letters(self) -> None:
        parts = self._clarion.parts
        now = parts.clock.now()
        letters = [
            Task(
                id=TaskId(new_id("tsk", now)),
                kind=LETTER,
                due_at=now,
                payload={"to": name},
                base=Level.NORMAL,
                queue=Queue.MESSAGES,
            )
            for name in ("Boris", "小丽")
        ]
        await parts.database.write(tasks.add, letters, now)
