"""Joins the servers that share one database: what one decides reaches the device's line at
another. And Redis, where it is set: signals, the mirror, and the bridge to BullMQ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clarion.app.parts import Parts
from clarion.base.clock import Clock
from clarion.base.events import Event
from clarion.base.ids import TaskId, new_id
from clarion.doors.devices.wake.neighbours import Neighbours
from clarion.doors.devices.wake.wake import Wakes
from clarion.doors.devices.wire.registry import Registry
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database, send_signal
from clarion.store.sql.engine.postgres import PostgresDatabase
from clarion.store.sql.mirrored import SqlMirrored
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.records import ShownTask

if TYPE_CHECKING:
    from clarion.store.redis.bus import Bus
    from clarion.store.redis.jobs import ForeignJob


def is_cluster(parts: Parts) -> bool:
    """Redis is used only with PostgreSQL: a SQLite file has one server, which needs none."""
    return bool(parts.settings.redis_url) and parts.database.dialect == "postgresql"


def add_cluster(parts: Parts) -> None:
    """What Redis does for the queue. The path of a task leads through none of it."""
    if not is_cluster(parts):
        return
    from clarion.store.redis.client import quick_client
    from clarion.store.redis.watch import RedisWatch

    quick = quick_client(parts.settings.redis_url)
    parts.closing.push_async_callback(quick.aclose)
    server = new_id("srv", parts.clock.now())
    announce = Announcer(parts.database, parts.clock).announce
    watch = RedisWatch(quick, parts.clock, server, announce)
    parts.add_pass(watch)
    parts.add_redis_check(watch.check)
    add_news(parts, server)
    add_bridge(parts)


def bus_of(parts: Parts) -> "Bus | None":
    """The one bus of this server; None where there is no Redis."""
    if not is_cluster(parts):
        return None
    if parts.bus is None:
        from clarion.store.redis.bus import Bus
        from clarion.store.redis.client import patient_client, quick_client

        url = parts.settings.redis_url
        ear, mouth = patient_client(url), quick_client(url)
        parts.closing.push_async_callback(ear.aclose)
        parts.closing.push_async_callback(mouth.aclose)
        parts.bus = Bus(ear, mouth, parts.clock)
        parts.add_pass(parts.bus)
    return parts.bus


def add_news(parts: Parts, server: str) -> None:
    """A second signal to other servers' workers, beside PostgreSQL's own."""
    from clarion.store.redis.news import TaskNews

    bus, database = bus_of(parts), parts.database
    assert bus is not None
    assert isinstance(database, PostgresDatabase)
    news = TaskNews(bus, server, lambda heard: database.hear(tasks.CHANNEL, heard))
    saying = parts.add_pass(news)

    def said(what: str) -> None:
        news.say(what)
        saying.wake()

    parts.closing.callback(database.listen(tasks.MOVED_HERE, said))


def add_bridge(parts: Parts) -> None:
    """Tasks are shown as BullMQ jobs, and jobs of others become tasks: by one server at a time."""
    from clarion.store.redis.bridge import Bell, Intake, Showcase
    from clarion.store.redis.client import patient_client, steady_client

    url, clock, database = parts.settings.redis_url, parts.clock, parts.database
    steady, patient = steady_client(url), patient_client(url)
    parts.closing.push_async_callback(steady.aclose)
    parts.closing.push_async_callback(patient.aclose)
    store = SqlTasks(database)
    showing = parts.add_duty(Showcase(steady, store, clock))
    parts.on_signal(tasks.CHANNEL, showing.wake)
    taking = parts.add_duty(Intake(steady, Adoption(store, clock, parts.kinds), clock))
    parts.add_duty(Bell(patient, taking.wake, clock))


def add_mirror(parts: Parts) -> None:
    """The mirror in Redis that other services look at."""
    if not is_cluster(parts):
        return
    from clarion.store.redis.client import steady_client
    from clarion.store.redis.mirror import Mirror

    settings, database = parts.settings, parts.database
    steady = steady_client(settings.redis_url)
    parts.closing.push_async_callback(steady.aclose)
    mirroring = parts.add_duty(Mirror(steady, SqlMirrored(database), parts.clock))
    parts.on_signal(events.CHANNEL, mirroring.wake)


@dataclass(frozen=True, slots=True)
class Announcer:
    database: Database
    clock: Clock

    async def announce(self, event: Event) -> None:
        await self.database.write(events.append, [event], self.clock.now())


@dataclass(frozen=True, slots=True)
class Adoption:
    """Adds the tasks of jobs that another service added to one of the queues."""

    store: SqlTasks
    clock: Clock
    kinds: Kinds | None = None
    """Jobs of other kinds are refused; without it every kind is taken."""

    async def adopt(self, job: "ForeignJob") -> None:
        now = self.clock.now()
        task = job.task(now)
        if self.kinds is not None:
            self.kinds.check(task.kind)
        await self.store.add([task], now)

    async def known(self, ids: Sequence[TaskId]) -> Mapping[TaskId, ShownTask]:
        return await self.store.shown_by_id(ids)


CHANNEL = "clarion_devices"
OTHERS_MIN = 2  # receivers: we ourselves, and at least one more


def add_neighbours(parts: Parts, registry: Registry, wakes: Wakes) -> Neighbours | None:
    """None for a server that is alone: a SQLite file has one.

    By PostgreSQL, and by Redis where there is one; when it is away, by PostgreSQL again.
    """
    database = parts.database
    if database.dialect == "sqlite":
        return None
    spoken = Spoken(database, bus_of(parts))
    neighbours = Neighbours(registry, wakes, spoken.send)

    def look_everywhere() -> None:
        for line in registry:
            line.look()

    if spoken.bus is not None:
        spoken.bus.listen(CHANNEL, neighbours.hear)
        spoken.bus.returned.append(look_everywhere)
    parts.closing.callback(database.listen(CHANNEL, neighbours.hear))
    return neighbours


@dataclass(frozen=True, slots=True)
class Spoken:
    database: Database
    bus: "Bus | None"

    async def send(self, text: str) -> None:
        heard = await self.bus.publish(CHANNEL, text) if self.bus else 0
        if heard < OTHERS_MIN:
            await self.database.write(send_signal, CHANNEL, text)
