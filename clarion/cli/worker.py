"""`clarion worker`: carry out tasks beside other servers, without a door of its own."""

from pathlib import Path

import click

from clarion.app.build import Address, build
from clarion.base.config import BadSettings
from clarion.cli.common import config_option, load_settings, run
from clarion.cli.running import freeze_loaded_code, stop_on_signals
from clarion.settings import Settings

PORT_MAX = 65_535


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
    window = window_address(settings.worker_metrics)
    async with await build(settings, listens=False, window=window) as clarion:
        stop_on_signals(clarion)
        seen = f", {clarion.url}/metrics shows how it goes" if window else ""
        click.echo(f"Clarion works here  (Ctrl-C stops it{seen})")
        freeze_loaded_code()
        await clarion.run()


def window_address(said: str) -> Address | None:
    """None when nothing is said. Without a host it is this machine's alone."""
    if not said:
        return None
    host, _, port = said.rpartition(":")
    if not port.isdecimal() or int(port) > PORT_MAX:
        raise BadSettings(
            f"{said!r} is no address for a worker's numbers.",
            hint="Write CLARION_WORKER_METRICS=127.0.0.1:8521, or leave it empty.",
        )
    return Address(host.strip("[]") or "127.0.0.1", int(port))
