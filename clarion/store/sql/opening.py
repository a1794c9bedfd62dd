"""From an address to an open, migrated database."""

import contextlib
import os
from datetime import timedelta
from pathlib import Path

from clarion.base.errors import BadInput
from clarion.store.sql.engine.database import Database
from clarion.store.sql.engine.sqlite import SqliteDatabase, SqliteOptions
from clarion.store.sql.migrate import migrate
from clarion.tasks.model import DEFAULT_SHARES, Shares

PRIVATE = 0o600


async def open_database(
    url: str,
    *,
    synchronous: str = "FULL",
    connections_max: int = 10,
    wait: timedelta = timedelta(seconds=5),
    statement_timeout: timedelta = timedelta(seconds=10),
    shares: Shares = DEFAULT_SHARES,
) -> Database:
    """`sqlite:/path/to/file` or `postgresql://…`. The layout is not touched: see `migrate`."""
    scheme, _, rest = url.partition(":")
    if scheme == "sqlite":
        path = Path(rest.removeprefix("//") if rest.startswith("///") else rest)
        make_private(path)
        return SqliteDatabase(SqliteOptions(path, synchronous=synchronous, shares=shares))
    if scheme in {"postgresql", "postgres"}:
        # Importing its driver takes a tenth of the start, and most servers do not need it.
        from clarion.store.sql.engine.postgres import PostgresDatabase, PostgresOptions

        return PostgresDatabase(
            PostgresOptions(
                url,
                connections_max=connections_max,
                pool_timeout=wait,
                statement_timeout=statement_timeout,
                shares=shares,
            )
        )
    raise BadInput(
        f"No database is known for {scheme!r}.",
        hint="Use postgresql://user@host/name, or leave it empty for SQLite.",
    )


def make_private(path: Path) -> None:
    """Only the owner may read the file; SQLite gives its side files the same rights.

    If the rights cannot be changed (another owner, a disk without owners), opening the file
    decides.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
        for one in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if one.exists():
                one.chmod(PRIVATE)


__all__ = ["migrate", "open_database"]
