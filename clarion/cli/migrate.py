"""`clarion migrate`: bring the database to the layout this version knows."""

from pathlib import Path

import click

from clarion.app.storage import open_storage
from clarion.cli.common import config_option, load_settings, run
from clarion.settings import Settings
from clarion.store.sql.migrate import HEAD
from clarion.store.sql.migrate import migrate as bring_up


@click.command()
@config_option
def migrate(config: Path | None) -> None:
    """Prepare the database for this version. Servers of the version before may go on meanwhile."""
    changed = run(_migrate(load_settings(config)))
    click.echo(f"The database is at {HEAD}{'' if changed else ', as it was'}.")


async def _migrate(settings: Settings) -> bool:
    database = await open_storage(settings)
    try:
        return await bring_up(database)
    finally:
        await database.close()
