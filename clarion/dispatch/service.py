"""A plan from its request to teams on the way: the verbs behind every door.

The agent proposes, this decides: it holds exactly the chosen teams, compares and sets everything in
one transaction, then releases the holds. A crash between any two lines leaves either nothing or a
committed scheme; holds expire, and another worker takes the run over.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, TimedOut, Unavailable
from clarion.base.ids import TaskId, new_id
from clarion.dispatch import decide
from clarion.dispatch.approval import Approvals
from clarion.dispatch.errors import (
    RETRY_AFTER,
    AlgorithmFailed,
    EventNotFound,
    ResourceLocked,
    SchemeNotFound,
    TaskNotFound,
    to_record,
)
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.holding import try_release
from clarion.dispatch.model import (
    CHANGED,
    Assignment,
    Blocker,
    EventId,
    Hold,
    PlanPicture,
    Proposal,
    Run,
    RunStatus,
    Scheme,
    SchemeId,
    SchemeStatus,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.ports import (
    Agent,
    Committed,
    DispatchStore,
    HeldTeams,
    Holds,
    Lost,
    PlanRequest,
    Refused,
    Superseded,
)

log = logging.getLogger(__name__)

RETRY_SOON = timedelta(seconds=1)
SEEN_AFTER = 0.1  # seconds; a quicker plan ends before anybody looks


class Reassign(StrEnum):
    """Whether a graver event may take a team that is on its way to another event."""

    OFF = "off"
    ASK = "ask"
    """When a person says yes."""
    ON = "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What an operator decides about dispatch."""

    hold_ttl: timedelta = timedelta(seconds=300)
    approval: bool = False
    """Whether every scheme waits for a person."""
    approval_window: timedelta = timedelta(minutes=15)
    replans_max: int = 8
    """How often a plan is made again when others were faster; each time without those they hold."""
    tries_max: int = 3
    """How often a run that fails for a passing reason is begun before it is given up."""
    starts_max: int = 5
    """How often a run is begun at all: one that kills its worker must not go on for ever."""
    language: str = "zh"
    reassign: Reassign = Reassign.ASK
    reassign_margin: int = 4
    """By how many weighed units a graver event has to gain."""


class Dispatch:
    def __init__(
        self,
        store: DispatchStore,
        holds: Holds,
        agent: Agent,
        clock: Clock,
        guard: DispatchGuard,
        policy: Policy | None = None,
    ) -> None:
        self._store = store
        self._holds = holds
        self._agent = agent
        self._clock = clock
        self._guard = guard
        self.policy = policy or Policy()
        self._approvals = Approvals(store, holds, clock, guard, self.policy.hold_ttl)

    async def request(
        self,
        event_id: EventId,
        *,
        key: str | None = None,
        team_ids: Sequence[TeamId] = (),
        approval: bool | None = None,
        reason: str = "requested",
    ) -> Run:
        """Ask for a plan. Asking twice, by key or for the same event, gets the same run."""
        now = self._clock.now()
        run = Run(
            id=TaskId(new_id("tsk", now)),
            event_id=event_id,
            created_at=now,
            key=key,
            team_ids=tuple(sorted(set(team_ids))),
            needs_approval=self.policy.approval if approval is None else approval,
            reason=reason,
        )
        return await self._guard.write("request", lambda: self._store.request(run, now))

    async def task(self, run_id: TaskId) -> Run:
        found = await self._guard.read("task", lambda: self._store.run(run_id))
        if found is None:
            raise TaskNotFound(run_id)
        return found

    async def tasks(self, status: Sequence[RunStatus] = (), limit: int = 50) -> list[Run]:
        return await self._guard.read("tasks", lambda: self._store.runs(status, limit))

    async def settled(self, run_id: TaskId, within: timedelta) -> Run:
        """The run when it is over, or its state after `within`."""
        found = await self._store.settled(run_id, within)
        if found is None:
            raise TaskNotFound(run_id)
        return found

    async def scheme(self, scheme_id: SchemeId) -> Scheme:
        found = await self._guard.read("scheme", lambda: self._store.scheme(scheme_id))
        if found is None:
            raise SchemeNotFound(scheme_id)
        return found

    async def schemes(self, event_id: EventId) -> list[Scheme]:
        return await self._guard.read("schemes", lambda: self._store.schemes(event_id))

    async def assignments(
        self,
        *,
        event_id: EventId | None = None,
        team_id: TeamId | None = None,
        is_open: bool = False,
    ) -> list[Assignment]:
        """`is_open`: only who is out now."""
        return await self._guard.read(
            "assignments",
            lambda: self._store.assignments(event_id=event_id, team_id=team_id, is_open=is_open),
        )

    async def locks(self) -> list[Hold]:
        return await self._guard.read("locks", self._holds.all)

    async def run(self, run_id: TaskId) -> Run | None:
        """Carry out a run. None: it was over, or another worker has it now.

        Raises only temporary errors, and only while tries are left; everything else is stored as
        the error of the run.
        """
        now = self._clock.now()
        run = await self._guard.write("begin", lambda: self._store.begin(run_id, now))
        if run is None:
            return None
        try:
            if run.attempt > self.policy.starts_max:
                raise AlgorithmFailed("run", "begun too often without an end")
            done = await self._carried_out(run)
        except ClarionError as error:
            passing = isinstance(error, Unavailable | TimedOut)
            if passing and run.attempt < self.policy.tries_max:
                raise
            log.warning("plan failed: %s", error, extra={"run": run.id, "event": run.event_id})
            record = to_record(error)
            now = self._clock.now()
            done = await self._guard.write("fail", lambda: self._store.fail(run, record, now))
        return await self.task(run_id) if done else None

    async def _carried_out(self, run: Run) -> bool:
        """Plan and secure; repeat without lost teams until it succeeds or is given up."""
        lost: dict[TeamId, Blocker] = {}
        diary = Diary(run, self._store, self._clock)
        for replans in range(self.policy.replans_max + 1):
            picture = await self._picture(run.event_id)
            taken = {one: why.locked_by for one, why in lost.items() if why.locked_by != CHANGED}
            proposal = await self._proposal(run, picture, taken, diary)
            if not proposal.best.members:
                lost |= _named_elsewhere(run, picture, self._clock.now())
                if lost:
                    break  # all teams that could come were taken by others
            trying = replace(run, replans=replans, steps=tuple(diary.steps))
            outcome = await self._secured(trying, picture, proposal)
            match outcome:
                case Committed():
                    return True
                case Superseded():
                    return False
                case Lost(blockers):
                    lost |= await self._held_by_others(run)
                    lost |= {one.team_id: one for one in blockers}
        raise ResourceLocked(lost.values())

    async def _held_by_others(self, run: Run) -> dict[TeamId, Blocker]:
        """All teams that turned out to be held by others: the next plan leaves them out."""
        now = self._clock.now()
        with suppress(ClarionError):
            return {
                one.team_id: Blocker(one.team_id, one.event_id, max(RETRY_SOON, one.until - now))
                for one in await self._holds.all()
                if one.owner != run.id
            }
        return {}

    async def _picture(self, event_id: EventId) -> PlanPicture:
        picture = await self._guard.read("teams", lambda: self._store.picture(event_id))
        if picture is None:
            raise EventNotFound(event_id)
        return picture

    async def _proposal(
        self, run: Run, picture: PlanPicture, taken: Mapping[TeamId, str], diary: "Diary"
    ) -> Proposal:
        request = PlanRequest(
            picture=picture,
            owner=run.id,
            now=self._clock.now(),
            excluded=frozenset(run.excluded) | frozenset(picture.refused),
            only=frozenset(run.team_ids),
            taken=taken,
            language=self.policy.language,
            margin=self._margin(run),
        )
        return await self._agent.plan(request, diary.note)

    async def _secured(
        self, run: Run, picture: PlanPicture, proposal: Proposal
    ) -> Committed | Lost | Superseded:
        """Hold, re-check, commit, release. The holds only refuse early; the commit decides.

        A team that leaves another event cannot be held: the commit takes it, or fails as a whole.
        """
        fences = {team.id: team.fence for team in picture.teams}
        members = proposal.best.members
        leaving = {one.team_id: fences[one.team_id] for one in members if one.taken_from}
        chosen = {one: fences[one] for one in proposal.best.team_ids if one not in leaving}
        if leaving and self.policy.reassign is Reassign.ASK:
            run = replace(run, needs_approval=True)
        if not chosen:
            return await self._committed(run, proposal, HeldTeams(leaving, self._clock.now()))
        held = await self._holds.acquire(run.id, run.event_id, chosen, self.policy.hold_ttl)
        if isinstance(held, Refused):
            return Lost(held.blockers)
        held = replace(held, fences={**held.fences, **leaving})
        kept = False
        try:
            outcome = await self._committed(run, proposal, held)
            kept = run.needs_approval and isinstance(outcome, Committed)
        finally:
            if not kept:
                await try_release(self._holds, run.id, tuple(chosen))
        if kept:
            await self._keep(run.id, tuple(chosen))
        return outcome

    def _margin(self, run: Run) -> int | None:
        """A plan that names its teams takes none from other events."""
        if self.policy.reassign is Reassign.OFF or run.team_ids:
            return None
        return self.policy.reassign_margin

    async def _committed(
        self, run: Run, proposal: Proposal, held: HeldTeams
    ) -> Committed | Lost | Superseded:
        now = self._clock.now()
        if run.needs_approval and held.fences:
            until = now + self.policy.approval_window
            proposed = decide.proposed(run, proposal, held, until, now)
            return await self._guard.write(
                "propose", lambda: self._store.propose(proposed, until, now)
            )
        decision = decide.committed(run, proposal, held, now)
        return await self._guard.write("commit", lambda: self._store.commit(decision, now))

    async def _keep(self, owner: str, teams: Sequence[TeamId]) -> None:
        """While a person decides, the holds in Redis last as long as those in the database."""
        with suppress(ClarionError):
            await self._holds.extend(owner, teams, self.policy.approval_window)

    async def approve(self, scheme_id: SchemeId, by: str, alternative: int = 0) -> Scheme:
        """Send the best teams, or those of an alternative; alternatives are numbered from one."""
        return await self._approvals.approve(scheme_id, by, alternative)

    async def reject(self, scheme_id: SchemeId, by: str, reason: str = "") -> Scheme:
        return await self._approvals.drop(scheme_id, SchemeStatus.REJECTED, by, reason)

    async def lapse(self, scheme_id: SchemeId) -> Scheme:
        """The time for a decision is over; harmless when one was made."""
        why = "nobody decided in time"
        return await self._approvals.drop(scheme_id, SchemeStatus.LAPSED, "", why)


def _named_elsewhere(run: Run, picture: PlanPicture, now: datetime) -> dict[TeamId, Blocker]:
    """The teams that were asked for by name and that another event has."""
    named = set(run.team_ids)
    sent_to = {one.team_id: one.event_id for one in picture.parts}
    found: dict[TeamId, Blocker] = {}
    for team in picture.teams:
        if team.id not in named or team.held_for == run.event_id:
            continue
        if team.status is TeamStatus.DEPLOYED:
            found[team.id] = Blocker(team.id, sent_to.get(team.id, ""), RETRY_AFTER)
        elif team.held_for and team.held_until and team.held_until > now:
            found[team.id] = Blocker(team.id, team.held_for, team.held_until - now)
    return found


class Diary:
    """The steps of a plan: written with its end, and earlier only when the plan takes so long that
    somebody may look at it.
    """

    def __init__(self, run: Run, store: DispatchStore, clock: Clock) -> None:
        self._run = run
        self._store = store
        self._clock = clock
        self._written = clock.monotonic()
        self.steps: list[Mapping[str, Any]] = []

    async def note(self, node: str, percent: int) -> bool:
        """False when somebody else has taken the run over."""
        now = self._clock.now()
        self.steps.append({"node": node, "percent": percent, "at": now.isoformat()})
        if self._clock.monotonic() - self._written < SEEN_AFTER:
            return True
        self._written = self._clock.monotonic()
        written = replace(self._run, node=node, steps=tuple(self.steps))
        # Failing to show progress must not stop the plan.
        with suppress(ClarionError):
            return await self._store.step(written, percent, now)
        return True
