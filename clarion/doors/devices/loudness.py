"""Raises the volume for what must not be missed, and puts it back. Pure.

The device is asked how loud it is when such a ring begins; its answer comes while the first
words are on their way. Only what was read is put back, so a device that does not tell is left
as it is. A line that breaks in the middle leaves the device raised.
"""

import json
from typing import Any

from clarion.doors.devices.actions import Action
from clarion.doors.devices.codec import McpReply
from clarion.doors.devices.tools import Tools
from clarion.reminders.ports import Ring

STATUS, SET = "self.get_device_status", "self.audio_speaker.set_volume"
LOUD = 90  # of a hundred: heard in the next room, and not yet a fright
FIRM = 3  # the attempt that is spoken earnestly, and the last one by default


class Loudness:
    def __init__(self, tools: Tools) -> None:
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
