"""`clarion completion`: what makes a shell complete our commands."""

import click
from click.shell_completion import get_completion_class

from clarion.cli import commands


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell: eval "$(clarion completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None, "the choices are those that click knows"
    click.echo(kind(commands, {}, "clarion", "_CLARION_COMPLETE").source())
