"""Reminders as they really are, in a real database, behind a door of devices."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from clarion.app.reminders import ReminderWiring, join_reminders
from clarion.app.services import ReminderServices
from clarion.base.clock import SystemClock
from clarion.base.loop import Loop
from clarion.people.model import Actor, DeviceKind, Newcomer
from clarion.reminders.effects import Channels
from clarion.reminders.links import Links
from clarion.reminders.model import ConfirmationConfig, Reminder
from clarion.reminders.ports import Channel
from clarion.store.sql.opening import open_database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.workers import DueTasks, Workers
from tests.support.clock import ManualClock
from tests.support.devices import ANA, SPEAKER
from tests.support.fakes.channel import Outside, RecordingNotifier

ADMIN = Actor(None, admin=True, name="admin")
SOON = timedelta(milliseconds=50)


@dataclass(slots=True)
class RealReminders:
    """Ana has one loudspeaker. `ways` gets the channel of whatever door it comes to."""

    services: ReminderServices
    work: Loop
    ways: dict[DeviceKind, Channel] = field(default_factory=dict)

    async def remind(self, *, confirm: bool = True) -> Reminder:
        made = await self.services.reminders.create(
            ADMIN,
            user_id=ANA,
            content="吃药",
            trigger_at=SystemClock().now() + SOON,
            confirmation=ConfirmationConfig(required=confirm),
            device_id=SPEAKER,
        )
        self.work.wake()
        return made

    async def look(self, reminder: Reminder) -> Reminder:
        return await self.services.reminders.get(ADMIN, reminder.id)

    async def happened(self, reminder: Reminder, kind: str) -> int:
        """How often that happened to it."""
        events = await self.services.reminders.history(ADMIN, reminder.id)
        return [event.kind for event in events].count(kind)


@asynccontextmanager
async def open_real_reminders(url: str) -> AsyncIterator[RealReminders]:
    clock = SystemClock()
    database = await open_database(url)
    ways: dict[DeviceKind, Channel] = {}
    services = join_reminders(
        ReminderWiring(
            database=database,
            clock=clock,
            channel=Channels(ways),
            notifier=RecordingNotifier(Outside(ManualClock(clock.now()))),
            links=Links(b"a key for tests only", "https://clarion.test"),
            newcomer=Newcomer(zone="UTC", language="zh"),
        )
    )
    await services.people.ensure_user(ANA, "Ana")
    await services.people.add_device(ADMIN, kind=DeviceKind.XIAOZHI, user_id=ANA, device_id=SPEAKER)
    workers = Workers(SqlTasks(database), Kinds(*services.ring_tasks.kinds()), clock)
    work = Loop(DueTasks(workers), clock, idle=timedelta(milliseconds=20))
    working = asyncio.create_task(work.run(), name="work")
    try:
        yield RealReminders(services, work, ways)
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        await database.close()
