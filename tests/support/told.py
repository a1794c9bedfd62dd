"""Reminders as they really are, in a real database, behind a door of devices."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from clarion.base.clock import SystemClock
from clarion.base.loop import Loop
from clarion.people.model import Actor, DeviceKind
from clarion.people.service import Newcomer, People
from clarion.reminders.effects import Channels, Effects
from clarion.reminders.guarded import Means
from clarion.reminders.links import Links
from clarion.reminders.model import ConfirmationConfig, Patience, Reminder
from clarion.reminders.ports import Channel
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders
from clarion.store.sql.dialogues import SqlDialogues
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import open_database
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from clarion.store.sql.tasks.store import SqlTasks
from clarion.talk.service import Talk
from clarion.talk.spoken_facts import SpokenFacts
from clarion.tasks.kinds import Kinds
from clarion.tasks.workers import DueTasks, Workers
from tests.support import build
from tests.support.clock import ManualClock
from tests.support.devices import ANA, SPEAKER
from tests.support.fakes.channel import Outside, RecordingNotifier

ADMIN = Actor(None, admin=True, name="admin")
SOON = timedelta(milliseconds=50)


@dataclass(slots=True)
class Told:
    """Ana has one loudspeaker. `ways` gets the channel of whatever door it comes to."""

    database: Database
    reminders: Reminders
    store: SqlReminders
    facts: SpokenFacts
    work: Loop
    ways: dict[DeviceKind, Channel] = field(default_factory=dict)

    async def remind(self, *, confirm: bool = True) -> Reminder:
        made = await self.reminders.create(
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
        return await self.reminders.get(ADMIN, reminder.id)

    async def happened(self, reminder: Reminder, kind: str) -> int:
        """How often that happened to it."""
        events = await self.reminders.history(ADMIN, reminder.id)
        return [event.kind for event in events].count(kind)


@asynccontextmanager
async def told(url: str) -> AsyncIterator[Told]:
    clock, patience = SystemClock(), Patience()
    database = await open_database(url)
    store = SqlReminders(database, newcomer=build.user())
    people = SqlPeople(database)
    ways: dict[DeviceKind, Channel] = {}
    channels = Channels(ways)
    doing = Effects(store, people, channels, clock, patience)
    hearing = RingReports(store, people, clock, doing, patience=patience)
    links = Links(b"a key for tests only", "https://clarion.test")
    notifier = RecordingNotifier(Outside(ManualClock(clock.now())))
    ringer = RingTasks(store, clock, doing, notifier, links=links, patience=patience)
    newcomer = Newcomer(zone="UTC", language="zh")
    means = Means(store=store, people=people, clock=clock, channel=channels, newcomer=newcomer)
    verbs = People(people, clock, newcomer=newcomer)
    await verbs.ensure_user(ANA, "Ana")
    await verbs.add_device(ADMIN, kind=DeviceKind.XIAOZHI, user_id=ANA, device_id=SPEAKER)
    workers = Workers(SqlTasks(database), Kinds(*ringer.kinds()), clock)
    work = Loop(DueTasks(workers), clock, idle=timedelta(milliseconds=20))
    working = asyncio.create_task(work.run(), name="work")
    reminders = Reminders(means, links)
    talk = Talk(reminders, verbs, hearing, SqlDialogues(database), clock)
    spoken = SpokenFacts(hearing, talk, reminders.calls, people)
    try:
        yield Told(database, reminders, store, spoken, work, ways)
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        await database.close()
