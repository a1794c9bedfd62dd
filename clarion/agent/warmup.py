"""Loads what a first plan would wait for, as soon as there is a team to send."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from clarion.dispatch.ports import Records


class WarmUp:
    """A pass. A server without teams never loads the optimiser."""

    name = "dispatch-warm-up"

    def __init__(self, records: Records, work: Sequence[Callable[[], Awaitable[None]]]) -> None:
        self._records = records
        self._work = tuple(work)

    async def run_once(self) -> datetime | None:
        if self._work and await self._records.teams((), 1):
            work, self._work = self._work, ()
            for load in work:
                await load()
        return None
