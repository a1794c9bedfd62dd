"""Finds chats whose messages wait without a task, and gives them one. One pass.

That happens when a task died six times with its worker, and after an upgrade.
"""

from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock

EVERY = timedelta(minutes=1)


class Sleepers(Protocol):
    async def wake(self, now: datetime) -> int:
        """Add the missing tasks; how many chats had none."""
        ...


class ChatWaker:
    name = "chat-waker"

    def __init__(self, sleepers: Sleepers, clock: Clock) -> None:
        self._sleepers = sleepers
        self._clock = clock

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        await self._sleepers.wake(now)
        return now + EVERY
