"""The records that people edit: events, teams, and the return of teams."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from clarion.base.clock import Clock
from clarion.base.errors import Stale
from clarion.base.ids import DeviceId
from clarion.base.place import Position
from clarion.dispatch.errors import EventNotFound, InvalidInput, MoveRefused, TeamNotFound
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.model import (
    Assignment,
    CallStatus,
    DispatchEvent,
    EventId,
    EventStatus,
    Progressed,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import DispatchStore, Ending, Records

R = TypeVar("R")
LOOKS_MAX = 20  # far more often than one row is changed at the same instant


class Desk:
    """`approval`: whether plans that follow from an ending wait for a person."""

    def __init__(
        self,
        records: Records,
        store: DispatchStore,
        clock: Clock,
        guard: DispatchGuard,
        *,
        approval: bool = False,
    ) -> None:
        self._records = records
        self._store = store
        self._clock = clock
        self._guard = guard
        self._approval = approval

    async def report(self, event: DispatchEvent) -> DispatchEvent:
        now = self._clock.now()
        return await self._guard.write("event", lambda: self._records.add_event(event, now))

    async def event(self, event_id: EventId) -> DispatchEvent:
        found = await self._guard.read("event", lambda: self._records.event(event_id))
        if found is None:
            raise EventNotFound(event_id)
        return found

    async def events(
        self, status: Sequence[EventStatus] = (), limit: int = 100
    ) -> list[DispatchEvent]:
        return await self._guard.read("events", lambda: self._records.events(status, limit))

    async def change_event(
        self, event_id: EventId, fields: Mapping[str, Any], version: int | None
    ) -> DispatchEvent:
        """Changes only the given fields. Two changes of different fields at once are both kept."""

        async def change(found: DispatchEvent) -> DispatchEvent:
            wanted, seen = replace(found, **fields), found.version if version is None else version
            now = self._clock.now()
            return await self._guard.write(
                "event", lambda: self._records.change_event(wanted, seen, now)
            )

        return await until_kept(lambda: self.event(event_id), change, version)

    async def add_team(self, team: Team) -> Team:
        """Raises Conflict when there is one with this id."""
        if team.status is TeamStatus.DEPLOYED:
            raise InvalidInput("status: only a scheme deploys a team")
        now = self._clock.now()
        return await self._guard.write("team", lambda: self._records.add_team(team, now))

    async def team(self, team_id: TeamId) -> Team:
        found = await self._guard.read("team", lambda: self._records.team(team_id))
        if found is None:
            raise TeamNotFound(team_id)
        return found

    async def teams(
        self,
        status: Sequence[TeamStatus] = (),
        limit: int = 1000,
        after: str = "",
        words: str = "",
    ) -> list[Team]:
        """`words`: a part of the name, the id or what it can do."""
        return await self._guard.read(
            "teams", lambda: self._records.teams(status, limit, after, words)
        )

    async def change_team(
        self, team_id: TeamId, fields: Mapping[str, Any], version: int | None
    ) -> Team:
        """Changes only the given fields. Two changes of different fields at once are both kept."""

        async def change(found: Team) -> Team:
            wanted, seen = replace(found, **fields), found.version if version is None else version
            now = self._clock.now()
            return await self._guard.write(
                "team", lambda: self._records.change_team(wanted, seen, now)
            )

        return await until_kept(lambda: self.team(team_id), change, version)

    async def move_team(self, team_id: TeamId, to: TeamStatus, reason: str = "") -> Team:
        """Between standby and unavailable."""
        now = self._clock.now()
        return await self._guard.write(
            "team", lambda: self._records.move_team(team_id, to, reason, now)
        )

    async def end_rest(self, team_id: TeamId, fence: int) -> None:
        """A team that did not answer can be planned again; harmless when it was moved since."""
        now = self._clock.now()
        await self._guard.write("team", lambda: self._records.end_rest(team_id, fence, now))

    async def was_at(self, team_id: TeamId, position: Position) -> Team:
        """Store its position. An older one than the known changes nothing; an instant in the future
        is corrected.
        """
        await self.team(team_id)
        now = self._clock.now()
        sane = replace(position, at=min(position.at, now))
        await self._guard.write("position", lambda: self._records.was_at(team_id, sane))
        return await self.team(team_id)

    async def device_was_at(self, device_id: DeviceId, position: Position) -> None:
        """The same for the team of this device, if it has one."""
        found = await self._guard.read("team", lambda: self._records.teams_of(device_id))
        for team_id in found:
            await self.was_at(team_id, position)

    async def accept(self, team_id: TeamId) -> Team:
        """It said yes in another way than by our call."""
        return await self._progressed(team_id, Progressed.ACCEPTED)

    async def en_route(self, team_id: TeamId) -> Team:
        return await self._progressed(team_id, Progressed.EN_ROUTE)

    async def on_scene(self, team_id: TeamId) -> Team:
        return await self._progressed(team_id, Progressed.ON_SCENE)

    async def returning(self, team_id: TeamId) -> Team:
        return await self._progressed(team_id, Progressed.RETURNING)

    async def _progressed(self, team_id: TeamId, step: Progressed) -> Team:
        """A fact besides its status: it stays deployed. Twice is no error."""
        team = await self.team(team_id)
        part = await self._open_part(team_id)
        if part is None:
            raise MoveRefused(team_id, team.status, step)
        now = self._clock.now()
        await self._guard.write("progress", lambda: self._store.progressed(part.id, step, now))
        return await self.team(team_id)

    async def drop_team(self, team_id: TeamId) -> None:
        now = self._clock.now()
        await self._guard.write("team", lambda: self._records.drop_team(team_id, now))

    async def complete(self, team_id: TeamId) -> Team:
        """Its work is done: standby again. Twice is no error."""
        how = Ending(outcome="completed", team_status=TeamStatus.STANDBY, approval=self._approval)
        return await self._ended(team_id, how)

    async def break_down(self, team_id: TeamId) -> Team:
        """It cannot go on: it becomes unavailable, and the event gets another team."""
        team = await self.team(team_id)
        if team.status is not TeamStatus.DEPLOYED:
            return await self.move_team(team_id, TeamStatus.UNAVAILABLE, "broke_down")
        how = Ending(
            outcome="broke_down",
            team_status=TeamStatus.UNAVAILABLE,
            replans=True,
            approval=self._approval,
        )
        return await self._ended(team_id, how)

    async def decline(self, team_id: TeamId) -> Team:
        """It does not go: it is on standby for other events, and this one gets another team."""
        return await self._ended(team_id, declined(approval=self._approval))

    async def _ended(self, team_id: TeamId, how: Ending) -> Team:
        team = await self.team(team_id)
        part = await self._open_part(team_id)
        if part is not None:
            now = self._clock.now()
            await self._guard.write("ending", lambda: self._store.end(part.id, how, now))
        elif team.status is not how.team_status:
            raise MoveRefused(team_id, team.status, how.outcome)
        return await self.team(team_id)

    async def _open_part(self, team_id: TeamId) -> Assignment | None:
        parts = await self._guard.read(
            "assignments", lambda: self._store.assignments(team_id=team_id)
        )
        return next((one for one in parts if one.closed_at is None), None)


async def until_kept(
    look: Callable[[], Awaitable[R]], change: Callable[[R], Awaitable[R]], version: int | None
) -> R:
    """Read and change, repeated while others are quicker; with a version given, raises Stale."""
    for _ in range(LOOKS_MAX):
        found = await look()
        with suppress(*(() if version is not None else (Stale,))):
            return await change(found)
    raise Stale("It is being changed by others.", hint="Try again in a moment.")


def declined(*, approval: bool) -> Ending:
    return Ending(
        outcome="declined",
        team_status=TeamStatus.STANDBY,
        call=CallStatus.DECLINED,
        replans=True,
        approval=approval,
    )


def unanswered(*, approval: bool, rest: timedelta | None = None) -> Ending:
    """The team does not answer: it is not planned for a while, or until somebody reaches it."""
    return Ending(
        outcome="unanswered",
        team_status=TeamStatus.UNAVAILABLE,
        call=CallStatus.UNANSWERED,
        replans=True,
        approval=approval,
        rest=rest,
    )
