"""The first gate before a ring turns away the dead and nobody else."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from clarion.store.redis.client import quick_client
from clarion.store.redis.gate import TriggerGate
from clarion.tasks.ports import Claim
from tests.support.services import RedisServer
from tests.support.tasks import a_task


@pytest.fixture
async def client(redis_server: RedisServer) -> AsyncIterator[Redis]:
    made = quick_client(redis_server.url)
    yield made
    await made.aclose()


@pytest.fixture
def gate(client: Redis) -> TriggerGate:
    return TriggerGate(client, lambda: False)


def a_ring(name: str = "one", fence: int = 1) -> Claim:
    return Claim(a_task(name, reminder="rem_1"), 1, fence)


async def test_the_key_says_who_rings_and_goes_by_itself(gate: TriggerGate, client: Redis) -> None:
    assert await gate.lets_pass(a_ring())

    assert await client.get("trigger_lock:rem_1") == "tsk_one:1"
    assert 0 < await client.ttl("trigger_lock:rem_1") <= 300


async def test_a_worker_from_the_dead_is_turned_away(gate: TriggerGate) -> None:
    await gate.lets_pass(a_ring(fence=2))

    assert not await gate.lets_pass(a_ring(fence=1))


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(a_ring(fence=2), id="the same one"),
        pytest.param(a_ring(fence=3), id="its successor"),
        pytest.param(a_ring("next", fence=1), id="the next attempt, a minute later"),
    ],
)
async def test_nobody_else_is(gate: TriggerGate, claim: Claim) -> None:
    await gate.lets_pass(a_ring(fence=2))

    assert await gate.lets_pass(claim)


async def test_without_redis_the_gate_stands_open(
    gate: TriggerGate, redis_server: RedisServer
) -> None:
    await gate.lets_pass(a_ring(fence=2))
    redis_server.kill()

    assert await gate.lets_pass(a_ring(fence=1))


async def test_the_handler_behind_a_closed_gate_is_not_called(gate: TriggerGate) -> None:
    rung: list[int] = []

    async def ring(claim: Claim) -> None:
        rung.append(claim.fence)

    gated = gate.before(ring)
    for fence in (1, 3, 2):
        await gated(a_ring(fence=fence))

    assert rung == [1, 3]
