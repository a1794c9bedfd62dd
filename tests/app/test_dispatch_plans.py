"""Plans in one server: a few at once, the others wait as rows and not in a worker."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from clarion.app.dispatch import PLAN_AGAIN, call_kind, plan_kind, plans_in_turn
from clarion.base.errors import Unavailable
from clarion.base.ids import TaskId
from clarion.dispatch.model import EventId, RunStatus
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kinds
from clarion.tasks.model import Queue, Task
from clarion.tasks.ports import Again, Claim, Wanted
from clarion.tasks.workers import Workers
from tests.support.clock import START, ManualClock
from tests.support.dispatching import Desk, event, team

LEASE = timedelta(seconds=15)


def claim(name: str) -> Claim:
    task = Task(
        id=TaskId(name),
        kind="dispatch.plan",
        due_at=START,
        payload={"run_id": name},
        base=10,
        queue=Queue.DISPATCH,
    )
    return Claim(task=task, attempt=1, fence=1)


async def test_who_finds_every_place_taken_comes_again_soon(clock: ManualClock) -> None:
    done: list[str] = []
    gate, begun = asyncio.Event(), asyncio.Event()

    async def run(run_id: TaskId) -> None:
        begun.set()
        await gate.wait()
        done.append(run_id)

    plan = plans_in_turn(run, clock, at_once=1)
    first = asyncio.ensure_future(plan(claim("one")))
    await begun.wait()

    second = await plan(claim("two"))
    gate.set()
    await first
    third = await plan(claim("two"))

    assert second == Again(clock.now() + PLAN_AGAIN)
    assert third is None
    assert done == ["one", "two"]


async def test_an_outage_is_a_pause_and_no_spent_try(clock: ManualClock) -> None:
    async def run(_run_id: TaskId) -> None:
        raise Unavailable("The database is left alone for a while.", retry_after=26)

    waits = await plans_in_turn(run, clock)(claim("one"))

    assert waits == Again(clock.now() + timedelta(seconds=26))


async def test_an_event_is_planned_however_often_the_worker_died_before(
    sqlite: Database, clock: ManualClock
) -> None:
    desk, tasks = Desk(sqlite, clock), SqlTasks(sqlite)
    await desk.add(team("t1"), event())
    asked = await desk.service.request(EventId("event-1"))
    for number in range(12):
        dying = Wanted(f"dying-{number}", LEASE, any=1)
        taken = await tasks.turn([], dying, clock.now())
        assert [one.task.id for one in taken.claims] == [asked.id]
        clock.advance(LEASE * 2)
        await tasks.take_back(clock.now())

    workers = Workers(tasks, Kinds(plan_kind(desk.service.run, clock)), clock, lease=LEASE)
    await workers.run_due()

    assert (await desk.service.task(asked.id)).status is RunStatus.DONE


async def test_a_team_is_called_however_often_the_worker_died_before(
    sqlite: Database, clock: ManualClock
) -> None:
    tasks, called = SqlTasks(sqlite), list[TaskId]()
    await tasks.add([replace(claim("call").task, kind="dispatch.call")], clock.now())
    for number in range(12):
        taken = await tasks.turn([], Wanted(f"dying-{number}", LEASE, any=1), clock.now())
        assert len(taken.claims) == 1
        clock.advance(LEASE * 2)
        await tasks.take_back(clock.now())

    async def call(again: Claim) -> None:
        called.append(again.task.id)

    kinds = Kinds(call_kind(call))
    await Workers(tasks, kinds, clock, lease=LEASE).run_due()

    assert called == ["call"]
