"""A person's series follow them into another zone, also when a crash came between."""

from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.people.service import People

EVERY = timedelta(minutes=5)


class Movers:
    """A pass."""

    name = "movers"

    def __init__(self, people: People, clock: Clock) -> None:
        self._people = people
        self._clock = clock

    async def run_once(self) -> datetime | None:
        await self._people.follow_movers()
        return self._clock.now() + EVERY
