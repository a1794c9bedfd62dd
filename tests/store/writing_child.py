"""Writes without end and says which writes were answered: a victim for kill -9."""

import asyncio
import sys
from pathlib import Path

from clarion.store.sql.engine.sqlite import SqliteDatabase
from tests.store.test_sqlite import note, with_notes

CALLERS = 16
WRITES_EACH = 100_000  # far more than anyone waits for


async def caller(database: SqliteDatabase, name: int) -> None:
    for number in range(WRITES_EACH):
        await database.write(note, f"{name}-{number}")
        sys.stdout.write(f"{name}-{number}\n")
        sys.stdout.flush()


async def main() -> None:
    database = await with_notes(Path(sys.argv[1]))
    await asyncio.gather(*(caller(database, name) for name in range(CALLERS)))


if __name__ == "__main__":
    asyncio.run(main())
