"""Wakes stock devices over our own MQTT endpoint, as far as their firmware lets itself be woken.

With the tool `self.remote_wakeup` the device opens a session. Firmware from 2.5 on plays a file
that it fetches; any firmware shows an alert with a chime. After those two the person has to say
the wake word, and the session that this opens takes what waits.
"""

import itertools
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from fastapi import APIRouter, Response

from clarion.base.errors import NotFound
from clarion.base.ids import DeviceId
from clarion.doors.devices import messages
from clarion.doors.devices.gateway import TOOL
from clarion.doors.devices.leftovers import Left, Leftovers
from clarion.doors.devices.stock import StockEndpoint, StockLine
from clarion.doors.devices.words import wake_reason
from clarion.reminders.model import Device
from clarion.reminders.ports import Facts, Ring, RingId

log = logging.getLogger(__name__)

SOUND_PATH = "/xiaozhi/sound/"
NOTIFY_SINCE = (2, 5)
SOUNDS_MAX = 1_000
STATUS = {"zh": "提醒", "en": "Reminder"}


class Sounds(Protocol):
    async def ogg(self, text: str, language: str) -> bytes: ...


class SoundShelf:
    """Sentences that a device may fetch as a file, under names that nobody guesses."""

    def __init__(self, sounds: Sounds, base_url: str, port: int = 80) -> None:
        """Without a `base_url`, devices fetch from where they are connected, at `port`."""
        self._sounds = sounds
        self._base_url = base_url.rstrip("/")
        self._port = port
        self._kept: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def put(self, text: str, language: str, host: str) -> str:
        """The address under which it can be fetched."""
        name = secrets.token_urlsafe(16)
        self._kept[name] = text, language
        if len(self._kept) > SOUNDS_MAX:
            self._kept.popitem(last=False)
        base = self._base_url or f"http://{host}:{self._port}"
        return f"{base}{SOUND_PATH}{name}.ogg"

    async def get(self, name: str) -> bytes:
        kept = self._kept.get(name)
        if kept is None:
            raise NotFound("There is no such sound.")
        return await self._sounds.ogg(*kept)


def sound_routes(shelf: SoundShelf) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get(SOUND_PATH + "{name}.ogg")
    async def sound(name: str) -> Response:
        return Response(await shelf.get(name), media_type="audio/ogg")

    return router


@dataclass(slots=True)
class StockDriver:
    """Implements `Driver`."""

    endpoint: StockEndpoint
    facts: Facts
    shelf: SoundShelf
    leftovers: Leftovers
    arrived: Callable[[DeviceId], None]
    """Told when a device took what it can take: an alert opens no session."""
    name: str = "stock"
    # Above every number that a session asks with.
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(10_001))

    def reaches(self, device: Device) -> bool:
        line = self.endpoint.get(device.id)
        return line is not None and not line.in_session

    async def wake(self, ring: Ring) -> bool:
        line = self.endpoint.get(ring.device.id)
        if line is None:
            return False
        if TOOL in (ring.device.facts.get("tools") or ()):
            arguments = {"reason": wake_reason(ring.id)}
            line.push(messages.mcp_call(next(self._numbers), TOOL, arguments))
            return True
        self._show(line, ring)
        # It was shown and it chimed; the session that may follow tells it in full.
        self.leftovers.keep(ring.device.id, Left([ring]))
        await self.facts.delivered(ring.id)
        self.arrived(ring.device.id)
        return True

    async def tell(self, device: Device, text: str) -> bool:
        line = self.endpoint.get(device.id)
        if line is None:
            return False
        line.push(messages.alert(STATUS["zh"], text))
        return True

    async def hush(self, device: Device, ring_id: RingId) -> None:
        return None

    def _show(self, line: StockLine, ring: Ring) -> None:
        if firmware_of(ring.device) >= NOTIFY_SINCE:
            address = self.shelf.put(ring.text, ring.language, line.server)
            line.push(messages.notify(address, ring.text))
            return
        status = STATUS.get(ring.language, STATUS["en"])
        line.push(messages.alert(status, ring.text, "happy"))


def firmware_of(device: Device) -> tuple[int, ...]:
    parts = str(device.facts.get("firmware") or "0").split(".")
    return tuple(int(part) for part in parts if part.isdecimal())
