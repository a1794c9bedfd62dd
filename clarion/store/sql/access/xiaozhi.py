"""Queries about pasted xiaozhi addresses."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from clarion.access.tokens import hashed
from clarion.access.xiaozhi import AccessPoint, LineError, PointId, PointState, SamePoint
from clarion.base.ids import UserId
from clarion.store.sql.engine.database import Database, send_signal
from clarion.store.sql.tables.access import xiaozhi_points

CHANNEL = "clarion_xiaozhi"  # sent when a connection has to be opened or closed


def add(conn: Connection, point: AccessPoint, most: int) -> None:
    hash_ = hashed(point.address)
    known = select(xiaozhi_points.c.id).where(xiaozhi_points.c.address_hash == hash_)
    if conn.execute(known).first():
        raise SamePoint("This address is there already.", hint="One agent belongs to one person.")
    count = select(func.count()).where(xiaozhi_points.c.user_id == point.user_id)
    if conn.execute(count).scalar_one() >= most:
        raise SamePoint(f"A person has at most {most} addresses.", hint="Remove one first.")
    conn.execute(
        insert(xiaozhi_points).values(
            id=point.id,
            user_id=point.user_id,
            address=point.address,
            address_hash=hash_,
            state=point.state.value,
            error=point.error.value,
            tries=point.tries,
            next_at=point.next_at,
            held_by="",
            created_at=point.created_at,
        )
    )
    send_signal(conn, CHANNEL)


def points(conn: Connection, user_id: str | None) -> list[AccessPoint]:
    query = select(xiaozhi_points).order_by(xiaozhi_points.c.id)
    if user_id is not None:
        query = query.where(xiaozhi_points.c.user_id == user_id)
    return [_point(row) for row in conn.execute(query)]


def find(conn: Connection, point_id: str) -> AccessPoint | None:
    query = select(xiaozhi_points).where(xiaozhi_points.c.id == point_id)
    row = conn.execute(query).one_or_none()
    return _point(row) if row else None


def remove(conn: Connection, point_id: str) -> None:
    conn.execute(delete(xiaozhi_points).where(xiaozhi_points.c.id == point_id))
    send_signal(conn, CHANNEL)


def remove_of(conn: Connection, user_id: str) -> None:
    """Call it in the transaction that removes the person."""
    gone = delete(xiaozhi_points).where(xiaozhi_points.c.user_id == user_id)
    if conn.execute(gone).rowcount:
        send_signal(conn, CHANNEL)


def opened(conn: Connection, point_id: str, server: str, now: datetime) -> None:
    values = {
        "state": PointState.CONNECTED.value,
        "error": "",
        "connected_at": now,
        "held_by": server,
    }
    conn.execute(update(xiaozhi_points).where(xiaozhi_points.c.id == point_id).values(values))


def ended(
    conn: Connection,
    point_id: str,
    server: str,
    state: PointState,
    error: LineError,
    tries: int,
    next_at: datetime,
) -> None:
    ours = xiaozhi_points.c.id == point_id, xiaozhi_points.c.held_by.in_(["", server])
    values = {
        "state": state.value,
        "error": error.value,
        "tries": tries,
        "next_at": next_at,
        "held_by": "",
    }
    if conn.execute(update(xiaozhi_points).where(*ours).values(values)).rowcount:
        send_signal(conn, CHANNEL)


def retry(conn: Connection, point_id: str, now: datetime) -> None:
    values = {"state": PointState.WAITING.value, "tries": 0, "next_at": now}
    idle = xiaozhi_points.c.state != PointState.CONNECTED.value
    same = xiaozhi_points.c.id == point_id
    conn.execute(update(xiaozhi_points).where(same, idle).values(values))
    send_signal(conn, CHANNEL)


def _point(row: Row[Any]) -> AccessPoint:
    return AccessPoint(
        id=PointId(row.id),
        user_id=UserId(row.user_id),
        address=row.address,
        state=PointState(row.state),
        error=LineError(row.error),
        tries=row.tries,
        next_at=row.next_at,
        connected_at=row.connected_at,
        held_by=row.held_by,
        created_at=row.created_at,
    )


class SqlPoints:
    """`PointStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, point: AccessPoint, most: int) -> None:
        await self._db.write(add, point, most)

    async def points(self, user_id: UserId | None) -> list[AccessPoint]:
        return await self._db.read(points, user_id)

    async def find(self, point_id: PointId) -> AccessPoint | None:
        return await self._db.read(find, point_id)

    async def remove(self, point_id: PointId) -> None:
        await self._db.write(remove, point_id)

    async def opened(self, point_id: PointId, server: str, now: datetime) -> None:
        await self._db.write(opened, point_id, server, now)

    async def ended(
        self,
        point_id: PointId,
        server: str,
        state: PointState,
        error: LineError,
        tries: int,
        next_at: datetime,
    ) -> None:
        await self._db.write(ended, point_id, server, state, error, tries, next_at)

    async def retry(self, point_id: PointId, now: datetime) -> None:
        await self._db.write(retry, point_id, now)
