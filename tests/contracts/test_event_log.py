"""What the event log promises on every database."""

from dataclasses import dataclass
from typing import ClassVar

import asyncpg
import pytest
from sqlalchemy import Connection

from clarion.base.events import Event
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from tests.support.clock import START
from tests.support.databases import opened, postgres_database
from tests.support.services import PostgresServer

LATE = """
INSERT INTO events (at, kind, version, subject, data, xact)
VALUES (0, 'kettle.boiled', 1, 'late', '{}', pg_current_xact_id()::text::bigint)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class KettleBoiled(Event):
    kind: ClassVar[str] = "kettle.boiled"
    degrees: int


def boiled(name: str, user: str | None = None, degrees: int = 100) -> KettleBoiled:
    return KettleBoiled(subject=name, user=user, degrees=degrees)


async def test_what_happened_is_told_in_order(database: Database) -> None:
    await database.write(events.append, [boiled("a"), boiled("b", degrees=99)], START)
    await database.write(events.append, [boiled("c")], START)

    told = await database.read(events.after, 0)

    assert [(each.subject, each.data) for each in told] == [
        ("a", {"degrees": 100}),
        ("b", {"degrees": 99}),
        ("c", {"degrees": 100}),
    ]
    assert [each.subject for each in await database.read(events.after, told[1].sequence)] == ["c"]
    assert await database.read(events.latest) == told[-1].sequence
    assert await database.read(events.oldest) == told[0].sequence


async def test_a_user_is_told_only_what_is_theirs(database: Database) -> None:
    happened = [boiled("a", "ana"), boiled("b", "boris"), boiled("c")]
    await database.write(events.append, happened, START)

    assert [each.subject for each in await database.read(events.after, 0, user="ana")] == ["a"]


async def test_the_life_of_one_thing_can_be_read(database: Database) -> None:
    happened = [boiled("a", degrees=20), boiled("b"), boiled("a")]
    await database.write(events.append, happened, START)

    told = await database.read(events.about, "a")

    assert [each.data["degrees"] for each in told] == [20, 100]


async def test_what_did_not_happen_is_not_told(database: Database) -> None:
    def fail(conn: Connection) -> None:
        events.append(conn, [boiled("never")], START)
        raise ValueError("changed my mind")

    with pytest.raises(ValueError, match="changed my mind"):
        await database.write(fail)

    assert await database.read(events.after, 0) == []


async def test_an_open_transaction_hides_what_comes_after_it(postgres: PostgresServer) -> None:
    """Else whoever resumes from the last number seen would miss the one that commits late."""
    url = postgres.url(await postgres_database(postgres))
    async with opened(url) as database:
        slow = await asyncpg.connect(url)
        transaction = slow.transaction()
        await transaction.start()
        await slow.execute(LATE)
        await database.write(events.append, [boiled("early")], START)

        assert await database.read(events.after, 0) == []
        await transaction.commit()
        await slow.close()

        assert [each.subject for each in await database.read(events.after, 0)] == ["late", "early"]
