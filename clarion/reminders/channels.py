"""Picks the way to a device by its kind."""

from collections.abc import Mapping

from clarion.people.model import Device, DeviceKind
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
