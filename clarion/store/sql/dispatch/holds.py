"""Holds kept in the team rows: used without Redis, and when Redis is down."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.dispatch.model import EventId, Hold, TeamId
from clarion.dispatch.ports import HeldTeams, Refused
from clarion.store.sql.dispatch import teams as dispatch_teams
from clarion.store.sql.dispatch.teams import Blocked
from clarion.store.sql.engine.database import Database

LETTING_GO = timedelta(seconds=10)  # a plan that has ended releases them earlier


class SqlHolds:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._db = database
        self._clock = clock

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        now = self._clock.now()
        try:
            risen = await self._db.write(
                dispatch_teams.hold, owner, event_id, fences, now + ttl, now
            )
        except Blocked as blocked:
            return Refused(blocked.blockers)
        return HeldTeams(risen, now + ttl)

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        now = self._clock.now()
        return await self._db.write(dispatch_teams.extend, owner, teams, now + ttl, now)

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        return await self._db.write(dispatch_teams.release, owner, teams, self._clock.now())

    async def left_over(self, owners: Mapping[TeamId, str]) -> list[TeamId]:
        before = self._clock.now() - LETTING_GO
        return await self._db.read(dispatch_teams.left_over, owners, before)

    async def all(self) -> list[Hold]:
        return await self._db.read(dispatch_teams.holds, self._clock.now())
