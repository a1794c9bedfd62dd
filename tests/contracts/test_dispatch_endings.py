"""How a team's part ends, and what that brings about for others."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.base.events import Event
from clarion.dispatch.errors import (
    MoveRefused,
)
from clarion.dispatch.model import (
    EventId,
    EventStatus,
    Need,
    RunStatus,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import Ending
from clarion.reminders.events import ReminderCancelled, RingDelivered
from clarion.store.sql import events
from clarion.store.sql.dispatch import calls
from clarion.store.sql.engine.database import Database
from tests.support.clock import START, ManualClock
from tests.support.dispatching import Desk, event, team

TTL = timedelta(minutes=5)
DONE = Ending(outcome="completed", team_status=TeamStatus.STANDBY)
DECLINED = Ending(outcome="declined", team_status=TeamStatus.STANDBY, replans=True)


@pytest.fixture
def desk(database: Database, clock: ManualClock) -> Desk:
    return Desk(database, clock)


async def test_a_completed_team_stands_by_again_and_the_event_closes(desk: Desk) -> None:
    await desk.add(team("t1"), event())
    await desk.plan()
    part = (await desk.store.assignments())[0]

    ended = await desk.store.end(part.id, DONE, START)
    twice = await desk.store.end(part.id, DONE, START)

    assert (ended, twice) == (True, False)
    assert await desk.statuses() == {"t1": "standby"}
    found = await desk.records.event(EventId("event-1"))
    assert found is not None
    assert found.status is EventStatus.CLOSED


async def test_a_declined_team_is_replaced_and_not_asked_again(desk: Desk) -> None:
    await desk.add(team("near", km=1), team("far", km=8), event())
    await desk.plan()
    part = (await desk.store.assignments())[0]

    await desk.store.end(part.id, DECLINED, START)
    [waiting] = await desk.service.tasks([RunStatus.WAITING])
    await desk.service.run(waiting.id)

    assert waiting.reason == "declined"
    assert await desk.statuses() == {"near": "standby", "far": "deployed"}


async def test_only_the_missing_part_is_planned_again(desk: Desk) -> None:
    await desk.add(
        team("a", km=1), team("b", km=2), team("c", km=3), event(needs=(Need("medical", 2),))
    )
    await desk.plan()
    parts = {one.team_id: one for one in await desk.store.assignments()}

    await desk.store.end(parts[TeamId("b")].id, DECLINED, START)
    [waiting] = await desk.service.tasks([RunStatus.WAITING])
    await desk.service.run(waiting.id)

    assert await desk.statuses() == {"a": "deployed", "b": "standby", "c": "deployed"}


async def test_a_freed_team_helps_the_gravest_event_that_lacks_one(desk: Desk) -> None:
    await desk.add(team("t1"), event("first"), event("second"))
    await desk.plan("first")
    await desk.plan("second")
    part = (await desk.store.assignments())[0]

    await desk.store.end(part.id, DONE, START)
    [waiting] = await desk.service.tasks([RunStatus.WAITING])
    await desk.service.run(waiting.id)

    assert (waiting.event_id, waiting.reason) == ("second", "freed")
    assert (await desk.store.assignments())[0].event_id == "second"


async def test_closing_an_event_brings_its_teams_home(desk: Desk) -> None:
    await desk.add(team("t1"), team("t2"), event(needs=(Need("medical", 2),)))
    await desk.plan()
    found = await desk.records.event(EventId("event-1"))
    assert found is not None

    await desk.records.change_event(
        replace(found, status=EventStatus.CANCELLED), found.version, START
    )

    assert set((await desk.statuses()).values()) == {"standby"}
    assert {one.outcome for one in await desk.store.assignments()} == {"cancelled"}
    with pytest.raises(MoveRefused):
        await desk.service.request(EventId("event-1"))


async def test_a_team_moves_only_as_the_table_allows(desk: Desk) -> None:
    await desk.add(team("t1"), team("t2"), event())
    await desk.plan(team_ids=[TeamId("t1")])

    moved = await desk.records.move_team(TeamId("t2"), TeamStatus.UNAVAILABLE, "tyres", START)

    assert (moved.status, moved.reason, moved.fence) == (TeamStatus.UNAVAILABLE, "tyres", 1)
    with pytest.raises(MoveRefused):
        await desk.records.move_team(TeamId("t1"), TeamStatus.STANDBY, "", START)
    with pytest.raises(MoveRefused):
        await desk.records.move_team(TeamId("t2"), TeamStatus.DEPLOYED, "", START)
    with pytest.raises(MoveRefused):
        await desk.records.drop_team(TeamId("t1"), START)


CANCELLED = ReminderCancelled(subject="rem_1", user="ana", by="ana")
DELIVERED = RingDelivered(subject="rem_1", user="ana", ring="rem_1:1", device="kitchen")


@pytest.mark.parametrize(
    ("happened", "answered"),
    [((), False), ((DELIVERED,), False), ((CANCELLED, DELIVERED), True)],
    ids=["nothing", "no answer", "an answer and something else"],
)
async def test_only_answers_make_calls_look_again(
    desk: Desk, happened: tuple[Event, ...], answered: bool
) -> None:
    await desk.database.write(events.append, [CANCELLED], START)
    before = await desk.database.read(events.latest)

    await desk.database.write(events.append, happened, START)

    latest = before + len(happened)
    assert await desk.database.read(calls.look, before) == (latest, answered)
    assert await desk.store.wake_calls(before, START) == latest
