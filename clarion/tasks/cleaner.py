"""Deletes tasks that ended long ago, in small batches, so that no other write waits for long."""

import logging
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.tasks.records import KeepEnded

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=1)
BATCH = 2_000  # a few milliseconds of the writer's time


class Shelf(Protocol):
    async def clean(self, kept: KeepEnded, now: datetime, most: int) -> int:
        """Delete at most `most` tasks that need not be kept; returns how many."""
        ...


class Cleaner:
    name = "tasks-cleaner"

    def __init__(self, shelf: Shelf, clock: Clock, kept: KeepEnded) -> None:
        self._shelf = shelf
        self._clock = clock
        self._kept = kept

    async def run_once(self) -> datetime:
        now = self._clock.now()
        removed = await self._shelf.clean(self._kept, now, BATCH)
        if removed:
            log.debug("ended tasks forgotten", extra={"tasks": removed})
        # A full batch means that there is more; other writes get their turn in between.
        return now + (EVERY if removed < BATCH else timedelta(milliseconds=20))
