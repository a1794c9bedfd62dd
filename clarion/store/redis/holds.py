"""Holds in Redis, many teams in one script: all or none are taken, and only ours are released.

They only refuse early: the commit in the database never asks Redis. The owner's token is chosen
before the call and stands at the end of the value, so a repeated call is granted again and a late
release can only free what is ours.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.dispatch.model import Blocker, EventId, Hold, TeamId
from clarion.dispatch.ports import HeldTeams, Refused
from clarion.store.redis.client import REDIS_ERRORS, RedisAway, quick_client

T = TypeVar("T")

PREFIX = "ai:team_lock:"
SCAN_COUNT = 500

# A value is ours when it ends in a colon and our token; tokens contain no colon.
OURS = """
local mine = ':' .. ARGV[1]
local function ours(value) return value and string.sub(value, -#mine) == mine end
"""
ACQUIRE = (
    OURS
    + """
local function same_event(value)
  return string.match(value, '^(.*):[^:]*:[^:]*:[^:]*$') == ARGV[4]
end
local values = redis.call('MGET', unpack(KEYS))
local blocked = {}
for i, value in ipairs(values) do
  if value and not ours(value) and not same_event(value) then
    table.insert(blocked, {i, value, redis.call('PTTL', KEYS[i])})
  end
end
if #blocked > 0 then return blocked end
for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[2], 'PX', ARGV[3]) end
return blocked
"""
)
EXTEND = (
    OURS
    + """
local kept = 0
for _, key in ipairs(KEYS) do
  if ours(redis.call('GET', key)) then kept = kept + redis.call('PEXPIRE', key, ARGV[2]) end
end
return kept
"""
)
RELEASE = (
    OURS
    + """
local freed = 0
for _, key in ipairs(KEYS) do
  if ours(redis.call('GET', key)) then freed = freed + redis.call('DEL', key) end
end
return freed
"""
)

holds_client = quick_client


class RedisHolds:
    def __init__(self, client: "Redis", clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._acquire = client.register_script(ACQUIRE)
        self._extend = client.register_script(EXTEND)
        self._release = client.register_script(RELEASE)

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        """Holds of an earlier scheme of the same event are taken over."""
        assert ":" not in owner, "the colon parts the value"
        now, teams = self._clock.now(), list(fences)
        seconds = ttl.total_seconds()
        value = f"{event_id}:{int(now.timestamp())}:{seconds:g}:{owner}"
        blocked = await self._ask(
            lambda: self._acquire(keys(teams), [owner, value, int(seconds * 1000), event_id])
        )
        if blocked:
            return Refused(tuple(_blocker(teams[place - 1], *rest) for place, *rest in blocked))
        return HeldTeams(dict(fences), now + ttl, "redis")

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        lasts = int(ttl.total_seconds() * 1000)
        return int(await self._ask(lambda: self._extend(keys(teams), [owner, lasts])))

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        return int(await self._ask(lambda: self._release(keys(teams), [owner])))

    async def all(self) -> list[Hold]:
        return await self._ask(self._listed)

    async def _listed(self) -> list[Hold]:
        found = [key async for key in self._client.scan_iter(f"{PREFIX}*", count=SCAN_COUNT)]
        if not found:
            return []
        values = await self._client.mget(found)
        held = [
            hold(str(key), str(value)) for key, value in zip(found, values, strict=True) if value
        ]
        return sorted(held, key=lambda one: one.team_id)

    async def _ask(self, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await work()
        except REDIS_ERRORS as error:
            raise RedisAway(f"Redis does not answer: {error}", retry_after=5) from error


def keys(teams: Sequence[TeamId]) -> list[str]:
    return [f"{PREFIX}{team}" for team in teams]


def hold(key: str, value: str) -> Hold:
    event_id, since, ttl, owner = parts(value)
    began = datetime.fromtimestamp(since, UTC)
    team_id = TeamId(key.removeprefix(PREFIX))
    return Hold(team_id, event_id, owner, began, began + timedelta(seconds=ttl), "redis")


def parts(value: str) -> tuple[str, float, float, str]:
    """`{event_id}:{timestamp}:{ttl}:{owner}`, read from the right: event ids may have colons.

    A value that another program has written still names a holder and blocks like any other.
    """
    pieces: list[Any] = value.rsplit(":", 3)
    try:
        event_id, since, ttl, owner = pieces
        return event_id, float(since), float(ttl), owner
    except ValueError:
        return value, 0.0, 0.0, ""


def _blocker(team_id: TeamId, value: str, lasts_ms: int) -> Blocker:
    event_id, _, _, owner = parts(value)
    return Blocker(team_id, event_id, timedelta(milliseconds=max(1000, lasts_ms)), owner)
