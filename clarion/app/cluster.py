"""Joins Redis: signals between servers, the mirror, and the bridge to BullMQ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from clarion.app.parts import Parts
from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.events import Event
from clarion.base.ids import TaskId, new_id
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from clarion.store.sql.engine.postgres import PostgresDatabase
from clarion.store.sql.sight import SqlSight
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.records import ShownTask

if TYPE_CHECKING:
    from clarion.store.redis.bus import Bus
    from clarion.store.redis.jobs import ForeignJob
    from clarion.store.redis.mirror import MirrorPicture


def is_cluster(parts: Parts) -> bool:
    """Redis stands beside PostgreSQL alone: a SQLite file has one server, which needs none."""
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
    taking = parts.add_duty(Intake(steady, Adoption(store, clock), clock))
    parts.add_duty(Bell(patient, taking.wake, clock))


def add_mirror(parts: Parts) -> None:
    """The picture in Redis that other services look at."""
    if not is_cluster(parts):
        return
    from clarion.store.redis.client import steady_client
    from clarion.store.redis.mirror import Mirror

    settings, database = parts.settings, parts.database
    steady = steady_client(settings.redis_url)
    parts.closing.push_async_callback(steady.aclose)
    mirroring = parts.add_duty(Mirror(steady, MirrorSight(SqlSight(database)), parts.clock))
    parts.on_signal(events.CHANNEL, mirroring.wake)


@dataclass(frozen=True, slots=True)
class MirrorSight:
    """The database's sight of things in the words of the mirror."""

    sight: SqlSight

    async def latest(self) -> int:
        return await self.sight.latest()

    async def changed(self, after: int, most: int) -> tuple["MirrorPicture", int]:
        seen = await self.sight.changed(after, most)
        return _picture(seen.rows, seen.gone), seen.upto

    async def page(self, kind: str, after: str, most: int) -> tuple["MirrorPicture", str]:
        rows = await self.sight.page(kind, after, most)
        return _picture({kind: rows}), str(rows[-1]["id"]) if rows else after


def _picture(
    rows: Mapping[str, Sequence[Mapping[str, Any]]], gone: Sequence[str] = ()
) -> "MirrorPicture":
    from clarion.store.redis.mirror import MirrorPicture

    reminders, series, devices = (rows.get(kind, ()) for kind in ("reminders", "series", "devices"))
    return MirrorPicture(reminders, series, devices, gone)


@dataclass(frozen=True, slots=True)
class Announcer:
    database: Database
    clock: Clock

    async def announce(self, event: Event) -> None:
        await self.database.write(events.append, [event], self.clock.now())


@dataclass(frozen=True, slots=True)
class Adoption:
    """Makes a task of a job that another service added to one of the queues.

    The job's name is the kind of the task; its data may have `payload`, `base` and `due_at`.
    """

    store: SqlTasks
    clock: Clock

    async def adopt(self, job: "ForeignJob") -> None:
        now, data = self.clock.now(), job.data
        task = Task(
            TaskId(job.task_id),
            job.name,
            _instant(data.get("due_at"), now),
            data.get("payload") or {},
            _base(data.get("base")),
            Queue(job.queue),
        )
        await self.store.add([task], now)

    async def known(self, ids: Sequence[TaskId]) -> Mapping[TaskId, ShownTask]:
        return await self.store.shown_by_id(ids)


def _base(said: object) -> int:
    return min(Level.CRITICAL, max(0, said)) if isinstance(said, int) else Level.NORMAL


def _instant(said: object, now: datetime) -> datetime:
    if said is None:
        return now
    try:
        found = datetime.fromisoformat(str(said))
    except ValueError:
        raise BadInput(f"{said!r} is no instant.") from None
    if found.tzinfo is None:
        raise BadInput(f"{said!r} has no zone.")
    return found
