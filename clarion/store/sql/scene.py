"""What a decision about a reminder looks at, read when it is asked for and at most once."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection, func, select

from clarion.base.ids import DeviceId, UserId
from clarion.reminders.change import RingFacts
from clarion.reminders.model import Contact, Device, Reminder, Series, User
from clarion.store.sql import people
from clarion.store.sql.reminder_rows import read_reminder, read_ring, read_series
from clarion.store.sql.tables.reminders import reminders, rings, series, told

_REMINDER = select(reminders)
_SERIES = select(series)
_RING = select(rings).order_by(rings.c.number.desc()).limit(1)
_LAST_RING = select(func.max(rings.c.fired_at))
_HELD = select(reminders).where(reminders.c.held_until.is_not(None))


class SqlScene:
    """`Scene` inside one transaction."""

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
    def user(self) -> User:
        found = people.user(self._conn, self._owner)
        assert found is not None, "a reminder goes with its user"
        return found

    @cached_property
    def devices(self) -> Sequence[Device]:
        return people.devices_of(self._conn, self._owner)

    @cached_property
    def contacts(self) -> Sequence[Contact]:
        return people.contacts_of(self._conn, self._owner)

    @cached_property
    def ring(self) -> RingFacts | None:
        query = _RING.where(rings.c.reminder_id == self.reminder.id)
        row = self._conn.execute(query).one_or_none()
        return read_ring(row) if row else None

    @cached_property
    def waiting(self) -> Sequence[Reminder]:
        query = _HELD.where(reminders.c.user_id == self._owner).with_for_update()
        rows = self._conn.execute(query.order_by(reminders.c.trigger_at, reminders.c.id))
        return [read_reminder(row) for row in rows]

    def last_ring_on(self, device_id: DeviceId) -> datetime | None:
        return self._conn.execute(_LAST_RING.where(rings.c.device_id == device_id)).scalar()

    def was_told(self, contact: Contact) -> bool:
        place = told.c.reminder_id == self.reminder.id, told.c.contact_id == contact.id
        return self._conn.execute(select(told.c.told_at).where(*place)).scalar() is not None

    @property
    def _owner(self) -> UserId:
        if self._reminder is not None:
            return self._reminder.user_id
        if self._series is not None:
            return self._series.user_id
        assert self._user_id is not None, "a scene is always somebody's"
        return self._user_id


def load_reminder(conn: Connection, reminder_id: str, *, lock: bool = False) -> Reminder | None:
    query = _REMINDER.where(reminders.c.id == reminder_id)
    row = conn.execute(query.with_for_update() if lock else query).one_or_none()
    return read_reminder(row) if row else None


def load_series(conn: Connection, series_id: str, *, lock: bool = False) -> Series | None:
    query = _SERIES.where(series.c.id == series_id)
    row = conn.execute(query.with_for_update() if lock else query).one_or_none()
    return read_series(row) if row else None
