"""`clarion backup` and `clarion restore`: everything in one file, and back."""

import sys
from pathlib import Path

import click

from clarion.app.storage import open_storage
from clarion.cli.common import config_option, load_settings, run
from clarion.settings import Settings
from clarion.store.sql.backup import Summary, dump, load
from clarion.store.sql.migrate import migrate

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command()
@FILE
@config_option
def backup(file: Path, config: Path | None) -> None:
    """Write everything into FILE, while Clarion runs or not."""
    summary = run(_backup(load_settings(config), file))
    click.echo(
        f"{summary.rows:,} rows are in {file}. It holds every secret: keep it as you keep keys."
    )


@click.command()
@FILE
@config_option
def restore(file: Path, config: Path | None) -> None:
    """Fill an empty database from FILE, and read it again to be sure."""
    summary = run(_restore(load_settings(config), file))
    click.echo(f"{summary.rows:,} rows were restored and checked.")


async def _backup(settings: Settings, file: Path) -> Summary:
    database = await open_storage(settings)
    try:
        return await database.read(dump, file, shown)
    finally:
        await database.close()


async def _restore(settings: Settings, file: Path) -> Summary:
    database = await open_storage(settings)
    try:
        await migrate(database)
        return await database.write(load, file, shown)
    finally:
        await database.close()


def shown(table: str, rows: int) -> None:
    """Progress, for a person who watches."""
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{table}: {rows:,}", nl=False, err=True)
