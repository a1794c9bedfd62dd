"""The log of SQLite is carried over beside the writer, and does not grow for ever."""

import asyncio
import sqlite3
import threading
from pathlib import Path

from sqlalchemy import Connection, text

from clarion.store.sql.engine.sqlite import (
    BYTES_MAX,
    COMMITS_BETWEEN,
    PAGES_MAX,
    Checkpoints,
    SqliteDatabase,
    SqliteOptions,
    carry_over,
    checkpoint_ourselves,
)

PAGE = 4096


def opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    checkpoint_ourselves(connection)
    return connection


def carried(path: Path) -> int:
    """How many rows are in the file itself, whatever the log holds."""
    alone = path.with_name("copy.db")
    alone.write_bytes(path.read_bytes())
    with sqlite3.connect(alone) as copy:
        (rows,) = copy.execute("SELECT count(*) FROM notes").fetchone()
    copy.close()
    return int(rows)


class Opened:
    """A connection for the thread that says when it was asked to carry over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.asked = threading.Event()

    def __call__(self) -> sqlite3.Connection:
        connection = opened(self._path)
        connection.set_trace_callback(lambda _sql: self.asked.set())
        return connection


def test_after_enough_commits_the_log_is_carried_over_by_another_thread(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    writer, reader = opened(path), Opened(path)
    writer.execute("CREATE TABLE notes (words text)")
    checkpoints = Checkpoints(reader, path)

    for number in range(COMMITS_BETWEEN - 1):
        writer.execute("INSERT INTO notes VALUES (?)", (str(number),))
        checkpoints.committed(writer)
    assert not reader.asked.is_set()
    writer.execute("INSERT INTO notes VALUES ('last')")
    checkpoints.committed(writer)

    assert reader.asked.wait(30)
    checkpoints.close()
    assert carried(path) == COMMITS_BETWEEN
    writer.close()


def test_a_database_that_cannot_be_carried_over_goes_on_with_its_log(tmp_path: Path) -> None:
    closed = opened(tmp_path / "notes.db")
    closed.close()

    assert carry_over(closed) == 0


def test_a_writer_waits_when_the_log_is_very_long(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    writer, turn, written = opened(path), threading.Event(), threading.Event()
    writer.execute("CREATE TABLE notes (words text)")

    def starved() -> sqlite3.Connection:
        turn.wait(30)
        return opened(path)

    def write() -> None:
        for _ in range(10 * COMMITS_BETWEEN):
            writer.execute("INSERT INTO notes VALUES (zeroblob(?))", (BYTES_MAX // 500,))
            checkpoints.committed(writer)
        written.set()

    checkpoints = Checkpoints(starved, path)
    threading.Thread(target=write, daemon=True).start()

    assert not written.wait(1)
    turn.set()
    assert written.wait(30)
    checkpoints.close()
    writer.close()


async def test_the_log_stays_short_under_a_load_without_a_pause(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    database = SqliteDatabase(SqliteOptions(path, synchronous="OFF"))
    await database.write(lambda conn: conn.execute(text("CREATE TABLE notes (words text)")))

    def note(conn: Connection) -> None:
        conn.execute(text("INSERT INTO notes VALUES (:words)"), {"words": "x" * 20 * PAGE})

    async def caller() -> None:
        for _ in range(500):
            await database.write(note)

    await asyncio.gather(*(caller() for _ in range(2)))
    length = path.with_name("notes.db-wal").stat().st_size
    await database.close()

    assert length < 3 * PAGES_MAX * PAGE < 1_000 * 20 * PAGE


async def test_the_logs_file_is_short_again_after_a_flood(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    writer = opened(path)
    writer.execute("CREATE TABLE notes (words text)")
    writer.execute("INSERT INTO notes VALUES (zeroblob(?))", (2 * BYTES_MAX,))

    carry_over(writer)
    writer.execute("INSERT INTO notes VALUES ('after the flood')")

    assert path.with_name("notes.db-wal").stat().st_size <= BYTES_MAX
    writer.close()
