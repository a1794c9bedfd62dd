"""Queries about reminders and series: look, decide, and write all of it in one transaction."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.errors import Stale
from clarion.base.events import StoredEvent
from clarion.base.ids import DeviceId, Key, ReminderId, SeriesId, UserId
from clarion.people.model import User
from clarion.reminders.decisions.decision import (
    Decide,
    Decision,
    RingFacts,
    ToldContact,
    deadline_task,
    ring_task,
)
from clarion.reminders.decisions.digest import digest_task
from clarion.reminders.errors import NoSuchReminder, NoSuchSeries
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.reminders.ports import Added, Search
from clarion.store.sql import events, idempotency
from clarion.store.sql.engine.database import Database
from clarion.store.sql.engine.prepared import Prepared
from clarion.store.sql.idempotency import KeptBy
from clarion.store.sql.people import store as people
from clarion.store.sql.reminders.locked import (
    SqlScene,
    load_reminder,
    load_series,
    look_at_reminder,
    told_of,
)
from clarion.store.sql.reminders.rows import (
    read_reminder,
    read_ring,
    read_series,
    reminder_values,
    ring_values,
    series_values,
)
from clarion.store.sql.reminders.search import find, find_few, is_brief_search
from clarion.store.sql.tables.people import devices
from clarion.store.sql.tables.reminders import reminders, rings, series, told
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Task

OPEN = ("pending", "triggered")
PUT_BACK_MAX = 1_000  # at once; the next round takes the rest
RING_FACTS = (
    "answer_by",
    "sent_at",
    "delivered_at",
    "heard_at",
    "answered_at",
    "unreachable_at",
    "label",
)
"""What changes about a ring after it has begun."""
_ADD_REMINDER = Prepared(insert(reminders))
_ADD_SERIES = Prepared(insert(series))
_ADD_RING = Prepared(insert(rings))


def _replacing(table: Table) -> Prepared:
    """UPDATE of the version before. Compiled once: every move of a reminder passes here."""
    place = table.c.id == bindparam("at_id"), table.c.version == bindparam("at_version")
    columns = {c.name: bindparam(f"new_{c.name}", type_=c.type) for c in table.c if c.name != "id"}
    return Prepared(update(table).where(*place).values(columns))


_SAVE_REMINDER = _replacing(reminders)
_SAVE_SERIES = _replacing(series)
_SAVE_RING = Prepared(
    update(rings)
    .where(rings.c.id == bindparam("at_id"))
    .values({name: bindparam(f"new_{name}", type_=rings.c[name].type) for name in RING_FACTS})
)


def apply(
    conn: Connection, change: Decision, now: datetime, *, backlog_max: int | None = None
) -> None:
    """Write all of it. Raises Stale, and nothing is written, when a record moved meanwhile.

    Raises `QueueFull` likewise, when somebody would have more than `backlog_max` open tasks.
    """
    for one in change.series:
        _put(conn, _ADD_SERIES, _SAVE_SERIES, series_values(one))
    for each in change.reminders:
        _put(conn, _ADD_REMINDER, _SAVE_REMINDER, reminder_values(each))
    for ring in change.begun:
        _ADD_RING.run(conn, ring_values(ring))
    for ring in change.rings:
        # A ring is only ever written by whoever has locked its reminder.
        bound = {f"new_{name}": getattr(ring, name) for name in RING_FACTS}
        _SAVE_RING.run(conn, {**bound, "at_id": ring.id})
    for reminder_id, known in change.told:
        unknown = dict.fromkeys(("said", "said_at", "until", "delivered_at", "opened_at"))
        again = {"told_at": now, "round": known.round, "through": "", **unknown}
        values = {"reminder_id": reminder_id, "contact_id": known.contact_id, **again}
        insert_ = _insert(conn, told).values(values)
        who = [told.c.reminder_id, told.c.contact_id]
        conn.execute(insert_.on_conflict_do_update(index_elements=who, set_=again))
    for reminder_id, by in change.said:
        place = told.c.reminder_id == reminder_id, told.c.contact_id == by.contact_id
        names = ("said", "said_at", "until", "delivered_at", "opened_at", "through")
        answer = {name: getattr(by, name) for name in names}
        conn.execute(update(told).where(*place).values(answer))
    people.proved(conn, change.proved, change.reached, now)
    if change.drop:
        tasks.cancel_keys(conn, change.drop, now)
    if change.drop_waiting:
        tasks.cancel_keys(conn, change.drop_waiting, now, running=False)
    if change.tasks:
        tasks.add(conn, change.tasks, now, backlog_max=backlog_max)
    events.append(conn, change.events, now)


def _put(conn: Connection, add: Prepared, save: Prepared, values: dict[str, Any]) -> None:
    if values["version"] == 1:
        add.run(conn, values)
        return
    bound = {f"new_{name}": value for name, value in values.items() if name != "id"}
    bound |= {"at_id": values["id"], "at_version": values["version"] - 1}
    if not save.run(conn, bound):
        raise Stale(f"{values['id']!r} was changed by somebody else.", hint="Try it again.")


def _insert(conn: Connection, table: Table) -> Any:
    return (postgresql if conn.dialect.name == "postgresql" else sqlite).insert(table)


def add(
    conn: Connection,
    user: User,
    decide: Decide,
    now: datetime,
    key: Key | None,
    backlog_max: int | None = None,
) -> Added:
    before = idempotency.made_before(conn, KeptBy.REMINDER, key, now)
    if before is not None:
        return Added(before, again=True, change=Decision())
    kept = people.ensure_user(conn, user, now)
    change = decide(SqlScene(conn, user=kept, user_id=kept.id))
    apply(conn, change, now, backlog_max=backlog_max)
    made = change.series[0].id if change.series else change.reminders[0].id
    idempotency.keep_made(conn, KeptBy.REMINDER, key, now, made)
    return Added(made, again=False, change=change)


def pending(conn: Connection) -> int:
    waits = reminders.c.status == ReminderStatus.PENDING
    return int(conn.execute(select(func.count()).select_from(reminders).where(waits)).scalar_one())


def change(conn: Connection, reminder_id: str, decide: Decide, now: datetime) -> Decision:
    reminder = load_reminder(conn, reminder_id, lock=True)
    if reminder is None:
        raise NoSuchReminder(reminder_id)
    decided = decide(SqlScene(conn, reminder=reminder))
    apply(conn, decided, now)
    return decided


def change_series(conn: Connection, series_id: str, decide: Decide, now: datetime) -> Decision:
    found = load_series(conn, series_id, lock=True)
    if found is None:
        raise NoSuchSeries(series_id)
    decided = decide(SqlScene(conn, series=found))
    apply(conn, decided, now)
    return decided


def change_user(conn: Connection, user_id: UserId, decide: Decide, now: datetime) -> Decision:
    decided = decide(SqlScene(conn, user_id=user_id))
    apply(conn, decided, now)
    return decided


def find_series(conn: Connection, user_id: str | None, after: str, limit: int) -> list[Series]:
    query = select(series).where(series.c.id > after).order_by(series.c.id).limit(limit)
    if user_id is not None:
        query = query.where(series.c.user_id == user_id)
    return [read_series(row) for row in conn.execute(query).mappings()]


def rings_of(conn: Connection, reminder_id: str) -> list[RingFacts]:
    query = select(rings).where(rings.c.reminder_id == reminder_id).order_by(rings.c.number)
    return [read_ring(row) for row in conn.execute(query).mappings()]


def waiting_for(conn: Connection, device_id: str, now: datetime) -> list[ReminderId]:
    """Rung on this device and under way, or due for its user with no device reached."""
    owner = conn.execute(select(devices.c.user_id).where(devices.c.id == device_id)).scalar()
    newest = and_(rings.c.reminder_id == reminders.c.id, rings.c.number == reminders.c.rings)
    wanted = reminders.c.id, reminders.c.base, reminders.c.planned_at
    rung = (
        select(*wanted)
        .join(rings, newest)
        .where(
            rings.c.device_id == device_id,
            reminders.c.status == ReminderStatus.TRIGGERED.value,
        )
    )
    unreached = select(*wanted).where(
        reminders.c.user_id == owner,
        reminders.c.unreached_since.is_not(None),
        reminders.c.status.in_(OPEN),
    )
    found = conn.execute(rung.union(unreached)).all()
    urgent_first = sorted(found, key=lambda one: (-one.base, one.planned_at, one.id))
    return [ReminderId(one.id) for one in urgent_first]


def planned_ahead(conn: Connection, now: datetime, after: str) -> list[ReminderId]:
    """Whose next moment we have chosen ourselves, and that moment is still to come."""
    ringing = and_(reminders.c.status == "triggered", reminders.c.answer_by > now)
    tried = or_(reminders.c.attempt > 0, reminders.c.unreached_since.is_not(None))
    ours = or_(tried, reminders.c.series_id.is_not(None))
    again = and_(reminders.c.status == "pending", reminders.c.trigger_at > now, ours)
    unanswered = reminders.c.status.in_([ReminderStatus.TIMEOUT, ReminderStatus.FAILED])
    told = and_(unanswered, reminders.c.ended_at > now)  # its contacts are told one by one
    query = select(reminders.c.id).where(or_(ringing, again, told), reminders.c.id > after)
    found = conn.execute(query.order_by(reminders.c.id).limit(PUT_BACK_MAX))
    return [ReminderId(one) for one in found.scalars()]


def put_back(conn: Connection, before: datetime, now: datetime) -> int:
    """The number of tasks that were missing."""
    held = reminders.c.held_until.is_not(None)
    pending = reminders.c.status == ReminderStatus.PENDING.value
    ringing = reminders.c.status == ReminderStatus.TRIGGERED.value
    overdue: list[Task] = []
    for late, plan in (
        (and_(pending, ~held, reminders.c.trigger_at < before), ring_task),
        (and_(ringing, reminders.c.answer_by < before), deadline_task),
        (and_(held, reminders.c.held_until < before), digest_task),
    ):
        query = select(reminders).where(late).limit(PUT_BACK_MAX)
        found = [read_reminder(row) for row in conn.execute(query).mappings()]
        overdue += [plan(one, now) for one in found]
    return len(tasks.add(conn, overdue, now))


class SqlReminders:
    """`ReminderStore` over one database. `newcomer` is what an unknown user begins with.

    `backlog_max`: with so many open tasks a user gets nothing new; what is there goes on.
    """

    def __init__(
        self, db: Database, newcomer: User | None = None, *, backlog_max: int | None = None
    ) -> None:
        self._db = db
        self._backlog_max = backlog_max
        self._newcomer = newcomer or User(id=UserId(""))

    async def pending(self) -> int:
        """How many wait, for those who watch the whole."""
        return await self._db.read(pending)

    async def add(self, user_id: UserId, decide: Decide, now: datetime, key: Key | None) -> Added:
        begins = User(
            id=user_id, zone=self._newcomer.zone, language=self._newcomer.language, created_at=now
        )
        return await self._db.write(add, begins, decide, now, key, self._backlog_max)

    async def change(self, reminder_id: ReminderId, decide: Decide, now: datetime) -> Decision:
        return await self._db.write(change, reminder_id, decide, now)

    async def change_series(self, series_id: SeriesId, decide: Decide, now: datetime) -> Decision:
        return await self._db.write(change_series, series_id, decide, now)

    async def change_user(self, user_id: UserId, decide: Decide, now: datetime) -> Decision:
        return await self._db.write(change_user, user_id, decide, now)

    async def get(self, reminder_id: ReminderId) -> Reminder | None:
        return await self._db.read(look_at_reminder, reminder_id)

    async def find(self, search: Search) -> list[Reminder]:
        return await self._db.read(find_few if is_brief_search(search) else find, search)

    async def get_series(self, series_id: SeriesId) -> Series | None:
        return await self._db.read(load_series, series_id)

    async def find_series(self, user_id: UserId | None, *, after: str, limit: int) -> list[Series]:
        return await self._db.read(find_series, user_id, after, limit)

    async def told(self, reminder_id: ReminderId) -> list[ToldContact]:
        return await self._db.read(told_of, reminder_id)

    async def rings(self, reminder_id: ReminderId) -> list[RingFacts]:
        return await self._db.read(rings_of, reminder_id)

    async def history(self, subject: str) -> list[StoredEvent]:
        return await self._db.read(events.about, subject)

    async def planned_ahead(self, now: datetime, *, after: str = "") -> list[ReminderId]:
        return await self._db.read(planned_ahead, now, after)

    async def last_noted(self) -> datetime | None:
        return await self._db.read(events.last_at)

    async def put_back(self, before: datetime, now: datetime) -> int:
        return await self._db.write(put_back, before, now)

    async def waiting_for(self, device_id: DeviceId, now: datetime) -> list[ReminderId]:
        return await self._db.read(waiting_for, device_id, now)
