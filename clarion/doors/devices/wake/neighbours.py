"""Messages between servers about devices: look, hush, say. A device may be connected to any.

A message may come twice, by two ways; it is handled once. A lost one costs little: the server with
the connection notices at its next look, and a settled ring accepts no second answer.
"""

import json
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from clarion.base.ids import DeviceId
from clarion.doors.devices.wake.wake import Wakes
from clarion.doors.devices.wire.registry import Registry
from clarion.reminders.ports import RingId

LOOK, HUSH, SAY = "look", "hush", "say"
TEXT_LETTERS_MAX = 2_000  # nobody listens to more; with its frame it fits into one signal
HEEDED_MAX = 10_000


@dataclass(frozen=True, slots=True)
class NeighbourWord:
    what: str
    device_id: DeviceId
    about: str = ""
    """The ring to hush, or the text to say."""
    id: str = ""


def write(word: NeighbourWord) -> str:
    fields = [word.id, word.what, word.device_id, word.about[:TEXT_LETTERS_MAX]]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> NeighbourWord | None:
    """None for a message that this version does not know."""
    try:
        fields: Any = json.loads(text)
    except ValueError:
        return None
    is_word = isinstance(fields, list) and len(fields) == 4
    if not is_word or not all(isinstance(part, str) for part in fields):
        return None
    name, what, device_id, about = fields
    return NeighbourWord(what, DeviceId(device_id), about, name)


class Neighbours:
    """Sends to and receives from the other servers."""

    def __init__(
        self, registry: Registry, wakes: Wakes, send: Callable[[str], Awaitable[None]]
    ) -> None:
        """`send` brings a text to every server, this one included or not."""
        self._registry = registry
        self._wakes = wakes
        self._send = send
        self._heeded: OrderedDict[str, None] = OrderedDict()

    async def tell(self, what: str, device_id: DeviceId, about: str = "") -> None:
        word = NeighbourWord(what, device_id, about, secrets.token_hex(8))
        self._is_new(word.id)  # our own messages were handled already
        await self._send(write(word))

    def hear(self, text: str) -> None:
        word = read(text)
        if word is None or not self._is_new(word.id):
            return
        line = self._registry.get(word.device_id)
        if word.what == HUSH:
            ring_id = RingId(word.about)
            self._wakes.forget(ring_id)
            self._registry.leftovers.forget(word.device_id, ring_id)
            if line is not None:
                line.hush(ring_id)
        elif line is not None and word.what == LOOK:
            line.look()
        elif line is not None and word.what == SAY:
            line.say(word.about)

    def _is_new(self, name: str) -> bool:
        if name in self._heeded:
            return False
        self._heeded[name] = None
        if len(self._heeded) > HEEDED_MAX:
            self._heeded.popitem(last=False)
        return True
