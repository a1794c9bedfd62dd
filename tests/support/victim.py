"""A process that carries out one plan and is killed by itself at the point it was told.

`python -m tests.support.victim <database> <redis or ''> <run> <point>`; a point is a node's name,
`held` (after the holds, before the commit) or `committed` (after the commit, before the rest).
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from clarion.agent.choosers import GreedyChooser
from clarion.agent.nodes import Nodes, PlanState
from clarion.agent.rulebook import RuleFile
from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.base.ids import TaskId
from clarion.dispatch.holding import Counts, HoldsWithFallback
from clarion.dispatch.model import EventId, TeamId
from clarion.dispatch.ports import DispatchDecision, HeldTeams, Holds, Refused
from clarion.store.redis.holds import RedisHolds, holds_client
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.opening import open_database
from tests.support.dispatching import Desk, planner


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def dies(_state: PlanState) -> PlanState:
    die()
    return {}


class DiesHolding:
    def __init__(self, inner: Holds) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        outcome = await self._inner.acquire(owner, event_id, fences, ttl)
        die()
        return outcome


async def carry_out(url: str, redis_url: str, run_id: str, point: str) -> None:
    clock = SystemClock()
    database = await open_database(url)
    record = SqlHolds(database, clock)
    holds: Holds = record
    if redis_url:
        redis = RedisHolds(holds_client(redis_url), clock)
        holds = HoldsWithFallback(redis, record, Counts(), Breaker("redis", clock))
    nodes = Nodes(RuleFile(), GreedyChooser()).by_name()
    deadly = {point: dies} if point in nodes else {}
    kept: Any = DiesHolding(holds) if point == "held" else holds
    desk = Desk(database, clock, agent=planner(nodes=deadly), holds=kept)
    if point == "committed":
        commit = desk.store.commit

        async def committed(decision: DispatchDecision, now: datetime) -> Any:
            outcome = await commit(decision, now)
            die()
            return outcome

        desk.store.commit = committed  # type: ignore[method-assign]
    await desk.service.run(TaskId(run_id))


def kill_at(url: str, redis_url: str, run_id: str, point: str) -> None:
    """Runs it to its death, and sees that it died of nothing else."""
    command = [sys.executable, "-m", __name__, url, redis_url, run_id, point]
    done = subprocess.run(command, timeout=50, check=False)
    assert done.returncode == -signal.SIGKILL, f"it survived {point}"


if __name__ == "__main__":
    asyncio.run(carry_out(*sys.argv[1:]))
