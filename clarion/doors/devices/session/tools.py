"""The tools that a device offers, above all its volume."""

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

    def __init__(self, version: str, known: frozenset[str] = frozenset()) -> None:
        """`known`: what the device could do in its last session."""
        self._version = version
        self._number = 0
        self._asked: dict[int, str] = {}
        self._names: list[str] = []
        self._pages = 0
        self.known = known

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
        return [Learn({"tools": sorted(self.known)})]

    def _list(self, cursor: str) -> list[Action]:
        return [Send(messages.mcp_list_tools(self._next("tools"), cursor))]

    def _next(self, what: str) -> int:
        self._number += 1
        self._asked[self._number] = what
        return self._number


STATUS, SET = "self.get_device_status", "self.audio_speaker.set_volume"
LOUD = 90  # of a hundred: heard in the next room without frightening anybody
FIRM = 3  # the attempt that is spoken earnestly, and the last one by default
RAISE_SECONDS_MAX = 1.0  # a device that has not answered by then speaks at its present volume
VOLUME = "volume_before"
"""Among the facts of a device: how loud it was before we raised it, until that is put back."""


class Loudness:
    """Raises the volume before the first frame, and puts it back; if need be, a session later."""

    def __init__(self, tools: DeviceTools, before: int | None = None) -> None:
        self._tools = tools
        self._status = self._set = 0
        self._before = before
        self.waits_until: float | None = None
        """Nothing is said until the device answers, or until then."""

    def begin(self, ring: Ring | None, now: float) -> list[Action]:
        """The device is about to say this. Empty: it may at once."""
        if ring is None or not (ring.critical or ring.attempt >= FIRM):
            return []
        if not {STATUS, SET} <= self._tools.known or self._before is not None:
            return []
        self.waits_until = now + RAISE_SECONDS_MAX
        self._status, asks = self._tools.call(STATUS, {})
        return asks

    def replied(self, reply: McpReply) -> list[Action]:
        if reply.id == self._set:
            self._set, self.waits_until = 0, None
        if not self._status or reply.id != self._status:
            return []
        self._status = 0
        volume = volume_in(reply.result)
        if volume is None or volume >= LOUD:
            self.waits_until = None
            return []
        self._before = volume
        self._set, raises = self._tools.call(SET, {"volume": LOUD})
        return [Learn({VOLUME: volume}), *raises]

    def end(self) -> list[Action]:
        """It was said, or stopped."""
        self._status, self.waits_until = 0, None
        before, self._before = self._before, None
        if before is None:
            return []
        return [*self._tools.call(SET, {"volume": before})[1], Learn({VOLUME: None})]


def volume_in(result: dict[str, Any]) -> int | None:
    """From the device's status, which is JSON inside a text."""
    content = result.get("content")
    first = content[0] if isinstance(content, list) and content else None
    try:
        status = json.loads(first["text"]) if isinstance(first, dict) else None
        volume = status["audio_speaker"]["volume"] if isinstance(status, dict) else None
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    is_volume = isinstance(volume, int) and not isinstance(volume, bool) and 0 <= volume <= 100
    return volume if is_volume else None
