"""Holds with a way on: Redis first, the database when Redis is gone, counted either way."""

import logging
from collections import deque
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
    Refused,
)

log = logging.getLogger(__name__)
T = TypeVar("T")

TEAMS_MAX = 200  # far above any scheme; keeps one script and one statement short
ORPHANS_MAX = 1_000  # their holds run out by themselves in five minutes anyway


class HoldBreaker(Protocol):
    """Stops asking for a while what keeps failing; raises CircuitOpen meanwhile."""

    async def call(self, work: Callable[[], Awaitable[T]]) -> T: ...


def checked(fences: Mapping[TeamId, int]) -> dict[TeamId, int]:
    """Unique by being a mapping, sorted, some but not too many, and none of them empty."""
    if not 0 < len(fences) <= TEAMS_MAX:
        raise InvalidInput(f"team_ids: 1..{TEAMS_MAX}", count=len(fences))
    if any(not team_id for team_id in fences):
        raise InvalidInput("team_ids: empty id")
    return dict(sorted(fences.items()))


class CountedHolds:
    """Counts what every implementation has in common: granted, refused, run out too early."""

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

    What the database guards does not depend on which of the two answered, so servers that see
    Redis and servers that do not can work side by side. After an answer that never came, the
    holds may exist all the same: they are let go as soon as Redis answers again, at the next
    question or by `run_once`, which is a pass.
    """

    name = "dispatch-holds"

    def __init__(
        self,
        redis: Holds,
        database: Holds,
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
            await self._bury_orphans()
            outcome = await self._breaker.call(
                lambda: self._redis.acquire(owner, event_id, fences, ttl)
            )
        except (Unavailable, TimedOut) as error:
            if not isinstance(error, CircuitOpen):  # that one was never sent
                self._orphans.append((owner, tuple(fences)))
            self._granted.pop(owner, None)
            self._degrade(error)
            held = await self._database.acquire(owner, event_id, fences, ttl)
            return held if isinstance(held, Refused) else _degraded(held)
        self._recover()
        if isinstance(outcome, HeldTeams):
            self._granted[owner] = len(fences)
        return outcome

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        self._granted.pop(owner, None)
        kept = await self._database.extend(owner, teams, ttl)
        return max(kept, await self._quietly(lambda: self._redis.extend(owner, teams, ttl)))

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        """Where they are; in both places when we do not know, as for a stranger's approval."""
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
        # A proposal is held in both; the database knows until when.
        both = {one.team_id: one for one in [*seen, *await self._database.all()]}
        return [both[team_id] for team_id in sorted(both)]

    @property
    def orphans(self) -> int:
        """Holds that may be in Redis though nobody waits for them."""
        return len(self._orphans)

    async def run_once(self) -> datetime | None:
        with suppress(Unavailable, TimedOut):
            await self._bury_orphans()
        return None

    async def _bury_orphans(self) -> None:
        for _ in range(len(self._orphans)):
            owner, teams = self._orphans.popleft()  # first, or two of us would bury it
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


async def let_go(holds: Holds, owner: str, teams: Sequence[TeamId]) -> None:
    """As well as we can: what is committed does not depend on them, and they run out."""
    try:
        await holds.release(owner, teams)
    except ClarionError as error:
        log.warning("holds not released: %s", error, extra={"owner": owner})


def _degraded(held: HeldTeams) -> HeldTeams:
    return HeldTeams(held.fences, held.until, held.where, degraded=True)
