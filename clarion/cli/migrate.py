"""`clarion migrate`: bring the database to the layout this version knows, or move into another."""

import tempfile
from pathlib import Path

import click

from clarion.app.storage import open_storage
from clarion.base.errors import BadInput
from clarion.cli.common import config_option, load_settings, run
from clarion.settings import Settings
from clarion.store.sql import backup
from clarion.store.sql.backup import Summary
from clarion.store.sql.engine.database import Database
from clarion.store.sql.migrate import HEAD, version
from clarion.store.sql.migrate import migrate as bring_up
from clarion.store.sql.opening import open_database


@click.command()
@config_option
@click.option(
    "--from",
    "source",
    metavar="sqlite:PATH",
    help="Copy everything from there first, into a database that is empty.",
)
def migrate(config: Path | None, source: str | None) -> None:
    """Prepare the database for this version. Servers of the previous version may run on.

    With --from, move a SQLite file into PostgreSQL: all of it or nothing, read again and compared
    row by row. Stop the server on the file first; the file itself is left as it is.
    """
    settings = load_settings(config)
    if source is not None:
        _check(source)
    changed = run(_migrate(settings))
    click.echo(f"The database is at {HEAD}{'' if changed else ', as it was'}.")
    if source is not None:
        moved = run(_move(settings, source))
        click.echo(f"Moved and compared {moved.rows} rows, checksum {moved.checksum[:12]}.")


def _check(source: str) -> None:
    scheme, _, path = source.partition(":")
    if scheme != "sqlite" or not Path(path).is_file():
        raise BadInput(f"There is no file at {source!r}.", hint="Write sqlite:/path/to/file.")


async def _migrate(settings: Settings) -> bool:
    database = await open_storage(settings)
    try:
        return await bring_up(database)
    finally:
        await database.close()


async def _move(settings: Settings, source: str) -> Summary:
    origin, target = await open_database(source), await open_storage(settings)
    try:
        return await move(origin, target)
    finally:
        await origin.close()
        await target.close()


async def move(origin: Database, target: Database) -> Summary:
    """One consistent view of `origin` into an empty `target`, in one transaction."""
    found = await origin.read(version)
    if found != HEAD:
        raise BadInput(
            f"The file has the layout {found}, not {HEAD}.",
            hint="Start this version of Clarion on it once, then stop it and try again.",
        )
    with tempfile.TemporaryDirectory() as folder:
        between = Path(folder) / "moving.gz"
        await origin.read(backup.dump, between, lambda _table, _rows: None)
        return await target.write(backup.load, between, _tell)


def _tell(table: str, rows: int) -> None:
    click.echo(f"{table}: {rows}", err=True)
