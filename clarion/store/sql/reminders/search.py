"""Finds reminders: one prepared statement for each set of conditions that somebody has used.

Lists are what the console and assistants ask for most, and SQLAlchemy would spend more time on
the statement than the database on the answer.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Text, and_, bindparam, or_, select

from clarion.reminders.model import Reminder
from clarion.reminders.ports import Search
from clarion.store.sql.engine.database import Prepared, brief
from clarion.store.sql.reminders.rows import read_raw_reminder, read_reminder
from clarion.store.sql.tables.reminders import reminders

SHAPES_MAX = 64
ESCAPE = "\\"
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
