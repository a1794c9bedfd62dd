"""Keeps the lanes filled: what to claim, when to look, and what to tell the store.

Each turn writes what became of the last tasks and claims the next ones in one transaction. It
claims only a little more than can begin at once, so that the order stays the store's, a crash
holds up few tasks, and other servers get their share.
"""

import asyncio
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.loop import Loop
from clarion.base.urgency import urgency
from clarion.tasks.buffer import Lane, QueueItem
from clarion.tasks.model import A_POINT, Level
from clarion.tasks.ports import Claim, Feed, News, Outcome, Released, Taken, Ticket, Wanted
from clarion.tasks.runner import Held

DISPLACING_AT_ONCE = 16  # newcomers of better rank that are fetched though there is no room
AT_ONCE_MAX = 500  # keeps a turn to a few milliseconds, for the critical task that comes next
IDLE = timedelta(seconds=5)  # how long lost news may stay unnoticed


class Pump:
    """A pass, with the loop that runs it. `held` are the claims that this process has."""

    name = "tasks-pump"

    def __init__(
        self, feed: Feed, clock: Clock, ordinary: Lane, reserved: Lane, wanted: Wanted
    ) -> None:
        self.held: dict[Ticket, Held] = {}
        self._feed = feed
        self._clock = clock
        self._ordinary = ordinary
        self._reserved = reserved
        self._wanted_by = wanted
        self._outcomes: list[Outcome] = []
        self._turning = asyncio.Lock()
        self._stirred = True
        self._eager = False
        self._pressing = False
        self._closed = False
        self._looked_at: datetime | None = None
        self._look_at: datetime | None = None
        self._loop = Loop(self, clock, idle=IDLE, least=timedelta(0))

    async def run(self) -> None:
        """Until cancelled."""
        stop_listening = self._feed.listen(self._hear)
        try:
            await self._loop.run()
        finally:
            stop_listening()

    def note(self, outcome: Outcome) -> None:
        """To be written with the next turn."""
        self.held.pop(outcome.claim.ticket, None)
        self._outcomes.append(outcome)
        self._stir()

    async def run_once(self) -> datetime | None:
        if not self._stirred and not self._is_time():
            return self._look_at
        if self._closed:
            return None
        taken = await self.turn(self._wanted())
        for claim in taken.claims:
            self._accept(claim)
        return taken.look_at

    async def turn(self, wanted: Wanted) -> Taken:
        async with self._turning:
            outcomes, self._outcomes = self._outcomes, []
            self._stirred = False
            try:
                with urgency(self._hurry()):
                    taken = await self._feed.turn(outcomes, wanted, self._clock.now())
            except BaseException:
                # Said again next time; the fence makes that harmless if it was heard after all.
                self._outcomes = outcomes + self._outcomes
                self._stirred = True
                raise
            self._looked_at = self._clock.now()
            self._look_at = taken.look_at
            return taken

    async def close(self) -> None:
        """Claim nothing more; a turn under way comes to its end first."""
        self._closed = True
        async with self._turning:
            pass

    def _hurry(self) -> int:
        """A turn that fetches somebody who overtakes goes first; all others share commits."""
        hurried, self._pressing = self._pressing, False
        return Level.HIGH if hurried else Level.NORMAL

    def _is_time(self) -> bool:
        now = self._clock.now()
        if self._look_at is not None and self._look_at <= now:
            return True
        return self._looked_at is None or now - self._looked_at >= IDLE

    def _wanted(self) -> Wanted:
        room = self._room()
        self._ordinary.begun = 0
        eager, self._eager = self._eager, False
        worst = self._ordinary.buffer.worst_rank() if eager and room <= 0 else None
        return Wanted(
            self._wanted_by.worker,
            self._wanted_by.lease,
            any=DISPLACING_AT_ONCE if worst else min(AT_ONCE_MAX, max(0, room)),
            critical=max(0, self._reserved.idle),
            before=worst,
        )

    def _room(self) -> int:
        # The next turn takes about as long as the last one: have enough for that time at hand.
        ahead = min(self._ordinary.buffer.maxsize, 2 * self._ordinary.begun)
        return self._ordinary.idle + ahead

    def _accept(self, claim: Claim) -> None:
        self.held[claim.ticket] = Held(claim)
        item = QueueItem.of(claim)
        lane = self._reserved if item.is_critical and self._reserved.idle > 0 else self._ordinary
        displaced = lane.buffer.offer(item)
        if displaced is not None:
            self.note(Released(displaced.payload))

    def _hear(self, news: News) -> None:
        if news.due_at > self._clock.now():
            if self._look_at is None or news.due_at < self._look_at:
                self._look_at = news.due_at
                self._loop.wake()
            return
        overtakes = news.due_at - news.rank >= A_POINT * Level.HIGH
        if self._room() > 0 or (news.critical and self._reserved.idle > 0):
            self._pressing |= overtakes
            self._stir()
            return
        worst = self._ordinary.buffer.worst_rank()
        if worst is not None and news.rank < worst:
            self._eager = True
            self._pressing |= overtakes
            self._stir()

    def _stir(self) -> None:
        self._stirred = True
        self._loop.wake()
