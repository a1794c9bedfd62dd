"""Dispatch's ports over the database: each method is one transaction, outcomes are values."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from clarion.base.errors import Stale
from clarion.base.ids import DeviceId, TaskId
from clarion.base.place import Position
from clarion.dispatch.errors import MoveRefused
from clarion.dispatch.model import (
    EVENT_MOVES,
    OVER,
    Assignment,
    AssignmentId,
    CallStatus,
    DispatchEvent,
    EventId,
    EventStatus,
    PlanPicture,
    Progressed,
    Run,
    RunStatus,
    Scheme,
    SchemeId,
    SchemeStatus,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import Committed, DispatchDecision, Ending, Lost, Superseded
from clarion.dispatch.reconciler import Lack
from clarion.store.sql import events as log
from clarion.store.sql.dispatch import assignments as dispatch_assignments
from clarion.store.sql.dispatch import calls as dispatch_calls
from clarion.store.sql.dispatch import events as dispatch_events
from clarion.store.sql.dispatch import lacks as dispatch_lacks
from clarion.store.sql.dispatch import pictures as dispatch_pictures
from clarion.store.sql.dispatch import runs as dispatch_runs
from clarion.store.sql.dispatch import schemes as dispatch_schemes
from clarion.store.sql.dispatch import teams as dispatch_teams
from clarion.store.sql.dispatch.schemes import Replaced
from clarion.store.sql.dispatch.teams import Blocked
from clarion.store.sql.engine.database import Database


class SqlDispatch:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def request(self, run: Run, now: datetime) -> Run:
        return await self._db.write(dispatch_runs.request, run, now)

    async def run(self, run_id: TaskId) -> Run | None:
        return await self._db.read(dispatch_runs.get, run_id)

    async def runs(self, status: Sequence[RunStatus], limit: int) -> list[Run]:
        return await self._db.read(dispatch_runs.listed, status, limit)

    async def begin(self, run_id: TaskId, now: datetime) -> Run | None:
        return await self._db.write(dispatch_runs.begin, run_id, now)

    async def step(self, run: Run, percent: int, now: datetime) -> bool:
        return await self._db.write(dispatch_runs.step, run, percent, now)

    async def fail(self, run: Run, error: Mapping[str, object], now: datetime) -> bool:
        return await self._db.write(dispatch_runs.fail, run, error, now)

    async def settled(self, run_id: TaskId, within: timedelta) -> Run | None:
        heard = asyncio.Event()

        def listener(payload: str) -> None:
            if payload in ("", run_id):  # empty: news may have been lost, so look
                heard.set()

        stop = self._db.listen(dispatch_runs.SETTLED, listener)
        try:
            async with asyncio.timeout(within.total_seconds()):
                while (run := await self.run(run_id)) is not None and not run.is_over:
                    await heard.wait()
                    heard.clear()
        except TimeoutError:
            run = await self.run(run_id)
        finally:
            stop()
        return run

    async def picture(self, event_id: EventId) -> PlanPicture | None:
        return await self._db.read(dispatch_pictures.picture, event_id)

    async def commit(
        self, decision: DispatchDecision, now: datetime
    ) -> Committed | Lost | Superseded:
        return await self._outcome(decision.scheme, dispatch_schemes.commit, decision, now)

    async def propose(
        self, decision: DispatchDecision, until: datetime, now: datetime
    ) -> Committed | Lost | Superseded:
        return await self._outcome(decision.scheme, dispatch_schemes.propose, decision, until, now)

    async def approve(self, decision: DispatchDecision, now: datetime) -> Committed | Lost:
        outcome = await self._outcome(decision.scheme, dispatch_schemes.approve, decision, now)
        assert not isinstance(outcome, Superseded), "approving ends no run"
        return outcome

    async def _outcome(
        self, scheme: Scheme, work: Callable[..., Any], *args: object
    ) -> Committed | Lost | Superseded:
        try:
            saved = await self._db.write(work, *args)
        except Blocked as blocked:
            return Lost(blocked.blockers)
        except Replaced:
            return Superseded()
        return Committed(saved if isinstance(saved, Scheme) else scheme)

    async def drop(
        self, scheme_id: SchemeId, status: SchemeStatus, by: str, reason: str, now: datetime
    ) -> Scheme | None:
        return await self._db.write(dispatch_schemes.drop, scheme_id, status, by, reason, now)

    async def renew(self, scheme_id: SchemeId, by: str, reason: str, now: datetime) -> bool:
        return await self._db.write(dispatch_schemes.renew, scheme_id, by, reason, now)

    async def scheme(self, scheme_id: SchemeId) -> Scheme | None:
        return await self._db.read(dispatch_schemes.get, scheme_id)

    async def schemes(self, event_id: EventId) -> list[Scheme]:
        return await self._db.read(dispatch_schemes.of_event, event_id)

    async def assignment(self, assignment_id: AssignmentId) -> Assignment | None:
        return await self._db.read(dispatch_assignments.get, assignment_id)

    async def assignments(
        self,
        *,
        event_id: EventId | None = None,
        team_id: TeamId | None = None,
        is_open: bool = False,
    ) -> list[Assignment]:
        return await self._db.read(
            dispatch_assignments.listed, event_id=event_id, team_id=team_id, is_open=is_open
        )

    async def note_call(
        self, assignment_id: AssignmentId, call: CallStatus, reminder_id: str | None, now: datetime
    ) -> bool:
        return await self._db.write(
            dispatch_assignments.note_call, assignment_id, call, reminder_id, now
        )

    async def progressed(
        self, assignment_id: AssignmentId, step: Progressed, now: datetime
    ) -> bool:
        return await self._db.write(dispatch_assignments.progressed, assignment_id, step, now)

    async def end(self, assignment_id: AssignmentId, how: Ending, now: datetime) -> bool:
        return await self._db.write(dispatch_assignments.end, assignment_id, how, now)

    async def lacking(self, now: datetime) -> tuple[Sequence[Lack], Sequence[Team]]:
        return await self._db.read(dispatch_lacks.lacking, now)

    async def wake_calls(self, after: int, now: datetime) -> int:
        latest, answered = await self._db.read(dispatch_calls.look, after)
        if not answered:
            return latest
        return await self._db.write(dispatch_assignments.hear, after, now)

    async def latest_event(self) -> int:
        return await self._db.read(log.latest)


class SqlRecords:
    """`approval`: whether plans that a closed event sets off wait for a person."""

    def __init__(self, database: Database, *, approval: bool = False) -> None:
        self._db = database
        self._approval = approval

    async def add_event(self, event: DispatchEvent, now: datetime) -> DispatchEvent:
        return await self._db.write(dispatch_events.add, event, now)

    async def event(self, event_id: EventId) -> DispatchEvent | None:
        return await self._db.read(dispatch_events.get, event_id)

    async def events(self, status: Sequence[EventStatus], limit: int) -> list[DispatchEvent]:
        return await self._db.read(dispatch_events.listed, status, limit)

    async def change_event(
        self, event: DispatchEvent, version: int | None, now: datetime
    ) -> DispatchEvent:
        return await self._db.write(_change_event, event, version, now, approval=self._approval)

    async def add_team(self, team: Team, now: datetime) -> Team:
        return await self._db.write(dispatch_teams.add, team, now)

    async def team(self, team_id: TeamId) -> Team | None:
        return await self._db.read(dispatch_teams.get, team_id)

    async def teams(
        self, status: Sequence[TeamStatus], limit: int, after: str = "", words: str = ""
    ) -> list[Team]:
        return await self._db.read(dispatch_teams.listed, status, limit, after, words)

    async def change_team(self, team: Team, version: int | None, now: datetime) -> Team:
        return await self._db.write(dispatch_teams.change, team, version, now)

    async def move_team(self, team_id: TeamId, to: TeamStatus, reason: str, now: datetime) -> Team:
        return await self._db.write(dispatch_teams.move, team_id, to, reason, now)

    async def end_rest(self, team_id: TeamId, fence: int, now: datetime) -> bool:
        return await self._db.write(
            dispatch_assignments.end_rest, team_id, fence, now, approval=self._approval
        )

    async def was_at(self, team_id: TeamId, position: Position) -> bool:
        return await self._db.write(dispatch_teams.was_at, team_id, position)

    async def teams_of(self, device_id: DeviceId) -> list[TeamId]:
        return await self._db.read(dispatch_teams.of_device, device_id)

    async def drop_team(self, team_id: TeamId, now: datetime) -> None:
        return await self._db.write(dispatch_teams.drop, team_id, now)


def _change_event(
    conn: Connection, event: DispatchEvent, version: int | None, now: datetime, *, approval: bool
) -> DispatchEvent:
    found = dispatch_events.existing(conn, event.id)
    if version is not None and version != found.version:
        raise Stale("The event was changed since you looked.", details={"version": found.version})
    if found.is_over or (
        event.status is not found.status
        and not (event.status in OVER and event.status in EVENT_MOVES[found.status])
    ):
        # All other statuses follow from schemes and teams.
        allowed = EVENT_MOVES[found.status] & OVER
        raise MoveRefused(event.id, found.status, event.status, allowed)
    changed = dispatch_events.change(conn, event, version, now)
    if event.status in OVER:
        outcome = "completed" if event.status is EventStatus.CLOSED else "cancelled"
        how = Ending(outcome=outcome, team_status=TeamStatus.STANDBY, approval=approval)
        dispatch_schemes.drop_proposed(conn, event.id, f"event {event.status.value}", now)
        dispatch_assignments.end_event(conn, changed, event.status, how, now)
        return dispatch_events.existing(conn, event.id)
    if (event.severity, event.needs) != (found.severity, found.needs):
        dispatch_runs.look_at_needs(conn, changed, now, approval=approval)
        return dispatch_events.existing(conn, event.id)
    dispatch_lacks.look(conn)
    return changed
