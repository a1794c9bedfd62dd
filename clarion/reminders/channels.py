"""The way to a device by its kind, and how devices are stopped that ring for something over."""

import logging
from collections.abc import Mapping, Sequence

from clarion.people.model import Device, DeviceKind
from clarion.people.ports import PeopleStore
from clarion.reminders.decisions.decision import Effect, Hush
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import Channel, Ring, RingId


class Channels:
    """One `Channel` made of several. `ways` may be filled after reminders have been built."""

    def __init__(self, ways: Mapping[DeviceKind, Channel]) -> None:
        self._ways = ways

    async def ring(self, ring: Ring) -> None:
        await self._to(ring.device).ring(ring)

    async def hush(self, device: Device, ring_id: RingId) -> None:
        way = self._ways.get(device.kind)
        if way is not None:
            await way.hush(device, ring_id)

    async def say(self, device: Device, text: str) -> None:
        await self._to(device).say(device, text)

    def _to(self, device: Device) -> Channel:
        way = self._ways.get(device.kind)
        if way is None:
            raise Unreachable(f"Nothing here leads to a device of the kind {device.kind.value}.")
        return way


log = logging.getLogger(__name__)


class DeviceSilencer:
    """Stops devices. Whoever decided has already succeeded, so nothing is raised here."""

    def __init__(self, people: PeopleStore, channel: Channel | None) -> None:
        self._people = people
        self._channel = channel

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Hush):
                await self.hush(effect)

    async def hush(self, effect: Hush) -> None:
        if self._channel is None:
            return
        device = await self._people.device(effect.device_id)
        if device is None:
            return
        try:
            await self._channel.hush(device, effect.ring_id)
        except Exception:
            log.exception("could not be hushed", extra={"ring": effect.ring_id})
