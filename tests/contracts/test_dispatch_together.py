"""Events are planned together: the gravest lack least, and a team on its way may be taken."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import pytest

from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    EventStatus,
    RunStatus,
    SchemeStatus,
    Severity,
)
from clarion.dispatch.reconciler import Reconciler
from clarion.dispatch.service import Policy, Reassign
from clarion.store.sql import events as log
from clarion.store.sql.engine.database import Database
from tests.support.clock import ManualClock
from tests.support.dispatching import Desk, event, team


@pytest.fixture
def desk(database: Database, clock: ManualClock) -> Desk:
    return Desk(database, clock, policy=Policy(reassign=Reassign.ON))


def grave(name: str) -> DispatchEvent:
    return event(name, severity=Severity.CRITICAL)


async def status_of(desk: Desk, name: str) -> EventStatus:
    found = await desk.records.event(EventId(name))
    assert found is not None
    return found.status


async def where(desk: Desk) -> dict[str, str]:
    parts = await desk.store.assignments()
    return {one.team_id: one.event_id for one in parts if one.closed_at is None}


async def test_who_is_planned_first_leaves_the_nearest_to_who_is_graver(desk: Desk) -> None:
    await desk.add(team("near", km=1), team("far", km=5), event("light"), grave("grave"))
    await desk.service.request(EventId("grave"))

    await desk.plan("light")
    await desk.plan("grave")

    assert await where(desk) == {"far": "light", "near": "grave"}


async def test_the_only_team_waits_for_the_graver_event(desk: Desk) -> None:
    await desk.add(team("only"), event("light"), grave("grave"))
    await desk.service.request(EventId("grave"))

    first = await desk.scheme_of(await desk.plan("light"))
    await desk.plan("grave")

    assert first.status is SchemeStatus.EMPTY
    assert await where(desk) == {"only": "grave"}


async def test_a_team_that_was_left_to_others_and_not_taken_is_soon_planned_for(
    desk: Desk, clock: ManualClock
) -> None:
    await desk.add(team("only"), event("light"), grave("grave"))
    other = await desk.service.request(EventId("grave"))
    await desk.plan("light")
    begun = await desk.store.begin(other.id, clock.now())
    assert begun is not None
    error = {"error_code": "AI5005", "message": "", "code": "x", "status": 500, "details": {}}
    await desk.store.fail(begun, error, clock.now())

    reconciler = Reconciler(desk.store, clock)
    for _ in range(3):
        clock.advance(timedelta(seconds=2))
        await reconciler.run_once()
        for waiting in await desk.service.tasks([RunStatus.WAITING]):
            await desk.service.run(waiting.id)

    assert set(await where(desk)) == {"only"}


async def test_a_graver_event_gets_a_team_that_has_not_arrived(desk: Desk) -> None:
    await desk.add(team("only", km=20), event("light", severity=Severity.LOW))
    await desk.plan("light")
    await desk.add(grave("grave"))

    scheme = await desk.scheme_of(await desk.plan("grave"))

    [member] = scheme.option.members
    assert member.taken_from == "light"
    assert "light" in scheme.explanation
    assert await where(desk) == {"only": "grave"}
    assert await status_of(desk, "light") is EventStatus.SHORT
    told = await kinds(desk, "team.reassigned")
    assert [(one["event"], one["left"], one["by"]) for one in told] == [
        ("grave", "light", "automatic")
    ]
    [again] = await desk.service.tasks([RunStatus.WAITING])
    assert (again.event_id, again.reason) == ("light", "reassigned")


async def test_who_has_arrived_or_should_have_stays(desk: Desk, clock: ManualClock) -> None:
    await desk.add(team("only", km=20), event("light", severity=Severity.LOW))
    await desk.plan("light")
    await desk.add(grave("grave"))
    clock.advance(timedelta(hours=1))

    await desk.plan("grave")

    assert await where(desk) == {"only": "light"}
    assert await status_of(desk, "grave") is EventStatus.SHORT


async def test_a_little_graver_is_not_enough(desk: Desk) -> None:
    await desk.add(team("only", km=20), event("light", severity=Severity.LOW))
    await desk.plan("light")
    await desk.add(event("medium"))

    await desk.plan("medium")

    assert await where(desk) == {"only": "light"}


async def test_a_person_is_asked_before_a_team_is_taken_away(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(team("only", km=20), event("light", severity=Severity.LOW))
    await desk.plan("light")
    await desk.add(grave("grave"))

    scheme = await desk.scheme_of(await desk.plan("grave"))
    before = await where(desk)
    await desk.service.approve(scheme.id, "officer")

    assert scheme.status is SchemeStatus.PROPOSED
    assert before == {"only": "light"}
    assert await where(desk) == {"only": "grave"}
    told = await kinds(desk, "team.reassigned")
    assert [one["by"] for one in told] == ["officer"]


async def test_a_free_team_is_always_taken_before_one_that_is_on_its_way(desk: Desk) -> None:
    await desk.add(team("near", km=1), team("far", km=9), event("light", severity=Severity.LOW))
    await desk.plan("light")
    await desk.add(grave("grave"))

    await desk.plan("grave")

    assert await where(desk) == {"near": "light", "far": "grave"}


async def kinds(desk: Desk, kind: str) -> Sequence[dict[str, object]]:
    found = await desk.database.read(partial(log.after, sequence=0, limit=1000))
    return [dict(one.data) for one in found if one.kind == kind]
