"""A morning that is lived again and again, each time with one power cut after another commit."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support.clarion_by_hand import ClarionByHand, assemble, introduce_ana
from tests.support.clock import START, ManualClock
from tests.support.databases import opened, sqlite_file
from tests.support.fakes.channel import Outside
from tests.support.fakes.dying import Died, DyingDatabase

NEVER = 1_000_000


class PowerCuts:
    """Furnished once; every life begins with a copy of that."""

    def __init__(self, folder: Path, until: datetime) -> None:
        self._folder = folder
        self._until = until
        self.commits = 0
        """Of a life without a power cut, when there was one."""

    @asynccontextmanager
    async def furnishing(self) -> AsyncIterator[ClarionByHand]:
        async with opened(await sqlite_file(self._folder, "furnished.db")) as database:
            clock = ManualClock(START)
            clarion = assemble(database, clock, Outside(clock))
            await introduce_ana(clarion)
            yield clarion

    @asynccontextmanager
    async def life(self, cut: int = NEVER, **outside: Any) -> AsyncIterator[ClarionByHand]:
        """The house at the end of the morning. A minute after the power cut it goes on.

        `outside` are facts of the world, as `Outside` has them.
        """
        clock, copy = ManualClock(START), self._folder / "life.db"
        world = Outside(clock, **outside)
        shutil.copyfile(self._folder / "furnished.db", copy)
        if cut != NEVER:
            await self._cut_short(copy, world, clock, cut)
        async with opened(f"sqlite:{copy}") as database:
            dying = DyingDatabase(database, NEVER)
            clarion = assemble(dying, clock, world)
            await clarion.driver.until(max(self._until, clock.now()))
            self.commits = self.commits or dying.commits
            yield clarion

    async def _cut_short(self, copy: Path, world: Outside, clock: ManualClock, cut: int) -> None:
        async with opened(f"sqlite:{copy}") as database:
            clarion = assemble(DyingDatabase(database, cut), clock, world)
            try:
                await clarion.driver.until(self._until)
            except Died:
                world.sessions.clear()  # the wires of the process are cut as well
                clock.advance(timedelta(minutes=1))
