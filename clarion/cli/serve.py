"""`clarion serve`: run everything until Ctrl-C."""

from pathlib import Path

import click

from clarion.app.build import build
from clarion.cli.common import config_option, load_settings, run
from clarion.cli.running import serve_until_stopped
from clarion.settings import Settings


@click.command()
@config_option
@click.option(
    "--no-worker", is_flag=True, help="Only answer requests; `clarion worker` does the tasks."
)
def serve(config: Path | None, *, no_worker: bool) -> None:
    """Run Clarion: the console, the API, devices and background work."""
    run(_serve(load_settings(config), works=not no_worker))


async def _serve(settings: Settings, *, works: bool) -> None:
    await serve_until_stopped(await build(settings, works=works))
