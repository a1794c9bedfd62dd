"""Wakes a device that is not connected. Success is an open session, not a sent message.

Each way is tried in turn for some seconds. Requests live in this process only: when it dies, the
reminder's own deadline takes over.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clarion.base.errors import ClarionError
from clarion.base.ids import DeviceId
from clarion.doors.devices.wire.line import DeviceLine
from clarion.people.model import Device
from clarion.reminders.ports import Facts, Ring, RingId

log = logging.getLogger(__name__)

PATIENCE = 8.0  # seconds; firmware needs two or three to open its channel


class Driver(Protocol):
    """One way to a sleeping device."""

    name: str

    def reaches(self, device: Device) -> bool:
        """Whether it is worth trying: the device has this way, and was there a moment ago."""
        ...

    async def wake(self, ring: Ring) -> bool:
        """Ask the device to open a session. True when the request is on its way."""
        ...

    async def tell(self, device: Device, text: str) -> bool:
        """Show something that needs no answer, without a session. True when it is on its way."""
        ...

    async def hush(self, device: Device, ring_id: RingId) -> None: ...


@dataclass(slots=True)
class Waking:
    ring: Ring
    came: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Wakes:
    """Wake-ups that have not led to a session yet."""

    def __init__(
        self,
        drivers: Sequence[Driver] = (),
        facts: Facts | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.drivers = list(drivers)
        """In the order in which they are tried."""
        self.facts = facts
        """Set once the reminders are built, which need this object first."""
        self._patience = patience
        self._waking: dict[RingId, Waking] = {}

    def __len__(self) -> int:
        return len(self._waking)

    def ways(self, device: Device) -> list[Driver]:
        return [driver for driver in self.drivers if driver.reaches(device)]

    def begin(self, ring: Ring) -> bool:
        """False when this device cannot be woken. A second call changes nothing."""
        if ring.id in self._waking:
            return True
        ways = self.ways(ring.device)
        if not ways:
            return False
        waking = self._waking[ring.id] = Waking(ring)
        waking.task = asyncio.create_task(self._wake(waking, ways), name="wake")
        return True

    def opened(self, line: DeviceLine) -> None:
        """A device said hello: what we wake it for is told there."""
        device_id = line.guest.device_id
        for waking in tuple(self._waking.values()):
            if waking.ring.device.id == device_id:
                line.mark_woken()
                line.ring(waking.ring)
        self.arrived(device_id)

    def arrived(self, device_id: DeviceId) -> None:
        """It took what we sent, with a session or by saying so."""
        for waking in self._waking.values():
            if waking.ring.device.id == device_id:
                waking.came.set()

    def forget(self, ring_id: RingId) -> None:
        """It was settled elsewhere."""
        if (waking := self._waking.pop(ring_id, None)) and waking.task:
            waking.task.cancel()

    async def close(self) -> None:
        for ring_id in tuple(self._waking):
            self.forget(ring_id)

    async def _wake(self, waking: Waking, ways: Sequence[Driver]) -> None:
        ring = waking.ring
        try:
            for driver in ways:
                if await self._try(driver, waking):
                    return
            if self.facts is not None:
                await self.facts.unreachable(ring.id, "not_woken")
        except ClarionError as error:
            # The reminder's deadline goes on without us.
            log.warning("not reported: %s", error, extra={"ring": ring.id})
        finally:
            self._waking.pop(ring.id, None)

    async def _try(self, driver: Driver, waking: Waking) -> bool:
        ring = waking.ring
        about = {"ring": ring.id, "device": ring.device.id, "driver": driver.name}
        try:
            async with asyncio.timeout(self._patience):
                if not await driver.wake(ring):
                    return False
                await waking.came.wait()
        except (ClarionError, OSError, TimeoutError) as error:
            log.info("not woken: %s", str(error) or "no session", extra=about)
            return False
        return True
