"""The card that hosts show: who is offered it."""

import pytest
from mcp.client.extension import advertise

from tests.support.assistant import over_http
from tests.support.doors import Doors


@pytest.mark.parametrize("known", [True, False], ids=["shows cards", "shows none"])
async def test_the_card_is_offered_to_hosts_that_show_cards(
    doors: Doors, era: str, *, known: bool
) -> None:
    mime = "text/html;profile=mcp-app"
    shows = (advertise("io.modelcontextprotocol/ui", {"mimeTypes": [mime]}),)
    async with over_http(
        doors.url, doors.tokens["ana"], era, extensions=shows if known else ()
    ) as ana:
        tools = {tool.name: tool.meta for tool in (await ana.client.list_tools()).tools}
        listed = [str(one.uri) for one in (await ana.client.list_resources()).resources]
        [page] = (await ana.client.read_resource("ui://clarion/today.html")).contents

    offered = {"ui": {"resourceUri": "ui://clarion/today.html"}} if known else None
    assert (tools["reminder_list"], tools["reminder_get"]) == (offered, None)
    assert ("ui://clarion/today.html" in listed) is known
    assert page.mime_type == mime
