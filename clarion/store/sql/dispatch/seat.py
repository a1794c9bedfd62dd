"""Queries for the dispatcher's page: stations, and past days as they were reported."""

from datetime import datetime

from sqlalchemy import Connection, delete, func, or_, select, update

from clarion.dispatch.model import DispatchEvent, Place, Station, TeamId, TeamStatus
from clarion.dispatch.seat.replay import PastDay
from clarion.dispatch.seat.verbs import Spot
from clarion.store.sql.dispatch import events as event_rows
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
    facts = {
        "name": station.name,
        "latitude": station.place.latitude,
        "longitude": station.place.longitude,
        "district": station.district,
        "least": dict(station.least),
    }
    if not rows.added(conn, stations, {"id": station.id, **facts}):
        conn.execute(update(stations).where(stations.c.id == station.id).values(facts))


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


def spots(conn: Connection, since: datetime | None) -> tuple[int, list[Spot]]:
    query = select(
        teams.c.id, teams.c.name, teams.c.latitude, teams.c.longitude, teams.c.status
    ).order_by(teams.c.id)
    if since is not None:
        query = query.where(or_(teams.c.updated_at >= since, teams.c.position_at >= since))
    found = [
        Spot(TeamId(row.id), row.name, Place(row.latitude, row.longitude), TeamStatus(row.status))
        for row in conn.execute(query)
    ]
    count = conn.execute(select(func.count()).select_from(teams)).scalar_one()
    return int(count), found


class SqlSeat:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def spots(self, since: datetime | None) -> tuple[int, list[Spot]]:
        return await self._db.read(spots, since)

    async def stations(self) -> list[Station]:
        return await self._db.read(listed)

    async def keep_station(self, station: Station) -> None:
        await self._db.write(keep, station)

    async def drop_station(self, station_id: str) -> bool:
        return await self._db.write(drop, station_id)

    async def latest_events(self, most: int) -> list[DispatchEvent]:
        return await self._db.read(event_rows.listed, (), most)

    async def day(self, since: datetime, until: datetime, most: int) -> PastDay:
        return await self._db.read(day, since, until, most)
