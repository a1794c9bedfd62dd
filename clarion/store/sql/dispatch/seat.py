"""Stations, and a past day as it was reported: what the dispatcher's seat asks for."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from clarion.dispatch.model import Place, Station
from clarion.dispatch.seat.replay import PastDay
from clarion.store.sql.dispatch import rows
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.dispatch import assignments, dispatch_events, stations, teams


def listed(conn: Connection) -> list[Station]:
    return [
        Station(
            id=row.id,
            name=row.name,
            place=Place(row.latitude, row.longitude),
            district=row.district,
            least=row.least,
        )
        for row in conn.execute(select(stations).order_by(stations.c.id))
    ]


def keep(conn: Connection, station: Station) -> None:
    conn.execute(delete(stations).where(stations.c.id == station.id))
    conn.execute(
        insert(stations).values(
            id=station.id,
            name=station.name,
            latitude=station.place.latitude,
            longitude=station.place.longitude,
            district=station.district,
            least=dict(station.least),
        )
    )


def drop(conn: Connection, station_id: str) -> bool:
    return conn.execute(delete(stations).where(stations.c.id == station_id)).rowcount == 1


def day(conn: Connection, since: datetime, until: datetime, most: int) -> PastDay:
    reported = dispatch_events.c.reported_at
    found = conn.execute(
        select(dispatch_events)
        .where(reported >= since, reported < until)
        .order_by(reported, dispatch_events.c.id)
        .limit(most)
    )
    events = tuple(rows.event(row) for row in found)
    parts = conn.execute(
        select(assignments).where(assignments.c.opened_at >= since, assignments.c.opened_at < until)
    )
    return PastDay(
        events=events,
        teams=tuple(rows.team(row) for row in conn.execute(select(teams).order_by(teams.c.id))),
        parts=tuple(rows.assignment(row) for row in parts) if most else (),
    )


class SqlSeat:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def stations(self) -> list[Station]:
        return await self._db.read(listed)

    async def keep_station(self, station: Station) -> None:
        await self._db.write(keep, station)

    async def drop_station(self, station_id: str) -> bool:
        return await self._db.write(drop, station_id)

    async def day(self, since: datetime, until: datetime, most: int) -> PastDay:
        return await self._db.read(day, since, until, most)
