"""A series goes on: which occurrence comes next, and the reminder made for it. Pure."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache

from clarion.base.ids import ReminderId, new_id
from clarion.language.when.recurrence import Recurrence
from clarion.reminders.change import NOTHING, Change, Scene, ring_task
from clarion.reminders.events import ReminderCreated, SeriesAdvanced, SeriesEnded
from clarion.reminders.model import Reminder, Series

MISSED_COUNTED_MAX = 1_000  # a year of downtime for one that rings every minute is not worth it
SKIPPED_KEPT = 100


@lru_cache(maxsize=1024)
def load_rule(dumped: str) -> Recurrence:
    return Recurrence.load(dumped)


def next_occurrence(
    rule: Recurrence, after: datetime, now: datetime, skipped: Collection[datetime] = ()
) -> tuple[datetime | None, int]:
    """The first one still to come, and how many went by since `after` while nothing rang."""
    at, missed = rule.next_after(after), 0
    while at is not None and (at <= now or at in skipped):
        missed += at not in skipped
        at = rule.next_after(at if missed < MISSED_COUNTED_MAX else max(at, now))
    return at, missed


def goes_on(scene: Scene, now: datetime) -> Change:
    """What happens to the series when its reminder rings, is moved, or ends.

    Nothing when the reminder comes from none, or the series has gone on already.
    """
    series = scene.series
    if series is None or series.current != scene.reminder.id or series.next_at is None:
        return NOTHING
    return advanced(series, series.next_at, now)


def advanced(series: Series, after: datetime, now: datetime) -> Change:
    """The series with its next reminder; ended when there is none."""
    if not series.enabled:
        return Change(series=(bumped(series, current=None, next_at=None),))
    at, missed = next_occurrence(load_rule(series.rule), after, now, series.skipped)
    counted = {"missed": series.missed + missed}
    if at is None:
        over = bumped(series, current=None, next_at=None, ended_at=now, **counted)
        return Change(series=(over,), events=(SeriesEnded(subject=series.id, user=series.user_id),))
    at = at.astimezone(UTC)
    reminder = occurrence(series, at, now)
    grown = bumped(series, current=reminder.id, next_at=at, made=series.made + 1, **counted)
    told = SeriesAdvanced(
        subject=series.id, user=series.user_id, reminder=reminder.id, next_at=at, missed=missed
    )
    return Change(series=(grown,), events=(told,)) + planned(reminder, now)


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


def planned(reminder: Reminder, now: datetime) -> Change:
    """A new reminder with the task that will ring it."""
    told = ReminderCreated(
        subject=reminder.id,
        user=reminder.user_id,
        content=reminder.content,
        trigger_at=reminder.trigger_at,
        confirm=reminder.confirmation.required,
        base=reminder.base,
        by=reminder.created_by,
        series=reminder.series_id,
    )
    return Change(reminders=(reminder,), tasks=(ring_task(reminder, now),), events=(told,))


def bumped(series: Series, **fields: object) -> Series:
    return replace(series, version=series.version + 1, **fields)  # type: ignore[arg-type]  # named by the callers above
