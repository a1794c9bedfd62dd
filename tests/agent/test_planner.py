"""The graph: the same with and without LangGraph, bounded, and never naming who is not there."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.agent.choosers import GreedyChooser
from clarion.agent.graph import PERCENT, NodePatience, Planner
from clarion.agent.nodes import Nodes, PlanState
from clarion.agent.rulebook import RuleFile
from clarion.base.errors import TimedOut
from clarion.dispatch.errors import AlgorithmFailed, InvalidInput
from clarion.dispatch.model import (
    DispatchEvent,
    EventStatus,
    Need,
    PlanPicture,
    Proposal,
    Quality,
    Severity,
    Team,
    TeamId,
)
from clarion.dispatch.plan.choose import ChoiceProblem, Chosen
from clarion.dispatch.ports import PlanRequest, ReportReading
from tests.support.clock import START
from tests.support.dispatching import event, planner, team

AT_ONCE = NodePatience(timedelta(milliseconds=30), tries=2)


class Steps:
    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []
        self.goes_on = True

    async def note(self, node: str, percent: int) -> bool:
        self.seen.append((node, percent))
        return self.goes_on


def request(happened: DispatchEvent, *teams: Team) -> PlanRequest:
    return PlanRequest(picture=PlanPicture(happened, teams), owner="run", now=START)


async def plan(agent: Planner, happened: DispatchEvent, *teams: Team) -> Proposal:
    return await agent.plan(request(happened, *teams), Steps().note)


@pytest.mark.parametrize("graph", [False, True], ids=["plain", "langgraph"])
async def test_every_node_is_told_before_it_begins(graph: bool) -> None:
    steps = Steps()

    await planner(graph=graph).plan(request(event(), team("t1")), steps.note)

    assert steps.seen == list(PERCENT.items())


async def test_langgraph_and_the_plain_way_propose_the_same() -> None:
    teams = [team(f"t{n}", km=n) for n in range(1, 6)]
    wanted = event(needs=(Need("medical", 2),))

    with_graph = await plan(planner(graph=True), wanted, *teams)
    without = await plan(planner(graph=False), wanted, *teams)

    assert with_graph == without
    assert with_graph.best.team_ids == ("t1", "t2")


@pytest.mark.parametrize("graph", [False, True], ids=["plain", "langgraph"])
async def test_with_nobody_to_choose_from_there_is_no_choice(graph: bool) -> None:
    steps = Steps()

    proposal = await planner(graph=graph).plan(request(event()), steps.note)

    assert "choose" not in dict(steps.seen)
    assert proposal.best.members == ()
    assert proposal.best.coverage == 0


@pytest.mark.parametrize("graph", [False, True], ids=["plain", "langgraph"])
@pytest.mark.parametrize("name", list(PERCENT))
async def test_a_node_that_fails_is_tried_again_and_then_named(name: str, graph: bool) -> None:
    tries = []

    async def fails(_state: PlanState) -> PlanState:
        tries.append(name)
        raise ZeroDivisionError("by design")

    agent = planner(nodes={name: fails}, patience={name: AT_ONCE}, graph=graph)

    with pytest.raises(AlgorithmFailed) as failed:
        await plan(agent, event(), team("t1"))

    assert tries == [name, name]
    assert failed.value.details == {"node": name, "reason": "by design"}


@pytest.mark.parametrize("graph", [False, True], ids=["plain", "langgraph"])
@pytest.mark.parametrize("name", list(PERCENT))
async def test_a_node_that_hangs_is_cut_and_named(name: str, graph: bool) -> None:
    async def hangs(_state: PlanState) -> PlanState:
        await asyncio.Event().wait()
        return {}

    agent = planner(nodes={name: hangs}, patience={name: AT_ONCE}, graph=graph)

    with pytest.raises(AlgorithmFailed, match=r"no answer within 0\.03 s") as failed:
        await plan(agent, event(), team("t1"))

    assert failed.value.details["node"] == name


async def test_a_node_that_fails_once_is_forgiven() -> None:
    nodes = Nodes(RuleFile(), GreedyChooser()).by_name()
    tries = []

    async def stumbles(state: PlanState) -> PlanState:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("for a moment")
        return await nodes["choose"](state)

    proposal = await plan(planner(nodes={"choose": stumbles}), event(), team("t1"))

    assert proposal.best.team_ids == ("t1",)


async def test_a_plan_that_was_taken_over_stops_at_the_next_step() -> None:
    steps = Steps()
    steps.goes_on = False

    with pytest.raises(Exception, match="another worker"):
        await planner().plan(request(event(), team("t1")), steps.note)

    assert len(steps.seen) == 1


class Liar:
    """Chooses a team that nobody has ever seen."""

    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        return Chosen(((TeamId("ghost"),), (TeamId("t1"),), (TeamId("t1"),)), Quality.OPTIMAL)


async def test_a_choice_is_looked_at_again_before_it_is_proposed() -> None:
    with pytest.raises(AlgorithmFailed, match="alternative that is none"):
        await plan(planner(chooser=Liar()), event(), team("t1"))


class Model:
    """A language model that says what it was told to say."""

    def __init__(self, reading: ReportReading | None = None, words: str | None = None) -> None:
        self._reading = reading
        self._words = words

    async def read(
        self, report: str, types: Sequence[str], capabilities: Sequence[str]
    ) -> ReportReading | None:
        return self._reading

    async def explain(self, facts: str, language: str) -> str | None:
        return self._words


class Away(Model):
    async def read(
        self, report: str, types: Sequence[str], capabilities: Sequence[str]
    ) -> ReportReading | None:
        raise TimedOut("no answer")

    async def explain(self, facts: str, language: str) -> str | None:
        raise TimedOut("no answer")


def with_model(model: Model) -> Planner:
    return Planner(Nodes(RuleFile(), GreedyChooser(), model, model).by_name(), graph=False)


def reported(report: str, **changes: object) -> DispatchEvent:
    return replace(event(needs=()), type="", report=report, **changes)  # type: ignore[arg-type]


async def test_a_report_is_understood_without_a_model() -> None:
    proposal = await plan(planner(), reported("化工厂泄漏，多人被困"))

    assert (proposal.event.type, proposal.event.severity) == ("chemical_leak", Severity.CRITICAL)


async def test_a_model_reads_what_the_words_do_not_say() -> None:
    model = Model(ReportReading("flood", Severity.HIGH, {"medical": 2, "magic": 5}))

    proposal = await plan(with_model(model), reported("一楼全淹了"))

    assert (proposal.event.type, proposal.event.severity) == ("flood", Severity.HIGH)
    assert proposal.event.needs == (Need("medical", 2),)


async def test_a_model_cannot_empty_the_city() -> None:
    model = Model(ReportReading("medical", Severity.LOW, {"medical": 9999}))
    city = [team(f"t{n}") for n in range(30)]

    proposal = await plan(with_model(model), reported("有个人头晕"), *city)

    most = max(need.amount for rule in RuleFile().rules().types.values() for need in rule.needs)
    assert len(proposal.best.members) <= most


async def test_a_model_that_names_an_unknown_type_is_not_believed() -> None:
    proposal = await plan(with_model(Model(ReportReading("alien_invasion"))), reported("着火了"))

    assert proposal.event.type == "fire"


async def test_a_model_can_make_an_event_graver_but_not_lighter() -> None:
    grave = reported("着火了", severity=Severity.HIGH)

    proposal = await plan(with_model(Model(ReportReading("fire", Severity.LOW))), grave)

    assert proposal.event.severity is Severity.HIGH


async def test_a_model_that_is_away_changes_nothing() -> None:
    proposal = await plan(with_model(Away()), reported("着火了"), team("t1"))

    assert proposal.event.type == "fire"
    assert proposal.explanation.startswith("事件")


async def test_good_words_stand_before_the_facts() -> None:
    proposal = await plan(with_model(Model(words="最近的队伍 t1 出动。")), event(), team("t1"))

    assert proposal.explanation.startswith("最近的队伍 t1 出动。\n\n事件")


@pytest.mark.parametrize(
    "words", ["派出 team-999。", "消防九队马上到", "预计 3 秒到达", "x" * 3000]
)
async def test_words_that_name_what_is_not_in_the_facts_are_dropped(words: str) -> None:
    proposal = await plan(with_model(Model(words=words)), event(), team("t1", km=30))

    assert proposal.explanation.startswith("事件")


async def test_an_event_that_is_over_is_not_planned() -> None:
    with pytest.raises(InvalidInput):
        await plan(planner(), event(status=EventStatus.CLOSED), team("t1"))


async def test_the_rules_deadline_keeps_far_teams_at_home() -> None:
    far = team("t1", km=500)

    proposal = await plan(planner(), event(), far)

    assert proposal.best.members == ()
    assert "无法及时到达" in proposal.best.shortfall[0].reasons[0]
