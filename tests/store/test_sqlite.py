"""What SQLite does when the file or the disk does not play along."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from clarion.base.errors import Unavailable
from clarion.store.sql.engine.database import (
    StorageBusy,
    StorageCorrupt,
    StorageFull,
    StorageReadOnly,
    driver,
    together,
)
from clarion.store.sql.engine.sqlite import SqliteDatabase, SqliteOptions
from clarion.tasks.model import Level, urgency


def note(conn: Connection, words: str) -> None:
    conn.execute(text("INSERT INTO notes VALUES (:words)"), {"words": words})


def count(conn: Connection) -> int:
    return int(conn.execute(text("SELECT count(*) FROM notes")).scalar_one())


async def with_notes(path: Path, busy_timeout_ms: int = 5_000) -> SqliteDatabase:
    database = SqliteDatabase(SqliteOptions(path, busy_timeout_ms=busy_timeout_ms))
    await database.write(
        lambda conn: conn.execute(text("CREATE TABLE IF NOT EXISTS notes (words text)"))
    )
    return database


async def test_many_callers_share_one_commit(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    commits: list[int] = []
    database.on_commit = commits.append

    await asyncio.gather(*(database.write(note, str(i)) for i in range(64)))
    await database.close()

    assert commits == [64]


async def test_urgent_work_overtakes_what_waits_for_the_disk(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    begun, go_on = asyncio.Event(), threading.Event()
    order: list[str] = []

    def hold_up(_conn: Connection) -> None:
        asyncio_loop.call_soon_threadsafe(begun.set)
        go_on.wait(30)

    async def write(words: str) -> None:
        await database.write(note, words)
        order.append(words)

    asyncio_loop = asyncio.get_running_loop()
    first = asyncio.create_task(database.write(hold_up))
    await begun.wait()
    flood = [asyncio.create_task(write(f"ordinary {i}")) for i in range(50)]
    await asyncio.wait(flood, timeout=0)
    with urgency(Level.HIGH):
        vip = asyncio.create_task(write("urgent"))
    await asyncio.wait([vip], timeout=0)
    go_on.set()
    await asyncio.gather(first, vip, *flood)
    await database.close()

    assert order[0] == "urgent"


async def test_urgent_work_that_comes_during_a_commit_is_answered_first(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    begun, go_on = asyncio.Event(), threading.Event()
    order: list[str] = []

    def hold_up(conn: Connection, words: str) -> None:
        note(conn, words)
        driver(conn).set_trace_callback(lambda sql: hold(conn) if sql == "COMMIT" else None)

    def hold(conn: Connection) -> None:
        driver(conn).set_trace_callback(None)
        asyncio_loop.call_soon_threadsafe(begun.set)
        go_on.wait(30)

    async def write(work: Callable[[Connection, str], None], words: str) -> None:
        await database.write(work, words)
        order.append(words)

    asyncio_loop = asyncio.get_running_loop()
    first = asyncio.create_task(write(hold_up, "ordinary"))
    await begun.wait()
    with urgency(Level.HIGH):
        vip = asyncio.create_task(write(note, "urgent"))
    await asyncio.wait([vip], timeout=0)
    go_on.set()
    await asyncio.gather(first, vip)
    await database.close()

    assert order == ["urgent", "ordinary"]


async def test_ordinary_work_goes_on_beside_a_stream_of_urgent_work(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    ordinary = asyncio.create_task(database.write(note, "ordinary"))

    async def hurry() -> None:
        with urgency(Level.HIGH):
            while not ordinary.done():
                await database.write(note, "urgent")

    await asyncio.gather(*(hurry() for _ in range(20)))
    await database.close()

    assert ordinary.done()


@pytest.mark.parametrize("failing", [0, 1, 2])
async def test_one_that_fails_takes_nothing_of_its_neighbours(tmp_path: Path, failing: int) -> None:
    database = await with_notes(tmp_path / "notes.db")
    commits: list[int] = []
    database.on_commit = commits.append

    def write(conn: Connection, number: int) -> None:
        note(conn, str(number))
        if number == failing:
            raise ZeroDivisionError

    answers = await asyncio.gather(
        *(database.write(write, number) for number in range(3)), return_exceptions=True
    )
    kept = await database.read(lambda conn: conn.execute(text("SELECT words FROM notes")).all())
    await database.close()

    assert commits == [3]
    assert [isinstance(answer, ZeroDivisionError) for answer in answers] == [
        number == failing for number in range(3)
    ]
    assert [int(words) for (words,) in kept] == [n for n in range(3) if n != failing]


calls_together: list[int] = []


def note_for_all(conn: Connection, calls: Sequence[tuple[str]]) -> list[str]:
    calls_together.append(len(calls))
    for (words,) in calls:
        note(conn, words)
    assert ("bad",) not in calls, "one of them cannot be kept"
    return [words.upper() for (words,) in calls]


@together(note_for_all)
def note_together(conn: Connection, words: str) -> str:
    note(conn, words)
    assert words != "bad", "it cannot be kept"
    return words.upper()


async def test_alike_writes_that_wait_are_done_together_in_their_order(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    calls_together.clear()
    said = [f"{letter}{n}" for letter in "abc" for n in range(9)]

    first = [database.write(note_together, words) for words in said[:9]]
    between = database.write(note, "between")
    last = [database.write(note_together, words) for words in said[9:]]
    answers = await asyncio.gather(*first, between, *last)
    kept = await database.read(lambda conn: conn.execute(text("SELECT words FROM notes")).all())
    await database.close()

    assert calls_together == [9, 18]
    assert [answer for answer in answers if answer] == [words.upper() for words in said]
    assert [row[0] for row in kept] == [*said[:9], "between", *said[9:]]


@pytest.mark.parametrize("first", [True, False], ids=["before all others", "after another"])
async def test_one_that_fails_among_those_done_together_fails_alone(
    tmp_path: Path, first: bool
) -> None:
    database = await with_notes(tmp_path / "notes.db")
    before = [] if first else [database.write(note, "before")]

    alike = [database.write(note_together, words) for words in ("one", "bad", "two")]
    answers = await asyncio.gather(*before, *alike, return_exceptions=True)
    kept = await database.read(lambda conn: conn.execute(text("SELECT words FROM notes")).all())
    await database.close()

    assert [type(answer) for answer in answers[-3:]] == [str, AssertionError, str]
    assert [row[0] for row in kept] == [*["before"][first:], "one", "two"]


async def test_an_urgent_one_does_not_wait_for_those_of_whom_one_fails(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    begun, go_on = asyncio.Event(), threading.Event()
    asyncio_loop = asyncio.get_running_loop()

    def hold_up(_conn: Connection, _calls: Sequence[tuple[str]]) -> list[str]:
        asyncio_loop.call_soon_threadsafe(begun.set)
        go_on.wait(30)
        raise ZeroDivisionError

    @together(hold_up)
    def write(conn: Connection, words: str) -> None:
        note(conn, words)

    alike = [asyncio.create_task(database.write(write, words)) for words in ("one", "two")]
    await begun.wait()
    with urgency(Level.HIGH):
        vip = asyncio.create_task(database.write(note, "urgent"))
    await asyncio.wait([vip], timeout=0)
    go_on.set()
    await asyncio.gather(vip, *alike)
    kept = await database.read(lambda conn: conn.execute(text("SELECT words FROM notes")).all())
    await database.close()

    assert [row[0] for row in kept] == ["urgent", "one", "two"]


@together(note_for_all, rows=int)
def note_many(conn: Connection, words: str) -> str:
    note(conn, words)
    return words


async def test_no_more_rows_are_written_together_than_an_urgent_one_may_wait_for(
    tmp_path: Path,
) -> None:
    database = await with_notes(tmp_path / "notes.db")
    calls_together.clear()

    rows = ("500", "60", "60", "30", "0", "10", "90", "1")
    answers = await asyncio.gather(*(database.write(note_many, words) for words in rows))
    kept = await database.read(lambda conn: conn.execute(text("SELECT words FROM notes")).all())
    await database.close()

    assert calls_together == [2, 2]
    assert answers == list(rows)
    assert [row[0] for row in kept] == list(rows)


async def test_a_full_disk_is_said_and_what_was_committed_stays(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    await database.write(note, "before")
    await database.write(lambda conn: driver(conn).execute("PRAGMA max_page_count = 3").fetchall())

    with pytest.raises(StorageFull, match="The disk is full"):
        await database.write(note, "x" * 50_000)
    assert await database.read(count) == 1

    await database.write(lambda conn: driver(conn).execute("PRAGMA max_page_count = 99").fetchall())
    await database.write(note, "after")
    assert await database.read(count) == 2
    await database.close()


async def test_a_file_held_by_another_program_is_busy_and_then_free(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db", busy_timeout_ms=10)
    other = sqlite3.connect(tmp_path / "notes.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StorageBusy):
        await database.write(note, "too early")
    other.execute("ROLLBACK")
    other.close()
    await database.write(note, "now")

    assert await database.read(count) == 1
    await database.close()


async def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_bytes(b"dear diary" * 1000)

    with pytest.raises(StorageCorrupt, match="not a database"):
        SqliteDatabase(SqliteOptions(tmp_path / "notes.db"))


async def test_a_damaged_page_is_said_to_be_damage(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    await asyncio.gather(*(database.write(note, "x" * 2_000) for _ in range(100)))
    await database.close()
    whole = bytearray((tmp_path / "notes.db").read_bytes())
    whole[4096:] = os.urandom(len(whole) - 4096)
    (tmp_path / "notes.db").write_bytes(whole)

    damaged = SqliteDatabase(SqliteOptions(tmp_path / "notes.db"))
    with pytest.raises(StorageCorrupt, match="damaged"):
        await damaged.read(lambda conn: conn.execute(text("SELECT * FROM notes")).all())
    await damaged.close()


async def test_a_missing_directory_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StorageReadOnly, match="cannot be opened"):
        SqliteDatabase(SqliteOptions(tmp_path / "nowhere" / "notes.db"))


async def test_after_closing_nothing_is_accepted(tmp_path: Path) -> None:
    database = await with_notes(tmp_path / "notes.db")
    last = asyncio.create_task(database.write(note, "last"))
    await asyncio.wait([last], timeout=0)

    await database.close()
    await database.close()

    assert last.exception() is None
    with pytest.raises(Unavailable, match="stopping"):
        await database.write(note, "too late")


def test_every_answered_write_survives_a_kill(tmp_path: Path) -> None:
    """The child prints the number of each write after its answer, until it is killed."""
    path = tmp_path / "notes.db"
    command = [sys.executable, "-m", "tests.store.writing_child", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        answered = [child.stdout.readline().strip() for _ in range(300)]
        child.kill()
        answered += child.stdout.read().split("\n")[:-1]

    with sqlite3.connect(path) as raw:
        kept = {words for (words,) in raw.execute("SELECT words FROM notes")}
    raw.close()
    assert len(answered) >= 300
    assert set(answered) <= kept
