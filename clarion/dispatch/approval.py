"""A person's yes or no to a proposed scheme: to its best teams, or to an alternative.

The best teams are held while a person decides; those of an alternative are not. So the additional
teams of the alternative are held first, all or none; then one transaction frees the teams that are
not needed and sends the alternative. A crash in between leaves the proposal unchanged.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from clarion.base.clock import Clock
from clarion.dispatch import decide
from clarion.dispatch.errors import (
    EventNotFound,
    InvalidInput,
    MoveRefused,
    ResourceLocked,
    SchemeNotFound,
)
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.holding import try_release
from clarion.dispatch.model import (
    CHANGED,
    EventId,
    PlanPicture,
    Scheme,
    SchemeId,
    SchemeStatus,
    TeamId,
)
from clarion.dispatch.ports import Committed, DispatchStore, HeldTeams, Holds, Lost, Refused

TRIES_MAX = 3  # an event is edited at the same moment once or twice at most
GONE = -1  # the fence of a team that was removed: no row has it


class Approvals:
    def __init__(
        self,
        store: DispatchStore,
        holds: Holds,
        clock: Clock,
        guard: DispatchGuard,
        hold_ttl: timedelta,
    ) -> None:
        self._store = store
        self._holds = holds
        self._clock = clock
        self._guard = guard
        self._hold_ttl = hold_ttl

    async def approve(self, scheme_id: SchemeId, by: str, alternative: int) -> Scheme:
        """Send the teams. Approving the same twice is not an error.

        Raises MoveRefused when something else was decided, and ResourceLocked when a team was sent
        elsewhere: then the scheme has lapsed and the event is planned again.
        """
        scheme = await self._scheme(scheme_id)
        if _sent(scheme, alternative):
            return scheme
        if scheme.status is not SchemeStatus.PROPOSED:
            raise MoveRefused(scheme_id, scheme.status, SchemeStatus.COMMITTED)
        if alternative > len(scheme.alternatives):
            raise InvalidInput(f"alternative: 0..{len(scheme.alternatives)}", given=alternative)
        try:
            outcome = await self._secured(scheme, alternative, by)
        except MoveRefused:
            return await self._decided(scheme_id, alternative)
        await try_release(self._holds, scheme.run_id, scheme.option.team_ids)
        if isinstance(outcome, Lost) and await self._renew(scheme_id, by, outcome):
            raise ResourceLocked(outcome.blockers)
        return await self._decided(scheme_id, alternative)

    async def _decided(self, scheme_id: SchemeId, alternative: int) -> Scheme:
        """The present state: two people may have approved it, or another decision came first."""
        scheme = await self._scheme(scheme_id)
        if not _sent(scheme, alternative):
            raise MoveRefused(scheme_id, scheme.status, SchemeStatus.COMMITTED)
        return scheme

    async def _secured(self, scheme: Scheme, alternative: int, by: str) -> Committed | Lost:
        wanted = [scheme.option, *scheme.alternatives][alternative]
        joining = tuple(
            one.team_id
            for one in wanted.members
            if one.team_id not in scheme.fences and not one.taken_from
        )
        try:
            return await self._sent_by(scheme, alternative, joining, by)
        finally:
            if joining:
                await try_release(self._holds, scheme.run_id, joining)

    async def _sent_by(
        self, scheme: Scheme, alternative: int, joining: Sequence[TeamId], by: str
    ) -> Committed | Lost:
        """Try again when only the event or a fence has changed: no team was lost."""
        outcome: Committed | Lost = Lost(())
        for _ in range(TRIES_MAX):
            picture = await self._picture(scheme.event_id)
            held = await self._held(scheme, joining, picture)
            if isinstance(held, Refused):
                outcome = Lost(held.blockers)
            else:
                now = self._clock.now()
                seen = {team.id: team.fence for team in picture.teams}
                wanted = decide.taking(scheme, alternative, {**seen, **held.fences})
                decision = decide.approved(wanted, picture, by, now)
                outcome = await self._guard.write(
                    "approve", partial(self._store.approve, decision, now)
                )
            if isinstance(outcome, Committed) or _gone(outcome) or picture.event.is_over:
                break
        return outcome

    async def _held(
        self, scheme: Scheme, joining: Sequence[TeamId], picture: PlanPicture
    ) -> HeldTeams | Refused:
        """Hold them for the run that already holds the best teams."""
        if not joining:
            return HeldTeams({}, self._clock.now())
        known = {team.id: team.fence for team in picture.teams}
        fences = {team_id: known.get(team_id, GONE) for team_id in joining}
        return await self._holds.acquire(scheme.run_id, scheme.event_id, fences, self._hold_ttl)

    async def _renew(self, scheme_id: SchemeId, by: str, lost: Lost) -> bool:
        reason = "its teams went elsewhere" if lost.blockers else "the event has changed"
        now = self._clock.now()
        return await self._guard.write(
            "renew", lambda: self._store.renew(scheme_id, by, reason, now)
        )

    async def drop(self, scheme_id: SchemeId, status: SchemeStatus, by: str, reason: str) -> Scheme:
        now = self._clock.now()
        found = await self._guard.write(
            "drop", lambda: self._store.drop(scheme_id, status, by, reason, now)
        )
        if found is None:
            raise SchemeNotFound(scheme_id)
        if found.status is status:
            await try_release(self._holds, found.run_id, found.option.team_ids)
        return found

    async def _scheme(self, scheme_id: SchemeId) -> Scheme:
        found = await self._guard.read("scheme", lambda: self._store.scheme(scheme_id))
        if found is None:
            raise SchemeNotFound(scheme_id)
        return found

    async def _picture(self, event_id: EventId) -> PlanPicture:
        picture = await self._guard.read("teams", lambda: self._store.picture(event_id))
        if picture is None:
            raise EventNotFound(event_id)
        return picture


def _gone(lost: Lost) -> bool:
    """Another event has one of them, so another try would not help."""
    return any(one.locked_by != CHANGED for one in lost.blockers)


def _sent(scheme: Scheme, alternative: int) -> bool:
    return scheme.status is SchemeStatus.COMMITTED and scheme.chosen == alternative
