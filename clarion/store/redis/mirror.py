"""A read-only picture of reminders, series and devices in Redis, under the keys of the spec.

    reminder:{id}             JSON, gone a week after it ended
    user_reminders:{user_id}  sorted set of the open ones by the seconds of their trigger instant
    recurring:{id}            JSON
    device_status:{id}        JSON, gone three minutes after we last knew
    trigger_lock:{id}         which attempt rings just now, for five minutes at most

For services beside Clarion to look at. Clarion itself never reads it for a decision. The pass
follows the event log from the number it keeps in Redis itself, so an emptied Redis begins anew.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline

from clarion.base.clock import Clock
from clarion.store.redis.client import REDIS_ERRORS, RedisAway

CURSOR = "clarion:mirror"
EVERY = timedelta(seconds=60)  # without news; well within the life of a device's status
AT_ONCE = 500
ENDED_SECONDS = 7 * 24 * 3600
STATUS_SECONDS = 180
LOCK_SECONDS = 300


@dataclass(frozen=True, slots=True)
class MirrorPicture:
    """Things as they are now, as plain JSON values, and where to go on."""

    reminders: Sequence[Mapping[str, Any]] = ()
    series: Sequence[Mapping[str, Any]] = ()
    devices: Sequence[Mapping[str, Any]] = ()
    gone: Sequence[str] = ()
    """Ids that the log speaks of and that are no more."""


class Sight(Protocol):
    """What the mirror reads; each method is one consistent view."""

    async def latest(self) -> int:
        """The number of the newest event."""
        ...

    async def changed(self, after: int, most: int) -> tuple[MirrorPicture, int]:
        """What the next events are about, and the number of the last of them."""
        ...

    async def page(self, kind: str, after: str, most: int) -> tuple[MirrorPicture, str]:
        """All `reminders` that are open, `series`, or `devices` that are online, by their ids."""
        ...


class Mirror:
    name = "mirror"

    def __init__(self, client: Redis, sight: Sight, clock: Clock) -> None:
        self._client = client
        self._sight = sight
        self._clock = clock
        self._refreshed_at: datetime | None = None

    async def run_once(self) -> datetime | None:
        try:
            seen = await self._client.get(CURSOR)
            if seen is None:
                await self.rebuild()
            else:
                await self._follow(int(seen))
            await self._refresh_devices()
        except REDIS_ERRORS as error:
            raise RedisAway(f"The mirror waits: {error}", retry_after=5) from error
        return self._clock.now() + EVERY

    async def rebuild(self) -> int:
        """Paint everything anew; how many things there were.

        Where to go on is noted first and kept last: what happens meanwhile is painted twice.
        """
        latest = await self._sight.latest()
        number = 0
        for kind in ("reminders", "series", "devices"):
            number += await self._paint_all(kind)
        await self._client.set(CURSOR, latest)
        return number

    async def _paint_all(self, kind: str) -> int:
        number, after, more = 0, "", True
        while more:
            picture, after = await self._sight.page(kind, after, AT_ONCE)
            painted = len(picture.reminders) + len(picture.series) + len(picture.devices)
            await self._paint(picture)
            number += painted
            more = painted == AT_ONCE
        return number

    async def _follow(self, seen: int) -> None:
        more = True
        while more:
            picture, upto = await self._sight.changed(seen, AT_ONCE)
            more = upto > seen
            if more:
                await self._paint(picture)
                await self._client.set(CURSOR, upto)
                seen = upto

    async def _refresh_devices(self) -> None:
        now = self._clock.now()
        if self._refreshed_at is None or now - self._refreshed_at >= EVERY:
            await self._paint_all("devices")
            self._refreshed_at = now

    async def _paint(self, picture: MirrorPicture) -> None:
        async with self._client.pipeline(transaction=False) as pipe:
            for reminder in picture.reminders:
                _paint_reminder(pipe, reminder)
            for one in picture.series:
                pipe.set(f"recurring:{one['id']}", _text(one))
            for device in picture.devices:
                pipe.set(f"device_status:{device['id']}", _text(device), ex=STATUS_SECONDS)
            for id_ in picture.gone:
                pipe.delete(f"reminder:{id_}", f"recurring:{id_}", f"device_status:{id_}")
            await pipe.execute()


def _paint_reminder(pipe: Pipeline, reminder: Mapping[str, Any]) -> None:
    id_, index = str(reminder["id"]), f"user_reminders:{reminder['user_id']}"
    if reminder["ended_at"] is None:
        pipe.set(f"reminder:{id_}", _text(reminder))
        seconds = datetime.fromisoformat(str(reminder["trigger_at"])).timestamp()
        pipe.zadd(index, {id_: seconds})
    else:
        pipe.set(f"reminder:{id_}", _text(reminder), ex=ENDED_SECONDS)
        pipe.zrem(index, id_)
    if reminder["status"] == "triggered":
        pipe.set(f"trigger_lock:{id_}", str(reminder["attempt"]), ex=LOCK_SECONDS)
    else:
        pipe.delete(f"trigger_lock:{id_}")


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), ensure_ascii=False)
