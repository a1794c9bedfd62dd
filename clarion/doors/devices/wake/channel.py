"""The channel to voice devices: into the open session, or by a wake-up."""

from collections.abc import Callable

from clarion.doors.devices.wake.neighbours import HUSH, LOOK, SAY, Neighbours
from clarion.doors.devices.wake.wake import Wakes
from clarion.doors.devices.wire.registry import Registry
from clarion.people.model import Device
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import Ring, RingId


class DeviceChannel:
    """Implements `Channel` for xiaozhi, mqtt, browser and terminal devices.

    The device's line may be at another server. `neighbours` makes all of them look, and the one
    that has the line takes what waits; a server that is alone has none.
    """

    def __init__(
        self, registry: Registry, wakes: Wakes, neighbours: Neighbours | None = None
    ) -> None:
        self._registry = registry
        self._wakes = wakes
        self._neighbours = neighbours
        self.on_ring: Callable[[Ring], None] = lambda _ring: None
        """Told what is rung: a conversation about it may follow."""

    async def ring(self, ring: Ring) -> None:
        self.on_ring(ring)
        line = self._registry.get(ring.device.id)
        if line is not None and line.opened.is_set():
            line.ring(ring)
            return
        begun = self._wakes.begin(ring)
        if line is not None:
            return  # it is about to connect, and then takes what waits
        if self._neighbours is not None and ring.device.online:
            await self._neighbours.tell(LOOK, ring.device.id)
            return
        if not begun:
            raise Unreachable(f"Device {ring.device.id!r} has no line open and cannot be woken.")

    async def hush(self, device: Device, ring_id: RingId) -> None:
        self._wakes.forget(ring_id)
        self._registry.leftovers.forget(device.id, ring_id)
        if line := self._registry.get(device.id):
            line.hush(ring_id)
        if self._neighbours is not None:
            # Also when the line is here: what its last session left may be there.
            await self._neighbours.tell(HUSH, device.id, ring_id)
        for driver in self._wakes.ways(device):
            await driver.hush(device, ring_id)

    async def say(self, device: Device, text: str) -> None:
        if line := self._registry.get(device.id):
            line.say(text)
            return
        for driver in self._wakes.ways(device):
            if await driver.tell(device, text):
                return
        if self._neighbours is not None and device.online:
            await self._neighbours.tell(SAY, device.id, text)
            return
        raise Unreachable(f"Device {device.id!r} has no line open and cannot be woken.")
