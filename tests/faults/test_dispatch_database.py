"""Answers that never come, holds that run out, workers that wake up too late."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.dispatch.errors import DatabaseSlow
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.model import EventId, RunStatus, TeamId, TeamStatus
from clarion.dispatch.ports import (
    Committed,
    DispatchDecision,
    Ending,
    HeldTeams,
    Holds,
    Lost,
    Refused,
    Superseded,
)
from clarion.dispatch.service import Dispatch
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.dispatch.store import SqlDispatch
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import open_database
from tests.support.clock import ManualClock
from tests.support.databases import postgres_database
from tests.support.dispatching import Desk, event, planner, team
from tests.support.racing import wrongs
from tests.support.services import PostgresServer


class LosesAnswers(SqlDispatch):
    """Carries every commit out, and the answer to the first one never arrives."""

    answers_lost = 0

    async def commit(
        self, decision: DispatchDecision, now: datetime
    ) -> Committed | Lost | Superseded:
        outcome = await super().commit(decision, now)
        if self.answers_lost == 0:
            self.answers_lost += 1
            raise DatabaseSlow("commit")
        return outcome


def service(desk: Desk, store: SqlDispatch) -> Dispatch:
    assert desk.holds is not None
    return Dispatch(
        store, desk.holds, planner(), desk.clock, DispatchGuard(Breaker("database", desk.clock))
    )


async def test_a_commit_whose_answer_was_lost_is_not_made_twice(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(team("t1"), team("t2"), event())
    dispatch = service(desk, LosesAnswers(database))
    asked = await dispatch.request(EventId("event-1"))

    with pytest.raises(DatabaseSlow):
        await dispatch.run(asked.id)
    again = await dispatch.run(asked.id)  # as the queue would

    assert again is None
    run = await dispatch.task(asked.id)
    assert run.status is RunStatus.DONE
    assert len(await dispatch.assignments()) == 1
    assert len(await dispatch.schemes(EventId("event-1"))) == 1
    assert await dispatch.locks() == []


class Stalls:
    """Holds that are granted to a worker which then sleeps past their end."""

    def __init__(self, inner: Holds, clock: ManualClock, meanwhile: Any) -> None:
        self._inner = inner
        self._clock = clock
        self._meanwhile = meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        held = await self._inner.acquire(owner, event_id, fences, ttl)
        meanwhile, self._meanwhile = self._meanwhile, None
        if meanwhile is not None:
            self._clock.advance(ttl)
            await meanwhile()
        return held


async def test_a_hold_that_runs_out_during_a_slow_run_cannot_send_a_team_twice(
    database: Database, clock: ManualClock
) -> None:
    rival = Desk(database, clock)
    await rival.add(team("near", km=1), team("far", km=9), event("slow"), event("quick"))
    holds: Any = Stalls(SqlHolds(database, clock), clock, lambda: rival.plan("quick"))
    desk = Desk(database, clock, holds=holds)

    run = await desk.plan("slow")

    sent = {one.event_id: one.team_id for one in await desk.store.assignments()}
    assert sent == {"quick": "near", "slow": "far"}
    assert run.replans == 1


async def test_a_team_that_was_out_and_home_again_meanwhile_is_looked_at_anew(
    database: Database, clock: ManualClock
) -> None:
    rival = Desk(database, clock)
    await rival.add(team("t1"), event("slow"), event("quick"))

    async def out_and_home() -> None:
        await rival.plan("quick")
        [part] = await rival.store.assignments()
        home = Ending(outcome="completed", team_status=TeamStatus.STANDBY)
        await rival.store.end(part.id, home, clock.now())

    holds: Any = Stalls(SqlHolds(database, clock), clock, out_and_home)
    desk = Desk(database, clock, holds=holds)

    run = await desk.plan("slow")

    # Standby is not enough: its fence has moved, so the stale decision was refused once.
    assert (run.status, run.replans) == (RunStatus.DONE, 1)
    assert [one.event_id for one in await desk.store.assignments()] == ["slow", "quick"]


async def test_a_worker_that_was_asleep_while_another_finished_its_run_writes_nothing(
    database: Database, clock: ManualClock
) -> None:
    other = Desk(database, clock)
    await other.add(team("t1"), team("t2"), event())
    asked = await other.service.request(EventId("event-1"))
    holds: Any = Stalls(SqlHolds(database, clock), clock, lambda: other.service.run(asked.id))
    sleeper = Desk(database, clock, holds=holds)

    late = await sleeper.service.run(asked.id)

    assert late is None
    assert len(await other.store.assignments()) == 1
    assert sorted((await other.statuses()).values()) == ["deployed", "standby"]


@pytest.mark.timeout(120)
async def test_a_postgres_that_hangs_is_answered_by_number_and_recovered_from(
    postgres: PostgresServer,
) -> None:
    database = await open_database(postgres.url(await postgres_database(postgres)))
    clock = SystemClock()
    desk = Desk(database, clock)
    await desk.add(team("t1"), event(now=clock.now()))
    guard = DispatchGuard(Breaker("database", clock), timedelta(milliseconds=200))
    dispatch = Dispatch(desk.store, SqlHolds(database, clock), planner(), clock, guard)
    postgres.pause()

    with pytest.raises(DatabaseSlow) as slow:
        await dispatch.request(EventId("event-1"))
    postgres.resume()
    run = await desk.plan()

    assert slow.value.error_code == "AI5003"
    assert run.status is RunStatus.DONE
    await database.close()


async def test_a_passing_failure_is_tried_again_and_then_kept_as_the_runs_error(
    sqlite: Database, clock: ManualClock
) -> None:
    class Gone(SqlHolds):
        async def acquire(self, *_: Any) -> HeldTeams | Refused:
            raise DatabaseSlow("holds")

    desk = Desk(sqlite, clock, holds=Gone(sqlite, clock))
    await desk.add(team("t1"), event())
    asked = await desk.service.request(EventId("event-1"))

    for _ in range(2):
        with pytest.raises(DatabaseSlow):
            await desk.service.run(asked.id)
    last = await desk.service.run(asked.id)

    assert last is not None
    assert last.error is not None
    assert last.error["error_code"] == "AI5003"
    assert await wrongs(sqlite) == []
