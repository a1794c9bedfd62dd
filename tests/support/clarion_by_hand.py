"""A whole Clarion of reminders on a clock moved by hand: one server, or two on one store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from clarion.access.audit import AuditTrail
from clarion.app.llm import Helpers
from clarion.app.reminders import ReminderWiring, invite_kind, join_reminders
from clarion.app.services import ReminderServices
from clarion.base.ids import DeviceId, ReminderId
from clarion.people.invitations import Invitations
from clarion.people.model import Actor, DeviceKind, Newcomer
from clarion.people.rotations import Rotations
from clarion.people.service import People
from clarion.reminders.links import Links
from clarion.reminders.model import Patience, Reminder
from clarion.reminders.ports import Reaction, ReminderStore
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.ring_tasks import RingTasks
from clarion.reminders.service import Reminders
from clarion.store.sql.audit import SqlAudit
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import open_database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.talk.ports import TalkModel
from clarion.talk.service import Talk
from clarion.talk.spoken_facts import SpokenFacts
from clarion.tasks.kinds import Kinds
from clarion.tasks.workers import DueTasks, Workers
from tests.support.build import ANA, KITCHEN
from tests.support.clock import ManualClock
from tests.support.drive import Driver
from tests.support.fakes.channel import (
    Outside,
    RecordingChannel,
    RecordingMessenger,
    RecordingNotifier,
    SmallTalk,
)

AS_ANA = Actor(ANA, name="Ana")
ADMIN = Actor(None, admin=True, name="admin")
LINK_KEY = b"a key for tests only"
SMALL_TALK = SmallTalk()


@dataclass
class ClarionByHand:
    """`reminders` and `people` are the verbs; `facts` is what devices report to."""

    clock: ManualClock
    database: Database
    outside: Outside
    reminders: Reminders
    people: People
    rotations: Rotations
    facts: SpokenFacts
    talk: Talk
    trail: AuditTrail
    ring_reports: RingReports
    ring_tasks: RingTasks
    store: ReminderStore
    tasks: SqlTasks
    workers: Workers
    driver: Driver
    patience: Patience
    invitations: Invitations

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


async def introduce_ana(clarion: ClarionByHand) -> None:
    """Ana, who lives in UTC and has one device in the kitchen."""
    await clarion.people.ensure_user(ANA, "Ana")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=KITCHEN, name="kitchen"
    )


def assemble(
    database: Database,
    clock: ManualClock,
    outside: Outside,
    patience: Patience | None = None,
    *,
    helpers: Helpers | None = None,
    chat: TalkModel | None = SMALL_TALK,
) -> ClarionByHand:
    """One server, joined as `clarion serve` joins it; only what is outside is a test's own."""
    channel, patience = RecordingChannel(outside), patience or Patience()
    trail = AuditTrail(SqlAudit(database), clock, timedelta(days=90))
    services = join_reminders(
        ReminderWiring(
            database=database,
            clock=clock,
            channel=channel,
            notifier=RecordingNotifier(outside),
            links=Links(LINK_KEY, "https://clarion.test"),
            newcomer=Newcomer(zone="UTC", language="en"),
            patience=patience,
            helpers=helpers or Helpers(),
            chat=chat,
            noted=trail.spoken,
        )
    )
    channel.facts, outside.rings_on = services.facts, channel.ring
    tasks = SqlTasks(database)
    invitations = invitations_of(services, clock, outside)
    kinds = Kinds(*services.ring_tasks.kinds(), invite_kind(invitations))
    workers = Workers(tasks, kinds, clock)
    return ClarionByHand(
        clock=clock,
        database=database,
        outside=outside,
        reminders=services.reminders,
        people=services.people,
        rotations=services.rotations,
        facts=services.facts,
        talk=services.talk,
        trail=trail,
        ring_reports=services.ring_reports,
        ring_tasks=services.ring_tasks,
        store=services.store,
        tasks=tasks,
        workers=workers,
        driver=Driver(clock, DueTasks(workers)),
        patience=patience,
        invitations=invitations,
    )


def invitations_of(services: ReminderServices, clock: ManualClock, outside: Outside) -> Invitations:
    return Invitations(
        services.people_store,
        services.people,
        clock,
        LINK_KEY,
        "https://clarion.test",
        RecordingMessenger(outside),
    )


@asynccontextmanager
async def open_by_hand(
    url: str,
    clock: ManualClock,
    outside: Outside | None = None,
    patience: Patience | None = None,
    chat: TalkModel | None = SMALL_TALK,
) -> AsyncIterator[ClarionByHand]:
    database = await open_database(url)
    try:
        yield assemble(database, clock, outside or Outside(clock), patience, chat=chat)
    finally:
        await database.close()


def at(hour: int, minute: int = 0, *, day: int = 7) -> datetime:
    """An instant of the week in which tests begin: Monday is the seventh of January 2030."""
    return datetime(2030, 1, day, hour, minute, tzinfo=UTC)
