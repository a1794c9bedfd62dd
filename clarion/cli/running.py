"""Runs a Clarion until a signal stops it."""

import asyncio
import gc
import os
import signal
import sys

import click

from clarion.app.running import Clarion
from clarion.app.storage import write_private

LOGIN_FILE = "login"


async def serve_until_stopped(built: Clarion) -> None:
    async with built as clarion:
        stop_on_signals(clarion)
        async with asyncio.TaskGroup() as group:
            telling = group.create_task(_tell_where(clarion))
            await clarion.run()
            telling.cancel()


async def _tell_where(clarion: Clarion) -> None:
    await clarion.listening()
    login = await clarion.first_login()
    shown = login if login and sys.stdout.isatty() else None
    click.echo(f"Clarion is at {clarion.url}{shown or '/'}  (Ctrl-C stops it)")
    if shown:
        click.echo("Open it within 15 minutes: it logs you in, once. Later: clarion token login")
    elif login:
        # Without a terminal it would go to a log, and readers of a log need not be admins.
        path = clarion.parts.settings.data_dir / LOGIN_FILE
        write_private(path, f"{clarion.url}{login}")
        click.echo(f"The first login is in {path}, good for 15 minutes. Later: clarion token login")
    freeze_loaded_code()


def freeze_loaded_code() -> None:
    """Loaded code lives as long as the process: the garbage collector may skip it."""
    gc.freeze()


def stop_on_signals(clarion: Clarion) -> None:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if clarion.parts.stopping.is_set():
            os._exit(1)  # Asked twice: stop at once. All promises are on disk.
        clarion.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
