"""A scheme that waits for a person: kept, approved, rejected, lapsed, lost."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.dispatch.errors import InvalidInput, MoveRefused, ResourceLocked
from clarion.dispatch.model import (
    EventId,
    EventStatus,
    Need,
    RunStatus,
    Scheme,
    SchemeStatus,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.service import Policy
from clarion.store.sql.engine.database import Database
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


async def test_an_alternative_is_sent_in_the_place_of_the_best(careful: Desk) -> None:
    await careful.add(team("t1", km=1), team("t2", km=2), event())
    scheme = await careful.scheme_of(await careful.plan())

    approved = await careful.service.approve(scheme.id, "officer", alternative=1)

    assert scheme.option.team_ids == ("t1",)
    assert (approved.status, approved.chosen) == (SchemeStatus.COMMITTED, 1)
    assert (approved.option, approved.alternatives[0]) == (scheme.alternatives[0], scheme.option)
    assert await careful.statuses() == {"t1": "standby", "t2": "deployed"}
    assert [one.team_id for one in await careful.service.assignments()] == ["t2"]
    assert await careful.service.locks() == []


async def test_an_alternative_that_shares_a_team_with_the_best_keeps_it(careful: Desk) -> None:
    teams = [team(f"t{number}", km=number) for number in (1, 2, 3)]
    await careful.add(*teams, event(needs=(Need("medical", 2),)))
    scheme = await careful.scheme_of(await careful.plan())

    approved = await careful.service.approve(scheme.id, "officer", alternative=1)

    best, sent = set(scheme.option.team_ids), set(approved.option.team_ids)
    statuses = await careful.statuses()
    assert (len(best & sent), len(sent - best)) == (1, 1)
    assert {name for name, status in statuses.items() if status == "deployed"} == sent
    assert await careful.service.locks() == []


async def test_an_alternative_whose_team_went_elsewhere_sends_nobody_and_plans_again(
    careful: Desk, clock: ManualClock
) -> None:
    await careful.add(team("t1", km=1), team("t2", km=2), team("t3", km=3), event(), event("quick"))
    scheme = await careful.scheme_of(await careful.plan())
    await careful.plan("quick", approval=False)  # takes the nearest that is free: t2

    with pytest.raises(ResourceLocked) as refused:
        await careful.service.approve(scheme.id, "officer", alternative=1)

    assert refused.value.details["holders"] == {"t2": "quick"}
    assert (await careful.service.scheme(scheme.id)).status is SchemeStatus.LAPSED
    assert await careful.statuses() == {"t1": "standby", "t2": "deployed", "t3": "standby"}
    [again] = await careful.service.tasks([RunStatus.WAITING])
    assert (again.event_id, again.reason, again.needs_approval) == ("event-1", "lost", True)
    clock.advance(timedelta(seconds=1))
    await careful.service.run(again.id)
    renewed = (await careful.service.schemes(EventId("event-1")))[0]
    assert (renewed.status, renewed.option.team_ids) == (SchemeStatus.PROPOSED, ("t1",))
    assert [one.team_ids for one in renewed.alternatives] == [("t3",)]


async def test_of_two_approvals_at_once_one_is_sent(careful: Desk) -> None:
    await careful.add(team("t1", km=1), team("t2", km=2), event())
    scheme = await careful.scheme_of(await careful.plan())

    outcomes = await asyncio.gather(
        *(careful.service.approve(scheme.id, "officer", alternative=n) for n in (0, 1, 0, 1)),
        return_exceptions=True,
    )

    found = await careful.service.scheme(scheme.id)
    assert sorted((await careful.statuses()).values()) == ["deployed", "standby"]
    assert {each.chosen for each in outcomes if isinstance(each, Scheme)} == {found.chosen}
    assert all(isinstance(each, Scheme | MoveRefused) for each in outcomes)
    assert await careful.service.locks() == []


async def test_another_alternative_after_the_yes_is_refused(careful: Desk) -> None:
    await careful.add(team("t1", km=1), team("t2", km=2), event())
    scheme = await careful.scheme_of(await careful.plan())
    await careful.service.approve(scheme.id, "officer", alternative=1)

    again = await careful.service.approve(scheme.id, "officer", alternative=1)

    assert again.chosen == 1
    with pytest.raises(MoveRefused):
        await careful.service.approve(scheme.id, "officer")


async def test_an_alternative_that_is_not_there_is_refused(careful: Desk) -> None:
    await careful.add(team("t1"), event())
    scheme = await careful.scheme_of(await careful.plan())

    with pytest.raises(InvalidInput):
        await careful.service.approve(scheme.id, "officer", alternative=1)

    assert (await careful.service.scheme(scheme.id)).status is SchemeStatus.PROPOSED


async def test_a_team_of_an_alternative_that_was_deleted_plans_again(careful: Desk) -> None:
    await careful.add(team("t1", km=1), team("t2", km=2), event())
    scheme = await careful.scheme_of(await careful.plan())
    await careful.records.drop_team(TeamId("t2"), START)

    with pytest.raises(ResourceLocked) as refused:
        await careful.service.approve(scheme.id, "officer", alternative=1)

    assert refused.value.details["holders"] == {"t2": "unavailable"}
    assert await careful.statuses() == {"t1": "standby"}


async def test_a_silent_team_that_a_person_sends_to_rest_stays_there(careful: Desk) -> None:
    await careful.add(team("t1", status=TeamStatus.UNAVAILABLE))
    silent = await careful.records.team(TeamId("t1"))
    assert silent is not None

    await careful.records.move_team(TeamId("t1"), TeamStatus.UNAVAILABLE, "repair", START)
    ended = await careful.records.end_rest(TeamId("t1"), silent.fence, START)

    assert not ended
    assert await careful.statuses() == {"t1": "unavailable"}
