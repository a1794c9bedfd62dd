"""Joins Redis to the queue: who watches it, tells it, and brings what it delivers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from clarion.app.parts import Parts
from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.events import Event
from clarion.base.ids import TaskId, new_id
from clarion.doors.http.health import Check
from clarion.reminders.change import RING
from clarion.store.sql import events
from clarion.store.sql.database import Database
from clarion.store.sql.sight import SqlSight
from clarion.store.sql.tasks_relay import SqlOutbox
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.ports import Feed, TaskStore

if TYPE_CHECKING:
    from clarion.store.redis.mirror import Picture

AHEAD = 4  # jobs held for each slot: enough for the two commits that each of them waits for


def is_cluster(parts: Parts) -> bool:
    """Redis stands before PostgreSQL alone: a SQLite file has one server, which needs none."""
    return bool(parts.settings.redis_url) and parts.database.dialect == "postgresql"


def add_cluster(parts: Parts, store: TaskStore) -> Feed:
    """The feed of this server's workers, which goes on without Redis whenever it has to."""
    from clarion.store.redis.client import quick_client, steady_client
    from clarion.store.redis.couriers import Couriers
    from clarion.store.redis.feed import BullFeed
    from clarion.store.redis.relay import Relay
    from clarion.store.redis.watch import RedisWatch

    settings, clock = parts.settings, parts.clock
    quick, steady = quick_client(settings.redis_url), steady_client(settings.redis_url)
    parts.closing.push_async_callback(quick.aclose)
    parts.closing.push_async_callback(steady.aclose)
    outbox = SqlOutbox(parts.database)
    server = new_id("srv", clock.now())
    watch = RedisWatch(quick, outbox, clock, server, Announcer(parts.database, clock).announce)
    relay = Relay(steady, outbox, watch, clock)
    telling = parts.add_pass(relay)
    parts.closing.callback(outbox.listen(telling.wake))
    feed = BullFeed(
        store,
        outbox,
        clock,
        is_away=lambda: watch.is_away,
        bury=relay.bury,
        adopt=Adoption(store, clock).adopt,
    )
    if parts.works:
        ahead = max(8, settings.task_slots * AHEAD)
        couriers = Couriers(settings.redis_url, feed, watch, clock, ahead=ahead)
        watch.listen(feed.nudge)
        parts.add_pass(couriers, idle=timedelta(seconds=1))
        parts.closing.push_async_callback(couriers.close)
    parts.add_pass(watch)
    parts.checks.append(Check("broker", watch.check, required=False))
    parts.degradations.append(lambda: watch.is_away)
    return feed


def add_mirror(parts: Parts) -> None:
    """The picture in Redis that other services look at, and the gate before rings."""
    if not is_cluster(parts):
        return
    from clarion.store.redis.client import quick_client, steady_client
    from clarion.store.redis.gate import TriggerGate
    from clarion.store.redis.mirror import Mirror

    settings, database = parts.settings, parts.database
    quick, steady = quick_client(settings.redis_url), steady_client(settings.redis_url)
    parts.closing.push_async_callback(quick.aclose)
    parts.closing.push_async_callback(steady.aclose)
    mirroring = parts.add_duty(Mirror(steady, MirrorSight(SqlSight(database)), parts.clock))
    parts.closing.callback(database.listen(events.CHANNEL, lambda _: mirroring.wake()))
    parts.kinds.wrap(RING, TriggerGate(quick, parts.is_degraded).before)


@dataclass(frozen=True, slots=True)
class MirrorSight:
    """The database's sight of things in the words of the mirror."""

    sight: SqlSight

    async def latest(self) -> int:
        return await self.sight.latest()

    async def changed(self, after: int, most: int) -> tuple["Picture", int]:
        seen = await self.sight.changed(after, most)
        return _picture(seen.rows, seen.gone), seen.upto

    async def page(self, kind: str, after: str, most: int) -> tuple["Picture", str]:
        rows = await self.sight.page(kind, after, most)
        return _picture({kind: rows}), str(rows[-1]["id"]) if rows else after


def _picture(
    rows: Mapping[str, Sequence[Mapping[str, Any]]], gone: Sequence[str] = ()
) -> "Picture":
    from clarion.store.redis.mirror import Picture

    reminders, series, devices = (rows.get(kind, ()) for kind in ("reminders", "series", "devices"))
    return Picture(reminders, series, devices, gone)


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

    store: TaskStore
    clock: Clock

    async def adopt(self, queue: str, kind: str, reference: str, data: Mapping[str, Any]) -> TaskId:
        now = self.clock.now()
        task = Task(
            TaskId(f"tsk_{queue}_{reference}"),
            kind,
            _instant(data.get("due_at"), now),
            data.get("payload") or {},
            Level.CRITICAL if queue not in set(Queue) else _base(data.get("base")),
            Queue(queue) if queue in set(Queue) else Queue.REMINDERS,
        )
        await self.store.add([task], now)
        return task.id


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
