"""The verbs of series: set, find, change, pause, skip and end what repeats."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack
from zoneinfo import ZoneInfo

from clarion.base.ids import DeviceId, SeriesId, UserId, make_key
from clarion.base.paging import Page
from clarion.language.when.parse import read_pattern
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.model import CLARION, Actor, User, known_zone
from clarion.people.service import KEEP
from clarion.reminders.decisions import series as series_moves
from clarion.reminders.decisions.decision import Decision, LockedReminder
from clarion.reminders.errors import NeverRings
from clarion.reminders.guarded import (
    GuardedReminders,
    SaidFields,
    asked_for,
    known_device,
    whose,
)
from clarion.reminders.model import ConfirmationConfig, Series

SERIES_AT_ONCE = 100


class SeriesBook:
    def __init__(self, guarded: GuardedReminders) -> None:
        self._guarded = guarded
        self._store = guarded.store
        self._clock = guarded.clock
        self._limits = guarded.limits

    async def create(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        pattern: str,
        end_date: datetime | None = None,
        count: int | None = None,
        zone: str | None = None,
        key: str | None = None,
        **said: Unpack[SaidFields],
    ) -> Series:
        """`pattern` is cron, an RRULE or words; `zone` is the user's when it is not given."""
        user = await self._guarded.user(actor, user_id)
        rule = read_pattern(pattern, known_zone(zone or user.zone), self._clock.now())
        when = {"pattern": pattern, "zone": zone, "ends": end_date, "count": count}
        asked = make_key(user_id, key, **when, **asked_for(said))
        ends = bounded(rule, end_date, count)
        return await self._guarded.add_series(
            actor, user_id, ends, pattern=pattern, asked=asked, **said
        )

    async def list(
        self,
        actor: Actor,
        *,
        user_id: UserId | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Series]:
        """The oldest first. An admin without `user_id` sees everybody's."""
        owner = whose(actor, user_id)
        size = self._limits.page(limit)
        found = await self._store.find_series(owner, after=cursor or "", limit=size + 1)
        more = len(found) > size
        return Page(tuple(found[:size]), found[size - 1].id if more else None)

    async def get(self, actor: Actor, series_id: SeriesId) -> Series:
        return await self._guarded.series(actor, series_id)

    async def update(
        self,
        actor: Actor,
        series_id: SeriesId,
        *,
        version: int | None = None,
        content: str = KEEP,
        pattern: str = KEEP,
        zone: str = KEEP,
        end_date: datetime | None = KEEP,
        count: int | None = KEEP,
        device_id: DeviceId | None = KEEP,
        confirmation: ConfirmationConfig = KEEP,
        base: int = KEEP,
        context: Mapping[str, Any] = KEEP,
    ) -> Series:
        """The waiting reminder is changed too; one that rings already is not."""
        now = self._clock.now()
        limits = self._limits
        given = {
            "content": content if content is KEEP else limits.content(content),
            "confirmation": KEEP if confirmation is KEEP else limits.confirmation(confirmation),
            "base": base if base is KEEP else limits.base(base),
            "context": context if context is KEEP else limits.context(context),
            "device_id": device_id,
        }
        fields = {name: value for name, value in given.items() if value is not KEEP}

        def decide(scene: LockedReminder) -> Decision:
            series = scene.series
            assert series is not None
            if device_id is not KEEP:
                known_device(scene, device_id)
            rule = Recurrence.load(series.rule)
            if pattern is not KEEP or zone is not KEEP:
                words = series.pattern if pattern is KEEP else pattern
                where = known_zone(series.zone if zone is KEEP else zone)
                rule = read_pattern(words, where, now)
                fields.update(pattern=words, zone=where.key)
            ends = series.ends_at if end_date is KEEP else end_date
            times = series.count if count is KEEP else count
            rule = replace(rule, until=ends and ends.astimezone(rule.zone), count=times)
            limits.recurrence(rule, now, scene.user)
            fields.update(rule=rule.dump(), ends_at=ends, count=times)
            return series_moves.update(series, scene.current, fields, now, actor.label)

        return await self._guarded.change_series(actor, series_id, decide, version)

    async def follow_zone(self, user: User, old: str) -> int:
        """A person moved: their series ring at the same local hours there. Returns how many.

        A series in another zone than the person's was set so on purpose and stays.
        """
        now, zone = self._clock.now(), ZoneInfo(user.zone)

        def decide(scene: LockedReminder) -> Decision:
            assert scene.series is not None
            rule = Recurrence.load(scene.series.rule).in_zone(zone)
            fields = {"rule": rule.dump(), "zone": rule.zone.key, "ends_at": rule.until}
            return series_moves.update(scene.series, scene.current, fields, now, CLARION.label)

        moved, after = 0, ""
        while found := await self._store.find_series(user.id, after=after, limit=SERIES_AT_ONCE):
            for series in found:
                if series.zone == old and series.ended_at is None:
                    with suppress(NeverRings):  # in the new zone it would have ended: leave it
                        await self._guarded.change_series(CLARION, series.id, decide)
                        moved += 1
            after = found[-1].id
        return moved

    async def pause(self, actor: Actor, series_id: SeriesId, version: int | None = None) -> Series:
        """The waiting reminder is cancelled; one that rings goes on to its end."""
        now = self._clock.now()
        return await self._guarded.change_series(
            actor, series_id, lambda scene: series_moves.pause(scene, now, actor.label), version
        )

    async def resume(self, actor: Actor, series_id: SeriesId, version: int | None = None) -> Series:
        """From the next occurrence; those that passed are not made up for."""
        now = self._clock.now()
        return await self._guarded.change_series(
            actor, series_id, lambda scene: series_moves.resume(scene, now, actor.label), version
        )

    async def skip_next(
        self, actor: Actor, series_id: SeriesId, version: int | None = None
    ) -> Series:
        now = self._clock.now()
        return await self._guarded.change_series(
            actor, series_id, lambda scene: series_moves.skip_next(scene, now, actor.label), version
        )

    async def end(
        self,
        actor: Actor,
        series_id: SeriesId,
        version: int | None = None,
        *,
        keep_open: bool = False,
    ) -> Series:
        """Also ends its snoozed, retried and ringing reminders; `keep_open` lets those go on."""
        now = self._clock.now()
        return await self._guarded.change_series(
            actor,
            series_id,
            lambda scene: series_moves.end(scene, now, actor.label, keep_open=keep_open),
            version,
        )


def bounded(rule: Recurrence, end_date: datetime | None, count: int | None) -> Recurrence:
    """Apply bounds that were given besides the pattern; they override its own."""
    if end_date is not None:
        rule = replace(rule, until=end_date.astimezone(ZoneInfo(rule.zone.key)))
    return rule if count is None else replace(rule, count=count)
