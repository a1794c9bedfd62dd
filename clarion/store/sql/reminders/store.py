"""Queries about reminders and series: look, decide, and write all of it in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.errors import Stale
from clarion.base.events import StoredEvent
from clarion.base.ids import DeviceId, Key, ReminderId, SeriesId, UserId
from clarion.people.errors import NoSuchUser
from clarion.people.model import Contact, Device, Rotation, User
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
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus, Series
from clarion.reminders.ports import Added, Search
from clarion.store.sql import events, idempotency
from clarion.store.sql.engine.database import Database, Prepared, brief
from clarion.store.sql.idempotency import KeptBy
from clarion.store.sql.people import rotations
from clarion.store.sql.people import store as people
from clarion.store.sql.reminders.reads import (
    PUT_BACK_MAX,
    REMINDER_COLUMNS,
    RING_COLUMNS,
    SERIES_COLUMNS,
    find,
    find_few,
    find_series,
    is_brief_search,
    pending,
    planned_ahead,
    read_raw_reminder,
    read_reminder,
    read_ring,
    read_series,
    rings_of,
    waiting_for,
)
from clarion.store.sql.tables.reminders import reminders, rings, series, told
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Task

# Built once: every ring passes here, and building a query costs as much as running it.
_one_reminder = select(reminders).where(reminders.c.id == bindparam("id"))
_one_series = select(series).where(series.c.id == bindparam("id"))
_REMINDER = Prepared(_one_reminder)
_LOCKED_REMINDER = Prepared(_one_reminder.with_for_update())
_SERIES = Prepared(_one_series)
_LOCKED_SERIES = Prepared(_one_series.with_for_update())
_RING = Prepared(
    select(rings)
    .where(rings.c.reminder_id == bindparam("id"))
    .order_by(rings.c.number.desc())
    .limit(1)
)
_LAST_RING = Prepared(
    select(rings.c.fired_at.label("at"))
    .where(rings.c.device_id == bindparam("id"), rings.c.unreachable_at.is_(None))
    .order_by(rings.c.fired_at.desc())
    .limit(1)
)
_LAST_OF_SERIES = Prepared(
    select(rings.c.fired_at.label("at"))
    .join(reminders, reminders.c.id == rings.c.reminder_id)
    .where(reminders.c.series_id == bindparam("id"), rings.c.fired_at <= bindparam("before"))
    .order_by(rings.c.fired_at.desc())
    .limit(1)
)
_UNFINISHED = Prepared(
    select(reminders)
    .where(
        reminders.c.series_id == bindparam("id"),
        reminders.c.ended_at.is_(None),
    )
    .order_by(reminders.c.trigger_at, reminders.c.id)
    .with_for_update()
)
_TOLD = Prepared(
    select(*(one for one in told.c if one.name != "reminder_id"))
    .where(told.c.reminder_id == bindparam("id"))
    .order_by(told.c.told_at, told.c.contact_id)
)
_HELD = Prepared(
    select(reminders)
    .where(reminders.c.held_until.is_not(None), reminders.c.user_id == bindparam("id"))
    .order_by(reminders.c.trigger_at, reminders.c.id)
    .with_for_update()
)


class SqlLockedReminder:
    """A `LockedReminder` inside one transaction."""

    def __init__(
        self,
        conn: Connection,
        *,
        user: User | None = None,
        user_id: UserId | None = None,
        reminder: Reminder | None = None,
        series: Series | None = None,
    ) -> None:
        self._conn = conn
        self._reminder = reminder
        self._series = series
        self._user_id = user_id
        if user is not None:
            self.user = user

    @property
    def reminder(self) -> Reminder:
        assert self._reminder is not None, "this decision is not about one reminder"
        return self._reminder

    @cached_property
    def series(self) -> Series | None:
        if self._series is not None or self._reminder is None:
            return self._series
        if self._reminder.series_id is None:
            return None
        return load_series(self._conn, self._reminder.series_id, lock=True)

    @cached_property
    def current(self) -> Reminder | None:
        if self.series is None or self.series.current is None:
            return None
        if self._reminder is not None and self._reminder.id == self.series.current:
            return self._reminder
        return load_reminder(self._conn, self.series.current, lock=True)

    @cached_property
    def unfinished(self) -> Sequence[Reminder]:
        if self.series is None:
            return ()
        return [read_reminder(row) for row in _UNFINISHED.rows(self._conn, {"id": self.series.id})]

    @cached_property
    def user(self) -> User:
        found = people.user(self._conn, self._owner)
        assert found is not None, "a reminder goes with its user"
        return found

    @cached_property
    def devices(self) -> Sequence[Device]:
        return people.devices_of(self._conn, self._owner)

    @cached_property
    def contacts(self) -> Sequence[Contact]:
        return people.ladder_of(self._conn, self._owner)

    @cached_property
    def rotations(self) -> Sequence[Rotation]:
        return rotations.of(self._conn, self._owner)

    @cached_property
    def ring(self) -> RingFacts | None:
        row = _RING.row(self._conn, {"id": self.reminder.id})
        return read_ring(row) if row else None

    @cached_property
    def waiting(self) -> Sequence[Reminder]:
        return [read_reminder(row) for row in _HELD.rows(self._conn, {"id": self._owner})]

    def last_ring_on(self, device_id: DeviceId) -> datetime | None:
        row = _LAST_RING.row(self._conn, {"id": device_id})
        return row["at"] if row else None

    def series_rang_at(self, before: datetime) -> datetime | None:
        if self.series is None:
            return None
        row = _LAST_OF_SERIES.row(self._conn, {"id": self.series.id, "before": before})
        return row["at"] if row else None

    @cached_property
    def told(self) -> Sequence[ToldContact]:
        return told_of(self._conn, self.reminder.id)

    @property
    def _owner(self) -> UserId:
        if self._reminder is not None:
            return self._reminder.user_id
        if self._series is not None:
            return self._series.user_id
        assert self._user_id is not None, "a decision is always about somebody's"
        return self._user_id


def told_of(conn: Connection, reminder_id: str) -> list[ToldContact]:
    return [ToldContact(**row) for row in _TOLD.rows(conn, {"id": reminder_id})]


def load_reminder(conn: Connection, reminder_id: str, *, lock: bool = False) -> Reminder | None:
    query = _LOCKED_REMINDER if lock else _REMINDER
    found = query.values(conn, {"id": reminder_id}, read_reminder, read_raw_reminder)
    return found[0] if found else None


@brief
def look_at_reminder(conn: Connection, reminder_id: str) -> Reminder | None:
    """`load_reminder` for callers that only read it."""
    return load_reminder(conn, reminder_id)


def load_series(conn: Connection, series_id: str, *, lock: bool = False) -> Series | None:
    query = _LOCKED_SERIES if lock else _SERIES
    row = query.row(conn, {"id": series_id})
    return read_series(row) if row else None


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
_ADDING = {reminders: Prepared(insert(reminders)), series: Prepared(insert(series))}
_ADD_RING = Prepared(insert(rings))


@lru_cache(maxsize=256)  # most changes of a reminder are a dozen
def _replacing(table: Table, names: Sequence[str]) -> Prepared:
    """An UPDATE of these columns of the version before."""
    place = table.c.id == bindparam("at_id"), table.c.version == bindparam("at_version")
    columns = {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in names}
    return Prepared(update(table).where(*place).values(columns))


_SAVE_RING = Prepared(
    update(rings)
    .where(rings.c.id == bindparam("at_id"))
    .values({name: bindparam(f"new_{name}", type_=rings.c[name].type) for name in RING_FACTS})
)


def reminder_values(reminder: Reminder, before: Reminder | None = None) -> dict[str, Any]:
    """What is kept of it; only what differs from the version `before`, when that is given.

    SQLite writes each index of a column that is named, even if its value stays.
    """
    return {
        name: value if (write := WRITTEN.get(name)) is None else write(value)
        for name in KEPT_OF_A_REMINDER
        if (value := getattr(reminder, name)) is not getattr(before, name, NEVER)
    }


def series_values(series: Series) -> dict[str, Any]:
    values = {name: getattr(series, name) for name in SERIES_COLUMNS}
    values["context"] = dict(series.context)
    values["confirmation"] = confirmation_values(series.confirmation)
    values["skipped"] = [at.isoformat() for at in series.skipped]
    return values


def ring_values(ring: RingFacts) -> dict[str, Any]:
    return {name: getattr(ring, name) for name in RING_COLUMNS}


def confirmation_values(config: ConfirmationConfig) -> dict[str, Any]:
    return {
        "required": config.required,
        "timeout": config.timeout,
        "retry_interval": config.retry_interval,
        "max_retries": config.max_retries,
        "confirm_keywords": list(config.confirm_keywords),
        "needs": config.needs,
        "escalation": people.policy_values(config.escalation),
    }


WRITTEN: Mapping[str, Callable[[Any], Any]] = {
    "context": dict,
    "confirmation": confirmation_values,
    "status": str,
    "tried": list,
}
"""How a field of a reminder is kept where it is not kept as it is."""
KEPT_OF_A_REMINDER = (*REMINDER_COLUMNS, *WRITTEN)
NEVER = object()  # what no field is


def apply(
    conn: Connection,
    change: Decision,
    now: datetime,
    *,
    before: Reminder | None = None,
    backlog_max: int | None = None,
) -> None:
    """Write all of it. Raises Stale, and nothing is written, when a record moved meanwhile.

    `before`: the locked reminder that the decision is about. Raises `QueueFull` likewise, when
    somebody would have more than `backlog_max` open tasks.
    """
    for one in change.series:
        _put(conn, series, one, series_values(one))
    for each in change.reminders:
        follows = before is not None and (before.id, before.version + 1) == (each.id, each.version)
        _put(conn, reminders, each, reminder_values(each, before if follows else None))
    for ring in change.begun:
        _ADD_RING.run(conn, ring_values(ring))
    for ring in change.rings:
        # A ring is only written while its reminder is locked.
        bound = {f"new_{name}": getattr(ring, name) for name in RING_FACTS}
        _SAVE_RING.run(conn, {**bound, "at_id": ring.id})
    for reminder_id, known in change.told:
        unknown = dict.fromkeys(("said", "said_at", "until", "delivered_at", "opened_at"))
        renewed = {"told_at": now, "round": known.round, "through": "", **unknown}
        values = {"reminder_id": reminder_id, "contact_id": known.contact_id, **renewed}
        insert_ = _insert(conn, told).values(values)
        who = [told.c.reminder_id, told.c.contact_id]
        conn.execute(insert_.on_conflict_do_update(index_elements=who, set_=renewed))
    for reminder_id, by in change.said:
        place = told.c.reminder_id == reminder_id, told.c.contact_id == by.contact_id
        names = ("said", "said_at", "until", "delivered_at", "opened_at", "through")
        answer = {name: getattr(by, name) for name in names}
        conn.execute(update(told).where(*place).values(answer))
    people.proved(conn, change.proved, change.reached, now)
    _plan(conn, change, now, backlog_max)
    events.append(conn, change.events, now)


def _plan(conn: Connection, change: Decision, now: datetime, backlog_max: int | None) -> None:
    if change.drop:
        tasks.cancel_keys(conn, change.drop, now)
    if change.drop_waiting:
        tasks.cancel_keys(conn, change.drop_waiting, now, running=False)
    for key, task in change.moved:
        tasks.move(conn, key, task, now)
    if change.tasks:
        tasks.add(conn, change.tasks, now, backlog_max=backlog_max)


def _put(conn: Connection, table: Table, one: Reminder | Series, values: dict[str, Any]) -> None:
    if one.version == 1:
        _ADDING[table].run(conn, values)
        return
    values.pop("id", None)
    bound = {f"new_{name}": value for name, value in values.items()}
    bound |= {"at_id": one.id, "at_version": one.version - 1}
    if not _replacing(table, tuple(values)).run(conn, bound):
        raise Stale(f"{one.id!r} was changed by somebody else.", hint="Try it again.")


def _insert(conn: Connection, table: Table) -> Any:
    return (postgresql if conn.dialect.name == "postgresql" else sqlite).insert(table)


def add(
    conn: Connection,
    user: User,
    decide: Decide,
    now: datetime,
    key: Key | None,
    known: bool,
    backlog_max: int | None,
) -> Added:
    if key and (before := idempotency.made_before(conn, KeptBy.REMINDER, key, now)):
        return Added(before, existed=True, change=Decision())
    kept = people.user(conn, user.id) if known else people.ensure_user(conn, user, now)
    if kept is None:
        raise NoSuchUser(user.id)
    change = decide(SqlLockedReminder(conn, user=kept, user_id=kept.id))
    apply(conn, change, now, backlog_max=backlog_max)
    made = change.series[0].id if change.series else change.reminders[0].id
    if key:
        idempotency.keep_made(conn, KeptBy.REMINDER, key, now, made)
    return Added(made, existed=False, change=change)


def change(conn: Connection, reminder_id: str, decide: Decide, now: datetime) -> Decision:
    reminder = load_reminder(conn, reminder_id, lock=True)
    if reminder is None:
        raise NoSuchReminder(reminder_id)
    decided = decide(SqlLockedReminder(conn, reminder=reminder))
    apply(conn, decided, now, before=reminder)
    return replace(decided, before=reminder)


def change_series(conn: Connection, series_id: str, decide: Decide, now: datetime) -> Decision:
    found = load_series(conn, series_id, lock=True)
    if found is None:
        raise NoSuchSeries(series_id)
    decided = decide(SqlLockedReminder(conn, series=found))
    apply(conn, decided, now)
    return replace(decided, series_before=found)


def change_user(conn: Connection, user_id: UserId, decide: Decide, now: datetime) -> Decision:
    decided = decide(SqlLockedReminder(conn, user_id=user_id))
    apply(conn, decided, now)
    return decided


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

    `backlog_max`: with this many open tasks a user gets no new ones; the open ones go on.
    """

    def __init__(
        self, db: Database, newcomer: User | None = None, *, backlog_max: int | None = None
    ) -> None:
        self._db = db
        self._backlog_max = backlog_max
        self._newcomer = newcomer or User(id=UserId(""))

    async def pending(self) -> int:
        """How many wait, for metrics."""
        return await self._db.read(pending)

    async def add(
        self,
        user_id: UserId,
        decide: Decide,
        now: datetime,
        key: Key | None,
        *,
        known: bool = False,
    ) -> Added:
        begins = User(
            id=user_id, zone=self._newcomer.zone, language=self._newcomer.language, created_at=now
        )
        return await self._db.write(add, begins, decide, now, key, known, self._backlog_max)

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
