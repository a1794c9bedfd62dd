"""Sees to it that no event is forgotten: while one lacks somebody and a free team fits, it plans.

No failure of a plan is final, only a person's no. What was decided is in the rows of events, runs
and schemes, so a restart or another server goes on where this one stopped.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.ids import TaskId, new_id
from clarion.dispatch.model import DispatchEvent, EventId, Run, TeamId

FIRST_WAIT = timedelta(seconds=2)  # what failed for a moment is over by then
LONGEST_WAIT = timedelta(minutes=1)  # an event is never left alone for longer than this
SAME_AGAIN = timedelta(minutes=5)  # a short event whose free teams were all looked at before
EVERY = timedelta(seconds=30)  # signals may be lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """An event that somebody asked a plan for, that lacks teams, and that nobody plans now."""

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
    async def lacking(self, now: datetime) -> tuple[Sequence[Lack], Sequence[FreeTeam]]:
        """Those that lack somebody, the gravest first, and everybody who is free."""
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

    def __init__(self, store: Lacks, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run_once(self) -> datetime:
        now = self._clock.now()
        lacks, free = await self._store.lacking(now)
        looks = [now + EVERY]
        for lack in lacks:
            at = plan_at(lack, free)
            if at is None:
                continue
            if at > now:
                looks.append(at)
            else:
                await self._store.request(_run(lack, now), now)
        return min(looks)


def _run(lack: Lack, now: datetime) -> Run:
    return Run(
        id=TaskId(new_id("tsk", now)),
        event_id=EventId(lack.event.id),
        created_at=now,
        team_ids=lack.team_ids,
        needs_approval=lack.approval,
        reason="reconciled",
    )
