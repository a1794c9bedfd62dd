"""Redis hanging, dying, forgetting, lying: holds go on through the database, and are counted."""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from redis.asyncio import Redis

from clarion.base.breaker import Breaker
from clarion.dispatch.errors import InvalidInput, RedisGone
from clarion.dispatch.holding import TEAMS_MAX, CountedHolds, Counts, HoldsWithFallback
from clarion.dispatch.model import EventId, EventStatus, RunStatus, TeamId
from clarion.dispatch.ports import ACQUIRED, EXPIRED, FAILED, FALLBACK, HeldTeams, Refused
from clarion.dispatch.service import Policy
from clarion.store.redis.holds import PREFIX, RedisHolds, holds_client
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.engine.database import Database
from tests.support.clock import ManualClock
from tests.support.dispatching import Desk, event, team
from tests.support.services import RedisServer

TTL = timedelta(minutes=5)
T1, T2 = TeamId("t1"), TeamId("t2")


@dataclass
class Both:
    desk: Desk
    holds: CountedHolds
    fallback: HoldsWithFallback
    client: Redis
    server: RedisServer
    meter: Counts

    async def keys(self) -> list[str]:
        return sorted([str(key) async for key in self.client.scan_iter(f"{PREFIX}*")])


@pytest.fixture
async def both(
    sqlite: Database, redis_server: RedisServer, clock: ManualClock
) -> AsyncIterator[Both]:
    meter, client = Counts(), holds_client(redis_server.url)
    breaker = Breaker("redis", clock, failures_max=3, rest=5.0)
    fallback = HoldsWithFallback(RedisHolds(client, clock), SqlHolds(sqlite, clock), meter, breaker)
    holds = CountedHolds(fallback, meter)
    desk = Desk(sqlite, clock, holds=holds)
    await desk.add(team("t1"), team("t2"), event("e1"), event("e2"))
    yield Both(desk, holds, fallback, client, redis_server, meter)
    await client.aclose()


async def test_with_redis_the_team_rows_stay_untouched_until_the_commit(both: Both) -> None:
    held = await both.holds.acquire("run-1", EventId("e1"), {T1: 0}, TTL)

    assert isinstance(held, HeldTeams)
    assert (held.where, held.degraded, dict(held.fences)) == ("redis", False, {T1: 0})
    value = await both.client.get(f"{PREFIX}t1")
    assert value == f"e1:{int(both.desk.clock.now().timestamp())}:300:run-1"
    assert 299_000 < await both.client.pttl(f"{PREFIX}t1") <= 300_000


async def test_a_dead_redis_degrades_to_the_database_and_says_so_once(
    both: Both, caplog: pytest.LogCaptureFixture
) -> None:
    both.server.kill()

    with caplog.at_level(logging.WARNING):
        first = await both.holds.acquire("run-1", EventId("e1"), {T1: 0}, TTL)
        second = await both.holds.acquire("run-2", EventId("e2"), {T1: 1, T2: 0}, TTL)

    assert isinstance(first, HeldTeams)
    assert (first.where, first.degraded) == ("database", True)
    assert isinstance(second, Refused)
    assert both.fallback.degraded
    assert both.meter[FALLBACK] == 2
    assert len([one for one in caplog.records if "Redis is away" in one.message]) == 1


async def test_a_whole_plan_goes_through_without_redis_and_is_marked(both: Both) -> None:
    both.server.kill()

    run = await both.desk.plan("e1")

    assert (run.status, run.degraded) == (RunStatus.DONE, True)
    assert (await both.desk.scheme_of(run)).degraded


async def test_redis_that_comes_back_is_used_again(both: Both, clock: ManualClock) -> None:
    both.server.kill()
    for number in range(4):  # the breaker opens after three
        await both.holds.acquire(f"run-{number}", EventId("e1"), {T1: 0}, TTL)
        await both.holds.release(f"run-{number}", [T1])
    both.server.start()
    clock.advance(timedelta(seconds=5))
    fence = (await both.desk.records.team(T1)).fence  # type: ignore[union-attr]

    held = await both.holds.acquire("run-9", EventId("e1"), {T1: fence}, TTL)

    assert isinstance(held, HeldTeams)
    assert (held.where, both.fallback.degraded) == ("redis", False)


async def test_a_hanging_redis_is_not_waited_for_and_leaves_no_orphan(both: Both) -> None:
    await both.client.ping()
    both.server.pause()

    held = await both.holds.acquire("run-1", EventId("e1"), {T1: 0}, TTL)
    both.server.resume()  # only now it carries out what it was sent
    await both.client.ping()
    left = await both.keys()
    await both.fallback.run_once()

    assert isinstance(held, HeldTeams)
    assert left in ([], [f"{PREFIX}t1"])
    assert await both.keys() == []
    assert both.fallback.orphans == 0


async def test_a_redis_that_forgot_everything_cannot_send_a_team_twice(both: Both) -> None:
    fences = {T1: 0}
    first = await both.holds.acquire("run-1", EventId("e1"), fences, TTL)
    both.server.empty()
    second = await both.desk.plan("e2", team_ids=[T1])  # sees no hold, and is quicker

    late = await both.desk.plan("e1", team_ids=[T1])

    assert isinstance(first, HeldTeams)
    assert second.status is RunStatus.DONE
    assert late.error is not None
    assert (late.error["error_code"], late.error["details"]["locked_by"]) == ("AI4003", "e2")
    assert {one.event_id for one in await both.desk.store.assignments()} == {"e2"}


async def test_a_value_that_somebody_else_wrote_blocks_and_is_not_deleted(both: Both) -> None:
    await both.client.set(f"{PREFIX}t1", "who knows")

    refused = await both.holds.acquire("run-1", EventId("e1"), {T1: 0, T2: 0}, TTL)
    await both.holds.release("run-1", [T1, T2])

    assert isinstance(refused, Refused)
    assert refused.blockers[0].locked_by == "who knows"
    assert await both.keys() == [f"{PREFIX}t1"]


async def test_without_a_way_around_a_dead_redis_is_refused_by_number(
    both: Both, sqlite: Database, clock: ManualClock
) -> None:
    strict = HoldsWithFallback(
        RedisHolds(both.client, clock),
        SqlHolds(sqlite, clock),
        both.meter,
        Breaker("redis", clock),
        allowed=False,
    )
    both.server.kill()

    with pytest.raises(RedisGone) as refused:
        await strict.acquire("run-1", EventId("e1"), {T1: 0}, TTL)

    assert refused.value.error_code == "AI5004"
    assert both.meter[FALLBACK] == 1


async def test_grants_refusals_and_expiries_are_counted(both: Both, clock: ManualClock) -> None:
    await both.holds.acquire("run-1", EventId("e1"), {T1: 0}, TTL)
    await both.holds.acquire("run-2", EventId("e2"), {T1: 0}, TTL)
    await both.client.delete(f"{PREFIX}t1")  # as if its time had run out
    await both.holds.extend("run-1", [T1], TTL)

    counted = [both.meter[name] for name in (ACQUIRED, FAILED, EXPIRED, FALLBACK)]
    assert counted == [1, 1, 1, 0]


async def test_a_hold_that_ran_out_before_it_was_released_is_counted(both: Both) -> None:
    await both.holds.acquire("run-1", EventId("e1"), {T1: 0, T2: 0}, TTL)
    await both.client.delete(f"{PREFIX}t2")

    await both.holds.release("run-1", [T1, T2])

    assert both.meter[EXPIRED] == 1


async def test_a_proposal_keeps_the_early_refusal_for_the_whole_window(
    sqlite: Database, both: Both, clock: ManualClock
) -> None:
    careful = Desk(sqlite, clock, holds=both.holds, policy=Policy(approval=True))

    run = await careful.plan("e1", team_ids=[T1])

    window = careful.policy.approval_window.total_seconds()
    assert await both.client.ttl(f"{PREFIX}t1") > 300
    assert await both.client.ttl(f"{PREFIX}t1") <= window
    assert run.scheme_id is not None
    await careful.service.approve(run.scheme_id, "officer")
    assert await both.keys() == []


async def test_a_new_plan_takes_over_what_redis_holds_for_the_same_event(
    sqlite: Database, both: Both, clock: ManualClock
) -> None:
    careful = Desk(sqlite, clock, holds=both.holds, policy=Policy(approval=True))
    await careful.plan("e1", team_ids=[T1])

    second = await careful.scheme_of(await careful.plan("e1", team_ids=[T1]))

    assert (second.status, second.option.team_ids) == ("proposed", ("t1",))
    await careful.service.approve(second.id, "officer")
    assert await both.keys() == []


async def test_teams_of_a_proposal_that_its_event_outlived_are_free_for_others(
    sqlite: Database, both: Both, clock: ManualClock
) -> None:
    careful = Desk(sqlite, clock, holds=both.holds, policy=Policy(approval=True))
    await careful.plan("e1", team_ids=[T1])
    found = await careful.records.event(EventId("e1"))
    assert found is not None
    over = replace(found, status=EventStatus.CANCELLED)
    await careful.records.change_event(over, None, clock.now())
    clock.advance(timedelta(seconds=20))

    freed = await both.desk.plan("e2", team_ids=[T1])

    assert freed.status is RunStatus.DONE, freed.error
    assert await both.desk.statuses() == {"t1": "deployed", "t2": "standby"}
    assert await both.keys() == []


@pytest.mark.parametrize("count", [0, TEAMS_MAX + 1])
async def test_no_teams_and_too_many_teams_are_refused(both: Both, count: int) -> None:
    with pytest.raises(InvalidInput):
        await both.holds.acquire(
            "run-1", EventId("e1"), {TeamId(f"t{n}"): 0 for n in range(count)}, TTL
        )
