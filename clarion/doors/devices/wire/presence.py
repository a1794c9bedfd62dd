"""Which devices are online, and how they are connected. Reports changes and signs of life.

A device may be connected in several ways at once: by a session and by a broker. It is offline when
all of them have ended.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.ids import DeviceId
from clarion.reminders.ports import Facts

REFRESH_EVERY = timedelta(seconds=60)
SILENT_AFTER = REFRESH_EVERY * 2.5  # two signs of life may be lost


class Presence:
    """A `Pass` that refreshes `last_seen`, so that a server which died is noticed by others."""

    name = "device presence"

    def __init__(self, facts: Facts, clock: Clock) -> None:
        self._facts = facts
        self._clock = clock
        self._doors: dict[DeviceId, set[str]] = {}
        self._told_at: dict[DeviceId, datetime] = {}
        self._order: dict[DeviceId, asyncio.Lock] = {}

    def through(self, device_id: DeviceId) -> frozenset[str]:
        return frozenset(self._doors.get(device_id, ()))

    def present(self, door: str) -> list[DeviceId]:
        return [device for device, doors in self._doors.items() if door in doors]

    async def came(
        self, device_id: DeviceId, door: str, kept: Callable[[], None] = lambda: None
    ) -> None:
        """`kept`: called once others can know it, before what waits for the device is rung."""
        self._doors.setdefault(device_id, set()).add(door)
        await self._tell(device_id, door, kept)

    async def left(self, device_id: DeviceId, door: str) -> None:
        doors = self._doors.get(device_id)
        if doors is None or door not in doors:
            return
        doors.discard(door)
        if doors:
            return
        del self._doors[device_id]
        await self._tell(device_id, door)

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        for device_id, doors in tuple(self._doors.items()):
            told_at = self._told_at.get(device_id, now)
            # An instant in the future was written before the clock was set back.
            if doors and not timedelta() <= now - told_at < REFRESH_EVERY:
                await self._tell(device_id, min(doors))
        return now + REFRESH_EVERY / 2

    async def _tell(
        self, device_id: DeviceId, door: str, kept: Callable[[], None] = lambda: None
    ) -> None:
        """Report the present state, one report after the other, so that the last is right."""
        lock = self._order.setdefault(device_id, asyncio.Lock())
        async with lock:
            online = bool(self._doors.get(device_id))
            self._told_at[device_id] = self._clock.now()
            await self._facts.seen(device_id, online=online, through=door, kept=kept)
        if not self._doors.get(device_id) and not lock.locked():
            self._order.pop(device_id, None)
            self._told_at.pop(device_id, None)


class Absence:
    """A `Pass` that finds devices whose server died with their line open."""

    name = "device absence"

    def __init__(
        self,
        silent_since: Callable[[datetime], Awaitable[Sequence[DeviceId]]],
        presence: Presence,
        facts: Facts,
        clock: Clock,
    ) -> None:
        """`silent_since` returns devices that count as online but have sent nothing since then."""
        self._silent_since = silent_since
        self._presence = presence
        self._facts = facts
        self._clock = clock

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        for device_id in await self._silent_since(now - SILENT_AFTER):
            if not self._presence.through(device_id):
                await self._facts.seen(device_id, online=False, through="silence")
        return now + REFRESH_EVERY / 2
