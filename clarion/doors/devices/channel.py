"""The way out to voice devices: into the session that is open, or through a wake-up."""

from collections.abc import Awaitable, Callable

from clarion.base.ids import DeviceId
from clarion.doors.devices.registry import Registry
from clarion.doors.devices.wake import Wakes
from clarion.reminders.errors import Unreachable
from clarion.reminders.model import Device
from clarion.reminders.ports import Ring, RingId


async def nobody_else(_device_id: DeviceId) -> None:
    """For a server that is alone."""


class DeviceChannel:
    """Implements `Channel` for xiaozhi, mqtt, browser and terminal devices.

    The device's line may be at another server. `elsewhere` makes all of them look; the one that
    has the line takes what waits.
    """

    def __init__(
        self,
        registry: Registry,
        wakes: Wakes,
        elsewhere: Callable[[DeviceId], Awaitable[None]] = nobody_else,
        *,
        is_alone: bool = True,
    ) -> None:
        self._registry = registry
        self._wakes = wakes
        self._elsewhere = elsewhere
        self._is_alone = is_alone
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
            return  # it is about to say hello, and then takes what waits
        if not self._is_alone and ring.device.online:
            await self._elsewhere(ring.device.id)
            return
        if not begun:
            raise Unreachable(f"Device {ring.device.id!r} has no line open and cannot be woken.")

    async def hush(self, device: Device, ring_id: RingId) -> None:
        self._wakes.forget(ring_id)
        self._registry.leftovers.forget(device.id, ring_id)
        if line := self._registry.get(device.id):
            line.hush(ring_id)
        for driver in self._wakes.ways(device):
            await driver.hush(device, ring_id)

    async def say(self, device: Device, text: str) -> None:
        if line := self._registry.get(device.id):
            line.say(text)
            return
        for driver in self._wakes.ways(device):
            if await driver.tell(device, text):
                return
        raise Unreachable(f"Device {device.id!r} has no line open and cannot be woken.")
