"""Reminders as a table for other programs: CSV and JSON. Pure."""

import csv
import io
import json
from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.tally import was_late

COLUMNS = (
    "id",
    "content",
    "status",
    "planned_at",
    "ended_at",
    "late",
    "attempts",
    "confirm_required",
    "confirmed_by",
    "reason",
    "series_id",
    "device_id",
    "level",
)
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would carry out


def row(reminder: Reminder, zone: ZoneInfo) -> dict[str, Any]:
    """Instants in the user's zone, with their offset."""
    planned = reminder.planned_at or reminder.trigger_at
    ended = reminder.ended_at
    return {
        "id": reminder.id,
        "content": reminder.content,
        "status": reminder.status.value,
        "planned_at": planned.astimezone(zone).isoformat(),
        "ended_at": ended.astimezone(zone).isoformat() if ended else None,
        "late": reminder.status is ReminderStatus.CONFIRMED and was_late(reminder),
        "attempts": reminder.attempt,
        "confirm_required": reminder.confirmation.required,
        "confirmed_by": reminder.confirmed_by,
        "reason": reminder.reason,
        "series_id": reminder.series_id,
        "device_id": reminder.device_id,
        "level": reminder.base,
    }


def to_csv(reminders: Iterable[Reminder], zone: ZoneInfo) -> str:
    """With a heading. What looks like a formula is made harmless by a quote before it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for one in reminders:
        cells = row(one, zone)
        writer.writerow([_cell(cells[name]) for name in COLUMNS])
    return out.getvalue()


def to_json(reminders: Iterable[Reminder], zone: ZoneInfo) -> str:
    return json.dumps([row(one, zone) for one in reminders], ensure_ascii=False, indent=1)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return f"'{text}" if text.startswith(FORMULAS) else text
