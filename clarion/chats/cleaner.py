"""Forgets messages that were handled long ago. One pass."""

from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock

EVERY = timedelta(hours=1)


class Attic(Protocol):
    async def forget(self, before: datetime) -> int:
        """Forget what was handled or sent before then; how many."""
        ...


class ChatCleaner:
    name = "chat-cleaner"

    def __init__(self, attic: Attic, clock: Clock, kept_for: timedelta) -> None:
        self._attic = attic
        self._clock = clock
        self._kept_for = kept_for

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        await self._attic.forget(now - self._kept_for)
        return now + EVERY
