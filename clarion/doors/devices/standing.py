"""Ends the lines of devices that were removed, switched off or given to somebody else."""

from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.doors.devices.ports import Directory
from clarion.doors.devices.registry import Registry

LOOK_EVERY = timedelta(seconds=30)


class Standing:
    """A `Pass`. Whoever was let in long ago is asked for again now and then."""

    name = "device standing"

    def __init__(self, registry: Registry, directory: Directory, clock: Clock) -> None:
        self._registry = registry
        self._directory = directory
        self._clock = clock

    async def run_once(self) -> datetime | None:
        for line in self._registry:
            device = await self._directory.device(line.guest.device_id)
            if device is None or not device.enabled or device.user_id != line.guest.user_id:
                line.close("this device is not let in any more")
        return self._clock.now() + LOOK_EVERY
