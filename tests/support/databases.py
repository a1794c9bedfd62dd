"""Real, empty, migrated databases for tests: migrated once, then copied."""

import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import migrate, open_database
from tests.support.services import PostgresServer

TEMPLATE = "clarion_template"
_migrated: set[Path | int] = set()  # the file, and the ports of servers that have a template


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="clarion-template-"))


async def sqlite_file(folder: Path, name: str = "clarion.db") -> str:
    """The address of a migrated file in `folder`."""
    template = _folder() / "clarion.db"
    if template not in _migrated:
        made = await open_database(f"sqlite:{template}")
        await migrate(made)
        await made.close()
        _migrated.add(template)
    shutil.copyfile(template, folder / name)
    return f"sqlite:{folder / name}"


async def postgres_database(server: PostgresServer) -> str:
    """The name of a migrated database on `server`."""
    if server.port not in _migrated:
        server.drop_database(TEMPLATE)
        server.run_sql(f'CREATE DATABASE "{TEMPLATE}"')
        made = await open_database(server.url(TEMPLATE))
        await migrate(made)
        await made.close()
        _migrated.add(server.port)
    return server.create_database(TEMPLATE)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = await open_database(url)
    try:
        yield database
    finally:
        await database.close()
