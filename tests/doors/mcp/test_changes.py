"""Word of a change reaches those whose reminder it is, and nobody else, in both eras."""

import asyncio

import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated

from tests.support.assistant import over_http
from tests.support.doors import Doors

SENTENCE = "明天早上8点提醒我吃药，要确认"
MODERN, HANDSHAKE = "2026-07-28", "legacy"
# The client warns whoever still speaks the older era; its users are most users.
pytestmark = pytest.mark.filterwarnings("ignore:resources/subscribe is removed")


async def test_a_modern_listener_hears_that_its_reminder_changed(doors: Doors) -> None:
    async with over_http(doors.url, doors.tokens["ana"], MODERN) as ana:
        name = (await ana.call("reminder_create_natural", text=SENTENCE))["reminder"]["id"]
        addresses = [f"reminder://{name}"]
        async with ana.client.listen(resource_subscriptions=addresses) as changes:
            await ana.call("reminder_confirm", reminder_id=name)
            heard = await anext(aiter(changes))

    assert heard == ResourceUpdated(uri=f"reminder://{name}")


async def test_a_subscriber_of_the_handshake_era_hears_it_too(doors: Doors) -> None:
    async with over_http(doors.url, doors.tokens["ana"], HANDSHAKE) as ana:
        name = (await ana.call("reminder_create_natural", text=SENTENCE))["reminder"]["id"]
        await ana.client.subscribe_resource(f"reminder://{name}")
        await ana.client.subscribe_resource("reminders://upcoming/ana")
        await ana.call("reminder_confirm", reminder_id=name)
        heard = {await ana.updated.get(), await ana.updated.get()}

    assert heard == {f"reminder://{name}", "reminders://upcoming/ana"}


async def test_a_change_made_elsewhere_is_heard(doors: Doors) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], MODERN) as ana,
        doors.client("ana") as rest,
        ana.client.listen(resource_subscriptions=["reminders://upcoming/ana"]) as told,
    ):
        await rest.post("/api/v1/reminders/natural", json={"text": SENTENCE})
        heard = await anext(aiter(told))

    assert heard == ResourceUpdated(uri="reminders://upcoming/ana")


@pytest.mark.parametrize("address", ["reminder://{name}", "reminders://upcoming/ana", "x://y"])
async def test_bo_cannot_listen_to_what_is_anas(doors: Doors, address: str) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], MODERN) as ana,
        over_http(doors.url, doors.tokens["bo"], MODERN) as bo,
        over_http(doors.url, doors.tokens["bo"], HANDSHAKE) as old_bo,
    ):
        name = (await ana.call("reminder_create_natural", text=SENTENCE))["reminder"]["id"]
        wanted = address.format(name=name)
        guessed = "reminder://rem_none"

        with pytest.raises(MCPError) as modern:
            async with bo.client.listen(resource_subscriptions=[wanted]):
                pass
        with pytest.raises(MCPError) as handshake:
            await old_bo.client.subscribe_resource(wanted)
        with pytest.raises(MCPError) as nothing:
            await old_bo.client.subscribe_resource(guessed)

    assert modern.value.error.code == handshake.value.error.code == nothing.value.error.code
    assert str(handshake.value).replace(wanted, guessed) == str(nothing.value)


async def test_a_session_belongs_to_the_token_that_opened_it(doors: Doors) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], HANDSHAKE) as ana,
        doors.client("bo") as bo,
    ):
        await ana.call("reminder_list")
        stolen = await bo.post(
            "/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            headers={
                "Mcp-Session-Id": ana.session_id,
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": "2025-11-25",
            },
        )

    assert stolen.status_code in {403, 404}


async def test_listeners_are_told_goodbye_when_the_server_stops(doors: Doors) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], MODERN) as ana,
        ana.client.listen(resource_subscriptions=["reminders://upcoming/ana"]) as told,
    ):
        doors.parts.stopping.set()
        heard = [event async for event in told]

    assert heard == []


async def test_without_a_token_there_is_no_door(doors: Doors) -> None:
    async with doors.client() as nobody, doors.client("kitchen") as device:
        missing, wrong = await asyncio.gather(
            nobody.post("/mcp", json={}), device.post("/mcp", json={})
        )

    where = f'resource_metadata="{doors.url}/.well-known/oauth-protected-resource/mcp"'
    assert missing.status_code == 401
    assert where in missing.headers["www-authenticate"]
    assert wrong.status_code == 403
