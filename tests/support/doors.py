"""A Clarion with its doors open on a free loopback port, and a token for each kind of caller."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from clarion.access.feed import Feed
from clarion.access.model import TokenKind
from clarion.access.service import Access
from clarion.app import doors as wiring
from clarion.app.build import http_server
from clarion.app.parts import Parts
from clarion.app.running import Clarion
from clarion.app.tasks import add_tasks
from clarion.base.clock import Clock
from clarion.base.ids import DeviceId, UserId
from clarion.doors.http.server import listen_on
from clarion.reminders.access import CLARION
from clarion.reminders.links import Links
from clarion.reminders.model import DeviceKind
from clarion.reminders.people import People
from clarion.reminders.service import Reminders
from clarion.reminders.verbs import Means
from clarion.settings import Settings
from clarion.store.sql.opening import open_database
from clarion.store.sql.people import SqlPeople
from clarion.store.sql.reminders import SqlReminders
from clarion.store.sql.tasks_store import SqlTasks
from clarion.tasks.workers import Workers
from clarion.webhooks.service import Webhooks
from tests.support.databases import sqlite_file

ANA, BO = UserId("ana"), UserId("bo")
KITCHEN, STUDY = DeviceId("kitchen"), DeviceId("study")
LINK_KEY = b"a key for tests only"


@dataclass
class Doors:
    parts: Parts
    access: Access
    feed: Feed
    hooks: Webhooks
    reminders: Reminders
    people: People
    links: Links
    workers: Workers
    url: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    """`admin`, `ana`, `bo`, and `kitchen`, which is Ana's device."""

    @property
    def clock(self) -> Any:
        return self.parts.clock

    def client(self, who: str | None = None, **options: Any) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        return httpx.AsyncClient(base_url=self.url, headers=headers, **options)


async def join(settings: Settings, clock: Clock, url: str, closing: AsyncExitStack) -> Doors:
    database = await open_database(url)
    closing.push_async_callback(database.close)
    parts = Parts(settings=settings, clock=clock, database=database, closing=closing)
    links = Links(LINK_KEY, "http://clarion.test")
    store, homes = SqlReminders(database), SqlPeople(database)
    reminders = Reminders(Means(store=store, people=homes, clock=clock), links)
    people = People(homes, clock)
    tasks = SqlTasks(database)
    outside = wiring.add_outside(parts)
    access = wiring.add_access(parts)
    feed = wiring.add_feed(parts, access)
    hooks = wiring.add_webhooks(parts, outside)
    wiring.add_api(parts, reminders, people, tasks)
    await wiring.add_mcp(parts, access, feed, reminders, people, tasks)
    workers = add_tasks(parts)
    return Doors(parts, access, feed, hooks, reminders, people, links, workers)


async def introduce(doors: Doors) -> None:
    """Ana with a device in the kitchen, Bo with one in the study, and a token for each."""
    for user_id, device_id in ((ANA, KITCHEN), (BO, STUDY)):
        await doors.people.ensure_user(user_id, user_id.title())
        await doors.people.add_device(
            CLARION, kind=DeviceKind.TERMINAL, user_id=user_id, device_id=device_id
        )
        made = await doors.access.issue(TokenKind.USER, user_id=user_id)
        doors.tokens[user_id] = made.text
    admin = await doors.access.issue(TokenKind.ADMIN)
    device = await doors.access.issue(TokenKind.DEVICE, device_id=KITCHEN, user_id=ANA)
    doors.tokens |= {"admin": admin.text, "kitchen": device.text}


@asynccontextmanager
async def open_doors(folder: Path, clock: Clock, **settings: Any) -> AsyncIterator[Doors]:
    """Everything runs, as in `clarion serve`, until the block is left."""
    chosen = Settings(port=0, data_dir=folder, **settings)
    async with AsyncExitStack() as closing:
        doors = await join(chosen, clock, await sqlite_file(folder), closing)
        await introduce(doors)
        listener = listen_on(chosen.host, 0)
        clarion = Clarion(doors.parts, http_server(doors.parts, listener), listener)
        doors.url = clarion.url
        running = asyncio.create_task(clarion.run(), name="clarion")
        await clarion.listening()
        try:
            yield doors
        finally:
            clarion.stop()
            await running
