"""Group commit beside one transaction a write, on the same disk, in the same run.

Run it with `python -m benchmarks.group_commit`.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, insert

from clarion.store.sql.engine.sqlite import SqliteDatabase, SqliteOptions

CALLERS = 64
ROUNDS = 5
NOTES = Table("notes", MetaData(), Column("id", Integer, primary_key=True), Column("words", Text))
INSERT = insert(NOTES)


def note(conn: Connection, words: str) -> None:
    conn.execute(INSERT, {"words": words})


async def rate(database: SqliteDatabase, callers: int, each: int) -> float:
    """Writes a second, one row and one answer each."""

    async def call() -> None:
        for number in range(each):
            await database.write(note, str(number))

    started = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(callers)))
    return callers * each / (time.perf_counter() - started)


async def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        database = SqliteDatabase(SqliteOptions(Path(folder) / "notes.db", synchronous="FULL"))
        await database.write(lambda conn: NOTES.create(conn))
        print("synchronous=FULL; writes/s; the ratio must be at least 8")
        print(f"{'one a transaction':>18} {f'{CALLERS} callers':>12} {'ratio':>6}")
        for _ in range(ROUNDS):
            alone = await rate(database, 1, 1_000)
            together = await rate(database, CALLERS, 300)
            print(f"{alone:18,.0f} {together:12,.0f} {together / alone:6.1f}")
        await database.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
