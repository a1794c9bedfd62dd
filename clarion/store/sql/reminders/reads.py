"""Reads of reminders, series and rings: rows as values, and the queries that list them.

Lists are what the console and assistants ask for most, and SQLAlchemy would spend more time on
the statement than the database on the answer: one prepared statement for each set of conditions
that somebody has used.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Text, and_, bindparam, func, or_, select

from clarion.base.ids import DeviceId, ReminderId
from clarion.reminders.decisions.decision import RingFacts
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus, Series
from clarion.reminders.ports import Search
from clarion.store.sql.engine.database import Prepared, brief, from_micros
from clarion.store.sql.people.store import read_policy
from clarion.store.sql.tables.people import devices
from clarion.store.sql.tables.reminders import reminders, rings, series

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


def read_series(facts: Mapping[Any, Any]) -> Series:
    return Series(
        **{name: facts[name] for name in SERIES_COLUMNS},
        context=facts["context"],
        confirmation=read_confirmation(facts["confirmation"]),
        skipped=tuple(datetime.fromisoformat(at) for at in facts["skipped"]),
    )


def read_ring(facts: Mapping[Any, Any]) -> RingFacts:
    return RingFacts(**facts)


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


SHAPES_MAX = 64
ESCAPE = "\\"
OPEN = ("pending", "triggered")
PUT_BACK_MAX = 1_000  # at once; the next round takes the rest
FEW = 101  # the largest page of any door, and one more that tells whether there is a next


class SearchShape(NamedTuple):
    """Which conditions a search has, whatever their values."""

    user: bool
    statuses: int
    since: bool
    until: bool
    series: bool
    text: bool
    after: bool


def find(conn: Connection, search: Search) -> list[Reminder]:
    """By trigger instant, then id."""
    shape = SearchShape(
        search.user_id is not None,
        len(search.status),
        search.since is not None,
        search.until is not None,
        search.series_id is not None,
        bool(search.text),
        search.after is not None,
    )
    return _statement(shape).values(conn, _values(search), read_reminder, read_raw_reminder)


def is_brief_search(search: Search) -> bool:
    """Whether an index finds the page directly. A search by state over everybody's reminders may
    have to read all of them.
    """
    if search.text:
        return False
    narrow = search.user_id is not None or search.series_id is not None
    return search.limit <= FEW and (narrow or not search.status)


@brief
def find_few(conn: Connection, search: Search) -> list[Reminder]:
    """`find` for a page that people look at."""
    return find(conn, search)


def anywhere(text: str) -> str:
    """A LIKE pattern that finds the text anywhere; its special characters are escaped."""
    for sign in (ESCAPE, "%", "_"):
        text = text.replace(sign, ESCAPE + sign)
    return f"%{text}%"


def _values(search: Search) -> dict[str, Any]:
    at, last = search.after or (None, None)
    found: dict[str, Any] = {
        "user": search.user_id,
        "since": search.since,
        "until": search.until,
        "series": search.series_id,
        "text": anywhere(search.text) if search.text else None,
        "after_at": at,
        "after_id": last,
        **{f"status{n}": status.value for n, status in enumerate(search.status)},
    }
    kept = {name: value for name, value in found.items() if value is not None}
    return {**kept, "most": search.limit}


@lru_cache(maxsize=SHAPES_MAX)
def _statement(shape: SearchShape) -> Prepared:
    query = select(reminders).where(*_conditions(shape)).limit(bindparam("most", type_=Integer))
    return Prepared(query.order_by(reminders.c.trigger_at, reminders.c.id))


def _conditions(shape: SearchShape) -> list[ColumnElement[bool]]:
    column = reminders.c
    at = column.trigger_at

    def instant(name: str) -> ColumnElement[datetime]:
        return bindparam(name, type_=at.type)

    later = or_(
        at > instant("after_at"), and_(at == instant("after_at"), column.id > bindparam("after_id"))
    )
    statuses: list[ColumnElement[str]] = [bindparam(f"status{n}") for n in range(shape.statuses)]
    asked = (
        (shape.user, column.user_id == bindparam("user")),
        (shape.statuses > 0, column.status.in_(statuses)),
        (shape.since, at >= instant("since")),
        (shape.until, at < instant("until")),
        (shape.series, column.series_id == bindparam("series")),
        (shape.text, column.content.ilike(bindparam("text", type_=Text), escape=ESCAPE)),
        (shape.after, later),
    )
    return [condition for wanted, condition in asked if wanted]


def pending(conn: Connection) -> int:
    waits = reminders.c.status == ReminderStatus.PENDING
    return int(conn.execute(select(func.count()).select_from(reminders).where(waits)).scalar_one())


def find_series(conn: Connection, user_id: str | None, after: str, limit: int) -> list[Series]:
    query = select(series).where(series.c.id > after).order_by(series.c.id).limit(limit)
    if user_id is not None:
        query = query.where(series.c.user_id == user_id)
    return [read_series(row) for row in conn.execute(query).mappings()]


def rings_of(conn: Connection, reminder_id: str) -> list[RingFacts]:
    query = select(rings).where(rings.c.reminder_id == reminder_id).order_by(rings.c.number)
    return [read_ring(row) for row in conn.execute(query).mappings()]


def waiting_for(conn: Connection, device_id: str, now: datetime) -> list[ReminderId]:
    """Rung on this device and under way, or due for its user with no device reached."""
    owner = conn.execute(select(devices.c.user_id).where(devices.c.id == device_id)).scalar()
    newest = and_(rings.c.reminder_id == reminders.c.id, rings.c.number == reminders.c.rings)
    wanted = reminders.c.id, reminders.c.base, reminders.c.planned_at
    ringing_here = (
        select(*wanted)
        .join(rings, newest)
        .where(
            rings.c.device_id == device_id,
            reminders.c.status == ReminderStatus.TRIGGERED.value,
        )
    )
    unreached = select(*wanted).where(
        reminders.c.user_id == owner,
        reminders.c.unreached_since.is_not(None),
        reminders.c.status.in_(OPEN),
    )
    found = conn.execute(ringing_here.union(unreached)).all()
    urgent_first = sorted(found, key=lambda one: (-one.base, one.planned_at, one.id))
    return [ReminderId(one.id) for one in urgent_first]


def planned_ahead(conn: Connection, now: datetime, after: str) -> list[ReminderId]:
    """Reminders whose next instant we chose ourselves and that is still to come."""
    ringing = and_(reminders.c.status == "triggered", reminders.c.answer_by > now)
    tried = or_(reminders.c.attempt > 0, reminders.c.unreached_since.is_not(None))
    ours = or_(tried, reminders.c.series_id.is_not(None))
    snoozed = and_(reminders.c.status == "pending", reminders.c.trigger_at > now, ours)
    unanswered = reminders.c.status.in_([ReminderStatus.TIMEOUT, ReminderStatus.FAILED])
    told = and_(unanswered, reminders.c.ended_at > now)  # its contacts are told one by one
    query = select(reminders.c.id).where(or_(ringing, snoozed, told), reminders.c.id > after)
    found = conn.execute(query.order_by(reminders.c.id).limit(PUT_BACK_MAX))
    return [ReminderId(one) for one in found.scalars()]
