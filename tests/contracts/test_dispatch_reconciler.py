"""No event is forgotten: whatever failed, it is planned again while a free team fits."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.base.errors import TimedOut
from clarion.dispatch.model import (
    EventId,
    EventStatus,
    Need,
    Place,
    Proposal,
    RunStatus,
    SchemeStatus,
    Severity,
    Station,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import Ending, PlanRequest, Progress
from clarion.dispatch.reconciler import LONGEST_WAIT, Reconciler
from clarion.dispatch.service import Policy
from clarion.store.sql.dispatch.seat import SqlSeat
from clarion.store.sql.engine.database import Database
from tests.support.clock import ManualClock
from tests.support.dispatching import Desk, event, planner, team

DONE = Ending(outcome="completed", team_status=TeamStatus.STANDBY)


class Unreliable:
    """A planner that fails as long as it is told to."""

    def __init__(self) -> None:
        self.fails = True
        self.asked = 0
        self._agent = planner()

    async def plan(self, request: PlanRequest, progress: Progress) -> Proposal:
        self.asked += 1
        if self.fails:
            raise TimedOut("the database is slow")
        return await self._agent.plan(request, progress)


@pytest.fixture
def desk(database: Database, clock: ManualClock) -> Desk:
    return Desk(database, clock)


async def live(desk: Desk, clock: ManualClock, span: timedelta) -> None:
    """Run the reconciler whenever it asked to be run, and every plan it asks for."""
    until = clock.now() + span
    reconciler = Reconciler(desk.store, clock)
    while clock.now() < until:
        look = await reconciler.run_once()
        for waiting in await desk.service.tasks([RunStatus.WAITING]):
            await desk.service.run(waiting.id)
        clock.advance(max(look - clock.now(), timedelta(seconds=1)))


async def status_of(desk: Desk, name: str = "event-1") -> EventStatus:
    found = await desk.records.event(EventId(name))
    assert found is not None
    return found.status


async def test_a_plan_that_failed_is_made_again(database: Database, clock: ManualClock) -> None:
    agent = Unreliable()
    desk = Desk(database, clock, agent=agent, policy=Policy(tries_max=1))
    await desk.add(team("t1"), event())
    failed = await desk.plan()

    await live(desk, clock, timedelta(minutes=10))
    runs_while_away = len(await desk.service.tasks())
    agent.fails = False
    await live(desk, clock, 2 * LONGEST_WAIT)

    assert failed.status is RunStatus.FAILED
    assert 10 <= runs_while_away <= 20  # with longer and longer waits, never longer than a minute
    assert await desk.statuses() == {"t1": "deployed"}
    assert await status_of(desk) is EventStatus.SENT


async def test_every_short_event_is_helped_when_two_teams_come_home(
    desk: Desk, clock: ManualClock
) -> None:
    await desk.add(team("t1"), team("t2"), event("a"), event("b"), event("c"), event("d"))
    for name in "abcd":
        await desk.plan(name)
        clock.advance(timedelta(seconds=1))
    for part in [one for one in await desk.store.assignments() if one.closed_at is None]:
        await desk.store.end(part.id, DONE, clock.now())

    await live(desk, clock, timedelta(minutes=1))

    assert await desk.statuses() == {"t1": "deployed", "t2": "deployed"}
    assert [await status_of(desk, name) for name in "cd"] == [EventStatus.SENT] * 2


async def test_a_team_that_is_added_or_stands_by_helps_who_waits(
    desk: Desk, clock: ManualClock
) -> None:
    await desk.add(team("tired", status=TeamStatus.UNAVAILABLE), event("a"), event("b"))
    await desk.plan("a")
    await desk.plan("b")
    clock.advance(timedelta(seconds=1))

    await desk.records.move_team(TeamId("tired"), TeamStatus.STANDBY, "", clock.now())
    await desk.add(team("new"))
    await live(desk, clock, timedelta(seconds=30))

    assert set((await desk.statuses()).values()) == {"deployed"}


async def test_a_graver_event_gets_more(desk: Desk, clock: ManualClock) -> None:
    await desk.add(team("t1"), team("t2"), event(needs=(Need("medical", 1),)))
    await desk.plan()
    seen = await desk.records.event(EventId("event-1"))
    assert seen is not None

    graver = replace(seen, severity=Severity.CRITICAL, needs=(Need("medical", 2),))
    await desk.records.change_event(graver, None, clock.now())
    await live(desk, clock, timedelta(seconds=30))

    assert set((await desk.statuses()).values()) == {"deployed"}


async def test_what_a_person_rejected_is_left_to_people(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock, policy=Policy(approval=True))
    await desk.add(team("t1"), event())
    scheme = await desk.scheme_of(await desk.plan())
    await desk.service.reject(scheme.id, "officer", "too far")

    await live(desk, clock, timedelta(hours=1))

    assert len(await desk.service.tasks()) == 1
    assert await desk.statuses() == {"t1": "standby"}


async def test_a_scheme_that_nobody_decided_is_proposed_again(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock, policy=Policy(approval=True))
    await desk.add(team("t1"), event())
    scheme = await desk.scheme_of(await desk.plan())
    await desk.service.lapse(scheme.id)

    await live(desk, clock, timedelta(minutes=6))

    found = await desk.service.schemes(EventId("event-1"))
    assert sorted(one.status for one in found) == [SchemeStatus.LAPSED, SchemeStatus.PROPOSED]


@pytest.mark.parametrize("how", ["rejected", "run out"])
async def test_a_team_that_somebody_let_go_of_helps_who_waits(
    how: str, database: Database, clock: ManualClock
) -> None:
    """It was held when the other event was planned, and nothing else about it has changed."""
    desk = Desk(database, clock, policy=Policy(approval_window=timedelta(minutes=2)))
    await desk.add(team("t1"), event("held"), event("waits"))
    scheme = await desk.scheme_of(await desk.plan("held", approval=True))
    await desk.plan("waits")
    clock.advance(timedelta(seconds=1))
    short = await status_of(desk, "waits")

    if how == "rejected":
        await desk.service.reject(scheme.id, "officer")
    else:
        clock.advance(timedelta(minutes=2))
    await live(desk, clock, timedelta(seconds=30))

    assert short is EventStatus.SHORT
    assert await status_of(desk, "waits") is EventStatus.SENT


async def test_an_event_for_which_nobody_fits_makes_no_plans(
    desk: Desk, clock: ManualClock
) -> None:
    await desk.add(team("boat", capabilities={"water": 3}), event())
    await desk.plan()

    await live(desk, clock, timedelta(hours=1))

    assert len(await desk.service.tasks()) == 1


async def test_an_event_that_was_only_written_down_is_not_planned(
    desk: Desk, clock: ManualClock
) -> None:
    await desk.add(team("t1"), event())

    await live(desk, clock, timedelta(minutes=5))

    assert await desk.service.tasks() == []


async def test_a_free_team_passes_by_the_first_in_line_that_it_cannot_help(
    desk: Desk, clock: ManualClock
) -> None:
    water = event("flood", severity=Severity.CRITICAL, needs=(Need("water", 1),))
    await desk.add(team("medic"), event("first"), water, event("waits"))
    for name in ("first", "flood", "waits"):
        await desk.plan(name)
    clock.advance(timedelta(seconds=1))

    [part] = [one for one in await desk.store.assignments() if one.closed_at is None]
    await desk.store.end(part.id, DONE, clock.now())
    await live(desk, clock, timedelta(seconds=30))

    assert await status_of(desk, "flood") is EventStatus.SHORT
    assert await status_of(desk, "waits") is EventStatus.SENT


async def test_a_clock_that_was_ahead_does_not_leave_an_event_alone(
    database: Database, clock: ManualClock
) -> None:
    agent = Unreliable()
    desk = Desk(database, clock, agent=agent, policy=Policy(tries_max=1))
    await desk.add(team("t1"), event())
    clock.advance(timedelta(hours=3))
    await desk.plan()
    clock.advance(-timedelta(hours=3))

    await live(desk, clock, timedelta(minutes=5))
    asked = agent.asked
    agent.fails = False
    await live(desk, clock, timedelta(minutes=5))

    assert 1 < asked < 15, "tried again, and not without a pause"
    assert await desk.statuses() == {"t1": "deployed"}


async def test_who_adds_the_same_at_the_same_moment_is_told_so(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    one, other = event("e1"), event("e2")
    await desk.add(other)

    events = await together(*(desk.records.add_event(one, clock.now()) for _ in range(6)))
    teams = await together(*(desk.records.add_team(team("t1"), clock.now()) for _ in range(6)))
    runs = await together(*(desk.service.request(each.id, key="k") for each in (one, other)))

    assert sorted(events) == ["DispatchEvent"] + ["DispatchIdTaken"] * 5
    assert sorted(teams) == ["DispatchIdTaken"] * 5 + ["Team"]
    assert sorted(runs) == ["DispatchKeyReused", "Run"]


async def test_a_station_kept_twice_at_the_same_moment_is_kept(database: Database) -> None:
    seat = SqlSeat(database)
    station = Station(id="s", name="north", place=Place(1, 1))

    kept = await together(*(seat.keep_station(station) for _ in range(6)))

    assert set(kept) == {"NoneType"}
    assert [one.name for one in await seat.stations()] == ["north"]


async def together(*calls: Awaitable[object]) -> list[str]:
    """The kinds of what they answer, errors among them."""
    return [type(one).__name__ for one in await asyncio.gather(*calls, return_exceptions=True)]
