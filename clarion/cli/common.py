"""What commands share: reading settings, and running one coroutine."""

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from clarion.base import log
from clarion.settings import Settings, load

T = TypeVar("T")

config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Settings file; ./clarion.toml when there is one.",
)


def load_settings(config: Path | None) -> Settings:
    """The settings in use, with logs set up as they say."""
    settings = load(os.environ, config)
    log.set_up(settings.log_level, settings.log_format)
    return settings


def run(work: Coroutine[Any, Any, T]) -> T:
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        import asyncio

        return asyncio.run(work)
    return uvloop.run(work)
