"""`clarion demo`: a Clarion full of life to look at, in a directory of its own."""

from pathlib import Path

import click

from clarion.app.demo.place import demo_settings, remove_demo
from clarion.app.running import Clarion
from clarion.cli.common import config_option, load_settings, run
from clarion.cli.running import serve_until_stopped
from clarion.settings import Settings


@click.command()
@config_option
@click.option("--remove", is_flag=True, help="Remove the demo and everything in it.")
def demo(config: Path | None, *, remove: bool) -> None:
    """Run a household with a past, chats under load and a city with teams.

    Everything is in a directory beside your own that ends in `-demo`, and is rebuilt each time.
    Your own data is not touched.
    """
    settings = demo_settings(load_settings(config))
    if remove:
        gone = remove_demo(settings.data_dir)
        click.echo(f"Removed {settings.data_dir}." if gone else "There is no demo here.")
        return
    click.echo("Living through three weeks of a household…")
    run(_run(settings))


async def _run(settings: Settings) -> None:
    # The whole of Clarion takes seconds to import: who only removes a demo does not wait for it.
    from clarion.app.demo.stage import run_demo

    clarion: Clarion = await run_demo(settings)
    await serve_until_stopped(clarion)
