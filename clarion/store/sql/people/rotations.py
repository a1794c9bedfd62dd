"""Queries about rotations: which contacts take turns."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from clarion.base.errors import Stale
from clarion.base.ids import ContactId, UserId
from clarion.people.events import RotationChanged
from clarion.people.model import AwayDays, Override, Rotation, RotationId, ShiftLength
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database, Prepared
from clarion.store.sql.tables.people import rotations


def days_values(days: Sequence[AwayDays]) -> list[list[str]]:
    return [[one.first.isoformat(), one.last.isoformat()] for one in days]


def read_days(kept: Sequence[Sequence[str]] | None) -> tuple[AwayDays, ...]:
    return tuple(AwayDays(*(date.fromisoformat(day) for day in one)) for one in kept or ())


_OF = Prepared(
    select(rotations)
    .where(rotations.c.user_id == bindparam("id"))
    .order_by(rotations.c.order, rotations.c.id)
)


def of(conn: Connection, user_id: str) -> list[Rotation]:
    return [_rotation(row) for row in _OF.rows(conn, {"id": user_id})]


def get(conn: Connection, rotation_id: str) -> Rotation | None:
    query = select(rotations).where(rotations.c.id == rotation_id)
    row = conn.execute(query).mappings().one_or_none()
    return _rotation(row) if row else None


def add(conn: Connection, rotation: Rotation, now: datetime) -> None:
    conn.execute(insert(rotations).values(_values(rotation)))
    _note(conn, rotation, "added", now)


def save(conn: Connection, rotation: Rotation, now: datetime) -> None:
    """Replace the version before this one, or raise Stale: somebody was faster."""
    place = rotations.c.id == rotation.id, rotations.c.version == rotation.version - 1
    if not conn.execute(update(rotations).where(*place).values(_values(rotation))).rowcount:
        raise Stale(f"{rotation.id!r} was changed by somebody else.")
    _note(conn, rotation, "changed", now)


def remove(conn: Connection, rotation: Rotation, now: datetime) -> None:
    if conn.execute(delete(rotations).where(rotations.c.id == rotation.id)).rowcount:
        _note(conn, rotation, "removed", now)


def _note(conn: Connection, rotation: Rotation, how: str, now: datetime) -> None:
    event = RotationChanged(subject=rotation.id, user=rotation.user_id, name=rotation.name, how=how)
    events.append(conn, [event], now)


def _values(one: Rotation) -> dict[str, Any]:
    values = {name: getattr(one, name) for name in Rotation.__slots__}
    return values | {
        "every": one.every.value,
        "hands_over": one.hands_over.isoformat(),
        "begins_on": one.begins_on.isoformat(),
        "members": list(one.members),
        "overrides": [
            [each.contact_id, each.begins_at.isoformat(), each.ends_at.isoformat()]
            for each in one.overrides
        ],
        "holidays": days_values(one.holidays),
        "holiday_members": list(one.holiday_members),
    }


def _rotation(row: Mapping[Any, Any]) -> Rotation:
    kept = {
        "every": ShiftLength(row["every"]),
        "hands_over": time.fromisoformat(row["hands_over"]),
        "begins_on": date.fromisoformat(row["begins_on"]),
        "members": tuple(row["members"]),
        "overrides": tuple(_override(*one) for one in row["overrides"]),
        "holidays": read_days(row["holidays"]),
        "holiday_members": tuple(row["holiday_members"]),
    }
    return Rotation(**{**row, **kept})


def _override(contact_id: str, begins: str, ends: str) -> Override:
    instants = datetime.fromisoformat(begins), datetime.fromisoformat(ends)
    return Override(ContactId(contact_id), *instants)


class SqlRotations:
    """`RotationStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def rotations(self, user_id: UserId) -> list[Rotation]:
        return await self._db.read(of, user_id)

    async def rotation(self, rotation_id: RotationId) -> Rotation | None:
        return await self._db.read(get, rotation_id)

    async def add(self, rotation: Rotation, now: datetime) -> None:
        await self._db.write(add, rotation, now)

    async def save(self, rotation: Rotation, now: datetime) -> None:
        await self._db.write(save, rotation, now)

    async def remove(self, rotation: Rotation, now: datetime) -> None:
        await self._db.write(remove, rotation, now)
