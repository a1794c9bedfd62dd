"""Opens the database that the settings name, and sees that its layout is the one we know."""

from pathlib import Path

from sqlalchemy import Connection, text

from clarion.base.config import BadSettings
from clarion.base.errors import Conflict
from clarion.doors.http.health import Check
from clarion.settings import Settings
from clarion.store.sql.database import Database, StorageAway
from clarion.store.sql.migrate import is_older, migrate, version
from clarion.store.sql.opening import open_database

SQLITE_FILE = "clarion.db"


class StorageOutdated(Conflict):
    code = "storage_outdated"


async def open_storage(settings: Settings) -> Database:
    """The layout is not looked at: see `bring_up_to_date` and `clarion migrate`."""
    return await open_database(
        database_url(settings),
        synchronous=settings.sqlite_synchronous.upper(),
        connections_max=settings.database_connections_max,
        statement_timeout=settings.statement_timeout,
    )


def database_url(settings: Settings) -> str:
    return settings.database_url or f"sqlite:{data_directory(settings.data_dir) / SQLITE_FILE}"


def data_directory(path: Path) -> Path:
    """The directory, made when it is not there, readable by its owner alone."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path.resolve(strict=True)
    except OSError as error:
        raise BadSettings(
            f"The data directory {path} cannot be used: {error.strerror}.",
            hint="Choose another with CLARION_DATA_DIR.",
        ) from None


async def bring_up_to_date(database: Database) -> None:
    """A SQLite file is ours alone and is migrated at once; a shared database only on request."""
    try:
        found = await database.read(version)
    except StorageAway as error:
        error.hint = "Is PostgreSQL running, and is CLARION_DATABASE_URL right?"
        raise
    if database.dialect != "sqlite" and is_older(found):
        raise StorageOutdated(
            "The database has not been prepared for this version of Clarion.",
            hint="Run `clarion migrate` once; servers that are running may go on meanwhile.",
        )
    await migrate(database)


def database_check(database: Database) -> Check:
    return Check("database", lambda: database.read(_ping))


def _ping(conn: Connection) -> None:
    conn.execute(text("SELECT 1"))
