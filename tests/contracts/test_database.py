"""What every Database promises. Runs once for SQLite and once for PostgreSQL."""

import asyncio

import asyncpg
import pytest
from sqlalchemy import Connection, text

from clarion.store.sql.engine import postgres as postgres_engine
from clarion.store.sql.engine.database import Database, StorageReadOnly, send_signal
from clarion.store.sql.engine.postgres import PostgresDatabase, PostgresOptions, plain_url
from clarion.tasks.model import Level, urgency

ROW = text("INSERT INTO notes (words) VALUES (:words)")


@pytest.fixture
async def notes(database: Database) -> Database:
    await database.write(lambda conn: conn.execute(text("CREATE TABLE notes (words text)")))
    return database


def note(conn: Connection, words: str) -> str:
    conn.execute(ROW, {"words": words})
    return words


def note_and_fail(conn: Connection, words: str) -> None:
    note(conn, words)
    raise ValueError(words)


def all_notes(conn: Connection) -> list[str]:
    return list(conn.execute(text("SELECT words FROM notes ORDER BY words")).scalars())


async def test_what_was_answered_can_be_read(notes: Database) -> None:
    answer = await notes.write(note, "kept")

    assert answer == "kept"
    assert await notes.read(all_notes) == ["kept"]


async def test_one_failing_caller_harms_no_other(notes: Database) -> None:
    outcomes = await asyncio.gather(
        *(notes.write(note, f"good {i}") for i in range(5)),
        notes.write(note_and_fail, "bad"),
        *(notes.write(note, f"good {i}") for i in range(5, 9)),
        return_exceptions=True,
    )

    assert [type(each) for each in outcomes if not isinstance(each, str)] == [ValueError]
    assert await notes.read(all_notes) == [f"good {i}" for i in range(9)]


async def test_a_failing_statement_is_undone_alone(notes: Database) -> None:
    def half(conn: Connection) -> None:
        note(conn, "half")
        conn.execute(text("INSERT INTO nowhere VALUES (1)"))

    with pytest.raises(Exception, match="nowhere"):
        await notes.write(half)

    assert await notes.read(all_notes) == []


async def test_a_caller_that_gave_up_does_not_stop_the_others(notes: Database) -> None:
    writing = [asyncio.create_task(notes.write(note, str(i))) for i in range(4)]
    await asyncio.wait(writing, timeout=0)
    writing[1].cancel()

    await asyncio.gather(*writing, return_exceptions=True)

    assert {"0", "2", "3"} <= set(await notes.read(all_notes))


async def test_a_signal_is_heard_after_its_commit(notes: Database) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    notes.listen("notes", heard.put_nowait)

    def tell(conn: Connection) -> None:
        note(conn, "said")
        send_signal(conn, "notes", "look")

    await _until_listening(notes, heard)
    await notes.write(tell)

    assert await heard.get() == "look"
    assert await notes.read(all_notes) == ["said"]


async def test_nobody_hears_of_what_was_rolled_back(notes: Database) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    notes.listen("notes", heard.put_nowait)
    await _until_listening(notes, heard)

    def tell_and_fail(conn: Connection) -> None:
        send_signal(conn, "notes", "never")
        raise ValueError

    with pytest.raises(ValueError):
        await notes.write(tell_and_fail)
    await notes.write(lambda conn: send_signal(conn, "notes", "after"))

    assert await heard.get() == "after"


async def test_a_read_sees_one_moment(notes: Database) -> None:
    def two_looks(conn: Connection) -> tuple[int, int]:
        return len(all_notes(conn)), len(all_notes(conn))

    writing = [asyncio.create_task(notes.write(note, str(i))) for i in range(50)]
    first, second = await notes.read(two_looks)
    await asyncio.gather(*writing)

    assert first == second


async def test_a_reader_may_not_write(database: Database) -> None:
    with pytest.raises(StorageReadOnly):
        await database.read(lambda conn: conn.execute(text("CREATE TABLE sneaky (a int)")))


async def _until_listening(database: Database, heard: "asyncio.Queue[str]") -> None:
    """PostgreSQL says an empty word once the listening connection is up."""
    if database.dialect == "postgresql":
        assert await heard.get() == ""


async def test_who_is_in_a_hurry_gets_through_though_all_others_wait_for_a_lock(
    postgres_url: str,
) -> None:
    database = PostgresDatabase(PostgresOptions(postgres_url))
    holder = await asyncpg.connect(plain_url(postgres_url))
    await holder.execute("SELECT pg_advisory_lock(7)")
    wait = text("SELECT pg_advisory_xact_lock(7)")
    waiting = [
        asyncio.create_task(database.write(lambda conn: conn.execute(wait))) for _ in range(20)
    ]

    with urgency(Level.HIGH):
        async with asyncio.timeout(3):
            answer = await database.write(lambda conn: conn.execute(text("SELECT 1")).scalar())

    assert answer == 1
    assert not any(task.done() for task in waiting)
    await holder.close()
    await asyncio.gather(*waiting)
    await database.close()


def count_to(conn: Connection, many: int) -> None:
    for number in range(many):
        conn.execute(text("SELECT :number"), {"number": str(number)})


async def test_ordinary_work_begins_after_those_in_a_hurry(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_engine, "GIVES_WAY_FOR", 60.0)
    database = PostgresDatabase(PostgresOptions(postgres_url))
    ended: list[str] = []

    async def work(name: str, level: int, statements: int) -> None:
        with urgency(level):
            await database.write(count_to, statements)
        ended.append(name)

    try:
        await asyncio.gather(*(work("warm", Level.HIGH, 1) for _ in range(2)))
        await asyncio.gather(work("urgent", Level.HIGH, 50), work("ordinary", 10, 1))
    finally:
        await database.close()

    assert ended[2:] == ["urgent", "ordinary"]


async def test_who_hurries_for_long_holds_up_nobody(postgres_url: str) -> None:
    database = PostgresDatabase(PostgresOptions(postgres_url))
    holder = await asyncpg.connect(plain_url(postgres_url))
    await holder.execute("SELECT pg_advisory_lock(7)")
    try:
        with urgency(Level.HIGH):
            stuck = asyncio.create_task(
                database.write(lambda conn: conn.execute(text("SELECT pg_advisory_xact_lock(7)")))
            )
        await asyncio.create_task(database.write(count_to, 1))  # begins after the other
        assert not stuck.done()
        await holder.execute("SELECT pg_advisory_unlock(7)")
        await stuck
    finally:
        await holder.close()
        await database.close()


async def test_a_listening_connection_that_was_cut_off_is_opened_again(postgres_url: str) -> None:
    database = PostgresDatabase(PostgresOptions(postgres_url))
    other = await asyncpg.connect(plain_url(postgres_url))
    heard: asyncio.Queue[str] = asyncio.Queue()
    try:
        database.listen("notes", heard.put_nowait)
        assert await heard.get() == ""
        await other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            " AND datname = current_database()"
        )
        database.listen("more", lambda _: None)  # looks at once, and finds the line dead
        assert await heard.get() == ""
        await database.write(lambda conn: send_signal(conn, "notes", "after"))
        assert await heard.get() == "after"
    finally:
        await other.close()
        await database.close()
