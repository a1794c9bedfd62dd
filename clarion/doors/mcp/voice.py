"""Tools for a voice: six of them, answers that begin with the sentence to say, and fit a frame."""

import json
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent

from clarion.access.tokens import Identity
from clarion.doors.mcp.identity import speaking_as
from clarion.doors.mcp.listing import VOICE_TOOLS, voiced

TEXT_BYTES_MAX = 7_000  # a frame of 8192 bytes also carries its envelope and escapes
UNKNOWN = "没有这个工具。"
ASK = "请再说一遍，什么时候提醒？"


class VoiceTools:
    """What a speaker's model may call, for one person, without a host of its own."""

    def __init__(self, mcp: MCPServer) -> None:
        self._mcp = mcp

    async def listed(self) -> list[dict[str, Any]]:
        tools = await self._mcp.list_tools()
        dumped = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools]
        return voiced(dumped)

    async def call(self, who: Identity, name: str, arguments: dict[str, Any]) -> str:
        """The words to say, then what the model needs to go on. A refusal is words as well:
        servers of speakers throw away what is marked as an error.
        """
        plain = name.replace(".", "_", 1)
        if plain not in VOICE_TOOLS:
            return UNKNOWN
        with speaking_as(who):
            result = await self._mcp.call_tool(plain, arguments)
        if not isinstance(result, CallToolResult):
            return ASK
        if result.is_error or not result.structured_content:
            return shortened([sentence_of(result)])
        return shortened(lines_of(result.structured_content))


def sentence_of(result: CallToolResult) -> str:
    """The sentence of a refusal, without its line of JSON."""
    first = result.content[0] if result.content else None
    return first.text.rpartition("\n")[0] if isinstance(first, TextContent) else UNKNOWN


def lines_of(body: dict[str, Any]) -> list[str]:
    lines = [str(body.get("said") or "没有提醒。")]
    one = body.get("reminder") or body.get("series")
    for item in body.get("items") or ([one] if one else []):
        line = {"id": item["id"], "content": item["content"], "status": item.get("status", "")}
        line["at"] = item.get("trigger_at") or item.get("next_at") or ""
        lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
    return lines


def shortened(lines: list[str]) -> str:
    """As many whole lines as fit; the first one always, if need be its beginning."""
    text = lines[0].encode()[:TEXT_BYTES_MAX].decode(errors="ignore")
    size = in_json(text)
    for line in lines[1:]:
        size += in_json(line) + 2
        if size > TEXT_BYTES_MAX:
            break
        text = f"{text}\n{line}"
    return text


def in_json(text: str) -> int:
    """Its size in bytes inside a JSON string."""
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2
