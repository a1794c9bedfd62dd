"""`clarion backup` and `clarion restore`: everything in one file, and back."""

import sys
from pathlib import Path

import click

from clarion.app.storage import open_storage
from clarion.base.errors import BadInput
from clarion.cli.common import config_option, load_settings, run
from clarion.settings import Settings
from clarion.store.sql.backup import Summary, dump, load
from clarion.store.sql.migrate import migrate

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
PASSWORD = click.option(
    "--password-file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file whose first line is the password that encrypts the backup.",
)


@click.command()
@FILE
@PASSWORD
@config_option
def backup(file: Path, password_file: Path | None, config: Path | None) -> None:
    """Write everything into FILE, while Clarion runs or not."""
    password = first_line(password_file)
    summary = run(_backup(load_settings(config), file, password))
    click.echo(f"{summary.rows:,} rows are in {file}.")
    if not password:
        click.echo("It holds every secret: keep it as you keep keys, or use --password-file.")


@click.command()
@FILE
@PASSWORD
@config_option
def restore(file: Path, password_file: Path | None, config: Path | None) -> None:
    """Restore FILE into an empty database, then read it again and compare."""
    summary = run(_restore(load_settings(config), file, first_line(password_file)))
    click.echo(f"{summary.rows:,} rows were restored and checked.")


async def _backup(settings: Settings, file: Path, password: str) -> Summary:
    database = await open_storage(settings)
    try:
        return await database.read(dump, file, shown, password)
    finally:
        await database.close()


async def _restore(settings: Settings, file: Path, password: str) -> Summary:
    database = await open_storage(settings)
    try:
        await migrate(database)
        return await database.write(load, file, shown, password)
    finally:
        await database.close()


def first_line(path: Path | None) -> str:
    if path is None:
        return ""
    password = path.read_text(encoding="utf-8").partition("\n")[0].strip()
    if not password:
        raise BadInput(f"There is no password in {path}.")
    return password


def shown(table: str, rows: int) -> None:
    """Progress, for a person who watches."""
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{table}: {rows:,}", nl=False, err=True)
