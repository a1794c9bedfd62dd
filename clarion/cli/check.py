"""`clarion check`: what is in force, and whether each configured service answers."""

import sys
from pathlib import Path

import click

from clarion.app.build import build
from clarion.cli import EXIT_REFUSED
from clarion.cli.common import config_option, load_settings, run
from clarion.doors.http.health import HealthFinding, examine
from clarion.settings import Settings, in_force, settings_page


@click.command()
@config_option
@click.option("--docs", is_flag=True, help="Print docs/settings.md instead.")
def check(config: Path | None, docs: bool) -> None:
    """Print the settings in use, secrets masked, and try each configured service."""
    if docs:
        click.echo(settings_page(Settings), nl=False)
        return
    settings = load_settings(config)
    rows = in_force(settings)
    width = max(len(name) for name, _, _ in rows)
    for name, value, was_set in rows:
        click.echo(f"{'*' if was_set else ' '} {name:<{width}}  {value or '(none)'}")
    click.echo("\n* set by you; the others are defaults. docs/settings.md says what they mean.\n")
    findings = run(_examine(settings))
    for one in findings:
        click.echo(f"{'ok  ' if one.ok else 'away'}  {one.name}  {one.detail}".rstrip())
    if not all(one.ok for one in findings if one.required):
        sys.exit(EXIT_REFUSED)


async def _examine(settings: Settings) -> list[HealthFinding]:
    async with await build(settings, listens=False) as clarion:
        return await examine(clarion.parts.checks)
