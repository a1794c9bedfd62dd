"""An assistant: the official SDK's client, in either era of the protocol, over HTTP or stdio."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.extension import ClientExtension
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

ERAS = ("legacy", "2026-07-28")


class Assistant:
    """Answers questions about time with `answers_with`, and declines if that is empty.

    Keeps what it was told and asked.
    """

    def __init__(self, answers_with: str | None) -> None:
        self.answers_with = answers_with
        self.asked: list[str] = []
        self.updated: asyncio.Queue[str] = asyncio.Queue()
        self.client: Client
        self.session_id = ""

    async def answer(self, _: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        if not self.answers_with:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"when": self.answers_with})

    async def hear(self, message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            self.updated.put_nowait(str(message.params.uri))

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of an answer that is no refusal."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        content: dict[str, Any] = result.structured_content
        return content

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a refusal says, with its code and hint."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.structured_content
        assert result.structured_content is None, "it would have to fit the tool's own schema"
        [said] = result.content
        assert isinstance(said, types.TextContent)
        sentence, told = said.text.rsplit("\n", 1)
        error: dict[str, Any] = json.loads(told)["error"]
        assert sentence == f"{error['detail']} {error['hint']}".strip()
        return error


@asynccontextmanager
async def over_http(
    url: str,
    token: str,
    era: str,
    *,
    answers_with: str | None = None,
    profile: str = "",
    extensions: Sequence[ClientExtension] = (),
) -> AsyncIterator[Assistant]:
    headers = {"Authorization": f"Bearer {token}"}
    seen: list[str] = []
    query = f"?profile={profile}" if profile else ""

    async def note(response: httpx2.Response) -> None:
        seen.append(response.headers.get("mcp-session-id", ""))

    async with httpx2.AsyncClient(
        headers=headers, timeout=30, event_hooks={"response": [note]}
    ) as http:
        transport = streamable_http_client(f"{url}/mcp{query}", http_client=http)
        async with connected(transport, era, answers_with, extensions) as assistant:
            assistant.session_id = next((one for one in seen if one), "")
            yield assistant


@asynccontextmanager
async def over_stdio(
    command: StdioServerParameters, era: str, *, answers_with: str | None = None
) -> AsyncIterator[Assistant]:
    async with connected(command, era, answers_with) as assistant:
        yield assistant


@asynccontextmanager
async def connected(
    transport: Any,
    era: str,
    answers_with: str | None,
    extensions: Sequence[ClientExtension] = (),
) -> AsyncIterator[Assistant]:
    assistant = Assistant(answers_with)
    answer: Any = assistant.answer  # the SDK's own type for it is wider than what it hands over
    client = Client(
        transport,
        mode=era,
        elicitation_callback=answer if answers_with is not None else None,
        message_handler=assistant.hear,
        cache=None,
        extensions=extensions,
    )
    async with client:
        assistant.client = client
        yield assistant
