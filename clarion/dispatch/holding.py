"""Holds with a fallback: Redis first, the database when Redis is down; counted in both cases."""

import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol, TypeVar

from clarion.base.errors import CircuitOpen, ClarionError, TimedOut, Unavailable
from clarion.dispatch.errors import InvalidInput, RedisGone
from clarion.dispatch.model import EventId, Hold, TeamId
from clarion.dispatch.ports import (
    ACQUIRED,
    EXPIRED,
    FAILED,
    FALLBACK,
    DispatchMeter,
    HeldTeams,
    Holds,
    HoldsOnRecord,
    Refused,
)

log = logging.getLogger(__name__)
T = TypeVar("T")

TEAMS_MAX = 200  # far more than any scheme; keeps the script and the statement short
ORPHANS_MAX = 1_000  # their holds expire within five minutes anyway


class HoldBreaker(Protocol):
    """A circuit breaker: raises CircuitOpen for a while after repeated failures."""

    async def call(self, work: Callable[[], Awaitable[T]]) -> T: ...


def checked(fences: Mapping[TeamId, int]) -> dict[TeamId, int]:
    """Sorted and checked: at least one, not too many, no empty id. A mapping has no doubles."""
    if not 0 < len(fences) <= TEAMS_MAX:
        raise InvalidInput(f"team_ids: 1..{TEAMS_MAX}", count=len(fences))
    if any(not team_id for team_id in fences):
        raise InvalidInput("team_ids: empty id")
    return dict(sorted(fences.items()))


class Counts:
    """A meter that only counts: for tests, benchmarks, and servers without metrics."""

    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()

    def count(self, name: str, amount: int = 1) -> None:
        self._counted[name] += amount

    def __getitem__(self, name: str) -> int:
        return self._counted[name]


class CountedHolds:
    """Counts for every implementation: granted, refused, expired too early."""

    def __init__(self, holds: Holds, meter: DispatchMeter) -> None:
        self._holds = holds
        self._meter = meter

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        outcome = await self._holds.acquire(owner, event_id, checked(fences), ttl)
        self._meter.count(ACQUIRED if isinstance(outcome, HeldTeams) else FAILED)
        return outcome

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        return self._expired(teams, await self._holds.extend(owner, teams, ttl))

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        return await self._holds.release(owner, teams)

    async def all(self) -> list[Hold]:
        return await self._holds.all()

    def _expired(self, teams: Sequence[TeamId], ours: int) -> int:
        if ours < len(teams):
            self._meter.count(EXPIRED, len(teams) - ours)
        return ours


class HoldsWithFallback:
    """Redis in front, the database behind it.

    The database's own guard does not depend on which of the two answered, so servers with and
    without a connection to Redis can work side by side. After a timeout the holds may exist all
    the same: they are released as soon as Redis answers again, at the next call or by `run_once`,
    which is a pass.
    """

    name = "dispatch-holds"

    def __init__(
        self,
        redis: Holds,
        database: HoldsOnRecord,
        meter: DispatchMeter,
        breaker: HoldBreaker,
        *,
        allowed: bool = True,
    ) -> None:
        self._redis = redis
        self._database = database
        self._meter = meter
        self._breaker = breaker
        self._allowed = allowed
        self._orphans: deque[tuple[str, tuple[TeamId, ...]]] = deque(maxlen=ORPHANS_MAX)
        self._granted: dict[str, int] = {}
        """How many teams Redis holds for an owner, until they are let go or extended."""
        self.degraded = False

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        try:
            await self._release_orphans()
            outcome = await self._asked(owner, event_id, fences, ttl)
            if isinstance(outcome, Refused) and await self._free_left_over(outcome):
                outcome = await self._asked(owner, event_id, fences, ttl)
        except (Unavailable, TimedOut) as error:
            if not isinstance(error, CircuitOpen):  # that call was never sent
                self._orphans.append((owner, tuple(fences)))
            self._granted.pop(owner, None)
            self._degrade(error)
            held = await self._database.acquire(owner, event_id, fences, ttl)
            return held if isinstance(held, Refused) else _degraded(held)
        self._recover()
        if isinstance(outcome, HeldTeams):
            self._granted[owner] = len(fences)
        return outcome

    async def _asked(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        return await self._breaker.call(lambda: self._redis.acquire(owner, event_id, fences, ttl))

    async def _free_left_over(self, refused: Refused) -> bool:
        """Release what Redis still holds for ended plans: the proposal was dropped with its event,
        or the server died before it could release them.
        """
        owners = {one.team_id: one.owner for one in refused.blockers if one.owner}
        left = await self._database.left_over(owners) if owners else []
        for team_id in left:
            await self._breaker.call(partial(self._redis.release, owners[team_id], [team_id]))
        return bool(left)

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        self._granted.pop(owner, None)
        kept = await self._database.extend(owner, teams, ttl)
        return max(kept, await self._quietly(lambda: self._redis.extend(owner, teams, ttl)))

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        """Release them where they are; in both places when that is not known."""
        granted = self._granted.pop(owner, 0)
        freed = 0 if granted else await self._database.release(owner, teams)
        try:
            ours = await self._breaker.call(lambda: self._redis.release(owner, teams))
        except (Unavailable, TimedOut):
            self._orphans.append((owner, tuple(teams)))
            return freed
        if ours < granted:
            self._meter.count(EXPIRED, granted - ours)
        return max(freed, ours)

    async def all(self) -> list[Hold]:
        try:
            seen = await self._breaker.call(self._redis.all)
        except (Unavailable, TimedOut):
            seen = []
        # A proposal is held in both; the database knows how long.
        both = {one.team_id: one for one in [*seen, *await self._database.all()]}
        return [both[team_id] for team_id in sorted(both)]

    @property
    def orphans(self) -> int:
        """Holds that may be in Redis though nobody waits for them."""
        return len(self._orphans)

    async def run_once(self) -> datetime | None:
        with suppress(Unavailable, TimedOut):
            await self._release_orphans()
        return None

    async def _release_orphans(self) -> None:
        for _ in range(len(self._orphans)):
            owner, teams = self._orphans.popleft()  # first, so that nobody else does it too
            try:
                await self._breaker.call(partial(self._redis.release, owner, teams))
            except BaseException:
                self._orphans.append((owner, teams))
                raise

    async def _quietly(self, work: Callable[[], Awaitable[int]]) -> int:
        try:
            return await self._breaker.call(work)
        except (Unavailable, TimedOut):
            return 0

    def _degrade(self, error: Exception) -> None:
        self._meter.count(FALLBACK)
        if not self._allowed:
            raise RedisGone(str(error)) from error
        if not self.degraded:
            log.warning("Redis is away; holds go through the database: %s", error)
        self.degraded = True

    def _recover(self) -> None:
        if self.degraded:
            log.info("Redis is back; holds go through it again")
        self.degraded = False


async def try_release(holds: Holds, owner: str, teams: Sequence[TeamId]) -> None:
    """Try to release them: nothing committed depends on them, and they expire by themselves."""
    try:
        await holds.release(owner, teams)
    except ClarionError as error:
        log.warning("holds not released: %s", error, extra={"owner": owner})


def _degraded(held: HeldTeams) -> HeldTeams:
    return HeldTeams(held.fences, held.until, held.where, degraded=True)
