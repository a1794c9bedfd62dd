"""The model reads reports and words explanations; whatever it does, a plan comes out."""

import pytest

from clarion.agent.choosers import GreedyChooser
from clarion.agent.graph import Planner
from clarion.agent.nodes import Nodes
from clarion.agent.rulebook import RuleFile
from clarion.dispatch.model import Need, PlanPicture, Proposal, Severity
from clarion.dispatch.ports import PlanRequest, ReportReading
from clarion.llm.client import LlmClient
from clarion.llm.dispatching import LlmExplanations, LlmReports
from tests.llm.conftest import Clients
from tests.support.clock import START
from tests.support.dispatching import event, team
from tests.support.openai_double import Fails, Hangs, Says, Step, openai_double, says

TYPES, CAPABILITIES = ["fire", "flood"], ["medical", "water_rescue"]


async def test_a_report_becomes_type_gravity_and_needs(clients: Clients) -> None:
    answer = says(type="flood", severity="critical", needs="medical=2, water_rescue=3, magic=9")
    async with openai_double(answer) as double:
        reading = await LlmReports(clients.of(double)).read("全淹了", TYPES, CAPABILITIES)

    assert reading == ReportReading("flood", Severity.CRITICAL, {"medical": 2, "water_rescue": 3})
    assert "全淹了" not in double.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(says(type="aliens", severity="high", needs=""), id="a type that is none"),
        pytest.param(says(type="fire", severity="huge", needs=""), id="a gravity that is none"),
        pytest.param(says(type="fire", severity="high"), id="a field missing"),
        pytest.param(Says("it burns"), id="not the schema"),
        pytest.param(Fails(500), id="500"),
        pytest.param(Hangs(), id="hangs"),
    ],
)
async def test_a_report_that_was_not_read_well_is_read_by_the_rules(
    clients: Clients, step: Step
) -> None:
    async with openai_double(step) as double:
        proposal = await plan(clients.of(double, timeout=0.2), "着火了")

    assert proposal.event.type == "fire"
    assert proposal.explanation.startswith("事件")


async def test_a_whole_plan_with_a_model_that_means_well(clients: Clients) -> None:
    read = says(type="flood", severity="high", needs="medical=1")
    async with openai_double(read, says(text="t1 最近，先出动。")) as double:
        proposal = await plan(clients.of(double), "一楼全淹了")

    assert (proposal.event.type, proposal.event.needs) == ("flood", (Need("medical", 1),))
    assert proposal.best.team_ids == ("t1",)
    assert proposal.explanation.startswith("t1 最近，先出动。\n\n事件")


async def test_a_model_cannot_bring_in_a_team_that_is_not_there(clients: Clients) -> None:
    read = says(type="flood", severity="high", needs="medical=1")
    async with openai_double(read, says(text="派出 team-999 最合适。")) as double:
        proposal = await plan(clients.of(double), "一楼全淹了")

    assert proposal.best.team_ids == ("t1",)
    assert "team-999" not in proposal.explanation


async def plan(client: LlmClient, report: str) -> Proposal:
    nodes = Nodes(RuleFile(), GreedyChooser(), LlmReports(client), LlmExplanations(client))

    async def noted(_node: str, _percent: int) -> bool:
        return True

    happened = event(type="", report=report, needs=())
    request = PlanRequest(picture=PlanPicture(happened, (team("t1"),)), owner="run", now=START)
    return await Planner(nodes.by_name(), graph=False).plan(request, noted)
