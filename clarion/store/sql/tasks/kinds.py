"""Kinds of task that others carry out, as rows."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from clarion.store.sql.engine import signals
from clarion.store.sql.tables.tasks import task_kinds
from clarion.store.sql.tasks.gates import CHANNEL
from clarion.tasks.model import KindLimit, Rate
from clarion.tasks.remote import RemoteKind, Target


def everything(conn: Connection) -> list[RemoteKind]:
    return [_kind(row) for row in conn.execute(select(task_kinds).order_by(task_kinds.c.name))]


def put(conn: Connection, kind: RemoteKind) -> None:
    """The one of this name is replaced."""
    place = task_kinds.c.name == kind.name
    values = _values(kind)
    if not conn.execute(update(task_kinds).where(place).values(values)).rowcount:
        conn.execute(insert(task_kinds).values(values))
    signals.send(conn, CHANNEL)


def remove(conn: Connection, name: str) -> bool:
    removed = conn.execute(delete(task_kinds).where(task_kinds.c.name == name)).rowcount
    signals.send(conn, CHANNEL)
    return removed > 0


def _values(kind: RemoteKind) -> dict[str, Any]:
    rate = kind.bounds.rate
    options = {
        "limit": kind.limit.total_seconds(),
        "retries": kind.retries,
        "concurrency": kind.bounds.concurrency,
        "rate": None if rate is None else [rate.number, rate.per.total_seconds()],
    }
    return {
        "name": kind.name,
        "target": kind.target.value,
        "address": kind.address,
        "secret": kind.secret,
        "options": options,
        "created_at": kind.created_at,
    }


def _kind(row: Row[Any]) -> RemoteKind:
    said = row.options
    rate = said.get("rate")
    return RemoteKind(
        name=row.name,
        target=Target(row.target),
        address=row.address,
        secret=row.secret,
        limit=timedelta(seconds=said["limit"]),
        retries=said["retries"],
        bounds=KindLimit(
            said.get("concurrency"),
            None if rate is None else Rate(rate[0], timedelta(seconds=rate[1])),
        ),
        created_at=row.created_at,
    )
