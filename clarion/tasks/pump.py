"""Keeps the slots supplied with tasks: what to claim, when to look, what to write back.

Each turn writes the outcomes of the last tasks and claims the next ones in one transaction. It
claims only a little more than can begin at once, so that the store decides the order, a crash
delays few tasks, and other servers get their share.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.loop import Loop, Restarts
from clarion.tasks.buffer import Buffer, GivingWay, QueueItem
from clarion.tasks.model import OPEN, Gates, Level, urgency
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
from clarion.tasks.time_limit import TimeLimit

log = logging.getLogger(__name__)

DISPLACING_AT_ONCE = 16  # tasks of better rank that are claimed even when the buffer is full
TURN_MAX = 100  # keeps a turn to a few milliseconds, so that the next VIP does not wait
IDLE = timedelta(seconds=5)  # how long lost news may stay unnoticed
EXPRESS_MAX = 16  # more VIPs than this come with the ordinary turn
A_MOMENT = timedelta(milliseconds=10)  # what is added together falls due within that
EXPRESS_SECONDS = 1.0  # an urgent claim takes some milliseconds; older ones hang


class SlotLane:
    """Some slots and the buffer they are fed from."""

    __slots__ = ("begun", "buffer", "busy", "slots")

    def __init__(self, slots: int, buffered_max: int) -> None:
        self.slots = slots
        self.buffer = Buffer(buffered_max)
        self.busy = 0
        self.begun = 0
        """How many began since somebody last set this to zero."""

    @property
    def idle(self) -> int:
        """Free slots that no buffered task will take; negative when tasks have to wait."""
        return self.slots - self.busy - len(self.buffer)


class RunningTask:
    """A claim of this process, and the time limit of its handler."""

    __slots__ = ("abandoned", "bound", "claim", "ended", "lane", "why")

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.lane: SlotLane | None = None
        self.bound: TimeLimit | None = None
        self.why = ""
        """Why it was cut before its time; empty when it was not."""
        self.abandoned = False
        self.ended = False
        """True once the handler is through; what became of it may still have to be written."""

    def cut(self, why: str) -> None:
        """Stop the handler now. One that has not begun stops as soon as it begins."""
        self.why = why
        if self.bound is not None and not self.ended:
            self.bound.cut()

    def is_stuck(self, patience: timedelta) -> bool:
        """True when the handler still runs although its time ended more than `patience` ago."""
        if self.bound is None or self.ended or self.abandoned:
            return False
        late = asyncio.get_running_loop().time() - self.bound.ends_at
        return late > patience.total_seconds()


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
        urgent: SlotLane | None = None,
        outside: SlotLane | None = None,
        is_outside: Callable[[str], bool] = lambda _kind: False,
        idle: timedelta = IDLE,
        restarts: Restarts | None = None,
        gates: Callable[[], Gates] = lambda: OPEN,
    ) -> None:
        self.held: dict[Ticket, RunningTask] = {}
        self._giving_way = ordinary.buffer.giving_way = GivingWay(clock)
        self._feed = feed
        self._clock = clock
        self._ordinary = ordinary
        self._reserved = reserved
        self._control = control
        self._urgent = urgent
        self._outside = outside
        self._is_outside = is_outside
        self._wanted_by = wanted
        self._outcomes: list[Outcome] = []
        self._beside: list[Claim] = []
        """What the turn has claimed that waits for the urgent claim under way."""
        self._turning = asyncio.Lock()
        self._stirred = True
        self._eager = False
        self._closed = self._prepared = False
        self._looked_at: datetime | None = None
        self._look_at: datetime | None = None
        self._idle = idle
        self._loop = Loop(self, clock, idle=idle, least=timedelta(0), restarts=restarts)
        self._gates = gates
        self._express = Express(
            feed, clock, reserved, control, wanted, self._accept_taken, restarts, gates, self._free
        )
        self._stop_claiming_on_insert: Callable[[], Awaitable[None]] | None = None

    async def prepare(self) -> None:
        if not self._prepared and isinstance(self._feed, ClaimOnInsert):
            self._prepared = True
            await self._feed.prepare(self._clock.now())

    async def run(self) -> None:
        """Until cancelled."""
        await self.prepare()
        stop_listening = self._feed.listen(self._hear)
        if isinstance(self._feed, ClaimOnInsert):
            self._stop_claiming_on_insert = self._feed.claim_on_insert(
                self._on_insert, self._accept_inserted, self._clock
            )
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._loop.run())
                group.create_task(self._express.run())
        finally:
            stop_listening()
            await self._end_claiming_on_insert()

    def note(self, outcome: Outcome) -> None:
        """Keep an outcome, to be written with the next turn."""
        self.held.pop(outcome.claim.ticket, None)
        self._outcomes.append(outcome)
        self._stir()

    async def run_once(self) -> datetime | None:
        if not self._stirred and not self._is_time():
            return self._look_at
        if self._giving_way.is_due:  # two commits at once would wait for the disk in turn
            await self._giving_way.wait()
        if self._closed:
            return None
        taken = await self.turn(self._wanted())
        self.accept(taken.claims)
        return self._look_at

    async def turn(self, wanted: Wanted) -> TakenClaims:
        async with self._turning:
            outcomes, self._outcomes = self._outcomes, []
            self._stirred = False
            self._look_at = None  # this turn may not see what is signalled from here on
            try:
                taken = await self._feed.turn(outcomes, wanted, self._clock.now())
            except BaseException:
                # Written again in the next turn; the fence makes that harmless.
                self._outcomes = outcomes + self._outcomes
                self._stirred = True
                raise
            self._looked_at = self._clock.now()
            self._plan(taken.look_at)
            # Of what is claimed at the same moment the best begins first, whoever answers first.
            self._beside = taken.claims
            try:
                if self._giving_way.is_due:
                    await self._giving_way.wait()
                await self._express.over()
            except BaseException:
                self._outcomes += map(Released, self._take_beside())
                self._stirred = True
                raise
            return TakenClaims(self._take_beside(), taken.look_at)

    async def close(self) -> None:
        """Claim nothing more; a turn that is running ends first."""
        self._closed = True
        await self._express.close()
        await self._end_claiming_on_insert()
        async with self._turning:
            pass

    async def _end_claiming_on_insert(self) -> None:
        """When it returns, everything that was claimed so has been accepted."""
        stop, self._stop_claiming_on_insert = self._stop_claiming_on_insert, None
        try:
            if stop is not None:
                await stop()
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
            any=DISPLACING_AT_ONCE if worst else min(TURN_MAX, max(0, room)),
            critical=max(0, self._reserved.idle),
            control=max(0, self._control.idle),
            before=worst,
            gates=self._gates(),
        )

    def _room(self) -> int:
        # The next turn takes about as long as the last one: claim enough tasks for that time.
        ahead = min(self._ordinary.buffer.maxsize, 2 * self._ordinary.begun)
        return self._ordinary.idle + ahead

    def accept(self, claims: Iterable[Claim]) -> None:
        """Put claims into the lanes; those that no longer fit go back to the store."""
        for claim in claims:
            self.held[claim.ticket] = RunningTask(claim)
            item = QueueItem.of(claim)
            lane = self._lane_for(item)
            displaced = lane.buffer.offer(item)
            if displaced is not None:
                self.note(Released(displaced.payload))
            if lane is self._outside:
                self._stir()  # it was claimed for another slot, which is still free

    def _lane_for(self, item: QueueItem) -> SlotLane:
        outside = self._outside
        if outside and outside.idle > 0 and self._is_outside(item.payload.task.kind):
            return outside
        if not item.is_urgent and not item.payload.task.control:
            return self._ordinary
        if item.is_critical and self._reserved.idle > 0:
            return self._reserved
        if item.payload.task.control and self._control.idle > 0:
            return self._control
        beside = self._urgent
        if beside and item.is_urgent and self._ordinary.idle <= 0 and beside.idle > 0:
            return beside
        return self._ordinary

    def _on_insert(self, news: News) -> Wanted | None:
        wanted = self._express.on_insert(news)
        if wanted is not None and wanted.at_once and is_in_event_loop():
            self._giving_way.expect()
        return wanted

    def _accept_inserted(self, claims: list[Claim]) -> None:
        items = sorted(map(QueueItem.of, claims))
        better = self._take_beside(items[-1]) if items else []
        self._accept_few(sorted([*claims, *better], key=QueueItem.of))
        # Their slots have been woken, and run before this: only then may ordinary tasks begin.
        asyncio.get_running_loop().call_soon(self._giving_way.arrived)

    def _free(self, news: News) -> int:
        """How many such tasks could begin right now."""
        lanes = [self._ordinary, self._urgent]
        lanes += [self._reserved] if news.critical else []
        lanes += [self._control] if news.control else []
        return sum(max(0, lane.idle) for lane in lanes if lane is not None)

    def _accept_taken(self, taken: TakenClaims) -> None:
        self._accept_few(sorted([*taken.claims, *self._take_beside()], key=QueueItem.of))
        if self._plan(taken.look_at):
            self._loop.wake()

    def _take_beside(self, before: QueueItem | None = None) -> list[Claim]:
        """What waits for the urgent claim; when `before` is named, only what is better."""
        taken, self._beside = self._beside, []
        if before is None:
            return taken
        self._beside = [claim for claim in taken if QueueItem.of(claim) > before]
        return [claim for claim in taken if QueueItem.of(claim) < before]

    def _accept_few(self, claims: list[Claim]) -> None:
        self.accept(claims)
        if len(claims) >= EXPRESS_MAX:
            self._stir()  # there may be more of them

    def _hear(self, news: News) -> None:
        if news.due_at > self._clock.now():
            if self._plan(news.due_at):
                self._loop.wake()
            return
        hurries = (
            news.overtakes
            or (news.critical and self._reserved.idle > 0)
            or (news.control and self._control.idle > 0)
        )
        if hurries:
            self._express.fetch(news)
        if hurries and not news.is_unranked:
            return
        if self._room() > 0:
            self._stir()
        else:
            worst = self._ordinary.buffer.worst_rank()
            if worst is not None and news.rank < worst:
                self._eager = True
                self._stir()

    def _plan(self, look_at: datetime | None) -> bool:
        """Look at that instant, unless an earlier look is planned. True when the plan changes."""
        if look_at is None or (self._look_at is not None and self._look_at <= look_at):
            return False
        self._look_at = look_at
        return True

    def _stir(self) -> None:
        self._stirred = True
        self._loop.wake()


def is_in_event_loop() -> bool:
    """False in a thread of the store, where nothing that runs in the event loop is in the way."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Express:
    """Claims urgent tasks at once, beside the running turn of the pump.

    Without this, a VIP would wait for two turns: the one that is running, and the next, behind the
    writes of all other producers. It claims few tasks, and only those that rank at least as well as
    the new one. If the store can claim on insert, the new task waits for one write less. A pass,
    with the loop that runs it.
    """

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
        free: Callable[[News], int] = lambda _: 0,
    ) -> None:
        self._feed = feed
        self._clock = clock
        self._free = free
        self._reserved = reserved
        self._control = control
        self._wanted_by = wanted
        self._accept = accept
        self._gates = gates
        self._turning = asyncio.Lock()
        self._since = 0.0
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
        rank = news.rank if news.overtakes or news.critical else None
        self._look_for(rank, controls=news.control)
        self._loop.wake()

    def _look_for(self, rank: datetime | None, *, controls: bool) -> None:
        self._rank = max((each for each in (self._rank, rank) if each), default=None)
        self._controls = self._controls or controls

    async def close(self) -> None:
        """Claim nothing more; what is being claimed is accepted first."""
        self._closed = True
        async with self._turning:
            pass

    async def over(self) -> None:
        """Return when nothing is being claimed, or what is has taken a second already."""
        if not self._turning.locked():
            return
        left = self._since + EXPRESS_SECONDS - self._clock.monotonic()
        if left <= 0:
            return  # not a second for each turn: the others would wait as long as it hangs
        try:
            async with asyncio.timeout(left):
                async with self._turning:
                    pass
        except TimeoutError:
            log.warning("an urgent claim takes long, ordinary tasks begin before it")

    async def run_once(self) -> datetime | None:
        async with self._turning:
            self._since = self._clock.monotonic()
            rank, self._rank = self._rank, None
            controls, self._controls = self._controls, False
            if (controls or rank is not None) and not self._closed:
                try:
                    await self._fetch(rank)
                except BaseException:
                    # Fetched by the next try: nobody else was told of it.
                    self._look_for(rank, controls=controls)
                    raise
        return None

    def on_insert(self, news: News) -> Wanted | None:
        """What to claim together with the tasks being added. Called in the store's thread."""
        hurries = news.overtakes or news.control
        if self._closed or not hurries or self._gates() or news.due_at > self._clock.now():
            return None
        wanted = self._wanted(news.rank if news.overtakes else None)
        return replace(wanted, at_once=self._free(news))

    async def _fetch(self, rank: datetime | None) -> None:
        with urgency(Level.HIGH):
            taken = await self._feed.turn([], self._wanted(rank), self._clock.now())
        self._accept(taken)

    def _wanted(self, rank: datetime | None) -> Wanted:
        """Without `rank` no ordinary task is claimed."""
        return Wanted(
            self._wanted_by.worker,
            self._wanted_by.lease,
            any=0 if rank is None else EXPRESS_MAX,
            critical=max(0, self._reserved.idle),
            control=max(0, self._control.idle),
            before=None if rank is None else rank + A_MOMENT,
            gates=self._gates(),
        )
