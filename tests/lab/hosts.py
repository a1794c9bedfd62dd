"""The Python SDK 1.x and fastmcp, each in its own way: list, set, be refused, be asked, confirm.

A line each, in that order.

Run by the lab's own interpreter: nothing of Clarion is imported.
"""

import asyncio
import json
import sys
from typing import Any

ANSWER = {"when": "明天早上9点"}


async def visit(call: Any, tools: list[Any]) -> None:
    made = await call("reminder_create_natural", {"text": "明天早上8点提醒我吃药"})
    refused = await call("reminder_get", {"reminder_id": "rem_none"})
    asked = await call("reminder_create_natural", {"text": "提醒我浇花"})
    done = await call("reminder_confirm", {"reminder_id": made.structuredContent["reminder"]["id"]})
    told = {
        "lists": len(tools),
        "sets": made.structuredContent["said"],
        "refused": refused.content[0].text if refused.isError else "",
        "asked": asked.structuredContent["said"],
        "confirms": done.structuredContent["said"],
    }
    sys.stdout.write(json.dumps(told) + "\n")


async def python_sdk(url: str, token: str) -> None:
    from mcp import ClientSession, types
    from mcp.client.streamable_http import streamablehttp_client

    async def answer(_: Any, __: Any) -> Any:
        return types.ElicitResult(action="accept", content=ANSWER)

    headers = {"Authorization": f"Bearer {token}"}
    async with (
        streamablehttp_client(url, headers=headers) as (read, write, _),
        ClientSession(read, write, elicitation_callback=answer) as session,
    ):
        await session.initialize()
        await visit(session.call_tool, (await session.list_tools()).tools)


async def fastmcp(url: str, token: str) -> None:
    from fastmcp import Client
    from fastmcp.client.elicitation import ElicitResult
    from fastmcp.client.transports import StreamableHttpTransport

    async def answer(*_: Any) -> Any:
        return ElicitResult(action="accept", content=ANSWER)

    transport = StreamableHttpTransport(url, headers={"Authorization": f"Bearer {token}"})
    async with Client(transport, elicitation_handler=answer) as client:
        await visit(client.call_tool_mcp, await client.list_tools())


async def both(url: str, token: str) -> None:
    await python_sdk(url, token)
    await fastmcp(url, token)


if __name__ == "__main__":
    asyncio.run(both(*sys.argv[1:]))
