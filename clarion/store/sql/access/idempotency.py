"""Answers kept by key: a request that was sent twice is done once and answered alike."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.access.ports import InFlight, KeyReused, Remembered
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.access import answers

GIVEN_UP_AFTER = timedelta(minutes=1)  # no request of ours takes this long
KEPT = timedelta(hours=24)


def begin(
    conn: Connection, holder: str, key: str, fingerprint: str, now: datetime
) -> Remembered | None:
    place = answers.c.holder == holder, answers.c.key == key
    row = conn.execute(select(answers).where(*place).with_for_update()).one_or_none()
    if row is not None and row.begun_at <= now - KEPT:
        conn.execute(delete(answers).where(*place))
        row = None
    if row is None:
        _claim(conn, holder, key, fingerprint, now)
        return None
    if row.fingerprint != fingerprint:
        raise KeyReused
    if row.status is not None:
        return Remembered(row.status, [(name, value) for name, value in row.headers], row.body)
    if row.begun_at > now - GIVEN_UP_AFTER:
        raise InFlight
    conn.execute(update(answers).where(*place).values(begun_at=now))
    return None


def _claim(conn: Connection, holder: str, key: str, fingerprint: str, now: datetime) -> None:
    row = {"holder": holder, "key": key, "fingerprint": fingerprint, "begun_at": now}
    insert = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    if not conn.execute(insert(answers).values(row).on_conflict_do_nothing()).rowcount:
        # Two first requests at once on two servers: the other one was a moment earlier.
        raise InFlight


def finish(conn: Connection, holder: str, key: str, begun_at: datetime, answer: Remembered) -> None:
    conn.execute(
        update(answers)
        .where(*_own(holder, key, begun_at))
        .values(
            status=answer.status,
            headers=[[name, value] for name, value in answer.headers],
            body=answer.body,
        )
    )


def release(conn: Connection, holder: str, key: str, begun_at: datetime) -> None:
    conn.execute(delete(answers).where(*_own(holder, key, begun_at)))


def _own(holder: str, key: str, begun_at: datetime) -> tuple[ColumnElement[bool], ...]:
    """The claim itself, as long as nobody was given it since and it has no answer."""
    return (
        answers.c.holder == holder,
        answers.c.key == key,
        answers.c.begun_at == begun_at,
        answers.c.status.is_(None),
    )


class SqlAnswers:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(
        self, holder: str, key: str, fingerprint: str, now: datetime
    ) -> Remembered | None:
        return await self._db.write(begin, holder, key, fingerprint, now)

    async def finish(self, holder: str, key: str, begun_at: datetime, answer: Remembered) -> None:
        await self._db.write(finish, holder, key, begun_at, answer)

    async def release(self, holder: str, key: str, begun_at: datetime) -> None:
        await self._db.write(release, holder, key, begun_at)
