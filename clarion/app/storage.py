"""Opens the database that the settings name, and sees that its layout is the one we know."""

import fcntl
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, text

from clarion.base.config import BadSettings
from clarion.base.errors import Conflict
from clarion.doors.http.health import Check
from clarion.settings import Settings
from clarion.store.sql.engine.database import Database, StorageAway
from clarion.store.sql.migrate import is_older, migrate, version
from clarion.store.sql.opening import open_database
from clarion.store.sql.sealing import keyring, seal_what_is_plain
from clarion.store.sql.tables import metadata
from clarion.tasks.model import Shares

SQLITE_FILE = "clarion.db"
LOCK_FILE = "lock"
ADDRESS_FILE = "address"
"""Where the server of a data directory says where it is."""
KEY_FILE = "key"


class StorageOutdated(Conflict):
    code = "storage_outdated"


class AlreadyRunning(Conflict):
    code = "already_running"


def hold_directory(settings: Settings) -> Callable[[], None]:
    """Be the only server on this SQLite file until the returned function is called.

    The lock is the process's: it goes with it, also when it is killed. Raises AlreadyRunning.
    """
    if settings.database_url and not settings.database_url.startswith("sqlite"):
        return lambda: None  # several servers may share a PostgreSQL database
    home = data_directory(settings.data_dir)
    lock = os.open(home / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        where = home / ADDRESS_FILE
        at = f" at {where.read_text(encoding='utf-8').strip()}" if where.exists() else ""
        raise AlreadyRunning(
            f"A Clarion runs in {home} already{at}.",
            hint="Stop it first, or choose another directory with CLARION_DATA_DIR.",
        ) from None
    return lambda: os.close(lock)


async def open_storage(settings: Settings) -> Database:
    """The layout is not looked at: see `bring_up_to_date` and `clarion migrate`."""
    if (key := secret_key(settings)) is not None:
        keyring.use(key)
    return await open_database(
        database_url(settings),
        synchronous=settings.sqlite_synchronous.upper(),
        connections_max=settings.database_connections_max,
        wait=settings.database_wait,
        statement_timeout=settings.statement_timeout,
        shares=Shares(settings.task_share_cost, settings.task_vip_weight),
    )


def database_url(settings: Settings) -> str:
    return settings.database_url or f"sqlite:{data_directory(settings.data_dir) / SQLITE_FILE}"


def secret_key(settings: Settings) -> str | None:
    """What secrets are sealed with: the setting, or a file beside a SQLite database.

    A shared database has servers that share no file: without the setting nothing is sealed there.
    """
    if settings.secret_key:
        return settings.secret_key
    if settings.database_url:
        return None
    path = data_directory(settings.data_dir) / KEY_FILE
    if not path.exists():
        write_private(path, secrets.token_urlsafe(32))
    return path.read_text(encoding="utf-8").strip()


def write_private(path: Path, text: str) -> None:
    """Written completely or not at all, and never readable by others in between."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text + "\n")
    new.replace(path)


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
    await database.write(seal_what_is_plain, metadata.sorted_tables)


def database_check(database: Database) -> Check:
    return Check("database", lambda: database.read(_ping))


def _ping(conn: Connection) -> None:
    conn.execute(text("SELECT 1"))
