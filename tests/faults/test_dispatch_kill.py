"""kill -9 at every step of a plan: the run resumes, holds are freed, nobody is sent for nothing."""

import pytest

from clarion.agent.graph import PERCENT
from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.dispatch.holding import HoldsWithFallback
from clarion.dispatch.model import EventId, RunStatus
from clarion.store.redis.holds import PREFIX, RedisHolds, holds_client
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.engine.database import Database
from tests.support.dispatching import Desk, event, team
from tests.support.racing import wrongs
from tests.support.services import RedisServer
from tests.support.victim import kill_at

pytestmark = pytest.mark.timeout(120)  # another Python starts, and is killed


@pytest.mark.parametrize("point", [*PERCENT, "held", "committed"])
async def test_a_plan_killed_at_any_point_ends_as_if_nothing_had_happened(
    sqlite: Database, tmp_path: object, point: str
) -> None:
    clock = SystemClock()
    desk = Desk(sqlite, clock)
    await desk.add(team("near", km=1), team("far", km=9), event(now=clock.now()))
    asked = await desk.service.request(EventId("event-1"))

    kill_at(f"sqlite:{tmp_path}/clarion.db", "", asked.id, point)
    before = await desk.statuses()
    await desk.service.run(asked.id)

    sent = "deployed" if point == "committed" else "standby"
    assert before == {"near": sent, "far": "standby"}
    assert (await desk.service.task(asked.id)).status is RunStatus.DONE
    assert await desk.statuses() == {"near": "deployed", "far": "standby"}
    assert await desk.service.locks() == []
    [part] = await desk.store.assignments()
    assert part.scheme_id == (await desk.service.task(asked.id)).scheme_id


async def test_holds_of_a_dead_worker_in_redis_are_taken_over_by_its_own_run(
    sqlite: Database, tmp_path: object, redis_server: RedisServer
) -> None:
    clock = SystemClock()
    client = holds_client(redis_server.url)
    desk = Desk(sqlite, clock)
    redis = RedisHolds(client, clock)
    holds = HoldsWithFallback(redis, SqlHolds(sqlite, clock), desk.meter, Breaker("r", clock))
    desk = Desk(sqlite, clock, holds=holds)
    await desk.add(team("t1"), event(now=clock.now()), event("other", now=clock.now()))
    asked = await desk.service.request(EventId("event-1"))

    kill_at(f"sqlite:{tmp_path}/clarion.db", redis_server.url, asked.id, "held")
    left = await redis.all()
    stranger = await desk.plan("other")
    resumed = await desk.service.run(asked.id)

    assert [(one.team_id, one.event_id) for one in left] == [("t1", "event-1")]
    assert stranger.error is not None
    assert stranger.error["details"]["locked_by"] == "event-1"
    assert resumed is not None
    assert resumed.status is RunStatus.DONE
    assert [key async for key in client.scan_iter(f"{PREFIX}*")] == []
    await client.aclose()


async def test_what_a_killed_plan_leaves_behind_stands_up_to_the_questions(
    sqlite: Database, tmp_path: object
) -> None:
    clock = SystemClock()
    desk = Desk(sqlite, clock)
    await desk.add(team("t1"), event(now=clock.now()))
    asked = await desk.service.request(EventId("event-1"))

    kill_at(f"sqlite:{tmp_path}/clarion.db", "", asked.id, "evaluate")

    assert await wrongs(sqlite) == []


async def test_a_plan_that_is_begun_again_and_again_is_given_up_by_number(
    sqlite: Database,
) -> None:
    clock = SystemClock()
    desk = Desk(sqlite, clock)
    await desk.add(team("t1"), event(now=clock.now()))
    asked = await desk.service.request(EventId("event-1"))
    for _ in range(desk.policy.starts_max):
        await desk.store.begin(asked.id, clock.now())  # and then its worker died

    last = await desk.service.run(asked.id)

    assert last is not None
    assert last.error is not None
    assert last.error["error_code"] == "AI5005"
    assert (await desk.service.request(EventId("event-1"))).id != asked.id
