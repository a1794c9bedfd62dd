"""What people do to a series: begin, change, pause, resume, skip and end it. Decisions, pure."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from clarion.reminders.change import (
    NOTHING,
    Change,
    Hush,
    RingId,
    Scene,
    changed,
    open_keys,
    ring_task,
)
from clarion.reminders.errors import NeverRings, SeriesOver
from clarion.reminders.events import (
    ReminderCancelled,
    ReminderUpdated,
    SeriesCreated,
    SeriesEnded,
    SeriesPaused,
    SeriesResumed,
    SeriesSkipped,
    SeriesUpdated,
)
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.reminders.recurring import (
    SKIPPED_KEPT,
    advanced,
    bumped,
    load_rule,
    next_occurrence,
    occurrence,
    planned,
)

FOLLOWS = ("content", "device_id", "confirmation", "base", "context")
"""Fields that the reminder which waits takes over from its series."""


def begin(series: Series, first: datetime, now: datetime, by: str) -> Change:
    first = first.astimezone(UTC)
    reminder = occurrence(series, first, now)
    begun = replace(series, current=reminder.id, next_at=first, made=1)
    told = SeriesCreated(
        subject=series.id,
        user=series.user_id,
        content=series.content,
        pattern=series.pattern,
        zone=series.zone,
        next_at=first,
        by=by,
    )
    return Change(series=(begun,), events=(told,)) + planned(reminder, now)


def update(
    series: Series, current: Reminder | None, fields: Mapping[str, Any], now: datetime, by: str
) -> Change:
    """The series, and the reminder that waits for its time."""
    if series.ended_at is not None:
        raise SeriesOver(series.id)
    differs = {name: value for name, value in fields.items() if getattr(series, name) != value}
    if not differs:
        return NOTHING
    after = bumped(series, **differs)
    moved = NOTHING
    if series.enabled:
        at, _ = next_occurrence(load_rule(after.rule), now, now, series.skipped)
        if at is None:
            raise NeverRings("Changed like this it would never ring again.")
        at = at.astimezone(UTC)
        after = replace(after, next_at=at)
        if current is not None and current.status is ReminderStatus.PENDING:
            moved = _follow(current, after, at, now, by)
    told = SeriesUpdated(
        subject=series.id,
        user=series.user_id,
        changed=tuple(sorted(differs)),
        next_at=after.next_at,
        by=by,
    )
    return Change(series=(after,), events=(told,), outcome="updated") + moved


def _follow(current: Reminder, series: Series, at: datetime, now: datetime, by: str) -> Change:
    values = {name: getattr(series, name) for name in FOLLOWS}
    values |= {"trigger_at": at, "planned_at": at}
    differs = tuple(name for name in sorted(values) if getattr(current, name) != values[name])
    if not differs:
        return NOTHING
    after = changed(current, now, ReminderStatus.PENDING, **values)
    told = ReminderUpdated(
        subject=current.id, user=current.user_id, changed=differs, trigger_at=at, by=by
    )
    return Change(
        reminders=(after,),
        drop=open_keys(current),
        tasks=(ring_task(after, now),),
        events=(told,),
    )


def pause(scene: Scene, now: datetime, by: str) -> Change:
    series = _open(scene)
    if not series.enabled:
        return NOTHING
    after = bumped(series, enabled=False, current=None, next_at=None)
    told = SeriesPaused(subject=series.id, user=series.user_id, by=by)
    return Change(series=(after,), events=(told,)) + _take_back(scene, now, by, "paused")


def resume(scene: Scene, now: datetime, by: str) -> Change:
    series = _open(scene)
    if series.enabled:
        return NOTHING
    change = advanced(replace(series, enabled=True), now, now)
    next_at = change.series[0].next_at
    told = SeriesResumed(subject=series.id, user=series.user_id, next_at=next_at, by=by)
    return Change(events=(told,)) + change


def skip_next(scene: Scene, now: datetime, by: str) -> Change:
    """The next time is left out, the one after it comes as planned."""
    series = _open(scene)
    if series.next_at is None:
        return NOTHING
    skipped = (*series.skipped, series.next_at)[-SKIPPED_KEPT:]
    change = advanced(replace(series, skipped=skipped), series.next_at, now)
    told = SeriesSkipped(
        subject=series.id,
        user=series.user_id,
        skipped_at=series.next_at,
        next_at=change.series[0].next_at,
        by=by,
    )
    return Change(events=(told,)) + _take_back(scene, now, by, "skipped") + change


def end(scene: Scene, now: datetime, by: str, *, keep_open: bool = False) -> Change:
    """Also what it has snoozed, asks again or rings just now; with `keep_open` only what waits."""
    series = scene.series
    assert series is not None
    if series.ended_at is not None:
        return NOTHING
    after = bumped(series, enabled=False, current=None, next_at=None, ended_at=now)
    told = SeriesEnded(subject=series.id, user=series.user_id, by=by)
    ended = Change(series=(after,), events=(told,))
    if keep_open:
        return ended + _take_back(scene, now, by, "series_ended")
    for one in scene.unfinished:
        ended += _cancelled(one, now, by, "series_ended")
    return ended


def _open(scene: Scene) -> Series:
    series = scene.series
    assert series is not None
    if series.ended_at is not None:
        raise SeriesOver(series.id)
    return series


def _take_back(scene: Scene, now: datetime, by: str, reason: str) -> Change:
    """Cancel the reminder that waits. One that rings already is no longer the series' current."""
    current = scene.current
    if current is None or current.status is not ReminderStatus.PENDING:
        return NOTHING
    return _cancelled(current, now, by, reason)


def _cancelled(reminder: Reminder, now: datetime, by: str, reason: str) -> Change:
    gone = changed(reminder, now, ReminderStatus.CANCELLED, reason=reason, held_until=None)
    told = ReminderCancelled(subject=reminder.id, user=reminder.user_id, by=by, reason=reason)
    rings = reminder.status is ReminderStatus.TRIGGERED and reminder.tried
    hush = Hush(reminder.tried[-1], RingId(f"{reminder.id}:{reminder.rings}")) if rings else None
    return Change(
        reminders=(gone,),
        drop=open_keys(reminder),
        events=(told,),
        effects=(hush,) if hush else (),
    )
