"""Idempotency keys: a request that is sent twice is done once and gets the same answer.

A door claims a key, works, and stores the answer; if its server dies in between, the next request
takes the claim over. A verb claims and finishes inside the transaction of its own write, so a
verb's claim is never visible without its answer.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.access.ports import Remembered
from clarion.base.ids import InFlight, Key, KeyUsedOtherwise
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tables.access import idempotency

GIVEN_UP_AFTER = timedelta(minutes=1)  # no request of ours takes this long


class KeptBy(StrEnum):
    """Who stores it: doors and verbs may both know the same key of the same holder."""

    REQUEST = "request"
    REMINDER = "reminder"
    QUESTION = "question"


KEPT = {
    KeptBy.REQUEST: timedelta(hours=24),
    # Longer than at the door, and no request is repeated after that.
    KeptBy.REMINDER: timedelta(days=7),
    KeptBy.QUESTION: timedelta(days=7),
}


def claim(conn: Connection, scope: KeptBy, key: Key, now: datetime) -> Remembered | None:
    """None: the key is yours. The insert decides: of two at once, the second one waits here."""
    row = {
        "scope": scope.value,
        "holder": key.holder,
        "key": key.key,
        "fingerprint": key.fingerprint,
        "begun_at": now,
    }
    insert = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    if conn.execute(insert(idempotency).values(row).on_conflict_do_nothing()).rowcount:
        return None
    place = _place(scope, key.holder, key.key)
    found = conn.execute(select(idempotency).where(*place).with_for_update()).one_or_none()
    if found is None:
        raise InFlight  # it was refused and freed a moment ago
    if found.begun_at > now - KEPT[scope]:
        if found.fingerprint != key.fingerprint:
            raise KeyUsedOtherwise(key.key)
        if found.body is not None:
            headers = [(name, value) for name, value in found.headers or ()]
            return Remembered(found.status or 0, headers, found.body)
        if found.begun_at > now - GIVEN_UP_AFTER:
            raise InFlight
    unanswered = dict.fromkeys(("status", "headers", "body"))
    conn.execute(update(idempotency).where(*place).values(row | unanswered))
    return None


def finish(
    conn: Connection, scope: KeptBy, holder: str, key: str, at: datetime, **kept: Any
) -> None:
    """Store the result of the claim that was made at this instant."""
    conn.execute(update(idempotency).where(*_own(scope, holder, key, at)).values(kept))


def release(conn: Connection, scope: KeptBy, holder: str, key: str, at: datetime) -> None:
    conn.execute(delete(idempotency).where(*_own(scope, holder, key, at)))


def _place(scope: KeptBy, holder: str, key: str) -> tuple[ColumnElement[bool], ...]:
    kept = idempotency.c
    return kept.scope == scope.value, kept.holder == holder, kept.key == key


def _own(scope: KeptBy, holder: str, key: str, at: datetime) -> tuple[ColumnElement[bool], ...]:
    """The claim itself, if no other request has taken it over and it has no answer."""
    kept = idempotency.c
    return *_place(scope, holder, key), kept.begun_at == at, kept.body.is_(None)


def made_before(conn: Connection, scope: KeptBy, key: Key, now: datetime) -> str | None:
    """For verbs: the id that was made with this key. None: make it, then call `keep_made`."""
    known = claim(conn, scope, key, now)
    return known.body if known is not None else None


def keep_made(conn: Connection, scope: KeptBy, key: Key, now: datetime, made: str) -> None:
    """In the transaction, and with the instant, of `made_before`."""
    finish(conn, scope, key.holder, key.key, now, body=made)


def forget(conn: Connection, before: datetime) -> int:
    return conn.execute(delete(idempotency).where(idempotency.c.begun_at < before)).rowcount


class SqlAnswers:
    """Implements `AnswerStore`: whole answers, for the HTTP door."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(
        self, holder: str, key: str, fingerprint: str, now: datetime
    ) -> Remembered | None:
        return await self._db.write(claim, KeptBy.REQUEST, Key(holder, key, fingerprint), now)

    async def finish(self, holder: str, key: str, begun_at: datetime, answer: Remembered) -> None:
        headers = [[name, value] for name, value in answer.headers]
        kept = {"status": answer.status, "headers": headers, "body": answer.body}
        await self._db.write(
            lambda conn: finish(conn, KeptBy.REQUEST, holder, key, begun_at, **kept)
        )

    async def release(self, holder: str, key: str, begun_at: datetime) -> None:
        await self._db.write(release, KeptBy.REQUEST, holder, key, begun_at)
