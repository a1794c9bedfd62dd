"""Brings a database to the layout this version knows, and refuses one from a later version."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from clarion.store.sql.engine.database import Database, StorageTooNew

if TYPE_CHECKING:
    from alembic.config import Config

HERE = Path(__file__).parent / "migrations"
HEAD = "0028"  # the last step in migrations/versions; a test compares them


async def migrate(database: Database) -> bool:
    """True when something was changed. Running it twice, or on two servers, is harmless."""
    if await database.read(version) == HEAD:
        return False
    return await database.write(upgrade)


def is_older(found: str | None) -> bool:
    """Whether there is a way up from this layout; one from a later version we do not know."""
    return found != HEAD and (found is None or any(HERE.glob(f"versions/{found}_*.py")))


def version(conn: Connection) -> str | None:
    if not inspect(conn).has_table("alembic_version"):
        return None
    return conn.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(conn: Connection) -> bool:
    # Alembic takes a fifth of a second to import, and most starts have nothing to change.
    from alembic import command
    from alembic.script import ScriptDirectory

    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock(7208520)"))  # one server at a time
    config = alembic_config(conn)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    found = version(conn)
    if found is not None and found not in known:
        raise StorageTooNew(
            f"This database was written by a later version of Clarion (layout {found}).",
            hint="Install that version, or restore a backup made before the upgrade.",
        )
    if found == HEAD:
        return False
    command.upgrade(config, "head")
    return True


def alembic_config(conn: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = conn
    return config
