"""A small dispatch desk on a real database: builders, a fresh store, a service to call."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clarion.agent.choosers import Chooser, GreedyChooser
from clarion.agent.graph import NodePatience, Planner
from clarion.agent.nodes import Node, Nodes
from clarion.agent.rulebook import RuleFile
from clarion.base.breaker import Breaker
from clarion.base.clock import Clock
from clarion.base.ids import TaskId
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.holding import CountedHolds, Counts
from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    Need,
    Place,
    Run,
    Scheme,
    Severity,
    Team,
    TeamId,
)
from clarion.dispatch.ports import Agent, Holds, RuleBook
from clarion.dispatch.service import Dispatch, Policy
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.dispatch.store import SqlDispatch, SqlRecords
from clarion.store.sql.engine.database import Database
from tests.support.clock import START

HERE = Place(31.23, 121.47)  # Shanghai
KM_NORTH = 1 / 111.2  # degrees of latitude


def team(name: str, *, km: float = 1.0, **changes: Any) -> Team:
    given: dict[str, Any] = {
        "id": TeamId(name),
        "name": name,
        "place": Place(HERE.latitude + km * KM_NORTH, HERE.longitude),
        "capabilities": {"medical": 1},
    }
    return Team(**{**given, **changes})


def event(name: str = "event-1", *, now: datetime = START, **changes: Any) -> DispatchEvent:
    given: dict[str, Any] = {
        "id": EventId(name),
        "type": "medical",
        "severity": Severity.MEDIUM,
        "place": HERE,
        "reported_at": now,
        "needs": (Need("medical", 1),),
    }
    return DispatchEvent(**{**given, **changes})


def planner(
    *,
    chooser: Chooser | None = None,
    book: RuleBook | None = None,
    nodes: Mapping[str, Node] | None = None,
    patience: Mapping[str, NodePatience] | None = None,
    graph: bool = False,
) -> Planner:
    made = Nodes(book or RuleFile(), chooser or GreedyChooser()).by_name()
    return Planner({**made, **(nodes or {})}, patience, graph=graph)


@dataclass
class Desk:
    database: Database
    clock: Clock
    agent: Agent = field(default_factory=planner)
    holds: Holds | None = None
    policy: Policy = field(default_factory=Policy)
    meter: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        self.store = SqlDispatch(self.database)
        self.records = SqlRecords(self.database, approval=self.policy.approval)
        self.holds = self.holds or CountedHolds(SqlHolds(self.database, self.clock), self.meter)
        guard = DispatchGuard(Breaker("database", self.clock), timedelta(seconds=5))
        self.service = Dispatch(self.store, self.holds, self.agent, self.clock, guard, self.policy)

    async def add(self, *things: Team | DispatchEvent) -> None:
        for thing in things:
            if isinstance(thing, Team):
                await self.records.add_team(thing, self.clock.now())
            else:
                await self.records.add_event(thing, self.clock.now())

    async def plan(self, name: str = "event-1", **options: Any) -> Run:
        """Ask for a plan and carry it out."""
        run = await self.service.request(EventId(name), **options)
        done = await self.service.run(TaskId(run.id))
        assert done is not None
        return done

    async def scheme_of(self, run: Run) -> Scheme:
        assert run.scheme_id is not None, run.error
        return await self.service.scheme(run.scheme_id)

    async def statuses(self) -> dict[str, str]:
        return {one.id: one.status.value for one in await self.records.teams((), 1000)}


@asynccontextmanager
async def desk(database: Database, clock: Clock, **options: Any) -> AsyncIterator[Desk]:
    yield Desk(database, clock, **options)
