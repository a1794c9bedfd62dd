"""Work that joins the transaction of whoever sent word of something."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from clarion.store.sql.engine.database import Then, send_signal
from clarion.store.sql.engine.sqlite import SqliteDatabase, SqliteOptions

CHANNEL = "inserts"


@pytest.fixture
async def family(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    opened = SqliteDatabase(SqliteOptions(tmp_path / "notes.db"))
    await opened.write(lambda conn: conn.execute(text("CREATE TABLE notes (words text)")))
    yield opened
    await opened.close()


def note(conn: Connection, words: str) -> None:
    conn.execute(text("INSERT INTO notes VALUES (:words)"), {"words": words})


def send(conn: Connection, words: str) -> None:
    note(conn, words)
    send_signal(conn, CHANNEL, words)


def fail(conn: Connection, words: str) -> None:
    send(conn, words)
    raise ZeroDivisionError


async def notes(database: SqliteDatabase) -> list[str]:
    rows = await database.read(lambda conn: conn.execute(text("SELECT words FROM notes")).all())
    return [words for (words,) in rows]


class JoinedWrite:
    def __init__(self, database: SqliteDatabase) -> None:
        self.heard: list[str] = []
        self.after: list[str] = []
        database.listen(CHANNEL, self.heard.append)
        self.stop = database.join_commits(CHANNEL, self.write)

    def write(self, conn: Connection, payload: str) -> Then | None:
        if payload == "dull":
            return None
        note(conn, f"rode with {payload}")
        if payload == "broken":
            raise ZeroDivisionError
        return lambda: self.after.append(payload)


async def test_a_rider_writes_in_the_commit_of_the_one_it_rides_with(
    family: SqliteDatabase,
) -> None:
    joined = JoinedWrite(family)
    commits: list[int] = []
    family.on_commit = commits.append

    await family.write(send, "ana")

    assert commits == [1]
    assert await notes(family) == ["ana", "rode with ana"]
    assert (joined.after, joined.heard) == (["ana"], [])


async def test_who_has_nothing_to_do_there_hears_of_it_as_usual(family: SqliteDatabase) -> None:
    joined = JoinedWrite(family)

    await family.write(send, "dull")

    assert (joined.after, joined.heard) == ([], ["dull"])


async def test_a_rider_that_fails_leaves_no_trace_and_harms_nobody(family: SqliteDatabase) -> None:
    joined = JoinedWrite(family)

    await family.write(send, "broken")

    assert await notes(family) == ["broken"]
    assert (joined.after, joined.heard) == ([], ["broken"])


async def test_nobody_rides_with_one_that_fails(family: SqliteDatabase) -> None:
    joined = JoinedWrite(family)

    answers = await asyncio.gather(
        *(family.write(work, words) for work, words in ((fail, "a"), (send, "b"), (fail, "c"))),
        return_exceptions=True,
    )

    assert [answer is None for answer in answers] == [False, True, False]
    assert await notes(family) == ["b", "rode with b"]
    assert joined.after == ["b"]


async def test_who_stopped_riding_only_hears(family: SqliteDatabase) -> None:
    joined = JoinedWrite(family)
    await joined.stop()

    await family.write(send, "ana")

    assert await notes(family) == ["ana"]
    assert (joined.after, joined.heard) == ([], ["ana"])


async def test_the_first_rider_of_a_channel_rides_alone(family: SqliteDatabase) -> None:
    first = JoinedWrite(family)
    second = JoinedWrite(family)
    await second.stop()

    await family.write(send, "ana")

    assert (first.after, second.after) == (["ana"], [])
