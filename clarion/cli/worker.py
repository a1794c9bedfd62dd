"""`clarion worker`: carry out tasks beside other servers, without a door of its own."""

from pathlib import Path

import click

from clarion.app import build
from clarion.base.config import BadSettings
from clarion.cli.common import config_option, load_settings, run
from clarion.cli.serve import stop_on_signals
from clarion.settings import Settings


@click.command()
@config_option
def worker(config: Path | None) -> None:
    """Carry out tasks of the servers that share this database, until Ctrl-C."""
    settings = load_settings(config)
    if not settings.database_url:
        raise BadSettings(
            "A worker needs the PostgreSQL database of its servers.",
            hint="Set CLARION_DATABASE_URL. A server on SQLite does its own work: clarion serve.",
        )
    run(_work(settings))


async def _work(settings: Settings) -> None:
    async with await build(settings, listens=False) as clarion:
        stop_on_signals(clarion)
        click.echo("Clarion works here  (Ctrl-C stops it)")
        await clarion.run()
