"""Fetches those who overtake at once, beside the turn of the pump that is under way.

A VIP would else wait for two turns: the one that began before it came, and its own behind all
that other producers write. It takes few, and only what ranks at least as well as the newcomer.
A store that can do so lets it be claimed in the transaction that adds it: one write less to
wait for.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.loop import Loop
from clarion.base.restarts import Restarts
from clarion.base.urgency import URGENT, urgency
from clarion.tasks.buffer import SlotLane
from clarion.tasks.model import OPEN, Gates
from clarion.tasks.ports import ClaimSource, News, TakenClaims, Wanted

AT_ONCE_MAX = 16  # a crowd of VIPs comes with the ordinary turn
A_MOMENT = timedelta(microseconds=1)


class Express:
    """A pass, with the loop that runs it."""

    name = "tasks-express"

    def __init__(
        self,
        feed: ClaimSource,
        clock: Clock,
        reserved: SlotLane,
        control: SlotLane,
        wanted: Wanted,
        accept: Callable[[TakenClaims], None],
        restarts: Restarts | None = None,
        gates: Callable[[], Gates] = lambda: OPEN,
    ) -> None:
        self._feed = feed
        self._clock = clock
        self._reserved = reserved
        self._control = control
        self._wanted_by = wanted
        self._accept = accept
        self._gates = gates
        self._turning = asyncio.Lock()
        self._closed = False
        self._rank: datetime | None = None
        """The worst rank among the newcomers to be fetched; None when there are none."""
        self._controls = False
        """Whether something that a person does is to be fetched."""
        self._loop = Loop(self, clock, restarts=restarts)

    async def run(self) -> None:
        """Until cancelled."""
        await self._loop.run()

    def fetch(self, news: News) -> None:
        if news.overtakes or news.critical:
            self._rank = news.rank if self._rank is None else max(self._rank, news.rank)
        self._controls = self._controls or news.control
        self._loop.wake()

    async def close(self) -> None:
        """Fetch nothing more; what is being fetched is accepted first."""
        self._closed = True
        async with self._turning:
            pass

    async def run_once(self) -> datetime | None:
        async with self._turning:
            rank, self._rank = self._rank, None
            controls, self._controls = self._controls, False
            if (controls or rank is not None) and not self._closed:
                await self._fetch(rank)
        return None

    def on_insert(self, news: News) -> Wanted | None:
        """What to claim along with what is being added. Called from the store's thread."""
        hurries = news.overtakes or news.control
        if self._closed or not hurries or self._gates() or news.due_at > self._clock.now():
            return None
        return self._wanted(news.rank if news.overtakes else None)

    async def _fetch(self, rank: datetime | None) -> None:
        with urgency(URGENT):
            taken = await self._feed.turn([], self._wanted(rank), self._clock.now())
        self._accept(taken)

    def _wanted(self, rank: datetime | None) -> Wanted:
        """None: nothing but what people do themselves."""
        return Wanted(
            self._wanted_by.worker,
            self._wanted_by.lease,
            any=0 if rank is None else AT_ONCE_MAX,
            critical=max(0, self._reserved.idle),
            control=max(0, self._control.idle),
            before=None if rank is None else rank + A_MOMENT,
            gates=self._gates(),
        )
