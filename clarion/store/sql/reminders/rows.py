"""Between rows and values: reminders, series and rings as the tables keep them."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from clarion.base.ids import DeviceId
from clarion.reminders.decisions.decision import RingFacts
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus, Series
from clarion.store.sql.people.store import policy_values, read_policy
from clarion.store.sql.types import from_micros

REMINDER_COLUMNS = (
    "id",
    "user_id",
    "content",
    "trigger_at",
    "created_at",
    "device_id",
    "attempt",
    "base",
    "series_id",
    "planned_at",
    "answer_by",
    "version",
    "reason",
    "created_by",
    "explicit",
    "rings",
    "unreached_since",
    "asked_again",
    "held_until",
    "ended_at",
    "confirmed_by",
    "reach_lost_at",
    "promised_at",
    "checked",
)
SERIES_COLUMNS = (
    "id",
    "user_id",
    "content",
    "rule",
    "zone",
    "created_at",
    "pattern",
    "device_id",
    "base",
    "enabled",
    "ends_at",
    "count",
    "made",
    "missed",
    "next_at",
    "current",
    "explicit",
    "ended_at",
    "version",
)
RING_COLUMNS = tuple(RingFacts.__slots__)
STATUSES = {status.value: status for status in ReminderStatus}


def reminder_values(reminder: Reminder) -> dict[str, Any]:
    values = {name: getattr(reminder, name) for name in REMINDER_COLUMNS}
    values["context"] = dict(reminder.context)
    values["confirmation"] = confirmation_values(reminder.confirmation)
    values["status"] = reminder.status.value
    values["tried"] = list(reminder.tried)
    return values


def read_reminder(facts: Mapping[Any, Any]) -> Reminder:
    return Reminder(
        **{name: facts[name] for name in REMINDER_COLUMNS},
        context=facts["context"],
        confirmation=read_confirmation(facts["confirmation"]),
        status=ReminderStatus(facts["status"]),
        tried=tuple(DeviceId(one) for one in facts["tried"]),
    )


def read_raw_reminder(row: Sequence[Any]) -> Reminder:
    """A row of `select(reminders)` as SQLite keeps it. Changes with the table's columns: a test
    compares it with `read_reminder`.
    """
    # fmt: off
    (
        id_, user_id, content, trigger_at, created_at, device_id, context, confirmation, status,
        attempt, base, series_id, planned_at, answer_by, version, reason, created_by, explicit,
        rings, tried, unreached_since, asked_again, held_until, ended_at, confirmed_by,
        reach_lost_at,
        promised_at, checked,
    ) = row
    # fmt: on
    return Reminder(
        id=id_,
        user_id=user_id,
        content=content,
        trigger_at=from_micros(trigger_at),
        created_at=from_micros(created_at),
        device_id=device_id,
        context={} if context == "{}" else json.loads(context),
        confirmation=_raw_confirmation(confirmation),
        status=STATUSES[status],
        attempt=attempt,
        base=base,
        series_id=series_id,
        planned_at=_instant(planned_at),
        answer_by=_instant(answer_by),
        version=version,
        reason=reason,
        created_by=created_by,
        explicit=bool(explicit),
        rings=rings,
        tried=() if tried == "[]" else tuple(json.loads(tried)),
        unreached_since=_instant(unreached_since),
        asked_again=bool(asked_again),
        held_until=_instant(held_until),
        ended_at=_instant(ended_at),
        confirmed_by=confirmed_by,
        reach_lost_at=_instant(reach_lost_at),
        promised_at=_instant(promised_at),
        checked=checked,
    )


def _instant(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


@lru_cache(maxsize=1024)  # people have a handful of ways to be asked, and thousands of reminders
def _raw_confirmation(text: str) -> ConfirmationConfig:
    return read_confirmation(json.loads(text))


def series_values(series: Series) -> dict[str, Any]:
    values = {name: getattr(series, name) for name in SERIES_COLUMNS}
    values["context"] = dict(series.context)
    values["confirmation"] = confirmation_values(series.confirmation)
    values["skipped"] = [at.isoformat() for at in series.skipped]
    return values


def read_series(facts: Mapping[Any, Any]) -> Series:
    return Series(
        **{name: facts[name] for name in SERIES_COLUMNS},
        context=facts["context"],
        confirmation=read_confirmation(facts["confirmation"]),
        skipped=tuple(datetime.fromisoformat(at) for at in facts["skipped"]),
    )


def ring_values(ring: RingFacts) -> dict[str, Any]:
    return {name: getattr(ring, name) for name in RING_COLUMNS}


def read_ring(facts: Mapping[Any, Any]) -> RingFacts:
    return RingFacts(**facts)


def confirmation_values(config: ConfirmationConfig) -> dict[str, Any]:
    return {
        "required": config.required,
        "timeout": config.timeout,
        "retry_interval": config.retry_interval,
        "max_retries": config.max_retries,
        "confirm_keywords": list(config.confirm_keywords),
        "needs": config.needs,
        "escalation": policy_values(config.escalation),
    }


def read_confirmation(kept: dict[str, Any]) -> ConfirmationConfig:
    return ConfirmationConfig(
        required=kept["required"],
        timeout=kept["timeout"],
        retry_interval=kept["retry_interval"],
        max_retries=kept["max_retries"],
        confirm_keywords=tuple(kept["confirm_keywords"]),
        needs=kept.get("needs", ""),  # rows of an older version have none
        escalation=read_policy(kept.get("escalation")),
    )
