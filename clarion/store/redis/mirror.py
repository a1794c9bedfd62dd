"""A read-only mirror of reminders, series and devices in Redis, under the keys of the spec.

    reminder:{id}             JSON, deleted a week after it ended
    user_reminders:{user_id}  sorted set of the open ones by the seconds of their trigger instant
    recurring:{id}            JSON
    device_status:{id}        JSON, deleted three minutes after the last news
    trigger_lock:{id}         the attempt that rings now, for five minutes at most

For other services to read. Clarion itself never decides by it. The pass follows the event log, and
its position is kept in Redis too, so an emptied Redis is filled again.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeAlias

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline

from clarion.base.clock import Clock
from clarion.store.redis.client import REDIS_ERRORS, RedisAway

CURSOR = "clarion:mirror"
KINDS = ("reminders", "series", "devices")
EVERY = timedelta(seconds=60)  # without news; much shorter than a device's status lives
AT_ONCE = 500
ENDED_SECONDS = 7 * 24 * 3600
STATUS_SECONDS = 180
LOCK_SECONDS = 300


Rows: TypeAlias = Sequence[Mapping[str, Any]]
"""Of one kind, as plain JSON values."""


class MirrorChanges(Protocol):
    @property
    def rows(self) -> Mapping[str, Rows]:
        """By kind: `reminders`, `series`, `devices`."""
        ...

    @property
    def gone(self) -> Sequence[str]:
        """Ids from the log whose rows were deleted."""
        ...

    @property
    def upto(self) -> int:
        """The number of the last event that was looked at."""
        ...


class MirrorSource(Protocol):
    """What the mirror reads; each method is one consistent view."""

    async def latest(self) -> int:
        """The number of the newest event."""
        ...

    async def changed(self, after: int, most: int) -> MirrorChanges:
        """What the next events are about."""
        ...

    async def page(self, kind: str, after: str, most: int) -> Rows:
        """All `reminders` that are open, `series`, or `devices` that are online, by their ids."""
        ...


class Mirror:
    name = "mirror"

    def __init__(self, client: Redis, source: MirrorSource, clock: Clock) -> None:
        self._client = client
        self._source = source
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
        """Write everything again; returns how many things there were.

        The log position is read first and stored last: what changes meanwhile is written twice.
        """
        latest = await self._source.latest()
        number = 0
        for kind in KINDS:
            number += await self._write_all(kind)
        await self._client.set(CURSOR, latest)
        return number

    async def _write_all(self, kind: str) -> int:
        number, after, more = 0, "", True
        while more:
            rows = await self._source.page(kind, after, AT_ONCE)
            await self._write({kind: rows})
            number += len(rows)
            more = len(rows) == AT_ONCE
            after = str(rows[-1]["id"]) if rows else after
        return number

    async def _follow(self, seen: int) -> None:
        more = True
        while more:
            changes = await self._source.changed(seen, AT_ONCE)
            more = changes.upto > seen
            if more:
                await self._write(changes.rows, changes.gone)
                await self._client.set(CURSOR, changes.upto)
                seen = changes.upto

    async def _refresh_devices(self) -> None:
        now = self._clock.now()
        if self._refreshed_at is None or now - self._refreshed_at >= EVERY:
            await self._write_all("devices")
            self._refreshed_at = now

    async def _write(self, rows: Mapping[str, Rows], gone: Sequence[str] = ()) -> None:
        async with self._client.pipeline(transaction=False) as pipe:
            for reminder in rows.get("reminders", ()):
                _write_reminder(pipe, reminder)
            for one in rows.get("series", ()):
                pipe.set(f"recurring:{one['id']}", _text(one))
            for device in rows.get("devices", ()):
                pipe.set(f"device_status:{device['id']}", _text(device), ex=STATUS_SECONDS)
            for id_ in gone:
                pipe.delete(f"reminder:{id_}", f"recurring:{id_}", f"device_status:{id_}")
            await pipe.execute()


def _write_reminder(pipe: Pipeline, reminder: Mapping[str, Any]) -> None:
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
