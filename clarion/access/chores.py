"""Once a day: forget tokens, codes and answers that ended long ago."""

from datetime import datetime, timedelta

from clarion.access.service import Access
from clarion.base.clock import Clock

EVERY = timedelta(days=1)
KEPT = timedelta(days=30)  # a revoked token is listed this long


class Tidying:
    name = "tidy access"

    def __init__(self, access: Access, clock: Clock) -> None:
        self._access = access
        self._clock = clock
        self._next: datetime | None = None

    async def run_once(self) -> datetime:
        now = self._clock.now()
        if self._next is None or now >= self._next:
            await self._access.clean(KEPT)
            self._next = now + EVERY
        return self._next
