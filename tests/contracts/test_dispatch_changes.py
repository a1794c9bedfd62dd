"""What people change while plans, proposals and calls are under way: nothing is lost by it."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.base.breaker import Breaker
from clarion.dispatch.desk import Desk as RecordsDesk
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.model import (
    EventId,
    EventStatus,
    Need,
    RunStatus,
    Severity,
    Shift,
    TeamId,
)
from clarion.dispatch.reconciler import Reconciler
from clarion.dispatch.service import Policy
from clarion.store.sql.engine.database import Database
from tests.contracts.test_dispatch_reconciler import Unreliable, live, status_of
from tests.support.clock import ManualClock
from tests.support.dispatching import Desk, event, team

TWO = (Need("medical", 2),)


@pytest.fixture
def agent() -> Unreliable:
    found = Unreliable()
    found.fails = False
    return found


async def need(desk: Desk, needs: tuple[Need, ...]) -> None:
    found = await desk.records.event(EventId("event-1"))
    assert found is not None
    changed = replace(found, needs=needs, severity=Severity.CRITICAL)
    await desk.records.change_event(changed, None, desk.clock.now())


async def test_fields_of_a_team_that_are_changed_at_once_are_all_kept(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(team("t1"))
    guard = DispatchGuard(Breaker("database", clock), timedelta(seconds=5))
    records = RecordsDesk(desk.records, desk.store, clock, guard)

    for turn in range(10):
        changes = {"name": f"n{turn}", "cost": turn + 1, "ready_seconds": turn + 2}
        await asyncio.gather(
            *(records.change_team(TeamId("t1"), {k: v}, None) for k, v in changes.items())
        )
        kept = await records.team(TeamId("t1"))
        assert {name: getattr(kept, name) for name in changes} == changes


async def test_needs_that_grew_are_not_forgotten_when_their_plan_fails(
    database: Database, clock: ManualClock, agent: Unreliable
) -> None:
    desk = Desk(database, clock, agent=agent, policy=Policy(tries_max=1))
    await desk.add(team("t1"), team("t2"), event())
    await desk.plan()

    agent.fails = True
    await need(desk, TWO)
    await live(desk, clock, timedelta(minutes=3))
    agent.fails = False
    await live(desk, clock, timedelta(minutes=3))

    assert await desk.statuses() == {"t1": "deployed", "t2": "deployed"}


async def test_a_yes_to_a_scheme_from_before_the_needs_grew_leaves_the_event_short(
    database: Database, clock: ManualClock, agent: Unreliable
) -> None:
    desk = Desk(database, clock, agent=agent, policy=Policy(tries_max=1, approval=True))
    await desk.add(team("t1"), team("t2"), event())
    scheme = await desk.scheme_of(await desk.plan())
    clock.advance(timedelta(seconds=1))
    agent.fails = True
    await need(desk, TWO)
    await live(desk, clock, timedelta(seconds=5))

    await desk.service.approve(scheme.id, "officer")
    seen = await status_of(desk)
    agent.fails = False
    await live(desk, clock, timedelta(minutes=3))

    assert seen is EventStatus.SHORT
    [waiting] = [
        one for one in await desk.service.schemes(EventId("event-1")) if one.status == "proposed"
    ]
    assert waiting.option.team_ids == ("t2",)


async def test_a_plan_for_more_counts_on_the_teams_that_wait_for_a_yes(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock, policy=Policy(approval=True))
    await desk.add(team("t1", km=1), team("t2", km=2), team("t3", km=3), event())
    first = await desk.scheme_of(await desk.plan())
    clock.advance(timedelta(seconds=1))

    await need(desk, TWO)
    await live(desk, clock, timedelta(seconds=5))

    latest, *_ = await desk.service.schemes(EventId("event-1"))
    assert first.option.team_ids == ("t1",)
    assert (latest.status, latest.option.team_ids) == ("proposed", ("t1", "t2"))
    assert [one.team_id for one in await desk.service.locks()] == ["t1", "t2"]
    await desk.service.approve(latest.id, "officer")
    assert await status_of(desk) is EventStatus.SENT


@pytest.mark.parametrize(
    "jump", [timedelta(minutes=10), timedelta(hours=30)], ids=["on time", "a clock set ahead"]
)
async def test_a_shift_that_begins_helps_who_waits_at_once(
    database: Database, clock: ManualClock, jump: timedelta
) -> None:
    begins, ends = clock.now() + timedelta(minutes=10), clock.now() + timedelta(hours=8)
    shift = Shift(begins.strftime("%H:%M"), ends.strftime("%H:%M"))
    desk = Desk(database, clock)
    late = clock.now() + timedelta(days=3)
    await desk.add(team("t1", shifts=(shift,)), event(deadline_at=late))
    await desk.plan()
    reconciler = Reconciler(desk.store, clock)
    clock.advance(timedelta(minutes=9, seconds=45))
    look = await reconciler.run_once()
    waiting = await desk.service.tasks([RunStatus.WAITING])

    clock.advance(jump - timedelta(minutes=9, seconds=45))
    await live(desk, clock, timedelta(seconds=2))

    assert look == begins
    assert waiting == []
    assert await desk.statuses() == {"t1": "deployed"}


async def test_who_is_not_on_shift_makes_no_plans(database: Database, clock: ManualClock) -> None:
    begins = (clock.now() + timedelta(hours=10)).strftime("%H:%M")
    ends = (clock.now() + timedelta(hours=12)).strftime("%H:%M")
    desk = Desk(database, clock)
    await desk.add(team("t1", shifts=(Shift(begins, ends),)), team("t2", crew_min=2), event())
    await desk.plan()

    await live(desk, clock, timedelta(hours=1))

    assert len(await desk.service.tasks()) == 1
