"""Decides how a series goes on: its next reminder, changes, pauses, skips, its end. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from clarion.base.ids import ReminderId, new_id
from clarion.language.when.rules.recurrence import Recurrence
from clarion.reminders.decisions.decision import (
    NOTHING,
    Decision,
    Hush,
    LockedReminder,
    RingId,
    changed,
    open_keys,
    planned,
    ring_task,
)
from clarion.reminders.errors import NeverRings, SeriesOver
from clarion.reminders.events import (
    ReminderCancelled,
    ReminderUpdated,
    SeriesAdvanced,
    SeriesCreated,
    SeriesEnded,
    SeriesPaused,
    SeriesResumed,
    SeriesSkipped,
    SeriesUpdated,
)
from clarion.reminders.model import Reminder, ReminderStatus, Series

MISSED_COUNTED_MAX = 1_000  # a year of downtime for one that rings every minute is not worth it
SKIPPED_KEPT = 100


@lru_cache(maxsize=1024)
def load_rule(dumped: str) -> Recurrence:
    return Recurrence.load(dumped)


def next_occurrence(
    rule: Recurrence, after: datetime, now: datetime, skipped: Collection[datetime] = ()
) -> tuple[datetime | None, int]:
    """The next occurrence, and how many passed since `after` without a ring."""
    at, missed = rule.next_after(after), 0
    while at is not None and (at <= now or at in skipped):
        missed += at not in skipped
        at = rule.next_after(at if missed < MISSED_COUNTED_MAX else max(at, now))
    return at, missed


def goes_on(scene: LockedReminder, now: datetime) -> Decision:
    """What happens to the series when its reminder rings, is moved, or ends.

    Nothing when the reminder has no series, or the series has advanced already.
    """
    series = scene.series
    if series is None or series.current != scene.reminder.id or series.next_at is None:
        return NOTHING
    return advanced(series, series.next_at, now)


def advanced(series: Series, after: datetime, now: datetime) -> Decision:
    """The series with its next reminder; ended when there is none."""
    if not series.enabled:
        return Decision(series=(bumped(series, current=None, next_at=None),))
    at, missed = next_occurrence(load_rule(series.rule), after, now, series.skipped)
    counted = {"missed": series.missed + missed}
    if at is None:
        over = bumped(series, current=None, next_at=None, ended_at=now, **counted)
        return Decision(
            series=(over,), events=(SeriesEnded(subject=series.id, user=series.user_id),)
        )
    at = at.astimezone(UTC)
    reminder = occurrence(series, at, now)
    grown = bumped(series, current=reminder.id, next_at=at, made=series.made + 1, **counted)
    event = SeriesAdvanced(
        subject=series.id, user=series.user_id, reminder=reminder.id, next_at=at, missed=missed
    )
    return Decision(series=(grown,), events=(event,)) + planned(reminder, now)


def occurrence(series: Series, at: datetime, now: datetime) -> Reminder:
    return Reminder(
        id=ReminderId(new_id("rem", now)),
        user_id=series.user_id,
        content=series.content,
        trigger_at=at.astimezone(UTC),
        planned_at=at.astimezone(UTC),
        created_at=now,
        device_id=series.device_id,
        context=series.context,
        confirmation=series.confirmation,
        base=series.base,
        series_id=series.id,
        explicit=series.explicit,
        created_by=series.id,
    )


def bumped(series: Series, **fields: object) -> Series:
    return replace(series, version=series.version + 1, **fields)  # type: ignore[arg-type]  # named by the callers above


FOLLOWS = ("content", "device_id", "confirmation", "base", "context")
"""Fields that the reminder which waits takes over from its series."""


def begin(series: Series, first: datetime, now: datetime, by: str) -> Decision:
    first = first.astimezone(UTC)
    reminder = occurrence(series, first, now)
    begun = replace(series, current=reminder.id, next_at=first, made=1)
    event = SeriesCreated(
        subject=series.id,
        user=series.user_id,
        content=series.content,
        pattern=series.pattern,
        zone=series.zone,
        next_at=first,
        by=by,
    )
    return Decision(series=(begun,), events=(event,)) + planned(reminder, now)


def update(
    series: Series, current: Reminder | None, fields: Mapping[str, Any], now: datetime, by: str
) -> Decision:
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
    event = SeriesUpdated(
        subject=series.id,
        user=series.user_id,
        changed=tuple(sorted(differs)),
        next_at=after.next_at,
        by=by,
    )
    return Decision(series=(after,), events=(event,), outcome="updated") + moved


def _follow(current: Reminder, series: Series, at: datetime, now: datetime, by: str) -> Decision:
    values = {name: getattr(series, name) for name in FOLLOWS}
    values |= {"trigger_at": at, "planned_at": at}
    differs = tuple(name for name in sorted(values) if getattr(current, name) != values[name])
    if not differs:
        return NOTHING
    after = changed(current, now, ReminderStatus.PENDING, **values)
    event = ReminderUpdated(
        subject=current.id, user=current.user_id, changed=differs, trigger_at=at, by=by
    )
    return Decision(
        reminders=(after,),
        drop=open_keys(current),
        tasks=(ring_task(after, now),),
        events=(event,),
    )


def pull_in(scene: LockedReminder, back: timedelta, now: datetime, by: str) -> Decision:
    """The clock was set back by that much: plan the next occurrence by the new clock.

    What was told a moment ago is not repeated only because its time comes once more.
    """
    series, waits = scene.series, scene.reminder
    if series is None or series.current != waits.id or series.next_at != waits.trigger_at:
        return NOTHING
    rule = load_rule(series.rule)
    if _begins_later(rule, waits.trigger_at, now + back):
        return NOTHING  # a person chose that time
    if rule.starts_at > now or rule.count is not None:
        rule = rule.begun_earlier(back, now)
    rang = scene.series_rang_at(now + back)
    at = _next_untold(rule, rang and rang - back, now, series.skipped)
    if at is None or at >= waits.trigger_at:
        return NOTHING
    at = at.astimezone(UTC)
    after = bumped(series, rule=rule.dump(), next_at=at)
    event = SeriesUpdated(
        subject=series.id, user=series.user_id, changed=("next_at",), next_at=at, by=by
    )
    return Decision(series=(after,), events=(event,)) + _follow(waits, after, at, now, by)


def _begins_later(rule: Recurrence, first: datetime, now: datetime) -> bool:
    """Whether it was set to begin later than its own rhythm requires."""
    if rule.starts_at <= now:
        return False
    second = rule.next_after(first)
    return second is None or first - now > second - first


def _next_untold(
    rule: Recurrence, rang: datetime | None, now: datetime, skipped: Collection[datetime]
) -> datetime | None:
    """The next occurrence; `rang` is the last ring, by the present clock.

    A ring counts for the nearest occurrence, also when that is still to come.
    """
    at, _ = next_occurrence(rule, now, now, skipped)
    following = rule.next_after(at) if at is not None else None
    if at is None or following is None or rang is None or at - rang >= (following - at) / 2:
        return at
    return next_occurrence(rule, at, now, skipped)[0]


def pause(scene: LockedReminder, now: datetime, by: str) -> Decision:
    series = _open(scene)
    if not series.enabled:
        return NOTHING
    after = bumped(series, enabled=False, current=None, next_at=None)
    event = SeriesPaused(subject=series.id, user=series.user_id, by=by)
    return Decision(series=(after,), events=(event,)) + _take_back(scene, now, by, "paused")


def resume(scene: LockedReminder, now: datetime, by: str) -> Decision:
    series = _open(scene)
    if series.enabled:
        return NOTHING
    change = advanced(replace(series, enabled=True), now, now)
    next_at = change.series[0].next_at
    event = SeriesResumed(subject=series.id, user=series.user_id, next_at=next_at, by=by)
    return Decision(events=(event,)) + change


def skip_next(scene: LockedReminder, now: datetime, by: str) -> Decision:
    """Skip the next occurrence; the one after it comes as planned."""
    series = _open(scene)
    if series.next_at is None:
        return NOTHING
    skipped = (*series.skipped, series.next_at)[-SKIPPED_KEPT:]
    change = advanced(replace(series, skipped=skipped), series.next_at, now)
    event = SeriesSkipped(
        subject=series.id,
        user=series.user_id,
        skipped_at=series.next_at,
        next_at=change.series[0].next_at,
        by=by,
    )
    return Decision(events=(event,)) + _take_back(scene, now, by, "skipped") + change


def end(scene: LockedReminder, now: datetime, by: str, *, keep_open: bool = False) -> Decision:
    """Also its snoozed, retried and ringing reminders; with `keep_open` only the waiting one."""
    series = scene.series
    assert series is not None
    if series.ended_at is not None:
        return NOTHING
    after = bumped(series, enabled=False, current=None, next_at=None, ended_at=now)
    event = SeriesEnded(subject=series.id, user=series.user_id, by=by)
    ended = Decision(series=(after,), events=(event,))
    if keep_open:
        return ended + _take_back(scene, now, by, "series_ended")
    for one in scene.unfinished:
        ended += _cancelled(one, now, by, "series_ended")
    return ended


def _open(scene: LockedReminder) -> Series:
    series = scene.series
    assert series is not None
    if series.ended_at is not None:
        raise SeriesOver(series.id)
    return series


def _take_back(scene: LockedReminder, now: datetime, by: str, reason: str) -> Decision:
    """Cancel the waiting reminder. One that rings already no longer belongs to the plan."""
    current = scene.current
    if current is None or current.status is not ReminderStatus.PENDING:
        return NOTHING
    return _cancelled(current, now, by, reason)


def _cancelled(reminder: Reminder, now: datetime, by: str, reason: str) -> Decision:
    gone = changed(reminder, now, ReminderStatus.CANCELLED, reason=reason, held_until=None)
    event = ReminderCancelled(subject=reminder.id, user=reminder.user_id, by=by, reason=reason)
    rings = reminder.status is ReminderStatus.TRIGGERED and reminder.tried
    hush = Hush(reminder.tried[-1], RingId(f"{reminder.id}:{reminder.rings}")) if rings else None
    return Decision(
        reminders=(gone,),
        drop=open_keys(reminder),
        events=(event,),
        effects=(hush,) if hush else (),
    )
