"""Makes sure that no event is forgotten: plans again while one lacks teams and a free team fits.

No failure of a plan is final, only a person's no. What was decided is in the rows of events, runs
and schemes, so a restart or another server goes on where this one stopped.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.ids import TaskId, new_id
from clarion.dispatch.model import DispatchEvent, EventId, Run, Team, TeamId
from clarion.dispatch.plan.crews import off_duty, offered, on_duty_at, on_duty_since

FIRST_WAIT = timedelta(seconds=2)  # a short failure has passed by then
LONGEST_WAIT = timedelta(minutes=1)  # no event waits longer than this for another plan
SAME_AGAIN = timedelta(minutes=5)  # for an event whose possible teams were all considered before
EVERY = timedelta(seconds=30)  # signals may be lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """An event with a requested plan that lacks teams and is not being planned now."""

    event: DispatchEvent
    ended_at: datetime
    """When its last plan ended."""
    failures: int = 0
    """How many plans failed since the last one that did not."""
    missing: frozenset[str] | None = None
    """The capabilities that its last plan could not cover; None: it is not known."""
    refused: frozenset[TeamId] = frozenset()
    """Teams that declined or did not answer: they are not asked again."""
    team_ids: tuple[TeamId, ...] = ()
    """The teams that were asked for by name; empty means any."""
    approval: bool = False
    shared: bool = False
    """Its last plan left teams to others, who may not have taken them."""


@dataclass(frozen=True, slots=True)
class FreeTeam:
    id: TeamId
    capabilities: Mapping[str, int]
    since: datetime
    """When it came free or was last changed."""


class Lacks(Protocol):
    async def lacking(self, now: datetime) -> tuple[Sequence[Lack], Sequence[Team]]:
        """Events that lack teams, the gravest first, and all teams on standby that nobody holds, on
        duty or not.
        """
        ...

    async def request(self, run: Run, now: datetime) -> Run: ...


def plan_at(lack: Lack, free: Collection[FreeTeam]) -> datetime | None:
    """From when on another plan makes sense; None until a team comes that could help."""
    helpful = [one for one in free if _helps(one, lack)]
    if not helpful:
        return None
    if lack.failures:
        longer: int = 2 ** (lack.failures - 1)
        return lack.ended_at + min(FIRST_WAIT * longer, LONGEST_WAIT)
    if any(one.since > lack.ended_at for one in helpful):
        return lack.ended_at
    return lack.ended_at + (FIRST_WAIT if lack.shared else SAME_AGAIN)


def _helps(team: FreeTeam, lack: Lack) -> bool:
    if team.id in lack.refused or (lack.team_ids and team.id not in lack.team_ids):
        return False
    offered = {name for name, amount in team.capabilities.items() if amount}
    return bool(offered if lack.missing is None else offered & lack.missing)


class Reconciler:
    """A pass of one server at a time. Planning itself is a task like any other."""

    name = "dispatch-reconciler"

    def __init__(self, store: Lacks, clock: Clock, zone: tzinfo = UTC) -> None:
        """`zone`: whose clock shifts go by."""
        self._store = store
        self._clock = clock
        self._zone = zone

    async def run_once(self) -> datetime:
        now = self._clock.now()
        lacks, standby = await self._store.lacking(now)
        # In a large city this takes a while, and others go on meanwhile.
        due, look_at = await asyncio.to_thread(self._looked, lacks, standby, now)
        for lack in due:
            await self._store.request(_run(lack, now), now)
        return look_at

    def _looked(
        self, lacks: Sequence[Lack], standby: Sequence[Team], now: datetime
    ) -> tuple[list[Lack], datetime]:
        """Which events to plan now, and when to look again."""
        free = [self._free(one, now) for one in standby if not off_duty(one, now, self._zone)]
        planned = [(plan_at(lack, free), lack) for lack in lacks]
        later = [at for at, _ in planned if at is not None and at > now]
        due = [lack for at, lack in planned if at is not None and at <= now]
        return due, min([now + EVERY, *later, *self._beginnings(standby, now)])

    def _free(self, team: Team, now: datetime) -> FreeTeam:
        since = on_duty_since(team, now, self._zone)
        known = [one for one in (team.updated_at, team.held_until, since) if one is not None]
        return FreeTeam(team.id, offered(team), max(known, default=now))

    def _beginnings(self, standby: Sequence[Team], now: datetime) -> list[datetime]:
        """When shifts begin and rests end: those teams may help at once."""
        coming = (on_duty_at(one, now, self._zone) for one in standby)
        return [one for one in coming if one is not None]


def _run(lack: Lack, now: datetime) -> Run:
    return Run(
        id=TaskId(new_id("tsk", now)),
        event_id=EventId(lack.event.id),
        created_at=now,
        team_ids=lack.team_ids,
        needs_approval=lack.approval,
        reason="reconciled",
    )
