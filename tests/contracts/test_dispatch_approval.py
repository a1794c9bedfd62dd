"""A scheme that waits for a person: kept, approved, rejected, lapsed, lost."""

from dataclasses import replace

import pytest

from clarion.dispatch.errors import MoveRefused, ResourceLocked
from clarion.dispatch.model import EventId, EventStatus, SchemeStatus
from clarion.dispatch.service import Policy
from clarion.store.sql.database import Database
from tests.support.clock import START, ManualClock
from tests.support.dispatching import Desk, event, team


@pytest.fixture
def careful(database: Database, clock: ManualClock) -> Desk:
    return Desk(database, clock, policy=Policy(approval=True))


async def test_a_proposed_scheme_keeps_its_teams_until_somebody_approves(careful: Desk) -> None:
    await careful.add(team("t1"), event(), event("other"))
    run = await careful.plan()
    scheme = await careful.scheme_of(run)
    rival = await careful.plan("other")

    approved = await careful.service.approve(scheme.id, "officer")

    assert (await careful.scheme_of(rival)).status is SchemeStatus.EMPTY
    assert (approved.status, approved.decided_by) == (SchemeStatus.COMMITTED, "officer")
    assert await careful.statuses() == {"t1": "deployed"}
    assert await careful.service.locks() == []


async def test_approving_twice_is_no_error_and_rejecting_after_it_is(careful: Desk) -> None:
    await careful.add(team("t1"), event())
    scheme = await careful.scheme_of(await careful.plan())
    await careful.service.approve(scheme.id, "officer")

    again = await careful.service.approve(scheme.id, "officer")

    assert again.status is SchemeStatus.COMMITTED
    with pytest.raises(MoveRefused):
        await careful.service.reject(scheme.id, "officer")


async def test_a_rejected_scheme_frees_its_teams_and_reopens_the_event(careful: Desk) -> None:
    await careful.add(team("t1"), event())
    scheme = await careful.scheme_of(await careful.plan())

    rejected = await careful.service.reject(scheme.id, "officer", "too far")

    assert (rejected.status, rejected.reason) == (SchemeStatus.REJECTED, "too far")
    assert await careful.service.locks() == []
    found = await careful.records.event(EventId("event-1"))
    assert found is not None
    assert found.status is EventStatus.OPEN


async def test_a_lapsed_scheme_cannot_be_approved(careful: Desk, clock: ManualClock) -> None:
    await careful.add(team("t1"), event())
    scheme = await careful.scheme_of(await careful.plan())
    clock.advance(careful.policy.approval_window)

    lapsed = await careful.service.lapse(scheme.id)

    assert lapsed.status is SchemeStatus.LAPSED
    with pytest.raises(MoveRefused):
        await careful.service.approve(scheme.id, "officer")


async def test_approving_after_the_teams_went_elsewhere_names_where(
    careful: Desk, clock: ManualClock
) -> None:
    await careful.add(team("t1"), event(), event("quick"))
    scheme = await careful.scheme_of(await careful.plan())
    clock.advance(careful.policy.approval_window)  # its task to lapse has not run yet
    await careful.plan("quick", approval=False)

    with pytest.raises(ResourceLocked) as refused:
        await careful.service.approve(scheme.id, "officer")

    assert refused.value.details["locked_by"] == "quick"
    assert (await careful.service.scheme(scheme.id)).status is SchemeStatus.LAPSED


async def test_ending_an_event_frees_what_waits_for_its_approval(careful: Desk) -> None:
    await careful.add(team("t1"), event())
    scheme = await careful.scheme_of(await careful.plan())
    found = await careful.records.event(EventId("event-1"))
    assert found is not None

    await careful.records.change_event(replace(found, status=EventStatus.CLOSED), None, START)

    assert (await careful.service.scheme(scheme.id)).status is SchemeStatus.LAPSED
    assert await careful.service.locks() == []


async def test_a_newer_scheme_overtakes_the_one_that_still_waits(careful: Desk) -> None:
    await careful.add(team("t1", km=1), team("t2", km=2), event())
    first = await careful.scheme_of(await careful.plan())

    second = await careful.scheme_of(await careful.plan())

    assert (await careful.service.scheme(first.id)).status is SchemeStatus.LAPSED
    assert second.status is SchemeStatus.PROPOSED
    assert [one.team_id for one in await careful.service.locks()] == list(second.option.team_ids)


async def test_a_changed_event_does_not_cost_the_approval(careful: Desk) -> None:
    await careful.add(team("t1"), event())
    scheme = await careful.scheme_of(await careful.plan())
    found = await careful.records.event(EventId("event-1"))
    assert found is not None
    await careful.records.change_event(replace(found, title="worse"), None, START)

    approved = await careful.service.approve(scheme.id, "officer")

    assert approved.status is SchemeStatus.COMMITTED
