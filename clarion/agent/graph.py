"""The order of the steps, their time limits and tries, and two ways to run them.

LangGraph runs the graph if it is installed; otherwise a plain loop runs the same nodes, so that an
upgrade of LangGraph can never stop dispatch.
"""

import asyncio
import importlib.util
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from clarion.agent.nodes import Node, PlanState
from clarion.base.errors import ClarionError
from clarion.dispatch.errors import AlgorithmFailed, InvalidInput
from clarion.dispatch.model import DispatchEvent, Proposal
from clarion.dispatch.ports import PlanRequest, Progress

log = logging.getLogger(__name__)

START = "load_rules"
PERCENT = {
    "load_rules": 0,
    "understand": 10,
    "find_teams": 25,
    "choose": 40,
    "explain": 70,
    "evaluate": 90,
}


@dataclass(frozen=True, slots=True)
class NodePatience:
    """How long one try of a node may take, and how often it is tried."""

    limit: timedelta = timedelta(seconds=10)
    tries: int = 2


class Stopped(ClarionError):
    """Another worker has taken the run over: stop."""

    code = "plan_stopped"


def after(node: str, state: PlanState) -> str | None:
    """Which node comes next; None at the end. Without candidates the choice is skipped."""
    if node == "find_teams" and not state["problem"].candidates:
        return "explain"
    names = list(PERCENT)
    place = names.index(node) + 1
    return names[place] if place < len(names) else None


def guarded(name: str, node: Node, patience: NodePatience) -> Node:
    """The node with its time limit and tries. Our own errors are answers and are not retried."""

    async def run(state: PlanState) -> PlanState:
        if not await state["progress"](name, PERCENT[name]):
            raise Stopped("another worker has this plan")
        why = ""
        for _ in range(patience.tries):
            try:
                async with asyncio.timeout(patience.limit.total_seconds()):
                    return await node(state)
            except ClarionError:
                raise
            except TimeoutError:
                why = f"no answer within {patience.limit.total_seconds():g} s"
            except Exception as error:
                log.warning("node failed", extra={"node": name}, exc_info=True)
                why = str(error) or type(error).__name__
        raise AlgorithmFailed(name, why)

    return run


class PlanRunner(Protocol):
    async def run(self, state: PlanState) -> PlanState: ...


class PlainRunner:
    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes

    async def run(self, state: PlanState) -> PlanState:
        name: str | None = START
        while name is not None:
            state = {**state, **await self._nodes[name](state)}
            name = after(name, state)
        return state


class GraphRunner:
    """Built on first use: importing LangGraph takes most of a second."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes = nodes
        self._graph: Any = None

    async def warm_up(self) -> None:
        if self._graph is None:
            self._graph = await asyncio.to_thread(build_graph, self._nodes)

    async def run(self, state: PlanState) -> PlanState:
        await self.warm_up()
        done: PlanState = await self._graph.ainvoke(state)
        return done


def build_graph(nodes: Mapping[str, Node]) -> Any:
    from langgraph.graph import END, StateGraph

    graph = StateGraph(PlanState)
    for name, node in nodes.items():
        # `guarded` has its own retries and limits: those of the graph would be added to them.
        graph.add_node(name, node)  # type: ignore[call-overload]  # a plain async function
    graph.set_entry_point(START)
    for name in nodes:
        graph.add_conditional_edges(name, _way(name, END), [*nodes, END])
    return graph.compile()


def _way(name: str, end: str) -> Any:
    def way(state: PlanState) -> str:
        return after(name, state) or end

    return way


def is_langgraph_there() -> bool:
    return importlib.util.find_spec("langgraph") is not None


async def _unwatched(_node: str, _percent: int) -> bool:
    return True


class Planner:
    """The agent's port: one plan from beginning to end."""

    def __init__(
        self,
        nodes: Mapping[str, Node],
        patience: Mapping[str, NodePatience] | None = None,
        *,
        graph: bool | None = None,
    ) -> None:
        """`graph`: run by LangGraph; None: if it is installed."""
        given = patience or {}
        ready = {
            name: guarded(name, node, given.get(name, NodePatience()))
            for name, node in nodes.items()
        }
        self._nodes = ready
        with_graph = is_langgraph_there() if graph is None else graph
        self._runner: PlanRunner = GraphRunner(ready) if with_graph else PlainRunner(ready)

    async def warm_up(self) -> None:
        """Build what the first plan would have to wait for."""
        if isinstance(self._runner, GraphRunner):
            await self._runner.warm_up()

    async def understand(self, request: PlanRequest) -> DispatchEvent:
        state: PlanState = {"request": request, "progress": _unwatched}
        for name in ("load_rules", "understand"):
            state = {**state, **await self._nodes[name](state)}
        return state["event"]

    async def plan(self, request: PlanRequest, progress: Progress) -> Proposal:
        if request.picture.event.is_over:
            raise InvalidInput(f"event {request.picture.event.id} is over")
        done = await self._runner.run({"request": request, "progress": progress})
        return done["proposal"]
