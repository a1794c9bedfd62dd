"""Keeps the lanes filled: what to claim, when to look, and what to tell the store.

Each turn writes what became of the last tasks and claims the next ones in one transaction. It
claims only a little more than can begin at once, so that the order stays the store's, a crash
holds up few tasks, and other servers get their share.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.loop import Loop
from clarion.base.restarts import Restarts
from clarion.tasks.buffer import QueueItem, SlotLane
from clarion.tasks.express import AT_ONCE_MAX as AT_ONCE
from clarion.tasks.express import Express
from clarion.tasks.model import OPEN, Gates
from clarion.tasks.ports import (
    Claim,
    ClaimOnInsert,
    ClaimSource,
    News,
    Outcome,
    Released,
    TakenClaims,
    Ticket,
    Wanted,
)
from clarion.tasks.runner import RunningTask

log = logging.getLogger(__name__)

DISPLACING_AT_ONCE = 16  # newcomers of better rank that are fetched though there is no room
AT_ONCE_MAX = 100  # keeps a turn to a few milliseconds, for the VIP that comes next
IDLE = timedelta(seconds=5)  # how long lost news may stay unnoticed


class Pump:
    """A pass, with the loop that runs it. `held` are the claims that this process has."""

    name = "tasks-pump"

    def __init__(
        self,
        feed: ClaimSource,
        clock: Clock,
        ordinary: SlotLane,
        reserved: SlotLane,
        control: SlotLane,
        wanted: Wanted,
        *,
        idle: timedelta = IDLE,
        restarts: Restarts | None = None,
        gates: Callable[[], Gates] = lambda: OPEN,
    ) -> None:
        self.held: dict[Ticket, RunningTask] = {}
        self._feed = feed
        self._clock = clock
        self._ordinary = ordinary
        self._reserved = reserved
        self._control = control
        self._wanted_by = wanted
        self._outcomes: list[Outcome] = []
        self._turning = asyncio.Lock()
        self._stirred = True
        self._eager = False
        self._closed = False
        self._looked_at: datetime | None = None
        self._look_at: datetime | None = None
        self._idle = idle
        self._loop = Loop(self, clock, idle=idle, least=timedelta(0), restarts=restarts)
        self._gates = gates
        self._express = Express(
            feed, clock, reserved, control, wanted, self._accept_taken, restarts, gates
        )
        self._stop_claiming_on_insert: Callable[[], None] | None = None

    async def run(self) -> None:
        """Until cancelled."""
        stop_listening = self._feed.listen(self._hear)
        if isinstance(self._feed, ClaimOnInsert):
            self._stop_claiming_on_insert = self._feed.claim_on_insert(
                self._express.on_insert, self._accept_few, self._clock
            )
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._loop.run())
                group.create_task(self._express.run())
        finally:
            stop_listening()
            self._end_claiming_on_insert()

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
        self.accept(taken.claims)
        return self._look_at

    async def turn(self, wanted: Wanted) -> TakenClaims:
        async with self._turning:
            outcomes, self._outcomes = self._outcomes, []
            self._stirred = False
            self._look_at = None  # what is heard from now on, this turn may not have seen
            try:
                taken = await self._feed.turn(outcomes, wanted, self._clock.now())
            except BaseException:
                # Said again next time; the fence makes that harmless if it was heard after all.
                self._outcomes = outcomes + self._outcomes
                self._stirred = True
                raise
            self._looked_at = self._clock.now()
            self._plan(taken.look_at)
            return taken

    async def close(self) -> None:
        """Claim nothing more; a turn under way comes to its end first."""
        self._closed = True
        await self._express.close()
        if self._end_claiming_on_insert():
            await self._await_claims_on_insert()
        async with self._turning:
            pass

    def _end_claiming_on_insert(self) -> bool:
        """True when there was something to end."""
        stop, self._stop_claiming_on_insert = self._stop_claiming_on_insert, None
        if stop is not None:
            stop()
        return stop is not None

    async def _await_claims_on_insert(self) -> None:
        """A write that does nothing: all that was claimed before it has been accepted then."""
        try:
            await self._feed.turn([], self._wanted_by, self._clock.now())
        except ClarionError as error:
            log.warning("what was claimed last may have to wait: %s", error)

    def _is_time(self) -> bool:
        now = self._clock.now()
        if self._look_at is not None and self._look_at <= now:
            return True
        return self._looked_at is None or now - self._looked_at >= self._idle

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
            control=max(0, self._control.idle),
            before=worst,
            gates=self._gates(),
        )

    def _room(self) -> int:
        # The next turn takes about as long as the last one: have enough for that time at hand.
        ahead = min(self._ordinary.buffer.maxsize, 2 * self._ordinary.begun)
        return self._ordinary.idle + ahead

    def accept(self, claims: Iterable[Claim]) -> None:
        """On to the lanes; those who find no place there any more go back to the store."""
        for claim in claims:
            self.held[claim.ticket] = RunningTask(claim)
            item = QueueItem.of(claim)
            displaced = self._lane_for(item).buffer.offer(item)
            if displaced is not None:
                self.note(Released(displaced.payload))

    def _lane_for(self, item: QueueItem) -> SlotLane:
        if item.is_critical and self._reserved.idle > 0:
            return self._reserved
        if item.payload.task.control and self._control.idle > 0:
            return self._control
        return self._ordinary

    def _accept_taken(self, taken: TakenClaims) -> None:
        self._accept_few(taken.claims)
        if self._plan(taken.look_at):
            self._loop.wake()

    def _accept_few(self, claims: list[Claim]) -> None:
        self.accept(claims)
        if len(claims) >= AT_ONCE:
            self._stir()  # there may be more of them

    def _hear(self, news: News) -> None:
        if news.due_at > self._clock.now():
            if self._plan(news.due_at):
                self._loop.wake()
        elif (
            news.overtakes
            or (news.critical and self._reserved.idle > 0)
            or (news.control and self._control.idle > 0)
        ):
            self._express.fetch(news)
        elif self._room() > 0:
            self._stir()
        else:
            worst = self._ordinary.buffer.worst_rank()
            if worst is not None and news.rank < worst:
                self._eager = True
                self._stir()

    def _plan(self, look_at: datetime | None) -> bool:
        """Look then, unless we look earlier anyway. True when it changes something."""
        if look_at is None or (self._look_at is not None and self._look_at <= look_at):
            return False
        self._look_at = look_at
        return True

    def _stir(self) -> None:
        self._stirred = True
        self._loop.wake()
