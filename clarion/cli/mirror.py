"""`clarion mirror`: rebuild the Redis mirror."""

from pathlib import Path

import click

from clarion.app.storage import open_storage
from clarion.base.clock import SystemClock
from clarion.base.config import BadSettings
from clarion.cli.common import config_option, load_settings, run
from clarion.settings import Settings
from clarion.store.sql.mirrored import SqlMirrored


@click.command()
@config_option
def mirror(config: Path | None) -> None:
    """Rebuild the read-only mirror of reminders in Redis. Servers may keep running."""
    settings = load_settings(config)
    if not settings.redis_url:
        raise BadSettings("No Redis is configured.", hint="Set CLARION_REDIS_URL.")
    click.echo(f"Mirrored {run(_rebuild(settings))} reminders, series and devices.")


async def _rebuild(settings: Settings) -> int:
    from clarion.store.redis.client import steady_client
    from clarion.store.redis.mirror import Mirror

    database, client = await open_storage(settings), steady_client(settings.redis_url)
    try:
        return await Mirror(client, SqlMirrored(database), SystemClock()).rebuild()
    finally:
        await client.aclose()
        await database.close()
