"""What a device lets us do, above all its loudness."""

import json
from typing import Any

from clarion.doors.devices.session import messages
from clarion.doors.devices.session.actions import Action, Learn, Send
from clarion.doors.devices.session.codec import McpReply
from clarion.reminders.ports import Ring

PAGES_MAX = 20  # firmware sends eight thousand bytes a page; forty tools fit in two
NAMES_MAX = 200


class DeviceTools:
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


STATUS, SET = "self.get_device_status", "self.audio_speaker.set_volume"
LOUD = 90  # of a hundred: heard in the next room, and not yet a fright
FIRM = 3  # the attempt that is spoken earnestly, and the last one by default


class Loudness:
    def __init__(self, tools: DeviceTools) -> None:
        self._tools = tools
        self._asked = 0
        self._before: int | None = None

    def begin(self, ring: Ring | None) -> list[Action]:
        """The device is about to say this."""
        if ring is None or not (ring.critical or ring.attempt >= FIRM):
            return []
        if not {STATUS, SET} <= self._tools.known or self._before is not None:
            return []
        self._asked, asks = self._tools.call(STATUS, {})
        return asks

    def replied(self, reply: McpReply) -> list[Action]:
        if not self._asked or reply.id != self._asked:
            return []
        self._asked = 0
        volume = volume_in(reply.result)
        if volume is None or volume >= LOUD:
            return []
        self._before = volume
        return self._tools.call(SET, {"volume": LOUD})[1]

    def end(self) -> list[Action]:
        """It was said, or stopped."""
        self._asked = 0
        before, self._before = self._before, None
        return [] if before is None else self._tools.call(SET, {"volume": before})[1]


def volume_in(result: dict[str, Any]) -> int | None:
    """Out of the device's status, which is JSON inside of a text."""
    content = result.get("content")
    first = content[0] if isinstance(content, list) and content else None
    try:
        status = json.loads(first["text"]) if isinstance(first, dict) else None
        volume = status["audio_speaker"]["volume"] if isinstance(status, dict) else None
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    is_volume = isinstance(volume, int) and not isinstance(volume, bool) and 0 <= volume <= 100
    return volume if is_volume else None
