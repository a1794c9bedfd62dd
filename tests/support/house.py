"""A whole Clarion of reminders on a clock moved by hand: one server, or two on one store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from clarion.base.ids import DeviceId, ReminderId
from clarion.language.ports import PhraseWriter
from clarion.people.access import Actor
from clarion.people.model import DeviceKind
from clarion.people.service import Newcomer, People
from clarion.reminders.effects import Effects
from clarion.reminders.links import Links
from clarion.reminders.model import Patience, Reminder
from clarion.reminders.ports import Reaction
from clarion.reminders.ring_reports import RingListener, RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders
from clarion.reminders.verbs import Means
from clarion.store.sql.dialogues import SqlDialogues
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import open_database
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from clarion.store.sql.tasks.store import SqlTasks
from clarion.talk.ports import TalkModel
from clarion.talk.service import SpokenFacts, Talk
from clarion.tasks.kinds import Kinds
from clarion.tasks.workers import DueTasks, Workers
from tests.support import build
from tests.support.build import ANA, KITCHEN
from tests.support.clock import ManualClock
from tests.support.drive import Driver
from tests.support.fakes.channel import (
    Outside,
    RecordingChannel,
    RecordingNotifier,
    SmallTalk,
)

AS_ANA = Actor(ANA, name="Ana")
ADMIN = Actor(None, admin=True, name="admin")
LINK_KEY = b"a key for tests only"
SMALL_TALK = SmallTalk()


@dataclass
class House:
    """`reminders` and `people` are the verbs; `facts` is what devices report to."""

    clock: ManualClock
    database: Database
    outside: Outside
    reminders: Reminders
    people: People
    facts: SpokenFacts
    talk: Talk
    hearing: RingReports
    ringer: RingTasks
    store: SqlReminders
    tasks: SqlTasks
    workers: Workers
    driver: Driver
    patience: Patience

    async def fast_forward(self, **by: float) -> None:
        await self.driver.fast_forward(timedelta(**by))

    async def until(self, hour: int, minute: int = 0) -> None:
        """Live on until that time of day, in UTC."""
        now = self.clock.now()
        at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
        await self.driver.until(at if at > now else at + timedelta(days=1))

    async def remind(self, content: str = "take the pills", **fields: Any) -> Reminder:
        """Ana's reminder in half an hour, unless said otherwise."""
        at = fields.pop("at", self.clock.now() + timedelta(minutes=30))
        actor = fields.pop("actor", AS_ANA)
        return await self.reminders.create(
            actor, user_id=ANA, content=content, trigger_at=at, **fields
        )

    async def answer(self, text: str) -> Reaction:
        """Somebody answers what was spoken last."""
        return await self.facts.answered(self.outside.last.id, text)

    async def press(self, button: str) -> Reaction:
        return await self.facts.pressed(self.outside.last.id, button)

    async def look(self, reminder: Reminder) -> Reminder:
        return await self.reminders.get(ADMIN, reminder.id)

    async def story(self, reminder: Reminder) -> list[str]:
        """The kinds of what happened to it, the oldest first."""
        events = await self.reminders.history(ADMIN, ReminderId(reminder.id))
        return [event.kind for event in events]

    async def come_back(self, device: str = KITCHEN) -> None:
        self.outside.away.discard(device)
        await self.facts.seen(DeviceId(device), online=True, through="test")


async def furnish(house: House) -> None:
    """Ana, who lives in UTC and has one device in the kitchen."""
    await house.people.ensure_user(ANA, "Ana")
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=KITCHEN, name="kitchen"
    )


def assemble(
    database: Database,
    clock: ManualClock,
    outside: Outside,
    patience: Patience | None = None,
    *,
    ears: RingListener | None = None,
    writer: PhraseWriter | None = None,
    chat: TalkModel | None = SMALL_TALK,
) -> House:
    """The wiring of one server."""
    patience = patience or Patience()
    store = SqlReminders(database, newcomer=build.user())
    people_store = SqlPeople(database)
    channel = RecordingChannel(outside)
    links = Links(LINK_KEY, "https://clarion.test")
    doing = Effects(store, people_store, channel, clock, patience, writer)
    ears = ears or RingListener()
    hearing = RingReports(store, people_store, clock, doing, patience=patience, ears=ears)
    told = RecordingNotifier(outside)
    ringer = RingTasks(
        store, clock, doing, told, links=links, people=people_store, patience=patience
    )
    newcomer = Newcomer(zone="UTC", language="en")
    means = Means(store=store, people=people_store, clock=clock, channel=channel, newcomer=newcomer)
    tasks = SqlTasks(database)
    workers = Workers(tasks, Kinds(*ringer.kinds()), clock)
    reminders = Reminders(means, links)
    people = People(people_store, clock, newcomer=newcomer, moved=reminders.follow_zone)
    dialogues = SqlDialogues(database)
    talk = Talk(reminders, people, hearing, dialogues, clock, chat=chat)
    facts = channel.facts = SpokenFacts(hearing, talk)
    return House(
        clock=clock,
        database=database,
        outside=outside,
        reminders=reminders,
        people=people,
        facts=facts,
        talk=talk,
        hearing=hearing,
        ringer=ringer,
        store=store,
        tasks=tasks,
        workers=workers,
        driver=Driver(clock, DueTasks(workers)),
        patience=patience,
    )


@asynccontextmanager
async def open_house(
    url: str,
    clock: ManualClock,
    outside: Outside | None = None,
    patience: Patience | None = None,
    chat: TalkModel | None = SMALL_TALK,
) -> AsyncIterator[House]:
    database = await open_database(url)
    try:
        yield assemble(database, clock, outside or Outside(clock), patience, chat=chat)
    finally:
        await database.close()


def at(hour: int, minute: int = 0, *, day: int = 7) -> datetime:
    """An instant of the week in which tests begin: Monday is the seventh of January 2030."""
    return datetime(2030, 1, day, hour, minute, tzinfo=UTC)
