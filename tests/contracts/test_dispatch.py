"""One scheme at a time for every team, on every database."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.exc import DBAPIError

from clarion.agent.choosers import GreedyChooser
from clarion.agent.nodes import Nodes, PlanState
from clarion.agent.rulebook import RuleFile
from clarion.base.ids import TaskId, UserId
from clarion.dispatch.errors import DispatchKeyReused, EventNotFound, SchemeNotFound, TaskNotFound
from clarion.dispatch.model import (
    EventId,
    EventStatus,
    Need,
    Proposal,
    Run,
    RunStatus,
    SchemeId,
    SchemeStatus,
    Severity,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import Ending, HeldTeams, PlanRequest, Progress, Refused
from clarion.dispatch.service import Policy
from clarion.store.redis.jobs import OURS
from clarion.store.sql import events
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.dispatch import assignments, teams
from clarion.store.sql.tables.tasks import tasks as task_table
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import Task
from clarion.tasks.ports import Wanted
from tests.support.clock import START, ManualClock
from tests.support.dispatching import Desk, event, planner, team

TTL = timedelta(minutes=5)
DONE = Ending(outcome="completed", team_status=TeamStatus.STANDBY)
DECLINED = Ending(outcome="declined", team_status=TeamStatus.STANDBY, replans=True)


@pytest.fixture
def desk(database: Database, clock: ManualClock) -> Desk:
    return Desk(database, clock)


async def test_the_nearest_team_that_can_goes(desk: Desk) -> None:
    await desk.add(team("far", km=9), team("near", km=2), team("other", capabilities={"dog": 1}))
    await desk.add(event())

    run = await desk.plan()

    scheme = await desk.scheme_of(run)
    assert scheme.option.team_ids == ("near",)
    assert await desk.statuses() == {"far": "standby", "near": "deployed", "other": "standby"}


async def test_a_deployed_team_names_the_plan_that_sent_it(desk: Desk) -> None:
    await desk.add(team("t1"), event())

    run = await desk.plan()

    found = await desk.records.team(TeamId("t1"))
    assert found is not None
    assert (found.current_task_id, found.held_by, found.fence) == (run.id, None, 2)


async def test_a_covered_event_says_so_and_a_short_one_names_what_is_missing(desk: Desk) -> None:
    await desk.add(team("t1", capabilities={"medical": 2}), event("enough"))
    await desk.add(event("short", needs=(Need("medical", 1),)))

    await desk.plan("enough")
    run = await desk.plan("short")

    scheme = await desk.scheme_of(run)
    assert scheme.status is SchemeStatus.EMPTY
    assert [(one.capability, one.needed, one.covered) for one in scheme.option.shortfall] == [
        ("medical", 1, 0)
    ]
    assert "t1" in scheme.option.shortfall[0].reasons[0]
    found = {one.id: one.status for one in await desk.records.events((), 10)}
    assert found == {"enough": EventStatus.SENT, "short": EventStatus.SHORT}


async def test_asking_twice_with_one_key_gets_the_same_run(desk: Desk) -> None:
    await desk.add(team("t1"), event(), event("other"))

    first = await desk.plan(key="k")
    second = await desk.service.request(EventId("event-1"), key="k")

    assert (second.id, second.scheme_id) == (first.id, first.scheme_id)
    with pytest.raises(DispatchKeyReused):
        await desk.service.request(EventId("other"), key="k")


async def test_an_event_is_planned_once_at_a_time(desk: Desk) -> None:
    await desk.add(event())

    first = await desk.service.request(EventId("event-1"))
    second = await desk.service.request(EventId("event-1"))

    assert second.id == first.id


async def test_a_run_that_is_over_is_not_run_again(desk: Desk) -> None:
    await desk.add(team("t1"), team("t2"), event())
    run = await desk.plan()

    again = await desk.service.run(run.id)

    assert again is None
    assert sorted((await desk.statuses()).values()) == ["deployed", "standby"]


async def test_a_worker_that_was_replaced_changes_nothing(desk: Desk) -> None:
    await desk.add(team("t1"), event())
    asked = await desk.service.request(EventId("event-1"))
    stale = await desk.store.begin(asked.id, START)
    assert stale is not None
    done = await desk.service.run(asked.id)
    assert done is not None

    failed = await desk.store.fail(stale, {"error_code": "x", "message": "y"}, START)

    assert not failed
    assert (await desk.service.task(asked.id)).status is RunStatus.DONE


class Interrupted:
    """An agent beside which something happens after it has looked and before it answers."""

    def __init__(self, desk: Desk, *teams: str) -> None:
        self._desk = desk
        self._teams = list(teams)
        self._planner = planner()

    async def plan(self, request: PlanRequest, progress: Progress) -> object:
        proposal = await self._planner.plan(request, progress)
        if self._teams:
            wanted = event(f"rival-{len(self._teams)}")
            rival = Desk(self._desk.database, self._desk.clock)
            await rival.add(wanted)
            await rival.plan(wanted.id, team_ids=[TeamId(self._teams.pop(0))])
        return proposal


async def test_a_lost_race_is_planned_again_without_the_taken_team(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(team("near", km=1), team("far", km=5), event())
    desk = Desk(database, clock, agent=Interrupted(desk, "near"))  # type: ignore[arg-type]

    run = await desk.plan()

    scheme = await desk.scheme_of(run)
    assert scheme.option.team_ids == ("far",)
    assert run.replans == 1


async def test_who_loses_one_team_after_another_takes_the_one_that_stands_idle(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(*(team(f"t{n}", km=n) for n in range(1, 6)), event())
    rivals = Interrupted(desk, "t1", "t2", "t3", "t4")
    desk = Desk(database, clock, agent=rivals)  # type: ignore[arg-type]

    run = await desk.plan()

    assert (await desk.scheme_of(run)).option.team_ids == ("t5",)


async def test_a_lost_race_shows_everybody_who_is_held(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(*(team(f"t{n}", km=n) for n in range(1, 6)), event())
    holds = SqlHolds(database, clock)

    class HeldMeanwhile:
        async def plan(self, request: PlanRequest, progress: Progress) -> Proposal:
            proposal = await planner().plan(request, progress)
            for number in range(1, 5):
                await holds.acquire(
                    f"rival-{number}",
                    EventId(f"other-{number}"),
                    {TeamId(f"t{number}"): 0},
                    timedelta(seconds=60),
                )
            return proposal

    run = await Desk(database, clock, agent=HeldMeanwhile()).plan()

    assert run.replans == 1
    assert (await desk.statuses())["t5"] == "deployed"


async def test_a_team_asked_for_by_name_that_another_event_has_is_refused_with_its_holder(
    desk: Desk,
) -> None:
    await desk.add(team("t1"), team("t2"), event("first"), event())
    await desk.plan("first", team_ids=[TeamId("t1")])

    run = await desk.plan(team_ids=[TeamId("t1")])

    assert run.error is not None
    assert run.error["error_code"] == "AI4003"
    assert run.error["details"]["holders"] == {"t1": "first"}


async def test_a_team_asked_for_by_name_says_itself_why_it_cannot_go(desk: Desk) -> None:
    """However many others there are: nobody asked about those."""
    others = (team(f"a{n}") for n in range(8))
    await desk.add(*others, team("t1", status=TeamStatus.UNAVAILABLE), event())

    scheme = await desk.scheme_of(await desk.plan(team_ids=[TeamId("t1")]))

    assert [one.reasons for one in scheme.option.shortfall] == [("t1: 不可用",)]


async def test_after_too_many_lost_races_the_holders_are_named(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    await desk.add(*(team(f"t{n}", km=n) for n in range(1, 6)), event())
    rivals = Interrupted(desk, "t1", "t2", "t3", "t4")
    policy = Policy(replans_max=3)
    desk = Desk(database, clock, agent=rivals, policy=policy)  # type: ignore[arg-type]

    run = await desk.plan()

    assert run.status is RunStatus.FAILED
    assert run.error is not None
    assert run.error["error_code"] == "AI4003"
    assert run.error["message"] == "资源已被锁定: t1, t2, t3, t4"
    assert run.error["details"]["locked_by"] == "rival-4"
    assert (await desk.statuses())["t5"] == "standby"


async def test_no_hold_is_left_after_a_run(desk: Desk) -> None:
    await desk.add(team("t1"), team("t2"), event())

    await desk.plan()

    assert await desk.service.locks() == []


async def test_the_database_itself_refuses_a_second_open_assignment(desk: Desk) -> None:
    await desk.add(team("t1"), event())
    run = await desk.plan()
    row: dict[str, object] = {
        "scheme_id": run.scheme_id,
        "event_id": "event-1",
        "team_id": "t1",
        "role": "medical",
        "eta_seconds": 1,
        "amounts": {},
        "fence": 9,
        "opened_at": START,
        "call": "waiting",
    }

    with pytest.raises(DBAPIError, match=r"(?i)unique"):
        await desk.database.write(
            lambda conn: conn.execute(insert(assignments).values(id="second", **row))
        )


async def test_a_hold_is_all_or_none_and_names_who_stands_in_the_way(desk: Desk) -> None:
    await desk.add(team("t1"), team("t2"), team("t3"))
    holds = SqlHolds(desk.database, desk.clock)
    await holds.acquire("run-1", EventId("event-1"), {TeamId("t2"): 0}, TTL)

    refused = await holds.acquire(
        "run-2", EventId("event-2"), {TeamId("t1"): 0, TeamId("t2"): 1, TeamId("t3"): 0}, TTL
    )

    assert isinstance(refused, Refused)
    assert [(one.team_id, one.locked_by) for one in refused.blockers] == [("t2", "event-1")]
    assert [one.team_id for one in await holds.all()] == ["t2"]


async def test_an_expired_hold_may_be_taken_and_its_owner_can_no_longer_commit(
    desk: Desk, clock: ManualClock
) -> None:
    await desk.add(team("t1"), event("slow"), event("quick"))
    holds = SqlHolds(desk.database, clock)
    held = await holds.acquire("run-slow", EventId("slow"), {TeamId("t1"): 0}, TTL)
    assert isinstance(held, HeldTeams)
    clock.advance(TTL)
    run = await desk.plan("quick")
    await desk.store.end((await desk.store.assignments())[0].id, DONE, clock.now())

    late = await holds.acquire("run-slow", EventId("slow"), held.fences, TTL)

    assert run.status is RunStatus.DONE
    assert isinstance(late, Refused)  # standby again, but not the standby that was seen


async def test_releasing_leaves_a_strangers_hold_alone(desk: Desk) -> None:
    await desk.add(team("t1"), team("t2"))
    holds = SqlHolds(desk.database, desk.clock)
    await holds.acquire("mine", EventId("e1"), {TeamId("t1"): 0}, TTL)
    await holds.acquire("theirs", EventId("e2"), {TeamId("t2"): 0}, TTL)

    freed = await holds.release("mine", [TeamId("t1"), TeamId("t2")])

    assert freed == 1
    assert [one.owner for one in await holds.all()] == ["theirs"]


async def test_an_event_that_moved_meanwhile_is_looked_at_again(desk: Desk) -> None:
    await desk.add(team("t1"), event())
    asked = await desk.service.request(EventId("event-1"))
    run = await desk.store.begin(asked.id, START)
    seen = await desk.records.event(EventId("event-1"))
    assert run is not None
    assert seen is not None
    await desk.records.change_event(replace(seen, title="worse"), None, START)

    done = await desk.service.run(asked.id)

    assert done is not None
    assert done.status is RunStatus.DONE


async def test_a_graver_event_is_planned_sooner(desk: Desk) -> None:
    await desk.add(event("plain", severity=Severity.LOW), event("grave", severity=Severity.LOW))
    await desk.service.request(EventId("plain"))
    await desk.service.request(EventId("grave"))
    found = await desk.records.event(EventId("grave"))
    assert found is not None

    await desk.records.change_event(replace(found, severity=Severity.CRITICAL), None, START)

    runs = {one.id: one.event_id for one in await desk.service.tasks()}
    order = [(runs[one.id], one.base) for one in await waiting(desk)]
    assert order == [("grave", 100), ("plain", 10)]


async def waiting(desk: Desk) -> list[Task]:
    """The queue's tasks in the order in which workers would take them."""
    wanted = Wanted("test", timedelta(minutes=1), any=10)
    taken = await SqlTasks(desk.database).turn([], wanted, START)
    return [claim.task for claim in taken.claims]


async def test_what_is_not_there_has_its_number(desk: Desk) -> None:
    with pytest.raises(TaskNotFound):
        await desk.service.task(TaskId("task_x"))
    with pytest.raises(SchemeNotFound):
        await desk.service.scheme(SchemeId("scm_x"))
    with pytest.raises(EventNotFound):
        await desk.service.request(EventId("event-x"))


async def test_a_commit_is_refused_when_only_the_fence_has_moved(desk: Desk) -> None:
    await desk.add(team("t1"), event())

    async def meddle(request: PlanRequest, progress: Progress) -> object:
        await desk.database.write(
            lambda conn: conn.execute(update(teams).values(fence=teams.c.fence + 1))
        )
        return await planner().plan(request, progress)

    desk.service._agent = type("Meddler", (), {"plan": staticmethod(meddle)})()
    run = await desk.plan()

    assert run.error is not None
    assert run.error["error_code"] == "AI4003"
    assert await desk.statuses() == {"t1": "standby"}


async def test_progress_is_kept_step_by_step(desk: Desk) -> None:
    await desk.add(team("t1"), event())

    run: Run = await desk.plan()

    assert [one["node"] for one in run.steps] == [
        "load_rules",
        "understand",
        "find_teams",
        "choose",
        "explain",
        "evaluate",
    ]


async def test_a_plan_that_takes_its_time_is_seen_step_by_step(
    database: Database, clock: ManualClock
) -> None:
    desk = Desk(database, clock)
    seen: list[tuple[str, int]] = []

    async def slow(state: PlanState) -> PlanState:
        clock.advance(timedelta(seconds=1))
        [run] = await desk.service.tasks()
        seen.append((run.node, len(run.steps)))
        return await Nodes(RuleFile(), GreedyChooser()).by_name()["choose"](state)

    desk = Desk(database, clock, agent=planner(nodes={"choose": slow}))
    await desk.add(team("t1"), event())

    run = await desk.plan()

    assert seen == [("", 0)]
    log = await database.read(events.about, run.id)
    stepped = [one.data["node"] for one in log if one.kind == "plan.stepped"]
    assert stepped == ["explain"]
    assert [one["node"] for one in run.steps][-1] == "evaluate"


async def test_waiting_for_a_run_ends_when_it_does(desk: Desk) -> None:
    await desk.add(team("t1"), event())
    run = await desk.plan()

    found = await desk.service.settled(run.id, timedelta(seconds=5))
    waiting = await desk.service.request(EventId("event-1"))
    early = await desk.service.settled(waiting.id, timedelta(milliseconds=20))

    assert found.status is RunStatus.DONE
    assert early.status is RunStatus.WAITING


async def test_every_task_of_dispatch_is_known_as_ours_where_jobs_are_shown(desk: Desk) -> None:
    """What does not begin so is taken for a job of somebody else, and done again."""
    await desk.add(team("t1"), event(officer=UserId("li"), needs=(Need("medical", 2),)))
    await desk.plan()

    names = await desk.database.read(
        lambda conn: [row.id for row in conn.execute(select(task_table.c.id, task_table.c.kind))]
    )

    assert len(names) >= 3  # the plan, a call, a word to the officer
    assert [one for one in names if not one.startswith(OURS)] == []
