"""What a decision about a reminder looks at, read when it is asked for and at most once."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection, bindparam, select

from clarion.base.ids import DeviceId, UserId
from clarion.people.model import Contact, Device, Rotation, User
from clarion.reminders.decisions.decision import RingFacts, ToldContact
from clarion.reminders.model import Reminder, Series
from clarion.store.sql.engine.database import brief
from clarion.store.sql.engine.prepared import Prepared
from clarion.store.sql.people import rotations
from clarion.store.sql.people import store as people
from clarion.store.sql.reminders.rows import (
    read_raw_reminder,
    read_reminder,
    read_ring,
    read_series,
)
from clarion.store.sql.tables.reminders import reminders, rings, series, told

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


class SqlScene:
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
        assert self._user_id is not None, "a scene is always somebody's"
        return self._user_id


def told_of(conn: Connection, reminder_id: str) -> list[ToldContact]:
    return [ToldContact(**row) for row in _TOLD.rows(conn, {"id": reminder_id})]


def load_reminder(conn: Connection, reminder_id: str, *, lock: bool = False) -> Reminder | None:
    query = _LOCKED_REMINDER if lock else _REMINDER
    found = query.values(conn, {"id": reminder_id}, read_reminder, read_raw_reminder)
    return found[0] if found else None


@brief
def look_at_reminder(conn: Connection, reminder_id: str) -> Reminder | None:
    """`load_reminder` for whoever only wants to see it."""
    return load_reminder(conn, reminder_id)


def load_series(conn: Connection, series_id: str, *, lock: bool = False) -> Series | None:
    query = _LOCKED_SERIES if lock else _SERIES
    row = query.row(conn, {"id": series_id})
    return read_series(row) if row else None
