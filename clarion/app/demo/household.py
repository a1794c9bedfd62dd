"""Three weeks of a household, lived on a clock that is moved by hand."""

import random
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from clarion.app.reminders import ReminderWiring, join_reminders
from clarion.base.clock import ManualClock
from clarion.base.ids import DeviceId, UserId
from clarion.people.model import CLARION, Actor, Contact, Device, DeviceKind, Newcomer, QuietHours
from clarion.people.service import People
from clarion.reminders.errors import Unreachable
from clarion.reminders.links import Links
from clarion.reminders.ports import ContactCall, MessageFate, Ring, RingId
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.service import Reminders
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.workers import Workers

PAST = timedelta(days=21)
GRANDMOTHER, ANA = UserId("nainai"), UserId("ana")
ANSWERS = {
    "zh": ("好的，吃过了", "嗯，已经做完了", "做好了，谢谢"),
    "en": ("yes, done", "I did it, thank you", "already done"),
}
LATER = {"zh": "等一下，十分钟后再叫我", "en": "not yet, in ten minutes"}
OUT_EVERY = 9  # days
UNSURE = {"zh": "啊？", "en": "what?"}


@dataclass
class DemoFamily:
    """The people at the devices: they answer most of the time, and not always at once."""

    clock: ManualClock
    dice: random.Random
    home_since: datetime
    """From then on somebody is always there: the days you look at first went well."""
    ringing: list[Ring] = field(default_factory=list)
    facts: RingReports | None = None

    async def ring(self, ring: Ring) -> None:
        assert self.facts is not None
        if self.dice.random() < 0.03:
            raise Unreachable("The device is switched off.")
        self.ringing.append(ring)
        await self.facts.delivered(ring.id)
        await self.facts.heard(ring.id)

    async def hush(self, device: Device, ring_id: RingId) -> None:
        """They have stopped listening by themselves."""

    async def say(self, device: Device, text: str) -> None:
        """Nothing to do."""

    async def tell(self, call: ContactCall) -> str:
        """The neighbour was told; nothing to do."""
        return ""

    async def look_up(self, contact: Contact, receipt: str) -> MessageFate:
        """Nothing here gives receipts."""
        return MessageFate(over=True)

    async def withdraw(self, contact: Contact, receipt: str) -> None:
        """Nothing to take back."""

    async def answer(self) -> bool:
        """People answer the rings, or stay silent. False when nothing rang."""
        ringing, self.ringing = self.ringing, []
        for ring in ringing:
            said = self._words(ring)
            if said and self.facts is not None:
                self.clock.advance(timedelta(seconds=self.dice.randint(4, 40)))
                await self.facts.answered(ring.id, said)
        return bool(ringing)

    def _words(self, ring: Ring) -> str:
        now = self.clock.now()
        if now < self.home_since and now.toordinal() % OUT_EVERY == 0:
            return ""  # they are out and have forgotten to say so
        luck = self.dice.random() + (0.1 if ring.attempt > 1 else 0.0)
        if luck > 0.26:
            return self.dice.choice(ANSWERS[ring.language])
        if luck > 0.16:
            return LATER[ring.language]
        return UNSURE[ring.language] if luck > 0.12 else ""


@dataclass(frozen=True, slots=True)
class DemoHouse:
    reminders: Reminders
    people: People
    workers: Workers
    family: DemoFamily


def furnish(database: Database, clock: ManualClock, now: datetime) -> DemoHouse:
    # A fixed seed: every demo shows the same.
    family = DemoFamily(clock, random.Random(7), now - timedelta(days=2))  # noqa: S311  no secret
    services = join_reminders(
        ReminderWiring(
            database=database,
            clock=clock,
            channel=family,
            notifier=family,
            links=Links(b"demo", "http://127.0.0.1"),
            newcomer=Newcomer(zone="Asia/Shanghai"),
        )
    )
    family.facts = services.ring_reports
    workers = Workers(SqlTasks(database), Kinds(*services.ring_tasks.kinds()), clock)
    return DemoHouse(services.reminders, services.people, workers, family)


async def live(database: Database, now: datetime, past: timedelta = PAST) -> None:
    """Everything that happened in this house until `now`."""
    clock = ManualClock(now - past)
    house = furnish(database, clock, now)
    await move_in(house.people)
    await make_plans(house.reminders)
    while clock.now() < now:
        look_at = await house.workers.run_due()
        if not await house.family.answer():
            clock.move_to(max(clock.now(), min(look_at or now, now)))
    await plan_ahead(house.reminders, now)


async def move_in(people: People) -> None:
    await people.add_user(
        CLARION,
        user_id=GRANDMOTHER,
        name="奶奶",
        zone="Asia/Shanghai",
        language="zh",
        quiet=QuietHours(time(22), time(6, 30)),
    )
    await people.add_user(
        CLARION, user_id=ANA, name="Ana", zone="Europe/Madrid", language="en", quiet=None
    )
    rooms = (
        ("kitchen-speaker", GRANDMOTHER, DeviceKind.XIAOZHI, "厨房音箱", 0),
        ("bedroom-speaker", GRANDMOTHER, DeviceKind.XIAOZHI, "卧室音箱", 1),
        ("ana-desk", ANA, DeviceKind.TERMINAL, "Ana's desk", 0),
    )
    for device_id, user_id, kind, name, order in rooms:
        await people.add_device(
            CLARION,
            kind=kind,
            user_id=user_id,
            device_id=DeviceId(device_id),
            name=name,
            order=order,
        )
    ladder = (
        (GRANDMOTHER, "女儿小丽", "chat:console:main", 0, 0),
        (GRANDMOTHER, "邻居王阿姨", "chat:console:neighbours", 1, 600),
        (ANA, "Boris", "chat:console:main", 0, 0),
    )
    for user_id, name, address, order, delay in ladder:
        await people.add_contact(
            CLARION, user_id=user_id, name=name, address=address, order=order, delay=delay
        )


async def make_plans(reminders: Reminders) -> None:
    grandmother = Actor(GRANDMOTHER, name="奶奶")
    for text in (
        "每天早上8点提醒我吃降压药，要确认",
        "每天晚上8点半提醒我吃药，要确认",
        "每天上午10点提醒我喝水",
        "每周一三五下午4点提醒我出去走走，要确认",
        "每周日下午3点给小丽打电话",
    ):
        await reminders.natural.create(grandmother, user_id=GRANDMOTHER, text=text)
    ana = Actor(ANA, name="Ana")
    for text in (
        "every day at 7:30 am remind me to take the vitamins until I confirm",
        "every weekday at 5 pm remind me to stretch",
        "every Sunday at 8 pm remind me to water the plants until I confirm",
    ):
        await reminders.natural.create(ana, user_id=ANA, text=text)


async def plan_ahead(reminders: Reminders, now: datetime) -> None:
    plans = (
        (GRANDMOTHER, "奶奶", "三分钟后提醒我关火，要确认"),
        (GRANDMOTHER, "奶奶", "一个半小时后提醒我量血压，要确认"),
        (GRANDMOTHER, "奶奶", "明天下午两点提醒我去社区医院取药"),
        (ANA, "Ana", "in 5 minutes remind me to take the bread out of the oven until I confirm"),
        (ANA, "Ana", "tomorrow at 6 pm call grandma"),
    )
    for user_id, name, text in plans:
        await reminders.natural.create(Actor(user_id, name=name), user_id=user_id, text=text)
