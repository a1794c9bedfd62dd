"""Which tools a device has, asked over MCP inside the session. Pure."""

from typing import Any

from clarion.doors.devices import messages
from clarion.doors.devices.actions import Action, Learn, Send
from clarion.doors.devices.codec import McpReply

PAGES_MAX = 20  # firmware sends eight thousand bytes a page; forty tools fit in two
NAMES_MAX = 200


class Tools:
    """initialize → notifications/initialized → tools/list, page by page."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._number = 0
        self._asked: dict[int, str] = {}
        self._names: list[str] = []
        self._pages = 0
        self.known: frozenset[str] = frozenset()

    def begin(self) -> list[Action]:
        return [Send(messages.mcp_initialize(self._next("initialize"), self._version))]

    def call(self, name: str, arguments: dict[str, Any]) -> tuple[int, list[Action]]:
        """The number that the reply will have, and the question."""
        number = self._next(f"call {name}")
        return number, [Send(messages.mcp_call(number, name, arguments))]

    def replied(self, reply: McpReply) -> list[Action]:
        asked = self._asked.pop(reply.id, "")
        if reply.error:
            return []
        if asked == "initialize":
            return [Send(messages.mcp_initialized()), *self._list("")]
        if asked == "tools":
            return self._page(reply.result)
        return []

    def _page(self, result: dict[str, Any]) -> list[Action]:
        listed = result.get("tools")
        for tool in listed if isinstance(listed, list) else []:
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                self._names.append(tool["name"][:100])
        self._pages += 1
        cursor = result.get("nextCursor")
        more = isinstance(cursor, str) and cursor and len(self._names) < NAMES_MAX
        if more and self._pages < PAGES_MAX:
            return self._list(str(cursor))
        self.known = frozenset(self._names[:NAMES_MAX])
        return [Learn(tuple(sorted(self.known)))]

    def _list(self, cursor: str) -> list[Action]:
        return [Send(messages.mcp_list_tools(self._next("tools"), cursor))]

    def _next(self, what: str) -> int:
        self._number += 1
        self._asked[self._number] = what
        return self._number
