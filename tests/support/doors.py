"""A Clarion with its doors open on a free loopback port, and a token for each kind of caller."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from clarion.access.tokens import Access, TokenKind
from clarion.app.build import build
from clarion.app.parts import Parts
from clarion.base.clock import Clock
from clarion.base.ids import DeviceId, UserId
from clarion.people.model import CLARION, DeviceKind, Newcomer
from clarion.people.service import People
from clarion.reminders.links import Links
from clarion.settings import Settings
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.people.store import SqlPeople
from tests.support.databases import sqlite_file

ANA, BO = UserId("ana"), UserId("bo")
KITCHEN, STUDY = DeviceId("kitchen"), DeviceId("study")
WAIT_SECONDS_MAX = 30.0  # against hanging; a busy machine may take its time
PATIENCE = timedelta(seconds=WAIT_SECONDS_MAX)


@dataclass
class Doors:
    parts: Parts
    access: Access
    people: People
    links: Links
    url: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    """`admin`, `ana`, `bo`, and `kitchen`, which is Ana's device."""
    app: Any = None
    """What answers, with all of its routes."""

    @property
    def clock(self) -> Any:
        return self.parts.clock

    def client(self, who: str | None = None, **options: Any) -> httpx.AsyncClient:
        if who:
            options["headers"] = {"Authorization": f"Bearer {self.tokens[who]}"}
        return httpx.AsyncClient(base_url=self.url, **{"timeout": WAIT_SECONDS_MAX, **options})


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
async def open_doors(
    folder: Path, clock: Clock, *, by_hand: bool = False, **settings: Any
) -> AsyncIterator[Doors]:
    """Everything runs, as in `clarion serve`, until the block is left.

    With `by_hand` requests are answered and nothing else happens: drive `parts.passes`.
    `database_url` names a database that is migrated already; without one it is a new file.
    """
    if not settings.get("database_url"):
        await sqlite_file(folder)
    settings.setdefault("database_wait", PATIENCE)
    async with await build(Settings(port=0, data_dir=folder, **settings), clock) as clarion:
        parts = clarion.parts
        assert parts.access is not None
        key = await parts.database.write(secret, "links")
        here = Newcomer(zone="Asia/Shanghai")
        people = People(SqlPeople(parts.database), clock, newcomer=here)
        doors = Doors(parts, parts.access, people, Links(key), clarion.url)
        assert clarion.server is not None
        doors.app = clarion.server.app
        await introduce(doors)
        if by_hand:
            parts.runners.clear()
        running = asyncio.create_task(clarion.run(), name="clarion")
        await clarion.listening()
        try:
            yield doors
        finally:
            clarion.stop()
            await running
