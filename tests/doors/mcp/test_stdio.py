"""MCP over pipes: `clarion mcp` with the official client, beside a server and on its own."""

import os
import sys
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated

from tests.support.assistant import ERAS, over_stdio
from tests.support.doors import Doors

ROOT = Path(__file__).parents[3]
SENTENCE = "明天早上8点提醒我吃药，要确认"


def command(folder: Path, *arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "clarion", "mcp", *arguments],
        env={"CLARION_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        cwd=folder,
    )


@pytest.fixture
def beside(doors: Doors, tmp_path: Path) -> StdioServerParameters:
    """A bridge to the test's own server, as Ana."""
    (tmp_path / "address").write_text(doors.url)
    (tmp_path / "token").write_text(doors.tokens["admin"])
    return command(tmp_path, "--user", "ana")


async def test_the_mission_runs_over_pipes(
    doors: Doors, beside: StdioServerParameters, era: str
) -> None:
    async with over_stdio(beside, era) as ana:
        made = await ana.call("reminder_create_natural", text=SENTENCE)
        name = made["reminder"]["id"]
        listed = await ana.call("reminder_list", status=["pending"])
        later = await ana.call("reminder_snooze", reminder_id=name, duration=300)
        done = await ana.call("reminder_confirm", reminder_id=name)
        refused = await ana.refused("reminder_get", reminder_id="rem_none")
        tools = await ana.client.list_tools()

    assert made["reminder"]["user_id"] == "ana"
    assert [one["id"] for one in listed["items"]] == [name]
    assert "下午4点零5分" in later["said"]
    assert done["reminder"]["status"] == "confirmed"
    assert refused["code"] == "no_such_reminder"
    assert len(tools.tools) == 11


async def test_a_missing_time_is_asked_for_over_pipes(
    doors: Doors, beside: StdioServerParameters, era: str
) -> None:
    async with over_stdio(beside, era, answers_with="明天下午3点") as ana:
        made = await ana.call("reminder_create_natural", text="提醒我给妈妈打电话")

    assert len(ana.asked) == 1
    assert made["reminder"]["trigger_at"] == "2030-01-08T15:00:00+08:00"


async def test_a_change_is_heard_over_pipes_in_the_modern_era(
    doors: Doors, beside: StdioServerParameters
) -> None:
    address = "reminders://upcoming/ana"

    async with over_stdio(beside, ERAS[1]) as ana, doors.client("ana") as rest:
        async with ana.client.listen(resource_subscriptions=[address]) as told:
            await rest.post("/api/v1/reminders/natural", json={"text": SENTENCE})
            heard = await anext(aiter(told))
        with pytest.raises(MCPError):
            async with ana.client.listen(resource_subscriptions=["reminders://upcoming/bo"]):
                pass

    assert heard == ResourceUpdated(uri=address)


@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
async def test_a_change_is_heard_over_pipes_in_the_handshake_era(
    doors: Doors, beside: StdioServerParameters
) -> None:
    async with over_stdio(beside, ERAS[0]) as ana, doors.client("ana") as rest:
        await ana.client.subscribe_resource("reminders://upcoming/ana")
        await rest.post("/api/v1/reminders/natural", json={"text": SENTENCE})
        heard = await ana.updated.get()

    assert heard == "reminders://upcoming/ana"


async def test_the_bridges_token_ends_with_it(doors: Doors, beside: StdioServerParameters) -> None:
    async with over_stdio(beside, ERAS[1]) as ana:
        await ana.call("reminder_list")

    bridge = [token for token in await doors.access.list() if token.name == "clarion mcp"]
    assert [token.revoked_at is not None for token in bridge] == [True]


@pytest.mark.timeout(120)  # a whole Clarion starts in there
async def test_without_a_server_it_is_one_itself(tmp_path: Path) -> None:
    async with over_stdio(command(tmp_path), ERAS[1]) as me:
        made = await me.call("reminder_create_natural", text="10分钟后提醒我喝水")
    async with over_stdio(command(tmp_path), ERAS[0]) as me:
        listed = await me.call("reminder_list")

    assert made["reminder"]["user_id"] == "me"
    assert [one["id"] for one in listed["items"]] == [made["reminder"]["id"]]
